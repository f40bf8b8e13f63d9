/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/pairs.h: the matrix of an island of contacts alone, condensed to the bodies,
 *
 *      H = M + sum over rows A_i' A_i / softness_i,
 *
 * one 6 x 6 block per body and one per pair of bodies in contact, however many rows connect the pair. A pair's rows are
 * summed at once, four columns at a time, and H = L D L' goes block by block in the order of the plan (symbolic.h):
 * bodies that touch few others cause almost no fill-in, so no fronts are copied up a tree. No branch depends on a
 * numerical value, and on x86-64 both instances of the loops (as in kernel.h) give the same bits. */
#ifndef UKODE_SOLVERS_FACTOR_PAIRS_H
#define UKODE_SOLVERS_FACTOR_PAIRS_H

#include "solvers/factor/symbolic.h"

#include <stdbool.h>

/* a block of rows on a pair of bodies: offsets in ukProblem.A of its coefficients on the body eliminated first, and on
 * the other */
typedef struct ukPairRows {
    size_t first, second;
    int stride, row, rows;
} ukPairRows;

typedef struct ukTouch {
    int first, second;  /* elimination numbers, -1: none */
    int block;          /* block of H: rows of second and columns of first */
    int contact, count; /* its contacts' blocks of rows: the first, and their number */
} ukTouch;

typedef struct ukPairs {
    bool suits; /* the plan consists of bodies and of condensed blocks on at most two bodies */
    int bodies, blocks, touches;
    int *body;   /* (bodies) by elimination number */
    int *number; /* (bodies) by body */
    int *start;  /* (bodies + 1) blocks below each diagonal one, numbered from `bodies` on */
    int *below;  /* (blocks) their rows, ascending in a column */
    int *target; /* column by column, for its blocks b and a >= b: the block that they change */
    ukTouch *touch;
    ukPairRows *contact;
    double *H;            /* (bodies + blocks) 6 columns of 8, the last two 0: L, and 1/D on the diagonal */
    double *Y;            /* one column of H before it is divided by D */
    double *z;            /* (bodies x 8) */
    double *inverse;      /* (rows) 1 / softness, 0: not active */
    size_t column;        /* size of one of the two columns */
    const double *follow; /* (rows) coupling of the last factorization, NULL: none */
    double *G;            /* with coupling, H = L D R': lower triangles of H, and here of H' */
    const int *normal;
    size_t capacity[12];
} ukPairs;

/* Computes the layout for the plan, or sets suits = false. Zero before first use. ukOk, ukErrorMemory. */
int ukPairsPlan(ukPairs *pairs, const ukSymbolic *plan);
void ukPairsFree(ukPairs *pairs);

/* Factorizes p's H, for the rows with active[row] != 0 (NULL: all). coupling (rows; NULL: none), owned by the caller
 * and unchanged until solved: friction rows follow their normal rows (unsymmetric.h). ukOk; ukErrorMass; ukErrorMemory;
 * ukErrorSingular: an active row has no softness, or, with coupling, a pivot is 0. */
int ukPairsFactor(ukPairs *pairs, const ukProblem *p, const unsigned char *active, const double *softness,
                  const double *coupling);
/* M x - A' l = f, A x + softness l = r: x (bodies x 6), l (rows; 0 where not active), f and r NULL: 0. */
void ukPairsSolve(ukPairs *pairs, const ukProblem *p, const double *f, const double *r, double *x, double *l);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/complement.h: small bounded problems made dense. The rows without bounds, as a rule the joints', are
 * eliminated first, K = A M^-1 A' + softness,
 *
 *      K_EE = L L',   Y = L^-1 K_EI,   S = K_II - Y' Y,
 *
 * L within the skyline of the joints, S dense over the bounded rows that are in play, and what is left is solved by the
 * parametric active set. Rows come into play in lots: friction rows behind all others, once their bounds are known. */
#ifndef UKODE_SOLVERS_BOUNDED_COMPLEMENT_H
#define UKODE_SOLVERS_BOUNDED_COMPLEMENT_H

#include "solvers/bounded/bounded.h"
#include "solvers/bounded/parametric.h"

typedef struct ukEnd { /* of a row, on one of its bodies */
    double A[6];
    int at;
} ukEnd;

typedef struct ukComplement {
    ukParametric path;
    int joints, rows;        /* rows eliminated, rows in play so far, */
    int softened;            /* of them, with a proximal term */
    int *joint, *row;        /* (joints), (rows) which of the problem's they are */
    int *first;              /* (joints) where the skyline begins */
    double *L, *pivot;       /* (joints x joints) by rows; (joints) inverse of the diagonal */
    double *Y, *Yt, *S;      /* (joints x path.ld) by rows, (path.ld x joints), (path.ld x path.ld) */
    double *z, *w, *lo, *hi; /* (joints), (path.ld) each: scratch */
    double *lambda, *step;   /* (path.ld) */
    double *back;            /* (path.ld) -step */
    int *number;             /* (m) among the rows in play, negative: it is not */
    double *kept;            /* (m) the best multipliers */
    ukEnd *end;              /* those of one body are together */
    int *body, *ends;        /* (bodies) where they begin, how many there are */
} ukComplement;

/* Whether p is small enough; then C->joints is known. */
bool ukComplementSuits(ukComplement *C, const ukProblem *p);
/* Carves the arrays for p, which suits. */
void ukComplementCarve(ukComplement *C, const ukProblem *p, ukArena *arena);
/* Eliminates the rows without bounds of B; none is in play yet. ukOk; ukErrorSingular: dependent beyond rounding. */
int ukComplementSet(ukComplement *C, const ukBounded *B);
/* Takes into play the rows that have some room between their bounds by now, and with `friction` those that may come by
 * it along with their normal forces, all with a proximal term; those that are in play stay. */
void ukComplementAdd(ukComplement *C, const ukBounded *B, bool friction);
/* Solves B with the rows in play; the others stay as they are. lambda in: within the bounds, what B->w was evaluated
 * of; out: the best found. Returns its residual, INFINITY where the path came to no end; ends at `goal`, or where
 * nothing gets better. */
double ukComplementSolve(ukComplement *C, ukBounded *B, double goal, double tolerance, double *lambda);

/* What another method on the complement begins and ends with. z = L^-1 w of the joints, and C->w: that of the rows in
 * play once the joints are eliminated. */
void ukComplementReduce(ukComplement *C, const ukBounded *B);
/* After it: the joints' multipliers along with C->step of the rows in play. */
void ukComplementFollow(ukComplement *C, double *lambda);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/complement.h: small bounded problems made dense. The rows without bounds, as a rule the joints', are
 * eliminated first, K = A M^-1 A' + softness,
 *
 *      K_EE = L L',   Y = L^-1 K_EI,   S = K_II - Y' Y,
 *
 * L within the skyline of the joints, S dense over the bounded rows that are in play, and what is left is solved along a
 * path (solvers/bounded/path.h). Rows come into play in lots: friction rows behind all others, once their bounds are
 * known. */
#ifndef UKODE_SOLVERS_BOUNDED_COMPLEMENT_H
#define UKODE_SOLVERS_BOUNDED_COMPLEMENT_H

#include "solvers/bounded/bounded.h"
#include "solvers/factor/kernel.h"
#include "solvers/factor/skyline.h"

typedef struct ukEnd { /* of a row, on one of its bodies */
    double A[6];
    int at;
} ukEnd;

typedef struct ukComplement {
    const ukKernel *kernel;
    int ld;           /* a multiple of four, by three above the number of rows that may come into play */
    int joints, rows; /* rows eliminated, rows in play so far, */
    int softened;     /* of them, with a proximal term */
    int *joint, *row; /* (joints), (rows) which of the problem's they are */
    int *begin;       /* (rows) which of the joints' rows the columns of Y begin with, zero before */
    ukSkyline K;      /* K_EE, and then L' */
    double *Y, *S;    /* (joints x ld) by rows, (ld x ld) */
    bool based;       /* what follows is known: */
    double *base;     /* (m) multipliers, */
    double *rest;     /* (m) their w, */
    double *z, *w;    /* (joints), (ld): L^-1 w of the joints, and w of the rows in play where those have none */
    double *y;        /* (joints) scratch */
    double *step;     /* (ld) of the rows in play, from the base */
    int *number;      /* (m) among the rows in play, negative: it is not */
    ukEnd *end;       /* those of one body are together */
    int *body, *ends; /* (bodies) where they begin, how many there are */
} ukComplement;

/* Whether p is small enough; then C->joints is known. */
bool ukComplementSuits(ukComplement *C, const ukProblem *p);
/* Carves the arrays for p, which suits. */
void ukComplementCarve(ukComplement *C, const ukProblem *p, ukArena *arena);
/* Eliminates the rows without bounds of B; none is in play yet. ukOk; ukErrorSingular: dependent beyond rounding. */
int ukComplementSet(ukComplement *C, const ukBounded *B);
/* Takes into play the rows that have some room between their bounds by now, and friction rows that will have some: whose
 * normals bear a load in the guess lambda, or with `friction` all that may come by one, and then all rows in play get a
 * proximal term. Those that are in play stay. */
void ukComplementAdd(ukComplement *C, const ukBounded *B, bool friction, const double *lambda);
/* Proximal terms for all rows in play. */
void ukComplementSoften(ukComplement *C, const ukBounded *B);
/* lambda (m) as the base, from which all rows that are not in play stay where they are. */
void ukComplementBase(ukComplement *C, ukBounded *B, const double *lambda);
/* The joints' multipliers along with C->step of the rows in play. */
void ukComplementFollow(ukComplement *C, double *lambda);

#endif

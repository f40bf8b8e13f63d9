/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/complement.h: small bounded problems condensed to a dense Schur complement. The equality rows E, as a
 * rule those of joints, are eliminated first, K = A M^-1 A' + softness,
 *
 *      K_EE = L L',   Y = L^-1 K_EI,   S = K_II - Y' Y,
 *
 * L within the skyline of the joints, S dense over the working set I, the bounded rows that may move; the remaining
 * problem is solved by a homotopy (solvers/bounded/path.h). Rows enter the working set in lots: friction rows after all
 * others, once their bounds are known. */
#ifndef UKODE_SOLVERS_BOUNDED_COMPLEMENT_H
#define UKODE_SOLVERS_BOUNDED_COMPLEMENT_H

#include "solvers/bounded/bounded.h"
#include "solvers/factor/kernel.h"
#include "solvers/factor/skyline.h"

typedef struct ukEnd { /* a row's coefficients on one of its bodies */
    double A[6];
    int at;
} ukEnd;

typedef struct ukComplement {
    const ukKernel *kernel;
    int ld;           /* a multiple of four, at least three more than the bounded rows */
    int joints, rows; /* numbers of equality rows, of rows in the working set, */
    int softened;     /* and of these with a proximal term */
    int *joint, *row; /* (joints), (rows) row of the problem */
    int *begin;       /* (rows) first nonzero entry of each column of Y */
    ukSkyline K;      /* K_EE, and then L' */
    double *Y, *S;    /* (joints x ld) by rows, (ld x ld) */
    bool based;       /* whether the next four are valid: */
    double *base;     /* (m) multipliers, */
    double *rest;     /* (m) their w, */
    double *z, *w;    /* (joints), (ld): L^-1 w_E, and the condensed w_I - Y' z */
    double *y;        /* (joints) scratch */
    double *step;     /* (ld) multipliers of the working set less the base */
    int *number;      /* (m) number in the working set, negative: not in it */
    ukEnd *end;       /* all ends of rows, body by body */
    int *body, *ends; /* (bodies) the first end of a body, the number of its ends */
} ukComplement;

/* Whether p is small enough; then C->joints is known. */
bool ukComplementSuits(ukComplement *C, const ukProblem *p);
/* Carves the arrays for p, which suits. */
void ukComplementCarve(ukComplement *C, const ukProblem *p, ukArena *arena);
/* Eliminates the equality rows of B; the working set is then empty. ukOk; ukErrorSingular: they are dependent. */
int ukComplementSet(ukComplement *C, const ukBounded *B);
/* Adds to the working set the rows with lo < hi, and friction rows whose bounds will differ: those whose normal force
 * is positive in the guess lambda, or with `friction` all that ever may. All rows of the working set then get a
 * proximal term. Rows already in the set stay. */
void ukComplementAdd(ukComplement *C, const ukBounded *B, bool friction, const double *lambda);
/* How many rows the working set has after ukComplementAdd. */
int ukComplementCount(const ukComplement *C, const ukBounded *B, bool friction, const double *lambda);
/* Proximal terms for the whole working set. */
void ukComplementSoften(ukComplement *C, const ukBounded *B);
/* Takes lambda (m) as the base: rows outside the working set keep these multipliers. */
void ukComplementBase(ukComplement *C, ukBounded *B, const double *lambda);
/* lambda of the equality rows, from C->step: base - L'^-1 (z + Y step). */
void ukComplementFollow(ukComplement *C, double *lambda);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/front.h: one front at a time: its matrix is gathered from the problem and its children's Schur
 * complements, its pivots are eliminated, and solves go through it. The kinds and sizes of fronts in chains and trees
 * have special code in branch.h. */
#ifndef UKODE_SOLVERS_FACTOR_FRONT_H
#define UKODE_SOLVERS_FACTOR_FRONT_H

#include <math.h>
#include <stdbool.h>

#include "solvers/factor/kernel.h"
#include "solvers/factor/symbolic.h"
#include "solvers/base/team.h"
#include "solvers/problem/block.h"

/* The storage of the factor (factor.h). */
typedef struct ukFactor {
    const ukKernel *kernel;
    const double *A;      /* A of the factorized problem, with which condensed blocks are solved */
    double *L;            /* panels of all fronts */
    double *stack;        /* Schur complements for parents */
    double *diagonal;     /* (unknowns) by position: a row's K_ii + S_ii by the bodies eliminated before it, 1 if not
                           * active */
    double *pivot;        /* (unknowns) by position */
    double *floor, *work; /* (unknowns + 2, 4 unknowns + 8) scratch */
    int *shifted;         /* (unknowns + 1) positions of the pivots that vanished and got `diagonal` added, ascending */
    int shifts;
    int doubtful; /* number of these that depend on an order that only relative rows permit (ordering.h) */
    int weak;     /* number of weak pivots that were kept (ukFrontIsWeak) */
    /* problems with parts (ukSymbolic.subtrees); one per part, except `team`: */
    const ukTeam *team;
    double *outer; /* (outers) changes of the diagonal or of y at positions of the top */
    double *part_scratch;
    size_t part_length; /* of part_scratch */
    size_t capacity[9];
} ukFactor;

/* The arguments of ukFactorCompute. */
typedef struct ukFactorInput {
    const ukProblem *p;
    const unsigned char *active;
    const double *softness;
    double least;
} ukFactorInput;

/* The pivot of an active row, of size `diagonal` with its softness, counts as vanished at or below this value. */
UKODE_INLINE double ukFrontFloor(const ukFactorInput *in, double soft, double diagonal)
{
    return soft > 0 ? 0.5 * soft : in->least * diagonal;
}

/* Whether a row's pivot d < 0 lost six digits or more of the row's diagonal: its solves are then refined. */
UKODE_INLINE bool ukFrontIsWeak(double d, double diagonal)
{
    return -d < 1e-6 * diagonal;
}

/* The reduction of the rows' diagonal by the body's elimination (J P^-1 J' > 0) is the scale of their own pivots. */
UKODE_INLINE void ukFrontMeasure(const ukFront *front, const ukSymbolic *plan, const double *U, double *diagonal)
{
    for (int r = 0; r < front->runs; r++) {
        const ukRun *run = plan->run + front->run + r;
        for (int x = 0; x < run->count; x++, U += front->ldu + 1) diagonal[run->at + x] -= *U;
    }
}

/* Factorizes any front but condensed blocks (condensed.h): assembles, eliminates, and stores its Schur complement for
 * the parent. ukOk, ukErrorMass. */
int ukFrontFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in);

/* Parts of it and of solvers/factor/unsymmetric.c. They place the front's own coefficients into F (ld x p), which is
 * zero; add its children's Schur complements on `stack`, the columns that are pivots here to F, or the others to U. */
void ukFrontPlace(const ukSymbolic *plan, int f, const ukFactorInput *in, double *F);
void ukFrontAddChildren(const ukSymbolic *plan, int f, const double *stack, double *F, double *U, bool pivots);

/* z (u, and a zero) = y, by position, at the update rows; and back */
void ukFrontGather(const ukFront *front, const ukSymbolic *plan, const double *y, double *z);
void ukFrontScatter(const ukFront *front, const ukSymbolic *plan, const double *z, double *y);

/* Forward substitution: solves for the pivots of y (by position, from `origin` on) and subtracts their contribution
 * from the update rows; backward: solves for the pivots from the solved update rows. */
void ukFrontForward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);
void ukFrontBackward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);
/* Forward for a front with update rows in the top (ukFront.outside): their changes are added to `outer` (outers). */
void ukFrontForwardOutside(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y,
                           double *outer);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/interior_box.h: the vectors of the interior point (interior.h), and its loops over rows if all bounds
 * are constant intervals: plain loops that compilers turn into vector instructions, apart from sums and maxima.
 *
 * On x86-64 the loops exist twice, for any processor and for those with AVX2, with the same bits. */
#ifndef UKODE_SOLVERS_BOUNDED_INTERIOR_BOX_H
#define UKODE_SOLVERS_BOUNDED_INTERIOR_BOX_H

#include "solvers/bounded/bounded.h"

typedef struct ukInterior {
    double *low,
        *high; /* (m) slacks above lo, below hi, more accurate than the difference of multipliers; not of discs */
    double *below, *above;   /* (m) duals of lo and hi; below: dual of the disc at its first row */
    double *dbelow, *dabove; /* (m) their steps */
    double *nbelow, *nabove; /* (m) 1 / slack at the factorization; 0: no bound, or the row takes no part */
    double *gbelow, *gabove; /* (m) steps of the slacks, to first order */
    double *cbelow, *cabove; /* (m) second-order terms of the corrector; disc: cbelow, and (cw) of its rows */
    double *cw, *r, *step, *pivot, *follow;
    double *is_low, *is_high;               /* (m) 1: the row has this bound and takes part, else 0 (interior_box.h) */
    double *best, *best_below, *best_above; /* (m) those of the least residual, if `kept` */
    unsigned char *active;
    int bounds; /* number of bounds that take part */
    bool plain; /* no discs, and bounds that do not move: the loops of interior_box.h */
    bool kept;
    bool moved; /* the bounds change in each iteration: slacks are recomputed from lambda */
} ukInterior;

/* From slacks, infinite where there is no bound or the row takes no part, and duals: there is_low or is_high, slack and
 * dual become 0, and stay 0. Returns the number of bounds. */
int ukInteriorBoxBegin(ukInterior *I, const ukBounded *B);
/* Inverse slacks and I->pivot; returns the sum of the complementarity products. */
double ukInteriorBoxLinearize(ukInterior *I, const ukBounded *B);
/* The right-hand side I->r of a Newton step towards products `target`. */
void ukInteriorBoxTarget(ukInterior *I, const ukBounded *B, double target);
/* The steps of slacks and duals from I->step; returns the largest step length, at most 1, at which they stay
 * non-negative. */
double ukInteriorBoxStep(ukInterior *I, const ukBounded *B, double target);
/* The second-order terms of the step, times `share`; returns the sum of the products at step length `most`. */
double ukInteriorBoxPredict(ukInterior *I, const ukBounded *B, double most, double share);
/* lambda, slacks and duals += alpha times their steps. */
void ukInteriorBoxMove(ukInterior *I, const ukBounded *B, double *lambda, double alpha);

#endif

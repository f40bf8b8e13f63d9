/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/interior.h: a primal-dual interior-point method (Mehrotra's predictor and corrector) for the bounded
 * problem, for problems whose active set is unknown: some 10 to 25 factorizations for any set, degenerate and redundant
 * rows included. With slacks s and duals y of the bounds, the iterates follow the central path
 *
 *      A x + softness lambda - b = y_lo - y_hi,    s_lo y_lo = s_hi y_hi = mu -> 0,
 *
 * so that every row stays strictly inside its bounds, and each factorization is that of softness + y_lo / s_lo + y_hi /
 * s_hi. */
#ifndef UKODE_SOLVERS_BOUNDED_INTERIOR_H
#define UKODE_SOLVERS_BOUNDED_INTERIOR_H

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
    unsigned char *held;
    int bounds; /* number of bounds that take part */
    bool plain; /* no discs, and bounds that do not move: the loops of interior_box.h */
    bool kept;
    bool moved; /* the bounds change in each iteration: slacks are recomputed from lambda */
} ukInterior;

void ukInteriorCarve(ukInterior *I, const ukProblem *p, ukArena *arena);
/* coupled: the bounds of friction rows are mu |lambda_n| of each iterate (no longer a convex problem: the iteration may
 * end without a solution). lambda in: any point of C, out: the best found. Ends at `tolerance` (natural residual),
 * after max_passes factorizations, or if one fails. Returns the residual of the best. */
double ukInteriorSolve(ukInterior *I, ukBounded *B, bool coupled, double tolerance, int max_passes, double *lambda);
/* Continues from lambda and duals of the last coupled solve, in its bounds, now frozen. Returns the residual; lambda
 * stays as it is if that solve took no step. */
double ukInteriorContinue(ukInterior *I, ukBounded *B, double tolerance, int max_passes, double *lambda);

#endif

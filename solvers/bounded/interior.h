/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/interior.h: a primal-dual interior-point method (Mehrotra's predictor and corrector) for the bounded
 * problem, for the cases where the active set wanders: some 10 to 25 factorizations whatever the set, degenerate and
 * redundant rows included. Every row stays strictly inside its bounds and is softened by what its bounds' forces
 * require. */
#ifndef UKODE_SOLVERS_BOUNDED_INTERIOR_H
#define UKODE_SOLVERS_BOUNDED_INTERIOR_H

#include "solvers/bounded/bounded.h"

typedef struct ukInterior {
    double *low, *high;      /* (m) rooms above lo, below hi, to more digits than the multipliers tell; no disc's */
    double *below, *above;   /* (m) duals of lo and hi; below: dual of the disc at its first row */
    double *dbelow, *dabove; /* (m) their steps */
    double *nbelow, *nabove; /* (m) 1 / room, of the factorization; 0: no bound, no part */
    double *gbelow, *gabove; /* (m) steps of the room, to first order */
    double *cbelow, *cabove; /* (m) second-order terms of the corrector; disc: cbelow, and (cw) of its rows */
    double *cw, *r, *step, *pivot, *follow;
    double *best, *best_below, *best_above; /* (m) of the least residual, if `kept` */
    unsigned char *held;
    int bounds; /* that take part */
    bool kept;
    bool moved; /* bounds, so that rooms are measured anew in each pass */
} ukInterior;

void ukInteriorCarve(ukInterior *I, const ukProblem *p, ukArena *arena);
/* coupled: the bounds of friction rows go along, mu |lambda_n| of every iterate (no longer a convex problem: the passes
 * may then end without a solution).
 * lambda in: any point of C, out: the best found. Ends at `tolerance` (natural residual), after max_passes
 * factorizations, or where one fails. Returns the residual of the best. */
double ukInteriorSolve(ukInterior *I, ukBounded *B, bool coupled, double tolerance, int max_passes, double *lambda);
/* Goes on from where a coupled solve ended, its lambda, in the bounds of that, which are frozen now. Returns the
 * residual; lambda stays where the solve had nothing to do. */
double ukInteriorContinue(ukInterior *I, ukBounded *B, double tolerance, int max_passes, double *lambda);

#endif

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

#include "solvers/bounded/interior_box.h"

void ukInteriorCarve(ukInterior *I, const ukProblem *p, ukArena *arena);
/* coupled: the bounds of friction rows are mu |lambda_n| of each iterate (no longer a convex problem: the iteration may
 * end without a solution). lambda in: any point of C, out: the best found. Ends at `tolerance` (natural residual),
 * after max_passes factorizations, or if one fails. Returns the residual of the best. */
double ukInteriorSolve(ukInterior *I, ukBounded *B, bool coupled, double tolerance, int max_passes, double *lambda);
/* Continues from lambda and duals of the last coupled solve, in its bounds, now frozen. Returns the residual; lambda
 * stays as it is if that solve took no step. */
double ukInteriorContinue(ukInterior *I, ukBounded *B, double tolerance, int max_passes, double *lambda);

#endif

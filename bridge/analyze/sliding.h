/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/sliding.h: accelerations of an island with friction at its bound, mu times a normal force that is a
 * multiplier of the same solution:
 *
 *      M qdd = Q + A' lambda + D N,   A qdd = b,   N = the normal forces, rows of lambda
 *
 * N solves N = lambda_N(Q + D N) by Newton's method; where no law depends on lambda the equation is linear, and one
 * step is exact. */
#ifndef UKODE_BRIDGE_ANALYZE_SLIDING_H
#define UKODE_BRIDGE_ANALYZE_SLIDING_H

#include "bridge/analyze/active.h"
#include "bridge/solve/soften.h"

/* Solves an assembled island by `solve`, with the slides of `activity`. ukOk; ukErrorSingular: the normal forces are
 * not determined (Painleve's paradox), or not found; ukErrorMemory; the statuses of `solve`. */
int ukSlidingIsland(const ukActivity *activity, ukIsland *island, ukIslandSolve *solve);

#endif

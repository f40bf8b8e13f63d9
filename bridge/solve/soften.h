/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/soften.h: softens the rows of an island whose problem the solver cannot solve as stated, although its
 * data are valid. */
#ifndef UKODE_BRIDGE_SOLVE_SOFTEN_H
#define UKODE_BRIDGE_SOLVE_SOFTEN_H

#include "bridge/island/island.h"

typedef int ukIslandSolve(ukIsland *island);

/* `solve` returned `status` for the assembled island. If that is ukErrorSingular, the island's softness is increased by
 * s diag(A M^-1 A'), s = 1e-14, 1e-13, ... 1e-4, until `solve` succeeds and the sum of its forces is not lost in
 * rounding: the smallest softening that makes the problem solvable. It is reported as island->outcome->compromise (at
 * least the previous value, that of the problem that was decided upon), as rank -1, and in the log. Returns ukOk, or
 * the status of the last attempt; any other `status` unchanged. */
int ukSoften(ukIsland *island, int status, ukIslandSolve *solve);

#endif

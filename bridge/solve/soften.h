/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/soften.h: softens the rows of an island whose problem the solver cannot solve as stated, although its
 * data are valid. */
#ifndef UKODE_BRIDGE_SOLVE_SOFTEN_H
#define UKODE_BRIDGE_SOLVE_SOFTEN_H

#include "bridge/island/island.h"

typedef int ukIslandSolve(ukIsland *island);

/* `solve` answered `status` for the assembled island. Where that is ukErrorSingular, the island's softness grows by s
 * diag(A M^-1 A'), s = 1e-14, 1e-13, ... 1e-4, until `solve` succeeds and what its forces add up to is not lost in
 * rounding: the smallest softening that makes it solvable. It is told: outcomes[island].compromise (no less than it
 * was, of the problem that was decided upon), rank -1, and the log. Returns ukOk, or the status of the last attempt;
 * any other `status` as it is. */
int ukSoften(ukIsland *island, int status, ukIslandSolve *solve);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/solve.h: from an assembled island to accelerations and multipliers: chooses between laws
 * (bridge/solve/nonideal.h), loops with redundant rows (closure.h), additional softness (soften.h), and a single
 * problem (one.h). */
#ifndef UKODE_BRIDGE_SOLVE_SOLVE_H
#define UKODE_BRIDGE_SOLVE_SOLVE_H

#include "bridge/island/island.h"

/* Computes qdd and lambda of the island by the world's solver, warm-started from the joints' last multipliers. */
int ukSolveIsland(ukIsland *island);
/* The same for an island without laws whose warm start is already in island->rows.lambda0. Unless ukSolveNeedsCaller,
 * the call uses only the island's own part of the stepper's arrays and its solver; otherwise also shared data. */
int ukSolveGuessed(ukIsland *island);
bool ukSolveNeedsCaller(const ukIsland *island);

/* The same for the continuous form: rows rigid, no bounds; the rank tolerance follows the drift (ukRankTolerance). */
int ukSolveContinuous(ukIsland *island);

/* The same for an inner stage, of which only qdd is used. Some dependent rows are left out, and lambda is one of many
 * that belong to qdd (ukEqualitySolveMotion). */
int ukSolveMotion(ukIsland *island);
/* By how much an inconsistency of rows may be amplified there (ukEqualitySolveMotion): a hundredfold; a thousandfold
 * under the adaptive integrator, which reduces it to rounding in every sub-step. */
double ukMotionGrowth(const ukIsland *island);

#endif

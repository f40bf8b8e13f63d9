/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/certify.h: the Gauss check of a solved island (solvers/check/gauss_check.h), from its equations alone.
 */
#ifndef UKODE_BRIDGE_RESULTS_CERTIFY_H
#define UKODE_BRIDGE_RESULTS_CERTIFY_H

#include "bridge/island/island.h"

/* Applies the Gauss check to the island, accumulates the result in the report, and acts as the world's ukCheckAction
 * says. moved: the velocities are those after a step or a projection; else the program's, which need not be those that
 * rows ask for and are no compromise of them. ukOk, ukErrorCheck, ukErrorNotFinite (accelerations that are not finite
 * are never written to a body). */
int ukSolveCheck(ukIsland *island, bool moved);

/* With ukCheckResolve: if the check rejects the island's solution, the reference solver solves the island again. To be
 * called before the result is integrated. ukOk; a negative status: no memory. */
int ukSolveAgain(ukIsland *island);

#endif

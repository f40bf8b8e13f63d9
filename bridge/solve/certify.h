/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/certify.h: the Gauss check of a solved island (solvers/problem/gauss_check.h), from its equations alone.
 */
#ifndef UKODE_BRIDGE_SOLVE_CERTIFY_H
#define UKODE_BRIDGE_SOLVE_CERTIFY_H

#include "bridge/island/island.h"

/* The Gauss check of the island, summed into the report; acts as the world's ukCheckAction says. ukOk, ukErrorCheck,
 * ukErrorNotFinite (accelerations that are not finite are never written to a body). */
int ukSolveCheck(ukIsland *island);

/* With ukCheckResolve: an island that the check rejects as it was solved is solved again by the reference solver. To be
 * asked before what comes out is integrated. ukOk; a negative status: no memory. */
int ukSolveAgain(ukIsland *island);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/concurrent.h: solves islands of one step concurrently, on as many threads as the world's settings
 * allow.
 *
 * The bits do not depend on the number of threads. An island's solver is one of ukSolverSlots by its number, one thread
 * or many, and the islands of one solver are solved in their order: what a solver remembers (its plan) is the same.
 * Everything else that islands share stays with the calling thread: assembly, warm starts, reports, ODE. So do users'
 * functions, in their order: an island with one is stepped alone, after all earlier and before all later ones. */
#ifndef UKODE_BRIDGE_SOLVE_CONCURRENT_H
#define UKODE_BRIDGE_SOLVE_CONCURRENT_H

#include "bridge/island/island.h"

/* ukSolveIsland for the assembled islands first ... end - 1; stores the statuses in their outcomes. */
void ukConcurrentSolve(ukIsland *islands, int first, int end);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/consistent.h: whether the accelerations can satisfy all rows of a solved island together. */
#ifndef UKODE_BRIDGE_SOLVE_CONSISTENT_H
#define UKODE_BRIDGE_SOLVE_CONSISTENT_H

#include "bridge/island/island.h"

/* Whether the solved island's continuous rows are consistent: A qdd = b within `contradiction` of the largest
 * acceleration. ukOk, or ukErrorContradiction, which names the joint or constraint with the largest residual. For
 * states on the constraints: at the inner stages of an integrator redundant rows are inconsistent by the drift. */
int ukSolveConsistent(ukIsland *island);

/* Whether the solved island, in either form, has user constraints and an exact row with a larger residual than that, or
 * in the first step of one of its constraints or joints rows whose errors do not yet tell. */
bool ukSolveContested(const ukIsland *island);

/* Solves the exact rows of the island, assembled in the continuous form, without laws, and returns the status of
 * ukSolveConsistent, except for contradictions among the joints alone. The island must then be assembled again. */
int ukSolveIdealConsistent(ukIsland *island);

#endif

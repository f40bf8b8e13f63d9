/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/consistent.h: whether the accelerations can satisfy all rows of a solved island together. */
#ifndef UKODE_BRIDGE_SOLVE_CONSISTENT_H
#define UKODE_BRIDGE_SOLVE_CONSISTENT_H

#include "bridge/island/island.h"

/* Whether the solved island's continuous rows can be met together: A qdd = b within `contradiction` of the
 * accelerations in play. ukOk, or ukErrorContradiction, which names the joint or constraint with the largest residual.
 * For states on the constraints: at the inner stages of an integrator redundant rows disagree by the drift. */
int ukSolveConsistent(ukIsland *island);

/* Whether the solved island, whatever its form, has user constraints and misses a row that is to hold exactly by more
 * than that. */
bool ukSolveContested(const ukIsland *island);

/* Solves those rows of the island, assembled in the continuous form, that are to hold exactly, without laws, and
 * answers as ukSolveConsistent, but for what the joints alone disagree by. Leaves the island to be assembled again. */
int ukSolveIdealConsistent(ukIsland *island);

#endif

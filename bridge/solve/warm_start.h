/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/warm_start.h: the multipliers of the last step as the initial guess of this one. Lasting joints keep
 * their own; contacts are matched to those of the last steps (bridge/base/contact_memory.h). Both are stored by
 * bridge/results/. A guess saves factorizations; the solution does not depend on it. */
#ifndef UKODE_BRIDGE_SOLVE_WARM_START_H
#define UKODE_BRIDGE_SOLVE_WARM_START_H

#include "bridge/island/island.h"

/* Fills rows.lambda0 and rows.loads of the island and, if it has laws, lambda_ideal and loads_ideal, the guesses of
 * the problem without laws; 0 where no multipliers are stored. */
void ukWarmStartGuess(ukIsland *island);

#endif

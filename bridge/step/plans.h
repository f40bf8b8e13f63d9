/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/plans.h: saves and restores what the solvers of a world remember between steps. A plan follows from the
 * structure of an island, except for rows that were ordered after all of their bodies for numerical reasons,
 * permanently (solvers/factor/symbolic.h): the order of elimination, and with it rounding, depends on the values at
 * that time. All other data of a solver are computed again in every step. */
#ifndef UKODE_BRIDGE_STEP_PLANS_H
#define UKODE_BRIDGE_STEP_PLANS_H

#include "bridge/base/tape.h"
#include "bridge/island/stepper.h"

/* Whether any of the plans has late rows. */
bool ukPlansLate(const ukIslandSolvers *solvers);

/* Saves the plans, or restores them; a check fills `solvers`, which are all zero except `equality`. */
void ukKeepPlans(ukTape *tape, ukIslandSolvers *solvers);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/plans.h: saves and restores what the solvers of a world remember between steps. A plan follows from the
 * structure of an island, but for rows that were put after all of their bodies when numbers asked for it, once and for
 * all (solvers/factor/symbolic.h): the order of elimination, and with it rounding, is of those numbers. Everything
 * else that a solver holds it computes again in every step. */
#ifndef UKODE_BRIDGE_STEP_PLANS_H
#define UKODE_BRIDGE_STEP_PLANS_H

#include "bridge/base/tape.h"
#include "bridge/island/stepper.h"

/* Whether any of the plans has late rows. */
bool ukPlansLate(const ukIslandSolvers *solvers);

/* Saves the plans, or restores them; a check fills `solvers`, which are all zero except `equality`. */
void ukKeepPlans(ukTape *tape, ukIslandSolvers *solvers);

#endif

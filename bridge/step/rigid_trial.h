/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/rigid_trial.h: an adaptive step that treats joints as rigid where the world's CFM alone would make them
 * stiff springs.
 *
 * ODE's world CFM regularizes its solve; where cfm/h is below a hundredth of a row's compliance A M^-1 A', the row is a
 * spring whose oscillation advances by more than four radians per step and which yields by less than a twentieth of a
 * free body's fall in a step, but costs the adaptive integrator implicit stages. So the island is first stepped with
 * rigid rows. Where the step fails with these, because they contradict one another for example, it is undone, and taken
 * with the springs. */
#ifndef UKODE_BRIDGE_STEP_RIGID_TRIAL_H
#define UKODE_BRIDGE_STEP_RIGID_TRIAL_H

#include <stdbool.h>

#include "bridge/island/assemble.h"
#include "bridge/island/stepper.h"
#include "bridge/results/ledger.h"

/* report and ledger before the attempt, to undo it */
typedef struct ukRigidTrial {
    ukReport report;
    ukLedger sum;
} ukRigidTrial;

/* Starts an attempt with rigid rows; false: the gathered island has no joints that the world's CFM concerns. */
bool ukRigidTrialBegin(ukIsland *island, ukRigidTrial *trial);
/* Ends the attempt; returns whether it failed and the island is to be stepped with the springs. */
bool ukRigidTrialFailed(ukIsland *island, int status);
/* Restores the island as it was gathered. Returns the status of ukGatherIsland. */
int ukRigidTrialUndo(ukIsland *island, const ukIslandStart *start, const ukRigidTrial *trial);

#endif

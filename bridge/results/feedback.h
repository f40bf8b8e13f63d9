/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/feedback.h: forces on bodies from multipliers, and the user's dJointFeedback. */
#ifndef UKODE_BRIDGE_RESULTS_FEEDBACK_H
#define UKODE_BRIDGE_RESULTS_FEEDBACK_H

#include "bridge/island/island.h"

/* Constraint force of each joint of the island on a and b (joint->ideal: [force; torque], world frame, about the
 * centres of mass), its multipliers kept for the next step's warm start, and ODE's feedback struct where the user gave
 * one: after a step of h [s] in which forces or velocities changed, the mean of the step; h 0, or in the discrete form
 * alone, that force: f1, t1 for ODE's internal body a; f2, t2 only if b is a body; joints without rows leave it untouched. */
void ukFeedbackIsland(ukIsland *island, double h);

#endif

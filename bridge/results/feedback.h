/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/feedback.h: what follows from multipliers: forces on bodies, the user's dJointFeedback, and the next
 * step's initial guess. */
#ifndef UKODE_BRIDGE_RESULTS_FEEDBACK_H
#define UKODE_BRIDGE_RESULTS_FEEDBACK_H

#include "bridge/base/contact_memory.h"
#include "bridge/island/island.h"

/* Writes the constraint force of each joint of the island on a and b (joint->ideal: [force; torque], world frame, about
 * the centres of mass), stores the multipliers for the next step's warm start, and fills ODE's feedback struct if the
 * user set one: after a step of h [s] in which forces or velocities changed, with the mean over the step; with h 0, or
 * in the discrete form alone, with that force. f1, t1 are for ODE's internal body a; f2, t2 only if b is a body; joints
 * without rows leave the struct unchanged. */
void ukFeedbackIsland(ukIsland *island, double h);

/* Stores the contacts of the islands (count) of a finished step, whose joints the program creates again for the next
 * one; allocates only if there are more than ever before. Without memory no contacts are stored. */
void ukFeedbackContacts(ukContactMemory *memory, const ukIsland *islands, int count);

#endif

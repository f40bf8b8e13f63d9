/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/running.h: values that advance once per step: the angles of an AMotor, the phases of a gear. */
#ifndef UKODE_BRIDGE_JOINTS_RUNNING_H
#define UKODE_BRIDGE_JOINTS_RUNNING_H

#include "bridge/world/record.h"

/* Prepares the joint's running values to advance; false: they have advanced in the world's present step. A step may be
 * assembled at its start repeatedly: in parts, in another form. */
bool ukJointRuns(ukJoint *joint);
/* Restores the running values if they advanced in the step, which failed or starts again. */
void ukJointRunsBack(ukJoint *joint);

#endif

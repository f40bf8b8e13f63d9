/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/running.h: values that advance once a step: the angles of an AMotor, the phases of a gear. */
#ifndef UKODE_BRIDGE_JOINTS_RUNNING_H
#define UKODE_BRIDGE_JOINTS_RUNNING_H

#include "bridge/world/record.h"

/* The joint's running values are about to advance, unless they have in the world's step: false. A step may be assembled
 * at its start again and again: in parts, in another form. */
bool ukJointRuns(ukJoint *joint);
/* The step failed, or begins once more: back to what it found, if they did. */
void ukJointRunsBack(ukJoint *joint);

#endif

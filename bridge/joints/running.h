/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/running.h: values that advance once a step: the angles of an AMotor, the phases of a gear. */
#ifndef UKODE_BRIDGE_JOINTS_RUNNING_H
#define UKODE_BRIDGE_JOINTS_RUNNING_H

#include "bridge/world/record.h"

/* The joint's running values are about to advance, for the first time in the world's step or again. */
void ukJointRuns(ukJoint *joint);
/* The step failed: back to what it found, if they did. */
void ukJointRunsBack(ukJoint *joint);

#endif

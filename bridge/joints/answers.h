/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/answers.h: the getters whose results ODE computes in its own step. While a world's last step was
 * ukode's, the answer is in the joint's record. */
#ifndef UKODE_BRIDGE_JOINTS_ANSWERS_H
#define UKODE_BRIDGE_JOINTS_ANSWERS_H

#include "bridge/world/record.h"

/* The record of the joint if it is of this type and its world was last stepped by ukode; NULL: ODE's getter is
 * valid. */
const ukJoint *ukAnswersOf(dJointID joint, dJointType type);

/* dJointGetAMotorAngle in Euler mode [rad]: of the start of the last step. false: ODE's getter is valid, as that of
 * Webots' fork always is. */
bool ukAnswerAMotorAngle(dJointID joint, int axis, dReal *angle);

/* An axis of a gear, in the world frame; `axis` 0 or 1. false: ODE's getter is valid. */
bool ukAnswerGearAxis(dJointID joint, int axis, dVector3 result);

#endif

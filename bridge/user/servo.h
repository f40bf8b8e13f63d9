/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/user/servo.h: actuators of servo constraints: set, looked up, and the force of each at a state. */
#ifndef UKODE_BRIDGE_USER_SERVO_H
#define UKODE_BRIDGE_USER_SERVO_H

#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"

enum { ukMostActuators = 1 << 16 }; /* of one constraint */

/* Sets copies of the actuators (count; 0: none, at most ukMostActuators). Of each, joint with serial and handle, or
 * slot, and axis and cost are read, and were checked. ukOk or ukErrorMemory. */
int ukServoSet(struct ukConstraint *c, const ukServoActuator *actuator, int count);

/* Whether a joint has the free axis of an actuator; whether a cost is one. */
bool ukServoHasAxis(const ukJoint *joint, int axis);
bool ukServoIsCost(double cost);

/* In place of the joint of an actuator: a joint that was destroyed, which no world has. */
ukJoint *ukServoDestroyed(void);

/* The joint of an actuator among those of the list (count); NULL: it is not among them. */
ukJoint *ukServoJoint(const ukServoActuator *actuator, ukJoint *const *joint, int count);

/* wrench (12): force and torque on a and b of the joint (b NULL: the world) by a unit of the actuator, at these
 * states. */
void ukServoJointWrench(const ukServoActuator *actuator, ukJoint *joint, const ukState *a, const ukState *b,
                        double *wrench);
/* wrench (6): the same on the body of an actuator without joint. */
void ukServoBodyWrench(const ukServoActuator *actuator, const ukState *state, double *wrench);

/* The forces of the actuators by the multipliers of the constraint's rows, to servo->force. */
void ukServoForces(const struct ukConstraint *c);

#endif

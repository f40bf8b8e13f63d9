/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/linear_motor.h: finds linear motors of PR joints whose row is not the rate of the position that they
 * drive. ODE's row acts at the midpoint of the line of centres and contains the rotation of the bodies about it: the
 * motor reaches its speed in that row, and the joint slides at another one. */
#ifndef UKODE_BRIDGE_JOINTS_LINEAR_MOTOR_H
#define UKODE_BRIDGE_JOINTS_LINEAR_MOTOR_H

#include "bridge/world/record.h"

enum { ukLinearMotorLength = 64 };

typedef struct ukLinearMotor {
    double ratio;    /* of the difference of the two ways to the larger one; 0: none differs enough */
    double way, row; /* integrals of the position's rate and of the row's rate [m] */
    uint64_t serial; /* of the joint in its world */
    int world;       /* its number in the process */
    char joint[ukLinearMotorLength];
} ukLinearMotor;

/* After a step of h [s] with ODE's rows, by ukode's Euler method or by ODE's own stepper: adds to both ways of every
 * PR joint between two bodies whose linear motor has unlimited force. *worst becomes the joint with the largest ratio
 * of at least a fifth, and a difference of at least 10 mm; the ratio of the joint of *worst is updated first. */
void ukLinearMotorWatch(const ukWorld *world, double h, ukLinearMotor *worst);

#endif

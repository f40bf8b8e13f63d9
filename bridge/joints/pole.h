/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/pole.h: finds AMotors near the singular pose of their Euler angles, where axes 1 and 3 are parallel.
 * Two of the three angles rotate about the same line there and their rates are unbounded: motors about them, and ODE's
 * stops, do not keep the angles that are set, although every step solves its equations. */
#ifndef UKODE_BRIDGE_JOINTS_POLE_H
#define UKODE_BRIDGE_JOINTS_POLE_H

#include "bridge/world/record.h"

enum { ukPoleLength = 64 };

/* Among the world's AMotors in Euler mode that have a motor or, with `stops`, a stop, finds the one whose axes 1 and 3
 * are nearest to parallel: returns the sine of the angle between them, and the name in `joint`. 1 if there is none, or
 * none below `below`. Stops that ukode cannot take through the pose count always (ukGimbalProper). */
double ukPoleNearest(const ukWorld *world, double below, bool stops, char joint[ukPoleLength]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/turn.h: the angles that rotational stops bound, unwrapped, with their gradients.
 *
 * A pose gives an angle up to whole turns. ODE takes it from [-pi, pi], so that a body which passes pi is at -pi: its
 * stop at 3.1 lets it go, and the one at -3.1 throws it. Here the angle of a joint with stops is carried along from
 * step to step and keeps counting beyond pi. */
#ifndef UKODE_BRIDGE_JOINTS_TURN_H
#define UKODE_BRIDGE_JOINTS_TURN_H

#include "bridge/joints/class.h"

/* Of the relative rotation from qrel, the turn of a about axis1 (ukTwistAngle). */
void ukTurnTwist(const ukJoint *joint, const ukState *a, const ukState *b, ukTurn *turn);
/* atan2(y . m, y . r), where r and m turn with `from` and y with `to` (NULL: the world); its rate is
 * axis . (w_to - w_from). World axes. */
void ukTurnAzimuth(const ukState *from, const double r[3], const double m[3], const ukState *to, const double y[3],
                   ukTurn *turn);
/* ukCrossAngle of `y` (world, carried by `to`) about `axis` (in the frame of `from`), with the same rate. */
void ukTurnCross(const ukState *from, const double axis[3], const ukState *to, const double y[3], ukTurn *turn);

/* The angle that the stops of motor k are tested against, `since` [s] after the start of the world's step: `angle`,
 * which is the turn's up to rounding and whole turns, on the turn that the joint is on. At the start of a step
 * (since = 0) that is the turn it was carried to, or, if the program has moved the bodies since, or the joint was set
 * up again, the one in [-pi, pi), unless only another is within the stops. */
double ukTurnValue(ukJoint *joint, int k, const ukTurn *turn, double angle, const ukState *a, const ukState *b,
                   double since);
/* The joint was set up again: its turns are not known. */
void ukTurnForget(ukJoint *joint);
/* A step of h from the states `from` (a, b) to `to` has been taken: where the joint's stops are set, their turns follow.
 * mean: it moved at the mean of its velocities at both ends; false: at those of its end. */
void ukTurnAdvance(ukJoint *joint, const ukState *const from[2], const ukState *const to[2], double h, bool mean);

#endif

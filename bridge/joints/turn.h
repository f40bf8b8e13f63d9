/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/turn.h: the angles that rotational stops bound, unwrapped, with their gradients.
 *
 * A pose gives an angle up to whole turns. ODE takes it from [-pi, pi], so that a body which passes pi is at -pi: its
 * stop at 3.1 releases it, and the one at -3.1 kicks it. Here the angle of a joint with stops is continued from step to
 * step, also beyond pi. */
#ifndef UKODE_BRIDGE_JOINTS_TURN_H
#define UKODE_BRIDGE_JOINTS_TURN_H

#include "bridge/joints/class.h"

/* The rotation of a about axis1 alone in the relative rotation from qrel, as far as it is needed: the angle of
 * ukHingeAngle if the axes are aligned, and smooth otherwise, for the continuous form. ukHingeAngle includes any
 * misalignment in the angle, which has a kink at zero. */
void ukTurnTwist(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, ukTurn *turn);
/* atan2(y . m, y . r), where r and m rotate with `from` and y with `to` (NULL: the world); its rate is axis . (w_to -
 * w_from). World axes. *Measured:* a hanging snake's step takes 0.92 of the instructions if only what is needed is
 * computed. */
void ukTurnAzimuth(const ukState *from, const double r[3], const double m[3], const ukState *to, const double y[3],
                   ukTurnNeed need, ukTurn *turn);
/* ukCrossAngle of `y` (world, carried by `to`) about `axis` (in the frame of `from`), with the same rate. */
void ukTurnCross(const ukState *from, const double axis[3], const ukState *to, const double y[3], ukTurnNeed need,
                 ukTurn *turn);

/* ukJointClass.turns of types with one such angle: that of ukTurnTwist. */
int ukTurnsTwist(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, int motor[3],
                 ukTurn turn[3]);
/* The two angles of a joint with axis1 on a and axis2 on b, whose zeros are offset[0] and, with this sign, offset[1];
 * returns 2. */
int ukTurnsCross(const ukJoint *joint, const ukState *a, const ukState *b, double sign, ukTurnNeed need, int motor[3],
                 ukTurn turn[3]);

/* The angle with which the stops of motor k are compared, `since` [s] after the start of the world's step: `angle`,
 * which equals that of `turn` up to rounding and whole turns, on the joint's present turn. At the start of a step
 * (since = 0), where only angle and sine of `turn` are read, the present turn is the one counted so far or, if the
 * program has moved the bodies since, or the joint was set up again, the one in [-pi, pi), unless only another is
 * within the stops. */
double ukTurnValue(ukJoint *joint, int k, const ukTurn *turn, double angle, const ukState *a, const ukState *b,
                   double since);
/* The joint was set up again: discards the count of its turns. */
void ukTurnForget(ukJoint *joint);
/* Whether a stop bounds an angle of the joint, one of a class with turns: they are counted. */
static inline bool ukTurnsCounted(const ukJoint *joint)
{
    const int twist = joint->class->twist;
    bool tested = false;
    if (twist > 0) return ukStopsTested(&joint->motor[twist - 1]);
    for (int k = 0; k < 3; k++) tested |= ukStopsTested(&joint->motor[k]);
    return tested;
}
/* Updates these counts after a step of h from the states `from` (a, b) to `to`. mean: the joint
 * moved with the mean of the velocities at both ends; false: with those at its end. */
void ukTurnAdvance(ukJoint *joint, const ukState *const from[2], const ukState *const to[2], double h, bool mean);

#endif

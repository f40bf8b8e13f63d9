/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/linear_motor.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "bridge/joints/label.h"
#include "bridge/world/state.h"

static const double share = 0.2;      /* of the larger way */
static const double clear = 0.01;     /* difference of the ways [m] */
static const double unlimited = 1e30; /* [N]; dInfinity of either precision is larger */

static bool isDrivenPR(const ukJoint *joint)
{
    return joint->handle && joint->class->type == dJointTypePR && joint->body[0] && joint->body[1] &&
           dJointGetPRParam(joint->handle, dParamFMax) > unlimited && dJointIsEnabled(joint->handle);
}

/* Adds what a step of h with these velocities at its end adds to the position, and to the integral of the row's rate,
 * of ODE's joint PR: u.(v1 - v2) + (c - x1) x u . (w1 + w2), with the axis u and the midpoint c of the line of
 * centres. */
static void addWays(ukJoint *joint, double h)
{
    const ukState a = ukStateOf(joint->body[0]), b = ukStateOf(joint->body[1]);
    dVector3 axis, anchor;
    double half[3], arm[3], lever[3], turned[3], at[3], across[3];
    dJointGetPRAxis1(joint->handle, axis);
    dJointGetPRAnchor(joint->handle, anchor);
    const double u[3] = {axis[0], axis[1], axis[2]};
    for (int k = 0; k < 3; k++) {
        half[k] = (b.x[k] - a.x[k]) / 2;
        arm[k] = anchor[k] - a.x[k];
        at[k] = anchor[k] - b.x[k];
    }
    ukCross(half, u, lever);
    ukCross(b.v + 3, at, turned); /* velocity of b's anchor relative to b's centre */
    ukCross(a.v + 3, u, across);  /* rate of the axis, which a carries */
    for (int k = 0; k < 3; k++) {
        joint->slide.row += h * (u[k] * (a.v[k] - b.v[k]) + lever[k] * (a.v[3 + k] + b.v[3 + k]));
        joint->slide.way += h * (u[k] * (a.v[k] - b.v[k] - turned[k]) - across[k] * arm[k]);
    }
}

static ukLinearMotor linearMotorOf(const ukWorld *world, const ukJoint *joint)
{
    ukLinearMotor now = {
        .way = joint->slide.way, .row = joint->slide.row, .serial = joint->serial, .world = world->course.number};
    const double missed = fabs(now.row - now.way), ratio = missed / fmax(fabs(now.row), fabs(now.way));
    now.ratio = ratio > share && missed > clear ? ratio : 0;
    return now;
}

void ukLinearMotorWatch(const ukWorld *world, double h, ukLinearMotor *worst)
{
    for (ukJoint *j = world->oldest_joint; j; j = j->newer) {
        if (!isDrivenPR(j)) continue;
        addWays(j, h);
        const ukLinearMotor now = linearMotorOf(world, j);
        if (!(now.ratio > worst->ratio) && (now.serial != worst->serial || now.world != worst->world)) continue;
        *worst = now;
        ukJointLabel(j, worst->joint, sizeof worst->joint);
    }
}

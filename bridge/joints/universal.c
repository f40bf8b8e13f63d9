/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/universal.c: anchors coincide, a's axis 1 stays perpendicular to b's axis 2. Limits and motors about
 * both. Nothing is hidden: the angles' zeros follow from the angles that ODE returns, and are kept in offset[0..1].
 *
 * With REVERSE, ODE stores the user's axis 1 as axis 2 and conversely; parameter groups stay with the internal axes. An
 * axis 2 that is not of unit length (possible towards the world) makes ODE test its stops against an angle that jumps
 * at zero; here they are tested against the angle that dJointGetUniversalAngle* return. */
#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"
#include "bridge/joints/turn.h"

static void universalCreate(ukJoint *joint)
{
    joint->axis1[0] = joint->axis2[1] = 1;
    ukMotorsCreate(joint, 2);
}

/* the two angles, less their values at zero; ax1, ax2 in the world */
static void rawAngles(const ukJoint *joint, const ukState *a, const ukState *b, const double ax1[3],
                      const double ax2[3], double angle[2])
{
    angle[0] = -ukCrossAngle(a, joint->axis1, ax2);
    angle[1] = ukCrossAngle(b, joint->axis2, ax1);
}

static void universalRefresh(ukJoint *joint)
{
    const dJointID handle = joint->handle;
    dVector3 ax1, ax2;
    ukAnchorsRefresh(joint, dJointGetUniversalAnchor, dJointGetUniversalAnchor2);
    dJointGetUniversalAxis1(handle, joint->reverse ? ax2 : ax1);
    dJointGetUniversalAxis2(handle, joint->reverse ? ax1 : ax2);
    ukLocalAxis(joint->body[0], ax1, joint->axis1);
    ukLocalAxis(joint->body[1], ax2, joint->axis2);
    ukMotorsRefresh(joint, dJointGetUniversalParam, 2);

    if (!ukStopsTested(&joint->motor[0]) && !ukStopsTested(&joint->motor[1])) return; /* no angle is needed */
    const ukState a = ukStateOf(joint->body[0]), b = joint->body[1] ? ukStateOf(joint->body[1]) : a;
    double raw[2];
    rawAngles(joint, &a, joint->body[1] ? &b : NULL, ax1, ax2, raw);
    const double user1 = dJointGetUniversalAngle1(handle), user2 = dJointGetUniversalAngle2(handle);
    joint->offset[0] = ukWrapAngle((joint->reverse ? -user2 : user1) - raw[0]);
    joint->offset[1] = ukWrapAngle((joint->reverse ? user1 : user2) - raw[1]);
}

static int universalTurns(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, int motor[3],
                          ukTurn turn[3])
{
    return ukTurnsCross(joint, a, b, 1, need, motor, turn);
}

static int universalRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context,
                         ukRowSink *sink)
{
    static const double right[2] = {1, 0};
    const ukState *const state[2] = {a, b};
    double ax1[3], ax2[3], raw[2];
    ukRowsBall(sink, 0, joint, a, b, context->erp, context->cfm, context);
    ukRotate(a->R, joint->axis1, ax1);
    ukAxis(b, joint->axis2, ax2);
    ukRowCross(sink, 3, ax1, ax2, right, a, b, context);

    ukLimit limit[2] = {{.motor = &joint->motor[0], .axis = ax1, .carrier = a},
                        {.motor = &joint->motor[1], .axis = ax2, .carrier = b}};
    const bool tested[2] = {ukStopsTested(limit[0].motor), ukStopsTested(limit[1].motor)};
    ukTurn turn[3];
    int motor[3];
    if (tested[0] || tested[1]) {
        rawAngles(joint, a, b, ax1, ax2, raw);
        universalTurns(joint, a, b, ukLimitNeed(context), motor, turn);
    }
    for (int i = 0; i < 2; i++)
        if (tested[i])
            ukLimitTurn(&limit[i], joint, i, &turn[i], ukWrapAngle(raw[i] + joint->offset[i]), state, context);
    return 4 + ukRowsCrossLimits(sink, 4, 3, limit, a, b, context);
}

static int universalAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                         int is_translation[3])
{
    ukRotate(a->R, joint->axis1, axis[0]);
    ukAxis(b, joint->axis2, axis[1]);
    ukNormalize(axis[1]);
    for (int i = 0; i < 2; i++) {
        rate[i] = ukRateAbout(axis[i], a, b);
        is_translation[i] = 0;
    }
    return 2;
}

const ukJointClass ukUniversalClass = {.name = "universal",
                                       .type = dJointTypeUniversal,
                                       .max_rows = 6,
                                       .restricts_rotation = true,
                                       .free_axes = 2,
                                       .create = universalCreate,
                                       .refresh = universalRefresh,
                                       .rows = universalRows,
                                       .axes = universalAxes,
                                       .turns = universalTurns};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Hinge2: two hinge axes in series with a suspension along axis 1, between two bodies. Rows: 3 of the anchors along
 * axis 1 (soft: the suspension, its own ERP and CFM in joint->erp, joint->cfm; Webots' fork: suspension.h) and its
 * plane space, 1 that keeps the angle between the axes; then limit and motor about axis 1, motor about axis 2, which
 * ODE never limits. Webots' fork tests stops of axis 2, too, against an angle that decreases along that row: they push
 * away from the range between them, and they do so here.
 *
 * Hidden in ODE: s0, c0, the angle between the axes when they were last set or the joint was attached. offset[0]: the
 * rotation about axis 1 (ukCrossAngle) at which ODE's angle 1 is zero; offset[1]: the same of angle 2. */
#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"
#include "bridge/joints/suspension.h"
#include "bridge/joints/turn.h"

#include <math.h>

#include "bridge/ode/class.h"
#include "solvers/base/status.h"

enum { FixedRows = 4 };

static void hinge2Create(ukJoint *joint)
{
    joint->axis1[0] = joint->axis2[1] = 1;
    ukRigidityCreate(joint);
    ukMotorsCreate(joint, 2);
    ukSuspensionCreate(joint);
}

static void recordAngle(ukJoint *joint)
{
    dVector3 ax1, ax2;
    double n[3];
    dJointGetHinge2Axis1(joint->handle, ax1);
    dJointGetHinge2Axis2(joint->handle, ax2);
    ukCross(ax1, ax2, n);
    joint->s0 = sqrt(ukDot(n, n));
    joint->c0 = ukDot(ax1, ax2);
}

static void hinge2Note(ukJoint *joint, const ukNote *note)
{
    joint->stale = true;
    if (ukSuspensionNoted(joint, note) || !joint->body[1]) return;
    switch (note->kind) {
    case ukNoteAttach:
    case ukNoteAxes:
    case ukNoteAxis:
    case ukNoteAxis2: recordAngle(joint); break;
    default: break;
    }
}

static double turn1(const ukJoint *joint, const ukState *a, const ukState *b)
{
    double ax2[3];
    ukAxis(b, joint->axis2, ax2);
    return ukCrossAngle(a, joint->axis1, ax2);
}

static bool testsAxis2(const ukJoint *joint)
{
    return joint->world->rules & ukRuleWebots && ukStopsTested(&joint->motor[1]);
}

/* Angle of axis 1 in b's frame, about axis 2. */
static double turn2(const ukJoint *joint, const ukState *a, const ukState *b)
{
    double ax1[3];
    ukAxis(a, joint->axis1, ax1);
    return ukCrossAngle(b, joint->axis2, ax1);
}

static void hinge2Refresh(ukJoint *joint)
{
    const dJointID j = joint->handle;
    dVector3 x;
    ukMotorsRefresh(joint, dJointGetHinge2Param, 2);
    joint->erp = dJointGetHinge2Param(j, dParamSuspensionERP);
    joint->cfm = dJointGetHinge2Param(j, dParamSuspensionCFM);
    if (!joint->body[1]) return; /* ODE without assertions permits this attachment; the rows refuse it */
    ukAnchorsRefresh(joint, dJointGetHinge2Anchor, dJointGetHinge2Anchor2);
    ukSuspensionRefresh(joint);
    dJointGetHinge2Axis1(j, x);
    ukLocalAxis(joint->body[0], x, joint->axis1);
    dJointGetHinge2Axis2(j, x);
    ukLocalAxis(joint->body[1], x, joint->axis2);
    const ukState a = ukStateOf(joint->body[0]), b = ukStateOf(joint->body[1]);
    joint->offset[0] = turn1(joint, &a, &b) + dJointGetHinge2Angle1(j);
    if (testsAxis2(joint)) joint->offset[1] = turn2(joint, &a, &b) + dJointGetHinge2Angle2(j);
}

static void hinge2Assume(ukJoint *joint)
{
    if (joint->body[1]) recordAngle(joint);
}

/* angle 1 with its gradient, perpendicular to axis 2, so that rotations about axis 2 do not change the angle */
static int hinge2Turns(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, int motor[3],
                       ukTurn turn[3])
{
    double ax2[3];
    ukAxis(b, joint->axis2, ax2);
    ukTurnCross(a, joint->axis1, b, ax2, need, &turn[0]);
    motor[0] = 0;
    if (need == ukTurnNeedSine) return 1;
    turn[0].angle =
        ukWrapAngle(joint->offset[0] - turn[0].angle); /* increases with a against b, turn[0] with b against a */
    return 1;
}

static int hinge2Rows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    const double angle[2] = {joint->s0, joint->c0};
    double ax1[3], ax2[3], suspension[3];
    if (!b) return ukErrorParameter;

    ukAxis(a, joint->axis1, ax1);
    ukAxis(b, joint->axis2, ax2);
    ukAxis(a, ukSuspended(joint) ? joint->axisP : joint->axis1, suspension);
    ukRowsSuspended(sink, joint, suspension, a, b, context);
    ukRowCross(sink, 3, ax1, ax2, angle, a, b, context);

    ukLimit limit[2] = {{.motor = &joint->motor[0], .axis = ax1, .carrier = a},
                        {.motor = &joint->motor[1], .axis = ax2, .carrier = b}};
    ukTurn turn[3];
    int motor[3];
    if (ukStopsTested(limit[0].motor)) {
        hinge2Turns(joint, a, b, ukLimitNeed(context), motor, turn);
        ukLimitTurn(&limit[0], joint, 0, turn, turn->angle, (const ukState *const[]){a, b}, context);
    }
    if (testsAxis2(joint)) {
        limit[1].tested = true;
        limit[1].value = ukWrapAngle(joint->offset[1] - turn2(joint, a, b));
    }
    return FixedRows + ukRowsCrossLimits(sink, FixedRows, FixedRows - 1, limit, a, b, context);
}

static int hinge2Axes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                      int is_translation[3])
{
    ukAxis(a, joint->axis1, axis[0]);
    ukAxis(b, joint->axis2, axis[1]);
    for (int i = 0; i < 2; i++) {
        rate[i] = ukRateAbout(axis[i], a, b);
        is_translation[i] = 0;
    }
    return 2;
}

const ukJointClass ukHinge2Class = {.name = "hinge2",
                                    .type = dJointTypeHinge2,
                                    .max_rows = FixedRows + 2,
                                    .restricts_rotation = true,
                                    .free_axes = 2,
                                    .create = hinge2Create,
                                    .note = hinge2Note,
                                    .refresh = hinge2Refresh,
                                    .assume = hinge2Assume,
                                    .rows = hinge2Rows,
                                    .axes = hinge2Axes,
                                    .turns = hinge2Turns};

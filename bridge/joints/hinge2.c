/* SPDX-License-Identifier: BSD-3-Clause */
/* Hinge2: two hinge axes in series with a suspension along axis 1, between two bodies. Rows: 3 of the anchors along
 * axis 1 (soft: the suspension, its own ERP and CFM in joint->erp, joint->cfm) and its plane space, 1 that keeps the
 * angle between the axes; then limit and motor about axis 1, motor about axis 2, which ODE never limits.
 *
 * Hidden in ODE: s0, c0, the angle between the axes when they were last set or the joint was attached.
 * offset[0]: the turn about axis 1 (ukCrossAngle) at which ODE's angle 1 is zero. */
#include "bridge/joints/angle.h"
#include "bridge/joints/bias.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"

#include <math.h>

#include "solvers/base/status.h"

enum { FixedRows = 4 };

static void create(ukJoint *joint)
{
    joint->axis1[0] = joint->axis2[1] = 1;
    joint->erp = dWorldGetERP(joint->world->handle);
    joint->cfm = dWorldGetCFM(joint->world->handle);
    ukMotorCreate(&joint->motor[0], joint->world);
    ukMotorCreate(&joint->motor[1], joint->world);
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

static void note(ukJoint *joint, const ukNote *note)
{
    joint->stale = true;
    if (!joint->body[1]) return;
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

static void refresh(ukJoint *joint)
{
    const dJointID j = joint->handle;
    dVector3 x;
    ukMotorRefresh(&joint->motor[0], j, dJointGetHinge2Param, 0);
    ukMotorRefresh(&joint->motor[1], j, dJointGetHinge2Param, 1);
    joint->erp = dJointGetHinge2Param(j, dParamSuspensionERP);
    joint->cfm = dJointGetHinge2Param(j, dParamSuspensionCFM);
    if (!joint->body[1]) return; /* an ODE without assertions let it be attached so; the rows refuse */
    ukAnchorsRefresh(joint, dJointGetHinge2Anchor, dJointGetHinge2Anchor2);
    dJointGetHinge2Axis1(j, x);
    ukLocalAxis(joint->body[0], x, joint->axis1);
    dJointGetHinge2Axis2(j, x);
    ukLocalAxis(joint->body[1], x, joint->axis2);
    const ukState a = ukStateOf(joint->body[0]), b = ukStateOf(joint->body[1]);
    joint->offset[0] = turn1(joint, &a, &b) + dJointGetHinge2Angle1(j);
}

static void assume(ukJoint *joint)
{
    if (joint->body[1]) recordAngle(joint);
}

/* A locked angle 1 is held along what of axis 1 is perpendicular to axis 2: turns about axis 2 do not change it. */
static void angleOneAlone(ukLimit *limit, const double ax1[3], const double ax2[3], const ukState *a, const ukState *b,
                          double axis[3], double rate[3])
{
    double dot1[3], dot2[3];
    ukTurnRate(a, ax1, dot1);
    ukTurnRate(b, ax2, dot2);
    const double c = ukDot(ax1, ax2), c_dot = ukDot(dot1, ax2) + ukDot(ax1, dot2);
    for (int i = 0; i < 3; i++) {
        axis[i] = ax1[i] - c * ax2[i];
        rate[i] = dot1[i] - c * dot2[i] - c_dot * ax2[i];
    }
    limit->axis = axis;
    limit->axis_rate = rate;
    limit->gain = 1 - c * c;
}

static int rows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    const double h = context->h;
    double u[3][3], ax2[3], n[3], Pa[3], Pb[3], ra[3], rb[3], gap[3];
    if (!b) return ukErrorParameter;

    ukAxis(a, joint->axis1, u[0]);
    ukAxis(b, joint->axis2, ax2);
    ukPlaneSpace(u[0], u[1], u[2]);
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int i = 0; i < 3; i++) gap[i] = Pa[i] - Pb[i];
    for (int i = 0; i < 3; i++) {
        ukRowPoint(sink, i, u[i], ra, rb);
        ukRowError(sink, i, ukDot(u[i], gap), i == 0 ? joint->erp : context->erp, h);
        sink->cfm[i] = i == 0 ? joint->cfm : context->cfm;
        if (!sink->bias) continue;
        double u_dot[3];
        ukTurnRate(a, u[i], u_dot);
        ukBiasPoint(sink, i, u[i], u_dot, ra, rb, a, b);
    }

    /* sin(theta0 - theta), theta the angle between the axes, which shrinks as a turns about n */
    ukCross(u[0], ax2, n);
    const double s = ukNormalize(n), c = ukDot(u[0], ax2);
    ukRowAxis(sink, 3, n, true);
    ukRowError(sink, 3, joint->s0 * c - joint->c0 * s, context->erp, h);
    sink->cfm[3] = context->cfm;
    if (sink->bias) ukBiasCross(sink, 3, u[0], ax2, joint->s0, joint->c0, a, b);

    ukLimit limit1 = {
        .motor = &joint->motor[0], .axis = u[0], .tested = ukStopsTested(&joint->motor[0], true), .carrier = a};
    if (limit1.tested) limit1.value = ukWrapAngle(joint->offset[0] - turn1(joint, a, b));
    double across[3], rate[3];
    if (sink->bias && limit1.tested && limit1.motor->lo_stop == limit1.motor->hi_stop)
        angleOneAlone(&limit1, u[0], ax2, a, b, across, rate);
    const ukLimit motor2 = {.motor = &joint->motor[1], .axis = ax2, .carrier = b};
    const int count = FixedRows + ukRowLimit(sink, FixedRows, &limit1, a, b, h);
    return count + ukRowLimit(sink, count, &motor2, a, b, h);
}

static int axes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
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
                                    .free_axes = 2,
                                    .create = create,
                                    .note = note,
                                    .refresh = refresh,
                                    .assume = assume,
                                    .rows = rows,
                                    .axes = axes};

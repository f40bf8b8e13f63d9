/* SPDX-License-Identifier: BSD-3-Clause */
/* PR: a prismatic axis P on a, and a rotation about x, perpendicular to it, at the anchor of b. Rows: 2 of the
 * orientation (about P and x cross P), 2 of the anchor (along x and x cross P); then limit and motor along P, and about
 * x.
 *
 * Of the record: axisP is P, axis1 and axis2 are x as a and b carry it; anchor2 is b's, offset its place in a at
 * position 0. Hidden in ODE: offset, axis2, qrel. With the static world and REVERSE, ODE negates the lever to the
 * anchor, which throws the body about; here it keeps its sign. In the continuous form the row along P acts at the
 * anchor as well, not at half the line of centres: what it holds or drives is then the position that ODE's getter
 * tells. */
#include "bridge/joints/angle.h"
#include "bridge/joints/bias.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"

#include <math.h>

enum { FixedRows = 4 };

static void create(ukJoint *joint)
{
    joint->axis1[0] = joint->axis2[0] = joint->axisP[1] = 1;
    ukMotorCreate(&joint->motor[0], joint->world);
    ukMotorCreate(&joint->motor[1], joint->world);
}

/* x (3), world: what a knows of it goes to a's frame; b keeps the raw length where it is the world */
static void recordRotationAxis(ukJoint *joint, const double x[3])
{
    double unit[3] = {x[0], x[1], x[2]};
    ukNormalize(unit);
    ukLocalAxis(joint->body[1], joint->body[1] ? unit : x, joint->axis2);
}

static void note(ukJoint *joint, const ukNote *note)
{
    dVector3 x;
    joint->stale = true;
    if (!joint->body[0]) return;
    switch (note->kind) {
    case ukNoteAttach: /* the anchor stays where b has it now, the rotation axis where a has it now */
        dJointGetPRAnchor(joint->handle, x);
        ukLocalPoint(joint->body[0], x, joint->offset);
        dJointGetPRAxis2(joint->handle, x);
        recordRotationAxis(joint, x);
        ukRelativeRotation(joint, joint->qrel);
        break;
    case ukNoteAnchor: ukLocalPoint(joint->body[0], note->x, joint->offset); break;
    case ukNoteAxis: ukRelativeRotation(joint, joint->qrel); break;
    case ukNoteAxis2:
        recordRotationAxis(joint, note->x);
        ukRelativeRotation(joint, joint->qrel);
        break;
    default: break;
    }
}

static void refresh(ukJoint *joint)
{
    const dJointID j = joint->handle;
    dVector3 x;
    ukMotorRefresh(&joint->motor[0], j, dJointGetPRParam, 0);
    ukMotorRefresh(&joint->motor[1], j, dJointGetPRParam, 1);
    dJointGetPRAnchor(j, x);
    ukLocalPoint(joint->body[1], x, joint->anchor2);
    dJointGetPRAxis1(j, x);
    ukLocalAxis(joint->body[0], x, joint->axisP);
    dJointGetPRAxis2(j, x);
    ukLocalAxis(joint->body[0], x, joint->axis1);
}

static void assume(ukJoint *joint)
{
    const double s = joint->reverse ? -1 : 1;
    dVector3 x, P, anchor;
    if (!joint->body[0]) return;
    refresh(joint);
    dJointGetPRAxis1(joint->handle, P);
    dJointGetPRAxis2(joint->handle, x);
    dJointGetPRAnchor(joint->handle, anchor);
    for (int i = 0; i < 3; i++) anchor[i] += s * dJointGetPRPosition(joint->handle) * P[i];
    ukLocalPoint(joint->body[0], anchor, joint->offset);
    recordRotationAxis(joint, x);
    ukAssumeRotation(joint, s * dJointGetPRAngle(joint->handle));
}

/* direction in which the position grows, and the axis of the limit and motor row */
static void direction(const ukJoint *joint, const double P[3], double along[3])
{
    for (int i = 0; i < 3; i++) along[i] = joint->reverse ? -P[i] : P[i];
}

/* Jdot v of the fixed rows; phi of the first two for b's axis of any length */
static void differentiate(ukRowSink *sink, const double *const axis[FixedRows], const double y[3], const double d[3],
                          const double rb[3], const ukState *a, const ukState *b)
{
    const double *const x = axis[2], length = sqrt(ukDot(y, y));
    double u_dot[3];
    for (int i = 0; i < FixedRows; i++) {
        ukTurnRate(a, axis[i], u_dot);
        if (i < 2) {
            ukBiasAxis(sink, i, u_dot, a, b);
            if (length > 0) sink->phi[i] /= length;
        } else {
            ukBiasAtAnchor(sink, i, axis[i], u_dot, d, rb, a, b);
        }
    }
    if (!b) return;
    double y_dot[3], rb_dot[3], turned[3]; /* row 2 has y for x on b's side: (y - x) . (w_b x r_b) less */
    ukTurnRate(a, x, u_dot);
    ukTurnRate(b, y, y_dot);
    ukTurnRate(b, rb, rb_dot);
    ukTurnRate(b, rb_dot, turned);
    sink->bias[2] -= ukDot(y_dot, rb_dot) - ukDot(u_dot, rb_dot) + ukDot(y, turned) - ukDot(x, turned);
}

static int rows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    const double h = context->h;
    double P[3], x[3], y[3], q[3], u[3], Pb[3], rb[3], d[3], gap[3];

    ukAxis(a, joint->axisP, P);
    ukAxis(a, joint->axis1, x);
    ukAxis(b, joint->axis2, y);
    ukCross(x, P, q);
    ukCross(x, y, u);
    ukAnchor(b, joint->anchor2, Pb, rb);
    ukAxis(a, joint->offset, gap);
    for (int i = 0; i < 3; i++) {
        d[i] = Pb[i] - a->x[i];
        gap[i] -= d[i]; /* of a's anchor at position 0 from b's */
    }

    ukRowAxis(sink, 0, P, b);
    ukRowError(sink, 0, -ukDot(u, P), context->erp, h);
    ukRowAxis(sink, 1, q, b);
    ukRowError(sink, 1, -ukDot(u, q), context->erp, h);
    ukRowPoint(sink, 2, x, d, b ? rb : NULL);
    if (b) ukCross(y, rb, sink->J + 2 * sink->stride + 9); /* ODE's: b's own axis */
    ukRowError(sink, 2, ukDot(x, gap), context->erp, h);
    ukRowPoint(sink, 3, q, d, b ? rb : NULL);
    ukRowError(sink, 3, ukDot(q, gap), context->erp, h);
    for (int i = 0; i < FixedRows; i++) sink->cfm[i] = context->cfm;
    if (sink->bias) differentiate(sink, (const double *const[]){P, q, x, q}, y, d, rb, a, b);

    double along[3];
    direction(joint, P, along);
    const ukLimit slide = {.motor = &joint->motor[0],
                           .axis = along,
                           .linear = true,
                           .tested = ukStopsTested(&joint->motor[0], false),
                           .value = ukDot(along, gap),
                           .carrier = a,
                           .ra = sink->bias ? d : NULL,
                           .rb = rb};
    ukLimit turn = {
        .motor = &joint->motor[1], .axis = x, .tested = ukStopsTested(&joint->motor[1], true), .carrier = a};
    if (turn.tested) turn.value = sink->bias ? ukTwistAngle(joint, a, b) : ukHingeAngle(joint, a, b);
    const int count = FixedRows + ukRowLimit(sink, FixedRows, &slide, a, b, h);
    return count + ukRowLimit(sink, count, &turn, a, b, h);
}

static int axes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                int is_translation[3])
{
    double P[3];
    ukAxis(a, joint->axisP, P);
    direction(joint, P, axis[0]);
    rate[0] = ukRateAtAnchor(axis[0], joint->anchor2, a, b);
    is_translation[0] = 1;
    ukAxis(a, joint->axis1, axis[1]);
    rate[1] = ukRateAbout(axis[1], a, b);
    is_translation[1] = 0;
    return 2;
}

const ukJointClass ukPRClass = {.name = "PR",
                                .type = dJointTypePR,
                                .max_rows = FixedRows + 2,
                                .free_axes = 2,
                                .at_anchor = true,
                                .create = create,
                                .note = note,
                                .refresh = refresh,
                                .assume = assume,
                                .rows = rows,
                                .axes = axes};

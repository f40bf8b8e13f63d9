/* SPDX-License-Identifier: BSD-3-Clause */
/* PR: a prismatic axis P on a, and a rotation about x, perpendicular to it, at the anchor of b. Rows: 2 of the
 * orientation (about P and x cross P), 2 of the anchor (along x and x cross P); then limit and motor along P, and about
 * x.
 *
 * Of the record: axisP is P, axis1 and axis2 are x as a and b carry it; anchor2 is b's, offset its place in a at
 * position 0. Hidden in ODE: offset, axis2, qrel. With the static world and REVERSE, ODE negates the lever to the
 * anchor, which makes the body fly off; here it keeps its sign. The exact row along P acts at the anchor as well, not
 * at half the line of centres: stop and motor then act on the position that ODE's getter returns. */
#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"
#include "bridge/joints/turn.h"

enum { FixedRows = 4 };

static void prCreate(ukJoint *joint)
{
    joint->axis1[0] = joint->axis2[0] = joint->axisP[1] = 1;
    ukMotorsCreate(joint, 2);
}

static void prNote(ukJoint *joint, const ukNote *note)
{
    dVector3 x;
    joint->stale = true;
    if (!joint->body[0]) return;
    switch (note->kind) {
    case ukNoteAttach: /* the anchor keeps its present place on b, the rotation axis its present direction on a */
        dJointGetPRAnchor(joint->handle, x);
        ukLocalPoint(joint->body[0], x, joint->offset);
        dJointGetPRAxis2(joint->handle, x);
        ukRecordAxis2(joint, x);
        ukRelativeRotation(joint, joint->qrel);
        break;
    case ukNoteAnchor: ukLocalPoint(joint->body[0], note->x, joint->offset); break;
    case ukNoteAxis: ukRelativeRotation(joint, joint->qrel); break;
    case ukNoteAxis2:
        ukRecordAxis2(joint, note->x);
        ukRelativeRotation(joint, joint->qrel);
        break;
    default: break;
    }
}

static void prRefresh(ukJoint *joint)
{
    const dJointID j = joint->handle;
    dVector3 x;
    ukMotorsRefresh(joint, dJointGetPRParam, 2);
    dJointGetPRAnchor(j, x);
    ukLocalPoint(joint->body[1], x, joint->anchor2);
    dJointGetPRAxis1(j, x);
    ukLocalAxis(joint->body[0], x, joint->axisP);
    dJointGetPRAxis2(j, x);
    ukLocalAxis(joint->body[0], x, joint->axis1);
}

static void prAssume(ukJoint *joint)
{
    const double s = joint->reverse ? -1 : 1;
    dVector3 x, P, anchor;
    if (!joint->body[0]) return;
    prRefresh(joint);
    dJointGetPRAxis1(joint->handle, P);
    dJointGetPRAxis2(joint->handle, x);
    dJointGetPRAnchor(joint->handle, anchor);
    for (int i = 0; i < 3; i++) anchor[i] += s * dJointGetPRPosition(joint->handle) * P[i];
    ukLocalPoint(joint->body[0], anchor, joint->offset);
    ukRecordAxis2(joint, x);
    ukAssumeRotation(joint, s * dJointGetPRAngle(joint->handle));
}

/* Axes and anchors in the world frame: P, x and q = x cross P of a, y of b; the lever arm from a to b's anchor, and the
 * vector from b's anchor to a's anchor at position 0. */
typedef struct Place {
    double P[3], x[3], y[3], q[3], Pb[3], rb[3], d[3], gap[3];
} Place;

static Place prPlaceOf(const ukJoint *joint, const ukState *a, const ukState *b)
{
    Place at;
    ukAxis(a, joint->axisP, at.P);
    ukAxis(a, joint->axis1, at.x);
    ukAxis(b, joint->axis2, at.y);
    ukCross(at.x, at.P, at.q);
    ukAnchor(b, joint->anchor2, at.Pb, at.rb);
    ukAxis(a, joint->offset, at.gap);
    for (int i = 0; i < 3; i++) {
        at.d[i] = at.Pb[i] - a->x[i];
        at.gap[i] -= at.d[i];
    }
    return at;
}

static void exactRows(ukRowSink *sink, const Place *at, const ukState *a, const ukState *b, const ukRowContext *context)
{
    const double *const across[2] = {at->x, at->q};
    double r[3], unit[3] = {at->y[0], at->y[1], at->y[2]}; /* of raw length if b is the world */
    ukNormalize(unit);
    ukCross(at->x, at->q, r); /* -P, if P is perpendicular to x */
    const double *const aligns[2] = {at->q, r};
    ukRowsCosine(sink, 0, aligns, unit, a, b, context->erp, context->h);
    ukRowsAcross(sink, 2, across, at->gap, at->Pb, a, b, context);
}

static void odeRows(ukRowSink *sink, const Place *at, const ukState *b, const ukRowContext *context)
{
    const double h = context->h;
    double u[3];
    ukCross(at->x, at->y, u);
    ukRowAxis(sink, 0, at->P, b);
    ukRowError(sink, 0, -ukDot(u, at->P), context->erp, h);
    ukRowAxis(sink, 1, at->q, b);
    ukRowError(sink, 1, -ukDot(u, at->q), context->erp, h);
    ukRowPoint(sink, 2, at->x, at->d, b ? at->rb : NULL);
    if (b) ukCross(at->y, at->rb, sink->J + 2 * sink->stride + 9); /* b's own axis */
    ukRowError(sink, 2, ukDot(at->x, at->gap), context->erp, h);
    ukRowPoint(sink, 3, at->q, at->d, b ? at->rb : NULL);
    ukRowError(sink, 3, ukDot(at->q, at->gap), context->erp, h);
}

static int prRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    const Place at = prPlaceOf(joint, a, b);
    if (context->exact)
        exactRows(sink, &at, a, b, context);
    else
        odeRows(sink, &at, b, context);
    for (int i = 0; i < FixedRows; i++) sink->cfm[i] = context->cfm;

    double along[3];
    ukAxisForward(joint, at.P, along);
    const ukLimit slide = {.motor = &joint->motor[0],
                           .axis = along,
                           .linear = true,
                           .tested = ukStopsTested(&joint->motor[0]),
                           .value = ukDot(along, at.gap),
                           .carrier = a,
                           .ra = context->exact ? at.d : NULL,
                           .rb = at.rb};
    ukLimit about = {.motor = &joint->motor[1], .axis = at.x, .carrier = a};
    ukTurn turn;
    ukLimitTwist(&about, joint, 1, &turn, a, b, context);
    const double *const across[2] = {at.x, at.q};
    const ukGapAcross gap = {2, across, at.gap};
    const int count = FixedRows + ukRowSlideLimit(sink, FixedRows, &slide, &gap, a, b, context);
    return count + ukRowLimit(sink, count, &about, a, b, context->h);
}

static int prAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                  int is_translation[3])
{
    double P[3];
    ukAxis(a, joint->axisP, P);
    ukAxisForward(joint, P, axis[0]);
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
                                .restricts_rotation = true,
                                .free_axes = 2,
                                .twist = 2,
                                .at_anchor = true,
                                .create = prCreate,
                                .note = prNote,
                                .refresh = prRefresh,
                                .assume = prAssume,
                                .rows = prRows,
                                .axes = prAxes,
                                .turns = ukTurnsTwist};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Piston: sliding along and turning about one axis. Rows: 2 of the orientation, 2 of the anchor, in the axis's plane
 * space; then limit and motor along the axis, and about it.
 *
 * Hidden in ODE: axis2, qrel. Exact rows act along the axis at b's anchor, not at half the line of centres. With the
 * static world and REVERSE, ODE negates the lever to the anchor, which makes the body fly off; here it keeps its
 * sign. */
#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"
#include "bridge/joints/turn.h"

enum { FixedRows = 4 };

static void pistonCreate(ukJoint *joint)
{
    joint->axis1[0] = joint->axis2[0] = 1;
    ukMotorsCreate(joint, 2);
}

static void pistonNote(ukJoint *joint, const ukNote *note)
{
    dVector3 x;
    joint->stale = true;
    if (!joint->body[0]) return;
    switch (note->kind) {
    case ukNoteAttach:
        dJointGetPistonAxis(joint->handle, x);
        ukRecordAxis2(joint, x);
        ukRelativeRotation(joint, joint->qrel);
        break;
    case ukNoteAxis:
    case ukNoteAxisDelta:
        ukRecordAxis2(joint, note->x);
        ukRelativeRotation(joint, joint->qrel);
        break;
    case ukNoteAnchor:
    case ukNoteAnchorOffset: ukRelativeRotation(joint, joint->qrel); break;
    default: break;
    }
}

static void pistonRefresh(ukJoint *joint)
{
    const dJointID j = joint->handle;
    dVector3 x;
    ukMotorsRefresh(joint, dJointGetPistonParam, 2);
    ukAnchorsRefresh(joint, dJointGetPistonAnchor, dJointGetPistonAnchor2);
    dJointGetPistonAxis(j, x);
    ukLocalAxis(joint->body[0], x, joint->axis1);
}

static void pistonAssume(ukJoint *joint)
{
    dVector3 x;
    if (!joint->body[0]) return;
    pistonRefresh(joint);
    dJointGetPistonAxis(joint->handle, x);
    ukRecordAxis2(joint, x);
    ukAssumeRotation(joint, (joint->reverse ? -1 : 1) * dJointGetPistonAngle(joint->handle));
}

static int pistonRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    const double h = context->h;
    double x[3], y[3], plane[2][3], Pb[3], rb[3], d[3], gap[3], along[3];

    ukAxis(a, joint->axis1, x);
    ukAxis(b, joint->axis2, y);
    ukPlaneSpace(x, plane[0], plane[1]);
    ukAnchor(b, joint->anchor2, Pb, rb);
    ukAxis(a, joint->anchor1, gap);
    for (int i = 0; i < 3; i++) {
        d[i] = Pb[i] - a->x[i];
        gap[i] -= d[i]; /* from b's anchor to a's */
    }
    ukRowsAligned(sink, 0, joint, y, a, b, context->erp, context);
    const double *const across[2] = {plane[0], plane[1]};
    if (context->exact) ukRowsAcross(sink, 2, across, gap, Pb, a, b, context);
    for (int i = 2; i < FixedRows; i++) {
        if (!context->exact) ukRowPoint(sink, i, plane[i - 2], d, b ? rb : NULL);
        if (!context->exact) ukRowError(sink, i, ukDot(plane[i - 2], gap), context->erp, h);
        sink->cfm[i] = context->cfm;
    }

    ukAxisForward(joint, x, along);
    const ukLimit slide = {.motor = &joint->motor[0],
                           .axis = along,
                           .linear = true,
                           .ra = context->exact ? d : NULL,
                           .rb = rb,
                           .tested = ukStopsTested(&joint->motor[0]),
                           .value = ukDot(along, gap),
                           .carrier = a};
    ukLimit about = {.motor = &joint->motor[1], .axis = x, .carrier = a};
    ukTurn turn;
    ukLimitTwist(&about, joint, 1, &turn, a, b, context);
    const int count =
        FixedRows + ukRowSlideLimit(sink, FixedRows, &slide, &(ukGapAcross){2, across, gap}, a, b, context);
    return count + ukRowLimit(sink, count, &about, a, b, h);
}

static int pistonAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                      int is_translation[3])
{
    ukAxis(a, joint->axis1, axis[1]);
    ukAxisForward(joint, axis[1], axis[0]);
    rate[0] = ukRateAtAnchor(axis[0], joint->anchor2, a, b);
    rate[1] = ukRateAbout(axis[1], a, b);
    is_translation[0] = 1;
    is_translation[1] = 0;
    return 2;
}

const ukJointClass ukPistonClass = {.name = "piston",
                                    .type = dJointTypePiston,
                                    .max_rows = FixedRows + 2,
                                    .restricts_rotation = true,
                                    .aligned = 1,
                                    .free_axes = 2,
                                    .twist = 2,
                                    .at_anchor = true,
                                    .create = pistonCreate,
                                    .note = pistonNote,
                                    .refresh = pistonRefresh,
                                    .assume = pistonAssume,
                                    .rows = pistonRows,
                                    .axes = pistonAxes,
                                    .turns = ukTurnsTwist};

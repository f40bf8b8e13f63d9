/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/hinge.c: anchors coincide, b's axis lies on a's. Limit and motor about a's axis. A suspension in
 * Webots' fork (suspension.h).
 * Hidden in ODE, recorded here: axis2 and qrel, the relative orientation of angle zero. */
#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"
#include "bridge/joints/suspension.h"
#include "bridge/joints/turn.h"

#include <math.h>

static void hingeCreate(ukJoint *joint)
{
    joint->axis1[0] = joint->axis2[0] = 1;
    ukMotorsCreate(joint, 1);
    ukSuspensionCreate(joint);
}

/* ODE rotates the reference by the offset angle; if qrel is not the identity, the result is the inverse of the intended
 * one */
static void turnReference(ukJoint *joint, const dReal axis[3], double angle)
{
    double turn[4], turned[4];
    dQuaternion q;
    dQFromAxisAndAngle(q, axis[0], axis[1], axis[2], joint->reverse ? -angle : angle);
    for (int i = 0; i < 4; i++) turn[i] = q[i];
    const double inverse[4] = {joint->qrel[0], -joint->qrel[1], -joint->qrel[2], -joint->qrel[3]};
    ukQuaternionDifference(turn, inverse, turned);
    for (int i = 0; i < 4; i++) joint->qrel[i] = turned[i];
}

static void hingeNote(ukJoint *joint, const ukNote *n)
{
    const bool attached = joint->body[0] != NULL;
    dVector3 axis;
    joint->stale = true;
    if (ukSuspensionNoted(joint, n)) return;
    switch (n->kind) {
    case ukNoteAttach:
        if (!attached) return;
        dJointGetHingeAxis(joint->handle, axis);
        ukLocalAxis(joint->body[1], axis, joint->axis2);
        break;
    case ukNoteAxis:
    case ukNoteAxisOffset:
        for (int i = 0; i < 3; i++) axis[i] = n->x[i];
        if (joint->body[1]) ukNormalize(axis); /* if b is the world, the raw vector is kept, as in ODE */
        if (attached) ukLocalAxis(joint->body[1], axis, joint->axis2);
        break;
    case ukNoteAnchor:
    case ukNoteAnchorDelta: break;
    default: return;
    }
    if (attached) ukRelativeRotation(joint, joint->qrel);
    if (n->kind == ukNoteAxisOffset) turnReference(joint, n->x, n->x[3]);
}

static void hingeRefresh(ukJoint *joint)
{
    dVector3 axis;
    ukAnchorsRefresh(joint, dJointGetHingeAnchor, dJointGetHingeAnchor2);
    dJointGetHingeAxis(joint->handle, axis);
    ukLocalAxis(joint->body[0], axis, joint->axis1);
    ukMotorsRefresh(joint, dJointGetHingeParam, 1);
    ukSuspensionRefresh(joint);
}

/* The axes are assumed to be aligned; the angle is known and determines qrel = (rotation about axis1)^-1 q_a^-1 q_b. */
static void hingeAssume(ukJoint *joint)
{
    dVector3 axis;
    double relative[4], turn[4];
    const double half = dJointGetHingeAngle(joint->handle) * (joint->reverse ? -0.5 : 0.5);
    dJointGetHingeAxis(joint->handle, axis);
    ukLocalAxis(joint->body[0], axis, joint->axis1);
    ukLocalAxis(joint->body[1], axis, joint->axis2);
    turn[0] = cos(half);
    for (int i = 0; i < 3; i++) turn[1 + i] = -sin(half) * joint->axis1[i];
    ukRelativeRotation(joint, relative);
    ukQuaternionDifference(turn, relative, joint->qrel);
}

/* Where the suspension has the world's ERP and CFM, its axis has no effect. */
static void hingeAnchors(const ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context,
                         ukRowSink *sink)
{
    double axis[3];
    if (!ukSuspended(joint) || (joint->erp == context->erp && joint->cfm == context->cfm)) {
        ukRowsBall(sink, 0, joint, a, b, context->erp, context->cfm, context);
        return;
    }
    ukAxis(a, joint->axisP, axis);
    ukRowsSuspended(sink, joint, axis, a, b, context);
}

static int hingeRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    double ax1[3], ax2[3];
    hingeAnchors(joint, a, b, context, sink);
    ukRotate(a->R, joint->axis1, ax1);
    ukAxis(b, joint->axis2, ax2);
    ukRowsAligned(sink, 3, joint, ax2, a, b, context->erp, context);
    ukLimit limit = {.motor = &joint->motor[0], .axis = ax1, .carrier = a};
    ukTurn turn;
    ukLimitTwist(&limit, joint, 0, &turn, a, b, context);
    return 5 + ukRowLimit(sink, 5, &limit, a, b, context->h);
}

const ukJointClass ukHingeClass = {.name = "hinge",
                                   .type = dJointTypeHinge,
                                   .max_rows = 6,
                                   .restricts_rotation = true,
                                   .aligned = 4,
                                   .free_axes = 1,
                                   .twist = 1,
                                   .create = hingeCreate,
                                   .note = hingeNote,
                                   .refresh = hingeRefresh,
                                   .assume = hingeAssume,
                                   .rows = hingeRows,
                                   .axes = ukAxesHinge,
                                   .turns = ukTurnsTwist};

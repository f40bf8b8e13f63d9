/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/dhinge.c: two hinges with parallel axes at a distance, connected by a rod without mass. Hidden in ODE,
 * recorded here: axis2. A new attachment keeps both axes as numbers, in the new bodies' frames. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"

static void dhingeNote(ukJoint *joint, const ukNote *n)
{
    joint->stale = true;
    if (n->kind != ukNoteAxis || !joint->body[0]) return;
    ukLocalAxis(joint->body[1], n->x, joint->axis2);
    ukNormalize(joint->axis2);
}

static void dhingeRefresh(ukJoint *joint)
{
    dVector3 axis;
    ukRigidityRefresh(joint, dJointGetDHingeParam);
    joint->target = dJointGetDHingeDistance(joint->handle);
    ukAnchorsRefresh(joint, dJointGetDHingeAnchor1, dJointGetDHingeAnchor2);
    dJointGetDHingeAxis(joint->handle, axis);
    ukLocalAxis(joint->body[0], axis, joint->axis1);
}

static void dhingeAssume(ukJoint *joint)
{
    dVector3 axis;
    dJointGetDHingeAxis(joint->handle, axis);
    ukLocalAxis(joint->body[1], axis, joint->axis2);
}

static int dhingeRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    double ax1[3], ax2[3], D[3], Pb[3], rb[3];
    ukRowDistance(sink, 0, joint, a, b, context->h, D);
    ukRotate(a->R, joint->axis1, ax1);
    ukAxis(b, joint->axis2, ax2);
    ukRowsAligned(sink, 1, joint, ax2, a, b, joint->erp, context);
    ukAnchor(b, joint->anchor2, Pb, rb);
    const double along = ukDot(ax1, D);
    const ukGap gap = {{D[0], D[1], D[2]}, {along * ax1[0], along * ax1[1], along * ax1[2]}};
    if (context->exact)
        ukRowAt(sink, 3, ax1, Pb, a, b);
    else
        ukRowSlide(sink, 3, ax1, a, b);
    const double *const u[1] = {ax1};
    ukRowsGap(sink, 3, 1, u, &gap, &joint->erp, a, context);
    sink->cfm[3] = context->cfm;
    return 4;
}

const ukJointClass ukDHingeClass = {
    .name = "dhinge",
    .type = dJointTypeDHinge,
    .max_rows = 4,
    .restricts_rotation = true,
    .aligned = 2,
    .free_axes = 1, /* friction cannot act on the rotation of the rod, which has no pair of bodies */
    .create = ukRigidityCreate,
    .note = dhingeNote,
    .refresh = dhingeRefresh,
    .assume = dhingeAssume,
    .rows = dhingeRows,
    .axes = ukAxesHinge};

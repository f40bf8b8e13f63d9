/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/fixed.c: body a keeps the pose relative to b that it had at dJointSetFixed, also when it is attached
 * again later. Hidden in ODE, recorded here: qrel, and offset = R_a'(p_a - p_b), or p_a where b is the world. The
 * orientation follows the world's ERP and CFM, not the joint's, as in ODE. */
#include "bridge/joints/angle.h"
#include "bridge/joints/bias.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"

/* the present pose counts as satisfied */
static void setFixedPose(ukJoint *joint)
{
    const ukBody *a = joint->body[0], *b = joint->body[1];
    if (b) {
        double d[3];
        for (int i = 0; i < 3; i++) d[i] = a->position[i] - b->position[i];
        ukLocalAxis(a, d, joint->offset);
    } else {
        for (int i = 0; i < 3; i++) joint->offset[i] = a->position[i];
    }
    ukRelativeRotation(joint, joint->qrel);
}

static void fixedNote(ukJoint *joint, const ukNote *n)
{
    joint->stale = true;
    if (n->kind == ukNoteFix && joint->body[0]) setFixedPose(joint);
}

static void fixedRefresh(ukJoint *joint)
{
    ukRigidityRefresh(joint, dJointGetFixedParam);
}

static int fixedRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, centre[3] = {0, 0, 0}, *const still = centre;
    double D[3], lever[3] = {0, 0, 0}; /* from a's centre to the nominal position of b's */
    const bool closed = context->closed && joint->cfm <= ukSpringCfm();
    const bool exact = context->exact && b && !closed; /* without a second body, ODE's rows are exact */
    if (b) {
        ukRotate(a->R, joint->offset, lever);
        for (int i = 0; i < 3; i++) {
            lever[i] = -lever[i];
            D[i] = a->x[i] + lever[i] - b->x[i];
        }
    } else {
        for (int i = 0; i < 3; i++) D[i] = a->x[i] - joint->offset[i];
    }
    if (exact) ukRowsAnchored(sink, 0, D, b->x, a, b, joint->erp, context);
    for (int i = 0; i < 3; i++) {
        if (!exact) ukRowPoint(sink, i, e[i], lever, b ? centre : NULL);
        if (!exact) ukRowError(sink, i, D[i], joint->erp, context->h);
        sink->cfm[i] = joint->cfm;
        if (sink->bias && !exact) ukBiasPoint(sink, i, e[i], still, lever, centre, a, b);
    }
    ukRowsOrientation(sink, 3, joint, a, b, context);
    return 6;
}

const ukJointClass ukFixedClass = {.name = "fixed",
                                   .type = dJointTypeFixed,
                                   .max_rows = 6,
                                   .restricts_rotation = true,
                                   .create = ukRigidityCreate,
                                   .note = fixedNote,
                                   .refresh = fixedRefresh,
                                   .assume = setFixedPose,
                                   .rows = fixedRows};

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/dball.c: the anchors stay at a distance. All of it can be read back from ODE. Five freedoms are left,
 * more than free axes can name: none are given. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"

static void dballRefresh(ukJoint *joint)
{
    ukRigidityRefresh(joint, dJointGetDBallParam);
    joint->target = dJointGetDBallDistance(joint->handle);
    ukAnchorsRefresh(joint, dJointGetDBallAnchor1, dJointGetDBallAnchor2);
}

static int dballRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    double D[3];
    ukRowDistance(sink, 0, joint, a, b, context->h, D);
    return 1;
}

const ukJointClass ukDBallClass = {.name = "dball",
                                   .type = dJointTypeDBall,
                                   .max_rows = 1,
                                   .create = ukRigidityCreate,
                                   .refresh = dballRefresh,
                                   .rows = dballRows};

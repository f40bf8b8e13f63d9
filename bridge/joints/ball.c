/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/ball.c: the anchors of a and b coincide. All of it can be read back from ODE. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"

static void ballRefresh(ukJoint *joint)
{
    ukRigidityRefresh(joint, dJointGetBallParam);
    ukAnchorsRefresh(joint, dJointGetBallAnchor, dJointGetBallAnchor2);
}

static int ballRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    ukRowsBall(sink, 0, joint, a, b, joint->erp, joint->cfm, context);
    return 3;
}

/* the relative angular velocity, in world components */
static int ballAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                    int is_translation[3])
{
    (void)joint;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) axis[i][j] = i == j;
        rate[i] = a->v[3 + i] - (b ? b->v[3 + i] : 0);
        is_translation[i] = 0;
    }
    return 3;
}

const ukJointClass ukBallClass = {.name = "ball",
                                  .type = dJointTypeBall,
                                  .max_rows = 3,
                                  .free_axes = 3,
                                  .together = 3,
                                  .create = ukRigidityCreate,
                                  .refresh = ballRefresh,
                                  .rows = ballRows,
                                  .axes = ballAxes};

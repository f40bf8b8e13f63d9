/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/plane2d.c: a moves in the world's plane z = 0; its tilt is stopped, not corrected. Motors along x, y
 * and about z, without limits. ODE has no getters for it: the motors are recorded here. b, if there is one, takes part
 * in the motors alone. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"

static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void plane2dCreate(ukJoint *joint)
{
    ukMotorsCreate(joint, 3);
}

static void plane2dNote(ukJoint *joint, const ukNote *n)
{
    if (n->kind != ukNoteParam || n->rel < 0 || n->rel > 2) return;
    ukMotor *motor = &joint->motor[n->rel];
    const double value = n->x[0];
    switch (n->i) {
    case dParamLoStop: motor->lo_stop = value; break;
    case dParamHiStop: motor->hi_stop = value; break;
    case dParamVel: motor->vel = value; break;
    case dParamFMax:
        if (value >= 0) motor->fmax = value;
        break;
    case dParamFudgeFactor:
        if (value >= 0 && value <= 1) motor->fudge = value;
        break;
    case dParamBounce: motor->bounce = value; break;
    case dParamCFM: motor->cfm = value; break;
    case dParamStopERP: motor->stop_erp = value; break;
    case dParamStopCFM: motor->stop_cfm = value; break;
    default: break;
    }
}

static void plane2dRefresh(ukJoint *joint)
{
    (void)joint;
}

static int plane2dRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    sink->J[2] = 1;
    ukRowError(sink, 0, a->x[2], context->erp, context->h);
    for (int i = 0; i < 2; i++) {
        ukRowAxis(sink, 1 + i, unit[i], false);
        sink->velocity[1 + i] = 1;
    }
    for (int i = 0; i < 3; i++) sink->cfm[i] = context->cfm;
    int count = 3;
    for (int i = 0; i < 3; i++) {
        const ukLimit limit = {.motor = &joint->motor[i], .axis = unit[i], .linear = i < 2};
        count += ukRowLimit(sink, count, &limit, a, b, context->h);
    }
    return count;
}

static int plane2dAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                       int is_translation[3])
{
    (void)joint;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) axis[i][j] = unit[i][j];
        rate[i] = i < 2 ? ukRateAlong(unit[i], a, b) : ukRateAbout(unit[i], a, b);
        is_translation[i] = i < 2;
    }
    return 3;
}

const ukJointClass ukPlane2DClass = {.name = "plane2d",
                                     .type = dJointTypePlane2D,
                                     .max_rows = 6,
                                     .free_axes = 3,
                                     .together = 2,
                                     .velocity_rows = 3,
                                     .world_axes = true,
                                     .create = plane2dCreate,
                                     .note = plane2dNote,
                                     .refresh = plane2dRefresh,
                                     .rows = plane2dRows,
                                     .axes = plane2dAxes};

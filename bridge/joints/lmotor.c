/* SPDX-License-Identifier: BSD-3-Clause */
/* LMotor: up to three motors along axes, never limited: one row, with half lever arms as in ODE, for every axis whose
 * FMax > 0.
 *
 * of.axes.axis: each in the frame that of.axes.rel names (0 world, 1 a, 2 b). Hidden in ODE: rel; an unobserved motor's
 * axes are taken for world axes. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"

static void lmotorCreate(ukJoint *joint)
{
    ukMotorsCreate(joint, 3);
}

static void lmotorNote(ukJoint *joint, const ukNote *note)
{
    joint->stale = true;
    if (note->kind != ukNoteAxis || note->i < 0 || note->i > 2) return;
    joint->of.axes.rel[note->i] = note->rel == 2 && !joint->body[1] ? 1 : note->rel;
}

static void lmotorRefresh(ukJoint *joint)
{
    ukMotorAxes *axes = &joint->of.axes;
    axes->count = dJointGetLMotorNumAxes(joint->handle);
    ukMotorsRefresh(joint, dJointGetLMotorParam, 3);
    for (int i = 0; i < 3; i++) {
        dVector3 x;
        dJointGetLMotorAxis(joint->handle, i, x);
        for (int j = 0; j < 3; j++) axes->axis[i][j] = x[j];
    }
}

/* an axis in the frame of b after b was detached: ODE reads an uninitialised axis; here the axis keeps its direction */
static void worldAxis(const ukMotorAxes *axes, int i, const ukState *a, const ukState *b, double out[3])
{
    ukAxis(ukMotorCarrier(axes, i, a, b), axes->axis[i], out);
}

static int lmotorRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    const ukMotorAxes *axes = &joint->of.axes;
    int count = 0;
    for (int i = 0; i < axes->count; i++) {
        double u[3];
        worldAxis(axes, i, a, b, u);
        const ukLimit motor = {
            .motor = &joint->motor[i], .axis = u, .linear = true, .carrier = ukMotorCarrier(axes, i, a, b)};
        count += ukRowLimit(sink, count, &motor, a, b, context->h);
    }
    return count;
}

/* the axes of the motors, along the line of centres as the rows are */
static int lmotorAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                      int is_translation[3])
{
    const ukMotorAxes *motors = &joint->of.axes;
    for (int i = 0; i < motors->count; i++) {
        worldAxis(motors, i, a, b, axis[i]);
        rate[i] = ukRateAlong(axis[i], a, b);
        is_translation[i] = 1;
    }
    return motors->count;
}

const ukJointClass ukLMotorClass = {.name = "LMotor",
                                    .type = dJointTypeLMotor,
                                    .record = ukRecordRunning,
                                    .max_rows = 3,
                                    .free_axes = 3,
                                    .motor = true,
                                    .create = lmotorCreate,
                                    .note = lmotorNote,
                                    .refresh = lmotorRefresh,
                                    .rows = lmotorRows,
                                    .axes = lmotorAxes};

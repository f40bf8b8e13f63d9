/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/slider.c: the relative orientation is fixed, a's centre on a line through b's frame. Limit and motor
 * along a's axis. Hidden in ODE, recorded here: qrel and offset, a's centre seen from b when the axis was set. ODE's
 * forces act at half the line of centres, exact ones at that point of b. */
#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"

static void sliderCreate(ukJoint *joint)
{
    joint->axis1[0] = 1;
    ukMotorsCreate(joint, 1);
}

static void sliderNote(ukJoint *joint, const ukNote *n)
{
    joint->stale = true;
    if (!joint->body[0]) return;
    if (n->kind != ukNoteAttach && n->kind != ukNoteAxis && n->kind != ukNoteAxisDelta) return;
    ukLocalPoint(joint->body[1], joint->body[0]->position, joint->offset);
    if (n->kind == ukNoteAxisDelta && !joint->body[1])
        for (int i = 0; i < 3; i++) joint->offset[i] += n->x[3 + i];
    ukRelativeRotation(joint, joint->qrel);
}

static void sliderRefresh(ukJoint *joint)
{
    dVector3 axis;
    dJointGetSliderAxis(joint->handle, axis);
    ukLocalAxis(joint->body[0], axis, joint->axis1);
    ukMotorsRefresh(joint, dJointGetSliderParam, 1);
}

/* the position is known; across the axis, and in orientation, the present pose is assumed to be the reference */
static void sliderAssume(ukJoint *joint)
{
    dVector3 axis;
    double point[3];
    const double position = dJointGetSliderPosition(joint->handle) * (joint->reverse ? -1 : 1);
    dJointGetSliderAxis(joint->handle, axis);
    for (int i = 0; i < 3; i++) point[i] = joint->body[0]->position[i] - position * axis[i];
    ukLocalPoint(joint->body[1], point, joint->offset);
    ukRelativeRotation(joint, joint->qrel);
}

static int sliderRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    double ax1[3], u[2][3], P[3], r[3], D[3];
    ukRowsOrientation(sink, 0, joint, a, b, context);
    ukRotate(a->R, joint->axis1, ax1);
    ukPlaneSpace(ax1, u[0], u[1]);
    ukAnchor(b, joint->offset, P, r);
    for (int i = 0; i < 3; i++) D[i] = a->x[i] - P[i];
    const double *const across[2] = {u[0], u[1]};
    if (context->exact) ukRowsAcross(sink, 3, across, D, P, a, b, context);
    for (int i = 0; i < 2; i++) {
        if (!context->exact) ukRowSlide(sink, 3 + i, u[i], a, b);
        if (!context->exact) ukRowError(sink, 3 + i, ukDot(u[i], D), context->erp, context->h);
        sink->cfm[3 + i] = context->cfm;
    }
    ukAxisForward(joint, ax1, ax1);
    const double lever[3] = {-D[0], -D[1], -D[2]};
    const ukLimit limit = {.motor = &joint->motor[0],
                           .axis = ax1,
                           .linear = true,
                           .ra = context->exact ? lever : NULL,
                           .rb = r,
                           .tested = ukStopsTested(&joint->motor[0]),
                           .value = ukDot(ax1, D),
                           .carrier = a};
    return 5 + ukRowSlideLimit(sink, 5, &limit, &(ukGapAcross){3, across, D}, a, b, context);
}

static int sliderAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                      int is_translation[3])
{
    ukRotate(a->R, joint->axis1, axis[0]);
    ukAxisForward(joint, axis[0], axis[0]);
    rate[0] = ukRateAlong(axis[0], a, b);
    is_translation[0] = 1;
    return 1;
}

const ukJointClass ukSliderClass = {.name = "slider",
                                    .type = dJointTypeSlider,
                                    .max_rows = 6,
                                    .restricts_rotation = true,
                                    .free_axes = 1,
                                    .create = sliderCreate,
                                    .note = sliderNote,
                                    .refresh = sliderRefresh,
                                    .assume = sliderAssume,
                                    .rows = sliderRows,
                                    .axes = sliderAxes};

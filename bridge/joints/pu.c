/* SPDX-License-Identifier: BSD-3-Clause */
/* PU: a universal joint whose anchor slides along a prismatic axis P of a. Rows: 1 that keeps the two rotation axes at
 * right angles, 2 of the anchors in P's plane space; then limits and motors about axis 1, about axis 2, along P.
 *
 * axis1, axis2: internal numbering (of a, of b: user axes swapped where REVERSE); motor[0], [1] are parameter groups 1,
 * 2, which ODE keeps with the internal axes; motor[2] is group 3, along axisP. As in ODE, the lever of the anchor rows
 * on a ends at the anchor fixed in a, not at the displaced one, so that they are gradients of their errors only
 * approximately; the lever of the exact rows ends at the displaced anchor. Hidden in ODE: anchor1. offset[0],
 * offset[1]: the rotations about axes 1 and 2 (ukCrossAngle) at which ODE's angles are zero. With the static world and
 * REVERSE, ODE takes P in a's frame for a world vector; here it rotates with the body, and the rows are exact. */
#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"
#include "bridge/joints/turn.h"

#include "bridge/ode/class.h"

enum { FixedRows = 3 };

static void puCreate(ukJoint *joint)
{
    joint->axis1[1] = joint->axis2[2] = joint->axisP[0] = 1;
    ukMotorsCreate(joint, 3);
}

/* anchor1 := the point x + sign d at the present pose */
static void recordAnchor(ukJoint *joint, const double x[3], const double d[3], double sign)
{
    const double P[3] = {x[0] + sign * d[0], x[1] + sign * d[1], x[2] + sign * d[2]};
    ukLocalPoint(joint->body[0], P, joint->anchor1);
}

static void puNote(ukJoint *joint, const ukNote *note)
{
    dVector3 x;
    joint->stale = true;
    if (!joint->body[0]) return;
    switch (note->kind) {
    case ukNoteAttach: /* the anchor keeps its present place on b */
        dJointGetPUAnchor(joint->handle, x);
        ukLocalPoint(joint->body[0], x, joint->anchor1);
        break;
    case ukNoteAnchor: ukLocalPoint(joint->body[0], note->x, joint->anchor1); break;
    case ukNoteAnchorDelta: recordAnchor(joint, note->x, note->x + 3, -1); break;
    case ukNoteAnchorOffset: recordAnchor(joint, note->x, note->x + 3, joint->reverse ? -1 : 1); break;
    default: break;
    }
}

static void puTurns(const ukJoint *joint, const ukState *a, const ukState *b, double turn[2])
{
    double ax1[3], ax2[3];
    ukAxis(a, joint->axis1, ax1);
    ukAxis(b, joint->axis2, ax2);
    turn[0] = ukCrossAngle(a, joint->axis1, ax2);
    turn[1] = ukCrossAngle(b, joint->axis2, ax1);
}

static void puRefresh(ukJoint *joint)
{
    const dJointID j = joint->handle;
    dVector3 x;
    ukMotorsRefresh(joint, dJointGetPUParam, 3);
    dJointGetPUAnchor(j, x);
    ukLocalPoint(joint->body[1], x, joint->anchor2);
    (joint->reverse ? dJointGetPUAxis2 : dJointGetPUAxis1)(j, x);
    ukLocalAxis(joint->body[0], x, joint->axis1);
    (joint->reverse ? dJointGetPUAxis1 : dJointGetPUAxis2)(j, x);
    ukLocalAxis(joint->body[1], x, joint->axis2);
    dJointGetPUAxis3(j, x);
    ukLocalAxis(joint->body[0], x, joint->axisP);

    const ukState a = ukStateOf(joint->body[0]), b = joint->body[1] ? ukStateOf(joint->body[1]) : a;
    double turn[2];
    dReal user1, user2;
    puTurns(joint, &a, joint->body[1] ? &b : NULL, turn);
    dJointGetPUAngles(j, &user1, &user2);
    joint->offset[0] = ukWrapAngle(turn[0] + (joint->reverse ? user2 : user1));
    joint->offset[1] = ukWrapAngle(turn[1] - (joint->reverse ? user1 : user2));
}

static void puAssume(ukJoint *joint)
{
    dVector3 x, P;
    if (!joint->body[0]) return;
    dJointGetPUAnchor(joint->handle, x);
    dJointGetPUAxis3(joint->handle, P);
    for (int i = 0; i < 3; i++) P[i] *= dJointGetPUPosition(joint->handle);
    recordAnchor(joint, x, P, joint->reverse ? -1 : 1);
}

static int bothTurns(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, int motor[3],
                     ukTurn turn[3])
{
    return ukTurnsCross(joint, a, b, -1, need, motor, turn);
}

static int limitRows(ukJoint *joint, const ukState *const state[2], const ukRowContext *context, ukLimit limit[3],
                     const ukGapAcross *across, ukRowSink *sink)
{
    const ukState *const a = state[0], *const b = state[1];
    const bool tested[2] = {ukStopsTested(limit[0].motor), ukStopsTested(limit[1].motor)};
    ukTurn turn[3];
    int motor[3];
    if (tested[0] || tested[1]) bothTurns(joint, a, b, ukLimitNeed(context), motor, turn);
    for (int i = 0; i < 2; i++)
        if (tested[i]) ukLimitTurn(&limit[i], joint, i, &turn[i], turn[i].angle, state, context);
    const int count = FixedRows + ukRowsCrossLimits(sink, FixedRows, 0, limit, a, b, context);
    return count + ukRowSlideLimit(sink, count, &limit[2], across, a, b, context);
}

static int puRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *given, ukRowSink *sink)
{
    static const double right[2] = {1, 0};
    ukRowContext own = *given;
    const ukRowContext *const context = &own;
    const bool former = joint->world && joint->world->rules & ukRuleBefore13;
    if (joint->reverse) own.exact = true; /* the axis differs from ODE's, whose lever arms gain energy along it */
    double ax1[3], ax2[3], P[3], plane[2][3], Pa[3], Pb[3], ra[3], rb[3], gap[3], along[3];

    ukAxis(a, joint->axis1, ax1);
    ukAxis(b, joint->axis2, ax2);
    ukRowCross(sink, 0, ax1, ax2, right, a, b, context);

    ukAxis(a, joint->axisP, P);
    ukPlaneSpace(P, plane[0], plane[1]);
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int i = 0; i < 3; i++) {
        gap[i] = Pa[i] - Pb[i];
        if (context->exact || former) ra[i] = Pb[i] - a->x[i];
    }
    const double *const across[2] = {plane[0], plane[1]};
    if (context->exact) ukRowsAcross(sink, 1, across, gap, Pb, a, b, context);
    for (int i = 0; i < 2 && !context->exact; i++) {
        ukRowPoint(sink, 1 + i, plane[i], ra, b ? rb : NULL);
        ukRowError(sink, 1 + i, ukDot(plane[i], gap), context->erp, context->h);
    }
    for (int i = 0; i < FixedRows; i++) sink->cfm[i] = context->cfm;

    ukAxisForward(joint, P, along);
    ukLimit limit[3] = {{.motor = &joint->motor[0], .axis = ax1, .carrier = a},
                        {.motor = &joint->motor[1], .axis = ax2, .carrier = b},
                        {.motor = &joint->motor[2],
                         .axis = along,
                         .linear = true,
                         .ra = former && !context->exact ? NULL : ra,
                         .rb = former && !context->exact ? NULL : rb,
                         .tested = ukStopsTested(&joint->motor[2]),
                         .value = ukDot(along, gap),
                         .carrier = a}};
    return limitRows(joint, (const ukState *const[]){a, b}, context, limit, &(ukGapAcross){1, across, gap}, sink);
}

static int puAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                  int is_translation[3])
{
    double P[3];
    ukAxis(a, joint->axis1, axis[0]);
    ukAxis(b, joint->axis2, axis[1]);
    ukNormalize(axis[1]); /* of raw length if b is the world */
    ukAxis(a, joint->axisP, P);
    ukAxisForward(joint, P, axis[2]);
    rate[0] = ukRateAbout(axis[0], a, b);
    rate[1] = ukRateAbout(axis[1], a, b);
    rate[2] = ukRateAtAnchor(axis[2], joint->anchor2, a, b);
    is_translation[0] = is_translation[1] = 0;
    is_translation[2] = 1;
    return 3;
}

const ukJointClass ukPUClass = {.name = "PU",
                                .type = dJointTypePU,
                                .max_rows = FixedRows + 3,
                                .restricts_rotation = true,
                                .free_axes = 3,
                                .at_anchor = true,
                                .create = puCreate,
                                .note = puNote,
                                .refresh = puRefresh,
                                .assume = puAssume,
                                .rows = puRows,
                                .axes = puAxes,
                                .turns = bothTurns};

/* SPDX-License-Identifier: BSD-3-Clause */
/* AMotor: up to three limits and motors about axes.
 *
 * User mode: axes of.axes.axis in the frames of.axes.rel (0 world, 1 a, 2 b), angles set by the user.
 * Euler mode: axis 0 fixed in the user's body 1, axis 2 in body 2 (the raw axes, whatever rel says), axis 1 between
 * them; angles from the pose and the references, of.axes.angle the ones of the start of the last step, as ODE's getter
 * has them. Hidden in ODE: the raw axes and the references of Euler mode. */
#include "bridge/joints/geometry.h"
#include "bridge/joints/gimbal.h"
#include "bridge/joints/limit.h"
#include "bridge/joints/row.h"
#include "bridge/joints/running.h"
#include "bridge/joints/turn.h"

#include <math.h>

#include "bridge/ode/class.h"
#include "solvers/base/status.h"

static void amotorCreate(ukJoint *joint)
{
    ukMotorsCreate(joint, 3);
}

/* records the present direction of each raw axis in the frame of the body that carries the other one */
static void recordReferences(ukJoint *joint)
{
    ukMotorAxes *axes = &joint->of.axes;
    const int k = ukGimbalCarrier(joint);
    if (!joint->body[0]) return;
    for (int i = 0; i < 2; i++) {
        const ukBody *body = joint->body[i];
        const double *raw = axes->axis[i == k ? 0 : 2];
        double g[3] = {raw[0], raw[1], raw[2]};
        if (body) {
            const ukState s = ukStateOf(body);
            ukAxis(&s, raw, g);
        }
        ukLocalAxis(joint->body[1 - i], g, axes->reference[1 - i]);
    }
}

static void recordAxis(ukJoint *joint, const ukNote *note)
{
    ukMotorAxes *axes = &joint->of.axes;
    if (note->i < 0 || note->i > 2) return;
    const int rel = note->rel == 0 || !joint->reverse ? note->rel : 3 - note->rel;
    axes->rel[note->i] = rel;
    ukLocalAxis(rel == 1 ? joint->body[0] : rel == 2 ? joint->body[1] : NULL, note->x, axes->axis[note->i]);
    ukNormalize(axes->axis[note->i]);
}

static void amotorNote(ukJoint *joint, const ukNote *note)
{
    ukMotorAxes *axes = &joint->of.axes;
    joint->stale = true;
    switch (note->kind) {
    case ukNoteMode: axes->mode = note->i; break;
    case ukNoteAxis: recordAxis(joint, note); break;
    case ukNoteAngle:
        if (axes->mode == dAMotorUser && note->i >= 0 && note->i <= 2) axes->angle[note->i] = note->x[0];
        return;
    default: return;
    }
    if (axes->mode == dAMotorEuler) recordReferences(joint);
}

static void refreshAMotor(ukJoint *joint)
{
    const dJointID j = joint->handle;
    ukMotorAxes *axes = &joint->of.axes;
    axes->mode = dJointGetAMotorMode(j);
    axes->count = dJointGetAMotorNumAxes(j);
    ukMotorsRefresh(joint, dJointGetAMotorParam, 3);
    if (joint->observed || axes->mode != dAMotorUser) return;
    for (int i = 0; i < 3; i++) {
        dVector3 x;
        const int rel = dJointGetAMotorAxisRel(j, i);
        axes->rel[i] = rel == 0 || !joint->reverse ? rel : 3 - rel;
        axes->angle[i] = ukOde.dJointGetAMotorAngle(j, i);
        dJointGetAMotorAxis(j, i, x);
        ukLocalAxis(axes->rel[i] == 1 ? joint->body[0] : axes->rel[i] == 2 ? joint->body[1] : NULL, x, axes->axis[i]);
    }
}

/* The axes in the world frame: in Euler mode, ax[0] and ax[2] are the raw axes, and ax[1] is perpendicular to both. */
static void worldAxes(const ukJoint *joint, const ukState *a, const ukState *b, double ax[3][3])
{
    const ukMotorAxes *axes = &joint->of.axes;
    if (axes->mode == dAMotorEuler) {
        const ukState *s[2] = {a, b};
        const int k = ukGimbalCarrier(joint);
        ukAxis(s[k], axes->axis[0], ax[0]);
        ukAxis(s[1 - k], axes->axis[2], ax[2]);
        ukCross(ax[2], ax[0], ax[1]);
        ukNormalize(ax[1]);
        return;
    }
    for (int i = 0; i < 3; i++) ukAxis(ukMotorCarrier(axes, i, a, b), axes->axis[i], ax[i]);
}

/* Euler angles as ODE counts them from its references, which need not be perpendicular to the axes. */
static void eulerAngles(const ukJoint *joint, const ukState *a, const ukState *b, double ax[3][3], double angle[3])
{
    const ukState *s[2] = {a, b};
    const int k = ukGimbalCarrier(joint);
    double r1[3], r2[3], x[3];
    ukAxis(s[k], joint->of.axes.reference[k], r1);
    ukAxis(s[1 - k], joint->of.axes.reference[1 - k], r2);
    ukCross(ax[0], r1, x);
    angle[0] = -atan2(ukDot(ax[2], x), ukDot(ax[2], r1));
    ukCross(ax[0], ax[1], x);
    angle[1] = -atan2(ukDot(ax[2], ax[0]), ukDot(ax[2], x));
    ukCross(ax[1], ax[2], x);
    angle[2] = -atan2(ukDot(r2, ax[1]), ukDot(r2, x));
}

/* Axes of the rows: in Euler mode those about which exactly one angle changes (not of unit length). */
static void rowAxes(const ukJoint *joint, double ax[3][3], double row[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) row[i][j] = ax[i][j];
    if (joint->of.axes.mode != dAMotorEuler) return;
    ukCross(ax[1], ax[2], row[0]);
    ukCross(ax[0], ax[1], row[2]);
}

/* Rates of the rows' axes. */
static void rowRates(const ukJoint *joint, const ukState *a, const ukState *b, double ax[3][3], double rate[3][3])
{
    const ukMotorAxes *axes = &joint->of.axes;
    if (axes->mode != dAMotorEuler) {
        for (int i = 0; i < 3; i++) ukTurnRate(ukMotorCarrier(axes, i, a, b), ax[i], rate[i]);
        return;
    }
    const ukState *s[2] = {a, b};
    const int k = ukGimbalCarrier(joint);
    double dot[3][3], n[3], x[3];
    ukTurnRate(s[k], ax[0], dot[0]);
    ukTurnRate(s[1 - k], ax[2], dot[2]);
    ukCross(ax[2], ax[0], n);
    ukCross(dot[2], ax[0], dot[1]);
    ukCross(ax[2], dot[0], x);
    for (int i = 0; i < 3; i++) dot[1][i] += x[i];
    ukNormalizeRate(n, dot[1]);
    for (int i = 0; i < 3; i++) rate[1][i] = dot[1][i];
    ukCross(dot[1], ax[2], rate[0]);
    ukCross(ax[1], dot[2], x);
    for (int i = 0; i < 3; i++) rate[0][i] += x[i];
    ukCross(dot[0], ax[1], rate[2]);
    ukCross(ax[0], dot[1], x);
    for (int i = 0; i < 3; i++) rate[2][i] += x[i];
}

/* changes the sign of the angle; `sign` makes the gradient that of a against b */
static void reverseTurn(ukTurn *turn, double sign)
{
    turn->angle = -turn->angle;
    for (int i = 0; i < 3; i++) {
        turn->axis[i] *= sign;
        turn->axis_rate[i] *= sign;
    }
}

/* Euler angles with their gradients. Angles 0 and 2 are rotations about the axes that the bodies carry, from the
 * references; angle 1 is the deviation of the axes from a right angle. */
static int amotorTurns(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, int motor[3],
                       ukTurn turn[3])
{
    (void)need;
    const double sign = ukGimbalCarrier(joint) == 0 ? 1 : -1; /* body 1 against body 2: a against b, or b against a */
    double ax[3][3], x[3], rate[3][3];
    if (joint->of.axes.mode != dAMotorEuler) return 0;
    worldAxes(joint, a, b, ax);
    for (int i = 0; i < 3; i += 2) {
        const ukAzimuth z = ukGimbalAzimuth(joint, i, (const ukState *const[]){a, b}, ax);
        ukTurnAzimuth(z.from, z.r, z.m, z.to, z.y, ukTurnNeedRate, &turn[i]);
        reverseTurn(&turn[i], z.sign);
        turn[i].half = ukGimbalProper(joint);
    }
    ukCross(ax[0], ax[1], x);
    turn[1].sine = 1;
    turn[1].half = false;
    turn[1].angle = -atan2(ukDot(ax[2], ax[0]), ukDot(ax[2], x));
    rowRates(joint, a, b, ax, rate);
    for (int i = 0; i < 3; i++) {
        turn[1].axis[i] = sign * ax[1][i];
        turn[1].axis_rate[i] = sign * rate[1][i];
        motor[i] = i;
    }
    return 3;
}

/* rotates x, which is perpendicular to the unit axis n, about n by `angle` */
static void rotateAbout(const double n[3], const double x[3], double angle, double out[3])
{
    double y[3];
    ukCross(n, x, y);
    for (int i = 0; i < 3; i++) out[i] = cos(angle) * x[i] + sin(angle) * y[i];
}

/* Euler mode: computes the raw axes from the axes that the getters return, and the references from the angles. The
 * angles are those of ODE's last step, as if the pose had not changed since. */
static void assumeAMotor(ukJoint *joint)
{
    ukMotorAxes *axes = &joint->of.axes;
    const int k = ukGimbalCarrier(joint);
    dVector3 x0, g1, x2;
    double g0[3], g2[3], r[3];
    if (!joint->body[0]) return;
    refreshAMotor(joint);
    if (axes->mode != dAMotorEuler) return;
    for (int i = 0; i < 3; i++) axes->angle[i] = ukOde.dJointGetAMotorAngle(joint->handle, i);
    dJointGetAMotorAxis(joint->handle, 0, x0); /* g1 x g2 */
    dJointGetAMotorAxis(joint->handle, 1, g1);
    dJointGetAMotorAxis(joint->handle, 2, x2); /* g0 x g1 */
    ukCross(g1, x2, g0);
    ukCross(x0, g1, g2);
    ukLocalAxis(joint->body[k], g0, axes->axis[0]);
    ukLocalAxis(joint->body[1 - k], g2, axes->axis[2]);
    rotateAbout(g0, x2, axes->angle[0], r); /* x2 is perpendicular to g0, and x0 to g2 */
    ukLocalAxis(joint->body[k], r, axes->reference[k]);
    rotateAbout(g2, x0, -axes->angle[2], r);
    ukLocalAxis(joint->body[1 - k], r, axes->reference[1 - k]);
}

/* Euler mode: fixes the outer axes that locks determine. lock[i]: the row that locks angle i; -1: none */
static void fixOuterAxes(ukRowSink *sink, const ukJoint *joint, const ukState *const state[2], const int lock[3],
                         double ax[3][3])
{
    const int of_a = ukGimbalCarrier(joint) == 0 ? 0 : 2; /* the axis that a carries */
    ukRowsTransportFree(sink, lock[1], (const int[]){lock[of_a], lock[2 - of_a]},
                        (const double *const[]){ax[of_a], ax[2 - of_a]}, state);
}

static int amotorRows(ukJoint *joint, const ukState *a, const ukState *b, const ukRowContext *context, ukRowSink *sink)
{
    ukMotorAxes *axes = &joint->of.axes;
    const bool euler = axes->mode == dAMotorEuler;
    double ax[3][3], row[3][3], angle[3] = {axes->angle[0], axes->angle[1], axes->angle[2]}, rate[3][3] = {{0}};
    int count = 0, motor[3], lock[3] = {-1, -1, -1};
    const ukState *const state[2] = {a, b};
    ukTurn turn[3];
    ukLimit limit[3];
    ukRowContext own = *context;
    if (axes->mode != dAMotorUser && !euler) return ukErrorParameter;
    /* ODE adds every new reference of the world to the last one */
    if (euler && !joint->body[1] && joint->world && joint->world->rules & ukRuleBefore13) return ukErrorUnsupported;
    if (euler && ukGimbalCarrier(joint) == 1) own.exact = true; /* ODE's stops accelerate the body */
    worldAxes(joint, a, b, ax);
    rowAxes(joint, ax, row);
    if (euler) eulerAngles(joint, a, b, ax, angle);
    if (euler) amotorTurns(joint, a, b, ukTurnNeedRate, motor, turn);
    if (sink->bias) rowRates(joint, a, b, ax, rate);
    for (int i = 0; i < axes->count; i++) {
        limit[i] = (ukLimit){.motor = &joint->motor[i],
                             .axis = row[i],
                             .tested = true,
                             .value = angle[i],
                             .axis_rate = rate[i],
                             .turn = euler && own.exact ? &turn[i] : NULL,
                             .singular = euler && ukGimbalIsSingular(joint, ax)};
        if (euler && i != 1 && ukStopsTested(limit[i].motor)) /* angle 1 is limited to +-pi/2 */
            ukLimitTurn(&limit[i], joint, i, &turn[i], angle[i], state, &own);
    }
    if (euler) ukGimbalStops(joint, state, ax, axes->count, limit, turn);
    for (int i = 0; i < axes->count; i++) {
        const int written = ukRowLimit(sink, count, &limit[i], a, b, context->h);
        /* a stop against an angle that only the user changes cannot be integrated or projected */
        if (written && sink->bias && axes->mode == dAMotorUser && !sink->velocity[count])
            sink->discrete_only[count] = 1;
        if (written == 1 && ukLimitLocks(&limit[i], sink, count)) lock[i] = count;
        count += written;
    }
    if (euler) fixOuterAxes(sink, joint, state, lock, ax);
    for (int i = 0, runs = context->commit && ukJointRuns(joint); i < 3 && runs; i++) axes->angle[i] = angle[i];
    return count;
}

/* the axes of the motors, of unit length */
static int amotorAxes(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                      int is_translation[3])
{
    double ax[3][3];
    worldAxes(joint, a, b, ax);
    rowAxes(joint, ax, axis);
    for (int i = 0; i < joint->of.axes.count; i++) {
        ukNormalize(axis[i]);
        rate[i] = ukRateAbout(axis[i], a, b);
        is_translation[i] = 0;
    }
    return joint->of.axes.count;
}

static const char *amotorNeeds(const ukJoint *joint)
{
    static const double singular = 0.3; /* a sine: 17 degrees */
    ukTurn turn[3];
    int motor[3];
    if (joint->of.axes.mode != dAMotorEuler || !joint->body[0]) return NULL;
    const ukState a = ukStateOf(joint->body[0]), b = joint->body[1] ? ukStateOf(joint->body[1]) : a;
    amotorTurns(joint, &a, joint->body[1] ? &b : NULL, ukTurnNeedRate, motor, turn);
    if (turn[0].sine > singular) return NULL;
    return "its Euler angles are singular there, where its axes 1 and 3 are parallel: use dAMotorUser";
}

const ukJointClass ukAMotorClass = {.name = "AMotor",
                                    .type = dJointTypeAMotor,
                                    .record = ukRecordRunning,
                                    .max_rows = 3,
                                    .free_axes = 3,
                                    .motor = true,
                                    .running = true,
                                    .create = amotorCreate,
                                    .note = amotorNote,
                                    .refresh = refreshAMotor,
                                    .assume = assumeAMotor,
                                    .rows = amotorRows,
                                    .axes = amotorAxes,
                                    .needs = amotorNeeds,
                                    .turns = amotorTurns};

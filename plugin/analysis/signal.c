/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/signal.h"

#include <math.h>
#include <string.h>

#include "bridge/analyze/coordinates.h"
#include "bridge/base/log.h"
#include "bridge/joints/class.h"
#include "bridge/joints/getters.h"
#include "bridge/world/registry.h"
#include "solvers/base/status.h"

static const char *const kind_names[] = {"joint force", "motor velocity", "body force",    "joint position",
                                         "joint rate",  "reaction",       "body position", "body velocity"};

static bool isInput(ukSignalKind kind)
{
    return kind <= ukSignalBodyForce;
}

static bool isOfBody(ukSignalKind kind)
{
    return kind == ukSignalBodyForce || kind == ukSignalBodyPosition || kind == ukSignalBodyVelocity;
}

/* Number of axes that a signal of this kind has at this joint or body. */
static int axesOf(const ukSignalPlace *p)
{
    const ukSignalKind kind = p->signal.kind;
    if (isOfBody(kind) || kind == ukSignalReaction) return 6;
    const ukJointGetters *const getters = ukJointGettersOf(p->joint->class->type);
    if (!getters) return 0;
    if (kind == ukSignalMotorVelocity) return getters->stops ? getters->groups : 0;
    return getters->rate[0] ? getters->moves : 0;
}

/* `index` from 0; messages and tables count from 1 */
static int refuseSignal(const ukSignalPlace *p, int index, int status, const char *what)
{
    return ukErrorSet(status, "%s %d (%s): %s", p->input ? "input" : "output", index + 1, kind_names[p->signal.kind],
                      what);
}

static int findSignal(ukWorld *world, ukSignalPlace *p, int index)
{
    const ukSignal *const s = &p->signal;
    if ((int)s->kind < 0 || s->kind > ukSignalBodyVelocity)
        return ukErrorSet(ukErrorArgument, "%s %d: unknown kind %d", p->input ? "input" : "output", index + 1,
                          (int)s->kind);
    if (isInput(s->kind) != p->input)
        return refuseSignal(p, index, ukErrorArgument, p->input ? "it is an output" : "it is an input");
    if (isOfBody(s->kind)) {
        p->body = s->body ? ukRegistryBody(s->body) : NULL;
        if (!p->body || p->body->world != world)
            return refuseSignal(p, index, ukErrorHandle, "no such body in this world");
    } else {
        p->joint = s->joint ? ukRegistryJoint(s->joint) : NULL;
        if (!p->joint || p->joint->world != world)
            return refuseSignal(p, index, ukErrorHandle, "no such joint in this world");
        if (!p->joint->body[0]) return refuseSignal(p, index, ukErrorArgument, "the joint is not attached");
    }
    const int axes = axesOf(p);
    if (axes == 0) return refuseSignal(p, index, ukErrorArgument, "joints of this type have none");
    if (s->axis < 0 || s->axis >= axes) return refuseSignal(p, index, ukErrorArgument, "no such axis");
    if (s->kind != ukSignalMotorVelocity) return ukOk;
    if (p->joint->stale && p->joint->class->refresh) p->joint->class->refresh(p->joint);
    p->present = p->joint->motor[s->axis].vel;
    if (!(p->joint->motor[s->axis].fmax > 0))
        return refuseSignal(p, index, ukErrorArgument, "the joint has no motor there: its dParamFMax is 0");
    return ukOk;
}

int ukSignalsFind(ukWorld *world, const ukSignal *signals, int count, bool input, ukSignalPlace *place)
{
    int status = ukOk;
    for (int i = 0; i < count && status == ukOk; i++) {
        place[i] = (ukSignalPlace){.signal = signals[i], .input = input};
        status = findSignal(world, &place[i], i);
    }
    return status;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static double positionOf(const ukSignalPlace *p)
{
    return (*ukJointGettersOf(p->joint->class->type)->angle[p->signal.axis])(p->joint->handle);
}

/* Removes whole turns from the difference of two close values, one of which may have jumped by a turn. */
static double withoutTurns(double difference)
{
    static const double turn = 6.283185307179586;
    return difference - turn * round(difference / turn);
}

static bool isTranslation(const ukSignalPlace *p)
{
    const int axis = p->signal.axis;
    switch (p->joint->class->type) {
    case dJointTypeSlider: return true;
    case dJointTypePR:
    case dJointTypePiston: return axis == 0;
    case dJointTypePU: return axis == 2;
    default: return false;
    }
}

/* the joint's position where a body is moved by x along, or turned about, axis c of the world */
static double positionMoved(const ukSignalPlace *p, const ukBody *body, const ukState *at, int c, double x)
{
    ukState s = *at;
    if (c < 3) s.x[c] += x;
    double turn[3] = {0, 0, 0};
    if (c >= 3) turn[c - 3] = x;
    ukRotateBy(s.q, turn);
    ukStateOrient(&s);
    const dQuaternion q = {s.q[0], s.q[1], s.q[2], s.q[3]};
    dBodySetPosition(body->handle, s.x[0], s.x[1], s.x[2]);
    dBodySetQuaternion(body->handle, q);
    const double position = positionOf(p);
    dBodySetPosition(body->handle, at->x[0], at->x[1], at->x[2]);
    const dQuaternion q0 = {at->q[0], at->q[1], at->q[2], at->q[3]};
    dBodySetQuaternion(body->handle, q0);
    return position;
}

void ukSignalWrench(ukSignalPlace *p)
{
    static const double step = 4e-3; /* [rad or m]; extrapolated twice */
    memset(p->wrench, 0, sizeof p->wrench);
    if (p->signal.kind == ukSignalMotorVelocity) return;
    if (p->signal.kind == ukSignalBodyForce) {
        p->on[0] = p->body;
        p->wrench[0][p->signal.axis] = 1;
        return;
    }
    for (int k = 0; k < 2; k++) {
        ukBody *const body = p->on[k] = p->joint->body[k];
        if (!body) continue;
        const ukState at = ukStateOf(body);
        for (int c = 0; c < 6; c++) {
            double d[3];
            for (int level = 0; level < 3; level++) {
                const double x = step / (1 << level);
                double change = positionMoved(p, body, &at, c, x) - positionMoved(p, body, &at, c, -x);
                if (!isTranslation(p)) change = withoutTurns(change);
                d[level] = change / (2 * x);
            }
            const double coarse = (4 * d[1] - d[0]) / 3, fine = (4 * d[2] - d[1]) / 3;
            const double slope = (16 * fine - coarse) / 15;
            p->wrench[k][c] = fabs(slope) < 1e-12 ? 0 : slope;
        }
    }
}

void ukSignalDrive(ukSignalPlace *p, double amount)
{
    if (p->signal.kind != ukSignalMotorVelocity) return;
    if (p->joint->stale) {
        if (p->joint->class->refresh) p->joint->class->refresh(p->joint);
        p->joint->stale = false;
    }
    p->joint->motor[p->signal.axis].vel = p->present + amount;
}

void ukSignalPush(const ukSignalPlace *p, double amount)
{
    for (int k = 0; k < 2; k++) {
        if (!p->on[k]) continue;
        const double *const w = p->wrench[k];
        const dBodyID body = p->on[k]->handle;
        dBodyAddForce(body, amount * w[0], amount * w[1], amount * w[2]);
        dBodyAddTorque(body, amount * w[3], amount * w[4], amount * w[5]);
    }
}

/* ---- outputs ----------------------------------------------------------------------------------------------------- */

double ukSignalRead(const ukSignalPlace *p, const ukState *base)
{
    const int axis = p->signal.axis;
    switch (p->signal.kind) {
    case ukSignalJointPosition: return positionOf(p);
    case ukSignalJointRate: return (*ukJointGettersOf(p->joint->class->type)->rate[axis])(p->joint->handle);
    case ukSignalReaction: return p->joint->reaction->ideal[0][axis] + p->joint->reaction->nonideal[0][axis];
    case ukSignalBodyPosition: {
        double dq[6];
        const ukState now = ukStateOf(p->body);
        if (axis < 3 || !base) return now.x[axis % 3];
        ukCoordinatesDifference(base, &now, dq);
        return dq[axis];
    }
    case ukSignalBodyVelocity: return ukStateOf(p->body).v[axis];
    default: return 0;
    }
}

bool ukSignalIsState(const ukSignalPlace *p)
{
    return p->signal.kind != ukSignalReaction;
}

double ukSignalDifference(const ukSignalPlace *p, double from, double to)
{
    return p->signal.kind == ukSignalJointPosition && !isTranslation(p) ? withoutTurns(to - from) : to - from;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/limit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/joints/angle.h"
#include "bridge/joints/bias.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"
#include "bridge/joints/turn.h"

void ukLimitTurn(ukLimit *limit, ukJoint *joint, int k, const ukTurn *turn, double angle, const ukState *const state[2],
                 const ukRowContext *context)
{
    limit->tested = true;
    limit->value =
        ukTurnValue(joint, k, turn, context->exact ? turn->angle : angle, state[0], state[1], context->since);
    if (context->exact) limit->turn = turn;
}

void ukLimitTwistSet(ukLimit *limit, ukJoint *joint, int k, ukTurn *turn, const ukState *a, const ukState *b,
                     const ukRowContext *context)
{
    ukTurnTwist(joint, a, b, ukLimitNeed(context), turn);
    ukLimitTurn(limit, joint, k, turn, ukHingeAngle(joint, a, b), (const ukState *const[]){a, b}, context);
}

/* velocity along the row as ODE's bounce measures it: for a row with half lever arms, without the arms */
static double incomingVelocity(const ukLimit *limit, const double *J, const ukState *a, const ukState *b)
{
    const int first = limit->linear ? 0 : 3;
    if (limit->turn) return ukRateAbout(limit->turn->axis, a, b);
    double u = ukDot(limit->axis, a->v + first);
    if (b) u -= ukDot(limit->axis, b->v + first);
    if (limit->linear && limit->ra) u += ukDot(J + 3, a->v + 3) + (b ? ukDot(J + 9, b->v + 3) : 0);
    return u;
}

static void limitBias(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b)
{
    double rate[3];
    if (limit->axis_rate) {
        for (int k = 0; k < 3; k++) rate[k] = limit->axis_rate[k];
    } else {
        ukTurnRate(limit->carrier, limit->axis, rate);
    }
    if (!limit->linear) {
        ukBiasAxis(sink, i, rate, a, b);
    } else if (limit->ra) {
        ukBiasAtAnchor(sink, i, limit->axis, rate, limit->ra, limit->rb, a, b);
    } else {
        ukBiasSlide(sink, i, limit->axis, rate, a, b);
    }
}

static void motorRow(ukRowSink *sink, int i, const ukMotor *motor)
{
    sink->c[i] = sink->target[i] = motor->vel;
    sink->cfm[i] = motor->cfm;
    sink->lo[i] = -motor->fmax;
    sink->hi[i] = motor->fmax;
    sink->velocity[i] = 1;
}

/* Writes a motor of bounded force according to its mode; returns the number of rows. */
static int driveRow(ukRowSink *sink, int i, const ukMotor *motor, const ukState *a, const ukState *b)
{
    ukModalMotor *modal_motor = sink->modal_motor++;
    double *J = sink->J + i * sink->stride;
    memset(modal_motor->J, 0, sizeof modal_motor->J);
    memcpy(modal_motor->J, J, (size_t)sink->stride * sizeof *J);
    modal_motor->used = true;
    modal_motor->bound = motor->fmax;
    modal_motor->shortfall = motor->vel;
    modal_motor->bias = sink->bias[i];
    double terms = fabs(motor->vel);
    for (int k = 0; k < sink->stride; k++) {
        const double term = J[k] * (k < 6 ? a->v[k] : b->v[k - 6]);
        modal_motor->shortfall -= term;
        terms += fabs(term);
    }
    if (fabs(modal_motor->shortfall) <= 8 * DBL_EPSILON * terms)
        modal_motor->shortfall = 0; /* the difference is only rounding */
    modal_motor->row = modal_motor->mode == ukMotorFull ? -1 : i;
    if (modal_motor->mode != ukMotorFull) motorRow(sink, i, motor);
    if (modal_motor->mode == ukMotorHolds) sink->lo[i] = -INFINITY, sink->hi[i] = INFINITY;
    if (modal_motor->mode != ukMotorFull) return 1;
    const double F = ukModalMotorForce(modal_motor);
    for (int k = 0; k < sink->stride; k++) *(k < 6 ? sink->force_a + k : sink->force_b + k - 6) += F * J[k];
    memset(J, 0, (size_t)sink->stride * sizeof *J);
    sink->bias[i] = 0;
    return 0;
}

/* u: velocity along the row before the step, towards the stop at `side` if both have the same sign */
static void addRebound(ukRowSink *sink, int i, const ukLimit *limit, int side, double u)
{
    const double back = -limit->motor->bounce * u;
    if (!(side * u > 0) || !(side * back < side * sink->c[i])) return;
    sink->target[i] = back - sink->c[i];
    sink->c[i] = back;
    if (sink->push) sink->push[i] = side * back < side * sink->push[i] ? 0 : sink->push[i] - back;
}

/* J along the limit's axis or, at a stop of exact rows, along the gradient of the angle; with Jdot v */
static void writeLimit(ukRowSink *sink, int i, const ukLimit *limit, int side, const ukState *a, const ukState *b)
{
    if (side && limit->turn) {
        ukRowAxis(sink, i, limit->turn->axis, b != NULL);
        if (sink->bias) ukBiasAxis(sink, i, limit->turn->axis_rate, a, b);
        return;
    }
    if (!limit->linear) {
        ukRowAxis(sink, i, limit->axis, b != NULL);
    } else if (limit->ra) {
        ukRowPoint(sink, i, limit->axis, limit->ra, b ? limit->rb : NULL);
    } else {
        ukRowSlide(sink, i, limit->axis, a, b);
    }
    if (sink->bias) limitBias(sink, i, limit, a, b);
}

/* applies F along the limit's own axis, which differs from J at a stop of exact rows */
static void pushMotor(ukRowSink *sink, int i, const ukLimit *limit, double F, bool has_b)
{
    const double *const J = sink->J + i * sink->stride;
    for (int j = 0; j < 6; j++) {
        const double of_axis = j < 3 ? 0 : limit->axis[j % 3];
        sink->force_a[j] += F * (limit->turn ? of_axis : J[j]);
        if (has_b) sink->force_b[j] += F * (limit->turn ? -of_axis : J[6 + j]);
    }
}

/* Role of the motor of a joint at a stop: it has no row (no effect, or a constant force); it presses with infinite
 * force onto the stop; or it has the row itself, because the joint leaves the stop. */
typedef enum { MotorWithoutRow, MotorPressesStop, MotorOwnsRow } MotorAtStop;

/* the sign of a row along `axis` relative to its stop's: -1 for an AMotor that is attached as (0, B) */
static int signOfMotorAxis(const ukLimit *limit)
{
    return limit->turn && ukDot(limit->axis, limit->turn->axis) < 0 ? -1 : 1;
}

/* The direction in which the motor of a joint at a stop pushes, as a side. */
static int motorSide(const ukLimit *limit, int side)
{
    const double vel = limit->motor->vel;
    return vel > 0 ? signOfMotorAxis(limit) : vel < 0 ? -signOfMotorAxis(limit) : side;
}

/* Stop and motor share one row. The row is the stop's, and the motor becomes a force of known sign and size. A motor of
 * infinite force presses the joint onto the stop, or moves it off the stop and then has the row itself. */
static MotorAtStop motorAtStop(ukRowSink *sink, int i, const ukLimit *limit, int side, bool has_b)
{
    const ukMotor *motor = limit->motor;
    if (!(motor->fmax > 0) || motor->lo_stop == motor->hi_stop) return MotorWithoutRow; /* a lock: immovable */
    const int along = signOfMotorAxis(limit), push = motorSide(limit, side);
    const double share = push == side ? 1 : motor->fudge;
    if (motor->fmax < INFINITY)
        pushMotor(sink, i, limit, along * push * share * motor->fmax, has_b);
    else if (push == side)
        return MotorPressesStop; /* ODE adds an infinite force and aborts */
    else if (share > 0)
        return MotorOwnsRow; /* the joint leaves the stop at the motor's velocity */
    return MotorWithoutRow;
}

/* ---- stops with modes -------------------------------------------------------------------------------------------- */

/* Whether the stop can have modes: its row is rigid, its gap is a function of the poses, and no motor of bounded force
 * acts on the axis. */
static bool hasModes(const ukLimit *limit)
{
    const ukMotor *m = limit->motor;
    return limit->tested && !limit->singular && m->lo_stop < m->hi_stop &&
           (m->lo_stop > -INFINITY || m->hi_stop < INFINITY) && (limit->linear || limit->turn) &&
           !(m->stop_cfm > ukSpringCfm()) && (!(m->fmax > 0) || m->fmax == INFINITY);
}

/* The record of the limit's stop; NULL: it has no mode. */
static ukStop *takeStop(ukRowSink *sink, const ukLimit *limit)
{
    if (!sink->stops || sink->stop_count == ukMostModalMotors) return NULL;
    ukStop *stop = &sink->stops[sink->stop_count++];
    stop->joint = hasModes(limit) ? sink->joint : NULL;
    return stop->joint ? stop : NULL;
}

/* The largest gap that counts as touching, and the violation above which ERP corrects the stop, in the discrete form;
 * both relative to the characteristic length of the row, that is, as angles. */
static const double touching = 1e-11, deep = 1e-4;

/* the gap that counts as touching, of row i */
static double touchOf(const ukRowSink *sink, int i)
{
    const double *J = sink->J + i * sink->stride;
    double reach = 0;
    for (int k = 0; k < sink->stride; k += 6)
        reach = fmax(reach, ukDot(J + k, J + k) * sink->gyration[k / 6] + ukDot(J + k + 3, J + k + 3));
    return touching * sqrt(reach);
}

/* leaves row i empty */
static void clearRow(ukRowSink *sink, int i)
{
    memset(sink->J + i * sink->stride, 0, (size_t)sink->stride * sizeof *sink->J);
    if (sink->bias) sink->bias[i] = 0;
}

/* Describes the gap of a stop; row i, which is used for that, is left empty. */
static void measureStop(ukRowSink *sink, int i, ukStop *stop, const ukLimit *limit, const ukState *a, const ukState *b)
{
    const double low = limit->value - limit->motor->lo_stop, high = limit->motor->hi_stop - limit->value;
    const double *J = sink->J + i * sink->stride;
    stop->limit.row = -1;
    stop->limit.one_sided = true;
    stop->side = low <= high ? -1 : 1;
    stop->gap = fmin(low, high);
    writeLimit(sink, i, limit, stop->side, a, b);
    memset(stop->J, 0, sizeof stop->J);
    stop->rate = 0;
    for (int k = 0; k < sink->stride; k++) {
        stop->J[k] = -stop->side * J[k];
        stop->rate += stop->J[k] * (k < 6 ? a->v[k] : b->v[k - 6]);
    }
    stop->bias = -stop->side * sink->bias[i];
    stop->touch = touchOf(sink, i);
    stop->presses = limit->motor->fmax == INFINITY && motorSide(limit, stop->side) == stop->side;
    if (sink->undecided) {
        stop->limit.mode = stop->presses && stop->gap <= stop->touch ? ukRowActive : ukRowUndecided;
        stop->limit.decided = false;
    }
    clearRow(sink, i);
}

/* The side of the stop that acts without modes: -1 low, 1 high, 0 none. Row i is left empty. */
static int sideWithoutModes(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b)
{
    const double low = limit->value - limit->motor->lo_stop, high = limit->motor->hi_stop - limit->value;
    double touch = 0;
    if (sink->touching && fmin(low, high) > 0 && fmin(low, high) < INFINITY) {
        writeLimit(sink, i, limit, low <= high ? -1 : 1, a, b);
        touch = touchOf(sink, i);
        clearRow(sink, i);
    }
    return low <= touch ? -1 : high <= touch ? 1 : 0;
}

/* whether a row is written for the stop, at the side stop->side */
static bool actsByMode(const ukStop *stop)
{
    return stop->limit.mode == ukRowActive || (stop->limit.mode == ukRowUndecided && stop->gap <= stop->touch);
}

/* Completes the row of a stop that acts: an equality if its mode is active, a bounded row while the mode is
 * undecided. */
static void writeModalStop(ukRowSink *sink, int i, ukStop *stop)
{
    const bool violated = stop->gap < -deep / touching * stop->touch;
    stop->limit.row = i;
    sink->discrete_only[i] = sink->undecided && violated ? 1 : ukStopModal;
    if (stop->limit.mode == ukRowUndecided) *(stop->side < 0 ? &sink->lo[i] : &sink->hi[i]) = 0;
}

int ukRowLimitSet(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b, double h)
{
    const ukMotor *motor = limit->motor;
    int side = 0; /* -1 at the low stop, 1 at the high one; in flight only a lock acts */
    ukStop *const stop = takeStop(sink, limit);
    if (stop) {
        measureStop(sink, i, stop, limit, a, b);
        side = actsByMode(stop) ? stop->side : 0;
    } else if (limit->tested && (motor->lo_stop == motor->hi_stop || !sink->flight))
        side = sideWithoutModes(sink, i, limit, a, b);
    if (!side && !(motor->fmax > 0)) return 0;

    writeLimit(sink, i, limit, side, a, b);
    const bool gives = motor->cfm > ukSpringCfm(); /* with a CFM it is a damper within its bounds, without modes */
    if (!side && sink->modal_motor && motor->fmax < INFINITY && !gives) return driveRow(sink, i, motor, a, b);
    const MotorAtStop with = side ? motorAtStop(sink, i, limit, side, b != NULL) : MotorOwnsRow;
    if (with == MotorOwnsRow) {
        if (side) writeLimit(sink, i, limit, 0, a, b);
        motorRow(sink, i, motor);
        return 1;
    }

    ukRowError(sink, i, limit->value - (side < 0 ? motor->lo_stop : motor->hi_stop), motor->stop_erp, h);
    sink->cfm[i] = motor->stop_cfm;
    if (motor->lo_stop == motor->hi_stop) return 1;
    if (stop) {
        writeModalStop(sink, i, stop);
        return 1;
    }
    sink->discrete_only[i] = 1;
    if (with == MotorPressesStop) return 1;
    if (side < 0) {
        sink->lo[i] = 0;
    } else {
        sink->hi[i] = 0;
    }
    if (motor->bounce > 0 && sink->restitution) sink->restitution[i] = motor->bounce;
    if (motor->bounce > 0) addRebound(sink, i, limit, side, incomingVelocity(limit, sink->J + i * sink->stride, a, b));
    return 1;
}

int ukRowSlideLimit(ukRowSink *sink, int i, const ukLimit *limit, const ukGapAcross *across, const ukState *a,
                    const ukState *b, const ukRowContext *context)
{
    const int rows = ukRowLimit(sink, i, limit, a, b, context->h);
    if (rows != 1 || sink->velocity[i] || !context->exact || !sink->transport) return rows;
    const double *const *const u = across->u;
    const double beyond = sink->phi[i], first = ukDot(u[0], across->gap), second = ukDot(u[1], across->gap);
    double along[3], whole[3];
    for (int k = 0; k < 3; k++) {
        along[k] = beyond * limit->axis[k];
        whole[k] = along[k] + first * u[0][k] + second * u[1][k];
    }
    ukRowsTransportGap(sink, across->row, 2, u, along, a, context);
    if (sink->target[i] == 0) /* no rebound */
        ukRowsTransportGap(sink, i, 1, (const double *const[]){limit->axis}, whole, a, context);
    return rows;
}

bool ukLimitLocks(const ukLimit *limit, const ukRowSink *sink, int i)
{
    return limit->turn && limit->motor->lo_stop == limit->motor->hi_stop && !sink->velocity[i];
}

void ukRowsTransportFree(ukRowSink *sink, int between, const int lock[2], const double *const axis[2],
                         const ukState *const state[2])
{
    const int k = lock[0] < 0;
    if (between < 0 || lock[k] < 0 || lock[!k] >= 0 || !state[k]) return; /* with both locks, nothing spins */
    double free[3] = {axis[!k][0], axis[!k][1], axis[!k][2]};
    ukNormalize(free);
    ukRowsTransportAxis(sink, (const int[]){between, lock[k]}, free, state[k], k == 0);
}

int ukRowsCrossLimits(ukRowSink *sink, int i, int cross, const ukLimit limit[2], const ukState *a, const ukState *b,
                      const ukRowContext *context)
{
    int lock[2] = {-1, -1}, count = i;
    for (int k = 0; k < 2; k++) {
        const int rows = ukRowLimit(sink, count, &limit[k], a, b, context->h);
        if (rows == 1 && ukLimitLocks(&limit[k], sink, count)) lock[k] = count;
        count += rows;
    }
    ukRowsTransportFree(sink, cross, lock, (const double *const[]){limit[0].axis, limit[1].axis},
                        (const ukState *const[]){a, b});
    return count - i;
}

void ukMotorsCreate(ukJoint *joint, int count)
{
    const double cfm = dWorldGetCFM(joint->world->handle), erp = dWorldGetERP(joint->world->handle);
    for (int k = 0; k < count; k++)
        joint->motor[k] = (ukMotor){
            .lo_stop = -INFINITY, .hi_stop = INFINITY, .fudge = 1, .cfm = cfm, .stop_cfm = cfm, .stop_erp = erp};
}

void ukMotorsRefresh(ukJoint *joint, dReal (*get)(dJointID, int), int count)
{
    for (int k = 0; k < count; k++) {
        const int base = k * dParamGroup;
        ukMotor *const motor = &joint->motor[k];
        motor->vel = get(joint->handle, base + dParamVel);
        motor->fmax = get(joint->handle, base + dParamFMax);
        motor->lo_stop = get(joint->handle, base + dParamLoStop);
        motor->hi_stop = get(joint->handle, base + dParamHiStop);
        motor->fudge = get(joint->handle, base + dParamFudgeFactor);
        motor->bounce = get(joint->handle, base + dParamBounce);
        motor->cfm = get(joint->handle, base + dParamCFM);
        motor->stop_erp = get(joint->handle, base + dParamStopERP);
        motor->stop_cfm = get(joint->handle, base + dParamStopCFM);
    }
}

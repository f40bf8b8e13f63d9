/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/turn.h"

#include <float.h>
#include <math.h>

#include "bridge/joints/angle.h"
#include "bridge/joints/geometry.h"
#include "bridge/world/frame.h"

static const double two_pi = 2 * 3.14159265358979323846;

/* [rad] A program may move bodies by less, for example to normalize an orientation, without a change of the count of
 * turns. */
static const double nudge = 1e-3;

/* Sine below which turns are not counted by rates: the angle's rate is that of the bodies over the sine, and no rate of
 * a step's end predicts its change. The angle is the nearest to that of the step's start. */
static const double singular = 0.1;

/* ---- angles and their gradients ---------------------------------------------------------------------------------- */

/* The angle of ukTurnTwist: e = (e_0, e_v) is the relative quaternion, s = e_v . n with the axis n. */
static double twistAngle(const double e[4], double s)
{
    return -2 * (e[0] < 0 ? atan2(-s, -e[0]) : atan2(s, e[0]));
}

/* With e' = (1/2) W e, W = R_a' (w_b - w_a), s = e_v . n and d = e_0^2 + s^2:
 *   (2 atan2(s, e_0))' = W . (e_0^2 n + e_0 e_v x n + s e_v) / d */
void ukTurnTwist(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, ukTurn *turn)
{
    double e[4], W[3], w[3], v_dot[3], m[3], m_dot[3], u[3], u_dot[3], turned[3];
    const double *const n = joint->axis1, *const v = e + 1;
    turn->sine = 1;
    turn->half = false;
    if (need == ukTurnNeedSine) return;
    ukRotationError(joint, a, b, e);
    const double s = ukDot(v, n), d = e[0] * e[0] + s * s;
    turn->angle = twistAngle(e, s);
    if (need == ukTurnNeedAngle) return;
    ukCross(v, n, m);
    for (int i = 0; i < 3; i++) u[i] = d > 0 ? (e[0] * e[0] * n[i] + e[0] * m[i] + s * v[i]) / d : n[i];
    ukRotate(a->R, u, turn->axis);
    if (need == ukTurnNeedAxis) return;
    for (int i = 0; i < 3; i++) w[i] = (b ? b->v[3 + i] : 0) - a->v[3 + i];
    ukUnrotate(a->R, w, W);
    ukCross(W, v, v_dot);
    for (int i = 0; i < 3; i++) v_dot[i] = 0.5 * (e[0] * W[i] + v_dot[i]);
    const double e_dot = -0.5 * ukDot(W, v), s_dot = ukDot(v_dot, n), d_dot = 2 * (e[0] * e_dot + s * s_dot);
    ukCross(v_dot, n, m_dot);
    for (int i = 0; i < 3; i++) {
        const double numerator = 2 * e[0] * e_dot * n[i] + e_dot * m[i] + e[0] * m_dot[i] + s_dot * v[i] + s * v_dot[i];
        u_dot[i] = d > 0 ? (numerator - u[i] * d_dot) / d : 0;
    }
    ukRotate(a->R, u_dot, turn->axis_rate);
    ukTurnRate(a, turn->axis, turned);
    for (int i = 0; i < 3; i++) turn->axis_rate[i] += turned[i];
}

/* With C = y . r, S = y . m and g = C m - S r the gradient is y x g / (C^2 + S^2). */
void ukTurnAzimuth(const ukState *from, const double r[3], const double m[3], const ukState *to, const double y[3],
                   ukTurnNeed need, ukTurn *turn)
{
    double r_dot[3], m_dot[3], y_dot[3], g[3], g_dot[3], x[3];
    const double C = ukDot(y, r), S = ukDot(y, m), N = C * C + S * S;
    const double size = sqrt(ukDot(r, r) * ukDot(m, m)) * ukDot(y, y);
    turn->sine = size > 0 ? sqrt(N / size) : 0;
    turn->half = false;
    if (need == ukTurnNeedSine) return;
    turn->angle = atan2(S, C);
    if (need == ukTurnNeedAngle) return;
    for (int i = 0; i < 3; i++) g[i] = C * m[i] - S * r[i];
    ukCross(y, g, turn->axis);
    for (int i = 0; i < 3; i++) turn->axis[i] = N > 0 ? turn->axis[i] / N : 0;
    if (need == ukTurnNeedAxis) return;
    ukTurnRate(from, r, r_dot);
    ukTurnRate(from, m, m_dot);
    ukTurnRate(to, y, y_dot);
    const double C_dot = ukDot(y_dot, r) + ukDot(y, r_dot), S_dot = ukDot(y_dot, m) + ukDot(y, m_dot);
    const double N_dot = 2 * (C * C_dot + S * S_dot);
    for (int i = 0; i < 3; i++) g_dot[i] = C_dot * m[i] + C * m_dot[i] - S_dot * r[i] - S * r_dot[i];
    ukCross(y_dot, g, turn->axis_rate);
    ukCross(y, g_dot, x);
    for (int i = 0; i < 3; i++)
        turn->axis_rate[i] = N > 0 ? (turn->axis_rate[i] + x[i] - turn->axis[i] * N_dot) / N : 0;
}

void ukTurnCross(const ukState *from, const double axis[3], const ukState *to, const double y[3], ukTurnNeed need,
                 ukTurn *turn)
{
    turn->sine = 1; /* the joint's rows fix the angle between the axes, whatever it is */
    turn->half = false;
    if (need == ukTurnNeedSine) return;
    double n[3] = {axis[0], axis[1], axis[2]}, p[3], q[3], r[3], m[3];
    ukNormalize(n);
    ukPlaneSpace(n, p, q);
    ukAxis(from, p, r);
    ukAxis(from, q, m);
    ukTurnAzimuth(from, r, m, to, y, need, turn);
    turn->sine = 1;
}

int ukTurnsTwist(const ukJoint *joint, const ukState *a, const ukState *b, ukTurnNeed need, int motor[3],
                 ukTurn turn[3])
{
    motor[0] = joint->class->twist - 1;
    ukTurnTwist(joint, a, b, need, &turn[0]);
    return 1;
}

int ukTurnsCross(const ukJoint *joint, const ukState *a, const ukState *b, double sign, ukTurnNeed need, int motor[3],
                 ukTurn turn[3])
{
    double ax1[3], ax2[3];
    ukAxis(a, joint->axis1, ax1);
    ukAxis(b, joint->axis2, ax2);
    ukTurnCross(a, joint->axis1, b, ax2, need, &turn[0]); /* increases with b against a, angle 1 with a against b */
    ukTurnCross(b, joint->axis2, a, ax1, need, &turn[1]);
    for (int i = 0; i < 2; i++) motor[i] = i;
    if (need == ukTurnNeedSine) return 2;
    turn[0].angle = ukWrapAngle(joint->offset[0] - turn[0].angle);
    turn[1].angle = ukWrapAngle(turn[1].angle + sign * joint->offset[1]);
    return 2;
}

/* ---- turns that are counted -------------------------------------------------------------------------------------- */

/* `angle` plus the number of turns, or of half turns of an Euler angle, that brings it nearest to `near` */
static double onTurn(const ukTurn *turn, double angle, double near)
{
    const double period = turn->half ? 0.5 * two_pi : two_pi;
    return angle + period * nearbyint((near - angle) / period);
}

static double rateOf(const ukTurn *turn, const ukState *a, const ukState *b)
{
    return ukRateAbout(turn->axis, a, b);
}

static bool isWithinStops(const ukMotor *motor, double angle)
{
    return angle >= motor->lo_stop && angle <= motor->hi_stop;
}

/* The turn of an angle in [-pi, pi) without history: the angle as in ODE, unless only another turn is within the
 * stops. */
static double firstTurn(const ukMotor *motor, double angle)
{
    const double middle = 0.5 * (motor->lo_stop + motor->hi_stop); /* infinite or NaN if only one stop is set */
    if (isWithinStops(motor, angle) || !isfinite(middle)) return angle;
    const double other = angle + two_pi * nearbyint((middle - angle) / two_pi);
    return isWithinStops(motor, other) ? other : angle;
}

double ukTurnValue(ukJoint *joint, int k, const ukTurn *turn, double angle, const ukState *a, const ukState *b,
                   double since)
{
    double *const start = &joint->turn.start[k];
    if (since == 0) {
        const double carried = joint->turn.carried[k], moved = turn->angle - onTurn(turn, carried, turn->angle);
        const bool follows = carried != 0 && fabs(moved) * turn->sine <= nudge;
        *start = follows ? onTurn(turn, turn->angle, carried) : firstTurn(&joint->motor[k], turn->angle);
    }
    const double moved = since == 0 ? 0 : since * rateOf(turn, a, b);
    return onTurn(turn, angle, onTurn(turn, turn->angle, turn->sine >= singular ? *start + moved : *start));
}

void ukTurnForget(ukJoint *joint)
{
    if (ukIsContact(joint)) return;
    for (int k = 0; k < 3; k++) joint->turn.carried[k] = 0;
}

static void setCarried(ukJoint *joint, int k, double angle)
{
    joint->turn.carried[k] = angle != 0 ? angle : DBL_MIN; /* 0: unknown */
}

/* The angles at the end of a step that passes the singular pose of Euler angles: of the two sets (t0, t1, t2) and
 * (t0 + pi, pi - t1, t2 + pi) that describe the pose, the one that is less outside of the stops, or nearer to the
 * angles at the start. */
static void choosePoleAngles(ukJoint *joint, const ukTurn *after, const int motor[3], int count)
{
    double outside[2] = {0}, apart[2] = {0}, angle[2][3];
    for (int other = 0; other < 2; other++)
        for (int i = 0; i < count; i++) {
            const ukMotor *m = &joint->motor[motor[i]];
            const double start = joint->turn.start[motor[i]], turned = after[i].angle + other * 0.5 * two_pi;
            if (!after[i].half || !ukStopsTested(m)) continue;
            const double here = turned + two_pi * nearbyint((start - turned) / two_pi);
            angle[other][i] = here;
            apart[other] += fabs(here - start);
            outside[other] += fmax(0, fmax(m->lo_stop - here, here - m->hi_stop));
        }
    const int best = outside[1] != outside[0] ? outside[1] < outside[0] : apart[1] < apart[0];
    for (int i = 0; i < count; i++)
        if (after[i].half && ukStopsTested(&joint->motor[motor[i]])) setCarried(joint, motor[i], angle[best][i]);
}

/* Updates the carried angle of motor k, which is that of ukTurnTwist, after a step, without its rate: the gradient has
 * the length 1 / sqrt(d), at most 2 here, which with the velocities at the end of the step bounds the rate. Returns
 * false if this bound times h exceeds half a turn, so that the number of turns is ambiguous. *Measured:* 8 % of the
 * instructions of a chain's step were in ukTurnAdvance, 3 % are. */
static bool advanceTwist(ukJoint *joint, int k, const ukState *a, const ukState *b, double h)
{
    double e[4], spin = 0;
    ukRotationError(joint, a, b, e);
    const double s = ukDot(e + 1, joint->axis1), d = e[0] * e[0] + s * s;
    if (!(d >= 0.25)) return false;
    for (int i = 3; i < 6; i++) spin += fabs((b ? b->v[i] : 0) - a->v[i]);
    const double angle = twistAngle(e, s), turns = (joint->turn.start[k] - angle) / two_pi, whole = nearbyint(turns);
    if (!(fabs(turns - whole) * two_pi + 2 * h * spin < 3)) return false; /* pi less a margin for rounding */
    setCarried(joint, k, angle + two_pi * whole);
    return true;
}

void ukTurnAdvance(ukJoint *joint, const ukState *const from[2], const ukState *const to[2], double h, bool mean)
{
    ukTurn before[3], after[3];
    int motor[3];
    bool passes = false;
    const int twist = joint->class->twist;
    if (twist > 0 && !mean && advanceTwist(joint, twist - 1, to[0], to[1], h)) return;
    ukState here[2];
    for (int k = 0; k < 2 && to[k]; k++) { /* after a step, ODE computes the rotation matrices */
        here[k] = *to[k];
        ukStateOrient(&here[k]);
    }
    const ukState *const b = to[1] ? &here[1] : NULL;
    const int count = joint->class->turns(joint, &here[0], b, ukTurnNeedAxis, motor, after);
    joint->class->turns(joint, from[0], from[1], mean ? ukTurnNeedAxis : ukTurnNeedSine, motor, before);
    for (int i = 0; i < count; i++) {
        const int k = motor[i];
        double rate = rateOf(&after[i], &here[0], b);
        if (mean) rate = 0.5 * (rate + rateOf(&before[i], from[0], from[1]));
        if (!ukStopsTested(&joint->motor[k])) continue;
        setCarried(joint, k, onTurn(&after[i], after[i].angle, joint->turn.start[k] + h * rate));
        passes |= !(before[i].sine >= singular && after[i].sine >= singular);
    }
    if (passes) choosePoleAngles(joint, after, motor, count);
}

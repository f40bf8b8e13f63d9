/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/gimbal.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/joints/geometry.h"

/* The sine rho below which stops act on the smooth functions. ODE's row corrects an angle by ERP times its error over
 * rho: below half of ERP it diverges. */
static const double smooth_below = 0.3;

bool ukGimbalProper(const ukJoint *joint)
{
    static const double rounding = 1e-6;
    const double *const r = joint->of.axes.reference[ukGimbalCarrier(joint)];
    return fabs(ukDot(r, joint->of.axes.axis[0])) <= rounding;
}

/* the sine of the angle between axes 1 and 3 */
static double gimbalSine(double ax[3][3])
{
    double across[3];
    ukCross(ax[0], ax[2], across);
    return ukSize(across, 3);
}

bool ukGimbalIsSingular(const ukJoint *joint, double ax[3][3])
{
    return !(gimbalSine(ax) >= smooth_below) || !ukGimbalProper(joint);
}

ukAzimuth ukGimbalAzimuth(const ukJoint *joint, int i, const ukState *const state[2], double ax[3][3])
{
    const int k = ukGimbalCarrier(joint), from = i == 0 ? k : 1 - k;
    ukAzimuth z = {.from = state[from], .to = state[1 - from], .y = i == 0 ? ax[2] : ax[0], .sign = from == 0 ? 1 : -1};
    ukAxis(z.from, joint->of.axes.reference[from], z.r);
    if (i == 0) {
        ukCross(ax[0], z.r, z.m);
        return z;
    }
    const double along = ukDot(z.r, ax[2]);
    ukCross(z.r, ax[2], z.m);
    for (int c = 0; c < 3; c++) z.r[c] -= along * ax[2][c];
    return z;
}

/* A stop of angle 0 or 2. */
typedef struct Stop {
    int side; /* -1: at or below the low stop, 1: at or above the high one, 0: between */
    bool lock;
    double at, error;
} Stop;

static Stop stopOf(const ukLimit *limit)
{
    const ukMotor *motor = limit->motor;
    Stop stop = {.lock = motor->lo_stop == motor->hi_stop};
    stop.side = limit->value <= motor->lo_stop ? -1 : limit->value >= motor->hi_stop ? 1 : 0;
    stop.at = stop.side < 0 ? motor->lo_stop : motor->hi_stop;
    stop.error = limit->value - stop.at;
    return stop;
}

/* The stop as one of rho sin(t - s) = y . n / |y||n|, n = -(m cos s + r sin s), over smooth_below. Beyond a right
 * angle, where this function decreases, its gradient is replaced by rho times that of t. */
static void smoothStop(const ukAzimuth *z, double rho, const Stop *stop, ukLimit *limit, ukTurn *turn)
{
    const double apart = limit->value - turn->angle; /* a multiple of pi */
    const double size = sqrt(sqrt(ukDot(z->r, z->r) * ukDot(z->m, z->m)) * ukDot(z->y, z->y));
    double n[3], n_dot[3], y_dot[3], x[3];
    if (!(size > 0)) return;
    limit->turn = turn;
    if (!(fabs(stop->error) < acos(0))) {
        const double share = rho / smooth_below;
        limit->value = stop->at + share * stop->error;
        for (int c = 0; c < 3; c++) turn->axis[c] *= share, turn->axis_rate[c] *= share;
        return;
    }
    const double unit = (cos(apart) < 0 ? -1 : 1) / (size * smooth_below);
    for (int c = 0; c < 3; c++) n[c] = -unit * (z->m[c] * cos(stop->at) + z->r[c] * sin(stop->at));
    ukTurnRate(z->from, n, n_dot);
    ukTurnRate(z->to, z->y, y_dot);
    limit->value = stop->at + ukDot(z->y, n);
    ukCross(z->y, n, turn->axis);
    ukCross(y_dot, n, turn->axis_rate);
    ukCross(z->y, n_dot, x);
    for (int c = 0; c < 3; c++) {
        turn->axis[c] *= -z->sign;
        turn->axis_rate[c] = -z->sign * (turn->axis_rate[c] + x[c]);
    }
}

/* The gradient of p (t2 - q t0) and its rate. With t' the rates of the angles, w = t2' z + t1' y + t0' x is the
 * velocity of body 1 against body 2, so (z - q x) . w = (1 - q x . z)(t2' - q t0'). */
static void sumGradient(const ukJoint *joint, const ukState *const state[2], double ax[3][3], double q, double p,
                        ukTurn *turn)
{
    const int k = ukGimbalCarrier(joint);
    double x_dot[3], z_dot[3];
    ukTurnRate(state[k], ax[0], x_dot);
    ukTurnRate(state[1 - k], ax[2], z_dot);
    const double over = 1 - q * ukDot(ax[0], ax[2]), over_dot = -q * (ukDot(x_dot, ax[2]) + ukDot(ax[0], z_dot));
    if (k == 1) p = -p; /* against w_a - w_b */
    for (int c = 0; c < 3; c++) {
        const double sum = ax[2][c] - q * ax[0][c], sum_dot = z_dot[c] - q * x_dot[c];
        turn->axis[c] = p * sum / over;
        turn->axis_rate[c] = p * (sum_dot - sum * over_dot / over) / over;
    }
}

/* Where stops bound t2 - q t0 together, the row of one of them becomes that of this sum; returns its number, -1: they
 * do not. A lock keeps its own row. */
static int sumStop(const ukJoint *joint, const ukState *const state[2], double ax[3][3], const Stop stop[3],
                   ukLimit limit[3], ukTurn turn[3])
{
    static const double two_pi = 2 * 3.14159265358979323846;
    const double q = ukDot(ax[0], ax[2]) < 0 ? 1 : -1;
    const int i = stop[2].lock && !stop[0].lock ? 0 : 2;
    if (stop[0].side == 0 || stop[2].side == 0) return -1;
    if (!stop[0].lock && !stop[2].lock && stop[2].side != -q * stop[0].side) return -1;
    const double p = i == 0 ? -q : 1, error = p * remainder(stop[2].error - q * stop[0].error, two_pi);
    if (!stop[i].lock && !(error * stop[i].side >= 0)) return -1;
    sumGradient(joint, state, ax, q, p, &turn[i]);
    limit[i].value = stop[i].at + error;
    limit[i].turn = &turn[i];
    return i;
}

void ukGimbalStops(const ukJoint *joint, const ukState *const state[2], double ax[3][3], int count, ukLimit limit[3],
                   ukTurn turn[3])
{
    Stop stop[3] = {{0}};
    const double rho = gimbalSine(ax);
    int sum;
    if (!(rho < smooth_below) || !ukGimbalProper(joint)) return;
    for (int i = 0; i < 3 && i < count; i += 2)
        if (ukStopsTested(limit[i].motor)) stop[i] = stopOf(&limit[i]);
    sum = sumStop(joint, state, ax, stop, limit, turn);
    for (int i = 0; i < 3; i += 2) {
        if (i == sum || stop[i].side == 0) continue;
        const ukAzimuth z = ukGimbalAzimuth(joint, i, state, ax);
        smoothStop(&z, rho, &stop[i], &limit[i], &turn[i]);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/linear_motor.c: finding: linear motors of PR joints whose row is not the rate of the position
 * that they drive. ODE's row acts at the midpoint c of the line of centres: with the axis u, which body 1 carries, it
 * is u.(v1 - v2) + (c - x1) x u . (w1 + w2), and a turning body adds to it. The motor reaches its speed, and the joint
 * slides at another one. */
#include <math.h>

#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

/* Smallest difference of the joint's travel from that of its row that is reported: of the larger one, and [m]. */
static const double least_share = 0.2, least_length = 0.01;

/* motors of unlimited force between two bodies, with ODE's rows; axis, and body 1's orientation where it was
 * recorded */
static const char motors[] =
    "SELECT j.joint, j.axis_1_x, j.axis_1_y, j.axis_1_z, b.orientation_w, b.orientation_x, b.orientation_y, "
    "b.orientation_z FROM joint j JOIN world w ON w.world = j.world JOIN joint_parameter f ON f.joint = j.joint AND "
    "f.axis = 1 AND f.name = 'fmax' AND f.value > 1e300 JOIN body_step b ON b.body = j.body_1 AND b.step = "
    "j.created_step WHERE j.world = %lld AND j.type = 'PR' AND j.body_2 IS NOT NULL AND w.integrator IN ('euler', "
    "'native') AND (w.integrator = 'native' OR w.joint_rule = 'ode') ORDER BY j.joint";

#define STATE(b)                                                                                                       \
    b ".position_x, " b ".position_y, " b ".position_z, " b ".velocity_x, " b ".velocity_y, " b ".velocity_z, " b      \
      ".spin_x, " b ".spin_y, " b ".spin_z"

/* step, time, position, orientation of body 1, states of both bodies. %lld: the joint */
static const char slides[] =
    "SELECT s.step, s.time, r.angle_1, a.orientation_w, a.orientation_x, a.orientation_y, a.orientation_z, " STATE(
        "a") ", " STATE("b") " FROM joint_step r JOIN step s ON s.step = r.step JOIN joint j ON j.joint = r.joint JOIN "
                             "body_step a ON a.step = r.step AND a.body = j.body_1 JOIN body_step b ON b.step = r.step "
                             "AND b.body = j.body_2 WHERE r.joint = %lld ORDER BY s.step";

/* the rate that ODE's row prescribes */
static double rowRate(Query *q, const double axis[3])
{
    double turn[4], u[3], x[2][3], v[2][3], w[2][3], half[3], lever[3], rate = 0;
    for (int k = 0; k < 4; k++) turn[k] = queryNumber(q, 3 + k);
    turnVector(turn, false, axis, u);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            x[i][k] = queryNumber(q, 7 + 9 * i + k);
            v[i][k] = queryNumber(q, 10 + 9 * i + k);
            w[i][k] = queryNumber(q, 13 + 9 * i + k);
        }
    for (int k = 0; k < 3; k++) half[k] = (x[1][k] - x[0][k]) / 2;
    ukCross(half, u, lever);
    for (int k = 0; k < 3; k++) rate += u[k] * (v[0][k] - v[1][k]) + lever[k] * (w[0][k] + w[1][k]);
    return rate;
}

static void judgeLinearMotor(Findings *findings, int64_t world, int64_t joint, const double axis[3])
{
    double time = NAN, first = NAN, last = NAN, meant = 0;
    int64_t step = 0;
    for (Query q = queryBegin(findings->reader, slides, (long long)joint); queryNext(&q);) {
        const double now = queryNumber(&q, 1);
        if (isfinite(time)) meant += (now - time) * rowRate(&q, axis);
        time = now, step = queryInteger(&q, 0), last = queryNumber(&q, 2);
        if (!isfinite(first)) first = last;
    }
    const double travel = last - first;
    if (!(fabs(meant - travel) > least_share * fmax(fabs(meant), fabs(travel)) && fabs(meant - travel) > least_length))
        return;
    Finding *const f = findingAdd(findings, FindingError, "linear_motor");
    f->depth = 1, f->world = world, f->joint = joint, f->step = step, f->value = travel, f->unit = "m";
    f->excess = fabs(meant - travel) / (least_share * fmax(fabs(meant), fabs(travel)));
    findingWhat(f, "the motor of %s moves it by %.3g m instead of %.3g m", findingJoint(findings->reader, joint),
                travel, meant);
    findingCause(f,
                 "The row of a linear motor in ODE is not the rate of the joint's position while its bodies turn: it "
                 "contains their rotation about the midpoint of the line of centres.");
    findingRemedy(f, "--joints exact, or ukWorldSetJointRule(world, ukJointRuleExact); or another integrator than "
                     "euler.");
}

void findingsOfLinearMotors(Findings *findings, int64_t world)
{
    for (Query q = queryBegin(findings->reader, motors, (long long)world); queryNext(&q);) {
        double axis[3], turn[4];
        for (int k = 0; k < 3; k++) axis[k] = queryNumber(&q, 1 + k);
        for (int k = 0; k < 4; k++) turn[k] = queryNumber(&q, 4 + k);
        turnVector(turn, true, axis, axis);
        if (isfinite(axis[0])) judgeLinearMotor(findings, world, queryInteger(&q, 0), axis);
    }
}

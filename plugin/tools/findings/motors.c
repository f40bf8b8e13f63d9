/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/motors.c: finding: motors at the limit of their force that do not reach their speed. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double often = 0.5;    /* of the steps */
static const double reached = 0.95; /* of the speed asked for, on average */
static const double stands = 0.02;  /* [rad/s or m/s] */

/* joint, step, motor's force or torque, rate, of a motor with a force and a speed */
static const char rows[] =
    "SELECT j.joint, j.type, (SELECT sqrt(sum(o.value * o.value)) FROM joint_parameter o WHERE o.joint = j.joint AND "
    "o.name = "
    "'fmax' AND o.value < 1e300), v.value, s.step, s.force_motor_x, s.force_motor_y, s.force_motor_z, "
    "s.torque_motor_x, "
    "s.torque_motor_y, s.torque_motor_z, CASE f.axis WHEN 1 THEN s.rate_1 WHEN 2 THEN s.rate_2 ELSE s.rate_3 END, "
    "f.axis "
    "FROM joint j JOIN joint_parameter f ON f.joint = j.joint AND f.name = 'fmax' JOIN joint_parameter v ON v.joint = "
    "j.joint AND v.axis = f.axis AND v.name = 'vel' JOIN joint_step s ON s.joint = j.joint "
    "WHERE j.world = %lld AND f.value > 0 AND f.value < 1e300 AND v.value <> 0 ORDER BY j.joint, f.axis, s.step";

typedef struct Motor {
    int64_t joint, axis, first; /* first: step at the limit */
    double limit, speed, rate;  /* rate: sum over steps, towards the speed */
    int steps, at_limit;
    int followed; /* of the steps that are not: those at the speed that it was first set to */
    int stalled;  /* of the steps at the limit: those in which it stands */
    bool linear;
} Motor;

/* a servo that pushes as hard as it may, and does not move */
static void stalls(Findings *findings, int64_t world, const Motor *m)
{
    Finding *const f = findingAdd(findings, FindingNote, "motor_limit");
    if (!f) return;
    f->depth = 1, f->world = world, f->joint = m->joint, f->step = m->first;
    f->value = m->limit, f->unit = m->linear ? "N" : "N m";
    findingWhat(f, "motor too weak: %s is stationary at its limit of %.4g %s, in %.0f %% of the steps",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100.0 * m->stalled / m->steps);
    findingCause(f, "The program keeps changing its speed, and it does not move: the load equals dParamFMax.");
    findingRemedy(f, "Raise dParamFMax, or reduce the load; for a gripper that holds something this is normal.");
}

/* Whether one of the joint's bodies touches surfaces of two directions in most of its steps: friction on both holds it. */
static bool isHeld(Findings *findings, const Motor *m)
{
    return queryOne(
               findings->reader,
               "SELECT max(n) FROM (SELECT count(DISTINCT c.step) AS n FROM joint j JOIN joint_step s ON s.joint = "
               "j.joint JOIN body b ON b.body IN (j.body_1, j.body_2) JOIN contact_step c ON c.step = s.step AND "
               "b.body IN (c.body_1, c.body_2) JOIN contact_step d ON d.step = c.step AND d.contact > c.contact "
               "AND b.body IN (d.body_1, d.body_2) WHERE j.joint = %lld AND s.step >= %lld AND abs(c.normal_x * "
               "d.normal_x + c.normal_y * d.normal_y + c.normal_z * d.normal_z) < 0.95 AND c.mu > 0.3 AND d.mu > "
               "0.3 GROUP BY b.body)",
               (long long)m->joint, (long long)m->first) > often * m->at_limit;
}

static void held(Findings *findings, int64_t world, const Motor *m)
{
    Finding *const f = findingAdd(findings, FindingNote, "wheel_locked");
    if (!f) return;
    f->depth = 1, f->world = world, f->joint = m->joint, f->step = m->first;
    f->value = m->limit, f->unit = m->linear ? "N" : "N m";
    findingWhat(f,
                "wheel locked: %s is at its limit of %.4g %s in %.0f %% of the steps, and the driven body touches "
                "surfaces of two directions",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100.0 * m->at_limit / m->steps);
    findingCause(f, "Friction on one surface holds the wheel while the other stops it: with such a large mu no motor "
                    "torque turns it.");
    findingRemedy(f, "Use a finite mu with dContactApprox1, at least for the surface that blocks it.");
}

static void judge(Findings *findings, int64_t world, const Motor *m)
{
    if (m->steps < 10 || m->at_limit < often * m->steps) return;
    /* a servo's speed is set again in every step; the recording has the first one only */
    if (m->followed < often * (m->steps - m->at_limit)) {
        if (m->stalled <= often * m->steps) return;
        if (isHeld(findings, m))
            held(findings, world, m);
        else
            stalls(findings, world, m);
        return;
    }
    const double mean = m->rate / m->steps, share = (double)m->at_limit / m->steps;
    if (mean > reached * fabs(m->speed)) return;
    if (isHeld(findings, m)) {
        held(findings, world, m);
        return;
    }
    Finding *const f = findingAdd(findings, FindingWarning, "motor_limit");
    if (!f) return;
    f->depth = 1, f->world = world, f->joint = m->joint, f->step = m->first;
    f->value = m->limit, f->unit = m->linear ? "N" : "N m";
    f->excess = fmin(fabs(m->speed) / fmax(mean, 1e-3 * fabs(m->speed)), 1e3);
    findingWhat(f, "motor too weak: %s is at its limit of %.4g %s in %.0f %% of the steps",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100 * share);
    findingCause(f, "It should move at %.3g %s, and moves at %.3g on average: the load exceeds dParamFMax.", m->speed,
                 m->linear ? "m/s" : "rad/s", copysign(mean, m->speed * mean));
    findingRemedy(f, "Raise dParamFMax, or reduce the speed or the load.");
}

void findingsOfMotors(Findings *findings, int64_t world)
{
    Motor m = {.joint = 0};
    for (Query q = queryBegin(findings->reader, rows, (long long)world); queryNext(&q);) {
        if (queryInteger(&q, 0) != m.joint || queryInteger(&q, 12) != m.axis) {
            judge(findings, world, &m);
            const char *const type = queryText(&q, 1);
            m = (Motor){.joint = queryInteger(&q, 0),
                        .axis = queryInteger(&q, 12),
                        .limit = queryNumber(&q, 2),
                        .speed = queryNumber(&q, 3),
                        .linear = type[0] == 's' || (type[0] == 'l' && type[1] == 'm')};
        }
        const int k = m.linear ? 5 : 8;
        const double size = hypot(hypot(queryNumber(&q, k), queryNumber(&q, k + 1)), queryNumber(&q, k + 2));
        const double rate = queryNumber(&q, 11);
        const bool limited = size >= 0.999 * m.limit;
        if (limited && m.at_limit == 0) m.first = queryInteger(&q, 4);
        m.steps++, m.at_limit += limited;
        m.stalled += limited && fabs(rate) < stands;
        m.followed += !limited && fabs(rate - m.speed) < 0.05 * fabs(m.speed);
        if (isfinite(rate)) m.rate += copysign(rate, rate * m.speed);
    }
    judge(findings, world, &m);
}

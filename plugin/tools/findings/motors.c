/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/motors.c: finding: motors at the limit of their force that do not reach their speed. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

static const double often = 0.5;                         /* of the steps */
static const double nearly_all = 0.9, driven_back = 0.1; /* of the steps, of a servo that the load carries along */
static const double reached = 0.95;                      /* of the speed asked for, on average */
static const double stands = 0.02;                       /* [rad/s or m/s] */

/* whether the axis of `t`, a row of joint_parameter, is one of translation */
#define LINEAR(t)                                                                                                      \
    "(j.type IN ('slider', 'LMotor') OR (j.type IN ('PR', 'piston') AND " t ".axis = 1) OR (j.type = 'PU' AND " t      \
    ".axis = 3))"
/* the axis of one of the bodies, as recorded at the joint's first step, and the body's pose then and now */
#define TURN(t) t ".orientation_w, " t ".orientation_x, " t ".orientation_y, " t ".orientation_z"

/* joint, step, motor's force or torque, rate, of a motor with a force and a speed; then what gives the axes of a joint
 * that has one in each body */
static const char rows[] =
    "SELECT j.joint, j.type, (SELECT sqrt(sum(o.value * o.value)) FROM joint_parameter o WHERE o.joint = j.joint AND "
    "o.name = 'fmax' AND o.value < 1e300 AND " LINEAR("o") " = " LINEAR(
        "f") "), v.value, s.step, s.force_motor_x, "
             "s.force_motor_y, s.force_motor_z, s.torque_motor_x, s.torque_motor_y, s.torque_motor_z, CASE f.axis WHEN "
             "1 THEN "
             "s.rate_1 WHEN 2 THEN s.rate_2 ELSE s.rate_3 END, f.axis, " LINEAR(
                 "f") ", f.value, (SELECT count(*) FROM "
                      "joint_parameter o WHERE o.joint = j.joint AND o.name = 'fmax' AND o.value > 0), j.axis_1_x, "
                      "j.axis_1_y, "
                      "j.axis_1_z, j.axis_2_x, j.axis_2_y, j.axis_2_z, " TURN("a") ", " TURN("b") ", " TURN(
                          "c") ", " TURN("d") " FROM "
                                              "joint j JOIN joint_parameter f ON f.joint = j.joint AND f.name = 'fmax' "
                                              "JOIN joint_parameter v ON v.joint = "
                                              "j.joint AND v.axis = f.axis AND v.name = 'vel' JOIN joint_step s ON "
                                              "s.joint = j.joint LEFT JOIN body_step a ON "
                                              "a.body = j.body_1 AND a.step = j.created_step LEFT JOIN body_step b ON "
                                              "b.body = j.body_1 AND b.step = s.step "
                                              "LEFT JOIN body_step c ON c.body = j.body_2 AND c.step = j.created_step "
                                              "LEFT JOIN body_step d ON d.body = "
                                              "j.body_2 AND d.step = s.step WHERE j.world = %lld AND f.value > 0 AND "
                                              "f.value < 1e300 ORDER BY "
                                              "j.joint, f.axis, s.step";
enum { Axes = 16, Turns = 22 }; /* first columns of these */

typedef struct Motor {
    int64_t joint, axis, first; /* first: step at the limit */
    double limit, speed, rate;  /* rate: sum over steps, towards the speed */
    int steps, at_limit;
    int followed;        /* of the steps that are not: those at the speed that it was first set to */
    int stalled;         /* of the steps at the limit: those in which it stands, */
    int carried, pushed; /* and those in which it moves against the motor, and with it */
    bool linear;
} Motor;

static Finding *addMotorFinding(Findings *findings, int64_t world, const Motor *m, Severity severity, const char *kind)
{
    Finding *const f = findingAdd(findings, severity, kind);
    f->depth = 1, f->world = world, f->joint = m->joint, f->step = m->first;
    f->value = m->limit, f->unit = m->linear ? "N" : "N m";
    return f;
}

/* a servo that pushes as hard as it may, and does not move */
static void addStall(Findings *findings, int64_t world, const Motor *m)
{
    Finding *const f = addMotorFinding(findings, world, m, FindingNote, "motor_limit");
    findingWhat(f, "motor too weak: %s is stationary at its limit of %.4g %s, in %.0f %% of the steps",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100.0 * m->stalled / m->steps);
    findingCause(f, "The program keeps changing its speed, and it does not move: the load equals dParamFMax.");
    findingRemedy(f, "Raise dParamFMax, or reduce the load; for a gripper that holds something this is normal.");
}

/* Steps at the limit in which normal forces of contacts push the joint's bodies back, along the force of its linear
 * motor and by more than half of it. Not counted are vertical motors between two bodies: where one of them stands on
 * the ground, the load may be the weight of the other one. */
static double pressedSteps(Findings *findings, const Motor *m)
{
    return queryOne(
        findings->reader,
        "WITH f AS (SELECT s.step, j.body_1 AS a, j.body_2 AS b, s.force_motor_x AS x, s.force_motor_y AS y, "
        "s.force_motor_z AS z, w.gravity_x AS gx, w.gravity_y AS gy, w.gravity_z AS gz FROM joint j JOIN joint_step s "
        "ON s.joint = j.joint JOIN world w ON w.world = j.world WHERE j.joint = %lld AND s.step >= %lld) SELECT "
        "count(*) FROM (SELECT sum(CASE WHEN c.body_1 = a THEN p WHEN c.body_2 = a THEN -p ELSE 0 END) AS one, "
        "sum(CASE WHEN c.body_1 = b THEN p WHEN c.body_2 = b THEN -p ELSE 0 END) AS two FROM (SELECT f.step AS step, "
        "f.a AS a, f.b AS b, c.body_1, c.body_2, (c.force_x * c.normal_x + c.force_y * c.normal_y + c.force_z * "
        "c.normal_z) * (c.normal_x * x + c.normal_y * y + c.normal_z * z) / (x * x + y * y + z * z) AS p FROM f JOIN "
        "contact_step c ON c.step = f.step AND (c.body_1 IN (f.a, f.b) OR c.body_2 IN (f.a, f.b)) WHERE x * x + y * y "
        "+ z * z > 0 AND (f.a IS NULL OR f.b IS NULL OR (x * gx + y * gy + z * gz) * (x * gx + y * gy + z * gz) <= 0.5 "
        "* (x * x + y * y + z * z) * (gx * gx + gy * gy + gz * gz))) c GROUP BY step) WHERE one < -0.5 OR two > 0.5",
        (long long)m->joint, (long long)m->first);
}

/* a motor of constant speed that presses something against a surface, as a gripper does */
static void reportPressed(Findings *findings, int64_t world, const Motor *m)
{
    Finding *const f = addMotorFinding(findings, world, m, FindingNote, "motor_limit");
    findingWhat(f, "motor stopped by contacts: %s presses with its limit of %.4g %s in %.0f %% of the steps",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100.0 * m->stalled / m->steps);
    findingCause(f, "It should move at %.3g m/s, and is stationary: contacts of its bodies push back.", m->speed);
    findingRemedy(f, "For a gripper or a clamp this is normal; otherwise raise dParamFMax, or remove what blocks it.");
}

/* a servo that pushes as hard as it may all the time, and that its load moves back and forth */
static void reportCarried(Findings *findings, int64_t world, const Motor *m)
{
    Finding *const f = addMotorFinding(findings, world, m, FindingNote, "motor_limit");
    findingWhat(
        f, "servo too weak: %s is at its limit of %.4g %s in %.0f %% of the steps, and moves against it in %.0f %%",
        findingJoint(findings->reader, m->joint), m->limit, f->unit, 100.0 * m->at_limit / m->steps,
        100.0 * m->carried / m->steps);
    findingCause(f, "The program keeps changing its speed, which it hardly ever reaches: the load moves it.");
    findingRemedy(f, "Raise dParamFMax, or reduce the load or the speeds; for a motor that is meant as a source of "
                     "constant force or torque this is normal.");
}

/* Whether one of the joint's bodies touches surfaces of two directions in most of its steps: friction on both
 * keeps it at rest. */
static bool isClamped(Findings *findings, const Motor *m)
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

static void reportClamped(Findings *findings, int64_t world, const Motor *m)
{
    Finding *const f = addMotorFinding(findings, world, m, FindingNote, "wheel_locked");
    findingWhat(f,
                "wheel locked: %s is at its limit of %.4g %s in %.0f %% of the steps, and the driven body touches "
                "surfaces of two directions",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100.0 * m->at_limit / m->steps);
    findingCause(f, "Friction on one surface holds the wheel while the other stops it: with such a large mu no motor "
                    "torque turns it.");
    findingRemedy(f, "Use a finite mu with dContactApprox1, at least for the surface that blocks it.");
}

/* Nearly always at the limit: a brake opposes every motion, a servo also pushes along. */
static bool isOverpowered(const Motor *m)
{
    return m->at_limit > nearly_all * m->steps && m->carried > driven_back * m->steps &&
           m->pushed > driven_back * m->steps;
}

static void judgeMotor(Findings *findings, int64_t world, const Motor *m)
{
    if (m->steps < 10 || m->at_limit < often * m->steps) return;
    /* a servo's speed is set again in every step; the recording has the first one only */
    const bool servo = m->followed < often * (m->steps - m->at_limit);
    if ((servo || m->speed == 0) && isOverpowered(m)) {
        reportCarried(findings, world, m);
        return;
    }
    if (m->speed == 0) return; /* a brake, or a servo that starts at its target */
    if (servo) {
        if (m->stalled <= often * m->steps) return;
        if (isClamped(findings, m))
            reportClamped(findings, world, m);
        else
            addStall(findings, world, m);
        return;
    }
    const double mean = m->rate / m->steps, share = (double)m->at_limit / m->steps;
    if (mean > reached * fabs(m->speed)) return;
    if (isClamped(findings, m)) {
        reportClamped(findings, world, m);
        return;
    }
    if (m->linear && m->stalled > often * m->steps && pressedSteps(findings, m) > often * m->at_limit) {
        reportPressed(findings, world, m);
        return;
    }
    Finding *const f = addMotorFinding(findings, world, m, FindingWarning, "motor_limit");
    f->excess = fmin(fabs(m->speed) / fmax(mean, 1e-3 * fabs(m->speed)), 1e3);
    findingWhat(f, "motor too weak: %s is at its limit of %.4g %s in %.0f %% of the steps",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100 * share);
    /* what damping and the caps of angular speeds have taken of the work of the world's motors */
    const double given = findingsWork(findings, world, "'motors'");
    const double damped = -findingsWork(findings, world, "'damping'") / given;
    const bool brakes = given != 0 && damped > often;
    char load[120] = "the load exceeds dParamFMax";
    if (brakes)
        snprintf(load, sizeof load, "damping or dBodySetMaxAngularSpeed takes %.0f %% of the motors' work",
                 100 * damped);
    findingCause(f, "It should move at %.3g %s, and moves at %.3g on average: %s.", m->speed,
                 m->linear ? "m/s" : "rad/s", copysign(mean, m->speed * mean), load);
    findingRemedy(f, "%s",
                  brakes ? "Raise the body's maximum angular speed above the motor's, if it is set; else less "
                           "damping (dWorldSetLinearDamping, dWorldSetAngularDamping), or raise dParamFMax."
                         : "Raise dParamFMax, or reduce the speed or the load.");
}

/* axis 1 in body 1 or axis 2 in body 2, in the world's frame at the step */
static void axisOf(const Query *q, int which, double axis[3])
{
    double then[4], now[4];
    for (int k = 0; k < 3; k++) axis[k] = queryNumber(q, Axes + 3 * which + k);
    for (int k = 0; k < 4; k++)
        then[k] = queryNumber(q, Turns + 8 * which + k), now[k] = queryNumber(q, Turns + 8 * which + 4 + k);
    if (!isfinite(then[0]) || !isfinite(now[0])) return; /* the world, or a pose that was not recorded */
    turnVector(then, true, axis, axis);
    turnVector(now, false, axis, axis);
}

/* The share of a torque t1 a1 + t2 a2 along one of the axes; NaN: they are parallel, or not known. */
static double torqueAlong(const Query *q, const double torque[3], int which)
{
    double a[2][3], dot[2] = {0, 0}, cosine = 0;
    for (int i = 0; i < 2; i++) axisOf(q, i, a[i]);
    for (int k = 0; k < 3; k++)
        dot[0] += torque[k] * a[0][k], dot[1] += torque[k] * a[1][k], cosine += a[0][k] * a[1][k];
    const double square = 1 - cosine * cosine;
    return square > 1e-3 ? fabs(dot[which] - cosine * dot[1 - which]) / square : (double)NAN;
}

/* the force or torque of the joint's motors */
static void motorEffort(const Query *q, const Motor *m, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = queryNumber(q, (m->linear ? 5 : 8) + k);
}

/* Effort of a motor in a step [N or N m], and the limit with which it is compared. Motors of one joint whose shares
 * cannot be separated are compared together: the root of the sum of their squares. */
static double effortOf(const Query *q, const Motor *m, double *limit)
{
    const char *const type = queryText(q, 1);
    double x[3];
    motorEffort(q, m, x);
    *limit = queryNumber(q, 2);
    if (!m->linear && m->axis < 3 && queryInteger(q, 15) == 2 && (type[0] == 'h' || type[0] == 'u')) {
        const double own = torqueAlong(q, x, (int)m->axis - 1);
        if (isfinite(own)) return *limit = queryNumber(q, 14), own;
    }
    return hypot(hypot(x[0], x[1]), x[2]);
}

/* Power of a motor along an axis of one of its bodies; 0: another motor. */
static double powerOfMotor(const Query *q, const Motor *m, double rate)
{
    const char *const type = queryText(q, 1);
    const bool first = strcmp(type, "hinge") == 0 || strcmp(type, "slider") == 0;
    const bool either = strcmp(type, "hinge2") == 0 || strcmp(type, "universal") == 0;
    double axis[3] = {0}, x[3];
    if (!(first && m->axis == 1) && !(either && m->axis <= 2)) return 0;
    axisOf(q, (int)m->axis - 1, axis);
    motorEffort(q, m, x);
    return (x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2]) * rate;
}

void findingsOfMotors(Findings *findings, int64_t world)
{
    Motor m = {.joint = 0};
    for (Query q = queryBegin(findings->reader, rows, (long long)world); queryNext(&q);) {
        if (queryInteger(&q, 0) != m.joint || queryInteger(&q, 12) != m.axis) {
            judgeMotor(findings, world, &m);
            m = (Motor){.joint = queryInteger(&q, 0),
                        .axis = queryInteger(&q, 12),
                        .speed = queryNumber(&q, 3),
                        .linear = queryInteger(&q, 13) != 0};
        }
        const double size = effortOf(&q, &m, &m.limit);
        const double rate = queryNumber(&q, 11);
        const bool limited = size >= 0.999 * m.limit;
        if (limited && m.at_limit == 0) m.first = queryInteger(&q, 4);
        m.steps++, m.at_limit += limited;
        m.stalled += limited && fabs(rate) < stands;
        const double power = limited && fabs(rate) >= stands ? powerOfMotor(&q, &m, rate) : 0;
        m.carried += power < 0;
        m.pushed += power > 0;
        m.followed += !limited && fabs(rate - m.speed) < 0.05 * fabs(m.speed);
        if (isfinite(rate)) m.rate += copysign(rate, rate * m.speed);
    }
    judgeMotor(findings, world, &m);
}

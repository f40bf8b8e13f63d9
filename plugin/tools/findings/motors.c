/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/motors.c: finding: motors at the limit of their force that do not reach their speed. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

/* The fraction of the steps, or of those at the limit, from which on something is frequent. */
static const double often = 0.5;
/* The load carries a servo along that is at its limit in more than the fraction `nearly_all` of the steps and moves
 * both against its force and with it, each in more than the fraction `driven_back`. */
static const double nearly_all = 0.9, driven_back = 0.1;
/* A motor whose mean speed exceeds this fraction of the desired speed has reached it. */
static const double reached = 0.95;
/* A motor with a lower speed than this is stationary [rad/s or m/s]. */
static const double stationary = 0.02;
/* A motor whose force is at least this fraction of its limit is at the limit. */
static const double at_its_limit = 0.999;
/* A motor follows the desired speed if its speed differs by less than this fraction of it. */
static const double follows = 0.05;

/* whether `t`, a row of joint_parameter, belongs to an axis of translation */
#define LINEAR(t)                                                                                                      \
    "(j.type IN ('slider', 'LMotor') OR (j.type IN ('PR', 'piston') AND " t ".axis = 1) OR (j.type = 'PU' AND " t      \
    ".axis = 3))"
/* the orientation of `t`, a row of body_step */
#define TURN(t) t ".orientation_w, " t ".orientation_x, " t ".orientation_y, " t ".orientation_z"

/* One row for each step of each motor with a finite force and a speed. Axes and orientations serve joints that have an
 * axis in each body. */
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
/* the columns of `rows` */
enum {
    MotorJoint,
    MotorJointType,
    MotorTogether, /* root of the sum of the squares of the joint's limits for forces, or for torques */
    MotorSpeed,    /* the desired one */
    MotorStep,
    MotorForce,                   /* x, y, z: of all motors of the joint */
    MotorTorque = MotorForce + 3, /* x, y, z: the same */
    MotorRate = MotorTorque + 3,
    MotorAxis, /* 1, 2 or 3 */
    MotorIsLinear,
    MotorLimit,                /* of this axis */
    MotorCount,                /* axes of the joint with a motor */
    MotorAxes,                 /* axes 1 and 2, x, y, z each, when the joint was created */
    MotorTurns = MotorAxes + 6 /* orientations, four columns each: of body 1 when the joint was created, and in this
                                  step; of body 2 likewise */
};

typedef struct Motor {
    int64_t joint, axis, first; /* first: step at the limit */
    double limit, speed, rate;  /* rate: sum over steps, towards the speed */
    int steps, at_limit;
    int followed;        /* steps not at the limit in which it follows the first speed that it was set to */
    int stalled;         /* steps at the limit in which it is stationary */
    int carried, pushed; /* steps at the limit in which it moves against its force, and with it */
    bool linear;
} Motor;

static Finding *addMotorFinding(Findings *findings, int64_t world, const Motor *m, Severity severity, const char *kind)
{
    Finding *const f = findingAdd(findings, severity, kind);
    f->depth = 1, f->world = world, f->joint = m->joint, f->step = m->first;
    f->value = m->limit, f->unit = m->linear ? "N" : "N m";
    return f;
}

/* Reports a servo that is stationary at its limit. */
static void reportStalled(Findings *findings, int64_t world, const Motor *m)
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

/* Reports a motor of constant speed that presses something against a surface, as a gripper does. */
static void reportPressed(Findings *findings, int64_t world, const Motor *m)
{
    Finding *const f = addMotorFinding(findings, world, m, FindingNote, "motor_limit");
    findingWhat(f, "motor stopped by contacts: %s presses with its limit of %.4g %s in %.0f %% of the steps",
                findingJoint(findings->reader, m->joint), m->limit, f->unit, 100.0 * m->stalled / m->steps);
    findingCause(f, "It should move at %.3g m/s, and is stationary: contacts of its bodies push back.", m->speed);
    findingRemedy(f, "For a gripper or a clamp this is normal; otherwise raise dParamFMax, or remove what blocks it.");
}

/* Reports a servo that is nearly always at its limit, and that its load moves back and forth. */
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

/* Whether one of the joint's bodies touches surfaces of two directions, with mu > 0.3 on both, so that friction keeps
 * it at rest: in more steps, from the first one at the limit on, than half the number of steps at the limit. */
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

/* Whether the load moves a motor that is nearly always at its limit: partly against its force, partly with it. A brake
 * only opposes motions. */
static bool isCarriedByLoad(const Motor *m)
{
    return m->at_limit > nearly_all * m->steps && m->carried > driven_back * m->steps &&
           m->pushed > driven_back * m->steps;
}

static void judgeMotor(Findings *findings, int64_t world, const Motor *m)
{
    if (m->steps < 10 || m->at_limit < often * m->steps) return;
    /* a servo's speed is set again in every step; the recording has the first one only */
    const bool servo = m->followed < often * (m->steps - m->at_limit);
    if ((servo || m->speed == 0) && isCarriedByLoad(m)) {
        reportCarried(findings, world, m);
        return;
    }
    if (m->speed == 0) return; /* a brake, or a servo that starts at its target */
    if (servo) {
        if (m->stalled <= often * m->steps) return;
        if (isClamped(findings, m))
            reportClamped(findings, world, m);
        else
            reportStalled(findings, world, m);
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

/* Reads axis 1 in body 1 (which = 0) or axis 2 in body 2 (which = 1), in the world's frame at the step. */
static void axisOf(const Query *q, int which, double axis[3])
{
    double then[4], now[4];
    for (int k = 0; k < 3; k++) axis[k] = queryNumber(q, MotorAxes + 3 * which + k);
    for (int k = 0; k < 4; k++)
        then[k] = queryNumber(q, MotorTurns + 8 * which + k), now[k] = queryNumber(q, MotorTurns + 8 * which + 4 + k);
    if (!isfinite(then[0]) || !isfinite(now[0])) return; /* the world, or an orientation that was not recorded */
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

/* Reads the force or torque of the joint's motors. */
static void motorEffort(const Query *q, const Motor *m, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = queryNumber(q, (m->linear ? MotorForce : MotorTorque) + k);
}

/* Whether axis 1 of the type is in body 1 and axis 2 in body 2. */
static bool hasAxisInEachBody(const char *type)
{
    return strcmp(type, "hinge2") == 0 || strcmp(type, "universal") == 0;
}

/* Effort of a motor in a step [N or N m], and the limit with which it is compared. Motors of one joint whose shares
 * cannot be separated are compared together: the root of the sum of their squares. */
static double effortOf(const Query *q, const Motor *m, double *limit)
{
    double x[3];
    motorEffort(q, m, x);
    *limit = queryNumber(q, MotorTogether);
    if (!m->linear && m->axis < 3 && queryInteger(q, MotorCount) == 2 &&
        hasAxisInEachBody(queryText(q, MotorJointType))) {
        const double own = torqueAlong(q, x, (int)m->axis - 1);
        if (isfinite(own)) return *limit = queryNumber(q, MotorLimit), own;
    }
    return hypot(hypot(x[0], x[1]), x[2]);
}

/* Power of a motor along an axis of one of its bodies; 0: another motor. */
static double powerOfMotor(const Query *q, const Motor *m, double rate)
{
    const char *const type = queryText(q, MotorJointType);
    const bool first = strcmp(type, "hinge") == 0 || strcmp(type, "slider") == 0;
    double axis[3] = {0}, x[3];
    if (!(first && m->axis == 1) && !(hasAxisInEachBody(type) && m->axis <= 2)) return 0;
    axisOf(q, (int)m->axis - 1, axis);
    motorEffort(q, m, x);
    return (x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2]) * rate;
}

void findingsOfMotors(Findings *findings, int64_t world)
{
    Motor m = {.joint = 0};
    for (Query q = queryBegin(findings->reader, rows, (long long)world); queryNext(&q);) {
        if (queryInteger(&q, MotorJoint) != m.joint || queryInteger(&q, MotorAxis) != m.axis) {
            judgeMotor(findings, world, &m);
            m = (Motor){.joint = queryInteger(&q, MotorJoint),
                        .axis = queryInteger(&q, MotorAxis),
                        .speed = queryNumber(&q, MotorSpeed),
                        .linear = queryInteger(&q, MotorIsLinear) != 0};
        }
        const double size = effortOf(&q, &m, &m.limit);
        const double rate = queryNumber(&q, MotorRate);
        const bool limited = size >= at_its_limit * m.limit;
        if (limited && m.at_limit == 0) m.first = queryInteger(&q, MotorStep);
        m.steps++, m.at_limit += limited;
        m.stalled += limited && fabs(rate) < stationary;
        const double power = limited && fabs(rate) >= stationary ? powerOfMotor(&q, &m, rate) : 0;
        m.carried += power < 0;
        m.pushed += power > 0;
        m.followed += !limited && fabs(rate - m.speed) < follows * fabs(m.speed);
        if (isfinite(rate)) m.rate += copysign(rate, rate * m.speed);
    }
    judgeMotor(findings, world, &m);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/limits.c: findings: stops and motors that are set and cannot act, stops that ODE's steps
 * pass. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"

static const double pi = 3.14159265358979323846;

/* ---- stops and motors without effect ----------------------------------------------------------------------------- */

/* One group of parameters of a joint; a stop that is not set is infinite. */
typedef struct Limit {
    int64_t joint, axis;
    char type[24];
    bool world_first, native; /* attached as (0, body); ODE's own steps */
    double lo, hi, vel, fmax;
} Limit;

static bool isOneOf(const Limit *l, const char *types)
{
    char word[32];
    snprintf(word, sizeof word, " %s ", l->type);
    return strstr(types, word) != NULL;
}

static bool hasStop(const Limit *l)
{
    return l->lo > -INFINITY || l->hi < INFINITY;
}

/* whether the stops of this group bound an angle */
static bool boundsAngle(const Limit *l)
{
    if (isOneOf(l, " hinge ") || (isOneOf(l, " hinge2 ") && l->axis == 1)) return true;
    if (isOneOf(l, " universal PU ")) return l->axis < 3;
    return isOneOf(l, " PR piston ") && l->axis == 2;
}

/* the same, with the outer angles of an AMotor in Euler mode */
static bool canWrap(Findings *findings, const Limit *l)
{
    if (!isOneOf(l, " AMotor ") || l->axis == 2) return boundsAngle(l);
    return queryOneInteger(findings->reader,
                           "SELECT count(*) FROM joint_parameter WHERE joint = %lld AND name = 'mode' AND value = 1",
                           (long long)l->joint) > 0;
}

static Finding *addLimits(Findings *findings, int64_t world, const Limit *l, const char *kind, Severity severity)
{
    Finding *const f = findingAdd(findings, severity, kind);
    f->depth = 1, f->world = world, f->joint = l->joint;
    return f;
}

static void idleStop(Findings *findings, int64_t world, const Limit *l, const char *why, const char *remedy)
{
    Finding *const f = addLimits(findings, world, l, "idle_stop", FindingWarning);
    findingWhat(f, "stop without effect: axis %lld of %s (stops %.4g, %.4g)", (long long)l->axis,
                findingJoint(findings->reader, l->joint), l->lo, l->hi);
    findingCause(f, "%s", why);
    findingRemedy(f, "%s", remedy);
}

/* In ODE's own steps an angle wraps at pi: a stop is passed by a body that turns from within the stop to beyond pi in
 * one step. */
static void judgePassed(Findings *findings, int64_t world, const Limit *l)
{
    if (!l->native || !hasStop(l) || !(l->lo < l->hi) || !canWrap(findings, l)) return;
    if (l->world_first && isOneOf(l, " universal PU ")) return; /* its stops act about the other axis: swapped_stops */
    if (isOneOf(l, " AMotor ") && findingsFound(findings, world, "amotor_singular")) return; /* angles flip there */
    /* from differences, because ODE has no rates of an AMotor's angles */
    Query q =
        queryBegin(findings->reader,
                   "WITH turn AS (SELECT s.step AS step, s.time AS time, CASE %lld WHEN 1 THEN angle_1 WHEN 2 "
                   "THEN angle_2 ELSE angle_3 END AS angle FROM joint_step r JOIN step s ON s.step = r.step WHERE "
                   "joint = %lld), row AS (SELECT step, angle, lag(angle) OVER t AS earlier, (lag(angle) OVER t "
                   "- lag(angle, 2) OVER t) / (lag(time) OVER t - lag(time, 2) OVER t) AS speed FROM turn WINDOW "
                   "t AS (ORDER BY step)) SELECT step, speed FROM row WHERE abs(angle - earlier) > %.17g AND "
                   "((%d AND earlier > 0 AND speed > 0) OR (%d AND earlier < 0 AND speed < 0)) ORDER BY step "
                   "LIMIT 1",
                   (long long)l->axis, (long long)l->joint, pi, l->hi <= pi, l->lo >= -pi);
    Finding *const f = queryNext(&q) ? addLimits(findings, world, l, "stop_passed", FindingError) : NULL;
    if (f) {
        const double speed = queryNumber(&q, 1);
        f->step = queryInteger(&q, 0), f->value = speed, f->unit = "rad/s";
        findingWhat(f, "stop passed: axis %lld of %s turned beyond its stop at %.4g, at %.3g rad/s", (long long)l->axis,
                    findingJoint(findings->reader, l->joint), speed > 0 ? l->hi : l->lo, fabs(speed));
        findingCause(f,
                     "ODE computes angles in [-pi, pi]: a body that turns beyond pi in one step is then at the other "
                     "stop, which pushes it, or between both.");
        findingRemedy(f, "ukode's steps, in which stops act at any angle; or stops farther from pi than a step turns.");
    }
    queryEnd(&q);
}

static void judgeLimit(Findings *findings, int64_t world, const Limit *l)
{
    if (hasStop(l) && ((isOneOf(l, " hinge2 ") && l->axis == 2) || isOneOf(l, " LMotor plane2d ")))
        idleStop(findings, world, l, "ODE never limits this axis, whatever its stops are.",
                 "Use a joint that limits the motion: an additional slider or hinge, or an AMotor for an angle.");
    else if (l->lo > l->hi && !isOneOf(l, " AMotor "))
        idleStop(findings, world, l, "The low stop is above the high one: ODE then tests neither.",
                 "Exchange them; set the low stop again after the high one, as ODE's manual says.");
    else if (l->native && boundsAngle(l) && hasStop(l) &&
             ((l->lo > -INFINITY && fabs(l->lo) > pi) || (l->hi < INFINITY && fabs(l->hi) > pi)))
        idleStop(findings, world, l, "ODE computes angles in [-pi, pi], so a stop beyond is never active.",
                 "Use stops within pi; or ukode's steps, in which stops act at any angle.");
    judgePassed(findings, world, l);
    if (l->lo == l->hi && l->fmax > 0 && l->vel != 0) {
        Finding *const f = addLimits(findings, world, l, "idle_motor", FindingWarning);
        findingWhat(f, "motor without effect: axis %lld of %s should move at %.4g, but both its stops are %.4g",
                    (long long)l->axis, findingJoint(findings->reader, l->joint), l->vel, l->lo);
        findingCause(f, "Equal low and high stops lock the joint; its motor has no effect.");
        findingRemedy(f, "Separate the stops while the motor should move the joint.");
    }
}

/* Groups stay with ODE's internal axes, which are the user's in the other order. */
static void judgeSwapped(Findings *findings, int64_t world, const Limit *first, const Limit *second)
{
    if (!first->world_first || !isOneOf(first, " universal PU ")) return;
    if (first->lo == second->lo && first->hi == second->hi) return;
    Finding *const f = addLimits(findings, world, first, "swapped_stops", FindingWarning);
    findingWhat(f, "stops about the other axis: %s is attached as (0, body)",
                findingJoint(findings->reader, first->joint));
    findingCause(
        f, "ODE then exchanges the bodies and their axes: parameter group 1 acts about axis 2, group 2 about axis 1.");
    findingRemedy(f, "Attach it as (body, 0), or set the parameters of the other group.");
}

static const char limits[] = "SELECT j.joint, j.type, j.body_1 IS NULL, l.axis, l.value, h.value, v.value, f.value, "
                             "(SELECT max(s.ukode) FROM step s WHERE s.world = j.world) FROM joint j "
                             "JOIN joint_parameter l ON l.joint = j.joint AND l.name = 'lo_stop' "
                             "JOIN joint_parameter h ON h.joint = j.joint AND h.axis = l.axis AND h.name = 'hi_stop' "
                             "JOIN joint_parameter v ON v.joint = j.joint AND v.axis = l.axis AND v.name = 'vel' "
                             "JOIN joint_parameter f ON f.joint = j.joint AND f.axis = l.axis AND f.name = 'fmax' "
                             "WHERE j.world = %lld ORDER BY j.joint, l.axis";

static double stopAt(double value, double none)
{
    return fabs(value) < 1e300 ? value : none;
}

static void judgeLimits(Findings *findings, int64_t world)
{
    Limit before = {.joint = 0};
    for (Query q = queryBegin(findings->reader, limits, (long long)world); queryNext(&q);) {
        Limit l = {.joint = queryInteger(&q, 0),
                   .axis = queryInteger(&q, 3),
                   .world_first = queryInteger(&q, 2) != 0,
                   .native = queryInteger(&q, 8) == 0,
                   .lo = stopAt(queryNumber(&q, 4), -INFINITY),
                   .hi = stopAt(queryNumber(&q, 5), INFINITY),
                   .vel = queryNumber(&q, 6),
                   .fmax = queryNumber(&q, 7)};
        snprintf(l.type, sizeof l.type, "%s", queryText(&q, 1));
        judgeLimit(findings, world, &l);
        if (before.joint == l.joint && l.axis == 2) judgeSwapped(findings, world, &before, &l);
        before = l;
    }
}

void findingsOfLimits(Findings *findings, int64_t world)
{
    judgeLimits(findings, world);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/limits.c: findings: stops and motors that are set and cannot act, stops that ODE's steps pass;
 * joints whose two forces are not collinear. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

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
static bool turns(const Limit *l)
{
    if (isOneOf(l, " hinge ") || (isOneOf(l, " hinge2 ") && l->axis == 1)) return true;
    if (isOneOf(l, " universal PU ")) return l->axis < 3;
    return isOneOf(l, " PR piston ") && l->axis == 2;
}

/* the same, with the outer angles of an AMotor in Euler mode */
static bool wraps(Findings *findings, const Limit *l)
{
    if (!isOneOf(l, " AMotor ") || l->axis == 2) return turns(l);
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
    if (!l->native || !hasStop(l) || !(l->lo < l->hi) || !wraps(findings, l)) return;
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
    else if (l->native && turns(l) && hasStop(l) &&
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

/* ---- forces that are not collinear ------------------------------------------------------------------------------- */

static const double noticed = 0.05;  /* angular impulse over angular momentum */
static const double rounding = 1e-9; /* of the anchor's coordinates and levers: a gap below this is none */

/* A point that both bodies carry, where they were when it was recorded. */
typedef struct Carried {
    double local[2][3];
} Carried;

/* step, time, force on body 1; then of each body position, orientation, velocity, spin, mass, largest inertia */
static const char reactions[] =
    "SELECT s.step, s.time, r.force_ideal_x + ifnull(r.force_motor_x, 0) + ifnull(r.force_stop_x, 0), r.force_ideal_y "
    "+ "
    "ifnull(r.force_motor_y, 0) + ifnull(r.force_stop_y, 0), r.force_ideal_z + ifnull(r.force_motor_z, 0) + "
    "ifnull(r.force_stop_z, 0), %s, %s FROM joint j JOIN joint_step r ON "
    "r.joint = j.joint JOIN step s ON s.step = r.step LEFT JOIN body_step p ON p.step = r.step AND p.body = j.body_1 "
    "LEFT JOIN body_step q ON q.step = r.step AND q.body = j.body_2 LEFT JOIN body a ON a.body = j.body_1 LEFT JOIN "
    "body b ON b.body = j.body_2 WHERE j.joint = %lld ORDER BY s.step";
static const char of_p[] = "p.position_x, p.position_y, p.position_z, p.orientation_w, p.orientation_x, "
                           "p.orientation_y, p.orientation_z, p.velocity_x, p.velocity_y, p.velocity_z, p.spin_x, "
                           "p.spin_y, p.spin_z, a.mass, max(a.inertia_xx, a.inertia_yy, a.inertia_zz)";
static const char of_q[] = "q.position_x, q.position_y, q.position_z, q.orientation_w, q.orientation_x, "
                           "q.orientation_y, q.orientation_z, q.velocity_x, q.velocity_y, q.velocity_z, q.spin_x, "
                           "q.spin_y, q.spin_z, b.mass, max(b.inertia_xx, b.inertia_yy, b.inertia_zz)";
enum { First = 5, Each = 15 };

/* what a row of the query says of one body; `there`: it is one */
typedef struct Pose {
    bool there;
    double x[3], q[4], v[3], w[3], mass, inertia;
} Pose;

static Pose poseOf(Query *q, int body)
{
    Pose pose = {.q = {1}};
    const int at = First + Each * body;
    pose.there = isfinite(queryNumber(q, at)) && isfinite(queryNumber(q, at + 13));
    if (!pose.there) return pose;
    double *const place[] = {pose.x, pose.q, pose.v, pose.w, &pose.mass, &pose.inertia};
    static const int size[] = {3, 4, 3, 3, 1, 1};
    int column = at;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        for (int k = 0; k < size[i]; k++) place[i][k] = queryNumber(q, column++);
    return pose;
}

static double length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* at most, about one another, or about the anchor where the other is the world */
static double limitsMomentumOf(const Pose pose[2], const double anchor[3])
{
    double x[3], v[3];
    const Pose *const one = pose[0].there ? &pose[0] : &pose[1];
    const bool two = pose[0].there && pose[1].there;
    for (int k = 0; k < 3; k++) {
        x[k] = one->x[k] - (two ? pose[1].x[k] : anchor[k]);
        v[k] = one->v[k] - (two ? pose[1].v[k] : 0);
    }
    const double product = pose[0].mass * pose[1].mass, sum = pose[0].mass + pose[1].mass;
    const double reduced = !two          ? one->mass
                           : product > 0 ? product / sum
                                         : sum; /* bodies without mass transmit forces */
    return pose[0].inertia * length(pose[0].w) + pose[1].inertia * length(pose[1].w) + reduced * length(x) * length(v);
}

/* gap between the two images of the anchor, and the second of them */
static void gapOf(const Carried *carried, const Pose pose[2], double gap[3], double anchor[3])
{
    double at[2][3];
    for (int k = 0; k < 2; k++) {
        turnVector(pose[k].q, false, carried->local[k], at[k]);
        for (int i = 0; i < 3; i++) at[k][i] += pose[k].x[i];
    }
    for (int i = 0; i < 3; i++) {
        gap[i] = at[0][i] - at[1][i];
        anchor[i] = at[1][i];
    }
}

static void judgeForces(Findings *findings, int64_t world, int64_t joint, const double anchor[3])
{
    Carried carried = {{{0}}}; /* set by the first row */
    double impulse[3] = {0}, momentum = 0, time = NAN, worst = 0;
    int64_t step = 0;
    for (Query q = queryBegin(findings->reader, reactions, of_p, of_q, (long long)joint); queryNext(&q);) {
        const Pose pose[2] = {poseOf(&q, 0), poseOf(&q, 1)};
        const double now = queryNumber(&q, 1), f[3] = {queryNumber(&q, 2), queryNumber(&q, 3), queryNumber(&q, 4)};
        double gap[3], at[3];
        if (!isfinite(time)) {
            for (int k = 0; k < 2; k++) {
                double d[3];
                for (int i = 0; i < 3; i++) d[i] = anchor[i] - pose[k].x[i];
                turnVector(pose[k].q, true, d, carried.local[k]);
            }
            time = now;
        }
        if (!isfinite(f[0] + f[1] + f[2])) continue;
        gapOf(&carried, pose, gap, at);
        if (!(length(gap) > rounding * (length(carried.local[0]) + length(carried.local[1]) + length(at)))) continue;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            impulse[i] += (now - time) * (gap[j] * f[k] - gap[k] * f[j]);
        }
        momentum = fmax(momentum, limitsMomentumOf(pose, at));
        time = now;
        const double ratio = momentum > 0 ? length(impulse) / momentum : 0;
        if (ratio > worst) worst = ratio;
        if (ratio > noticed && !step) step = queryInteger(&q, 0);
    }
    if (!(worst > noticed)) return;
    Finding *const f = findingAdd(findings, FindingError, "forces_not_collinear");
    f->depth = 2, f->world = world, f->joint = joint, f->step = step, f->value = length(impulse), f->unit = "N m s";
    f->excess = worst / noticed;
    findingWhat(f,
                "the two forces of %s are not collinear: their net torque has changed the angular momentum of its "
                "bodies by up to %.3g of its value",
                findingJoint(findings->reader, joint), worst);
    findingCause(f, "ODE's rows of this type act on each body at its own anchor. When the joint is displaced, the two "
                    "forces form a couple, which adds angular momentum.");
    findingRemedy(f, "--joints exact, or ukWorldSetJointRule(world, ukJointRuleExact).");
}

/* joints that may slide far: of these ODE's rows are those of the satisfied joint */
static void judgeJoints(Findings *findings, int64_t world)
{
    static const char joints[] =
        "SELECT j.joint, j.anchor_x, j.anchor_y, j.anchor_z FROM joint j JOIN world w ON w.world = j.world WHERE "
        "j.world = %lld AND j.type IN ('hinge2', 'PU') AND w.integrator IN ('euler', 'native') AND "
        "(w.integrator = 'native' OR w.joint_rule = 'ode') AND (j.type = 'hinge2' OR j.body_1 IS NOT NULL) ORDER BY "
        "j.joint";
    for (Query q = queryBegin(findings->reader, joints, (long long)world); queryNext(&q);) {
        const double anchor[3] = {queryNumber(&q, 1), queryNumber(&q, 2), queryNumber(&q, 3)};
        if (isfinite(anchor[0] + anchor[1] + anchor[2])) judgeForces(findings, world, queryInteger(&q, 0), anchor);
    }
}

void findingsOfLimits(Findings *findings, int64_t world)
{
    judgeLimits(findings, world);
    judgeJoints(findings, world);
}

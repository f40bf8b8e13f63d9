/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/settings.c: findings: settings that were forgotten or belong to another scene: a motor with a
 * speed and no force, no gravity, gravity that does not press bodies onto the ground; worlds in which nothing moves. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"

static const int steps_at_least = 10;
static const double near_speed = 0.05; /* of a motor's speed, relative */
static const double follows = 0.5;     /* of the steps, in which an axis without a motor has the motor's speed */
static const double level = 0.02;      /* cosine of gravity and a plane's normal: gravity acts along the plane */
static const double fallen = 10;       /* times a body's size, along gravity */
static const double aside = 0.1;       /* of the way along gravity */
static const double beside = 0.1;      /* of a body's size: how near it is to the plane where it begins */

/* ---- motors without force ---------------------------------------------------------------------------------------- */

/* of each axis with a speed and no force: recorded steps; those with any motor force; those at the speed. A stop that
 * is closed (lo = hi) takes the place of the motor. */
static const char motors[] =
    "SELECT j.joint, j.type, v.axis, v.value, count(s.step), sum(abs(s.force_motor_x) + abs(s.force_motor_y) + "
    "abs(s.force_motor_z) + abs(s.torque_motor_x) + abs(s.torque_motor_y) + abs(s.torque_motor_z) > 0), sum(abs(CASE "
    "v.axis WHEN 1 THEN s.rate_1 WHEN 2 THEN s.rate_2 ELSE s.rate_3 END - v.value) < %g * abs(v.value)), min(s.step) "
    "FROM joint j JOIN joint_parameter v ON v.joint = j.joint AND v.name = 'vel' AND v.value <> 0 JOIN joint_parameter "
    "f ON f.joint = j.joint AND f.axis = v.axis AND f.name = 'fmax' AND f.value <= 0 JOIN joint_step s ON s.joint = "
    "j.joint WHERE j.world = %lld AND NOT EXISTS (SELECT 1 FROM joint_parameter lo JOIN joint_parameter hi ON hi.joint "
    "= lo.joint AND hi.axis = lo.axis AND hi.name = 'hi_stop' WHERE lo.joint = j.joint AND lo.axis = v.axis AND "
    "lo.name "
    "= 'lo_stop' AND lo.value >= hi.value) GROUP BY j.joint, v.axis";

/* whether there is one */
static bool motorsWithoutForce(Findings *findings, int64_t world)
{
    bool found = false;
    /* of ODE's own steps the motors' forces are not known: an axis that once has the speed may be driven */
    const bool native =
        queryOne(findings->reader, "SELECT max(ukode) FROM step WHERE world = %lld", (long long)world) < 1;
    for (Query q = queryBegin(findings->reader, motors, near_speed, (long long)world); queryNext(&q);) {
        const double steps = queryNumber(&q, 4), driven = queryNumber(&q, 5), at_speed = queryNumber(&q, 6);
        const char *const type = queryText(&q, 1);
        const int64_t number = queryInteger(&q, 2);
        const bool linear = type[0] == 's' || type[0] == 'L' || (strcmp(type, "PU") == 0 && number == 3) ||
                            ((strcmp(type, "PR") == 0 || strcmp(type, "piston") == 0) && number == 1);
        const char *const suffix[] = {"", "", "2", "3"}, *const axis = suffix[number & 3];
        if (steps < steps_at_least || driven > 0 || (native ? at_speed > 0 : at_speed > follows * steps)) continue;
        Finding *const f = findingAdd(findings, FindingWarning, "motor_without_force");
        found = true;
        f->depth = 2, f->world = world, f->joint = queryInteger(&q, 0), f->step = queryInteger(&q, 7);
        f->value = queryNumber(&q, 3), f->unit = linear ? "m/s" : "rad/s";
        findingWhat(f, "motor without force: %s has dParamVel%s = %.4g and dParamFMax%s = 0",
                    findingJoint(findings->reader, f->joint), axis, f->value, axis);
        findingCause(f,
                     "A motor drives its axis with at most dParamFMax, whose default is 0: this motor has no effect.");
        findingRemedy(f, "Set dParamFMax%s to the force or torque that it may use; or dParamVel%s to 0.", axis, axis);
    }
    return found;
}

/* ---- gravity ----------------------------------------------------------------------------------------------------- */

/* Data of a world about gravity and the ground. */
typedef struct Scene {
    double gravity[3], size;       /* size: |gravity| */
    int planes, statics;           /* static shapes that are planes, and all of them */
    double normal[3], position[3]; /* of the last plane */
    double contacts, rows;         /* largest of a step */
    double steps;
    int64_t first, last; /* steps */
} Scene;

static void readGround(Findings *findings, int64_t world, Scene *s)
{
    for (Query q = queryBegin(findings->reader,
                              "SELECT type, orientation_w, orientation_x, orientation_y, orientation_z, position_x, "
                              "position_y, position_z FROM shape WHERE world = %lld AND body IS NULL AND type <> 'ray'",
                              (long long)world);
         queryNext(&q);) {
        const double w = queryNumber(&q, 1), x = queryNumber(&q, 2), y = queryNumber(&q, 3), z = queryNumber(&q, 4);
        s->statics++;
        if (queryText(&q, 0)[0] != 'p') continue;
        s->planes++; /* z, turned by the quaternion */
        s->normal[0] = 2 * (x * z + w * y), s->normal[1] = 2 * (y * z - w * x), s->normal[2] = 1 - 2 * (x * x + y * y);
        for (int k = 0; k < 3; k++) s->position[k] = queryNumber(&q, 5 + k);
    }
}

static Scene sceneOf(Findings *findings, int64_t world)
{
    Scene s = {.planes = 0};
    Query q = queryBegin(findings->reader,
                         "SELECT w.gravity_x, w.gravity_y, w.gravity_z, max(s.contacts), max(s.rows), count(*), "
                         "min(s.step), max(s.step) FROM world w JOIN step s ON s.world = w.world WHERE w.world = %lld",
                         (long long)world);
    if (queryNext(&q)) {
        for (int k = 0; k < 3; k++) s.gravity[k] = queryNumber(&q, k);
        s.contacts = queryNumber(&q, 3), s.rows = queryNumber(&q, 4), s.steps = queryNumber(&q, 5);
        s.first = queryInteger(&q, 6), s.last = queryInteger(&q, 7);
    }
    queryEnd(&q);
    s.size = sqrt(s.gravity[0] * s.gravity[0] + s.gravity[1] * s.gravity[1] + s.gravity[2] * s.gravity[2]);
    readGround(findings, world, &s);
    return s;
}

/* First and last recorded state of the bodies without joints, with the largest of their edges or diameters. */
static const char free_bodies[] =
    "SELECT b.body, a.position_x, a.position_y, a.position_z, z.position_x, z.position_y, z.position_z, (SELECT "
    "max(CASE type WHEN 'box' THEN max(size_1, size_2, size_3) WHEN 'sphere' THEN 2 * size_1 ELSE size_2 + 2 * size_1 "
    "END) FROM shape WHERE body = b.body AND type IN ('box', 'sphere', 'capsule', 'cylinder')) AS size FROM (SELECT "
    "body, min(step) AS first, max(step) AS last FROM body_step GROUP BY body) e JOIN body b ON b.body = e.body JOIN "
    "body_step a ON a.body = b.body AND a.step = e.first JOIN body_step z ON z.body = b.body AND z.step = e.last "
    "WHERE b.world = %lld AND b.kinematic = 0 AND NOT EXISTS (SELECT 1 FROM joint j WHERE (j.body_1 = b.body OR "
    "j.body_2 = b.body) AND j.type <> 'contact') ORDER BY b.body";

/* A body that begins at rest on the only static plane, and falls along it, or away from it, as if it were not there; 0:
 * there is none, or another body does otherwise. */
static int64_t fallsPast(Findings *findings, int64_t world, const Scene *s, double *way)
{
    int64_t found = 0;
    for (Query q = queryBegin(findings->reader, free_bodies, (long long)world); queryNext(&q);) {
        const double size = queryNumber(&q, 7);
        double above = 0, along = 0, off = 0;
        for (int k = 0; k < 3; k++) {
            const double moved = queryNumber(&q, 4 + k) - queryNumber(&q, 1 + k);
            above += (queryNumber(&q, 1 + k) - s->position[k]) * s->normal[k];
            along += moved * s->gravity[k] / s->size;
            off += moved * s->normal[k];
        }
        const bool on_plane = above > 0 && above < (0.87 + beside) * size; /* half a cube's diagonal, and a gap */
        if (fabs(off) > aside * along + beside * size) { /* it leaves the plane, or meets it: the plane is a wall */
            queryEnd(&q);
            return 0;
        }
        if (on_plane && along > fallen * size) *way = along, found = queryInteger(&q, 0);
    }
    return found;
}

static void gravityDirection(Findings *findings, int64_t world, const Scene *s)
{
    double dot = 0, way = 0;
    for (int k = 0; k < 3; k++) dot += s->gravity[k] * s->normal[k];
    if (s->planes != 1 || s->statics != 1 || !(s->size > 0) || !(fabs(dot) < level * s->size)) return;
    const int64_t body = fallsPast(findings, world, s, &way);
    Finding *const f = body ? findingAdd(findings, FindingWarning, "gravity_direction") : NULL;
    if (!f) return;
    f->depth = 3, f->world = world, f->body = body, f->step = s->first, f->value = way, f->unit = "m";
    findingWhat(f,
                "gravity acts along the ground: it is %.3g, %.3g, %.3g m/s², the only plane has the normal %.3g, %.3g, "
                "%.3g, and %s falls %.3g m along it",
                s->gravity[0], s->gravity[1], s->gravity[2], s->normal[0], s->normal[1], s->normal[2],
                findingBody(findings->reader, body), way);
    findingCause(f, "Gravity is not set along the normal of the ground.");
    findingRemedy(f, "dWorldSetGravity(world, %.3g, %.3g, %.3g), or a plane perpendicular to gravity.",
                  -s->size * s->normal[0], -s->size * s->normal[1], -s->size * s->normal[2]);
}

/* ---- nothing moves ----------------------------------------------------------------------------------------------- */

/* the largest way and turn of a recorded body, and the largest speed; NaN: no body was recorded */
static double motionOf(Findings *findings, int64_t world)
{
    return queryOne(
        findings->reader,
        "SELECT max(d) FROM (SELECT max(b.position_x) - min(b.position_x) + max(b.position_y) - min(b.position_y) + "
        "max(b.position_z) - min(b.position_z) + max(b.orientation_w) - min(b.orientation_w) + max(b.orientation_x) - "
        "min(b.orientation_x) + max(b.orientation_y) - min(b.orientation_y) + max(b.orientation_z) - "
        "min(b.orientation_z) + max(abs(b.velocity_x) + abs(b.velocity_y) + abs(b.velocity_z) + abs(b.spin_x) + "
        "abs(b.spin_y) + abs(b.spin_z)) AS d FROM body_step b JOIN body o ON o.body = b.body WHERE o.world = %lld "
        "GROUP "
        "BY b.body)",
        (long long)world);
}

/* The magnitudes of a part of the joints' forces, its name put twice into SQL; native steps have the ideal part
 * alone. */
#define JOINT_FORCE(part)                                                                                              \
    "coalesce(abs(force_" part "_x) + abs(force_" part "_y) + abs(force_" part "_z) + abs(torque_" part                \
    "_x) + abs(torque_" part "_y) + abs(torque_" part "_z), 0)"

/* Whether all joints and contacts have recorded forces, and these are zero. Forces of user constraints are not
 * recorded: rows that belong to nothing else may be theirs. */
static bool forcesAreZero(Findings *findings, int64_t world, const Scene *s)
{
    const double forces = queryOne(
        findings->reader,
        "SELECT sum(" JOINT_FORCE("ideal") " + " JOINT_FORCE("motor") " + " JOINT_FORCE("stop") " + " JOINT_FORCE(
            "non_ideal") " + (force_ideal_x IS NULL)) FROM joint_step j JOIN step s ON s.step = j.step WHERE s.world = "
                         "%lld",
        (long long)world);
    const double pressed =
        queryOne(findings->reader,
                 "SELECT sum(coalesce(abs(c.force_x) + abs(c.force_y) + abs(c.force_z), 1)) FROM contact_step c JOIN "
                 "step s ON s.step = c.step WHERE s.world = %lld",
                 (long long)world);
    if (isnan(forces) && isnan(pressed)) return !(s->rows > 0); /* neither joints nor contacts */
    return !(forces > 0) && !(pressed > 0);
}

/* why nothing moves, if neither joints nor contacts keep bodies at rest; NULL: they do */
static const char *whyStill(Findings *findings, int64_t world, const Scene *s, const char **remedy)
{
    const double dynamic =
        queryOne(findings->reader, "SELECT count(*) FROM body WHERE world = %lld AND kinematic = 0", (long long)world);
    const double awake = queryOne(findings->reader,
                                  "SELECT sum(b.awake) FROM body_step b JOIN body o ON o.body = b.body WHERE o.world = "
                                  "%lld AND o.kinematic = 0",
                                  (long long)world);
    if (!(dynamic > 0)) {
        *remedy = "dBodySetDynamic on bodies that should move freely; or set the velocities of the kinematic ones.";
        return "All bodies are kinematic, and none has a velocity.";
    }
    if (!(awake > 0)) {
        *remedy = "dBodyEnable on the bodies, or dBodySetAutoDisableFlag(body, 0).";
        return "All bodies are disabled or asleep from the first recorded step on.";
    }
    if (!forcesAreZero(findings, world, s)) return NULL;
    if (s->size == 0) {
        *remedy =
            "dWorldSetGravity(world, 0, 0, -9.81), if bodies should fall; otherwise give them a velocity or a force.";
        return "Gravity is zero, no body has a velocity, and no force acts.";
    }
    if (s->size > 0 && s->rows == 0) {
        *remedy = "dBodySetGravityMode(body, 1).";
        return "Gravity does not act on any body (dBodySetGravityMode), no body has a velocity, and no force acts.";
    }
    return NULL;
}

static void nothingMoves(Findings *findings, int64_t world, const Scene *s)
{
    const char *remedy = "";
    if (s->steps < steps_at_least || motionOf(findings, world) != 0) return; /* NaN: no body */
    const char *const why = whyStill(findings, world, s, &remedy);
    Finding *const f = why ? findingAdd(findings, FindingWarning, "nothing_moves") : NULL;
    if (!f) return;
    f->depth = 3, f->world = world, f->step = s->last;
    findingWhat(f, "nothing moves: no body has moved in %.0f steps", s->steps);
    findingCause(f, "%s", why);
    findingRemedy(f, "%s", remedy);
}

/* Gravity is zero, and there is a ground, a static plane alone, that no body ever touches: a wall would be met. */
static void gravityZero(Findings *findings, int64_t world, const Scene *s)
{
    const double planar = queryOne(
        findings->reader, "SELECT count(*) FROM joint WHERE world = %lld AND type = 'plane2d'", (long long)world);
    if (s->size > 0 || s->planes != 1 || s->statics != 1 || s->contacts > 0 || planar > 0) return;
    if (s->steps < steps_at_least || !(motionOf(findings, world) > 0)) return; /* nothing moves: that is said */
    Finding *const f = findingAdd(findings, FindingNote, "gravity_zero");
    f->depth = 2, f->world = world, f->step = s->first, f->value = 0, f->unit = "m/s^2";
    findingWhat(f, "gravity is zero, and nothing ever touches the ground, the only static plane");
    findingCause(f, "Without dWorldSetGravity a world has none.");
    findingRemedy(f, "dWorldSetGravity(world, %.3g, %.3g, %.3g), if bodies should fall onto it.", -9.81 * s->normal[0],
                  -9.81 * s->normal[1], -9.81 * s->normal[2]);
}

void findingsOfSettings(Findings *findings, int64_t world)
{
    const Scene s = sceneOf(findings, world);
    if (!motorsWithoutForce(findings, world)) nothingMoves(findings, world, &s);
    gravityZero(findings, world, &s);
    gravityDirection(findings, world, &s);
}

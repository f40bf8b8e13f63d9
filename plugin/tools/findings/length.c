/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/length.c: finding: steps that are too long for the motion of a body: it rotates far in one
 * step, or, where there are contacts, moves by its thickness. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

static const double turn_a_step = 0.5; /* [rad] */
static const double travel_a_step = 1; /* of a body's thickness in the direction of its motion */
static const double aligned = 1e-3;    /* sine of an angle between directions that are the same; relative difference */

/* Key of the step from which on the motion is not that of the model, as another finding says: what is fast then does
 * not need a shorter step. */
static int64_t thrownFrom(const Findings *findings, int64_t world)
{
    double from = queryOne(findings->reader, "SELECT min(step) FROM event WHERE world = %lld AND kind = 'surge'",
                           (long long)world);
    for (int i = 0; i < findings->count; i++) {
        const Finding *const f = &findings->list[i];
        if (f->world == world && (strcmp(f->kind, "explosion") == 0 || strcmp(f->kind, "amotor_singular") == 0))
            from = fmin(from, (double)f->step);
    }
    return from > 0 ? (int64_t)from : INT64_MAX;
}

/* ---- rotation ---------------------------------------------------------------------------------------------------- */

/* the adaptive integrator divides a step as far as the motion asks for */
static bool dividesSteps(Findings *findings, int64_t world)
{
    return queryOne(
               findings->reader,
               "SELECT count(*) FROM world w JOIN step s ON s.world = w.world WHERE w.world = %lld AND w.integrator "
               "IN ('adaptive', 'radau') AND s.contacts = 0",
               (long long)world) > 0;
}

/* Joints and contacts that prevent a body from being a rotor: all but hinges about its own axis and at its own
 * centre. */
static const char holders[] =
    "SELECT (SELECT count(*) FROM contact_step c WHERE c.body_1 = %lld OR c.body_2 = %lld) + (SELECT count(*) FROM "
    "joint j LEFT JOIN body_step b ON b.body = %lld AND b.step = j.created_step WHERE j.type <> 'contact' AND %lld IN "
    "(j.body_1, j.body_2) AND NOT (j.type = 'hinge' AND coalesce(abs(j.axis_1_x * %.17g + j.axis_1_y * %.17g + "
    "j.axis_1_z * %.17g) > 1 - 1e-6 AND abs((j.anchor_y - b.position_y) * j.axis_1_z - (j.anchor_z - b.position_z) * "
    "j.axis_1_y) + abs((j.anchor_z - b.position_z) * j.axis_1_x - (j.anchor_x - b.position_x) * j.axis_1_z) + "
    "abs((j.anchor_x - b.position_x) * j.axis_1_y - (j.anchor_y - b.position_y) * j.axis_1_x) < 1e-6, 0)))";

/* whether a body is symmetric about this axis, which has unit length in its own frame */
static bool isSymmetricAbout(Findings *findings, int64_t body, const double n[3])
{
    bool yes = false;
    Query q = queryBegin(
        findings->reader,
        "SELECT inertia_xx, inertia_xy, inertia_xz, inertia_yy, inertia_yz, inertia_zz FROM body WHERE body = %lld",
        (long long)body);
    if (queryNext(&q)) {
        /* I - along n n' - across (1 - n n') vanishes */
        static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
        double along = 0, trace = 0, off = 0;
        for (int i = 0; i < 3; i++) {
            trace += queryNumber(&q, place[i][i]);
            for (int k = 0; k < 3; k++) along += n[i] * queryNumber(&q, place[i][k]) * n[k];
        }
        const double across = 0.5 * (trace - along);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                off = fmax(off,
                           fabs(queryNumber(&q, place[i][k]) - (along - across) * n[i] * n[k] - (i == k ? across : 0)));
        yes = off < aligned * trace;
    }
    queryEnd(&q);
    return yes;
}

/* A rotor: its axis keeps its direction while the body is fast, the body is symmetric about it, and nothing else acts
 * on it. However far it rotates, every step is exact. */
static bool isRotor(Findings *findings, int64_t body)
{
    double axis[3] = {0};
    bool steady = true, known = false;
    for (Query q = queryBegin(findings->reader,
                              "SELECT spin_x, spin_y, spin_z, orientation_w, orientation_x, orientation_y, "
                              "orientation_z FROM body_step b JOIN step s ON s.step = b.step WHERE body = %lld AND "
                              "(spin_x * spin_x + spin_y * spin_y + spin_z * spin_z) * s.h * s.h > %.17g ORDER BY "
                              "b.step",
                              (long long)body, turn_a_step * turn_a_step);
         queryNext(&q);) {
        double n[3], own[3], dot = 0;
        const double turn[4] = {queryNumber(&q, 3), queryNumber(&q, 4), queryNumber(&q, 5), queryNumber(&q, 6)};
        for (int k = 0; k < 3; k++) n[k] = queryNumber(&q, k);
        const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++) n[k] /= size, dot += n[k] * axis[k];
        if (!known) {
            turnVector(turn, true, n, own);
            memcpy(axis, n, sizeof axis);
            steady = isSymmetricAbout(findings, body, own);
        } else if (!(fabs(dot) > 1 - 0.5 * aligned * aligned)) {
            steady = false;
        }
        known = true;
    }
    const long long b = (long long)body;
    return known && steady && queryOne(findings->reader, holders, b, b, b, b, axis[0], axis[1], axis[2]) == 0;
}

static void addTurn(Findings *findings, int64_t world, const Query *q)
{
    const double turn = queryNumber(q, 3), h = queryNumber(q, 2);
    Finding *const f = findingAdd(findings, turn > 1 ? FindingError : FindingWarning, "step_too_long");
    f->depth = 1, f->world = world, f->body = queryInteger(q, 0), f->step = queryInteger(q, 1);
    f->value = turn, f->unit = "rad", f->excess = turn / turn_a_step;
    findingWhat(f, "step too long: %s rotates by %.3g rad in one step of %.3g s",
                findingBody(findings->reader, f->body), turn, h);
    findingCause(f, "Forces and joints are evaluated at the start of the step; a rotation of more than 0.1 rad "
                    "changes them substantially.");
    findingRemedy(f, "h <= %.2g s.", 0.1 * h / turn);
}

static void findFastTurns(Findings *findings, int64_t world, int64_t before)
{
    if (dividesSteps(findings, world)) return;
    for (Query q = queryBegin(findings->reader,
                              "SELECT b.body, b.step, s.h, max(sqrt(b.spin_x * b.spin_x + b.spin_y * b.spin_y + "
                              "b.spin_z * b.spin_z) * s.h) AS turn FROM body_step b JOIN step s ON s.step = b.step "
                              "WHERE s.world = %lld AND s.step < %lld GROUP BY b.body HAVING turn > %.17g ORDER BY "
                              "turn DESC",
                              (long long)world, (long long)before, turn_a_step);
         queryNext(&q);) {
        if (isRotor(findings, queryInteger(&q, 0))) continue;
        addTurn(findings, world, &q);
        queryEnd(&q);
        return;
    }
}

/* ---- way --------------------------------------------------------------------------------------------------------- */

/* Length [m] of the line through a shape's centre along a unit vector of its frame: after this distance the shape does
 * not overlap its former place. */
static double chordLength(const char *type, const double size[3], const double n[3])
{
    const double across = hypot(n[0], n[1]), along = fabs(n[2]);
    double least = INFINITY;
    switch (type[0]) {
    case 'b':
        for (int k = 0; k < 3; k++) least = fmin(least, size[k] / fabs(n[k]));
        return least;
    case 's': return 2 * size[0];
    default: return fmin(2 * size[0] / across, (size[1] + (type[1] == 'a' ? 2 * size[0] : 0)) / along);
    }
}

/* steps in which a body moves by the thickness of one of its shapes: their poses and sizes */
static const char fast[] =
    "SELECT b.body, b.step, s.h, b.velocity_x, b.velocity_y, b.velocity_z, b.orientation_w, b.orientation_x, "
    "b.orientation_y, b.orientation_z, g.orientation_w, g.orientation_x, g.orientation_y, g.orientation_z, g.size_1, "
    "g.size_2, g.size_3, g.type FROM body_step b JOIN step s ON s.step = b.step JOIN shape g ON g.body = b.body AND "
    "g.type IN ('box', 'sphere', 'capsule', 'cylinder') WHERE s.world = %lld AND s.step < %lld AND s.contacts > 0 AND "
    "sqrt(b.velocity_x * b.velocity_x + b.velocity_y * b.velocity_y + b.velocity_z * b.velocity_z) * s.h > %.17g * "
    "CASE g.type WHEN 'box' THEN min(g.size_1, g.size_2, g.size_3) WHEN 'cylinder' THEN min(2 * g.size_1, g.size_2) "
    "ELSE 2 * g.size_1 END ORDER BY b.step";

/* way in a step, of the thickness in its direction */
static double shareOf(const Query *q)
{
    double v[3], size[3], turn[2][4], speed = 0;
    for (int k = 0; k < 3; k++) v[k] = queryNumber(q, 3 + k), speed += v[k] * v[k], size[k] = queryNumber(q, 14 + k);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) turn[i][k] = queryNumber(q, 6 + 4 * i + k);
    speed = sqrt(speed);
    for (int k = 0; k < 3; k++) v[k] /= speed;
    turnVector(turn[0], true, v, v);
    if (isfinite(turn[1][0])) turnVector(turn[1], true, v, v);
    return speed * queryNumber(q, 2) / chordLength(queryText(q, 17), size, v);
}

static void findFastTravel(Findings *findings, int64_t world, int64_t before)
{
    double most = travel_a_step, h = 0;
    int64_t body = 0, step = 0;
    for (Query q = queryBegin(findings->reader, fast, (long long)world, (long long)before, travel_a_step);
         queryNext(&q);) {
        const double share = shareOf(&q);
        if (share > most) most = share, h = queryNumber(&q, 2), body = queryInteger(&q, 0), step = queryInteger(&q, 1);
    }
    Finding *const f = body ? findingAdd(findings, FindingWarning, "step_too_long") : NULL;
    if (!f) return;
    f->depth = 1, f->world = world, f->body = body, f->step = step, f->value = most, f->excess = most / travel_a_step;
    findingWhat(f, "step too long: %s moves by %.3g of its thickness in one step of %.3g s",
                findingBody(findings->reader, body), most, h);
    findingCause(f, "Contacts are detected at the start of a step: within the step it may enter another body, or pass "
                    "through it.");
    findingRemedy(f, "h <= %.2g s, or thicker shapes.", 0.2 * h / most);
}

void findingsOfLengths(Findings *findings, int64_t world)
{
    const int64_t before = thrownFrom(findings, world);
    findFastTurns(findings, world, before);
    findFastTravel(findings, world, before);
}

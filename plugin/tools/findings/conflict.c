/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/conflict.c: finding: contacts that contradict each other: a body that does not fit between two
 * others that cannot yield is pressed with a force that only the softness of the contacts limits. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"

static const double heavy = 1000;    /* times the weight of all bodies: more than a load on them */
static const double balanced = 0.01; /* of the largest force: sum of the contact forces on each body */
static const double opposed = 0.25;  /* of the sum of their sizes: sum of the normal forces on the pressed body */

/* Of each step and body that can move: sum and largest of its contact forces; sum of the normal forces, and of their
 * sizes. The sign of the normal does not matter. */
static const char pressed[] =
    "WITH n AS (SELECT c.*, force_x * normal_x + force_y * normal_y + force_z * normal_z AS size FROM contact_step c "
    "JOIN step s ON s.step = c.step WHERE s.world = %lld), f AS (SELECT step, body_1 AS body, force_x AS x, force_y AS "
    "y, force_z AS z, size * normal_x AS nx, size * normal_y AS ny, size * normal_z AS nz, abs(size) AS size, depth "
    "FROM n UNION ALL SELECT step, body_2, -force_x, -force_y, -force_z, -size * normal_x, -size * normal_y, -size * "
    "normal_z, abs(size), depth FROM n) SELECT f.step, f.body, sum(x), sum(y), sum(z), max(x * x + y * y + z * z), "
    "max(depth), sum(nx), sum(ny), sum(nz), sum(size) FROM f JOIN body b ON b.body = f.body WHERE b.kinematic = 0 "
    "GROUP BY f.step, f.body ORDER BY f.step";

/* The largest force of a step, the body that it presses, and the largest sum of forces on a body. `squeezed`: normal
 * forces press it from opposite sides. If friction balances a normal force, as unlimited friction in a corner does, the
 * body fits. */
typedef struct Pressure {
    int64_t step, body;
    double force, net, depth;
    bool squeezed;
} Pressure;

/* keeps the worst step in which the contact forces on every body cancel: neither a load nor a momentum explains them */
static void keepWorst(Pressure *worst, const Pressure *step)
{
    if (step->squeezed && step->force > worst->force && step->net < balanced * step->force) *worst = *step;
}

static Pressure worstOf(Findings *findings, int64_t world)
{
    Pressure worst = {.step = 0}, step = {.step = 0};
    for (Query q = queryBegin(findings->reader, pressed, (long long)world); queryNext(&q);) {
        if (queryInteger(&q, 0) != step.step) {
            keepWorst(&worst, &step);
            step = (Pressure){.step = queryInteger(&q, 0)};
        }
        const double force = sqrt(queryNumber(&q, 5));
        const double net = hypot(hypot(queryNumber(&q, 2), queryNumber(&q, 3)), queryNumber(&q, 4));
        step.net = fmax(step.net, net);
        if (!(force > step.force)) continue;
        step.force = force, step.body = queryInteger(&q, 1), step.depth = queryNumber(&q, 6);
        step.squeezed =
            hypot(hypot(queryNumber(&q, 7), queryNumber(&q, 8)), queryNumber(&q, 9)) < opposed * queryNumber(&q, 10);
    }
    keepWorst(&worst, &step);
    return worst;
}

/* the two other bodies that press it most, against each other; "the world" where one is static */
static void sidesOf(Findings *findings, const Pressure *p, int64_t side[2])
{
    double first[3] = {0}, most = 0;
    side[0] = side[1] = 0;
    for (Query q =
             queryBegin(findings->reader,
                        "SELECT other, x, y, z FROM (SELECT body_2 AS other, force_x AS x, force_y AS y, force_z AS "
                        "z FROM contact_step WHERE step = %lld AND body_1 = %lld UNION ALL SELECT body_1, "
                        "-force_x, -force_y, -force_z FROM contact_step WHERE step = %lld AND body_2 = %lld) ORDER "
                        "BY x * x + y * y + z * z DESC",
                        (long long)p->step, (long long)p->body, (long long)p->step, (long long)p->body);
         queryNext(&q);) {
        double dot = 0, x[3];
        for (int k = 0; k < 3; k++) x[k] = queryNumber(&q, 1 + k), dot -= x[k] * first[k];
        if (dot > most) most = dot, side[1] = queryInteger(&q, 0);
        if (first[0] != 0 || first[1] != 0 || first[2] != 0) continue;
        memcpy(first, x, sizeof x);
        side[0] = queryInteger(&q, 0);
    }
}

/* Recommends softer contacts, and a correcting velocity unless one is set. */
static void remedyOf(Findings *findings, int64_t world, Finding *f)
{
    const double bound =
        queryOne(findings->reader, "SELECT max_correcting_velocity FROM world WHERE world = %lld", (long long)world);
    findingRemedy(f,
                  "Make it smaller or change its initial position, so that it fits. Or make its contacts soft: "
                  "dContactSoftCFM with soft_cfm = 1e-5%s. A motor that pushes it should have a finite force.",
                  bound < 100 ? "" : ", and dWorldSetContactMaxCorrectingVel(world, 1)");
}

void findingsOfConflicts(Findings *findings, int64_t world)
{
    const Pressure p = worstOf(findings, world);
    int64_t side[2];
    const double weight = queryOne(findings->reader,
                                   "SELECT (SELECT sum(mass) FROM body WHERE world = %lld AND kinematic = 0) * "
                                   "max(sqrt(gravity_x * gravity_x + gravity_y * gravity_y + gravity_z * gravity_z), "
                                   "1) FROM world WHERE world = %lld",
                                   (long long)world, (long long)world);
    Finding *const f = p.force > heavy * weight ? findingAdd(findings, FindingWarning, "contact_conflict") : NULL;
    if (!f) return;
    sidesOf(findings, &p, side);
    f->depth = 3, f->world = world, f->body = p.body, f->step = p.step, f->value = p.force, f->unit = "N";
    f->excess = p.force / (heavy * weight);
    const char *const a = findingBody(findings->reader, side[0]), *const b = findingBody(findings->reader, side[1]);
    findingWhat(f,
                "contacts contradict each other: %s is pressed with %.3g N between %s and %s, %.2g times the weight of "
                "all bodies",
                findingBody(findings->reader, p.body), p.force, a, side[0] == side[1] ? "another part of it" : b,
                p.force / weight);
    findingCause(f,
                 "It penetrates bodies on opposite sides by up to %.3g m, and they cannot yield: the force is not a "
                 "load, but the position error divided by the softness of the contacts (CFM).",
                 p.depth);
    remedyOf(findings, world, f);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/contacts.c: findings: contacts that chatter, penetrate, have no friction, or always slide at
 * the limit of friction. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double flickers_a_second = 4;
static const int flickers = 10;
static const double sunk = 0.1;      /* of the smaller body's thickness, on average */
static const double slides = 0.02;   /* [m/s] */
static const int rows_at_least = 30; /* steps of a pair of bodies */

static const char *pairText(Findings *findings, int64_t body, int64_t other, char *text, size_t size)
{
    snprintf(text, size, "%s and %s", findingBody(findings->reader, body), findingBody(findings->reader, other));
    return text;
}

/* ---- lost and found again ---------------------------------------------------------------------------------------- */

/* contact ends, and begins again within three steps: of each pair how often, and when first */
static const char lost[] =
    "WITH c AS (SELECT e.step, e.time, e.kind, e.body, coalesce(e.value, 0) AS other, lag(e.time) OVER w AS ended, "
    "lag(e.kind) OVER w AS before FROM event e WHERE e.world = %lld AND e.kind IN ('contact_begin', 'contact_end') "
    "WINDOW w AS (PARTITION BY e.body, e.value ORDER BY e.event)) "
    "SELECT c.body, c.other, count(*) AS n, min(c.step), max(c.time) - min(c.time), s.h FROM c JOIN step s ON s.step = "
    "c.step WHERE c.kind = 'contact_begin' AND c.before = 'contact_end' AND c.time - c.ended < 3.5 * s.h GROUP BY "
    "c.body, "
    "c.other ORDER BY n DESC LIMIT 3";

/* causes and remedies that the recorded settings leave */
static void explainFlicker(Findings *findings, Finding *f)
{
    const ContactSettings s = findingsContactSettings(findings, f->world, f->body);
    const bool strong = s.erp > 0.4, layer = !(s.layer > 0), hard = !(s.cfm >= 1e-6), fast = !(s.max_velocity < 10);
    findingCause(f,
                 "Contacts are separated completely in one step, and detected again a step or two later:%s%s%s bodies "
                 "in contact at an edge, or a program that does not detect contacts before every step.",
                 layer ? " no surface layer," : "", s.bounce > 0 ? " a bounce at rest," : "",
                 strong ? " a large ERP," : "");
    findingRemedy(f, "%s%s%s%s%sdSpaceCollide before every step, or a shorter step.",
                  layer ? "dWorldSetContactSurfaceLayer(world, 1e-3); " : "", hard ? "dWorldSetCFM(world, 1e-5); " : "",
                  s.bounce > 0 ? "bounce_vel above g h; " : "", strong ? "a smaller ERP; " : "",
                  strong && fast ? "dWorldSetContactMaxCorrectingVel(world, 1); " : "");
}

static void findFlicker(Findings *findings, int64_t world)
{
    for (Query q = queryBegin(findings->reader, lost, (long long)world); queryNext(&q);) {
        const double n = queryNumber(&q, 2), rate = n / fmax(queryNumber(&q, 4), 1e-9);
        char pair[220];
        if (n < flickers || rate < flickers_a_second) continue;
        Finding *const f = findingAdd(findings, FindingWarning, "contact_flickers");
        f->depth = 2, f->world = world, f->body = queryInteger(&q, 0), f->step = queryInteger(&q, 3);
        f->value = rate, f->unit = "1/s", f->excess = rate / flickers_a_second;
        findingWhat(f, "contact chatter: %s lose and regain contact %.0f times, %.3g times per second",
                    pairText(findings, f->body, queryInteger(&q, 1), pair, sizeof pair), n, rate);
        explainFlicker(findings, f);
    }
}

/* ---- depth ------------------------------------------------------------------------------------------------------- */

#define SIZE                                                                                                           \
    "(SELECT min(CASE type WHEN 'box' THEN min(size_1, size_2, size_3) ELSE 2 * size_1 END) FROM shape WHERE body = "  \
    "%s AND type IN ('box', 'sphere', 'capsule', 'cylinder'))"

static void findSinking(Findings *findings, int64_t world)
{
    Query q =
        queryBegin(findings->reader,
                   "SELECT c.body_1, c.body_2, avg(c.depth), max(c.depth), min(c.step), " SIZE ", " SIZE
                   ", count(*) AS n, count(DISTINCT c.step) FROM contact_step c JOIN step s ON s.step = c.step WHERE "
                   "s.world = %lld GROUP BY c.body_1, c.body_2 HAVING n >= %d",
                   "c.body_1", "c.body_2", (long long)world, rows_at_least);
    while (queryNext(&q)) {
        const double a = queryNumber(&q, 5), b = queryNumber(&q, 6), size = fmin(a, b), depth = queryNumber(&q, 2);
        char pair[220];
        if (!(depth > sunk * size) || queryInteger(&q, 8) < rows_at_least) continue;
        Finding *const f = findingAdd(findings, FindingWarning, "contact_sinks");
        f->world = world, f->body = queryInteger(&q, 0), f->step = queryInteger(&q, 4);
        f->value = depth, f->unit = "m", f->excess = depth / (sunk * size);
        findingWhat(f, "penetration: %s overlap by %.3g m on average, by %.3g m at most",
                    pairText(findings, f->body, queryInteger(&q, 1), pair, sizeof pair), depth, queryNumber(&q, 3));
        const ContactSettings set = findingsContactSettings(findings, world, f->body);
        findingCause(f,
                     "The softness of the contacts (soft_cfm) yields under the load, or ERP%s is too small to correct "
                     "the penetration.",
                     set.max_velocity < 100 ? ", or the maximum correcting velocity," : "");
        findingRemedy(f, "Less soft_cfm, %s%sor a shorter step.", set.erp >= 0.2 ? "" : "ERP 0.2 to 0.8, ",
                      set.max_velocity < 100 ? "a larger dWorldSetContactMaxCorrectingVel, " : "");
    }
    queryEnd(&q);
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

#define DOT "(force_x * normal_x + force_y * normal_y + force_z * normal_z)"
#define TANGENT "sqrt(max(force_x * force_x + force_y * force_y + force_z * force_z - " DOT " * " DOT ", 0))"

#define SLIP "sqrt(slip_x * slip_x + slip_y * slip_y + slip_z * slip_z)"

/* of a pair of bodies, over the steps in which they touch: the ratio of all tangential to all normal forces of a
 * step */
static const char friction_rows[] =
    "SELECT c.body_1, c.body_2, count(*) AS n, sum(normal), sum(tangent), avg(slip > %g), sum(slip * (normal > 0)), "
    "sum(tangent / nullif(normal, 0)), sum(tangent / nullif(normal, 0) * tangent / nullif(normal, 0)), min(c.step), "
    "sum(normal > 0) FROM (SELECT step, body_1, body_2, sum(" DOT ") AS normal, sum(" TANGENT ") AS tangent, max(" SLIP
    ") AS slip FROM contact_step WHERE %s GROUP BY step, body_1, body_2) c JOIN step s ON s.step = c.step WHERE "
    "s.world = %lld "
    "GROUP BY c.body_1, c.body_2 HAVING n >= %d";

static void noFriction(Findings *findings, int64_t world, const Query *q)
{
    const double n = queryNumber(q, 2), slip = queryNumber(q, 6) / n;
    char pair[220];
    Finding *const f = findingAdd(findings, FindingNote, "friction_missing");
    f->depth = 1, f->world = world, f->body = queryInteger(q, 0), f->step = queryInteger(q, 9);
    f->value = slip, f->unit = "m/s", f->excess = slip / slides;
    findingWhat(
        f, "friction missing: %s slide on each other at %.3g m/s, and none of their contacts has a tangential force",
        pairText(findings, f->body, queryInteger(q, 1), pair, sizeof pair), slip);
    findingCause(f, "mu is 0 in dSurfaceParameters of their contacts, over the whole run.");
    findingRemedy(f, "Set surface.mu (for example 0.5), unless they should slide without friction.");
}

static void atLimit(Findings *findings, int64_t world, const Query *q)
{
    const double n = queryNumber(q, 10), mean = queryNumber(q, 7) / n;
    const double spread = sqrt(fmax(queryNumber(q, 8) / n - mean * mean, 0));
    char pair[220];
    if (!(queryNumber(q, 5) > 0.9) || !(spread < 0.02 * mean)) return;
    Finding *const f = findingAdd(findings, FindingNote, "friction_limit");
    f->world = world, f->body = queryInteger(q, 0), f->step = queryInteger(q, 9), f->value = mean, f->excess = 1;
    findingWhat(f, "friction at its limit: %s slide in %.0f %% of the steps, at %.3g of the normal force",
                pairText(findings, f->body, queryInteger(q, 1), pair, sizeof pair), 100 * queryNumber(q, 5), mean);
    findingCause(f, "The tangential load exceeds the friction of mu = %.3g.", mean);
    findingRemedy(f, "Increase mu or reduce the load, unless they should slide.");
}

static void findFrictionErrors(Findings *findings, int64_t world)
{
    /* where mu is a force, no ratio is its number: see mu_is_force */
    const char *const which =
        findingsHaveColumn(findings, "contact_step", "mu_is_force") ? "(mu_is_force = 0 OR mu = 0)" : "1";
    for (Query q = queryBegin(findings->reader, friction_rows, slides, which, (long long)world, rows_at_least);
         queryNext(&q);) {
        const double n = queryNumber(&q, 2), normal = queryNumber(&q, 3), tangent = queryNumber(&q, 4);
        if (!(normal > 0)) continue;
        if (tangent < 1e-6 * normal && queryNumber(&q, 6) / n > slides)
            noFriction(findings, world, &q);
        else if (tangent > 0)
            atLimit(findings, world, &q);
    }
}

void findingsOfContacts(Findings *findings, int64_t world)
{
    findFlicker(findings, world);
    findSinking(findings, world);
    findFrictionErrors(findings, world);
}

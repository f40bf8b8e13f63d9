/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/kept_contacts.c: finding: contact joints of earlier steps, to which each collision pass adds
 * new ones, because the program does not empty their group. Old contacts keep the place and the depth of the step that
 * made them. */
#include <math.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"

/* To a pair whose earlier contacts stay, in samples and as a factor: fewer may be a manifold that completes. */
static const int additions = 4;
static const double multiplied = 3;

/* of each pair of bodies in contact and step: first contact, number of contacts, where the first one is */
static const char pairs[] =
    "SELECT coalesce(p.body_1, 0), coalesce(p.body_2, 0), p.step, p.number, c.position_x, c.position_y, c.position_z, "
    "c.normal_x, c.normal_y, c.normal_z, c.depth FROM (SELECT t.step AS step, body_1, body_2, min(contact) AS first, "
    "count(*) AS number FROM contact_step t JOIN step s ON s.step = t.step WHERE s.world = %lld GROUP BY body_1, "
    "body_2, t.step) p JOIN contact_step c ON c.step = p.step AND c.contact = p.first ORDER BY 1, 2, 3";
enum { Place = 7 };

/* The contacts of one pair. */
typedef struct Kept {
    int64_t body[2], begun, step; /* steps: from which on none was removed; the last one */
    double place[Place];          /* of the first contact */
    double number, before;        /* of contacts: in the last step, in the first */
    int grown;                    /* samples in which contacts were added */
} Kept;

static Kept keptOf(Query *q)
{
    Kept k = {.body = {queryInteger(q, 0), queryInteger(q, 1)}, .number = queryNumber(q, 3)};
    k.begun = k.step = queryInteger(q, 2), k.before = k.number;
    for (int i = 0; i < Place; i++) k.place[i] = queryNumber(q, 4 + i);
    return k;
}

/* the next sample of the same pair, or the first of another one */
static void addSample(Kept *k, const Kept *next)
{
    const bool same = k->body[0] == next->body[0] && k->body[1] == next->body[1];
    if (!same || next->number < k->number || memcmp(k->place, next->place, sizeof k->place) != 0) {
        *k = *next;
        return;
    }
    if (next->number > k->number) k->grown++;
    k->number = next->number, k->step = next->step;
}

static void addKept(Findings *findings, int64_t world, const Kept *k)
{
    Finding *const f = findingAdd(findings, FindingError, "contacts_kept");
    const double steps = queryOne(findings->reader,
                                  "SELECT b.number - a.number FROM step a JOIN step b ON b.step = %lld WHERE a.step = "
                                  "%lld",
                                  (long long)k->step, (long long)k->begun);
    f->depth = 2, f->world = world, f->step = k->step, f->body = k->body[0] ? k->body[0] : k->body[1];
    f->value = k->number, f->excess = k->number / k->before;
    findingWhat(f, "contacts of earlier steps are kept: %s and %s have %.0f contact joints, %.3g more per step",
                findingBody(findings->reader, k->body[0]), findingBody(findings->reader, k->body[1]), k->number,
                (k->number - k->before) / steps);
    findingCause(f,
                 "New contacts are added, and the earlier ones stay at the place and with the depth of the step that "
                 "made them: they hold the bodies there, and steps take longer and longer.");
    findingRemedy(f, "dJointGroupEmpty(contacts) after each step.");
}

void findingsOfKeptContacts(Findings *findings, int64_t world)
{
    Kept kept = {.step = 0}, worst = {.grown = 0};
    for (Query q = queryBegin(findings->reader, pairs, (long long)world); queryNext(&q);) {
        const Kept next = keptOf(&q);
        addSample(&kept, &next);
        if (kept.number >= multiplied * kept.before && kept.grown > worst.grown) worst = kept;
    }
    if (worst.grown >= additions) addKept(findings, world, &worst);
}

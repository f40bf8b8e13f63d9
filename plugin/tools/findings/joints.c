/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/joints.c: findings: redundant joints, and joints that are inconsistent by a small amount. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/freedom.h"

static const double dependent = 1e-5; /* singular values of unit rows below this belong to redundant rows */
static const double nearly = 5e-3;    /* and below this, rows that would be, but for a small misfit, */
static const double isolated = 8;     /* if all other singular values are so many times as large */
enum { Mechanisms = 64, Searched = 64 /* rows, beyond which no change is searched */ };

/* ---- which change would do --------------------------------------------------------------------------------------- */

typedef struct Change {
    int link;
    Kind kind;
} Change;

static int listAlternatives(Kind kind, Kind list[3])
{
    switch (kind) {
    case KindHinge: return list[0] = KindPiston, list[1] = KindBall, list[2] = KindNone, 3;
    case KindSlider: return list[0] = KindPiston, list[1] = KindNone, 2;
    case KindFixed: return list[0] = KindHinge, list[1] = KindBall, list[2] = KindNone, 3;
    case KindUniversal:
    case KindHinge2: return list[0] = KindBall, list[1] = KindNone, 2;
    case KindBall:
    case KindPiston: return list[0] = KindNone, 1;
    default: return 0;
    }
}

/* One joint into another kind, so that the rank stays (nothing more can move) and most redundant rows go; of two that
 * do the same the one that leaves a joint. false: there is none. */
static bool bestChange(Mechanism *m, Rank before, Change *best)
{
    int gone = 0, left = 0;
    for (int i = m->links - 1; i >= 0; i--) {
        Kind list[3];
        const Kind own = m->link[i].kind;
        const int count = listAlternatives(own, list);
        for (int k = 0; k < count; k++) {
            const int rows = kindRows(own) - kindRows(list[k]);
            if (rows > before.rows - before.rank || rows < gone || (rows == gone && kindRows(list[k]) <= left))
                continue;
            m->link[i].kind = list[k];
            const Rank after = mechanismRank(m, dependent);
            m->link[i].kind = own;
            if (after.rank != before.rank) continue;
            gone = rows, left = kindRows(list[k]);
            *best = (Change){i, list[k]};
        }
    }
    return gone > 0;
}

/* Describes changes such as "make hinge 2 a ball", one after the other, until nothing is redundant or no change helps;
 * returns the number of rows that remain redundant. */
static int proposeChanges(ukReader *reader, Mechanism *m, char *text, size_t size)
{
    Rank rank = mechanismRank(m, dependent);
    Change change;
    text[0] = 0;
    for (int n = 0; rank.rows > rank.rank && rank.rows <= Searched && bestChange(m, rank, &change); n++) {
        Link *const link = &m->link[change.link];
        const size_t used = strlen(text);
        if (change.kind == KindNone)
            snprintf(text + used, size - used, "%sremove %s", n ? ", " : "", findingJoint(reader, link->joint));
        else
            snprintf(text + used, size - used, "%smake %s a %s", n ? ", " : "", findingJoint(reader, link->joint),
                     kindName(change.kind));
        link->kind = change.kind;
        rank = mechanismRank(m, dependent);
    }
    return rank.rows - rank.rank;
}

/* ---- redundant rows ---------------------------------------------------------------------------------------------- */

static void nameLinks(ukReader *reader, const Mechanism *m, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; i < m->links && i < 5; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                 i == 4 && m->links > 5 ? "..." : findingJoint(reader, m->link[i].joint));
    }
}

/* Names the joints whose reactions are not unique: others could bear a part of them. */
static void nameSplit(ukReader *reader, Mechanism *m, char *text, size_t size)
{
    const Rank all = mechanismRank(m, dependent);
    int named = 0;
    text[0] = 0;
    for (int i = 0; i < m->links && all.rows <= Searched; i++) {
        const Kind own = m->link[i].kind;
        m->link[i].kind = KindNone;
        const Rank without = mechanismRank(m, dependent);
        m->link[i].kind = own;
        if (kindRows(own) == 0 || all.rank - without.rank == kindRows(own) || named == 6) continue;
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", named++ ? ", " : "", findingJoint(reader, m->link[i].joint));
    }
}

static void findRedundant(Findings *findings, int64_t world, int64_t step, Mechanism *m, int rows)
{
    char names[260], split[260], change[1200];
    nameLinks(findings->reader, m, names, sizeof names);
    nameSplit(findings->reader, m, split, sizeof split);
    const int64_t joint = m->link[m->links - 1].joint;
    const int left = proposeChanges(findings->reader, m, change, sizeof change);
    Finding *const f = findingAdd(findings, FindingWarning, "redundant_joints");
    f->depth = 1, f->world = world, f->step = step, f->joint = joint, f->value = rows, f->unit = "rows",
    f->excess = rows;
    findingWhat(f, "redundant joints: %s have %d redundant row%s", names, rows, rows > 1 ? "s" : "");
    findingCause(f,
                 "They constrain the same motion more than once. The motion is unique, the reactions are not: those of "
                 "%s are the least-norm solution.",
                 *split ? split : "these joints");
    if (!*change)
        findingRemedy(f, "Remove constraints that repeat others; or ignore this, if only the motion matters.");
    else
        findingRemedy(f,
                      "To make the reactions unique: %s%s. This adds no degree of freedom. Or ignore this, if only the "
                      "motion matters.",
                      change, left > 0 ? "; the remaining redundant rows need a joint of another type" : "");
}

/* ---- joints that miss each other --------------------------------------------------------------------------------- */

/* Distance of the axes of two hinges between the same two bodies [m], and their angle [rad]; NaN: they are not such
 * hinges. */
static double hingeDistance(const Link *a, const Link *b, double *angle)
{
    double dot = 0, d[3], along = 0, sum = 0;
    const bool alike = a->kind == KindHinge && b->kind == KindHinge &&
                       ((a->body[0] == b->body[0] && a->body[1] == b->body[1]) ||
                        (a->body[0] == b->body[1] && a->body[1] == b->body[0]));
    if (!alike) return NAN;
    for (int k = 0; k < 3; k++) dot += a->axis[0][k] * b->axis[0][k], d[k] = b->anchor[k] - a->anchor[k];
    for (int k = 0; k < 3; k++) along += d[k] * a->axis[0][k];
    for (int k = 0; k < 3; k++) sum += (d[k] - along * a->axis[0][k]) * (d[k] - along * a->axis[0][k]);
    *angle = acos(fmin(fabs(dot), 1));
    return sqrt(sum);
}

static void findMisfit(Findings *findings, int64_t world, int64_t step, Mechanism *m, double least)
{
    char names[260];
    double offset = least * m->length, angle = 0;
    const Link *first = NULL, *second = &m->link[m->links - 1];
    for (int i = 0; i < m->links; i++)
        for (int k = 0; k < i; k++) {
            double turned;
            const double d = hingeDistance(&m->link[k], &m->link[i], &turned);
            if (isfinite(d) && turned < 0.2) first = &m->link[k], second = &m->link[i], offset = d, angle = turned;
        }
    nameLinks(findings->reader, m, names, sizeof names);
    Finding *const f = findingAdd(findings, FindingError, "joints_misfit");
    f->depth = 3, f->world = world, f->step = step, f->joint = second->joint, f->value = offset, f->unit = "m";
    f->excess = nearly / least;
    if (first)
        findingWhat(f, "misaligned joints: the axes of %s and %s are %.3g mm apart (%.3g rad): they block a rotation",
                    findingJoint(findings->reader, first->joint), findingJoint(findings->reader, second->joint),
                    1000 * offset, angle < 1e-6 ? 0 : angle);
    else
        findingWhat(f,
                    "misaligned joints: %s are inconsistent by about %.3g mm, and block a motion that is almost free",
                    names, 1000 * offset);
    findingCause(
        f,
        "The part of one of their unit rows that does not depend on the others is %.2g: it blocks a motion, with "
        "reactions inversely proportional to that number.",
        least);
    findingRemedy(f, "Align them exactly: the same anchor and axis values for both; or use one joint for both.");
}

/* Whether singular values below `nearly` are those of a misfit: of rows in a closed loop, and clearly smaller than all
 * others. Those of a long chain decrease steadily, and nothing in it is inconsistent. */
static bool isMisfit(const Mechanism *m, double later)
{
    const Rank strict = mechanismRank(m, nearly), all = mechanismRank(m, dependent);
    if (!(all.least < nearly) || !(later < nearly) || !(later > 0.3 * all.least)) return false;
    return mechanismLoops(m) > 0 && strict.least > isolated * strict.rest;
}

/* ---- what the geometry says -------------------------------------------------------------------------------------- */

/* key of the step with joints at this share of the world's steps that have poses */
static int64_t stepAt(Findings *findings, int64_t world, double share)
{
    const int64_t first = queryOneInteger(
        findings->reader, "SELECT min(s.step) FROM step s JOIN joint_step j ON j.step = s.step WHERE s.world = %lld",
        (long long)world);
    const int64_t last = queryOneInteger(
        findings->reader, "SELECT max(s.step) FROM step s JOIN joint_step j ON j.step = s.step WHERE s.world = %lld",
        (long long)world);
    return queryOneInteger(
        findings->reader,
        "SELECT min(s.step) FROM step s JOIN joint_step j ON j.step = s.step WHERE s.world = %lld AND "
        "s.step >= %lld",
        (long long)world, (long long)((double)first + share * (double)(last - first)));
}

static bool sameJoints(const Mechanism *a, const Mechanism *b)
{
    if (a->links != b->links) return false;
    for (int i = 0; i < a->links; i++)
        if (a->link[i].joint != b->link[i].joint) return false;
    return true;
}

/* redundant rows at another step, too, and the smallest singular value there */
static int stillTooMany(ukReader *reader, int64_t world, int64_t step, const Mechanism *m, double *least)
{
    Mechanism there[Mechanisms];
    const int count = mechanismsRead(reader, world, step, false, there, Mechanisms);
    int rows = 1 << 20;
    *least = 0;
    for (int i = 0; i < count; i++) {
        if (sameJoints(m, &there[i])) {
            const Rank strict = mechanismRank(&there[i], nearly), all = mechanismRank(&there[i], dependent);
            rows = strict.rows - strict.rank;
            *least = all.least;
        }
        mechanismFree(&there[i]);
    }
    return rows;
}

static void findGeometry(Findings *findings, int64_t world)
{
    Mechanism mechanism[Mechanisms];
    const int64_t step = stepAt(findings, world, 0), middle = stepAt(findings, world, 0.37);
    const int count = mechanismsRead(findings->reader, world, step, true, mechanism, Mechanisms);
    for (int i = 0; i < count; i++) {
        Mechanism *const m = &mechanism[i];
        const Rank rank = mechanismRank(m, dependent);
        double least;
        const int later = stillTooMany(findings->reader, world, middle, m, &least);
        const int rows = later < rank.rows - rank.rank ? later : rank.rows - rank.rank;
        if (isMisfit(m, least))
            findMisfit(findings, world, step, m, rank.least);
        else if (rows > 0)
            findRedundant(findings, world, step, m, rows);
        mechanismFree(m);
    }
}

void findingsOfJoints(Findings *findings, int64_t world)
{
    findGeometry(findings, world);
}

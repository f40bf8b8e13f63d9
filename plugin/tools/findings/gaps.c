/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/gaps.c: findings: joints with position errors, at the start or later; the joint is identified
 * from the anchors of its bodies. */
#include <math.h>
#include <stdlib.h>

#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/turn.h"

static const double gap_at_start = 1e-4; /* [m or rad], of a step's position error */
static const double gapes = 0.01;        /* [m or rad], so much later: it drifts */

#define POSE(t)                                                                                                        \
    t ".position_x, " t ".position_y, " t ".position_z, " t ".orientation_w, " t ".orientation_x, " t                  \
      ".orientation_y, " t ".orientation_z"

/* Of each joint that has two anchors, and satisfies a condition: key, its anchors, poses of its bodies where they were
 * recorded, then at a step. A fixed joint is anchored at its first body's centre. */
#define ANCHORS(condition)                                                                                             \
    "SELECT j.joint, coalesce(j.anchor_x, a.position_x), coalesce(j.anchor_y, a.position_y), coalesce(j.anchor_z, "    \
    "a.position_z), coalesce(j.anchor_2_x, a.position_x), coalesce(j.anchor_2_y, a.position_y), "                      \
    "coalesce(j.anchor_2_z, a.position_z), " POSE("a") ", " POSE("b") ", " POSE("c") ", " POSE(                        \
        "d") " FROM joint j LEFT JOIN body_step a ON a.body = j.body_1 AND a.step = "                                  \
             "j.created_step LEFT JOIN body_step b ON b.body = j.body_2 AND b.step = "                                 \
             "j.created_step LEFT JOIN "                                                                               \
             "body_step c ON c.body = j.body_1 AND c.step = %lld LEFT JOIN body_step d ON "                            \
             "d.body = j.body_2 AND d.step "                                                                           \
             "= %lld WHERE j.world = %lld AND " condition
static const char *const anchors[] = {
    [GapsOfRigid] = ANCHORS("j.anchor_2_x IS NOT NULL AND j.joint NOT IN (" FINDINGS_SOFT ")"),
    [GapsOfWorldCfm] = ANCHORS("(j.anchor_2_x IS NOT NULL OR (j.type = 'fixed' AND a.body IS NOT NULL)) AND j.joint IN "
                               "(" FINDINGS_SOFT " AND coalesce(c.value, w.cfm) = w.cfm)")};

/* a point of a body, carried from the pose in the columns from `then` to that from `now`; of none: as it is */
static void carryPoint(const Query *q, int then, int now, double point[3])
{
    double local[3], turn[2][4];
    if (!isfinite(queryNumber(q, then)) || !isfinite(queryNumber(q, now))) return;
    for (int k = 0; k < 3; k++) local[k] = point[k] - queryNumber(q, then + k);
    for (int k = 0; k < 4; k++) {
        turn[0][k] = queryNumber(q, then + 3 + k);
        turn[1][k] = queryNumber(q, now + 3 + k);
    }
    turnVector(turn[0], true, local, local);
    turnVector(turn[1], false, local, local);
    for (int k = 0; k < 3; k++) point[k] = local[k] + queryNumber(q, now + k);
}

/* Finds the one of these joints whose anchors are farthest apart at a step, and the distance [m]; 0: none. */
static int64_t widestOf(Findings *findings, int64_t world, int64_t step, GapsOf which, double *gap)
{
    int64_t joint = 0;
    *gap = 0;
    for (Query q = queryBegin(findings->reader, anchors[which], (long long)step, (long long)step, (long long)world,
                              (long long)world);
         queryNext(&q);) {
        double a[3], b[3], square = 0;
        for (int k = 0; k < 3; k++) a[k] = queryNumber(&q, 1 + k), b[k] = queryNumber(&q, 4 + k);
        carryPoint(&q, 7, 21, a);
        carryPoint(&q, 14, 28, b);
        for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
        if (sqrt(square) > *gap) *gap = sqrt(square), joint = queryInteger(&q, 0);
    }
    return joint;
}

static int64_t widestRigid(Findings *findings, int64_t world, int64_t step, double *gap)
{
    return widestOf(findings, world, step, GapsOfRigid, gap);
}

static void atStart(Finding *f, const char *which)
{
    f->depth = 2;
    findingWhat(f, "%s a position error of %.3g %s at the start", which, f->value, f->unit);
    findingCause(f, "Bodies were moved after their joint was attached, or its anchor was set for another pose: ERP "
                    "closes the joint and thereby adds energy.");
    findingRemedy(f, "Set anchors and axes when the bodies are in their initial positions.");
}

static void describeDrift(Finding *f, const char *which)
{
    findingWhat(f, "%s a position error of up to %.3g %s", which, f->value, f->unit);
    findingCause(f, "Drift: the step satisfies the joints in velocities, positions are corrected only by ERP.");
}

/* key of the last step with poses at or before this one, or of the first of all */
static int64_t lastStepWithPoses(Findings *findings, int64_t world, int64_t step)
{
    const double before =
        queryOne(findings->reader,
                 "SELECT max(b.step) FROM body_step b JOIN step s ON s.step = b.step WHERE s.world = %lld AND s.step "
                 "<= %lld",
                 (long long)world, (long long)step);
    return before > 0 ? (int64_t)before : step;
}

/* a joint of the plane whose body is off it by more than this after a step; 0: none */
static int64_t besidePlane(Findings *findings, int64_t world, int64_t step, double gap)
{
    const double joint = queryOne(findings->reader,
                                  "SELECT j.joint FROM joint j JOIN body_step b ON b.body = j.body_1 AND b.step = %lld "
                                  "WHERE j.world = %lld AND j.type = 'plane2d' AND abs(b.position_z) > %.17g ORDER BY "
                                  "abs(b.position_z) DESC LIMIT 1",
                                  (long long)step, (long long)world, gap);
    return joint > 0 ? (int64_t)joint : 0;
}

static void offPlane(Finding *f, ukReader *reader)
{
    findingWhat(f, "%s is off its plane by %.3g m at the start", findingJoint(reader, f->joint), f->value);
    findingCause(f, "It constrains its body's centre to z = 0 of the world, wherever the body was attached: ERP moves "
                    "it there and thereby adds energy.");
    findingRemedy(f, "Put the bodies' centres at z = 0, and the rest of the scene accordingly.");
}

/* ---- what is found ----------------------------------------------------------------------------------------------- */

/* Before a SELECT on step s: `moved` has the steps in which errors that the program made are closed, by setting a
 * body's pose between two steps. Of two %lld, the world, and %d steps. */
#define UNMOVED                                                                                                        \
    "WITH moved AS MATERIALIZED (SELECT f.number AS since FROM event e JOIN step f ON f.step = e.step WHERE e.world "  \
    "= "                                                                                                               \
    "%lld AND e.kind = 'moved'), s AS (SELECT * FROM step WHERE world = %lld AND NOT EXISTS (SELECT 1 FROM moved "     \
    "WHERE "                                                                                                           \
    "number BETWEEN since AND since + %d)) "

/* Unit of the largest gap: all rows of a ball joint are distances. */
static const char *unitOfGap(Findings *findings, const Gap *g)
{
    const bool ball =
        queryOneInteger(findings->reader, "SELECT count(*) FROM joint WHERE joint = %lld AND type IN ('ball', 'dball')",
                        (long long)g->joint) > 0;
    return g->distance || ball ? "m" : "m or rad";
}

/* Number of steps in which the world's ERP reduces a gap to a thousandth. */
static int stepsToClose(Findings *findings, int64_t world)
{
    const double erp = queryOne(findings->reader, "SELECT erp FROM world WHERE world = %lld", (long long)world);
    return (int)fmin(fmax(log(1e-3) / log(1 - fmin(fmax(erp, 0.01), 0.99)), 10), 700);
}

/* The largest gap according to the errors of all rows, which must not be those of springs. */
static Gap fromErrors(Findings *findings, int64_t world)
{
    Gap g = {.most = 0};
    double own;
    Query q = queryBegin(findings->reader,
                         UNMOVED "SELECT step, max(position_error), (SELECT avg(position_error) FROM s) FROM s",
                         (long long)world, (long long)world, stepsToClose(findings, world));
    if (queryNext(&q)) g.step = queryInteger(&q, 0), g.most = queryNumber(&q, 1), g.mean = queryNumber(&q, 2);
    queryEnd(&q);
    if (!(g.most > gapes)) return g;
    /* position errors are of a step's start: poses are those of the step before */
    const int64_t joint = widestRigid(findings, world, lastStepWithPoses(findings, world, g.step - 1), &own);
    if (joint && own > 0.3 * g.most) g.joint = joint;
    return g;
}

Gap findingsGap(Findings *findings, int64_t world, int samples, GapsOf which)
{
    Gap g = {.most = 0};
    int count = 0;
    for (Query q =
             queryBegin(findings->reader,
                        UNMOVED ", r AS (SELECT step, row_number() OVER (ORDER BY step) AS n, count(*) OVER () AS "
                                "c FROM s WHERE EXISTS (SELECT 1 FROM body_step b WHERE b.step = s.step)) SELECT "
                                "step FROM r WHERE n %% max(c / %d, 1) = 0",
                        (long long)world, (long long)world, stepsToClose(findings, world), samples);
         queryNext(&q); count++) {
        double own;
        const int64_t step = queryInteger(&q, 0), joint = widestOf(findings, world, step, which, &own);
        g.mean += own;
        if (own > g.most) g = (Gap){.most = own, .mean = g.mean, .step = step, .joint = joint};
    }
    g.mean /= count > 0 ? count : 1;
    g.distance = true;
    return g;
}

double findingsWidestGap(ukReader *reader, int64_t world)
{
    Findings findings = {.reader = reader};
    return findingsGap(&findings, world, 250, GapsOfRigid).most;
}

/* The joint with the largest gap before its first step, among those that are no springs. */
static Gap openAtStart(Findings *findings, int64_t world)
{
    Gap g = {.most = 0};
    if (!findingsHave(findings, "joint_start")) return g;
    Query q =
        queryBegin(findings->reader,
                   "SELECT t.joint, t.step, sqrt((t.anchor_x - t.anchor_2_x) * (t.anchor_x - t.anchor_2_x) + "
                   "(t.anchor_y - t.anchor_2_y) * (t.anchor_y - t.anchor_2_y) + (t.anchor_z - t.anchor_2_z) * "
                   "(t.anchor_z - t.anchor_2_z)) AS gap FROM joint_start t JOIN joint j ON j.joint = t.joint WHERE "
                   "j.world = %lld AND t.anchor_2_x IS NOT NULL AND j.joint NOT IN (" FINDINGS_SOFT ") ORDER BY "
                   "gap DESC LIMIT 1",
                   (long long)world, (long long)world);
    if (queryNext(&q)) g.joint = queryInteger(&q, 0), g.step = queryInteger(&q, 1), g.most = queryNumber(&q, 2);
    queryEnd(&q);
    g.distance = true;
    return g;
}

static const char *nameOf(Findings *findings, int64_t joint, char *which, size_t size)
{
    if (joint) snprintf(which, size, "%s has", findingJoint(findings->reader, joint));
    return which;
}

/* whether something was open at the start */
static bool foundAtStart(Findings *findings, int64_t world, bool springs)
{
    char which[140] = "joints have";
    double own;
    const int64_t first =
        queryOneInteger(findings->reader, "SELECT min(step) FROM step WHERE world = %lld", (long long)world);
    Gap g = openAtStart(findings, world);
    if (!(g.most > gap_at_start) && !springs) {
        const double error =
            queryOne(findings->reader, "SELECT position_error FROM step WHERE step = %lld", (long long)first);
        if (error > gap_at_start) {
            g = (Gap){.most = error, .step = first, .joint = widestRigid(findings, world, first, &own)};
            if (own < 0.3 * error) g.joint = 0;
        }
    }
    Finding *const f = g.most > gap_at_start ? findingAdd(findings, FindingWarning, "gap_at_start") : NULL;
    if (!f) return false;
    f->world = world, f->step = g.step, f->value = g.most, f->excess = g.most / gap_at_start;
    const int64_t plane = besidePlane(findings, world, first, 0.3 * g.most);
    f->unit = plane ? "m" : unitOfGap(findings, &g);
    f->joint = plane ? plane : g.joint;
    if (plane)
        offPlane(f, findings->reader);
    else
        atStart(f, nameOf(findings, g.joint, which, sizeof which));
    return true;
}

/* A body that the program set off its joints, and their position error [m or rad]; body 0: there is none. */
typedef struct Moved {
    int64_t step, body;
    double distance, error;
} Moved;

static Moved movedByErrors(Findings *findings, int64_t world)
{
    Moved m = {.body = 0};
    Query q =
        queryBegin(findings->reader,
                   "SELECT e.step, e.body, e.value, s.position_error FROM event e JOIN step s ON s.step = e.step "
                   "WHERE e.world = %lld AND e.kind = 'moved' AND s.position_error > %g AND s.position_error > 2 * "
                   "coalesce((SELECT position_error FROM step p WHERE p.world = s.world AND p.number = s.number - "
                   "1), 0) AND EXISTS (SELECT 1 FROM joint j WHERE e.body IN (j.body_1, j.body_2)) ORDER BY "
                   "s.position_error DESC LIMIT 1",
                   (long long)world, gapes);
    if (queryNext(&q)) m = (Moved){queryInteger(&q, 0), queryInteger(&q, 1), queryNumber(&q, 2), queryNumber(&q, 3)};
    queryEnd(&q);
    return m;
}

/* ODE's own steps report no errors: from anchors, after the first recorded step with the new poses. */
static Moved movedByAnchors(Findings *findings, int64_t world)
{
    Moved most = {.body = 0};
    for (Query q = queryBegin(findings->reader,
                              "SELECT e.step, e.body, e.value, (SELECT min(b.step) FROM body_step b WHERE b.body = "
                              "e.body AND b.step >= e.step) FROM event e WHERE e.world = %lld AND e.kind = 'moved' AND "
                              "EXISTS (SELECT 1 FROM joint j WHERE e.body IN (j.body_1, j.body_2)) ORDER BY e.value "
                              "DESC LIMIT 20",
                              (long long)world);
         queryNext(&q);) {
        Moved m = {queryInteger(&q, 0), queryInteger(&q, 1), queryNumber(&q, 2), 0};
        double before;
        const int64_t joint = widestRigid(findings, world, queryInteger(&q, 3), &m.error);
        widestRigid(findings, world, lastStepWithPoses(findings, world, m.step - 1), &before);
        const bool its = queryOneInteger(findings->reader,
                                         "SELECT count(*) FROM joint WHERE joint = %lld AND %lld IN (body_1, body_2)",
                                         (long long)joint, (long long)m.body) > 0;
        if (its && m.error > gapes && m.error > 2 * before && m.error > most.error) most = m;
    }
    return most;
}

/* the program moved the body on purpose, but may not know the effect of the correction */
static void movedApart(Findings *findings, int64_t world, bool known)
{
    const Moved m = known ? movedByErrors(findings, world) : movedByAnchors(findings, world);
    Finding *const f = m.body ? findingAdd(findings, FindingNote, "moved_apart") : NULL;
    if (!f) return;
    f->world = world, f->step = m.step, f->body = m.body, f->value = m.error;
    f->unit = known ? "m or rad" : "m", f->excess = f->value / gapes;
    findingWhat(f,
                "moved apart: the program moved %s by %.3g m between two steps, and left its joints with a position "
                "error of %.3g %s",
                findingBody(findings->reader, f->body), m.distance, f->value, f->unit);
    findingCause(
        f, "The bodies joined to it were not moved. ERP corrects such errors with a velocity that the bodies keep.");
    findingRemedy(f, "Set the poses of all bodies of a mechanism together.");
}

void findingsOfGaps(Findings *findings, int64_t world)
{
    char which[140] = "joints have";
    const bool springs = findingsSprings(findings, world);
    const bool known =
        queryOne(findings->reader, "SELECT count(position_error) FROM step WHERE world = %lld", (long long)world) > 0;
    movedApart(findings, world, known);
    if (foundAtStart(findings, world, springs)) return;
    const Gap g = springs || !known ? findingsGap(findings, world, 48, GapsOfRigid) : fromErrors(findings, world);
    if (!(g.most > gapes && g.mean > gapes / 10)) return;
    Finding *const f = findingAdd(findings, FindingWarning, "drift");
    f->world = world, f->step = g.step, f->joint = g.joint, f->value = g.most;
    f->unit = unitOfGap(findings, &g);
    f->excess = g.most / gapes;
    describeDrift(f, nameOf(findings, g.joint, which, sizeof which));
}

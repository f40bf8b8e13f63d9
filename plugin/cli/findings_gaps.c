/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/findings_gaps.c: joints that are open, at the start or later; which one, from the anchors of its bodies. */
#include <math.h>
#include <stdlib.h>

#include "plugin/cli/findings.h"

static const double gap_at_start = 1e-4; /* [m or rad], of a step's position error */
static const double gapes = 0.01;        /* [m or rad], so much later: it drifts */

#define POSE(t)                                                                                                        \
    t ".position_x, " t ".position_y, " t ".position_z, " t ".orientation_w, " t ".orientation_x, " t                  \
      ".orientation_y, " t ".orientation_z"

/* of each joint that has two anchors: key, its anchors, poses of its bodies where they were recorded, then at a step */
static const char anchors[] = "SELECT j.joint, j.anchor_x, j.anchor_y, j.anchor_z, j.anchor_2_x, j.anchor_2_y, "
                              "j.anchor_2_z, " POSE("a") ", " POSE("b") ", " POSE("c") ", " POSE(
                                  "d") " FROM joint j LEFT JOIN body_step a ON a.body = j.body_1 AND a.step = "
                                       "j.created_step LEFT JOIN body_step b ON b.body = j.body_2 AND b.step = "
                                       "j.created_step LEFT JOIN "
                                       "body_step c ON c.body = j.body_1 AND c.step = %lld LEFT JOIN body_step d ON "
                                       "d.body = j.body_2 AND d.step "
                                       "= %lld WHERE j.world = %lld AND j.anchor_2_x IS NOT NULL";

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

static void turn(const double u[3], double w, const double v[3], double out[3])
{
    double a[3], b[3];
    cross(u, v, a);
    cross(u, a, b);
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * (w * a[k] + b[k]);
}

/* a point of a body, carried from the pose in the columns from `then` to that from `now`; of none: as it is */
static void carry(const Query *q, int then, int now, double point[3])
{
    double local[3], u[3], out[3];
    if (!isfinite(queryNumber(q, then)) || !isfinite(queryNumber(q, now))) return;
    for (int k = 0; k < 3; k++) local[k] = point[k] - queryNumber(q, then + k), u[k] = -queryNumber(q, then + 4 + k);
    turn(u, queryNumber(q, then + 3), local, out);
    for (int k = 0; k < 3; k++) u[k] = queryNumber(q, now + 4 + k);
    turn(u, queryNumber(q, now + 3), out, local);
    for (int k = 0; k < 3; k++) point[k] = local[k] + queryNumber(q, now + k);
}

/* the joint whose anchors are farthest apart at a step, and how far [m]; 0: none */
static int64_t widest(Findings *findings, int64_t world, int64_t step, double *gap)
{
    int64_t joint = 0;
    *gap = 0;
    for (Query q = queryBegin(findings->reader, anchors, (long long)step, (long long)step, (long long)world);
         queryNext(&q);) {
        double a[3], b[3], square = 0;
        for (int k = 0; k < 3; k++) a[k] = queryNumber(&q, 1 + k), b[k] = queryNumber(&q, 4 + k);
        carry(&q, 7, 21, a);
        carry(&q, 14, 28, b);
        for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
        if (sqrt(square) > *gap) *gap = sqrt(square), joint = queryInteger(&q, 0);
    }
    return joint;
}

static void atStart(Finding *f, const char *which)
{
    f->depth = 2;
    findingWhat(f, "%s off by %.3g m or rad at the start", which, f->value);
    findingCause(f,
                 "Bodies were moved after their joint was attached, or its anchor was set for another pose: ERP pulls "
                 "them together, with work that nothing in the model does.");
    findingRemedy(f, "Set anchors and axes when the bodies are where they belong.");
}

static void drift(Finding *f, const char *which)
{
    findingWhat(f, "%s open by up to %.3g m or rad", which, f->value);
    findingCause(f, "Drift: velocities meet the joints, poses follow only by ERP.");
    findingRemedy(f, "a shorter step.");
}

/* key of the last step with poses at or before this one, or of the first of all */
static int64_t posed(Findings *findings, int64_t world, int64_t step)
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
    findingCause(f, "It holds its body's centre at z = 0 of the world, wherever the body was when it was attached: ERP "
                    "pulls it there, with work that nothing in the model does.");
    findingRemedy(f, "Put the bodies' centres at z = 0, and the rest of the scene accordingly.");
}

void findingsOfGaps(Findings *findings, int64_t world)
{
    double most = 0, mean = 0, start = 0, gap;
    int64_t step = 0, first = 0;
    char which[140] = "joints are";
    Query q = queryBegin(findings->reader,
                         "SELECT step, max(position_error), avg(position_error), (SELECT position_error FROM step "
                         "WHERE world = %lld ORDER BY step LIMIT 1), (SELECT min(step) FROM step WHERE world = %lld) "
                         "FROM step WHERE world = %lld",
                         (long long)world, (long long)world, (long long)world);
    if (queryNext(&q)) {
        step = queryInteger(&q, 0), most = queryNumber(&q, 1), mean = queryNumber(&q, 2);
        start = queryNumber(&q, 3), first = queryInteger(&q, 4);
    }
    queryEnd(&q);
    const bool at_start = start > gap_at_start;
    if (!(at_start || (most > gapes && mean > gapes / 10)) || findingsSprings(findings, world)) return;
    Finding *const f = findingAdd(findings, FindingWarning, at_start ? "gap_at_start" : "drift");
    if (!f) return;
    f->world = world, f->step = at_start ? first : step, f->value = at_start ? start : most, f->unit = "m or rad";
    f->excess = f->value / (at_start ? gap_at_start : gapes);
    /* position errors are of a step's start: poses are those of the step before */
    const int64_t joint = widest(findings, world, at_start ? first : posed(findings, world, step - 1), &gap);
    const int64_t plane = at_start ? besidePlane(findings, world, first, 0.3 * f->value) : 0;
    if (plane) {
        f->joint = plane;
        offPlane(f, findings->reader);
        return;
    }
    if (joint && gap > 0.3 * f->value) {
        f->joint = joint;
        snprintf(which, sizeof which, "%s is", findingJoint(findings->reader, joint));
    }
    if (at_start)
        atStart(f, which);
    else
        drift(f, which);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/contact_model.c: findings: faults of a model that its contacts show: shapes that overlap before
 * the first step, and coefficients of restitution above 1. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double overlaps = 0.1; /* of the smaller body's thickness */

#define THICKNESS                                                                                                      \
    "(SELECT min(CASE type WHEN 'box' THEN min(size_1, size_2, size_3) ELSE 2 * size_1 END) FROM shape WHERE body = "  \
    "%s AND type IN ('box', 'sphere', 'capsule', 'cylinder'))"

/* Of each pair in the world's first step, whose contacts were found at the initial poses: the depth, the bodies'
 * thicknesses (NULL: not known), and whether a joint connects them. */
static const char first_contacts[] =
    "SELECT c.body_1, c.body_2, max(c.depth), " THICKNESS ", " THICKNESS
    ", c.step, EXISTS (SELECT 1 FROM joint j WHERE "
    "(j.body_1 = c.body_1 AND j.body_2 = c.body_2) OR (j.body_1 = c.body_2 AND j.body_2 = c.body_1)) FROM contact_step "
    "c JOIN step s ON s.step = c.step WHERE s.world = %lld AND s.number = 1 GROUP BY c.body_1, c.body_2";

static void findOverlaps(Findings *findings, int64_t world)
{
    for (Query q = queryBegin(findings->reader, first_contacts, "c.body_1", "c.body_2", (long long)world);
         queryNext(&q);) {
        const double depth = queryNumber(&q, 2), size = fmin(queryNumber(&q, 3), queryNumber(&q, 4));
        const bool joined = queryInteger(&q, 6) != 0;
        char pair[220];
        if (!(depth > overlaps * size)) continue;
        Finding *const f = findingAdd(findings, FindingWarning, "overlap_at_start");
        f->depth = 1, f->world = world, f->body = queryInteger(&q, 0), f->step = queryInteger(&q, 5);
        f->value = depth, f->unit = "m", f->excess = depth / (overlaps * size);
        snprintf(pair, sizeof pair, "%s and ", findingBody(findings->reader, f->body));
        findingWhat(f, "overlap at the start: %s%s penetrate each other by %.3g m before the first step%s", pair,
                    findingBody(findings->reader, queryInteger(&q, 1)), depth,
                    joined ? ", and a joint connects them" : "");
        findingCause(f, joined
                            ? "The program makes contacts between bodies that a joint connects: the contacts push "
                              "apart what the joint holds together."
                            : "Their initial positions or the sizes of their shapes are wrong: ERP pushes the bodies "
                              "apart from the first step on, and they may jump.");
        findingRemedy(f, joined ? "Make no contacts of connected bodies: dAreConnectedExcluding(a, b, "
                                  "dJointTypeContact) in the collision callback."
                                : "Start the bodies apart, or touching; the position of a body is its centre.");
    }
}

static void aboveOne(Findings *findings, int64_t world)
{
    for (Query q =
             queryBegin(findings->reader,
                        "SELECT c.body_1, c.body_2, max(c.bounce) AS bounce, min(c.step) FROM contact_step c JOIN "
                        "step s ON s.step = c.step WHERE s.world = %lld AND c.bounce > 1 GROUP BY c.body_1, "
                        "c.body_2",
                        (long long)world);
         queryNext(&q);) {
        char pair[220];
        Finding *const f = findingAdd(findings, FindingWarning, "bounce_above_one");
        f->depth = 1, f->world = world, f->body = queryInteger(&q, 0), f->step = queryInteger(&q, 3);
        f->value = queryNumber(&q, 2), f->excess = f->value;
        snprintf(pair, sizeof pair, "%s and ", findingBody(findings->reader, f->body));
        findingWhat(f, "restitution above 1: contacts of %s%s have bounce = %.3g", pair,
                    findingBody(findings->reader, queryInteger(&q, 1)), f->value);
        findingCause(f, "Bodies leave an impact faster than they approach: each one adds energy.");
        findingRemedy(f, "Set surface.bounce to a value from 0 to 1.");
    }
}

void findingsOfContactModel(Findings *findings, int64_t world)
{
    findOverlaps(findings, world);
    aboveOne(findings, world);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/undirected.c: finding: contacts whose surface motion, or whose different coefficients of the
 * two friction directions, act along directions that the program did not set. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/joints/undirected.h"
#include "plugin/tools/findings/findings.h"

static const double slides = 0.02; /* [m/s]; where contacts stick, different coefficients make no difference */
static const double acts = 1e-4;   /* friction force relative to the normal force */

/* Of each pair whose friction forces depend on these directions: the largest of each flag, contacts, and the first
 * step. Contact forces of ODE's own steps are not recorded: NULL. */
static const char undirected[] =
    "WITH c AS (SELECT step, body_1, body_2, undirected AS u, force_x * normal_x + force_y * normal_y + force_z * "
    "normal_z AS normal, force_x * force_x + force_y * force_y + force_z * force_z AS square, slip_x * slip_x + slip_y "
    "* slip_y + slip_z * slip_z AS slip FROM contact_step WHERE undirected > 0 AND mu > 0) SELECT c.body_1, c.body_2, "
    "max(u & %d), max((u & %d) * (slip > %g)), max(u & %d), count(*), min(c.step) FROM c JOIN step s ON s.step = "
    "c.step WHERE s.world = %lld AND coalesce(square - normal * normal > %g * normal * normal, 1) AND (u <> %d OR slip "
    "> %g) GROUP BY c.body_1, c.body_2";

static void addUndirected(Findings *findings, int64_t world, const Query *q)
{
    static const char *const what[3] = {"surface motion (motion1, motion2)", "different coefficients (mu, mu2)",
                                        "different slips (slip1, slip2)"};
    char list[160] = "";
    for (int k = 0; k < 3; k++) {
        const size_t used = strlen(list);
        if (queryInteger(q, 2 + k)) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", what[k]);
    }
    if (!*list) return;
    Finding *const f = findingAdd(findings, FindingWarning, "friction_direction");
    f->depth = 1, f->world = world, f->body = queryInteger(q, 0), f->step = queryInteger(q, 6);
    f->value = queryNumber(q, 5), f->excess = 2;
    findingWhat(f, "friction direction not set: contacts of %s and %s have %s", findingBody(findings->reader, f->body),
                findingBody(findings->reader, queryInteger(q, 1)), list);
    findingCause(f, "surface.mode lacks dContactFDir1: ODE then derives the first friction direction from the normal "
                    "alone (dPlaneSpace), for example -y for a normal along z.");
    findingRemedy(f, "Set contact.fdir1 to a unit vector perpendicular to the normal, and surface.mode |= "
                     "dContactFDir1.");
}

void findingsOfFrictionDirections(Findings *findings, int64_t world)
{
    if (!findingsHaveColumn(findings, "contact_step", "undirected")) return;
    for (Query q = queryBegin(findings->reader, undirected, ukUndirectedMotion, ukUndirectedFriction, slides * slides,
                              ukUndirectedSlip, (long long)world, acts * acts, ukUndirectedFriction, slides * slides);
         queryNext(&q);)
        addUndirected(findings, world, &q);
}

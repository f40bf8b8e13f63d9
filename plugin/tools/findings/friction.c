/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/friction.c: finding: contacts whose mu is a force bound [N], because the surface's mode lacks
 * dContactApprox1, where that bound decides whether they slide. */
#include <math.h>

#include "plugin/tools/findings/findings.h"

static const double slides = 0.02;    /* [m/s] */
static const double often = 0.1;      /* of a pair's contacts */
static const double coefficient = 2;  /* a mu up to this is meant as one */
static const int contacts_least = 30; /* of a pair */

/* Of each pair: contacts, the smallest mu, mean normal force (NULL: ODE's own steps, which report none; what slides in
 * them is at its bound), share of contacts that slide at their bound, first step. */
static const char rows[] =
    "WITH c AS (SELECT step, body_1, body_2, mu, force_x * normal_x + force_y * normal_y + force_z * normal_z AS "
    "normal, "
    "force_x * force_x + force_y * force_y + force_z * force_z AS square, slip_x * slip_x + slip_y * slip_y + slip_z * "
    "slip_z AS slip FROM contact_step WHERE mu_is_force AND mu > 0 AND mu < 1e300) SELECT c.body_1, c.body_2, count(*) "
    "AS n, min(c.mu), avg(c.normal), avg(slip > %g AND coalesce(square - normal * normal > 0.998 * mu * mu, 1)) AS "
    "share, "
    "min(c.step) "
    "FROM c JOIN step s ON s.step = c.step WHERE s.world = %lld GROUP BY c.body_1, c.body_2 HAVING n >= %d AND share > "
    "%g";

void findingsOfFriction(Findings *findings, int64_t world)
{
    for (Query q = queryBegin(findings->reader, rows, slides * slides, (long long)world, contacts_least, often);
         queryNext(&q);) {
        const double mu = queryNumber(&q, 3), normal = queryNumber(&q, 4);
        Finding *const f = findingAdd(findings, mu <= coefficient ? FindingWarning : FindingNote, "mu_is_force");
        f->depth = 2, f->world = world, f->body = queryInteger(&q, 0), f->step = queryInteger(&q, 6);
        f->value = mu, f->unit = "N", f->excess = 1 + fmax(normal, 0) / mu;
        char average[60] = "";
        if (isfinite(normal)) snprintf(average, sizeof average, " (%.3g N on average)", normal);
        findingWhat(f,
                    "mu is a force here: %s and %s slide on each other in %.0f %% of their contacts, with a friction "
                    "of at most %.3g N each, whatever the normal force%s",
                    findingBody(findings->reader, f->body), findingBody(findings->reader, queryInteger(&q, 1)),
                    100 * queryNumber(&q, 5), mu, average);
        findingCause(f, "surface.mode lacks dContactApprox1: ODE uses mu as the bound of the friction force, in "
                        "newtons per contact and direction, not as a coefficient.");
        findingRemedy(f,
                      "surface.mode |= dContactApprox1, which makes mu = %.3g a coefficient; or leave it, if a "
                      "constant friction force is intended.",
                      mu);
    }
}

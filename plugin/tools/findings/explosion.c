/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/explosion.c: findings: kinetic energy that grows exponentially without a cause in the model,
 * whichever stepper took the steps; steps in which the correction of position errors accelerated bodies. */
#include <math.h>

#include "bridge/world/explosion.h"
#include "bridge/base/plural.h"
#include "plugin/tools/findings/findings.h"

static const double numerical =
    0.3; /* least work without a physical cause, relative to the kinetic energy, of an explosion */

static void contactsExplode(Finding *f, double work)
{
    findingCause(f,
                 "The normal forces of contacts do this work, %.3g J: they push bodies into each other, or moving "
                 "surfaces drive the bodies.",
                 work);
    findingRemedy(f, "Check the contacts: geom.normal points into the first body of dJointAttach. Exchange the bodies, "
                     "or negate the normal.");
}

/* Adds the finding if the work has one of three sources: the method and its corrections; contacts, whose normal forces
 * can only remove energy; the forces that the program applies, such as its own explicit springs and dampers. All other
 * work, such as that of motors and of velocities that the program sets, has a physical cause. */
static void addExplosion(Findings *findings, int64_t world, const ukExplosion *e, double most)
{
    const double method = findingsWork(findings, world, "'integration', 'gyroscopic', 'stabilization'");
    const double contacts = findingsWork(findings, world, "'contact_normal'"),
                 applied = findingsWork(findings, world, "'applied'");
    const bool booked =
        queryOne(findings->reader, "SELECT count(*) FROM ledger_step JOIN step USING (step) WHERE world = %lld",
                 (long long)world) > 0;
    const double least = numerical * most;
    const bool stiff = findingsFound(findings, world, "stiff_spring"); /* which has the cause and a remedy */
    if (method < least && contacts < least && (applied < least || stiff)) return;
    Finding *const f = findingAdd(findings, FindingError, "explosion");
    f->depth = 3, f->world = world, f->step = e->from.key, f->value = most, f->unit = "J";
    f->excess = most / e->from.kinetic;
    findingWhat(f,
                "explosion: the kinetic energy grows exponentially, from %.3g J by a factor of %.3g in %.0f steps, to "
                "%.3g J at most",
                e->from.kinetic, e->to.kinetic / e->from.kinetic, (double)(e->to.number - e->from.number), most);
    if (!booked)
        findingCause(f, "ODE's own stepper took the steps: a method that amplifies its own errors, or forces that the "
                        "program computes from the state and that are too stiff for the step.");
    else if (!(method < least))
        findingCause(f,
                     "No force of the model causes this: %.3g J are the work of the time step and of the correction of "
                     "position errors.",
                     method);
    else if (!(contacts < least))
        contactsExplode(f, contacts);
    else
        findingCause(f, "The forces that the program applies do this work. If it computes them from the state, they "
                        "are too stiff for the step h: a spring k of a mass m is unstable above k h^2/m = 4, a damper "
                        "c above c h/m = 2.");
}

static bool findExponentialGrowth(Findings *findings, int64_t world)
{
    ukExplosion e = {.levels = 0}, found = {.levels = 0};
    double most = 0;
    for (Query q =
             queryBegin(findings->reader,
                        "SELECT step, number, kinetic_energy, potential_energy FROM step WHERE world = %lld ORDER "
                        "BY step",
                        (long long)world);
         queryNext(&q);) {
        const double kinetic = queryNumber(&q, 2);
        if (isfinite(kinetic)) most = fmax(most, kinetic);
        const bool exponential =
            ukExplosionTake(&e, queryInteger(&q, 1), queryInteger(&q, 0), kinetic, queryNumber(&q, 3));
        if (exponential && found.levels == 0) found = e;
    }
    if (found.levels > 0) addExplosion(findings, world, &found, most);
    return found.levels > 0;
}

static void addSurge(Findings *findings, int64_t world)
{
    const double n = queryOne(findings->reader, "SELECT count(*) FROM event WHERE world = %lld AND kind = 'surge'",
                              (long long)world);
    if (!(n > 0)) return;
    Query q =
        queryBegin(findings->reader,
                   "SELECT step, value FROM event WHERE world = %lld AND kind = 'surge' ORDER BY value DESC LIMIT 1",
                   (long long)world);
    Finding *const f = queryNext(&q) ? findingAdd(findings, FindingWarning, "surge") : NULL;
    if (f) {
        f->depth = 2, f->world = world, f->step = queryInteger(&q, 0), f->value = queryNumber(&q, 1), f->unit = "J";
        f->excess = n;
        findingWhat(
            f,
            "energy without a physical cause: in %.0f step%s the correction of position errors accelerated bodies, by "
            "up to %.3g J",
            n, ukPlural(n), f->value);
        findingCause(f, "A joint had a large position error, or a nearly singular mechanism could follow only by "
                        "moving very fast: the bodies keep the velocity of the correction.");
        findingRemedy(f, "docs/unconverged.md explains such programs.");
    }
    queryEnd(&q);
}

void findingsOfExplosions(Findings *findings, int64_t world)
{
    if (!findExponentialGrowth(findings, world)) addSurge(findings, world);
}

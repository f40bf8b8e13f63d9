/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/findings_explosion.c: kinetic energy that grows exponentially by no cause of the model, whoever took the
 * steps; and steps in which the correction of position errors threw bodies. */
#include <math.h>

#include "plugin/cli/findings.h"

/* A motion under forces grows by powers of the time: each next factor of 4^4 takes four times as long or longer, of a
 * growth with the square of the time 16 times. What a method amplifies from step to step takes as long as the one before. */
enum { Half = 4, Levels = 2 * Half }; /* factors of 4: 65536 in all */
static const double same_pace = 2;    /* steps of the second half over those of the first */
static const int steps_least = 12;
static const double fallen = 0.1;    /* potential energy lost meanwhile, of the kinetic one */
static const double numerical = 0.3; /* work of the numerical method, of the kinetic energy: less, and it has a cause */

typedef struct Growth {
    int top, count;                               /* highest level so far; how many are known below it */
    int64_t number[Levels + 1], step[Levels + 1]; /* [0]: at the top; [k]: k levels below */
    double kinetic[Levels + 1], potential[Levels + 1];
} Growth;

static void reach(Growth *g, int level, const Query *q)
{
    const int rise = g->count > 0 ? level - g->top : 1;
    for (int k = Levels; k >= 0; k--) {
        const int from = k - rise;
        const bool kept = from >= 0;
        g->number[k] = kept ? g->number[from] : queryInteger(q, 1);
        g->step[k] = kept ? g->step[from] : queryInteger(q, 0);
        g->kinetic[k] = kept ? g->kinetic[from] : queryNumber(q, 2);
        g->potential[k] = kept ? g->potential[from] : queryNumber(q, 3);
    }
    g->top = level;
    g->count = g->count + rise > Levels + 1 ? Levels + 1 : g->count + rise;
}

static bool isExponential(const Growth *g)
{
    int apart = 0; /* levels that took a step of their own: a blow passes many in one */
    if (g->count <= Levels) return false;
    for (int k = 0; k < Levels; k++) apart += g->number[k] > g->number[k + 1];
    if (apart < Levels - 2) return false;
    const int64_t late = g->number[0] - g->number[Half], early = g->number[Half] - g->number[Levels];
    return late + early >= steps_least && early > 0 && (double)late <= same_pace * (double)early &&
           g->potential[Levels] - g->potential[0] < fallen * g->kinetic[0];
}

/* what the ledger says the method itself has done until the world's last step [J]; NaN: there is no ledger */
static double numericalWork(Findings *findings, int64_t world)
{
    return queryOne(
        findings->reader,
        "SELECT sum(work) FROM ledger_step WHERE cause IN ('integration', 'gyroscopic', 'stabilization') AND "
        "step = (SELECT max(l.step) FROM ledger_step l JOIN step s ON s.step = l.step WHERE s.world = %lld)",
        (long long)world);
}

static void explosion(Findings *findings, int64_t world, const Growth *g, double most)
{
    const double work = numericalWork(findings, world), steps = (double)(g->number[0] - g->number[Levels]);
    if (work < numerical * most) return;
    Finding *const f = findingAdd(findings, FindingError, "explosion");
    if (!f) return;
    f->depth = 3, f->world = world, f->step = g->step[Levels], f->value = most, f->unit = "J";
    f->excess = most / g->kinetic[Levels];
    findingWhat(f,
                "explosion: the kinetic energy grows exponentially, from %.3g J by a factor of %.3g in %.0f steps, to "
                "%.3g J at most",
                g->kinetic[Levels], g->kinetic[0] / g->kinetic[Levels], steps, most);
    if (isfinite(work))
        findingCause(f,
                     "No force of the model does that: %.3g J are the work of the time step and of the correction of "
                     "position errors.",
                     work);
    else
        findingCause(f, "ODE's own stepper took the steps: a method that amplifies its own errors, or forces that the "
                        "program computes from the state and that are too stiff for the step.");
    findingRemedy(f, "A shorter step, or --integrator rk4; joints that are far from where they were made (PU, hinge-2, "
                     "piston) replaced by a slider and a hinge.");
}

static bool grows(Findings *findings, int64_t world)
{
    Growth g = {.count = 0}, found = {.count = 0};
    double most = 0;
    for (Query q =
             queryBegin(findings->reader,
                        "SELECT step, number, kinetic_energy, potential_energy FROM step WHERE world = %lld ORDER "
                        "BY step",
                        (long long)world);
         queryNext(&q);) {
        const double kinetic = queryNumber(&q, 2);
        if (!(kinetic > 1e-12)) continue;
        if (isfinite(kinetic)) most = fmax(most, kinetic);
        const int level = isfinite(kinetic) ? (int)floor(log2(kinetic) / 2) : 600;
        if (g.count > 0 && level <= g.top) continue;
        reach(&g, level, &q);
        if (found.count == 0 && isExponential(&g)) found = g;
    }
    if (found.count > 0) explosion(findings, world, &found, most);
    return found.count > 0;
}

static void surges(Findings *findings, int64_t world)
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
        findingWhat(f,
                    "energy without a cause: in %.0f step%s the correction of position errors threw bodies, with up to "
                    "%.3g J",
                    n, n == 1 ? "" : "s", f->value);
        findingCause(f, "A joint was far open, or a mechanism could follow only by moving very much faster than it was "
                        "asked to: the speed of the correction stays with the bodies.");
        findingRemedy(f, "A shorter step, a smaller ERP, or --stabilization split; docs/unconverged.md has the rest.");
    }
    queryEnd(&q);
}

void findingsOfExplosions(Findings *findings, int64_t world)
{
    if (!grows(findings, world)) surges(findings, world);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/steps.c: findings about steps: not certified, failed, left to ODE, or solved with modified
 * equations; their length and duration. */
#include <stdio.h>
#include <stdlib.h>

#include "bridge/base/plural.h"
#include "plugin/tools/findings/findings.h"
#include "solvers/base/status.h"

static double countSteps(Findings *findings, int64_t world, const char *what)
{
    return queryOne(findings->reader, "SELECT count(*) FROM step WHERE world = %lld AND %s", (long long)world, what);
}

static int64_t stepsFirst(Findings *findings, int64_t world, const char *what)
{
    return queryOneInteger(findings->reader, "SELECT min(step) FROM step WHERE world = %lld AND %s", (long long)world,
                           what);
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

static void addOutcome(Findings *findings, int64_t world, Severity severity, const char *kind, const char *where,
                       const char *words[3])
{
    const double some = countSteps(findings, world, where), all = countSteps(findings, world, "1");
    Finding *const f = some > 0 ? findingAdd(findings, severity, kind) : NULL;
    if (!f) return;
    f->world = world, f->step = stepsFirst(findings, world, where), f->value = some, f->excess = 1 + some / all;
    findingWhat(f, "%.0f of %.0f steps %s", some, all, words[0]);
    findingCause(f, "%s", words[1]);
    findingRemedy(f, "%s", words[2]);
}

/* natively the table has no count of rows: joints have rows of their own */
static const char quick_native[] =
    "quick = 1 AND ukode = 0 AND (contacts > 0 OR EXISTS (SELECT 1 FROM joint j WHERE j.world = step.world AND j.type "
    "NOT IN ('contact', 'null') AND coalesce(j.body_1, j.body_2) IS NOT NULL AND j.created_step <= step.step AND "
    "(j.destroyed_step IS NULL OR j.destroyed_step > step.step)))";

static void findOutcomes(Findings *findings, int64_t world)
{
    addOutcome(
        findings, world, FindingError, "not_certified", "ok = 0",
        (const char *[]){"are not certified: a residual of the Gauss check is above its tolerance",
                         "The accelerations that were found do not satisfy the stated equations.",
                         "If the program limits its passes (--passes, ukWorldSetPassLimit), raise the limit. "
                         "Otherwise --check resolve solves such steps again, densely; --check stop shows the first."});
    char why[400] = "ukode could not take them.";
    Query q = queryBegin(findings->reader, "SELECT text FROM event WHERE world = %lld AND kind = 'fallback' LIMIT 1",
                         (long long)world);
    if (queryNext(&q) && *queryText(&q, 0)) snprintf(why, sizeof why, "The first: %s.", queryText(&q, 0));
    queryEnd(&q);
    addOutcome(findings, world, FindingWarning, "left_to_ode", "fallback = 1",
               (const char *[]){"were left to ODE's own stepper", why,
                                "The recording's table `event` has the reason of each."});
    addOutcome(findings, world, FindingWarning, "compromise", "compromise > 1e-6",
               (const char *[]){"solved equations other than the stated ones",
                                "Dependent rows could be solved only with a small softness.",
                                "See the other findings; `ukode info` names contradictory joints."});
    addOutcome(findings, world, FindingNote, "unconverged", quick_native,
               (const char *[]){"were taken by QuickStep, whose iterations end before they converge",
                                "Its joints are softer than stated, and resting contact may depend on that.",
                                "`ukode compare` shows by how much; docs/unconverged.md explains what to do."});
}

/* Remedy of a failed step: its status determines the kind of cause that its message names. "": an integrator is
 * advised. */
static const char *refusedRemedy(int status)
{
    switch (status) {
    case ukErrorNotConverged: return "";
    case ukErrorBudget: return "A shorter step, a looser tolerance (--tolerance), or a larger budget (--budget).";
    case ukErrorCheck: return "--check resolve solves such steps again, densely.";
    case ukErrorChanged:
    case ukErrorCallback:
        return "A function of the program that the step calls caused it: check what it returns and destroys.";
    case ukErrorUnsupported: return "Remove the object that the message names, or use another integrator.";
    default:
        return "The named body or joint has a state or parameter that is not finite, or an impossible "
               "motion: check the values that were set before.";
    }
}

static void addEvents(Findings *findings, int64_t world, const char *kind, const char *what, const char *remedy)
{
    Query q =
        queryBegin(findings->reader,
                   "SELECT count(*), min(step), body, joint, text, value FROM event WHERE world = %lld AND kind = '%s'",
                   (long long)world, kind);
    if (queryNext(&q) && queryInteger(&q, 0) > 0) {
        Finding *const f = findingAdd(findings, FindingError, kind);
        f->depth = 1, f->world = world, f->step = queryInteger(&q, 1), f->body = queryInteger(&q, 2);
        f->joint = queryInteger(&q, 3), f->value = (double)queryInteger(&q, 0);
        findingWhat(f, "%s: %s", what, queryText(&q, 4));
        findingCause(f, "It occurred %.0f time%s%s.", f->value, ukPlural(f->value),
                     f->value == 1 ? "" : "; this is the first");
        findingRemedy(f, "%s", remedy ? remedy : refusedRemedy((int)queryNumber(&q, 5)));
    }
    queryEnd(&q);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static int isShorter(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Duration of the steps over the time that they simulate, from the median of every five successive steps, and so
 * without the interruptions of single steps by other processes, which wall time includes. */
static double paceOf(Findings *findings, int64_t world)
{
    enum { Window = 5 };
    double lasted[Window], simulated = 0, sum = 0;
    int n = 0;
    for (Query q = queryBegin(findings->reader, "SELECT microseconds, h FROM step WHERE world = %lld ORDER BY step",
                              (long long)world);
         queryNext(&q);) {
        lasted[n++] = queryNumber(&q, 0), simulated += queryNumber(&q, 1);
        if (n < Window) continue;
        qsort(lasted, Window, sizeof *lasted, isShorter);
        sum += Window * lasted[Window / 2], n = 0;
    }
    qsort(lasted, (size_t)n, sizeof *lasted, isShorter);
    if (n > 0) sum += n * lasted[(n - 1) / 2];
    return 1e-6 * sum / simulated;
}

static void findPace(Findings *findings, int64_t world)
{
    const double ratio = paceOf(findings, world);
    Finding *const f = ratio > 1 ? findingAdd(findings, FindingNote, "slower_than_real_time") : NULL;
    if (!f) return;
    f->world = world, f->value = ratio, f->excess = ratio;
    findingWhat(f, "slower than real time: a second of motion takes %.3g s of steps", ratio);
    const double rows = queryOne(findings->reader, "SELECT max(rows) FROM step WHERE world = %lld", (long long)world);
    findingCause(f, "%.0f row%s per step at most; the duration is wall time, and includes what other processes take.",
                 rows, ukPlural(rows));
    findingRemedy(f, "Longer steps, fewer contacts per pair of bodies, --threads for several piles or robots.");
}

void findingsOfRefusals(Findings *findings, int64_t world)
{
    addEvents(findings, world, "refused", "failed step", NULL);
    addEvents(
        findings, world, "conflict", "failed step: contradictory constraints",
        "Move an anchor or axis, or change a user constraint, so that all can be satisfied at once, or remove one.");
}

void findingsOfSteps(Findings *findings, int64_t world)
{
    findOutcomes(findings, world);
    findingsOfRefusals(findings, world);
    findPace(findings, world);
}

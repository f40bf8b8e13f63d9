/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/findings_advice.c: which integrator or correction would cure a finding. What can be tried by a replay of the
 * recording is tried, and recommended only where it helps; else it is named where the recorded islands allow it. The
 * rules give what else there is to do (a shorter step). */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "plugin/cli/findings.h"
#include "plugin/cli/findings_trial.h"

static const double helps = 0.2; /* of what was found: so much may be left */
static const double least_gap =
    5e-3; /* [m or rad]: half of what is reported as drift; a correction may leave it, and what there was */
static const double contact_steps = 0.1; /* of the steps: with more, islands with contacts decide */

/* What of a world decides which settings do anything. */
typedef struct World {
    int64_t world;
    bool native, euler, adaptive, split; /* how it was stepped */
    bool contacts, driven, loops;        /* driven: motors of finite force, springs by CFM, stops that act */
    double gap;                          /* recorded */
} World;

static double one(Findings *findings, const char *what, int64_t world)
{
    return queryOne(findings->reader, "SELECT %s WHERE world = %lld", what, (long long)world);
}

static World worldOf(Findings *findings, int64_t world)
{
    World w = {.world = world};
    Query q = queryBegin(findings->reader, "SELECT integrator, stabilization FROM world WHERE world = %lld",
                         (long long)world);
    if (queryNext(&q)) {
        w.native = strcmp(queryText(&q, 0), "native") == 0;
        w.euler = strcmp(queryText(&q, 0), "euler") == 0;
        w.adaptive = strcmp(queryText(&q, 0), "adaptive") == 0;
        w.split = strcmp(queryText(&q, 1), "split") == 0;
    }
    queryEnd(&q);
    w.contacts = one(findings, "avg(contacts > 0) FROM step", world) > contact_steps;
    w.driven =
        one(findings,
            "count(*) FROM joint_parameter p JOIN joint j ON j.joint = p.joint AND ((p.name = 'fmax' AND p.value > "
            "0 AND p.value < 1e300) OR (p.name IN ('cfm', 'suspension_cfm') AND p.value > 1e-8))",
            world) > 0 ||
        one(findings,
            "max(abs(j.force_stop_x) + abs(j.force_stop_y) + abs(j.force_stop_z) + abs(j.torque_stop_x) + "
            "abs(j.torque_stop_y) + abs(j.torque_stop_z)) FROM joint_step j JOIN step s ON s.step = j.step",
            world) > 0;
    /* joints that make no loop are at most as many as the bodies that they join */
    w.loops =
        queryOne(findings->reader,
                 "SELECT (SELECT count(*) FROM joint WHERE world = %lld AND type <> 'contact') - (SELECT count(*) "
                 "FROM body b WHERE b.world = %lld AND EXISTS (SELECT 1 FROM joint j WHERE j.type <> 'contact' AND "
                 "(j.body_1 = b.body OR j.body_2 = b.body)))",
                 (long long)world, (long long)world) > 0;
    w.gap = one(findings, "max(position_error) FROM step", world);
    return w;
}

static bool isEnergy(const Finding *f)
{
    return strncmp(f->kind, "energy_", 7) == 0;
}

/* settings that may cure it, the likeliest first */
static int candidates(const Finding *f, const World *w, TrialSetting list[TrialSettings])
{
    int n = 0;
    const bool correction = strcmp(f->kind, "erp") == 0 || strcmp(f->kind, "energy_stabilization") == 0;
    if (w->native) return 0;
    if (correction && !w->split && w->euler) list[n++] = TrialSplit;
    if (strcmp(f->kind, "erp") == 0 || w->contacts || w->adaptive) return n;
    list[n++] = TrialAdaptive;
    if (w->euler && !w->driven) list[n++] = TrialRk4;
    return n;
}

/* without a trial: the adaptive integrator is for joints, motors and springs; split correction for what has no loop that
 * it could pull apart */
static bool allowed(TrialSetting setting, const World *w)
{
    return setting == TrialSplit ? !w->loops : setting == TrialAdaptive;
}

/* what a trial left of what was found; NaN: not known */
static double leftOf(const Finding *f, const struct Trial *t)
{
    return isEnergy(f) ? t->energy : strcmp(f->kind, "drift") == 0 ? t->gap : NAN;
}

/* a step that is too long has no number that a trial measures: then it is enough that steps were accurate, and taken */
static bool cures(const Finding *f, const World *w, const struct Trial *t)
{
    const double left = leftOf(f, t);
    if (!t->taken || !(t->gap <= fmax(w->gap, least_gap))) return false;
    if (isnan(left) || t->cut) return t->setting == TrialAdaptive || strcmp(f->kind, "erp") == 0;
    return left < helps * fabs(f->value);
}

static void put(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void put(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void putTrial(char *text, size_t size, const Finding *f, const struct Trial *t)
{
    const double left = leftOf(f, t);
    if (t->refused > 0)
        put(text, size, "%.0f steps refused", t->refused);
    else if (!t->taken)
        put(text, size, "it does not get to the end");
    else if (t->cut)
        put(text, size, "%.0f of %.0f steps in the time for it, position errors up to %.2g", t->steps, t->all, t->gap);
    else if (isfinite(left))
        put(text, size, "%.2g %s instead of %.2g", left, f->unit, fabs(f->value));
    else
        put(text, size, "all steps taken, position errors up to %.2g", t->gap);
    if (t->taken) put(text, size, ", %.2g ms a step", 1e3 * t->seconds);
}

/* the rule's own remedy follows; "" : there is none but that */
static void adviceFor(Findings *findings, const Finding *f, char *text, size_t size)
{
    const World w = worldOf(findings, f->world);
    TrialSetting list[TrialSettings];
    const int count = candidates(f, &w, list);
    char failed[400] = "";
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        const struct Trial *const t = trialOf(findings, f->world, list[i]);
        if (!t && !allowed(list[i], &w)) continue;
        if (!t || cures(f, &w, t)) {
            put(text, size, "%s (", trialOption(list[i]));
            if (t) {
                put(text, size, "tried: ");
                putTrial(text, size, f, t);
            }
            put(text, size, t ? ")" : "record with --inputs, and this report tries it)");
            return;
        }
        put(failed, sizeof failed, "%s%s: ", *failed ? "; " : "", trialOption(list[i]));
        putTrial(failed, sizeof failed, f, t);
    }
    if (*failed) put(text, size, "no other integrator or correction helps (tried: %s)", failed);
}

/* kinds whose cause is a setting of the step, and whose remedy leaves that to this file */
static bool isOfTheStep(const char *kind)
{
    static const char *const kinds[] = {
        "drift", "step_too_long", "erp", "energy_integration", "energy_gyroscopic", "energy_stabilization"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0) return true;
    return false;
}

void findingsAdvise(Findings *findings)
{
    for (int i = 0; i < findings->count; i++) {
        Finding *const f = &findings->list[i];
        char own[sizeof f->remedy], advice[900];
        if (!isOfTheStep(f->kind)) continue;
        adviceFor(findings, f, advice, sizeof advice);
        snprintf(own, sizeof own, "%s", f->remedy);
        const bool helps_nothing = strncmp(advice, "no other", 8) == 0;
        if (!*advice || helps_nothing) own[0] = own[1] == ' ' && own[0] == 'a' ? 'A' : own[0]; /* "a shorter step." */
        if (!*advice)
            findingRemedy(f, "%s", own);
        else if (helps_nothing)
            findingRemedy(f, "%s But %s.", own, advice);
        else
            findingRemedy(f, "%s; else %s", advice, own);
    }
}

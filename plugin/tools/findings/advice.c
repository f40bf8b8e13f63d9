/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/advice.c: chooses the integrator or stabilization that is advised for a finding. What can be
 * tried by a replay of the recording is tried, and recommended only where it helps; else it is named where the recorded
 * islands allow it. The rules state the alternative (a shorter step). */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/findings/trial.h"

static const double helps = 0.2; /* a setting cures a finding if at most this fraction of its value remains */
static const double least_gap =
    5e-3; /* [m or rad] half of the gap that is reported as drift; a correction may leave this or the former gap */
static const double acting_steps = 0.1;  /* of the steps: in more, the program acts on its world all the time */
static const double contact_steps = 0.1; /* of the steps: with more, islands with contacts decide */

/* Properties of a world that decide which settings have an effect. */
typedef struct World {
    int64_t world;
    bool native, euler, adaptive, split, exact; /* how it was stepped */
    bool contacts;                              /* in many steps; where there are joints, of their bodies */
    bool apart;                                 /* there are joints, and none of their bodies ever touches anything */
    bool driven, loops;                         /* driven: motors of finite force, springs by CFM, stops that act */
    bool couples; /* ODE's rows of a displaced joint apply forces that are not collinear, whatever corrects positions */
    bool touched; /* it has contacts in some step */
    bool acting;  /* the program sets forces, velocities or motors between steps, and its inputs are recorded */
    double gap;   /* recorded */
    double size;  /* largest radius of gyration [m] */
} World;

static double queryWorld(Findings *findings, const char *what, int64_t world)
{
    return queryOne(findings->reader, "SELECT %s WHERE world = %lld", what, (long long)world);
}

/* Whether there are joints, and none of their bodies ever touches anything: their islands have no contacts. */
static bool isApart(Findings *findings, int64_t world)
{
    return queryOne(
               findings->reader,
               "WITH held AS (SELECT body_1 AS body FROM joint WHERE world = %lld AND type <> 'contact' UNION "
               "SELECT body_2 FROM joint WHERE world = %lld AND type <> 'contact') SELECT EXISTS (SELECT 1 FROM held "
               "WHERE body > 0) AND NOT EXISTS (SELECT 1 FROM contact_step WHERE body_1 IN (SELECT body FROM held "
               "WHERE body > 0) OR body_2 IN (SELECT body FROM held WHERE body > 0))",
               (long long)world, (long long)world) > 0;
}

static World worldOf(Findings *findings, int64_t world)
{
    World w = {.world = world};
    Query q = queryBegin(findings->reader, "SELECT integrator, stabilization, joint_rule FROM world WHERE world = %lld",
                         (long long)world);
    if (queryNext(&q)) {
        w.native = strcmp(queryText(&q, 0), "native") == 0;
        w.euler = strcmp(queryText(&q, 0), "euler") == 0;
        w.adaptive = strcmp(queryText(&q, 0), "adaptive") == 0 || strcmp(queryText(&q, 0), "radau") == 0;
        w.split = strcmp(queryText(&q, 1), "split") == 0;
        w.exact = strcmp(queryText(&q, 2), "exact") == 0;
    }
    queryEnd(&q);
    w.couples = findingsFound(findings, world, "forces_not_collinear");
    w.apart = isApart(findings, world);
    w.contacts = queryWorld(findings, "avg(contacts > 0) FROM step", world) > contact_steps && !w.apart;
    w.touched = queryWorld(findings, "max(contacts) FROM step", world) > 0;
    w.driven =
        queryWorld(
            findings,
            "count(*) FROM joint_parameter p JOIN joint j ON j.joint = p.joint AND ((p.name = 'fmax' AND p.value > "
            "0 AND p.value < 1e300) OR (p.name IN ('cfm', 'suspension_cfm') AND p.value > 1e-8))",
            world) > 0 ||
        queryWorld(findings,
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
    w.acting =
        queryOne(findings->reader,
                 "SELECT avg(length(i.data) > (SELECT min(length(data)) FROM input)) FROM input i JOIN step s ON "
                 "s.step = i.step WHERE s.world = %lld",
                 (long long)world) > acting_steps;
    w.gap = queryWorld(findings, "max(position_error) FROM step", world);
    w.size = queryWorld(findings, "max(sqrt((inertia_xx + inertia_yy + inertia_zz) / (2 * mass))) FROM body", world);
    return w;
}

static bool isKind(const Finding *f, const char *kind)
{
    return strcmp(f->kind, kind) == 0;
}

static bool isEnergy(const Finding *f)
{
    return strncmp(f->kind, "energy_", 7) == 0;
}

/* Whether the finding is about bodies that are thrown: settings are then tried with contacts as well, because the
 * absence of throws is a cure. */
static bool isThrow(const Finding *f)
{
    return isKind(f, "explosion") || isKind(f, "surge");
}

/* whether a shorter step is tried: not where the rule itself says which one, that the correction is to blame, or that
 * the parameters go with the step */
static bool mayBeShorter(const Finding *f)
{
    return !isKind(f, "step_too_long") && !isKind(f, "erp") && !isKind(f, "spring_damped");
}

/* settings that may cure it, the likeliest first */
static int listCandidates(const Finding *f, const World *w, TrialSetting list[TrialSettings])
{
    int n = 0;
    const bool correction = isKind(f, "erp") || isKind(f, "energy_stabilization") || isKind(f, "surge");
    if (w->native) list[n++] = TrialEuler;
    if (correction && !w->split && w->euler && !w->couples) list[n++] = TrialSplit;
    if ((isThrow(f) || (correction && w->couples)) && w->euler && !w->exact) list[n++] = TrialExact;
    if (!isKind(f, "erp") && !w->contacts && !w->adaptive) list[n++] = TrialAdaptive;
    if (!isKind(f, "erp") && !w->contacts && w->euler && !w->driven) list[n++] = TrialRk4;
    if (mayBeShorter(f)) list[n++] = TrialShorter;
    return n;
}

/* Whether a setting is recommended without a trial: the adaptive integrator always; the split correction if there is no
 * loop that it could pull apart. */
static bool isAllowedUntried(TrialSetting setting, const World *w)
{
    if (w->native) return false;
    return setting == TrialSplit ? !w->loops : setting == TrialAdaptive;
}

/* The value of the finding in the trial; NaN: not known. */
static double leftOf(const Finding *f, const struct Trial *t)
{
    return isEnergy(f)              ? t->energy
           : isKind(f, "drift")     ? t->gap
           : isKind(f, "explosion") ? t->kinetic
           : isKind(f, "surge")     ? t->surge
                                    : NAN;
}

/* whether the gaps of joints have not grown, and are smaller than the bodies */
static bool holdsTogether(const World *w, const struct Trial *t)
{
    return t->gap <= fmax(w->gap, least_gap) && t->gap <= fmax(w->size, least_gap);
}

/* Whether the trial's setting removes the finding. A step that is too long has no value that a trial measures: it
 * suffices that the steps were taken and accurate. */
static bool doesCure(const Finding *f, const World *w, const struct Trial *t)
{
    const double left = leftOf(f, t);
    if (!t->taken || t->explodes || !holdsTogether(w, t)) return false;
    if (isKind(f, "refused")) return !t->cut;
    if (isnan(left) || t->cut) return t->setting == TrialAdaptive || isKind(f, "erp");
    return left < helps * fabs(f->value);
}

__attribute__((format(printf, 3, 4))) static void put(char *text, size_t size, const char *format, ...)
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
        put(text, size, "%.0f step%s failed", t->refused, ukPlural(t->refused));
    else if (!t->taken)
        put(text, size, "it does not complete the run");
    else if (t->cut)
        put(text, size, "%.0f of %.0f steps in the time for it, position errors up to %.2g", t->steps, t->all, t->gap);
    else if (isfinite(left))
        put(text, size, "%.2g %s instead of %.2g", left, f->unit, fabs(f->value));
    else
        put(text, size, "all steps taken, position errors up to %.2g", t->gap);
    if (t->explodes) put(text, size, ", it explodes");
    if (isfinite(left) && t->taken && !t->explodes && t->gap > least_gap)
        put(text, size, ", position errors up to %.2g", t->gap);
    if (t->taken) put(text, size, ", %.2g ms per step", 1e3 * t->seconds);
}

static void putFailed(char *text, size_t size, Findings *findings, const Finding *f, const struct Trial *t)
{
    put(text, size, "%s%s: ", *text ? "; " : "", trialOption(findings, f->world, t->setting));
    putTrial(text, size, f, t);
}

/* What a rule has besides follows. Where nothing could be tried, a shorter step is named without a number. */
typedef struct Advice {
    char text[900];
    bool useless; /* it states that the settings that were tried do not help */
} Advice;

static Advice adviceFor(Findings *findings, const Finding *f)
{
    const World w = worldOf(findings, f->world);
    TrialSetting list[TrialSettings];
    const int count = listCandidates(f, &w, list);
    char failed[600] = "";
    Advice a = {.useless = false};
    for (int i = 0; i < count && !*a.text; i++) {
        const struct Trial *const t = trialOf(findings, f->world, list[i], isThrow(f) || w.apart);
        const char *const option = trialOption(findings, f->world, list[i]);
        if (t && doesCure(f, &w, t)) {
            put(a.text, sizeof a.text, "%s (tried: ", option);
            putTrial(a.text, sizeof a.text, f, t);
            put(a.text, sizeof a.text, "%s)", w.touched ? ", contacts as recorded" : "");
        } else if (t) {
            putFailed(failed, sizeof failed, findings, f, t);
        } else if (isAllowedUntried(list[i], &w)) {
            const char *const why = trialHindrance(findings, f->world, list[i], isThrow(f) || w.apart);
            put(a.text, sizeof a.text, "%s (%s)%s", option, why ? why : "untested: no memory",
                mayBeShorter(f) ? "; else a shorter step" : "");
        }
    }
    a.useless = *failed && !*a.text && !w.acting && !w.touched;
    if (*failed && !*a.text && !a.useless && mayBeShorter(f))
        put(a.text, sizeof a.text, "a shorter step (a replay cannot test it: %s)",
            w.acting ? "it repeats the forces that the program computed from the state"
                     : "its contacts are those of the recording");
    else if (a.useless)
        put(a.text, sizeof a.text, "%s (tried: %s)",
            mayBeShorter(f) ? "no other integrator, correction or shorter step reduces the error"
                            : "no other integrator or correction reduces the error",
            failed);
    else if (!*a.text && mayBeShorter(f))
        put(a.text, sizeof a.text, "a shorter step");
    return a;
}

/* kinds whose cause is a setting of the step, and whose remedy leaves that to this file; of failed steps and explosions
 * those that have no remedy yet */
static bool isOfTheStep(const Finding *f)
{
    if (isKind(f, "refused") || isKind(f, "explosion")) return !*f->remedy;
    return isEnergy(f) || isKind(f, "drift") || isKind(f, "step_too_long") || isKind(f, "erp") || isKind(f, "surge") ||
           isKind(f, "spring_damped");
}

/* Capitalizes the first letter of a sentence, unless it is the name of a function. */
static void capitalize(char *text)
{
    if (*text >= 'a' && *text <= 'z' && (text[1] < 'A' || text[1] > 'Z')) *text = (char)(*text - 'a' + 'A');
}

void findingsAdvise(Findings *findings, int first)
{
    for (int i = first; i < findings->count; i++) {
        Finding *const f = &findings->list[i];
        char own[sizeof f->remedy];
        if (!isOfTheStep(f)) continue;
        Advice a = adviceFor(findings, f);
        snprintf(own, sizeof own, "%s", f->remedy);
        if (strncmp(own, "h <=", 4) != 0 && (a.useless || !*a.text)) capitalize(own);
        if (strncmp(a.text, "--", 2) != 0 && !(a.useless && *own)) capitalize(a.text);
        if (!*a.text)
            findingRemedy(f, "%s", own);
        else if (!*own)
            findingRemedy(f, "%s.", a.text);
        else if (a.useless)
            findingRemedy(f, "%s But %s.", own, a.text);
        else
            findingRemedy(f, "%s; else %s", a.text, own);
    }
}

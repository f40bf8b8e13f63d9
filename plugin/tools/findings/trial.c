/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/findings/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "plugin/formats/inputs/capture.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/launch/replay.h"

static const double costly = 5;    /* [s], of the recorded steps: not tried */
static const double patience = 30; /* [s], of one trial */
static const double budget = 90;   /* [s], of all trials of a report */

static const struct {
    const char *option, *variable, *value;
} settings[TrialSettings] = {
    [TrialAdaptive] = {"--integrator adaptive", "UKODE_INTEGRATOR", "adaptive"},
    [TrialRk4] = {"--integrator rk4", "UKODE_INTEGRATOR", "rk4"},
    [TrialSplit] = {"--stabilization split", "UKODE_STABILIZATION", "split"},
    [TrialExact] = {"--joints exact", "UKODE_JOINTS", "exact"},
    [TrialEuler] = {"ukode's own steps, without --native", "UKODE_INTEGRATOR", "euler"},
    [TrialShorter] = {.option = NULL},
};
enum { Parts = 10 }; /* of a step that is divided */

static double ofWorld(ukReader *reader, int64_t world, const char *what)
{
    return queryOne(reader, "SELECT %s FROM step WHERE world = %lld", what, (long long)world);
}

const char *trialOption(Findings *findings, int64_t world, TrialSetting setting)
{
    static char shorter[40];
    if (settings[setting].option) return settings[setting].option;
    snprintf(shorter, sizeof shorter, "a step of %.3g s", ofWorld(findings->reader, world, "max(h)") / Parts);
    return shorter;
}

/* reports once where it is not */
static bool haveReplay(void)
{
    static int found = -1;
    char program[2048];
    if (found < 0) found = replayFind(program, sizeof program);
    return found > 0;
}

const char *trialHindrance(Findings *findings, int64_t world, TrialSetting setting, bool touching)
{
    ukReader *const r = findings->reader;
    const double most = setting == TrialShorter ? patience / Parts : costly;
    if (!(queryOne(r, "SELECT max(inputs) FROM run") > 0)) return "record with --inputs, and this report tries it";
    if (queryOne(r, "SELECT count(*) FROM snapshot WHERE format NOT BETWEEN %d AND %d", ukInputsOldest,
                 ukInputsFormat) != 0)
        return "untested: the inputs are those of another version";
    if (!touching && ofWorld(r, world, "max(contacts)") > 0) return "untested: a replay cannot recompute contacts";
    if (ofWorld(r, world, "sum(microseconds)") >= 1e6 * most || findings->trial_seconds >= budget)
        return "untested: it would take too long";
    if (!haveReplay()) return "untested: ukode-replay is missing";
    return NULL;
}

/* Whether the trial explodes, and its surge, by the rules of the report. */
static void measureExplosion(ukReader *reader, int64_t world, struct Trial *trial)
{
    Findings found = {.reader = reader};
    findingsOfExplosions(&found, world);
    for (int i = 0; i < found.count; i++) {
        if (strcmp(found.list[i].kind, "explosion") == 0) trial->explodes = true;
        if (strcmp(found.list[i].kind, "surge") == 0) trial->surge = found.list[i].value;
    }
    findingsFree(&found);
}

/* the only world of the trial's recording */
static void measureTrial(ukReader *reader, struct Trial *trial)
{
    const int64_t world = queryOneInteger(reader, "SELECT min(world) FROM step");
    trial->refused = queryOne(reader, "SELECT count(*) FROM event WHERE kind IN ('refused', 'conflict')");
    trial->gap = ofWorld(reader, world, "max(position_error)");
    trial->energy = fabs(queryOne(reader, "SELECT sum(work) FROM ledger_step WHERE step = (SELECT max(step) FROM "
                                          "ledger_step) AND cause IN ('integration', 'gyroscopic', 'stabilization')"));
    trial->kinetic = ofWorld(reader, world, "max(kinetic_energy)");
    measureExplosion(reader, world, trial);
    trial->seconds = 1e-6 * ofWorld(reader, world, "avg(microseconds)");
    trial->steps = ofWorld(reader, world, "count(*)");
    trial->taken = trial->steps >= (trial->cut ? 1 : trial->all) && trial->refused == 0 &&
                   !(ofWorld(reader, world, "max(fallback)") > 0);
}

/* ukode-replay as `ukode replay --bench 1` starts it, which steps the world under the other setting alone */
static bool replayTrial(Findings *findings, struct Trial *trial, const char *program, const char *path)
{
    static const char *const others[] = {
        "UKODE_CONFIG",         "UKODE_REPORT", "UKODE_DIAGNOSIS", "UKODE_RECORD_INPUTS", "UKODE_PIPE",
        "UKODE_RECORD_AT_ONCE", "UKODE_SAVE",   "UKODE_RESTORE",   "UKODE_VERBOSE",       "UKODE_RECORD_CERTIFICATES",
        "UKODE_RECORD_RATE",    "UKODE_DISABLE"};
    const bool divided = trial->setting == TrialShorter;
    char key[32], parts[16], *words[] = {(char *)program, findings->reader->path, key, "0", "inf", "1", parts, NULL};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) unsetenv(others[i]);
    for (int i = 0; i < TrialSettings; i++)
        if (settings[i].variable) unsetenv(settings[i].variable);
    snprintf(key, sizeof key, "%lld", (long long)trial->world);
    snprintf(parts, sizeof parts, "%d", divided ? Parts : 1);
    if (!divided) setenv(settings[trial->setting].variable, settings[trial->setting].value, 1);
    setenv("UKODE_RECORD", path, 1);
    setenv("UKODE_RECORD_EVERY_STEP", "1", 1);
    const LaunchResult result = launchProgram(words, true, patience);
    if (!divided) unsetenv(settings[trial->setting].variable);
    unsetenv("UKODE_RECORD");
    unsetenv("UKODE_RECORD_EVERY_STEP");
    findings->trial_seconds += result.seconds;
    trial->cut = result.signal != 0 && result.seconds >= patience;
    return result.status == 0 || trial->cut;
}

static bool runTrial(Findings *findings, struct Trial *trial)
{
    char program[2048], directory[512], path[600];
    ukReader reader;
    if (!replayFind(program, sizeof program) || !launchMakeDirectory(directory, sizeof directory)) return false;
    snprintf(path, sizeof path, "%s/trial.ukode", directory);
    bool good = replayTrial(findings, trial, program, path) && ukReaderOpen(&reader, path);
    if (good) {
        measureTrial(&reader, trial);
        good = !reader.error[0];
        ukReaderClose(&reader);
    }
    launchRemoveDirectory(directory);
    return good;
}

const struct Trial *trialOf(Findings *findings, int64_t world, TrialSetting setting, bool touching)
{
    if (!touching && ofWorld(findings->reader, world, "max(contacts)") > 0) return NULL;
    for (int i = 0; i < findings->trials; i++) {
        const struct Trial *const t = &findings->trial[i];
        if (t->world == world && t->setting == setting) return t;
    }
    if (trialHindrance(findings, world, setting, touching)) return NULL;
    const size_t trials = (size_t)findings->trials + 1;
    if (!ukArrayReserve(&findings->trial, sizeof *findings->trial, trials, &findings->trial_capacity)) return NULL;
    struct Trial *const t = &findings->trial[findings->trials];
    *t = (struct Trial){.world = world, .setting = setting, .gap = NAN, .energy = NAN, .kinetic = NAN};
    t->all = ofWorld(findings->reader, world, "count(*)") * (setting == TrialShorter ? Parts : 1);
    if (!runTrial(findings, t)) t->taken = false;
    findings->trials++;
    return t;
}

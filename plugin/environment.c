/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/environment.c: the variables UKODE_* become the defaults of new worlds when the library is loaded. Nothing is
 * printed here: a preloaded library is loaded by every child process, and only those that step need messages.
 *
 * In set-user-ID programs they are all ignored (secure_getenv): they name files to read and to append to, which the
 * user who starts such a program may not be allowed to access. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/diagnose/survey.h"
#include "bridge/user/joint_law.h"
#include "bridge/watch/start.h"
#include "bridge/world/journal.h"
#include "bridge/world/name.h"
#include "bridge/world/registry.h"
#include "bridge/world/settings.h"
#include "plugin/analysis/request.h"
#include "plugin/config.h"
#include "plugin/drive.h"
#include "plugin/options.h"
#include "plugin/summary/ending.h"
#include "plugin/summary/process.h"
#include "plugin/summary/summary.h"
#include "plugin/view/view.h"
#include "solvers/base/status.h"

/* whether a variable has a wrong value: the program then runs on ODE's own stepper */
static bool wrong;

static void refuseVariable(const char *format, ...)
{
    char message[440];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    ukErrorSet(ukErrorArgument, "%s", message);
    ukLogWarning("%s; the program runs on ODE's own stepper", message);
    wrong = true;
}

/* Sets a default of the worlds that are created from now on; number[0] 0: not given. */
static void setDefault(int which, int value, const double numbers[2])
{
    ukSettings *d = &ukSettingsDefault;
    const double number = numbers[0];
    switch (which) {
    case ukOptionSolver: d->solver = (ukSolver)value; break;
    case ukOptionFriction: d->friction = (ukFriction)value; break;
    case ukOptionFrictionRounds: d->friction_rounds = value; break;
    case ukOptionCfm: d->cfm_rule = (ukCfmRule)value; break;
    case ukOptionJoints: d->joint_rule = (ukJointRule)value; break;
    case ukOptionCheck:
        d->check = (ukCheckAction)value;
        if (number > 0) d->check_tolerance = number;
        break;
    case ukOptionIntegrator: d->integrator = (ukIntegrator)value; break;
    case ukOptionTolerance:
        d->tolerance = numbers[0];
        d->absolute = numbers[1];
        break;
    case ukOptionStabilization:
        d->stabilization = (ukStabilization)value;
        if (number > 0) d->alpha = d->beta = number;
        break;
    case ukOptionStep: ukSettingsStep = number; break;
    case ukOptionThreads: d->threads = value; break;
    case ukOptionBudget: d->budget = value; break;
    case ukOptionPasses: d->passes = value; break;
    default: break;
    }
}

static void readVariable(int which)
{
    const char *text = secure_getenv(ukOptions[which].variable);
    double number[2] = {0};
    if (!text || !*text) return;
    const int value = ukOptionParse(&ukOptions[which], text, number);
    if (value >= 0) {
        setDefault(which, value, number);
        return;
    }
    char message[200];
    ukOptionComplain(&ukOptions[which], text, message, sizeof message);
    refuseVariable("%s=%s", ukOptions[which].variable, message);
}

/* all of it, or, if a line is wrong, nothing */
static void readConfig(const char *path)
{
    char message[400];
    ukConfig config;
    if (ukConfigRead(path, &config, message, sizeof message) != 0) {
        refuseVariable("UKODE_CONFIG=%s", message);
        return;
    }
    for (int i = 0; i < ukOptionCount; i++)
        if (config.option[i].value >= 0) setDefault(i, config.option[i].value, config.option[i].number);
    if (!ukLawSetDefaults(config.law, config.laws) || !ukNameSetDefaults(config.name, config.names) ||
        !ukStartSetDefaults(config.start, config.starts))
        refuseVariable("UKODE_CONFIG=%s: no memory", path);
    ukConfigFree(&config);
}

static bool readFlag(const char *variable)
{
    const char *text = secure_getenv(variable);
    const int value = ukOptionFlag(text);
    if (value < 0) refuseVariable("%s=%.60s is not one of: 0, 1", variable, text);
    return value > 0;
}

/* Reads the rate of recordings; 0: the default. */
static double readRecordRate(void)
{
    const char *const text = secure_getenv("UKODE_RECORD_RATE");
    char *end = NULL;
    const double x = text && *text ? strtod(text, &end) : 0;
    if (end && (*end || !(x > 0) || isinf(x))) refuseVariable("UKODE_RECORD_RATE=%.60s is not a number > 0", text);
    return end && !*end && x > 0 ? x : 0;
}

/* states to save, [s] of simulated time apart, and to begin with */
static void openStates(void)
{
    const char *const text = secure_getenv("UKODE_SAVE_EVERY"), *const path = secure_getenv("UKODE_RESTORE");
    char *end = NULL;
    const double every = text && *text ? strtod(text, &end) : 1;
    if (end && (*end || !(every >= 0) || isinf(every)))
        refuseVariable("UKODE_SAVE_EVERY=%.60s is not a number >= 0", text);
    const char *const fault = ukDriveOpenStates(path, secure_getenv("UKODE_SAVE"), every);
    if (fault) refuseVariable("UKODE_RESTORE=%.200s: %s", path, fault);
}

/* after plugin/preload.c, which knows whether the library was preloaded */
__attribute__((constructor)) static void load(void)
{
    ukLogSetVerbose(readFlag("UKODE_VERBOSE"));
    const char *config = secure_getenv("UKODE_CONFIG");
    if (config && *config) readConfig(config);
    for (int i = 0; i < ukOptionCount; i++) readVariable(i);
    openStates();
    if (readFlag("UKODE_DISABLE") || wrong) ukRegistryEnableByDefault = false;
    if (wrong) ukSettingsStep = 0;
    ukSurveyOpen(secure_getenv("UKODE_DIAGNOSIS"));
    if (!ukRequestOpen(secure_getenv("UKODE_ANALYSIS"))) refuseVariable("UKODE_ANALYSIS cannot be read");
    ukProcessOpen(secure_getenv("UKODE_REPORT"), secure_getenv("UKODE_PIPE"));
    if (readFlag("UKODE_PROGRESS")) ukSummaryLive();
    if (readFlag("UKODE_HASH")) ukEndingAsk();
    const ukRecordOptions options = {.rate = readRecordRate(),
                                     .every_step = readFlag("UKODE_RECORD_EVERY_STEP"),
                                     .inputs = readFlag("UKODE_RECORD_INPUTS"),
                                     .certificates = readFlag("UKODE_RECORD_CERTIFICATES")};
    const char *const recording = secure_getenv("UKODE_RECORD");
    ukJournalByDefault = recording && *recording && options.inputs;
    ukDriveOpenRecording(recording, &options, readFlag("UKODE_RECORD_AT_ONCE"));
    ukViewOpen(secure_getenv("UKODE_VIEW"), readFlag("UKODE_VIEW_PAUSED"));
}

__attribute__((destructor)) static void unload(void)
{
    ukDriveClose();
}

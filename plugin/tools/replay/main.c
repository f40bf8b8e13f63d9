/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/main.c: ukode-replay, the program that `ukode replay` starts: linked with ODE and all of the
 * library, whose settings it reads from the environment as any program does (plugin/environment.c): the variables that
 * are set override the settings of the recording.
 *
 * Usage: ukode-replay RECORDING WORLD FROM TO BENCH SUBSTEPS */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/world/settings.h"
#include "plugin/options.h"
#include "plugin/tools/replay/run.h"
#include "plugin/tools/terminal/console.h"
#include "plugin/tools/terminal/limit.h"

#define BIT(name) (UINT64_C(1) << ukPlaceOf_##name)

/* which settings an option sets */
static const uint64_t fields[ukOptionCount] = {
    [ukOptionSolver] = BIT(solver),
    [ukOptionIntegrator] = BIT(integrator),
    [ukOptionStabilization] = BIT(stabilization) | BIT(alpha) | BIT(beta),
    [ukOptionTolerance] = BIT(tolerance) | BIT(absolute),
    [ukOptionFriction] = BIT(friction),
    [ukOptionCfm] = BIT(cfm_rule),
    [ukOptionJoints] = BIT(joint_rule),
    [ukOptionFrictionRounds] = BIT(friction_rounds),
    [ukOptionCheck] = BIT(check_tolerance) | BIT(check),
    [ukOptionThreads] = BIT(threads),
    [ukOptionBudget] = BIT(budget),
    [ukOptionPasses] = BIT(passes),
};

static void collectImposedSettings(ukReplayOptions *options)
{
    size_t at = 0;
    for (int i = 0; i < ukOptionCount; i++) {
        const char *value = getenv(ukOptions[i].variable);
        if (!value || !*value) continue;
        options->imposed |= fields[i] << ukWorldSettings;
        if (at < sizeof options->settings)
            at += (size_t)snprintf(options->settings + at, sizeof options->settings - at, "%s%s %s", at ? ", " : "",
                                   ukOptions[i].name, value);
    }
    ukSettingsNumbers(&ukSettingsDefault, options->field + ukWorldSettings);
    const char *native = getenv("UKODE_DISABLE");
    if (native && ukOptionFlag(native) > 0)
        snprintf(options->settings, sizeof options->settings, "ODE's own stepper");
    else if (options->imposed == 0)
        return;
    options->imposed |= (uint64_t)1 << ukWorldEnabled;
    options->field[ukWorldEnabled] = !native || ukOptionFlag(native) <= 0;
}

static void nameSubsteps(ukReplayOptions *options)
{
    const size_t at = strlen(options->settings);
    if (options->substeps > 1)
        snprintf(options->settings + at, sizeof options->settings - at, "%s%d substeps", at ? ", " : "",
                 options->substeps);
}

/* Handler of ODE's assertions: the recording has a call that ODE rejects. */
static void reportOdeError(int number, const char *message, va_list list)
{
    (void)number;
    fprintf(stderr, "ukode: the recording cannot be replayed; ODE says: ");
    vfprintf(stderr, message, list);
    fprintf(stderr, "\n");
    fflush(NULL);
    _exit(1);
}

/* Handler of SIGABRT: ODE is C++ and aborts if there is no memory. */
static void reportOdeAbort(int number)
{
    static const char text[] = "ukode: the recording cannot be replayed: ODE aborts, perhaps for lack of memory\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(2);
    _exit(1);
}

int main(int argc, char **argv)
{
    consoleBegin();
    if (argc != 7) {
        fprintf(stderr, "ukode-replay is started by `ukode replay`\n");
        return 2;
    }
    ukReplayOptions options = {.path = argv[1],
                               .world = strtoll(argv[2], NULL, 10),
                               .from = strtod(argv[3], NULL),
                               .to = strtod(argv[4], NULL),
                               .bench = (int)strtol(argv[5], NULL, 10),
                               .substeps = (int)strtol(argv[6], NULL, 10)};
    if (ukSettingsStep > 0 && getenv("UKODE_STEP")) {
        fprintf(stderr, "ukode: a replay takes the step sizes of its recording (--step and UKODE_STEP do not apply)\n");
        return 2;
    }
    ukSettingsStep = 0; /* of UKODE_CONFIG */
    collectImposedSettings(&options);
    nameSubsteps(&options);
    limitMemory(1, argv + 1);
    signal(SIGABRT, reportOdeAbort);
    dSetErrorHandler(reportOdeError);
    dSetDebugHandler(reportOdeError);
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    const int status = ukReplayRun(&options);
    dCloseODE();
    return consoleEnd(status);
}

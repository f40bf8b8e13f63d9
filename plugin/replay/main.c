/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/replay/main.c: ukode-replay, the program that `ukode replay` starts: linked with ODE and all of the library,
 * whose settings it reads from the environment as any program does (plugin/environment.c): the variables that are set
 * are those that hold against the recording.
 *
 * Usage: ukode-replay RECORDING WORLD FROM TO BENCH */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/world/settings.h"
#include "plugin/options.h"
#include "plugin/replay/run.h"

/* which fields of a world an option sets, from ukWorldSettings on */
static const uint64_t fields[ukOptionCount] = {
    [ukOptionSolver] = 1 << 0,         [ukOptionIntegrator] = 1 << 1, [ukOptionStabilization] = 7 << 2,
    [ukOptionTolerance] = 3 << 13,     [ukOptionFriction] = 1 << 5,   [ukOptionCfm] = 1 << 6,
    [ukOptionFrictionRounds] = 1 << 7, [ukOptionCheck] = 3 << 8,      [ukOptionThreads] = 1 << 10,
};

static void hold(ukReplayOptions *options)
{
    const ukSettings *d = &ukSettingsDefault;
    const double setting[] = {
        d->solver,   d->integrator,      d->stabilization,   d->alpha, d->beta,    d->friction,
        d->cfm_rule, d->friction_rounds, d->check_tolerance, d->check, d->threads, d->rank_tolerance,
        d->time,     d->tolerance,       d->absolute};
    size_t at = 0;
    for (int i = 0; i < ukOptionCount; i++) {
        const char *value = getenv(ukOptions[i].variable);
        if (!value || !*value) continue;
        options->held |= fields[i] << ukWorldSettings;
        if (at < sizeof options->settings)
            at += (size_t)snprintf(options->settings + at, sizeof options->settings - at, "%s%s %s", at ? ", " : "",
                                   ukOptions[i].name, value);
    }
    memcpy(options->field + ukWorldSettings, setting, sizeof setting);
    const char *native = getenv("UKODE_DISABLE");
    if (native && ukOptionFlag(native) > 0)
        snprintf(options->settings, sizeof options->settings, "ODE's own stepper");
    else if (options->held == 0)
        return;
    options->held |= (uint64_t)1 << ukWorldEnabled;
    options->field[ukWorldEnabled] = !native || ukOptionFlag(native) <= 0;
}

/* ODE's assertions: a recording that asks for what ODE does not do */
static void refuse(int number, const char *message, va_list list)
{
    (void)number;
    fprintf(stderr, "ukode: the recording cannot be replayed; ODE says: ");
    vfprintf(stderr, message, list);
    fprintf(stderr, "\n");
    fflush(NULL);
    _exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "ukode-replay is started by `ukode replay`\n");
        return 2;
    }
    ukReplayOptions options = {.path = argv[1],
                               .world = strtoll(argv[2], NULL, 10),
                               .from = strtod(argv[3], NULL),
                               .to = strtod(argv[4], NULL),
                               .bench = (int)strtol(argv[5], NULL, 10)};
    hold(&options);
    dSetErrorHandler(refuse);
    dSetDebugHandler(refuse);
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    const int status = ukReplayRun(&options);
    dCloseODE();
    return status;
}

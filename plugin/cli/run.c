/* plugin/cli/run.c: one program under libukode.so, and a word on stderr if that did not do what was meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/launch.h"
#include "plugin/cli/summary.h"
#include "plugin/options.h"

static void comment(const Summary *s, const char *program)
{
    const bool native = ukOptionFlag(getenv("UKODE_DISABLE")) > 0;
    if (s->started == 0) {
        fprintf(stderr,
                "ukode: nothing was stepped: %s never called dWorldStep or dWorldQuickStep of a shared libode (did it "
                "step at all? is ODE linked into it statically, or is it set-user-ID?)\n",
                program);
        return;
    }
    if (s->ended < s->started)
        fprintf(stderr, "ukode: %d of %d processes that stepped were killed before their summary was complete\n",
                s->started - s->ended, s->started);
    if (s->steps == 0 && s->native_steps > s->fallbacks && !native)
        fprintf(stderr, "ukode: all %.0f steps were ODE's own\n", s->native_steps);
    if (s->fallbacks > 0)
        fprintf(stderr, "ukode: %.0f of %.0f steps were left to ODE's own stepper (%s)\n", s->fallbacks,
                s->steps + s->fallbacks, s->reasons[0] ? s->reasons : "no reason known");
    if (s->rejected > 0)
        fprintf(stderr,
                "ukode: the Gauss check rejected %.0f of %.0f steps (largest residual: feasibility %.1e, "
                "stationarity %.1e, complementarity %.1e)\n",
                s->rejected, s->checked, s->feasibility, s->stationarity, s->complementarity);
    if (ukOptionFlag(getenv("UKODE_VERBOSE")) > 0) summaryPrint(s);
}

int cliRun(int argc, char **argv)
{
    char directory[512], path[600];
    const int first = launchOptions(argc, argv, NULL);
    if (first < 0) return -first;
    if (!launchPreload()) return ExitNoLibrary;

    /* the user's own report is appended to, so only what this run adds is read */
    const char *report = getenv("UKODE_REPORT");
    long offset = 0;
    struct stat before;
    directory[0] = 0;
    if (report && *report) {
        snprintf(path, sizeof path, "%s", report);
        if (stat(path, &before) == 0) offset = (long)before.st_size;
    } else {
        if (!launchMakeDirectory(directory, sizeof directory)) return ExitNotRun;
        snprintf(path, sizeof path, "%s/report", directory);
        setenv("UKODE_REPORT", path, 1);
    }

    const LaunchResult result = launchProgram(argv + first, false, 0);
    Summary summary;
    summaryRead(path, offset, &summary);
    if (result.status != ExitNotFound && result.status != ExitNotRun) comment(&summary, argv[first]);
    if (directory[0]) launchRemoveDirectory(directory);
    return result.status;
}

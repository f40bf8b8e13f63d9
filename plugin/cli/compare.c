/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/compare.c: the same program twice, native and with ukode, and a table of what differs. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/difference.h"
#include "plugin/cli/launch.h"
#include "plugin/cli/listen.h"
#include "plugin/cli/parting.h"
#include "plugin/cli/report.h"
#include "plugin/cli/summary.h"

static const char *csv_path, *html_path;
static bool show;
static char parting[700]; /* of the first world */

static int ownOption(int argc, char **argv)
{
    if (strcmp(argv[0], "--show") == 0) {
        show = true;
        return 1;
    }
    if (strncmp(argv[0], "--html", 6) == 0 && (!argv[0][6] || argv[0][6] == '=')) {
        html_path = argv[0][6] ? argv[0] + 7 : argc > 1 ? argv[1] : "";
        if (*html_path) return argv[0][6] ? 1 : 2;
        fprintf(stderr, "ukode: --html needs a file name\n");
        return -1;
    }
    if (strncmp(argv[0], "--csv", 5) != 0 || (argv[0][5] && argv[0][5] != '=')) return 0;
    csv_path = argv[0][5] ? argv[0] + 6 : argc > 1 ? argv[1] : "";
    if (*csv_path) return argv[0][5] ? 1 : 2;
    fprintf(stderr, "ukode: --csv needs a file name\n");
    return -1;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void rowOf(const char *what, double native, double ours, const char *format)
{
    char x[32], y[32];
    snprintf(x, sizeof x, format, native);
    snprintf(y, sizeof y, format, ours);
    printf("  %-42s %14s %14s\n", what, x, y);
}

static void printCourses(const Course *x, const Course *y)
{
    rowOf("steps", x->steps, y->steps, "%.0f");
    rowOf("  of these by ukode", x->ours, y->ours, "%.0f");
    rowOf("  of these left to ODE by ukode", x->fallbacks, y->fallbacks, "%.0f");
    rowOf("simulated time [s]", x->time, y->time, "%.6g");
    rowOf("time a step, median [us]", 1e6 * x->median, 1e6 * y->median, "%.3g");
    rowOf("time a step, mean [us]", 1e6 * x->mean, 1e6 * y->mean, "%.3g");
    rowOf("time a step, worst [us]", 1e6 * x->worst, 1e6 * y->worst, "%.3g");
    rowOf("energy after the first step [J]", x->energy_first, y->energy_first, "%.8g");
    rowOf("energy after the last step [J]", x->energy_last, y->energy_last, "%.8g");
    rowOf("energy, highest minus lowest [J]", x->energy_highest - x->energy_lowest,
          y->energy_highest - y->energy_lowest, "%.3g");
    printf("  %-42s %14s %14.2g\n", "Gauss check: largest scaled residual", "-", y->residual);
    printf("  %-42s %14s %14.2g\n", "largest position error at a step's start", "-", y->position_error);
}

static void cell(double x)
{
    if (isnan(x))
        printf(" %11s", "-");
    else
        printf(" %11.3g", x);
}

/* after 1, 2, 5, 10, 20, 50, ... steps, and at the end of the shorter run */
static void printDifferences(const TraceWorld *x, const TraceWorld *y)
{
    const int last = x->count < y->count ? x->count : y->count;
    printf("\n  largest difference of the two runs at the same step\n");
    printf("  %8s %9s %11s %11s %11s %11s %11s %11s\n", "step", "time", "position", "orientation", "velocity", "energy",
           "reaction", "of (load)");
    printf("  %8s %9s %11s %11s %11s %11s %11s %11s\n", "", "[s]", "[m]", "[rad]", "[m/s]", "[J]", "[N]", "[N]");
    for (int step = 1, factor = 0; step <= last; factor++) {
        const Difference d = differenceOf(x->record[step - 1], y->record[step - 1]);
        printf("  %8d %9.4g", step, x->record[step - 1]->time);
        cell(d.position);
        cell(d.orientation);
        cell(d.velocity);
        cell(d.energy);
        cell(d.reaction);
        cell(d.load);
        printf("%s\n", d.alike ? "" : "  (not the same bodies or joints any more)");
        if (step == last || !d.alike) break;
        const int next = factor % 3 == 1 ? step / 2 * 5 : 2 * step;
        step = next < last ? next : last;
    }
}

static void writeCsv(FILE *csv, int number, const TraceWorld *x, const TraceWorld *y)
{
    for (int i = 0; i < x->count && i < y->count; i++) {
        const ukTraceHeader *r = x->record[i], *s = y->record[i];
        const Difference d = differenceOf(r, s);
        fprintf(csv, "%d,%d,%.9g,%.6g,%.6g,%.6g,%.6g,%.6g,%.12g,%.12g,%.3g,%.3g\n", number, i + 1, r->time, d.position,
                d.orientation, d.velocity, d.reaction, d.load, r->kinetic + r->potential, s->kinetic + s->potential,
                r->seconds, s->seconds);
    }
}

static int report(const TraceFile *native, const TraceFile *ours)
{
    FILE *csv = NULL;
    if (csv_path && !(csv = fopen(csv_path, "we"))) {
        fprintf(stderr, "ukode: %s: %s\n", csv_path, strerror(errno));
        return 1;
    }
    if (csv)
        fprintf(csv, "world,step,time,position,orientation,velocity,reaction,load,energy_native,energy_ukode,"
                     "seconds_native,seconds_ukode\n");
    const int worlds = native->worlds < ours->worlds ? native->worlds : ours->worlds;
    for (int i = 0; i < worlds; i++) {
        const TraceWorld *x = &native->world[i], *y = &ours->world[i];
        const Course a = courseOf(x), b = courseOf(y);
        char text[sizeof parting];
        partingTell(x, y, text, sizeof text);
        if (i == 0) snprintf(parting, sizeof parting, "%s", text);
        printf("\nworld %d: %u bodies at first\n  %s\n\n  %-42s %14s %14s\n", i + 1, x->record[0]->bodies, text, "",
               "native", "ukode");
        printCourses(&a, &b);
        printDifferences(x, y);
        if (csv) writeCsv(csv, i + 1, x, y);
    }
    if (native->worlds != ours->worlds)
        printf("\n%d worlds were stepped natively, %d with ukode: the others have no counterpart\n", native->worlds,
               ours->worlds);
    if (csv) fclose(csv);
    return 0;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* One of the two runs: how it ended, its trace, and how many steps the library told of. */
typedef struct Run {
    const char *name;
    char path[600], recording[600];
    LaunchResult end;
    TraceFile trace;
    Summary summary;
} Run;

static void printEnd(const Run *r)
{
    printf("%s:%*s ", r->name, (int)(7 - strlen(r->name)), "");
    if (r->end.signal)
        printf("ended by signal %d (%s)", r->end.signal, strsignal(r->end.signal));
    else
        printf("exit status %d", r->end.status);
    printf(" after %.3g s\n", r->end.seconds);
}

/* false: it could not be started, or listened to */
static bool runOnce(Run *r, const char *directory, char **program)
{
    snprintf(r->path, sizeof r->path, "%s/%s", directory, r->name);
    setenv("UKODE_TRACE", r->path, 1);
    snprintf(r->recording, sizeof r->recording, "%s/%s.ukode", directory, r->name);
    if (html_path) {
        setenv("UKODE_RECORD", r->recording, 1);
        setenv("UKODE_RECORD_EVERY_STEP", "1", 1);
    } else {
        unsetenv("UKODE_RECORD");
    }
    r->end.status = ExitNotRun;
    if (!listenBegin()) return false;
    r->end = launchProgram(program, !show, 0);
    char *const told = listenEnd();
    summaryRead(told, &r->summary);
    free(told);
    return r->end.status != ExitNotFound && r->end.status != ExitNotRun;
}

/* false: there is nothing to compare. What is damaged is told, and compared as far as it goes. */
static bool readTrace(Run *r)
{
    if (!traceRead(r->path, &r->trace)) return false;
    const double steps = r->summary.steps + r->summary.native_steps;
    TraceFile *t = &r->trace;
    if (!t->damage[0] && t->records < steps)
        snprintf(t->damage, sizeof t->damage, "damaged: cut short, %d records of %.0f steps", t->records, steps);
    if (t->damage[0])
        fprintf(stderr, "ukode: the trace of the run %s is %s; the comparison ends before that\n", r->name, t->damage);
    return true;
}

static int compareRuns(Run *native, Run *ours)
{
    printEnd(native);
    printEnd(ours);
    if (!readTrace(native) || !readTrace(ours)) return 1;
    if (native->summary.started + ours->summary.started + native->trace.worlds + ours->trace.worlds == 0) {
        fprintf(stderr, "ukode: nothing was stepped: no dWorldStep or dWorldQuickStep of a shared libode was called\n");
        return 1;
    }
    const int status = report(&native->trace, &ours->trace);
    return native->trace.damage[0] || ours->trace.damage[0] ? 1 : status;
}

static int compare(int argc, char **argv)
{
    char directory[512];
    Run native = {.name = "native"}, ours = {.name = "ukode"};
    int status;
    const int first = launchOptions(argc, argv, &commandCompare, &status);
    if (first < 0) return status;
    if (getenv("UKODE_DISABLE") && *getenv("UKODE_DISABLE")) {
        fprintf(stderr, "ukode: compare runs both ways; --native and UKODE_DISABLE have no meaning here\n");
        return ExitUsage;
    }
    if (!launchPreload()) return ExitNoLibrary;
    if (!launchMakeDirectory(directory, sizeof directory)) return ExitNotRun;

    setenv("UKODE_DISABLE", "1", 1);
    bool ran = runOnce(&native, directory, argv + first);
    unsetenv("UKODE_DISABLE");
    status = native.end.status;
    if (ran) {
        ran = runOnce(&ours, directory, argv + first);
        status = ours.end.status;
    }
    if (ran) status = compareRuns(&native, &ours);
    if (ran && html_path && status == 0) status = reportPage(ours.recording, native.recording, html_path, parting);
    traceFree(&native.trace);
    traceFree(&ours.trace);
    launchRemoveDirectory(directory);
    return status;
}

const Command commandCompare = {
    .name = "compare",
    .arguments = "[options] -- program arguments",
    .purpose = "runs a program twice, native and with ukode, and tells the differences",
    .options = "  --csv FILE               the differences after every step\n"
               "  --html FILE              both runs as one page, the native one as a ghost\n"
               "  --show                   the program's standard output is not dropped\n",
    .own = ownOption,
    .run = compare,
};

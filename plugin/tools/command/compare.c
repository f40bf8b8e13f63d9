/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/compare.c: `ukode compare`: runs a program natively and with ukode, both recorded, and
 * tabulates the differences; or compares two existing recordings. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/formats/recording/sqlite.h"
#include "plugin/tools/command/report.h"
#include "plugin/tools/compare/comparison.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/launch/listen.h"
#include "plugin/tools/launch/summary.h"
#include "plugin/tools/terminal/limit.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/option.h"
#include "plugin/tools/terminal/output_file.h"

static const char *csv_path, *html_path;
static bool show;
static char parting[1300]; /* of the first world */

/* Prints the explosion of a run: if both runs explode, they may differ for this reason alone. */
static void printExplosions(Recorded *run)
{
    for (int i = 0; i < run->worlds; i++) {
        Findings findings = {.reader = recordedSelect(run, i)};
        if (!findings.reader) return;
        findingsOfExplosions(&findings, run->world[i].world);
        findingsAdvise(&findings, 0);
        for (int k = 0; k < findings.count; k++) {
            const Finding *const f = &findings.list[k];
            printf("\n%s: %s\n  why: %s\n  do:  %s\n", run->name, f->what, f->cause, f->remedy);
        }
        findingsFree(&findings);
    }
}

static int compareRecorded(Recorded *x, Recorded *y)
{
    FILE *csv = NULL;
    if (csv_path && !(csv = outputFileOpen(csv_path, false)))
        return messageFail(1, "%s: %s", csv_path, outputFileFault(errno));
    comparisonPrint(x, y, csv, parting, sizeof parting);
    printExplosions(x);
    printExplosions(y);
    if (!csv) return 0;
    if (outputFileClose(csv, csv_path, true)) return 0;
    return messageFail(1, "%s: %s", csv_path, outputFileFault(errno));
}

/* Checks the output files before the runs, which may take long. */
static bool outputsReady(void)
{
    const char *const path[] = {csv_path, html_path};
    for (int i = 0; i < 2; i++) {
        const int error = path[i] ? outputFileCheck(path[i]) : 0;
        if (error != 0) return messageFail(false, "%s: %s", path[i], outputFileFault(error));
    }
    return true;
}

/* ---- two recordings ---------------------------------------------------------------------------------------------- */

static const char *nameOf(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int compareFiles(const char *first, const char *second)
{
    char where[2][400];
    const char *const path[] = {first, second};
    Recorded run[2] = {{.name = nameOf(first)}, {.name = nameOf(second)}};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        snprintf(where[i], sizeof where[i], "in %s", path[i]);
        run[i].where = where[i];
        good = good && recordedOpen(&run[i], path[i], false);
    }
    if (good && run[0].worlds + run[1].worlds == 0) {
        messagePrint("no step was recorded in %s and %s", first, second);
        good = false;
    }
    int status = good ? compareRecorded(&run[0], &run[1]) : 1;
    for (int i = 0; i < 2; i++)
        if (!recordedClose(&run[i])) status = 1;
    if (html_path && status == 0) status = reportPage(second, first, html_path, parting);
    return status;
}

/* ---- two runs ---------------------------------------------------------------------------------------------------- */

/* One of the two runs: its end, its recordings, and the number of steps that the library counted. */
typedef struct Run {
    Recorded recorded;
    char path[600];
    LaunchResult end;
    Summary summary;
} Run;

static void printEnd(const Run *r)
{
    printf("%s:%*s ", r->recorded.name, (int)(7 - strlen(r->recorded.name)), "");
    if (r->end.signal)
        printf("ended by signal %d (%s)", r->end.signal, strsignal(r->end.signal));
    else
        printf("exit status %d", r->end.status);
    printf(" after %.3g s\n", r->end.seconds);
}

/* Requests all states of every step. `at_once`: a step is in the file before the next one begins, which costs a
 * transaction per step. The ledger, which costs time in each step, is recorded for the page alone. */
static void askForRecording(const char *path, bool at_once)
{
    setenv("UKODE_RECORD", path, 1);
    setenv("UKODE_RECORD_RATE", "1e12", 1);
    if (at_once)
        setenv("UKODE_RECORD_AT_ONCE", "1", 1);
    else
        unsetenv("UKODE_RECORD_AT_ONCE");
    unsetenv("UKODE_RECORD_INPUTS");
    unsetenv("UKODE_RECORD_CERTIFICATES");
    if (html_path)
        setenv("UKODE_RECORD_EVERY_STEP", "1", 1);
    else
        unsetenv("UKODE_RECORD_EVERY_STEP");
}

/* false: it could not be started, or listened to */
static bool recordOnce(Run *r, char **program, bool at_once)
{
    askForRecording(r->path, at_once);
    r->summary = (Summary){0};
    r->end.status = ExitNotRun;
    if (!listenBegin()) return false;
    r->end = launchProgram(program, !show, 0);
    char *const lines = listenEnd();
    summaryRead(lines, &r->summary);
    summaryPrintUnserved(&r->summary);
    free(lines);
    return r->end.status != ExitNotFound && r->end.status != ExitNotRun;
}

/* A program that crashes takes the steps that are not in the file yet with it: it is run once more, each step written
 * before the next one. */
static bool runOnce(Run *r, const char *directory, char **program)
{
    snprintf(r->path, sizeof r->path, "%s/%s.ukode", directory, r->recorded.name);
    if (!recordOnce(r, program, false)) return false;
    if (!r->end.signal && r->summary.ended == r->summary.started) return true;
    char name[700];
    unlink(r->path);
    for (int i = 1; ukReaderNumbered(r->path, i, name, sizeof name) && unlink(name) == 0; i++) {}
    return recordOnce(r, program, true);
}

/* Whether every step of the run is in the recording; missing steps are reported. */
static bool isWhole(const Run *r)
{
    const double steps = r->summary.steps + r->summary.native_steps;
    if (r->recorded.steps >= steps) return true;
    return messageFail(false,
                       "the recording of the run %s is truncated: it has %.0f of %.0f steps; the comparison ends there",
                       r->recorded.name, r->recorded.steps, steps);
}

static int compareRuns(Run *native, Run *ours)
{
    Recorded *const x = &native->recorded, *const y = &ours->recorded;
    printEnd(native);
    printEnd(ours);
    int status = recordedOpen(x, native->path, true) && recordedOpen(y, ours->path, true) ? 0 : 1;
    if (status == 0 && native->summary.started + ours->summary.started + x->worlds + y->worlds == 0) {
        messagePrint("nothing was stepped: no dWorldStep or dWorldQuickStep of a shared libode was called");
        status = 1;
    }
    if (status == 0) {
        const bool all = isWhole(native), both = isWhole(ours) && all;
        status = compareRecorded(x, y);
        if (!both) status = 1;
    }
    const bool read = recordedClose(x);
    return recordedClose(y) && read ? status : 1;
}

static int comparePrograms(char **program)
{
    char directory[512];
    Run native = {.recorded = {.name = "native", .where = "natively"}},
        ours = {.recorded = {.name = "ukode", .where = "with ukode"}};
    if (!launchPreload()) return ExitNoLibrary;
    if (!launchMakeDirectory(directory, sizeof directory)) return ExitNotRun;

    setenv("UKODE_DISABLE", "1", 1);
    bool ran = runOnce(&native, directory, program);
    unsetenv("UKODE_DISABLE");
    int status = native.end.status;
    if (ran) {
        ran = runOnce(&ours, directory, program);
        status = ours.end.status;
    }
    if (ran) status = compareRuns(&native, &ours);
    if (ran && html_path && status == 0) status = reportPage(ours.path, native.path, html_path, parting);
    launchRemoveDirectory(directory);
    return status;
}

static int runCompare(int argc, char **argv)
{
    int status;
    const int first = launchOptions(argc, argv, &commandCompare, &status);
    if (first < 0) return status;
    if (!ukSqliteReady()) return messageFail(ExitNotRun, "%s", UKODE_SQLITE_MISSING);
    const bool program = first > 0 && strcmp(argv[first - 1], "--") == 0;
    /* what the files contain and permit does not decide whether they are run */
    if (!program && argc - first != 2)
        return messageFail(ExitUsage, "give two recordings, or a program after -- (ukode compare %s)",
                           commandCompare.arguments);
    static const char *const own[] = {"record", "rate",         "every-step", "at-once",
                                      "inputs", "certificates", "hash",       NULL};
    if (!launchWithout(program ? own : NULL, program
                                                 ? "compare records both runs, every step, and compares their states"
                                                 : "the recordings are compared as they are"))
        return ExitUsage;
    if (!program && show)
        return messageFail(ExitUsage, "--show does not apply: the recordings are compared as they are");
    if (!outputsReady()) return 1;
    if (!program) {
        limitMemory(2, argv + first);
        return compareFiles(argv[first], argv[first + 1]);
    }
    if (!launchWithout((const char *const[]){"restore", NULL}, "ODE's own stepper cannot restore a state"))
        return ExitUsage;
    if (!launchNeedsSteps(&commandCompare, "runs the program both ways")) return ExitUsage;
    return comparePrograms(argv + first);
}

const Command commandCompare = {
    .name = "compare",
    .runs = true,
    .arguments = "[options] -- program arguments | RECORDING RECORDING",
    .purpose = "runs a program twice, under ODE's own stepper and under ukode, and prints the differences; or those of "
               "two recordings",
    .options =
        (const Option[]){OPTION_TEXT("--csv", "FILE", &csv_path, "a file name", "the differences after every step"),
                         OPTION_TEXT("--html", "FILE", &html_path, "a file name",
                                     "both runs as one page, the one of ODE's own stepper drawn translucently"),
                         OPTION_FLAG("--show", &show, "keep the program's standard output"),
                         {0}},
    .run = runCompare,
};

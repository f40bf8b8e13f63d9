/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/command/analyze.h"

#include <errno.h>
#include <float.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/tools/command/analyze_progress.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/launch/replay.h"
#include "plugin/tools/sweep/store.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/option.h"
#include "plugin/tools/terminal/output_file.h"

static struct {
    double at, seconds; /* seconds: 0: the default */
    long world;
    bool json, progress;
} options;
const char *analyze_output;

/* Time limits without --seconds [s]. A program is the user's own; a recording may be of a stranger, and describe a
 * world of any size in a few bytes. */
static const double program_seconds = 60, recording_seconds = 8;

static double limitOf(bool recording)
{
    return options.seconds > 0 ? options.seconds : recording ? recording_seconds : program_seconds;
}

bool analyzeIsList(const char *text)
{
    return strlen(text) < 2000 && !strchr(text, '\n');
}

bool analyzeIsMethod(const char *text)
{
    return strcmp(text, "tangent") == 0 || strcmp(text, "differences") == 0;
}

const Option analyzeOptions[] = {
    OPTION_NUMBER("--at", "T", &options.at, 0, DBL_MAX, "a time in seconds",
                  "analyse the state at this time of the world [s]; default: 0, before its first step"),
    OPTION_WHOLE("--world", "N", &options.world, 1, 1e9, "the number of a world",
                 "analyse the world with this number, in the order of creation; default: the first that steps"),
    OPTION_NUMBER(
        "--seconds", "S", &options.seconds, 1e-3, DBL_MAX, "a number > 0",
        "stop without a result after S seconds of running and analysing; default: 60 for a program, 8 for a recording"),
    OPTION_FLAG("--progress", &options.progress,
                "print the progress of the analysis, one line per second (on a terminal always, in one line)"),
    OPTION_FLAG("--json", &options.json, "print JSON instead of a table"),
    {0}};

/* A replay builds the worlds of a recording one after another: it gets the world's number, and the library takes the
 * first world that steps. */
static void setRequest(const Analyze *a, const char *folder, bool recording)
{
    char text[8192];
    const double effort = a->effort ? *a->effort : 0;
    snprintf(text, sizeof text, "kind=%s\nat=%.17g\nworld=%ld\nstep=%d\ninputs=%s\noutputs=%s\neffort=%.17g\nfolder=%s",
             a->kind, options.at, recording ? 0 : options.world, a->discrete && *a->discrete,
             a->inputs ? *a->inputs : "", a->outputs ? *a->outputs : "",
             effort == 0 && a->regulate && *a->regulate ? 1 : effort, folder);
    const size_t end = strlen(text);
    if (a->method) snprintf(text + end, sizeof text - end, "\nmethod=%s", *a->method);
    if (a->until)
        snprintf(text + end, sizeof text - end, "\nweights=%s\nuntil=%.17g\nmotion=%s", *a->weights, *a->until,
                 *a->motion);
    setenv("UKODE_ANALYSIS", text, 1);
    unsetenv("UKODE_REPORT");
    unsetenv("UKODE_RECORD");
    unsetenv("UKODE_PIPE");
}

static LaunchResult runRecording(const char *path, int *status)
{
    char replay[2048], world[24];
    *status = 0;
    snprintf(world, sizeof world, "%ld", options.world);
    if (!replayFind(replay, sizeof replay)) {
        *status = ExitNoLibrary;
        return (LaunchResult){0};
    }
    char *words[] = {replay, (char *)path, world, "0", "inf", "1", "1", NULL};
    return launchProgram(words, true, limitOf(true));
}

bool analyzePrint(const char *folder, const char *name, FILE *to)
{
    char path[1200], buffer[4096];
    size_t n;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "re");
    if (!file) return false;
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) fwrite(buffer, 1, n, to);
    fclose(file);
    return true;
}

int analyzeCopy(const char *folder, const char *name, const char *path)
{
    FILE *const to = outputFileOpen(path, false);
    if (!to) return messageFail(1, "%s: %s", path, outputFileFault(errno));
    const bool good = analyzePrint(folder, name, to);
    if (outputFileClose(to, path, good)) return 0;
    return messageFail(1, "%s: %s", path, outputFileFault(errno));
}

/* Prints the library's reason for the first step that failed, if one did. */
static void printFailure(const char *folder, const char *program)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/failed.txt", folder);
    if (access(path, R_OK) != 0) return;
    fprintf(stderr, "ukode: %s: ", program);
    analyzePrint(folder, "failed.txt", stderr);
}

/* The program ended, or its time, before the step that was to be analysed. */
static int refuseUnreached(const LaunchResult *result, bool recording, const char *program)
{
    const char *const world = options.world > 0 ? " of that world" : "";
    const double limit = limitOf(recording);
    if (recording && result->signal == 0 && result->status != 0) return 1; /* the replay has printed why */
    if (result->signal != 0 || result->seconds >= limit)
        messagePrint("%s took no step at %g s or later%s within %g s (--at, --world, --seconds)", program, options.at,
                     world, limit);
    else if (recording)
        messagePrint("%s: the recorded run took no step at %g s or later%s (--at, --world)", program, options.at,
                     world);
    else
        messagePrint("%s took no step at %g s or later%s before it ended with status %d (--at, --world)", program,
                     options.at, world, result->status);
    return 1;
}

/* Whether the answer is all there: its JSON ends with a brace. */
static bool answerWhole(const char *folder)
{
    char path[1200], end[2] = "";
    snprintf(path, sizeof path, "%s/answer.json", folder);
    FILE *const file = fopen(path, "re");
    if (!file) return false;
    const bool read = fseek(file, -2, SEEK_END) == 0 && fread(end, 1, 2, file) == 2;
    fclose(file);
    return read && (end[1] == '}' || (end[0] == '}' && end[1] == '\n'));
}

/* Prints the answer that the library has written to the folder. */
static int printAnswer(const Analyze *a, const char *folder, const LaunchResult *result, bool recording,
                       const char *program)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/refusal.txt", folder);
    if (access(path, R_OK) == 0) {
        if (options.json) analyzePrint(folder, "answer.json", stdout);
        fputs("ukode: ", stderr);
        analyzePrint(folder, "refusal.txt", stderr);
        return 1;
    }
    snprintf(path, sizeof path, "%s/table.txt", folder);
    if (access(path, R_OK) != 0) {
        if (result->status == ExitNotFound || result->status == ExitNotRun) return result->status;
        if (result->signal && result->signal != SIGTERM &&
            result->signal != SIGKILL) { /* these end it after --seconds */
            return messageFail(result->status, "%s was ended by signal %d (%s)", program, result->signal,
                               strsignal(result->signal));
        }
        snprintf(path, sizeof path, "%s/begun", folder);
        if (access(path, R_OK) == 0)
            return messageFail(1, "%s: the analysis did not end within %g s (--seconds S sets another limit)", program,
                               limitOf(recording));
        printFailure(folder, program);
        return refuseUnreached(result, recording, program);
    }
    if (!answerWhole(folder))
        return messageFail(1, "the result could not be written to %s (TMPDIR sets another folder)", folder);
    analyzePrint(folder, options.json ? "answer.json" : "table.txt", stdout);
    const int written = analyze_output ? a->write(folder, analyze_output) : 0;
    snprintf(path, sizeof path, "%s/unmet", folder);
    return written == 0 && access(path, R_OK) == 0 ? ExitUnmet : written;
}

/* Whether no option was given but -o, with which the answers of a sweep are read. */
static bool mayRead(const Analyze *a)
{
    const char *const own = options.at > 0                                    ? "--at"
                            : options.world > 0                               ? "--world"
                            : options.seconds > 0                             ? "--seconds"
                            : options.json                                    ? "--json"
                            : options.progress                                ? "--progress"
                            : a->inputs && **a->inputs                        ? "--inputs"
                            : a->method && strcmp(*a->method, "tangent") != 0 ? "--method"
                                                                              : NULL;
    static const char why[] = "the answers of a sweep are read as they are";
    if (own) return messageFail(false, "%s does not apply: %s", own, why);
    return launchWithout(NULL, why);
}

int analyzeRun(int argc, char **argv, const Analyze *a)
{
    char folder[512], library[1024], text[400];
    int status;
    const int first = launchOptions(argc, argv, a->command, &status);
    if (first < 0) return status;
    if (!a->saves && getenv("UKODE_SAVE"))
        return messageFail(2, "%s does not save a state (--save, UKODE_SAVE)", a->command->name);
    static const char *const unused[] = {"record", "rate",         "every-step", "at-once", "inputs",
                                         "report", "certificates", "hash",       NULL};
    if (!launchWithout(unused, "the program ends with the analysis of one state")) return ExitUsage;
    if (!launchNeedsSteps(a->command, "analyses the equations of ukode's steps")) return ExitUsage;
    /* what a file contains does not decide whether it is run */
    const bool program = first > 0 && strcmp(argv[first - 1], "--") == 0;
    if (!program && first + 1 < argc)
        return messageFail(ExitUsage, "give one recording, or a program after -- (ukode %s %s)", a->command->name,
                           a->command->arguments);
    const int unwritable = analyze_output ? outputFileCheck(analyze_output) : 0;
    if (unwritable != 0) return messageFail(1, "%s: %s", analyze_output, outputFileFault(unwritable));
    if (!program && a->study && storeIs(argv[first]))
        return mayRead(a) ? a->study(argv[first], analyze_output) : ExitUsage;
    if (!launchFindLibrary(library, sizeof library)) return ExitNoLibrary;
    if (!infoDenseSolvers(library, text, sizeof text)) return messageFail(1, "no analysis: %s", text);
    if (!launchMakeDirectory(folder, sizeof folder)) return ExitNotRun;
    setRequest(a, folder, !program);
    analyzeProgressBegin(folder, options.at, options.progress);
    LaunchResult result = {0};
    status = 0;
    if (!program)
        result = runRecording(argv[first], &status);
    else if (launchPreload())
        result = launchProgram(argv + first, true, limitOf(false));
    else
        status = ExitNoLibrary;
    analyzeProgressEnd();
    if (status == 0) status = printAnswer(a, folder, &result, !program, argv[first]);
    launchRemoveDirectory(folder);
    return status;
}

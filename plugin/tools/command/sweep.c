/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/sweep.c: `ukode sweep`: many runs of a program, into one database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "plugin/config.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/sweep/crew.h"
#include "plugin/tools/sweep/gather.h"
#include "plugin/tools/sweep/mpi.h"
#include "plugin/tools/sweep/sample.h"
#include "plugin/tools/sweep/verdict.h"
#include "plugin/tools/terminal/message.h"

enum { MostText = 64 << 20 };

static struct {
    const char *database;
    long jobs; /* 0: as the study has it */
} wish;

static bool failSweep(const char *where, const char *what, const char *why)
{
    return messageFail(false, "sweep: %s: %s%s", where, what, why);
}

/* ---- the study --------------------------------------------------------------------------------------------------- */

static bool readFile(const char *path, Text *text)
{
    const char *const why = textReadFile(text, path, MostText);
    if (why) return failSweep(path, why, "");
    textPut(text, "", 0);
    if (text->lost || memchr(text->at, 0, text->size)) return failSweep(path, "not a text", "");
    return true;
}

/* Checks the configuration of the first point; those of the other points differ from it only in numbers. */
static bool checkConfig(const char *path, const RunNames *names, char wrong[64])
{
    char name[] = "/tmp/ukode-config-XXXXXX", message[400] = "it cannot be written to /tmp";
    Text text = {0};
    ukConfig config;
    bool good = studyConfig(&text, names, wrong);
    if (!good) failSweep(path, "config: there is no variable ", wrong);
    const int file = good ? mkstemp(name) : -1;
    if (file >= 0) {
        good = write(file, text.at, text.size) == (ssize_t)text.size;
        close(file);
        if (good && ukConfigRead(name, &config, message, sizeof message) == 0)
            ukConfigFree(&config);
        else
            good = failSweep(path,
                             "its lines of configuration: ", strchr(message, ',') ? strchr(message, ',') + 2 : message);
        unlink(name);
    }
    textFree(&text);
    return good;
}

static bool checkTexts(const char *path, const Study *study, const RunNames *names)
{
    char wrong[300] = "", what[120];
    Text text = {0};
    bool good = true;
    for (char **w = study->program; *w && good; w++) good = studyPut(&text, *w, names, wrong);
    for (int i = 0; i < study->environments && good; i++)
        good = studyPut(&text, study->environment[i].text, names, wrong);
    if (!good) failSweep(path, "there is no variable ", wrong);
    good = good && checkConfig(path, names, wrong);
    for (int i = 0; i < study->results && good; i++) {
        snprintf(what, sizeof what, "result %.80s: ", study->result[i].name);
        good = gatherTry(study->result[i].text, wrong, sizeof wrong) || failSweep(path, what, wrong);
    }
    textFree(&text);
    return good;
}

static bool checkStudy(const char *path, const Study *study)
{
    char *value[MostVariables] = {0};
    for (int i = 0; i < study->variables; i++) {
        Text text = {0};
        sampleValue(study, i, 1, &text);
        value[i] = text.at;
    }
    const bool good = checkTexts(path, study, &(RunNames){study, value, 1, 1});
    for (int i = 0; i < study->variables; i++) free(value[i]);
    return good;
}

/* The settings of all runs that change their results, one per line: a sweep that is continued must have the same
 * ones. */
static char *textOfSettings(void)
{
    Text text = {0};
    const char *const restore = getenv("UKODE_RESTORE");
    for (int i = 0; i < ukOptionCount; i++) {
        const char *const value = getenv(ukOptions[i].variable);
        if (i != ukOptionThreads && value && *value) textPrint(&text, "setting %s = %s\n", ukOptions[i].name, value);
    }
    if (ukOptionFlag(getenv("UKODE_DISABLE")) == 1) textPrint(&text, "setting native\n");
    if (restore && *restore) textPrint(&text, "setting restore = %s\n", restore);
    return text.at;
}

/* the study in `study`, its text in `text`; of rank 0 */
static bool prepareStudy(const char *path, char **program, Study *study, Text *text)
{
    char why[400];
    Text base = {0};
    const char *const config = getenv("UKODE_CONFIG");
    if (config && *config && !readFile(config, &base)) return false;
    if (!readFile(path, text)) return false;
    char *const copy = strdup(text->at);
    if (!copy || !studyRead(study, copy, why, sizeof why)) {
        free(copy);
        return failSweep(path, copy ? why : "no memory", "");
    }
    free(copy);
    study->base = base.at;
    study->settings = textOfSettings();
    study->here = getcwd(NULL, 0);
    study->program = program;
    if (wish.jobs > 0) study->jobs = (int)wish.jobs;
    if (!studyRecords(study) && !launchWithoutRecording("the study records nothing (record = yes)")) return false;
    return checkStudy(path, study);
}

/* study.conf to study.db */
static const char *databasePath(const char *path)
{
    static char name[1100];
    const char *const slash = strrchr(path, '/'), *const dot = strrchr(path, '.');
    const size_t length = dot && (!slash || dot > slash + 1) ? (size_t)(dot - path) : strlen(path);
    snprintf(name, sizeof name, "%.*s.db", (int)length, path);
    return wish.database ? wish.database : name;
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

static int runFirstRank(const char *path, char **program, int ranks, bool *all)
{
    Study study = {.samples = 1};
    Store store = {.lock = -1};
    CrewResult result = {0};
    Text text = {0};
    bool good = prepareStudy(path, program, &study, &text);
    if (good && !storeOpen(&store, databasePath(path), !wish.database, &study, text.at))
        good = failSweep("the database", store.error,
                         mpiMissed() ? " (tasks of `srun --mpi=pmix` make one sweep together, those of `srun` do not)"
                                     : "");
    if (good) {
        const double begun = ukSeconds();
        crewSendStudy(ranks, text.at, study.base ? study.base : "");
        crewLead(&study, &store, ranks, &result);
        good = verdictPrint(&store, &study, &result, ukSeconds() - begun);
    }
    *all = !result.gone;
    crewDismiss(ranks, *all);
    storeClose(&store);
    studyFree(&study);
    textFree(&text);
    return good ? 0 : result.signal ? 128 + result.signal : 1;
}

static int runSweep(int argc, char **argv)
{
    int status, rank = 0, ranks = 1;
    bool all = true;
    const bool named = argc > 0 && argv[0][0] != '-';
    const int first = launchOptions(argc - named, argv + named, &commandSweep, &status);
    if (first < 0) return status;
    if (!launchWithout((const char *const[]){"record", "save", "save-every", "report", "hash", NULL},
                       "every run has its own files, and the database has their summaries"))
        return ExitUsage;
    if (!named) return messageFail(ExitUsage, "sweep: no study given (ukode sweep %s)", commandSweep.arguments);
    char **const program = argv + named + first;
    if (!launchPreload()) return ExitNoLibrary;
    if (mpiWanted() && !mpiBegin(&rank, &ranks)) return ExitNotRun;
    if (rank == 0) {
        status = runFirstRank(argv[0], program, ranks, &all);
    } else {
        char *const here = getcwd(NULL, 0);
        all = crewFollow(program, here ? here : ".", (int)wish.jobs);
        free(here);
        status = 0;
    }
    if (ranks > 1) mpiEnd(all, status);
    return status;
}

const Command commandSweep = {
    .name = "sweep",
    .runs = true,
    .arguments = "STUDY.conf [-o STUDY.db] [options] -- program arguments",
    .purpose = "runs a program many times over the parameters of a study, into one database (docs/sweep.md); continues "
               "where it was stopped; under mpirun, on all its ranks",
    .options = (const Option[]){OPTION_TEXT("-o", "FILE", &wish.database, "a file name",
                                            "the database; default: the study's name with the ending .db"),
                                OPTION_WHOLE("--jobs", "N", &wish.jobs, 1, 250, "a number from 1 to 250",
                                             "simultaneous runs; default: the number of processors, or one per MPI "
                                             "rank"),
                                {0}},
    .run = runSweep,
};

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/gather.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/base/plain.h"
#include "plugin/formats/recording/reader.h"
#include "plugin/formats/recording/schema.h"
#include "plugin/tools/launch/summary.h"
#include "plugin/tools/sweep/row.h"

enum { MostTail = 4096, MostSummary = 64 << 20, MostFile = 1 << 30, MostWhy = 1000 };

const RunColumn runColumns[] = {
    {"point", "INTEGER", NULL, "number of the combination of values, from 1"},
    {"repetition", "INTEGER", NULL, "number of the run among those of its point, from 1"},
    {"outcome", "TEXT", NULL,
     "ok; exit: non-zero exit status; signal; time, memory, disk: over a limit; lost: the MPI process that started "
     "it, or its machine, failed"},
    {"exit_status", "INTEGER", NULL, "exit status of the program; NULL: a signal ended it"},
    {"signal", "INTEGER", NULL, "signal that ended the program; NULL: none"},
    {"why", "TEXT", NULL, "description of the error; NULL: none"},
    {"host", "TEXT", NULL, "machine on which it ran"},
    {"started", "TEXT", NULL, "date and time, UTC, ISO 8601"},
    {"seconds", "REAL", "s", "wall time"},
    {"cpu_seconds", "REAL", "s", "processor time of all its processes that were waited for"},
    {"memory", "INTEGER", "byte", "largest resident memory: of one process, or of all together if there is a limit"},
    {"steps", "INTEGER", NULL, "steps that ukode took, in all worlds"},
    {"simulated_seconds", "REAL", "s", "simulated time, of all worlds together"},
    {"fallbacks", "INTEGER", NULL, "steps that were left to ODE's own stepper"},
    {"failed_steps", "INTEGER", NULL, "steps that failed"},
    {"not_certified", "INTEGER", NULL, "steps that the Gauss check rejected"},
    {"feasibility", "REAL", NULL, "largest scaled residual of the Gauss check"},
    {"stationarity", "REAL", NULL, "largest scaled residual of the Gauss check"},
    {"complementarity", "REAL", NULL, "largest scaled residual of the Gauss check"},
    {"position_error", "REAL", "m or rad", "largest position error of a joint"},
    {"hash", "TEXT", NULL, "hash of the final state of all worlds (ukWorldHash); NULL: the run was not completed"},
    {"output", "TEXT", NULL, "the last 4 kB of standard output and standard error"},
};
_Static_assert(sizeof runColumns / sizeof *runColumns == RunColumns, "as many as there are");

static const char *outcomeOf(const Job *job, int status)
{
    switch (job->end) {
    case JobTime: return "time";
    case JobMemory: return "memory";
    case JobDisk: return "disk";
    case JobNotStarted: return "not started";
    case JobOwn: break;
    }
    if (WIFSIGNALED(status)) return "signal";
    return WEXITSTATUS(status) == 0 ? "ok" : "exit";
}

/* ---- the recording ----------------------------------------------------------------------------------------------- */

/* the first value of the first row */
static void addFirstValue(Text *row, ukReader *reader, const StudyLine *result, Text *why)
{
    sqlite3_stmt *const query = ukReaderAsk(reader, result->text);
    if (!query || !ukReaderNext(reader, query)) {
        rowNull(row);
    } else {
        switch (ukSql.column_type(query, 0)) {
        case ukSqlInteger: rowInteger(row, ukSql.column_int64(query, 0)); break;
        case ukSqlReal: rowReal(row, ukSql.column_double(query, 0)); break;
        case ukSqlText: rowText(row, (const char *)ukSql.column_text(query, 0)); break;
        case ukSqlBlob: rowBlob(row, ukSql.column_blob(query, 0), (size_t)ukSql.column_bytes(query, 0)); break;
        default: rowNull(row); break;
        }
    }
    if (reader->error[0]) textPrint(why, "%sresult %s: %s", why->size ? "; " : "", result->name, reader->error);
    reader->error[0] = 0;
    ukReaderDone(query);
}

static void addAnswers(Text *row, const Job *job, const Study *study, Text *why)
{
    char path[1200];
    ukReader reader;
    snprintf(path, sizeof path, "%s/run.ukode", job->folder);
    const bool there = study->results > 0 && access(path, R_OK) == 0 && ukReaderOpen(&reader, path);
    if (study->results > 0 && !there) textPrint(why, "%sit left no recording", why->size ? "; " : "");
    for (int i = 0; i < study->results; i++) {
        if (there)
            addFirstValue(row, &reader, &study->result[i], why);
        else
            rowNull(row);
    }
    if (there) ukReaderClose(&reader);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Opens a file below the run's folder with no link on the way; below 0: why not, in errno. */
static int openBelow(const char *folder, const char *name)
{
    char part[1200];
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *slash; at >= 0 && (slash = strchr(name, '/')) != NULL; name = slash + 1) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        const int next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), error = errno;
        close(at);
        at = next;
        errno = error;
    }
    if (at < 0) return at;
    const int file = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), error = errno;
    close(at);
    errno = error;
    return file;
}

/* Adds a file of the run. Only regular files are accepted: a link may lead to a file that the run did not write. */
static void addFile(Text *row, const Job *job, const char *name, Text *why)
{
    Text bytes = {0};
    struct stat status;
    const int descriptor = openBelow(job->folder, name);
    const int error = descriptor < 0 ? errno : 0;
    const char *fault = error == ELOOP || error == ENOTDIR ? "a symbolic link" : error ? strerror(error) : NULL;
    if (!fault && fstat(descriptor, &status) != 0) fault = strerror(errno);
    if (!fault && !S_ISREG(status.st_mode)) fault = "not a regular file";
    if (!fault && status.st_size > MostFile) fault = "larger than 1 GB";
    if (!fault) {
        textReadAll(&bytes, descriptor, MostFile);
        rowText(row, name);
        rowBlob(row, bytes.at ? bytes.at : "", bytes.size);
        textFree(&bytes);
    } else if (why->size < MostWhy) {
        textPrint(why, "%s%.100s is not kept: %s", why->size ? "; " : "", name, fault);
    }
    if (descriptor >= 0) close(descriptor);
}

static void addFiles(Text *row, const Job *job, const Study *study, Text *why)
{
    char pattern[1200];
    glob_t found = {.gl_pathc = 0};
    if (study->kept == 0) return;
    for (int i = 0; i < study->kept; i++) {
        snprintf(pattern, sizeof pattern, "%s/%.170s", job->folder, study->keep[i]);
        glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++) again |= strcmp(found.gl_pathv[k], found.gl_pathv[i]) == 0;
        if (!again) addFile(row, job, found.gl_pathv[i] + strlen(job->folder) + 1, why);
    }
    globfree(&found);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* numbers as such, so that a column of them can be reckoned with */
static void addTextValue(Text *row, const char *text)
{
    char *end;
    errno = 0;
    const long long whole = strtoll(text, &end, 10);
    if (end != text && !*end && errno != ERANGE) {
        rowInteger(row, whole);
        return;
    }
    const double x = strtod(text, &end);
    if (end != text && !*end && isfinite(x))
        rowReal(row, x);
    else
        rowText(row, text);
}

static void addKeys(Text *row, const Job *job, const Study *study)
{
    rowInteger(row, job->point);
    rowInteger(row, job->repetition);
    for (int i = 0; i < study->variables; i++) addTextValue(row, job->value[i]);
}

static double secondsOf(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void readSummary(const Job *job, Summary *summary)
{
    char path[1200];
    Text text = {0};
    jobFile(job, "summary", path, sizeof path);
    textReadEnd(&text, path, MostSummary);
    summaryRead(text.at, summary);
    textFree(&text);
}

static void summaryColumns(Text *row, const Summary *s)
{
    char hash[40];
    snprintf(hash, sizeof hash, "%016llx%016llx", (unsigned long long)s->hash[0], (unsigned long long)s->hash[1]);
    rowInteger(row, (int64_t)s->steps);
    rowReal(row, s->simulated);
    rowInteger(row, (int64_t)s->fallbacks);
    rowInteger(row, (int64_t)s->failed);
    rowInteger(row, (int64_t)s->rejected);
    rowReal(row, s->feasibility);
    rowReal(row, s->stationarity);
    rowReal(row, s->complementarity);
    rowReal(row, s->position_error);
    rowText(row, s->hashed > 0 && s->ended == s->started ? hash : NULL);
}

/* the ends of its output; bytes that are not text are replaced */
static void addOutput(Text *row, const Job *job)
{
    char path[1200];
    Text said = {0};
    jobFile(job, "output", path, sizeof path);
    textReadEnd(&said, path, MostTail);
    jobFile(job, "error", path, sizeof path);
    textReadEnd(&said, path, MostTail);
    for (size_t i = 0; i < said.size; i++)
        if (!said.at[i] || (unsigned char)said.at[i] == 0x7f) said.at[i] = '?';
    rowText(row, said.at ? said.at : "");
    textFree(&said);
}

static void addHost(Text *row)
{
    char name[128] = "";
    gethostname(name, sizeof name - 1);
    rowText(row, name);
}

void gatherRow(Text *row, const Job *job, const Study *study)
{
    const struct rusage *const usage = &job->usage;
    const int status = job->status;
    Summary summary;
    Text why = {0}, asked = {0}, kept = {0};
    const bool exited = job->end != JobNotStarted && WIFEXITED(status), killed = job->end != JobNotStarted && !exited;
    readSummary(job, &summary);
    if (job->why[0]) textPrint(&why, "%s", job->why);
    if (killed && job->end == JobOwn)
        textPrint(&why, "signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                  WTERMSIG(status) == SIGKILL ? ", perhaps by the system, for lack of memory" : "");
    if (exited && job->end == JobOwn && WEXITSTATUS(status) != 0)
        textPrint(&why, "exit status %d", WEXITSTATUS(status));
    if (job->end == JobOwn && exited && WEXITSTATUS(status) == 0 && summary.started == 0)
        textPrint(&why, "nothing was stepped");
    addAnswers(&asked, job, study, &why);
    addFiles(&kept, job, study, &why);

    addKeys(row, job, study);
    rowText(row, outcomeOf(job, status));
    exited ? rowInteger(row, WEXITSTATUS(status)) : rowNull(row);
    killed ? rowInteger(row, WTERMSIG(status)) : rowNull(row);
    rowText(row, why.at);
    addHost(row);
    rowText(row, job->started);
    rowReal(row, job->seconds);
    rowReal(row, secondsOf(usage->ru_utime) + secondsOf(usage->ru_stime));
    rowInteger(row, study->memory > 0 && job->memory > 0 ? (int64_t)job->memory : (int64_t)usage->ru_maxrss * 1024);
    summaryColumns(row, &summary);
    addOutput(row, job);
    textPut(row, asked.at, asked.size);
    textPut(row, kept.at, kept.size);
    row->lost |= asked.lost || kept.lost;
    textFree(&kept);
    textFree(&asked);
    textFree(&why);
}

void gatherLost(Text *row, const Job *job, const Study *study, const char *why)
{
    addKeys(row, job, study);
    rowText(row, "lost");
    rowNull(row);
    rowNull(row);
    rowText(row, why);
    for (int i = RunKeys + 4; i < RunColumns + study->results; i++) rowNull(row);
}

bool gatherTry(const char *sql, char *why, size_t size)
{
    char text[ukSchemaText];
    sqlite3 *file = NULL;
    sqlite3_stmt *query = NULL;
    bool good =
        ukSqliteReady() &&
        ukSql.open_v2(":memory:", &file, ukSqlOpenReadWrite | ukSqlOpenCreate | ukSqlOpenNoMutex, NULL) == ukSqlOk;
    for (int t = 0; t < ukTables && good; t++) {
        ukSchemaCreate(&ukSchema[t], text, sizeof text);
        good = ukSql.exec(file, text, NULL, NULL, NULL) == ukSqlOk;
    }
    good = good && ukSql.prepare_v2(file, sql, -1, &query, NULL) == ukSqlOk;
    if (!good) snprintf(why, size, "%s", file ? ukSql.errmsg(file) : UKODE_SQLITE_MISSING);
    if (good && !query) good = false, snprintf(why, size, "there is no query");
    if (!good) ukPlainMake(why, size);
    if (query) ukSql.finalize(query);
    if (file) ukSql.close_v2(file);
    return good;
}

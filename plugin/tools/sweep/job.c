/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "plugin/tools/sweep/folder.h"

enum { MostWords = 4096, MostDepth = 32 };
static const double grace = 1, disk_interval = 0.25; /* [s] from SIGTERM to SIGKILL; between two checks of the disk */

extern char **environ;

void jobFile(const Job *job, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s.ukode/%s", job->folder, name);
}

static RunNames namesOf(const Job *job, const Study *study)
{
    return (RunNames){study, job->value, job->point, job->repetition};
}

void jobWords(const Job *job, const Study *study, Text *text)
{
    const RunNames names = namesOf(job, study);
    char wrong[64];
    for (char **w = study->program; *w; w++) {
        Text word = {0};
        studyPut(&word, *w, &names, wrong);
        const char *const quote = word.size == 0 || strpbrk(word.at, " \t\n\"'\\$") ? "'" : "";
        textPrint(text, "%s%s%s%s", w == study->program ? "" : " ", quote, word.at ? word.at : "", quote);
        textFree(&word);
    }
}

/* ---- what it is started with ------------------------------------------------------------------------------------- */

typedef struct Start {
    char **words, **environment; /* owned, as are the texts of those that are ours */
    int word_count, own, all;    /* of the environment: the first `own` are ours */
    int output, error, report;   /* files; a pipe's end for errno */
    rlim_t file, data, cpu;      /* the kernel's limits of each process; RLIM_INFINITY: none */
} Start;

static void freeStart(Start *start)
{
    for (int i = 0; i < start->word_count; i++) free(start->words[i]);
    for (int i = 0; i < start->own; i++) free(start->environment[i]);
    free(start->words);
    free(start->environment);
}

static bool setVariable(Start *start, const char *name, const char *value)
{
    char *text = NULL;
    if (asprintf(&text, "%s=%s", name, value) < 0) return false;
    start->environment[start->own++] = text;
    start->environment[start->own] = NULL;
    return true;
}

/* Builds the environment of the run: inherited variables are replaced by those of the study, and variables that make a
 * process a rank of an MPI job are removed, since the run's own use of MPI would take it for one. */
static void inheritEnvironment(Start *start)
{
    static const char *const ranks[] = {"OMPI_", "PMIX_", "PMI_", "ORTE_"};
    start->all = start->own;
    for (char **e = environ; *e; e++) {
        bool skip = false;
        for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) skip |= strncmp(*e, ranks[i], strlen(ranks[i])) == 0;
        const size_t name = strcspn(*e, "=") + 1;
        for (int i = 0; i < start->own && !skip; i++) skip = strncmp(*e, start->environment[i], name) == 0;
        if (!skip) start->environment[start->all++] = *e;
    }
    start->environment[start->all] = NULL;
}

static bool setVariables(Start *start, const Job *job, const Study *study)
{
    const RunNames names = namesOf(job, study);
    char path[1200], wrong[64];
    size_t count = 0;
    while (environ[count]) count++;
    start->environment = calloc(count + MostLines + 16, sizeof *start->environment);
    if (!start->environment) return false;
    bool good = true;
    for (int i = 0; i < study->environments && good; i++) {
        Text value = {0};
        good = studyPut(&value, study->environment[i].text, &names, wrong) && !value.lost &&
               setVariable(start, study->environment[i].name, value.at);
        textFree(&value);
    }
    jobFile(job, "config", path, sizeof path);
    good = good && setVariable(start, "UKODE_CONFIG", path);
    jobFile(job, "summary", path, sizeof path);
    good = good && setVariable(start, "UKODE_REPORT", path) && setVariable(start, "UKODE_HASH", "1");
    if (studyRecords(study)) {
        snprintf(path, sizeof path, "%s/run.ukode", job->folder);
        good = good && setVariable(start, "UKODE_RECORD", path);
    }
    if (strcmp(study->record, "every-step") == 0)
        good = good && setVariable(start, "UKODE_RECORD_EVERY_STEP", "1");
    else if (study->record[0] >= '0' && study->record[0] <= '9')
        good = good && setVariable(start, "UKODE_RECORD_RATE", study->record);
    inheritEnvironment(start);
    return good;
}

/* a program that is named by a path is where the sweep was begun */
static bool setWords(Start *start, const Job *job, const Study *study)
{
    const RunNames names = namesOf(job, study);
    char wrong[64];
    start->words = calloc(MostWords + 1, sizeof *start->words);
    if (!start->words) return false;
    for (char **w = study->program; *w && start->word_count < MostWords; w++) {
        Text word = {0};
        if (w == study->program && (*w)[0] != '/' && strchr(*w, '/')) textPrint(&word, "%s/", study->here);
        if (!studyPut(&word, *w, &names, wrong) || word.lost) return false;
        start->words[start->word_count++] = word.at;
    }
    return true;
}

static bool writeConfig(const Job *job, const Study *study)
{
    const RunNames names = namesOf(job, study);
    char path[1200], wrong[64];
    Text text = {0};
    jobFile(job, "config", path, sizeof path);
    FILE *const file = studyConfig(&text, &names, wrong) && !text.lost ? fopen(path, "we") : NULL;
    bool good = file && fwrite(text.at, 1, text.size, file) == text.size;
    if (file) good = fclose(file) == 0 && good;
    textFree(&text);
    return good;
}

/* ---- the process ------------------------------------------------------------------------------------------------- */

/* Beyond the limits that jobWatch checks, in case it is not called in time: not reached by a run within its limits. Of
 * memory, what a process may write to, touched or not: more than the limit by what libraries reserve for threads. */
static void chooseLimits(Start *start, const Study *study)
{
    const rlim_t reserve = 1 << 30, of_processor = 64 << 20, processors = (rlim_t)sysconf(_SC_NPROCESSORS_ONLN);
    start->file = study->disk > 0 ? study->disk : RLIM_INFINITY;
    start->data = study->memory > 0 ? study->memory + reserve + processors * of_processor : RLIM_INFINITY;
    start->cpu = study->time > 0 ? (rlim_t)ceil(study->time + grace) * processors : RLIM_INFINITY;
}

static void lowerLimit(unsigned what, rlim_t most, rlim_t hard)
{
    struct rlimit limit;
    if (most == RLIM_INFINITY || getrlimit(what, &limit) != 0) return;
    if (limit.rlim_max > hard) limit.rlim_max = hard; /* RLIM_INFINITY is the largest */
    if (limit.rlim_cur > most) limit.rlim_cur = most;
    setrlimit(what, &limit);
}

/* Runs in the child after fork: only async-signal-safe functions are called. */
static void becomeProgram(const Start *start, const char *folder, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* with the sweep */
    for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getppid() != parent) _exit(1);
    lowerLimit(RLIMIT_CORE, 0, 0);
    lowerLimit(RLIMIT_FSIZE, start->file, start->file);
    lowerLimit(RLIMIT_DATA, start->data,
               RLIM_INFINITY); /* a program that needs more, such as the address sanitizer, may raise it */
    lowerLimit(RLIMIT_CPU, start->cpu, RLIM_INFINITY);
    const int first =
        open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); /* the process that takes most memory is ended first */
    if (first >= 0 && write(first, "1000", 4) == 4) close(first);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (chdir(folder) == 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(start->output, STDOUT_FILENO) >= 0 &&
        dup2(start->error, STDERR_FILENO) >= 0)
        execvpe(start->words[0], start->words, start->environment);
    const int error = errno;
    const ssize_t written = write(start->report, &error, sizeof error);
    _exit(written > 0 ? 127 : 126);
}

/* [bytes] */
static size_t residentOf(pid_t pid)
{
    char path[64];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *const file = fopen(path, "re");
    if (file && fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* 0, or why the program cannot be run */
static int launchJob(Job *job, const Study *study, Start *start)
{
    char path[1200];
    int pipe_ends[2], error = 0;
    jobFile(job, "output", path, sizeof path);
    start->output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    jobFile(job, "error", path, sizeof path);
    start->error = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (start->output < 0 || start->error < 0 || pipe2(pipe_ends, O_CLOEXEC) != 0) {
        error = errno;
    } else {
        const pid_t parent = getpid();
        start->report = pipe_ends[1];
        chooseLimits(start, study);
        job->base = residentOf(parent);
        job->begun = ukSeconds();
        const pid_t pid = fork();
        if (pid == 0) becomeProgram(start, job->folder, parent);
        error = pid < 0 ? errno : 0;
        close(pipe_ends[1]);
        if (pid > 0 && read(pipe_ends[0], &error, sizeof error) != sizeof error) {
            error = 0;
            job->pid = pid;
        } else if (pid > 0) {
            waitpid(pid, NULL, 0);
        }
        close(pipe_ends[0]);
    }
    if (start->output >= 0) close(start->output);
    if (start->error >= 0) close(start->error);
    return error;
}

void jobBegin(Job *job, const Study *study, const char *base)
{
    char own[1100];
    Start start = {.output = -1, .error = -1};
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(job->started, sizeof job->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    job->end = JobOwn;
    job->begun = ukSeconds();
    job->asked = job->disk_checked = 0;
    job->memory = 0;
    job->why[0] = 0;
    snprintf(job->folder, sizeof job->folder, "%.900s/%ld-%d", base, job->point, job->repetition);
    snprintf(own, sizeof own, "%s.ukode", job->folder);
    int error = mkdir(job->folder, 0700) == 0 && mkdir(own, 0700) == 0 && writeConfig(job, study) ? 0 : errno;
    if (!error && (!setWords(&start, job, study) || !setVariables(&start, job, study))) error = ENOMEM;
    if (!error) error = launchJob(job, study, &start);
    if (error) {
        job->end = JobNotStarted;
        job->ended = true;
        job->seconds = 0;
        snprintf(job->why, sizeof job->why, "%s", strerror(error));
    }
    freeStart(&start);
}

void jobKill(Job *job)
{
    if (job->pid > 0) kill(-job->pid, SIGKILL);
}

/* Resident memory of a process and its descendants [bytes]. */
static size_t residentOfAll(pid_t pid, int depth)
{
    char path[64], text[256];
    size_t size = residentOf(pid);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *const file = depth < MostDepth ? fopen(path, "re") : NULL;
    while (file && fscanf(file, "%255s", text) == 1) size += residentOfAll((pid_t)atoi(text), depth + 1);
    if (file) fclose(file);
    return size;
}

static void endOverLimit(Job *job, JobEnd end, const char *what, size_t bytes, const char *then)
{
    if (job->end != JobOwn) return;
    job->end = end;
    snprintf(job->why, sizeof job->why, "it %s more than its limit: %.4g MB%s", what, (double)bytes / (1 << 20), then);
}

static size_t diskOf(const Job *job)
{
    char own[1100];
    snprintf(own, sizeof own, "%s.ukode", job->folder);
    return folderSize(job->folder) + folderSize(own);
}

void jobWatch(Job *job, const Study *study)
{
    static const char then[] = ", and was ended for that";
    const double now = ukSeconds();
    if (study->memory > 0) {
        const size_t memory = residentOfAll(job->pid, 0);
        if (memory > job->memory) job->memory = memory;
        if (memory > study->memory) endOverLimit(job, JobMemory, "had", memory, then);
    }
    if (study->disk > 0 && now - job->disk_checked > disk_interval) {
        const size_t disk = diskOf(job);
        job->disk_checked = now;
        if (disk > study->disk) endOverLimit(job, JobDisk, "wrote", disk, then);
    }
    if (job->end == JobMemory || job->end == JobDisk) jobKill(job);
    if (study->time > 0 && now - job->begun > study->time && job->asked == 0) {
        if (job->end == JobOwn) job->end = JobTime;
        snprintf(job->why, sizeof job->why, "it took longer than %.6g s, and was ended", study->time);
        kill(-job->pid, SIGTERM);
        job->asked = now;
    } else if (job->asked > 0 && now - job->asked > grace) {
        jobKill(job);
    }
}

/* Checks the job against its limits: the largest memory of one of its processes, which includes the sweep's pages
 * before the program began; its files; the signals of the kernel's limits. */
static void checkLimits(Job *job, const Study *study)
{
    const size_t most = (size_t)job->usage.ru_maxrss * 1024, of_sweep = job->base + (1 << 20);
    const int by = WIFSIGNALED(job->status) ? WTERMSIG(job->status) : 0;
    if (study->memory > 0 && most > study->memory && most > of_sweep) endOverLimit(job, JobMemory, "had", most, "");
    if (most > of_sweep && most > job->memory) job->memory = most;
    if (by == SIGXFSZ && job->end == JobOwn) {
        job->end = JobDisk;
        snprintf(job->why, sizeof job->why, "it wrote a file larger than its limit");
    }
    if (study->time > 0 && by == SIGXCPU && job->end == JobOwn) {
        job->end = JobTime;
        snprintf(job->why, sizeof job->why, "it took longer than %.6g s of processor time", study->time);
    }
    const size_t disk = study->disk > 0 && job->end == JobOwn ? diskOf(job) : 0;
    if (disk > study->disk) endOverLimit(job, JobDisk, "wrote", disk, "");
}

void jobPoll(Job *job, const Study *study)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)job->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
    job->over = ukSeconds();
    job->seconds = job->over - job->begun;
    jobKill(job); /* what it left running; its number cannot be another's yet */
    wait4(job->pid, &job->status, 0, &job->usage);
    job->pid = 0;
    job->ended = true;
    checkLimits(job, study);
}

void jobClear(Job *job)
{
    char own[1100];
    snprintf(own, sizeof own, "%s.ukode", job->folder);
    if (job->folder[0]) folderRemove(job->folder);
    if (job->folder[0]) folderRemove(own);
    for (int i = 0; i < MostVariables; i++) {
        free(job->value[i]);
        job->value[i] = NULL;
    }
    *job = (Job){.pid = 0};
}

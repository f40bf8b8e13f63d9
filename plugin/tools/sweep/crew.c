/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/crew.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "bridge/base/grow.h"
#include "plugin/tools/sweep/folder.h"
#include "plugin/tools/sweep/gather.h"
#include "plugin/tools/sweep/mpi.h"
#include "plugin/tools/sweep/row.h"
#include "plugin/tools/sweep/sample.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/progress.h"

/* The first byte of a message. */
enum {
    MessageStudy = 'S',
    MessageRun = 'W',
    MessageEnd = 'E',
    MessageAlive = 'A',
    MessageWant = 'R',
    MessageDone = 'D'
};
enum { IdleMilliseconds = 100, MemoryMilliseconds = 20, MessageMilliseconds = 2 };
static const double beat = 2, patience = 60; /* [s] between two signs of life; without one, a rank is gone */
static const double doubt = 1;               /* [s] in which signals are waited for after a run was killed by another */

/* a run that was given to a rank */
typedef struct Given {
    long point;
    int repetition, rank;
} Given;

typedef struct Peer {
    int wants, jobs; /* runs that it has requested and not received; number of runs at once */
    double heard;
    bool gone;
} Peer;

typedef struct Crew {
    const Study *study;
    Store *store; /* NULL: of another rank than 0 */
    Job *job;
    int jobs, records; /* at once; of those, and of as many that are over */
    int signals;       /* a descriptor */
    double heard;      /* [s] all signals of before are known */
    char folder[1024];
    int ranks;
    Peer *peer;   /* (ranks) of rank 0; of the others, peer[0] alone is used */
    Given *given; /* (gives) in the order they were given */
    int gives;
    size_t capacity;
    long next;   /* all runs before it were given, or are done */
    Text *inbox; /* (inboxes) of another rank: runs that it received */
    int inboxes;
    size_t inbox_capacity;
    double beaten;
    bool over;
    CrewResult *result;
} Crew;

/* ---- which run is next ------------------------------------------------------------------------------------------- */

static int indexOfGiven(const Crew *crew, long point, int repetition)
{
    int k = 0;
    while (k < crew->gives && (crew->given[k].point != point || crew->given[k].repetition != repetition)) k++;
    return k;
}

static bool nextRun(Crew *crew, int rank, Given *run)
{
    const long points = crew->store->points, all = points * crew->store->repeat;
    for (; crew->next < all; crew->next++) {
        *run = (Given){crew->next % points + 1, (int)(crew->next / points) + 1, rank};
        if (!storeHas(crew->store, run->point, run->repetition) &&
            indexOfGiven(crew, run->point, run->repetition) == crew->gives)
            break;
    }
    if (crew->next == all || crew->over) return false;
    if (!ukArrayReserve(&crew->given, sizeof *crew->given, (size_t)crew->gives + 1, &crew->capacity)) return false;
    crew->given[crew->gives++] = *run;
    crew->next++;
    return true;
}

static void removeGiven(Crew *crew, int k)
{
    memmove(crew->given + k, crew->given + k + 1, (size_t)(--crew->gives - k) * sizeof *crew->given);
}

static bool sampleValues(Job *job, const Study *study)
{
    for (int i = 0; i < study->variables; i++) {
        Text text = {0};
        sampleValue(study, i, job->point, &text);
        job->value[i] = text.at;
        if (text.lost) return false;
    }
    return true;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void setFault(Crew *crew, const char *what, const char *why)
{
    if (!crew->result->fault[0]) snprintf(crew->result->fault, sizeof crew->result->fault, "%s%s", what, why);
    crew->over = true;
}

/* the values of a row that concern how the sweep goes on */
static void noteOutcome(Crew *crew, const Text *row)
{
    RowValue v[RunColumns + MostVariables];
    const int others = crew->study->variables;
    size_t at = 0;
    for (int i = 0; i < RunColumns + others; i++)
        if (!rowNext(row, &at, &v[i])) return;
    const int k = indexOfGiven(crew, (long)v[0].integer, (int)v[1].integer);
    if (k < crew->gives) removeGiven(crew, k);
    crew->result->seconds += v[8 + others].real;
    if (v[2 + others].bytes && strcmp(v[2 + others].bytes, "not started") == 0) {
        char what[300];
        snprintf(what, sizeof what, "%s cannot be run on %s: ", crew->study->program[0],
                 v[6 + others].bytes ? v[6 + others].bytes : "a machine");
        setFault(crew, what, v[5 + others].bytes ? v[5 + others].bytes : "");
    }
}

static void storeRow(Crew *crew, const Text *row)
{
    const long before = crew->store->count;
    noteOutcome(crew, row);
    if (crew->result->fault[0]) return;
    if (!storePut(crew->store, row)) setFault(crew, "the database: ", crew->store->error);
    crew->result->done += crew->store->count - before;
}

static void deliverRow(Crew *crew, Job *job)
{
    Text row = {0};
    const char done = MessageDone;
    if (!crew->store) textPut(&row, &done, 1);
    gatherRow(&row, job, crew->study);
    if (crew->store)
        storeRow(crew, &row);
    else if (row.lost || !mpiSend(0, row.at, row.size))
        crew->over = true;
    textFree(&row);
    jobClear(job);
}

/* ---- runs here --------------------------------------------------------------------------------------------------- */

/* the values of a run that rank 0 sent: point, repetition, then texts */
static bool readRun(Job *job, const Study *study, const Text *message)
{
    RowValue v;
    size_t at = 1;
    for (int i = -2; i < study->variables; i++) {
        if (!rowNext(message, &at, &v)) return false;
        if (i == -2) job->point = (long)v.integer;
        if (i == -1) job->repetition = (int)v.integer;
        if (i >= 0 && (!v.bytes || !(job->value[i] = strdup(v.bytes)))) return false;
    }
    return true;
}

static bool fetchRun(Crew *crew, Job *job)
{
    Given run;
    if (crew->store) {
        if (!nextRun(crew, 0, &run)) return false;
        job->point = run.point;
        job->repetition = run.repetition;
        if (!sampleValues(job, crew->study)) setFault(crew, "no memory", "");
        return true;
    }
    if (crew->inboxes == 0) return false;
    const bool good = readRun(job, crew->study, &crew->inbox[0]);
    textFree(&crew->inbox[0]);
    memmove(crew->inbox, crew->inbox + 1, (size_t)--crew->inboxes * sizeof *crew->inbox);
    return good;
}

static int countRunning(const Crew *crew)
{
    int n = 0;
    for (int i = 0; i < crew->records; i++) n += crew->job[i].pid > 0;
    return n;
}

/* Others begin before what is over is gathered. */
static void beginCrew(Crew *crew)
{
    for (int i = 0, busy = countRunning(crew); i < crew->records && busy < crew->jobs && !crew->over; i++) {
        Job *const job = &crew->job[i];
        if (job->pid > 0 || job->ended || !fetchRun(crew, job)) continue;
        jobBegin(job, crew->study, crew->folder);
        busy += job->pid > 0;
    }
}

/* A program that ends a whole job, such as `scancel`, ends runs a little earlier than their sweep: these runs are
 * repeated. */
static bool inDoubt(const Crew *crew, const Job *job)
{
    const int by = WIFSIGNALED(job->status) && job->end == JobOwn ? WTERMSIG(job->status) : 0;
    return crew->result->signal || ((by == SIGKILL || by == SIGTERM) && crew->heard - job->over < doubt);
}

static void deliverEnded(Crew *crew)
{
    for (int i = 0; i < crew->records; i++)
        if (crew->job[i].ended && !inDoubt(crew, &crew->job[i])) deliverRow(crew, &crew->job[i]);
}

static void reapJobs(Crew *crew)
{
    for (int i = 0; i < crew->records; i++) {
        Job *const job = &crew->job[i];
        if (job->pid == 0) continue;
        jobPoll(job, crew->study);
        if (job->pid > 0) jobWatch(job, crew->study);
    }
    for (siginfo_t info;
         info.si_pid = 0, waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;) {
        bool ours = false; /* orphans of runs are handed to this process */
        for (int i = 0; i < crew->records; i++) ours |= crew->job[i].pid == info.si_pid;
        if (ours) break;
        waitpid(info.si_pid, NULL, 0);
    }
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void sendRun(Crew *crew, int rank, const Given *run)
{
    Job job = {.point = run->point, .repetition = run->repetition};
    Text message = {0};
    const char what = MessageRun;
    textPut(&message, &what, 1);
    rowInteger(&message, run->point);
    rowInteger(&message, run->repetition);
    if (!sampleValues(&job, crew->study)) setFault(crew, "no memory", "");
    for (int i = 0; i < crew->study->variables; i++) rowText(&message, job.value[i]);
    mpiSend(rank, message.at, message.size);
    textFree(&message);
    jobClear(&job);
}

/* Gives up a rank that has sent no message for too long: its runs are lost. */
static void loseRank(Crew *crew, int rank)
{
    char why[80];
    int begun = crew->peer[rank].jobs;
    crew->peer[rank].gone = crew->result->gone = true;
    crew->peer[rank].wants = 0;
    snprintf(why, sizeof why, "no message from rank %d for %.0f s", rank, patience);
    for (int k = 0; k < crew->gives;) {
        const Given run = crew->given[k];
        if (run.rank != rank) {
            k++;
            continue;
        }
        removeGiven(crew, k);
        const long index = (run.repetition - 1) * crew->store->points + run.point - 1;
        if (begun-- <= 0) {
            if (index < crew->next) crew->next = index;
            continue;
        }
        Job job = {.point = run.point, .repetition = run.repetition};
        Text row = {0};
        if (sampleValues(&job, crew->study)) gatherLost(&row, &job, crew->study, why);
        storeRow(crew, &row);
        textFree(&row);
        jobClear(&job);
    }
}

static void supplyRanks(Crew *crew)
{
    const double now = ukSeconds();
    for (int rank = 1; rank < crew->ranks; rank++) {
        Peer *const peer = &crew->peer[rank];
        Given run;
        if (!peer->gone && now - peer->heard > patience) loseRank(crew, rank);
        for (; peer->wants > 0 && nextRun(crew, rank, &run); peer->wants--) sendRun(crew, rank, &run);
    }
}

static void handleMessage(Crew *crew, int from, Text *message)
{
    const char what = message->size > 0 ? message->at[0] : 0;
    Peer *const peer = &crew->peer[crew->store ? from : 0];
    peer->heard = ukSeconds();
    if (what == MessageEnd) {
        crew->over = true;
        crew->result->gone = message->size < 2 || message->at[1];
    } else if (what == MessageRun) {
        if (!ukArrayReserve(&crew->inbox, sizeof *message, (size_t)crew->inboxes + 1, &crew->inbox_capacity)) return;
        crew->inbox[crew->inboxes++] = *message;
        *message = (Text){0};
    } else if (what == MessageWant) {
        peer->jobs = (unsigned char)message->at[1];
        peer->wants += peer->jobs + 1; /* one in hand */
    } else if (what == MessageDone && crew->store) {
        Text row = {.at = message->at + 1, .size = message->size - 1};
        storeRow(crew, &row);
        if (!peer->gone) peer->wants++;
    }
}

static void exchangeMessages(Crew *crew)
{
    Text message = {0};
    const double now = ukSeconds();
    const char alive = MessageAlive;
    int from;
    if (crew->ranks == 1) return;
    while (mpiReceive(&message, &from)) {
        handleMessage(crew, from, &message);
        textFree(&message);
    }
    if (crew->store) supplyRanks(crew);
    if (!crew->store && now - crew->peer[0].heard > patience) crew->over = true;
    if (now - crew->beaten < beat) return;
    crew->beaten = now;
    for (int rank = crew->store ? 1 : 0; rank < (crew->store ? crew->ranks : 1); rank++)
        if (!crew->peer[rank].gone) mpiSend(rank, &alive, 1);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void awaitEvent(Crew *crew)
{
    struct pollfd wait = {.fd = crew->signals, .events = POLLIN};
    struct signalfd_siginfo info;
    const int milliseconds = crew->ranks > 1           ? MessageMilliseconds
                             : crew->study->memory > 0 ? MemoryMilliseconds
                                                       : IdleMilliseconds;
    poll(&wait, 1, milliseconds);
    crew->heard = ukSeconds();
    while (read(crew->signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCHLD) continue;
        crew->result->signal = (int)info.ssi_signo;
        crew->over = true;
    }
}

static void printCrewProgress(const Crew *crew, double begun)
{
    char line[160];
    const long all = crew->store->points * crew->store->repeat, left = all - crew->store->count;
    const double pace = crew->result->done > 0 ? (ukSeconds() - begun) / (double)crew->result->done : 0;
    const int n = snprintf(line, sizeof line, "%ld of %ld runs", crew->store->count, all);
    if (pace > 0) snprintf(line + n, sizeof line - (size_t)n, ", %.3g s each, %.0f s to go", pace, pace * (double)left);
    progressText(line);
}

static bool startCrew(Crew *crew)
{
    sigset_t set;
    sigemptyset(&set);
    const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    crew->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    crew->records = 2 * crew->jobs;
    crew->job = calloc((size_t)crew->records, sizeof *crew->job);
    crew->peer = calloc((size_t)crew->ranks, sizeof *crew->peer);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int i = 0; crew->peer && i < crew->ranks; i++) crew->peer[i].heard = ukSeconds();
    if (crew->signals >= 0 && crew->job && crew->peer && folderBegin(crew->folder, sizeof crew->folder)) return true;
    setFault(crew, "no memory, or no folder for its runs", "");
    return false;
}

static void endCrew(Crew *crew)
{
    for (int i = 0; crew->job && i < crew->records; i++) {
        Job *const job = &crew->job[i];
        jobKill(job);
        if (job->pid > 0) waitpid(job->pid, NULL, 0);
        jobClear(job);
    }
    if (crew->folder[0]) folderRemove(crew->folder);
    if (crew->signals >= 0) close(crew->signals);
    for (int i = 0; i < crew->inboxes; i++) textFree(&crew->inbox[i]);
    free(crew->inbox);
    free(crew->job);
    free(crew->peer);
    free(crew->given);
}

static int countProcessors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void crewLead(const Study *study, Store *store, int ranks, CrewResult *result)
{
    Crew crew = {.study = study, .store = store, .ranks = ranks, .result = result, .signals = -1};
    const double begun = ukSeconds();
    crew.jobs = study->jobs > 0 ? study->jobs : ranks > 1 ? 1 : countProcessors();
    progressBegin();
    if (startCrew(&crew)) {
        for (;;) {
            exchangeMessages(&crew);
            beginCrew(&crew);
            deliverEnded(&crew);
            if (crew.over || (crew.gives == 0 && countRunning(&crew) == 0)) break;
            printCrewProgress(&crew, begun);
            awaitEvent(&crew);
            reapJobs(&crew);
        }
    }
    progressEnd();
    endCrew(&crew);
}

void crewSendStudy(int ranks, const char *text, const char *base)
{
    Text message = {0};
    const char what = MessageStudy;
    textPut(&message, &what, 1);
    rowText(&message, text);
    rowText(&message, base);
    for (int rank = 1; rank < ranks; rank++) mpiSend(rank, message.at, message.size);
    textFree(&message);
}

void crewDismiss(int ranks, bool all)
{
    const char what[2] = {MessageEnd, !all};
    for (int rank = 1; rank < ranks; rank++) mpiSend(rank, what, sizeof what);
}

/* the study as rank 0 sent it; false: there is none, or no message came */
static bool receiveStudy(Study *study)
{
    Text message = {0};
    RowValue text, base;
    char why[300];
    int from;
    size_t at = 1;
    const double begun = ukSeconds();
    while (!mpiReceive(&message, &from) && ukSeconds() - begun < patience) poll(NULL, 0, MessageMilliseconds);
    bool good = message.size > 1 && message.at[0] == MessageStudy && rowNext(&message, &at, &text) &&
                rowNext(&message, &at, &base) && text.bytes && base.bytes;
    good = good && studyRead(study, message.at + (text.bytes - message.at), why, sizeof why);
    if (good) study->base = strdup(base.bytes);
    textFree(&message);
    return good;
}

bool crewFollow(char **program, const char *here, int jobs)
{
    Study study = {0};
    CrewResult result = {0};
    if (!receiveStudy(&study)) return true;
    if (jobs == 0) jobs = study.jobs > 0 ? study.jobs : 1;
    const char want[2] = {MessageWant, (char)jobs};
    study.program = program;
    study.here = strdup(here);
    Crew crew = {.study = &study, .ranks = 2, .jobs = jobs, .result = &result, .signals = -1};
    if (startCrew(&crew) && mpiSend(0, want, sizeof want)) {
        while (!crew.over) {
            exchangeMessages(&crew);
            beginCrew(&crew);
            deliverEnded(&crew);
            awaitEvent(&crew);
            reapJobs(&crew);
        }
    } else {
        messagePrint("%s", result.fault);
    }
    endCrew(&crew);
    studyFree(&study);
    return !result.gone;
}

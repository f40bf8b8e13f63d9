/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bridge/base/forked.h"
#include "bridge/base/log.h"
#include "bridge/base/output.h"
#include "bridge/watch/geom.h"
#include "bridge/world/registry.h"
#include "plugin/formats/recording/objects.h"
#include "plugin/formats/recording/reader.h"
#include "plugin/formats/recording/tape.h"
#include "solvers/base/status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ukRecording *recordings;
static pid_t process; /* that they are of: a child of vfork has its parent's memory */
static struct {
    char path[1000]; /* absolute; "": not wanted, or closed after an error */
    ukRecordOptions options;
    bool at_once;           /* each step is to be in the file before the next begins */
    ukRecording *recording; /* NULL: no step yet */
} environment;

void ukRecorderLock(void)
{
    pthread_mutex_lock(&lock);
}

void ukRecorderUnlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* A forked child must not write to its parent's recordings: it forgets (and leaks) them. */
static void forgetRecordings(void)
{
    pthread_mutex_init(&lock, NULL);
    recordings = environment.recording = NULL;
}

/* Writes all recorded rows to the file before a process forks: the parent may end at once, as a daemon's does. */
static void prepareFork(void)
{
    struct timespec late;
    clock_gettime(CLOCK_REALTIME, &late);
    late.tv_sec += 1; /* the lock may be the forking thread's own */
    if (pthread_mutex_timedlock(&lock, &late) != 0) return;
    for (const ukRecording *r = recordings; r; r = r->next) ukQueueFlush(r->queue);
    pthread_mutex_unlock(&lock);
}

static void watchForks(void)
{
    pthread_atfork(prepareFork, NULL, forgetRecordings);
    ukForkedWatch(forgetRecordings, false);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool absolutePath(char *to, size_t size, const char *path)
{
    char here[512] = "";
    const bool relative = path[0] != '/' && getcwd(here, sizeof here);
    const int n = snprintf(to, size, "%s%s%s", here, relative ? "/" : "", path);
    return n > 0 && (size_t)n < size;
}

static ukRecording *openRecording(const char *path, const ukRecordOptions *options, char *message, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    ukRecording *const r = calloc(1, sizeof *r);
    if (!r || !(r->queue = ukQueueOpen(path, message, size))) {
        if (!r) snprintf(message, size, "no memory");
        free(r);
        return NULL;
    }
    pthread_once(&once, watchForks); /* after the queue's: handlers before a fork are called last first */
    snprintf(r->path, sizeof r->path, "%s", path);
    r->options = *options;
    if (!(r->options.rate > 0)) r->options.rate = 60;
    r->next = recordings;
    recordings = r;
    process = getpid();
    ukObjectsRun(r->queue, &r->options);
    return r;
}

static void closeRecording(ukRecording *r)
{
    for (ukRecording **at = &recordings; *at; at = &(*at)->next)
        if (*at == r) {
            *at = r->next;
            break;
        }
    ukObjectsEnded(r->queue);
    ukQueueClose(r->queue);
    free(r->meshes.hash);
    free(r);
}

/* Opens the recording under the first free one of its names; another process that searches for one as well may be
 * faster. */
static ukRecording *openFree(char *message, size_t size)
{
    char path[1024];
    for (int i = 1; i < 100000 && ukReaderNumbered(environment.path, i, path, sizeof path); i++) {
        if (access(path, F_OK) == 0) continue;
        ukRecording *const r = openRecording(path, &environment.options, message, size);
        if (r || access(path, F_OK) != 0) return r;
    }
    snprintf(message, size, "all names up to %.500s exist", path);
    return NULL;
}

static ukRecording *ofEnvironment(void)
{
    char message[600];
    if (environment.recording || !environment.path[0]) return environment.recording;
    environment.recording = openFree(message, sizeof message);
    if (environment.recording) {
        environment.recording->environment = true;
        return environment.recording;
    }
    environment.path[0] = 0;
    ukLogWarning("no recording: %.400s", message);
    ukOutputFailed();
    ukLogFirstStep();
    return NULL;
}

void ukRecorderOpen(const char *path, const ukRecordOptions *options, bool at_once)
{
    environment.options = *options;
    environment.at_once = at_once;
    environment.path[0] = 0;
    if (path && *path) ukGeomKeep();
    if (!path || !*path || absolutePath(environment.path, sizeof environment.path, path)) return;
    ukLogWarning("the name of the recording is too long: %.80s...", path);
    ukOutputFailed();
    environment.path[0] = 0;
}

void ukRecorderClose(void)
{
    pthread_mutex_lock(&lock);
    environment.path[0] = 0;
    environment.recording = NULL;
    while (recordings) closeRecording(recordings);
    pthread_mutex_unlock(&lock);
    ukLogFirstStep(); /* a recording that ended early is reported, also without another step */
}

/* Whether there is something to write before the process ends, or is replaced: then under the lock, which may be the
 * calling thread's own. */
static bool lockLast(void)
{
    struct timespec late;
    clock_gettime(CLOCK_REALTIME, &late);
    late.tv_sec += 1;
    return recordings && process == getpid() && pthread_mutex_timedlock(&lock, &late) == 0;
}

static const double patience = 5; /* [s] */

void ukRecorderLeave(void)
{
    if (!lockLast()) return;
    for (const ukRecording *r = recordings; r; r = r->next) {
        ukObjectsEnded(r->queue);
        ukQueueEnd(r->queue, patience);
    }
    pthread_mutex_unlock(&lock);
}

void ukRecorderFlush(void)
{
    if (!lockLast()) return;
    for (const ukRecording *r = recordings; r; r = r->next) ukQueueFlushWithin(r->queue, patience);
    pthread_mutex_unlock(&lock);
}

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

/* Whether this process records the world: a forked child's worlds have the records of its parent. */
static bool isOfThisProcess(const ukRecordedWorld *tape)
{
    for (const ukRecording *r = recordings; tape && r; r = r->next)
        if (r == tape->recording) return true;
    return false;
}

static void leaveRecorder(ukWorld *world)
{
    ukRecordedWorld *const tape = world->tape;
    world->tape = NULL;
    world->lent = NULL;
    if (!isOfThisProcess(tape)) return;
    ukRecording *const r = tape->recording;
    ukTapeEnd(tape, NULL);
    if (r->tapes == 0 && !r->environment) closeRecording(r);
}

/* the world's tape; NULL: it is not recorded */
static ukRecordedWorld *tapeOf(ukWorld *world)
{
    if (world->tape && !isOfThisProcess(world->tape)) {
        world->tape = NULL;
        world->lent = NULL;
    }
    if (world->tape || !environment.path[0]) return world->tape;
    ukRecording *const r = ofEnvironment();
    if (r) world->tape = ukTapeBegin(world, r);
    return world->tape;
}

static ukRecording *recordingAt(const char *path)
{
    for (ukRecording *r = recordings; r; r = r->next)
        if (strcmp(r->path, path) == 0) return r;
    return NULL;
}

int ukRecorderBegin(ukWorld *world, const char *path, const ukRecordOptions *options)
{
    char whole[1024], message[600] = "";
    int status = ukOk;
    if (!absolutePath(whole, sizeof whole, path))
        return ukErrorSet(ukErrorArgument, "ukWorldRecord: the name is too long");
    if (!ukSqliteReady()) return ukErrorSet(ukErrorUnsupported, "%s", UKODE_SQLITE_MISSING);
    pthread_mutex_lock(&lock);
    leaveRecorder(world);
    ukRecording *r = recordingAt(whole);
    if (!r && ukReaderIs(whole)) unlink(whole);
    if (!r) r = openRecording(whole, options, message, sizeof message);
    if (!r) {
        status = ukErrorArgument;
        ukErrorSet(status, "ukWorldRecord: %.200s", message);
    } else if (!(world->tape = ukTapeBegin(world, r))) {
        status = ukErrorMemory;
        ukErrorSet(status, "no memory for a recording");
        if (r->tapes == 0 && !r->environment) closeRecording(r);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void ukRecorderEnd(ukWorld *world)
{
    pthread_mutex_lock(&lock);
    leaveRecorder(world);
    pthread_mutex_unlock(&lock);
}

void ukRecorderWorldDestroyed(dWorldID world)
{
    ukWorld *const w = ukRegistryWorld(world);
    if (w && w->tape) ukRecorderEnd(w);
}

/* ---- what they record -------------------------------------------------------------------------------------------- */

bool ukRecorderWants(const ukWorld *world)
{
    return world->tape || environment.path[0];
}

void ukRecorderBefore(ukWorld *world)
{
    if (!ukRecorderWants(world)) return;
    pthread_mutex_lock(&lock);
    ukRecordedWorld *const t = tapeOf(world);
    if (t && ukQueueTakes(t->recording->queue)) ukTapeBefore(t, world);
    pthread_mutex_unlock(&lock);
}

void ukRecorderStep(ukWorld *world, double h, double seconds, bool ours)
{
    if (!ukRecorderWants(world)) return;
    ukRecordedWorld *const t = tapeOf(world);
    if (t && ukQueueTakes(t->recording->queue))
        ukTapeStep(t, world, h, seconds, ours);
    else
        world->lent = NULL; /* its work is not needed any more */
}

void ukRecorderStepped(const ukWorld *world)
{
    ukRecorded recorded;
    if (environment.at_once && ukRecorderOf(world, &recorded) && world->tape->recording->environment)
        ukQueueFlush(recorded.queue);
}

void ukRecorderFailed(ukWorld *world)
{
    if (!ukRecorderWants(world)) return;
    pthread_mutex_lock(&lock);
    ukRecordedWorld *const t = tapeOf(world);
    if (t && ukQueueTakes(t->recording->queue)) ukTapeFailed(t, world);
    pthread_mutex_unlock(&lock);
}

void ukRecorderMark(ukWorld *world, const char *kind, int64_t body, int64_t joint, double value, const char *text)
{
    if (!world->tape) return;
    pthread_mutex_lock(&lock);
    if (isOfThisProcess(world->tape)) ukTapeMark(world->tape, kind, body, joint, value, text);
    pthread_mutex_unlock(&lock);
}

int64_t ukRecorderKey(const ukWorld *world)
{
    return world->tape ? world->tape->world : 0;
}

int64_t ukRecorderMoment(const ukWorld *world, double *time)
{
    *time = world->tape ? world->tape->time : 0;
    return world->tape ? world->tape->number : 0;
}

void ukRecorderNamed(const ukWorld *world, bool joint, int64_t key, const char *name)
{
    if (!world || !world->tape || key == 0) return;
    pthread_mutex_lock(&lock);
    if (isOfThisProcess(world->tape))
        ukQueuePut(world->tape->recording->queue, joint ? ukUpdateJointName : ukUpdateBodyName, name, (long long)key);
    pthread_mutex_unlock(&lock);
}

bool ukRecorderOf(const ukWorld *world, ukRecorded *recorded)
{
    const ukRecordedWorld *const t = world->tape;
    if (!t || !isOfThisProcess(t) || !ukQueueTakes(t->recording->queue)) return false;
    *recorded = (ukRecorded){t->recording->queue, &t->recording->options, t->world, t->step};
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bridge/base/clock.h"
#include "bridge/base/forked.h"
#include "bridge/base/log.h"
#include "bridge/base/output.h"
#include "bridge/world/registry.h"
#include "plugin/formats/recording/sqlite.h"
#include "plugin/formats/recording/writer.h"

/* The ring contains entries one after the other: a head, then rows of one statement. An entry that would cross the end
 * of the ring is placed at its beginning; one that is longer than a quarter of the ring has a block of its own, one at
 * a time. */
enum { RingBytes = 4 << 20, LongBytes = RingBytes / 4, Grain = 16 };
typedef enum Kind { Rows, Block, Skip } Kind;
typedef struct Head {
    uint32_t size; /* of the whole entry, a multiple of Grain */
    uint16_t statement, kind;
    uint64_t bytes;   /* of its rows */
    ukRowsCall *call; /* NULL: rows */
    uint64_t reserved;
} Head;

struct ukQueue {
    unsigned char *ring;
    _Atomic uint64_t head, tail; /* bytes put and taken so far */
    uint64_t put;                /* the producer's: of the entry under way */
    void *block;                 /* of a long entry under way */
    atomic_int blocks;           /* put and not taken yet */
    atomic_bool asleep, failed;  /* the thread waits for a first row; nothing is written any more */
    unsigned generation;         /* of the process that opened it */
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows, and of waiting */
    pthread_cond_t work, room;
    bool hurry, quit; /* write what there is; and end */
    bool opened;      /* the file is, or is not to be */
    uint64_t written; /* of head: is in the file */
    ukWriter writer;  /* the thread's */
    char path[1024];
    char types[ukStatements][64];
};

/* ---- processes --------------------------------------------------------------------------------------------------- */

static atomic_uint generation;

/* SQLite is entered by the writing threads alone, and by each under this lock: while a process forks none is inside, so
 * that no lock of SQLite's own is held for ever in the child. A writer does not begin while one waits to fork. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_int forking;
static atomic_bool unprepared;

static void enterSqlite(void)
{
    while (forking > 0) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    pthread_mutex_lock(&gate);
}

static void leaveSqlite(void)
{
    pthread_mutex_unlock(&gate);
}

/* The registry is locked first: the thread that holds its lock may wait for space in a queue, which only a writer
 * frees. */
static void prepareFork(void)
{
    ukRegistryLock();
    forking++;
    pthread_mutex_lock(&gate);
}

static void forkedInParent(void)
{
    pthread_mutex_unlock(&gate);
    forking--;
    ukRegistryUnlock();
}

static void forkedInChild(void) /* the registry has a handler of its own */
{
    pthread_mutex_unlock(&gate); /* the only thread here has locked it */
    forking = 0;
    generation++;
}

/* Resets the queue in a child that no handler has prepared: a writer may have been inside SQLite, which cannot be
 * called any more. */
static void forkedUnprepared(void)
{
    pthread_mutex_init(&gate, NULL);
    forking = 0;
    generation++;
    unprepared = true;
}

static void watchForks(void)
{
    pthread_atfork(prepareFork, forkedInParent, forkedInChild);
    ukForkedWatch(forkedUnprepared, false);
}

bool ukQueueTakes(const ukQueue *q)
{
    return q && q->generation == generation && !q->failed;
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static const double transaction_seconds = 0.33, wake_seconds = 0.05;

static struct timespec timeAfter(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += (long)(1e9 * seconds);
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* Writes one entry to the file, and frees its space in the ring. */
static bool takeQueue(ukQueue *q)
{
    Head head;
    const uint64_t tail = q->tail;
    unsigned char *rows = q->ring + tail % RingBytes;
    memcpy(&head, rows, offsetof(Head, call)); /* the capacity for skipped ends */
    if (head.kind != Skip) memcpy(&head, rows, sizeof head);
    rows += sizeof head;
    bool good;
    void *block = NULL;
    if (head.kind == Block) memcpy(&block, rows, sizeof block);
    if (block) rows = block;
    if (head.kind == Skip)
        good = true;
    else if (head.call)
        good = head.call(&q->writer, rows, head.bytes);
    else
        good = ukWriterRows(&q->writer, (ukStatement)head.statement, rows, rows + head.bytes);
    free(block);
    if (block) q->blocks--;
    q->tail = tail + head.size;
    return good;
}

/* Writes the entries of the ring until the transaction ends; wakes threads that wait for space in between. */
static bool drainQueue(ukQueue *q, double end)
{
    bool good = true;
    while (good && q->tail != q->head) {
        enterSqlite();
        for (int k = 0; k < 64 && good && q->tail != q->head; k++) good = takeQueue(q);
        leaveSqlite();
        pthread_mutex_lock(&q->lock);
        pthread_cond_broadcast(&q->room);
        pthread_mutex_unlock(&q->lock);
        if (ukSeconds() > end) break;
    }
    return good;
}

static bool commitRows(ukQueue *q)
{
    enterSqlite();
    const bool good = ukWriterCommit(&q->writer);
    leaveSqlite();
    return good;
}

/* Waits, under the lock, for work. After recent rows it waits for a short time only, since more will follow. */
static void awaitWork(ukQueue *q)
{
    pthread_cond_broadcast(&q->room);
    if (q->hurry || q->quit) return;
    if (q->writer.open || q->tail != q->head) {
        const struct timespec until = timeAfter(wake_seconds);
        pthread_cond_timedwait(&q->work, &q->lock, &until);
        return;
    }
    q->asleep = true;
    while (!q->hurry && !q->quit && q->tail == q->head) pthread_cond_wait(&q->work, &q->lock);
    q->asleep = false;
}

/* Writes entries until the queue is closed; false: an error. */
static bool writeUntilEnd(ukQueue *q)
{
    double end = 0;
    for (;;) {
        pthread_mutex_lock(&q->lock);
        awaitWork(q);
        const bool hurry = q->hurry || q->quit;
        pthread_mutex_unlock(&q->lock);
        if (!q->writer.open) end = ukSeconds() + transaction_seconds;
        if (!drainQueue(q, end)) return false;
        if (!hurry && ukSeconds() < end) continue;
        if (!commitRows(q)) return false;
        const uint64_t done = q->tail;
        pthread_mutex_lock(&q->lock);
        q->written = done;
        if (q->tail == q->head) q->hurry = false;
        const bool quit = q->quit && q->tail == q->head;
        pthread_mutex_unlock(&q->lock);
        if (quit) return true;
    }
}

static void *writeAll(void *argument)
{
    ukQueue *const q = argument;
    memset(q->ring, 0, RingBytes); /* its pages are found here, not by the steps */
    enterSqlite();
    bool good = ukWriterOpen(&q->writer, q->path);
    leaveSqlite();
    pthread_mutex_lock(&q->lock);
    q->opened = true;
    q->failed = !good;
    pthread_cond_broadcast(&q->room);
    pthread_mutex_unlock(&q->lock);
    if (!good) return NULL;
    good = writeUntilEnd(q);
    enterSqlite();
    good = good && ukWriterFinish(&q->writer);
    if (!good) {
        ukLogWarning("the recording %s ends here: %s", q->path, q->writer.error);
        ukOutputFailed();
    }
    ukWriterClose(&q->writer);
    leaveSqlite();
    pthread_mutex_lock(&q->lock);
    q->failed = true;
    pthread_cond_broadcast(&q->room);
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* ---- its life ---------------------------------------------------------------------------------------------------- */

/* signals stay with the program's own threads */
static bool startWriter(ukQueue *q)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = pthread_create(&q->thread, NULL, writeAll, q) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

static void releaseQueue(ukQueue *q)
{
    free(q->ring);
    free(q);
}

static ukQueue *newQueue(const char *path)
{
    pthread_condattr_t monotonic;
    ukQueue *const q = calloc(1, sizeof *q);
    if (!q || !(q->ring = malloc(RingBytes))) {
        free(q);
        return NULL;
    }
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->work, &monotonic);
    pthread_cond_init(&q->room, &monotonic);
    pthread_condattr_destroy(&monotonic);
    snprintf(q->path, sizeof q->path, "%s", path);
    for (int k = 0; k < ukStatements; k++) ukSchemaTypes((ukStatement)k, q->types[k], sizeof q->types[k]);
    q->generation = generation;
    return q;
}

ukQueue *ukQueueOpen(const char *path, char *message, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watchForks);
    if (!ukSqliteReady()) {
        snprintf(message, size, "%s", UKODE_SQLITE_MISSING);
        return NULL;
    }
    if (unprepared) {
        snprintf(message, size, "%s: this process was forked without the handlers of pthread_atfork", path);
        return NULL;
    }
    ukQueue *const q = newQueue(path);
    if (!q || !startWriter(q)) {
        snprintf(message, size, "%s: no memory", path);
        if (q) releaseQueue(q);
        return NULL;
    }
    pthread_mutex_lock(&q->lock);
    while (!q->opened) pthread_cond_wait(&q->room, &q->lock);
    pthread_mutex_unlock(&q->lock);
    if (!q->failed) return q;
    pthread_join(q->thread, NULL);
    snprintf(message, size, "%s: %s", path, q->writer.error);
    enterSqlite();
    ukWriterClose(&q->writer);
    leaveSqlite();
    releaseQueue(q);
    return NULL;
}

void ukQueueFlush(ukQueue *q)
{
    if (!ukQueueTakes(q)) return;
    pthread_mutex_lock(&q->lock);
    const uint64_t head = q->head;
    while (!q->failed && q->written < head) {
        q->hurry = true;
        pthread_cond_signal(&q->work);
        pthread_cond_wait(&q->room, &q->lock);
    }
    pthread_mutex_unlock(&q->lock);
}

/* The lock may be the calling thread's own, where a signal's handler ends the process. */
static bool lockWithin(ukQueue *q, double seconds)
{
    struct timespec late;
    clock_gettime(CLOCK_REALTIME, &late);
    late.tv_sec += 1 + (time_t)seconds;
    return ukQueueTakes(q) && pthread_mutex_timedlock(&q->lock, &late) == 0;
}

/* Waits once for the writer, also for a slow one. false, with a warning: it has written nothing for `seconds`. */
static bool waitForWriter(ukQueue *q, double seconds)
{
    const struct timespec late = timeAfter(seconds);
    const uint64_t tail = q->tail, written = q->written;
    pthread_cond_signal(&q->work);
    if (pthread_cond_timedwait(&q->room, &q->lock, &late) == 0 || q->tail != tail || q->written != written || q->failed)
        return true;
    ukLogWarning("the recording %s may lack its last steps: nothing of it was written for %g s", q->path, seconds);
    ukOutputFailed();
    return false;
}

void ukQueueFlushWithin(ukQueue *q, double seconds)
{
    if (!lockWithin(q, seconds)) return;
    const uint64_t head = q->head;
    do q->hurry = true;
    while (!q->failed && q->written < head && waitForWriter(q, seconds));
    pthread_mutex_unlock(&q->lock);
}

void ukQueueEnd(ukQueue *q, double seconds)
{
    if (!lockWithin(q, seconds)) return;
    q->quit = true;
    while (!q->failed && waitForWriter(q, seconds)) {}
    pthread_mutex_unlock(&q->lock);
}

void ukQueueClose(ukQueue *q)
{
    if (!q || q->generation != generation) return; /* the parent's: its thread is not here, its lock may be held */
    pthread_mutex_lock(&q->lock);
    q->quit = true;
    pthread_cond_signal(&q->work);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    for (; q->tail != q->head && q->blocks > 0;) {
        Head head;
        void *block;
        const unsigned char *const at = q->ring + q->tail % RingBytes;
        memcpy(&head, at, offsetof(Head, call));
        if (head.kind == Block) memcpy(&block, at + sizeof head, sizeof block);
        if (head.kind == Block) free(block);
        q->tail += head.size;
    }
    releaseQueue(q);
}

/* ---- rows into the ring ------------------------------------------------------------------------------------------ */

/* Waits until `bytes` fit in the ring; false: they never will. */
static bool waitForRoom(ukQueue *q, uint64_t bytes)
{
    if (q->put + bytes - q->tail <= RingBytes) return true;
    pthread_mutex_lock(&q->lock);
    while (!q->failed && q->put + bytes - q->tail > RingBytes) {
        pthread_cond_signal(&q->work);
        pthread_cond_wait(&q->room, &q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return !q->failed;
}

static bool waitForBlock(ukQueue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->failed && q->blocks > 0) {
        pthread_cond_signal(&q->work);
        pthread_cond_wait(&q->room, &q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return !q->failed;
}

/* The entry's place, of `size` bytes; the ring's end is skipped where it would cross it. */
static unsigned char *queuePlaceOf(ukQueue *q, size_t size)
{
    const size_t left = RingBytes - (size_t)(q->put % RingBytes);
    if (left < size) {
        const Head skip = {.size = (uint32_t)left, .kind = Skip};
        if (!waitForRoom(q, left)) return NULL;
        memcpy(q->ring + q->put % RingBytes, &skip, offsetof(Head, call));
        q->put += left;
    }
    return waitForRoom(q, size) ? q->ring + q->put % RingBytes : NULL;
}

static bool beginQueue(ukRows *rows, ukQueue *q, size_t bytes)
{
    if (!ukQueueTakes(q)) return false;
    q->put = q->head;
    q->block = NULL;
    if (bytes > LongBytes) {
        if (!waitForBlock(q) || !(q->block = malloc(bytes))) return false;
        rows->at = rows->begin = q->block;
        return true;
    }
    unsigned char *const place = queuePlaceOf(q, sizeof(Head) + bytes + Grain);
    if (!place) return false;
    rows->at = rows->begin = place + sizeof(Head);
    return true;
}

bool ukRowsBegin(ukRows *rows, ukQueue *q, ukStatement statement, size_t bytes)
{
    *rows = (ukRows){.queue = q, .statement = statement};
    return beginQueue(rows, q, bytes);
}

bool ukRowsCallBegin(ukRows *rows, ukQueue *q, ukRowsCall *call, size_t bytes)
{
    *rows = (ukRows){.queue = q, .call = call};
    return beginQueue(rows, q, bytes);
}

void ukRowsEnd(ukRows *rows)
{
    ukQueue *const q = rows->queue;
    Head head = {
        .statement = (uint16_t)rows->statement, .bytes = (uint64_t)(rows->at - rows->begin), .call = rows->call};
    unsigned char *place = rows->begin - sizeof head;
    if (q->block) {
        head.kind = Block;
        head.size = sizeof head + Grain;
        place = queuePlaceOf(q, head.size);
        if (!place) {
            free(q->block);
            return;
        }
        memcpy(place + sizeof head, &q->block, sizeof q->block);
        q->blocks++;
    } else {
        head.size = (uint32_t)((sizeof head + head.bytes + Grain - 1) & ~(uint64_t)(Grain - 1));
    }
    memcpy(place, &head, sizeof head);
    q->head = q->put + head.size;
    if (!q->asleep && q->head - q->tail < RingBytes / 2) return;
    pthread_mutex_lock(&q->lock);
    pthread_cond_signal(&q->work);
    pthread_mutex_unlock(&q->lock);
}

/* bytes of a row's values; and the values themselves */
static size_t measureQueue(const char *types, va_list values)
{
    size_t bytes = 0;
    for (; *types; types++) {
        bytes += 8;
        if (*types == 'i') (void)va_arg(values, long long);
        if (*types == 'd') (void)va_arg(values, double);
        if (*types == 't') {
            const char *const text = va_arg(values, const char *);
            bytes += text ? ukRowsBytes(strlen(text)) : 0;
        }
        if (*types == 'b') {
            (void)va_arg(values, const void *);
            bytes += ukRowsBytes(va_arg(values, size_t));
        }
    }
    return bytes;
}

static void writeValues(ukRows *rows, const char *types, va_list values)
{
    for (; *types; types++) {
        if (*types == 'i') ukRowsInt(rows, va_arg(values, long long));
        if (*types == 'd') ukRowsReal(rows, va_arg(values, double));
        if (*types == 't') ukRowsText(rows, va_arg(values, const char *));
        if (*types == 'b') {
            const void *const data = va_arg(values, const void *);
            ukRowsBlob(rows, data, va_arg(values, size_t));
        }
    }
}

bool ukQueuePut(ukQueue *q, ukStatement statement, ...)
{
    ukRows rows;
    va_list values, again;
    if (!ukQueueTakes(q)) return false;
    va_start(values, statement);
    va_copy(again, values);
    const bool taken = ukRowsBegin(&rows, q, statement, measureQueue(q->types[statement], values));
    if (taken) writeValues(&rows, q->types[statement], again);
    if (taken) ukRowsEnd(&rows);
    va_end(again);
    va_end(values);
    return taken;
}

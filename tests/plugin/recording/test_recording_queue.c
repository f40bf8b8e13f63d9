/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/queue.h and reader.h: what is put into a recording is read from it again, to the bit, and is
 * in the file within a second; a process that is killed, a disk that is full and a child that is forked leave a file
 * that opens and a program that goes on. The second is one of the test's own clock, which the queue is linked to. */
#include "plugin/formats/recording/queue.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "plugin/formats/recording/reader.h"
#include "tests/check.h"

static char path[256];

static ukQueue *begin(void)
{
    char message[512];
    unlink(path);
    ukQueue *const q = ukQueueOpen(path, message, sizeof message);
    if (!CHECK(q != NULL)) printf("%s\n", message);
    return q;
}

static double ask(const char *sql)
{
    ukReader r;
    if (!ukReaderOpen(&r, path)) printf("%s\n", r.error);
    sqlite3_stmt *const query = r.file ? ukReaderAsk(&r, sql) : NULL;
    const double x = query && ukReaderNext(&r, query) ? ukReaderReal(query, 0) : (double)NAN;
    ukReaderDone(query);
    ukReaderClose(&r);
    return x;
}

static void putEvent(ukQueue *q, long long k, double value, const char *text)
{
    ukQueuePut(q, ukInsertEvent, k, k, 1ll, 0.5, "warning", ukNullInt, 3ll, value, text);
}

static void valuesAreKept(void)
{
    const double value = 0.1 + 0.2;
    ukQueue *const q = begin();
    putEvent(q, 7, value, "seven");
    putEvent(q, 8, (double)NAN, NULL);
    ukQueueFlush(q);
    CHECK(ask("SELECT count(*) FROM event") == 2);
    CHECK(ask("SELECT value FROM event WHERE event = 7") == value);
    CHECK(ask("SELECT count(*) FROM event WHERE event = 7 AND text = 'seven' AND body IS NULL AND joint = 3") == 1);
    CHECK(ask("SELECT count(*) FROM event WHERE event = 8 AND value IS NULL AND text IS NULL") == 1);
    CHECK(ask("SELECT count(*) FROM unit WHERE table_name = 'joint_step' AND column_name = 'force_ideal_x' "
              "AND unit = 'N'") == 1);
    CHECK(ask("SELECT count(DISTINCT table_name) FROM unit") == ukTables);
    CHECK(ukQueueOpen(path, (char[8]){0}, 8) == NULL); /* it is there */
    ukQueueClose(q);
}

static void putRun(ukQueue *q, const char *ended)
{
    ukQueuePut(q, ukInsertRun, 1LL, "program", "", "/", "2026-01-01", "1", "2", "cc", "here", 60.0, 0LL, 0LL, 0LL,
               ended);
}

static void withoutSteps(const char *ended, const char *why)
{
    ukReader r;
    ukQueue *const q = begin();
    putRun(q, ended);
    ukQueueClose(q);
    CHECK(ukReaderOpen(&r, path) && !ukReaderHasSteps(&r));
    if (!CHECK(strstr(r.error, why) != NULL)) printf("%s\n", r.error);
    ukReaderClose(&r);
}

/* more than the ring holds, in one entry and in many */
static void longRows(void)
{
    enum { Size = 11 << 20 };
    unsigned char *const blob = malloc(Size);
    ukQueue *const q = begin();
    for (int i = 0; blob && i < Size; i++) blob[i] = (unsigned char)(i * 7 % 251);
    for (long long k = 1; k <= 3; k++) ukQueuePut(q, ukInsertInput, k, blob, (size_t)Size);
    for (long long step = 1; step <= 20; step++) {
        ukRows rows;
        if (!CHECK(ukRowsBegin(&rows, q, ukInsertBodyStep, 5000 * 16 * 8))) break;
        for (int body = 1; body <= 5000; body++) {
            ukRowsInt(&rows, step);
            ukRowsInt(&rows, body);
            for (int k = 0; k < 13; k++) ukRowsReal(&rows, body + k);
            ukRowsInt(&rows, 1);
        }
        ukRowsEnd(&rows);
    }
    ukQueueClose(q);
    CHECK(ask("SELECT count(*) FROM body_step WHERE spin_z = body + 12 AND position_x = body") == 100000);
    CHECK(ask("SELECT count(*) FROM input WHERE length(data) = 11534336") == 3);
    ukReader r;
    ukReaderOpen(&r, path);
    sqlite3_stmt *const query = ukReaderAsk(&r, "SELECT data FROM input WHERE step = 3");
    CHECK(ukReaderNext(&r, query) && memcmp(ukReaderBlob(query, 0, Size), blob, Size) == 0);
    ukReaderDone(query);
    ukReaderClose(&r);
    free(blob);
}

enum { Tries = 60000 }; /* pauses of a millisecond, or more: longer than any machine needs */

static void pauseFor(double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(1e9 * seconds)};
    nanosleep(&t, NULL);
}

/* ---- a second ---------------------------------------------------------------------------------------------------- */

static atomic_bool own_clock;
static _Atomic double own_seconds, longest_wait; /* [s] of the clock; that the queue's thread asked for */
static atomic_int waits;

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!own_clock || clock != CLOCK_MONOTONIC) return __real_clock_gettime(clock, t);
    const double now = own_seconds;
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)(1e9 * (now - floor(now)));
    return 0;
}

int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until)
{
    struct timespec soon;
    if (!own_clock) return __real_pthread_cond_timedwait(condition, lock, until);
    longest_wait = fmax(longest_wait, (double)until->tv_sec + 1e-9 * (double)until->tv_nsec - own_seconds);
    waits++;
    __real_clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec += 1000000;
    if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
    return __real_pthread_cond_timedwait(condition, lock, &soon);
}

/* A row that nobody flushes: while the clock stands still it is not in the file, however often the thread looks; when a
 * second is over but for the longest that the thread waits between two looks, it is there after the next of them. */
static void withinASecond(void)
{
    own_seconds = 1000.25;
    own_clock = true;
    if (CHECK(ukSeconds() == own_seconds)) {
        ukQueue *const q = begin();
        putEvent(q, 1, 0, "a row");
        for (int tries = 0; waits < 20 && tries < Tries; tries++) pauseFor(0.001);
        CHECK(ask("SELECT count(*) FROM event") == 0);
        CHECK(longest_wait > 0 && longest_wait < 0.5);
        own_seconds = own_seconds + 1 - longest_wait;
        const int before = waits;
        for (int tries = 0; waits < before + 3 && ask("SELECT count(*) FROM event") == 0 && tries < Tries; tries++)
            pauseFor(0.001);
        CHECK(ask("SELECT count(*) FROM event") == 1);
        ukQueueClose(q);
    }
    own_clock = false;
}

/* ---- killed ------------------------------------------------------------------------------------------------------ */

/* Rows without end; every fiftieth is told; with `flushes`, some time after those up to it were flushed. */
static void writeUntilKilled(int to, bool flushes)
{
    ukQueue *const q = begin();
    long long told = 0;
    for (long long k = 1;; k++) {
        putEvent(q, k, 0, "a row");
        if (k % 50 != 0) continue;
        if (!flushes) told = k;
        if (flushes && k % 5000 == 0) {
            ukQueueFlush(q);
            told = k;
        }
        if (write(to, &told, sizeof told) < 0 && errno != EAGAIN) _exit(1); /* who does not listen holds up nothing */
    }
}

/* the last row in the file, once that is this one or a later */
static double findsUpTo(long long row)
{
    double last = 0;
    for (int tries = 0; last < (double)row && tries < Tries; tries++) {
        pauseFor(0.001);
        last = ask("SELECT ifnull(max(event), 0) FROM event");
    }
    return last;
}

/* The rows that were flushed are in the file; of others, those that were found there before. */
static void killed(long long moment, double later, bool flushes)
{
    int end[2];
    long long told = 0, half = moment / 100 * 50;
    double found = 0;
    if (!CHECK(pipe(end) == 0 && fcntl(end[1], F_SETFL, O_NONBLOCK) == 0)) return;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) writeUntilKilled(end[1], flushes);
    close(end[1]);
    for (long long k = 0; k < moment && read(end[0], &told, sizeof told) == (ssize_t)sizeof told; k += 50)
        if (!flushes && k == half) found = findsUpTo(half);
    pauseFor(later);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(end[0]);
    CHECK(ask("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1);
    const double last = ask("SELECT max(event) FROM event");
    CHECK(found >= (double)half || flushes);
    const double least = flushes ? (double)told : found;
    CHECK(isnan(last) ? least == 0 : last >= least);
    CHECK(isnan(last) || ask("SELECT count(*) = max(event) FROM event") == 1);
}

static void childHasNoPart(void)
{
    ukQueue *const q = begin();
    putEvent(q, 1, 1, "parent");
    const pid_t child = fork();
    if (child == 0) {
        putEvent(q, 2, 2, "child");
        const bool takes = ukQueueTakes(q);
        ukQueueFlush(q);
        ukQueueClose(q);
        _exit(takes);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    putEvent(q, 3, 3, "parent");
    ukQueueClose(q);
    CHECK(ask("SELECT sum(event) FROM event") == 4);
}

/* the file may not grow beyond half a megabyte: the recording ends, and its beginning can be read */
static void fullDisk(void)
{
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {1 << 19, 1 << 19};
        if (!freopen("/dev/null", "w", stderr)) _exit(2);
        ukQueue *const q = begin();
        setrlimit(RLIMIT_FSIZE, &limit);
        long long k = 0;
        while (k < 1000000 && ukQueueTakes(q)) {
            putEvent(q, ++k, 0, "twenty-four characters...");
            if (k % 100000 == 0) ukQueueFlush(q); /* else the fastest end before anything was written */
        }
        ukQueueClose(q);
        _exit(k > 1000 && k < 1000000 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(ask("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1);
    CHECK(ask("SELECT count(*) FROM event") >= 0);
}

int main(void)
{
    snprintf(path, sizeof path, "recording_queue_%d.ukode", (int)getpid());
    if (!CHECK(ukSqliteReady())) return ukTestEnd();
    valuesAreKept();
    withoutSteps(NULL, ": it has no steps: its process was killed");
    withoutSteps("2026-01-02", ": it has no steps");
    longRows();
    childHasNoPart();
    fullDisk();
    withinASecond();
    srand(1);
    for (int i = 0; i < 8; i++) {
        const long long moment = 1 + rand() % 60000;
        killed(i == 0 ? 1 : moment, 0.05 * rand() / RAND_MAX, i % 2);
    }
    unlink(path);
    return ukTestEnd();
}

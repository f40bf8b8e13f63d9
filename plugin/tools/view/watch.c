/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/view/watch.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "plugin/formats/recording/reader.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/page/data.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/view/feed.h"

enum { KnownFindings = 500, SameKind = 5 };
static const double check_interval = 1, check_share = 0.1; /* [s]; part of the time that the checks may take */
static const double model_frames = 600, model_rate = 30;   /* at most; [1/s] */

/* A finding that was printed already. */
typedef struct Known {
    const char *kind;
    int64_t world, body, joint;
} Known;

static struct {
    const char *recording, *copy;
    bool text, ended;
    pthread_t thread;
    pthread_mutex_t lock; /* of `ended` */
    Known known[KnownFindings];
    int count;
    int64_t objects; /* in the model that was put last */
    double due;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the copy ---------------------------------------------------------------------------------------------------- */

static bool copyBytes(const char *from, const char *to)
{
    enum { Piece = 1 << 20 };
    char *const piece = malloc(Piece);
    const int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = piece && in >= 0 && out >= 0;
    for (ssize_t n = 1; good && n > 0;) {
        n = read(in, piece, Piece);
        good = n >= 0 && write(out, piece, (size_t)n) == n;
    }
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    free(piece);
    return good;
}

/* Copies the recording. Opening it rolls back a killed program's journal. Closing it releases all locks of this process
 * on it, so it is closed after the copy. */
static bool copyRecording(void)
{
    sqlite3 *file = NULL;
    if (!ukReaderIs(watch.recording) || !ukSqliteReady()) return false;
    bool good = ukSql.open_v2(watch.recording, &file, ukSqlOpenReadWrite | ukSqlOpenNoMutex, NULL) == ukSqlOk;
    if (good) ukSql.busy_timeout(file, 1000);
    good = good && ukSql.exec(file, "BEGIN; SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) == ukSqlOk &&
           copyBytes(watch.recording, watch.copy);
    if (file) ukSql.exec(file, "ROLLBACK", NULL, NULL, NULL);
    ukSql.close_v2(file);
    return good;
}

/* ---- what is read from it ---------------------------------------------------------------------------------------- */

static void putModel(ukReader *reader)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    if (!file) return;
    const double duration = queryOne(reader, "SELECT max(time) FROM step");
    putc('{', file);
    const bool good = pageDataWrite(file, reader, NULL, fmin(model_rate, model_frames / fmax(duration, 1e-6)));
    putc('}', file);
    if (fclose(file) == 0 && good)
        feedPut(FeedModel, text);
    else
        free(text);
}

static bool isKnown(const Finding *f)
{
    int alike = 0;
    for (int i = 0; i < watch.count; i++) {
        const Known *const k = &watch.known[i];
        if (strcmp(k->kind, f->kind) != 0 || k->world != f->world) continue;
        if ((k->body == f->body && k->joint == f->joint) || ++alike == SameKind) return true;
    }
    return watch.count == KnownFindings;
}

static void printNew(ukReader *reader, const Findings *findings)
{
    for (int i = 0; i < findings->count; i++) {
        const Finding *const f = &findings->list[i];
        if (isKnown(f)) continue;
        watch.known[watch.count++] = (Known){f->kind, f->world, f->body, f->joint};
        const double time =
            f->step ? queryOne(reader, "SELECT time FROM step WHERE step = %lld", (long long)f->step)
                    : queryOne(reader, "SELECT max(time) FROM step WHERE world = %lld", (long long)f->world);
        messagePrint("%.3f s: %s%s%s: %s", time, findingSeverity(f->severity), f->joint ? ", " : "",
                     f->joint ? findingJoint(reader, f->joint) : "", f->what);
    }
}

static void putFindings(ukReader *reader)
{
    Findings findings;
    char *text = NULL, *before = feedCopy(FeedFindings);
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    const bool good = findingsCollect(reader, &findings) && file;
    if (good && watch.text) printNew(reader, &findings);
    if (good) findingsWrite(file, &findings);
    findingsFree(&findings);
    if (file && fclose(file) == 0 && good && (!before || strcmp(before, text) != 0))
        feedPut(FeedFindings, text);
    else
        free(text);
    free(before);
}

static void examineRecording(bool model)
{
    static ukReader reader; /* of one thread */
    if (!copyRecording()) return;
    if (ukReaderOpen(&reader, watch.copy) && ukReaderComplete(&reader) && ukReaderHasSteps(&reader)) {
        const int64_t objects = queryOneInteger(&reader, "SELECT (SELECT count(*) FROM body) + (SELECT count(*) FROM "
                                                         "joint) + (SELECT count(*) FROM shape)");
        if (model || objects != watch.objects) putModel(&reader);
        watch.objects = objects;
        reader.error[0] = 0;
        putFindings(&reader);
    }
    ukReaderClose(&reader);
}

static bool hasEnded(void)
{
    pthread_mutex_lock(&watch.lock);
    const bool ended = watch.ended;
    pthread_mutex_unlock(&watch.lock);
    return ended;
}

static void *watchRecording(void *unused)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    (void)unused;
    for (bool last = false; !last;) {
        last = hasEnded();
        const bool model = feedModelAsked() || last;
        const double start = ukSeconds();
        if (model || start >= watch.due) {
            examineRecording(model);
            watch.due = ukSeconds() + fmax(check_interval, (ukSeconds() - start) / check_share);
        }
        if (!last) nanosleep(&pause, NULL);
    }
    return NULL;
}

bool watchBegin(const char *recording, const char *copy, bool text)
{
    watch.recording = recording;
    watch.copy = copy;
    watch.text = text;
    if (pthread_create(&watch.thread, NULL, watchRecording, NULL) == 0) return true;
    return messageFail(false, "view: a thread cannot be started");
}

void watchEnd(void)
{
    pthread_mutex_lock(&watch.lock);
    watch.ended = true;
    pthread_mutex_unlock(&watch.lock);
    pthread_join(watch.thread, NULL);
    unlink(watch.copy);
}

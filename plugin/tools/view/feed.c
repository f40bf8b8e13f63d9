/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/view/feed.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KeptFrames = 16 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t news;
    char *frame[KeptFrames]; /* number n at n % KeptFrames; base64 */
    uint64_t frames;         /* so far */
    char *text[FeedTexts];
    unsigned version[FeedTexts]; /* 0: none yet */
    bool asked, closed;
} feed = {.lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};

static char *base64(const unsigned char *data, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *const text = malloc(4 * ((size + 2) / 3) + 1), *to = text;
    for (size_t i = 0; text && i < size; i += 3) {
        const unsigned a = data[i], b = i + 1 < size ? data[i + 1] : 0, c = i + 2 < size ? data[i + 2] : 0;
        const unsigned word = a << 16 | b << 8 | c;
        *to++ = digit[word >> 18];
        *to++ = digit[word >> 12 & 63];
        *to++ = i + 1 < size ? digit[word >> 6 & 63] : '=';
        *to++ = i + 2 < size ? digit[word & 63] : '=';
    }
    if (text) *to = 0;
    return text;
}

void feedFrame(const void *frame, size_t size)
{
    char *const text = base64(frame, size);
    if (!text) return;
    pthread_mutex_lock(&feed.lock);
    char **const place = &feed.frame[++feed.frames % KeptFrames];
    free(*place);
    *place = text;
    pthread_cond_broadcast(&feed.news);
    pthread_mutex_unlock(&feed.lock);
}

void feedPut(FeedText which, char *text)
{
    if (!text) return;
    pthread_mutex_lock(&feed.lock);
    free(feed.text[which]);
    feed.text[which] = text;
    feed.version[which]++;
    pthread_cond_broadcast(&feed.news);
    pthread_mutex_unlock(&feed.lock);
}

char *feedCopy(FeedText which)
{
    pthread_mutex_lock(&feed.lock);
    char *const copy = feed.text[which] ? strdup(feed.text[which]) : NULL;
    pthread_mutex_unlock(&feed.lock);
    return copy;
}

static struct timespec inSeconds(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const double end = (double)t.tv_nsec * 1e-9 + seconds;
    t.tv_sec += (time_t)end;
    t.tv_nsec = (long)(1e9 * (end - (double)(time_t)end));
    return t;
}

void feedRenewModel(double seconds)
{
    const struct timespec late = inSeconds(seconds);
    pthread_mutex_lock(&feed.lock);
    const unsigned before = feed.version[FeedModel];
    feed.asked = true;
    while (feed.version[FeedModel] == before && !feed.version[FeedEnd] && !feed.closed)
        if (pthread_cond_timedwait(&feed.news, &feed.lock, &late) != 0) break;
    pthread_mutex_unlock(&feed.lock);
}

bool feedModelAsked(void)
{
    pthread_mutex_lock(&feed.lock);
    const bool asked = feed.asked;
    feed.asked = false;
    pthread_mutex_unlock(&feed.lock);
    return asked;
}

void feedClose(void)
{
    pthread_mutex_lock(&feed.lock);
    feed.closed = true;
    pthread_cond_broadcast(&feed.news);
    pthread_mutex_unlock(&feed.lock);
}

/* the next event that is there already, under the lock; NULL: none, or no memory */
static char *pendingEvent(FeedPlace *place)
{
    char *event = NULL;
    if (place->frame + KeptFrames <= feed.frames) place->frame = feed.frames - 1;
    for (int k = 0; k < FeedTexts; k++) {
        static const char *const name[] = {"model", "findings", "end"};
        if (place->version[k] == feed.version[k] || (k == FeedEnd && place->frame < feed.frames)) continue;
        place->version[k] = feed.version[k];
        if (asprintf(&event, "event: %s\ndata: %u\n\n", name[k], feed.version[k]) < 0) event = NULL;
        return event;
    }
    if (place->frame < feed.frames) {
        const char *const frame = feed.frame[++place->frame % KeptFrames];
        if (asprintf(&event, "event: frame\ndata: %s\n\n", frame) < 0) event = NULL;
    }
    return event;
}

char *feedNext(FeedPlace *place)
{
    const struct timespec late = inSeconds(1);
    char *event = NULL;
    int error = 0;
    pthread_mutex_lock(&feed.lock);
    if (!place->greeted && feed.frames > 0) place->frame = feed.frames - 1; /* from the present one on */
    place->greeted = true;
    while (!feed.closed && !(event = pendingEvent(place)) && error == 0)
        error = pthread_cond_timedwait(&feed.news, &feed.lock, &late);
    const bool closed = feed.closed;
    pthread_mutex_unlock(&feed.lock);
    return event || closed ? event : strdup(":\n\n");
}

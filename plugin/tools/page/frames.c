/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/frames.h"

#include <math.h>
#include <stdlib.h>

#include "bridge/base/grow.h"

/* a body asleep has one row only: where all are, the ledger's go on */
#define POSED                                                                                                          \
    "(EXISTS (SELECT 1 FROM body_step b WHERE b.step = s.step) OR EXISTS (SELECT 1 FROM ledger_step l WHERE l.step = " \
    "s.step))"

/* the shortest time between frames */
static double interval(ukReader *reader, int64_t world, double rate, int most)
{
    const double duration =
        queryOne(reader, "SELECT max(time) - min(time) FROM step WHERE world = %lld", (long long)world);
    return fmax(1 / rate, duration > 0 ? duration / (most - 1) : 0);
}

bool framesRead(ukReader *reader, int64_t world, double rate, int most, Frames *frames)
{
    const double apart = interval(reader, world, rate, most) * (1 - 1e-6);
    const int64_t all = queryOneInteger(reader, "SELECT count(*) FROM step WHERE world = %lld", (long long)world);
    *frames = (Frames){.world = world};
    frames->step = malloc(((size_t)all + 1) * sizeof *frames->step);
    frames->time = malloc(((size_t)all + 1) * sizeof *frames->time);
    if (!frames->step || !frames->time) {
        framesFree(frames);
        return false;
    }
    double due = -INFINITY;
    bool taken = true;
    for (Query q = queryBegin(reader, "SELECT step, time FROM step s WHERE world = %lld AND " POSED " ORDER BY step",
                              (long long)world);
         queryNext(&q);) {
        /* what is not due yet is kept until the next: the last of all stays */
        if (frames->count > 0 && !taken) frames->count--;
        if (frames->count >= all) { /* more than were counted: it is corrupt */
            queryEnd(&q);
            break;
        }
        frames->step[frames->count] = queryInteger(&q, 0);
        frames->time[frames->count] = queryNumber(&q, 1);
        taken = frames->time[frames->count] >= due;
        if (taken) due = fmax(due + apart, frames->time[frames->count] + apart / 2);
        frames->count++;
    }
    return true;
}

void framesFree(Frames *frames)
{
    free(frames->step);
    free(frames->time);
    *frames = (Frames){.step = NULL};
}

/* place of `key` among `count` ascending ones; -1: it is not there */
static int framesPlaceOf(const int64_t *keys, int count, int64_t key)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && keys[low] == key ? low : -1;
}

int framesFind(const Frames *frames, int64_t step)
{
    return framesPlaceOf(frames->step, frames->count, step);
}

static bool readKeys(ukReader *reader, const char *keys, Things *things)
{
    size_t room = 0, ends = 0;
    for (Query q = queryOfWorld(reader, keys, things->world); queryNext(&q);) {
        const size_t more = (size_t)things->count + 1;
        if (!ukArrayReserve(&things->key, sizeof *things->key, more, &room) ||
            !ukArrayReserve(&things->end, sizeof *things->end, more, &ends)) {
            queryEnd(&q);
            return false;
        }
        const bool known = isfinite(queryNumber(&q, 1));
        things->key[things->count] = queryInteger(&q, 0);
        things->end[things->count++] = known ? queryInteger(&q, 1) : -1;
    }
    return true;
}

static bool makeRoom(const Frames *frames, Things *things)
{
    const size_t count = (size_t)things->count, all = (size_t)frames->count * count * (size_t)things->width;
    things->number = malloc((all + 1) * sizeof *things->number);
    things->first = malloc((count + 1) * sizeof *things->first);
    things->last = malloc((count + 1) * sizeof *things->last);
    if (!things->number || !things->first || !things->last) return false;
    for (size_t i = 0; i < all; i++) things->number[i] = NAN;
    for (size_t i = 0; i < count; i++) things->first[i] = frames->count, things->last[i] = -1;
    return true;
}

bool thingsRead(ukReader *reader, const Frames *frames, const char *keys, const char *rows, int width, Things *things)
{
    *things = (Things){.world = frames->world, .width = width};
    if (!readKeys(reader, keys, things) || !makeRoom(frames, things)) {
        thingsFree(things);
        return false;
    }
    for (Query q = queryOfWorld(reader, rows, frames->world); queryNext(&q);) {
        const int64_t step = queryInteger(&q, 0);
        const int frame = framesFind(frames, step);
        const int index = frame < 0 ? -1 : thingsFind(things, queryInteger(&q, 1));
        if (index < 0) continue;
        double *const number = thingsAt(things, frame, index);
        for (int i = 0; i < width; i++) number[i] = queryNumber(&q, 2 + i);
        if (things->first[index] > frame) things->first[index] = frame;
        if (things->last[index] < frame) things->last[index] = frame;
    }
    for (int i = 0; i < things->count; i++) {
        int frame = things->last[i] < 0 || things->end[i] < 0 ? frames->count : things->last[i];
        while (frame + 1 < frames->count && (things->end[i] == 0 || frames->step[frame + 1] < things->end[i])) frame++;
        if (frame < frames->count) things->last[i] = frame;
    }
    return true;
}

int thingsFind(const Things *things, int64_t key)
{
    return framesPlaceOf(things->key, things->count, key);
}

double *thingsAt(const Things *things, int frame, int index)
{
    return things->number + ((size_t)frame * (size_t)things->count + (size_t)index) * (size_t)things->width;
}

void thingsFree(Things *things)
{
    free(things->key);
    free(things->end);
    free(things->number);
    free(things->first);
    free(things->last);
    *things = (Things){.key = NULL};
}

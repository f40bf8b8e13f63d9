/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/frames.h"

#include <math.h>
#include <stdlib.h>

#include "bridge/base/grow.h"

/* A sleeping body has one row only; in steps in which all bodies sleep, the ledger still has rows. */
#define POSED                                                                                                          \
    "(EXISTS (SELECT 1 FROM body_step b WHERE b.step = s.step) OR EXISTS (SELECT 1 FROM ledger_step l WHERE l.step = " \
    "s.step))"

/* the shortest time between frames */
static double frameInterval(ukReader *reader, int64_t world, double rate, int most)
{
    const double duration =
        queryOne(reader, "SELECT max(time) - min(time) FROM step WHERE world = %lld", (long long)world);
    return fmax(1 / rate, duration > 0 ? duration / (most - 1) : 0);
}

bool framesRead(ukReader *reader, int64_t world, double rate, int most, Frames *frames)
{
    const double apart = frameInterval(reader, world, rate, most) * (1 - 1e-6);
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
        /* a step before its due time is overwritten by the next one, so that the last step is always kept */
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

static bool readKeys(ukReader *reader, const char *keys, ObjectTable *table)
{
    size_t capacity = 0, end_capacity = 0;
    for (Query q = queryOfWorld(reader, keys, table->world); queryNext(&q);) {
        const size_t more = (size_t)table->count + 1;
        if (!ukArrayReserve(&table->key, sizeof *table->key, more, &capacity) ||
            !ukArrayReserve(&table->end, sizeof *table->end, more, &end_capacity)) {
            queryEnd(&q);
            return false;
        }
        const bool known = isfinite(queryNumber(&q, 1));
        table->key[table->count] = queryInteger(&q, 0);
        table->end[table->count++] = known ? queryInteger(&q, 1) : -1;
    }
    return true;
}

static bool allocateObjectNumbers(const Frames *frames, ObjectTable *table)
{
    const size_t count = (size_t)table->count, all = (size_t)frames->count * count * (size_t)table->width;
    table->number = malloc((all + 1) * sizeof *table->number);
    table->first = malloc((count + 1) * sizeof *table->first);
    table->last = malloc((count + 1) * sizeof *table->last);
    if (!table->number || !table->first || !table->last) return false;
    for (size_t i = 0; i < all; i++) table->number[i] = NAN;
    for (size_t i = 0; i < count; i++) table->first[i] = frames->count, table->last[i] = -1;
    return true;
}

bool objectTableRead(ukReader *reader, const Frames *frames, const char *keys, const char *rows, int width,
                     ObjectTable *table)
{
    *table = (ObjectTable){.world = frames->world, .width = width};
    if (!readKeys(reader, keys, table) || !allocateObjectNumbers(frames, table)) {
        objectTableFree(table);
        return false;
    }
    for (Query q = queryOfWorld(reader, rows, frames->world); queryNext(&q);) {
        const int64_t step = queryInteger(&q, 0);
        const int frame = framesFind(frames, step);
        const int index = frame < 0 ? -1 : objectTableFind(table, queryInteger(&q, 1));
        if (index < 0) continue;
        double *const number = objectTableAt(table, frame, index);
        for (int i = 0; i < width; i++) number[i] = queryNumber(&q, 2 + i);
        if (table->first[index] > frame) table->first[index] = frame;
        if (table->last[index] < frame) table->last[index] = frame;
    }
    for (int i = 0; i < table->count; i++) {
        int frame = table->last[i] < 0 || table->end[i] < 0 ? frames->count : table->last[i];
        while (frame + 1 < frames->count && (table->end[i] == 0 || frames->step[frame + 1] < table->end[i])) frame++;
        if (frame < frames->count) table->last[i] = frame;
    }
    return true;
}

int objectTableFind(const ObjectTable *table, int64_t key)
{
    return framesPlaceOf(table->key, table->count, key);
}

double *objectTableAt(const ObjectTable *table, int frame, int index)
{
    return table->number + ((size_t)frame * (size_t)table->count + (size_t)index) * (size_t)table->width;
}

void objectTableFree(ObjectTable *table)
{
    free(table->key);
    free(table->end);
    free(table->number);
    free(table->first);
    free(table->last);
    *table = (ObjectTable){.key = NULL};
}

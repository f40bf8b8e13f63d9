/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/export_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"

static bool failMemory(ukReader *reader)
{
    snprintf(reader->error, sizeof reader->error, "no memory for the motion of %.200s", reader->path);
    return false;
}

static bool readMotionsOfBodies(ukReader *reader, Motions *to)
{
    sqlite3_stmt *const query = ukReaderAsk(reader, "SELECT body FROM body ORDER BY body");
    size_t capacity = 0;
    bool good = query != NULL;
    while (good && ukReaderNext(reader, query)) {
        if (!ukArrayReserve(&to->motion, sizeof *to->motion, to->count + 1, &capacity)) {
            good = failMemory(reader);
            break;
        }
        to->motion[to->count++] = (Motion){.body = ukSql.column_int64(query, 0)};
    }
    ukReaderDone(query);
    return good && !reader->error[0];
}

static Motion *findMotion(const Motions *motions, long long body)
{
    size_t low = 0, high = motions->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (motions->motion[middle].body < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low < motions->count && motions->motion[low].body == body ? &motions->motion[low] : NULL;
}

static bool reserveMotionSample(Motion *m)
{
    const size_t count = m->count + 1;
    return ukArrayReserve(&m->time, sizeof *m->time, count, &m->capacity[0]) &&
           ukArrayReserve(&m->position, sizeof *m->position, 3 * count, &m->capacity[1]) &&
           ukArrayReserve(&m->orientation, sizeof *m->orientation, 4 * count, &m->capacity[2]);
}

/* One more sample, of time, position (3) and orientation (w, x, y, z). A time that is none later is left out. */
static bool addMotionSample(Motion *m, const double *at)
{
    const float time = (float)at[0];
    const double *q = at + 4;
    double size = 0, along = 0;
    if (!(time >= 0) || isinf(time) || (m->count > 0 && !(time > m->time[m->count - 1]))) return true;
    if (!reserveMotionSample(m)) return false;
    float *const to = m->orientation + 4 * m->count;
    for (int k = 0; k < 4; k++) size += q[k] * q[k];
    const bool sound = size > 1e-30 && size < 1e30;
    for (int k = 0; k < 4 && m->count > 0; k++) along += q[(k + 1) % 4] * (double)to[k - 4];
    for (int k = 0; k < 4; k++)
        to[k] = sound ? (float)(q[(k + 1) % 4] / (along < 0 ? -sqrt(size) : sqrt(size))) : (float)(k == 3);
    for (size_t k = 0; k < 3; k++) m->position[3 * m->count + k] = fabs(at[1 + k]) < 1e30 ? (float)at[1 + k] : 0;
    m->time[m->count++] = time;
    return true;
}

/* A disabled body has no samples until the next one: it keeps its pose up to that, and does not glide there. */
static bool repeatLastSample(Motion *m, double until)
{
    const float before = nextafterf((float)until, 0);
    if (m->count == 0 || !(before > m->time[m->count - 1]) || isinf(before)) return true;
    if (!reserveMotionSample(m)) return false;
    const size_t n = m->count++;
    m->time[n] = before;
    memcpy(m->position + 3 * n, m->position + 3 * (n - 1), 3 * sizeof *m->position);
    memcpy(m->orientation + 4 * n, m->orientation + 4 * (n - 1), 4 * sizeof *m->orientation);
    return true;
}

bool motionsRead(ukReader *reader, Motions *to)
{
    if (!readMotionsOfBodies(reader, to)) return false;
    sqlite3_stmt *const query = ukReaderAsk(
        reader, "SELECT body, time, position_x, position_y, position_z, orientation_w, orientation_x, orientation_y, "
                "orientation_z, awake FROM body_step JOIN step USING (step) ORDER BY body_step.step, body");
    bool good = query != NULL;
    while (good && ukReaderNext(reader, query)) {
        Motion *const m = findMotion(to, ukSql.column_int64(query, 0));
        double at[8];
        for (int k = 0; k < 8; k++) at[k] = ukReaderReal(query, 1 + k);
        good = !m || ((!m->asleep || repeatLastSample(m, at[0])) && addMotionSample(m, at)) || failMemory(reader);
        if (m) m->asleep = ukSql.column_int64(query, 9) == 0;
    }
    ukReaderDone(query);
    return good && !reader->error[0];
}

void motionsFree(Motions *motions)
{
    for (size_t k = 0; k < motions->count; k++) {
        free(motions->motion[k].time);
        free(motions->motion[k].position);
        free(motions->motion[k].orientation);
    }
    free(motions->motion);
}

const Motion *motionOf(const Motions *motions, long long body)
{
    return findMotion(motions, body);
}

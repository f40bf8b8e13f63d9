/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/world/registry.h"

int ukReplayWorlds(ukReader *reader, long long *world, int most)
{
    sqlite3_stmt *const query = ukReaderAsk(reader, "SELECT DISTINCT step.world FROM snapshot JOIN step USING (step)"
                                                    " ORDER BY step.world");
    int count = 0;
    while (query && ukReaderNext(reader, query))
        if (count++ < most) world[count - 1] = ukSql.column_int64(query, 0);
    ukReaderDone(query);
    return reader->error[0] ? -1 : count;
}

bool ukReplayBegin(ukReplaySteps *steps, ukReader *reader, long long world)
{
    *steps = (ukReplaySteps){.reader = reader, .world = world};
    steps->query = ukReaderAsk(reader, "SELECT step, number, time, h, ukode, kinetic_energy + potential_energy, hash,"
                                       " snapshot.data, snapshot.format, input.data FROM step"
                                       " LEFT JOIN snapshot USING (step) JOIN input USING (step)"
                                       " WHERE world = ?1 ORDER BY step");
    if (steps->query) ukSql.bind_int64(steps->query, 1, world);
    return steps->query != NULL;
}

static bool refuseRecording(ukReader *reader, const char *what)
{
    if (!reader->error[0]) snprintf(reader->error, sizeof reader->error, "%.150s: %.240s", reader->path, what);
    return false;
}

/* Sets the error: why the step's row in a table cannot be replayed. */
static bool refuseRow(const ukReplaySteps *steps, const char *table, const ukBuild *build)
{
    char text[300];
    const char *const why = ukBuildWhy(build);
    snprintf(text, sizeof text, "table %s, the row of step %lld cannot be read%s%s", table, steps->step,
             *why ? ": " : "", why);
    return refuseRecording(steps->reader, text);
}

bool ukReplayNext(ukReplaySteps *steps)
{
    sqlite3_stmt *const q = steps->query;
    if (!ukReaderNext(steps->reader, q)) return false;
    steps->step = ukSql.column_int64(q, 0);
    steps->number = ukSql.column_int64(q, 1);
    steps->time = ukReaderReal(q, 2);
    steps->h = ukReaderReal(q, 3);
    steps->ukode = ukSql.column_int64(q, 4) != 0;
    steps->energy = ukReaderReal(q, 5);
    const void *hash = ukReaderBlob(q, 6, sizeof steps->hash);
    steps->has_hash = hash != NULL;
    if (hash) memcpy(steps->hash, hash, sizeof steps->hash);
    steps->snapshot = ukSql.column_blob(q, 7);
    steps->snapshot_size = (size_t)ukSql.column_bytes(q, 7);
    const long long format = ukSql.column_int64(q, 8);
    if (steps->snapshot && (format < ukInputsOldest || format > ukInputsFormat))
        return refuseRecording(steps->reader,
                               "its inputs have a format that this version of ukode does not read: replay it "
                               "with the version that recorded it");
    steps->input = ukSql.column_blob(q, 9);
    steps->input_size = (size_t)ukSql.column_bytes(q, 9);
    return true;
}

void ukReplayEnd(ukReplaySteps *steps)
{
    ukReaderDone(steps->query);
    steps->query = NULL;
}

bool ukReplayFeed(const ukReplaySteps *steps, ukBuild *build)
{
    if (steps->snapshot && !ukBuildInput(build, steps->snapshot, steps->snapshot_size))
        return refuseRow(steps, "snapshot", build);
    ukByteReader reader = {.at = steps->input, .end = steps->input + steps->input_size};
    bool good = steps->input != NULL;
    while (good && reader.at < reader.end) {
        const size_t size = (size_t)ukReadNumber(&reader);
        good = !reader.bad && size <= (size_t)(reader.end - reader.at) && ukBuildInput(build, reader.at, size) &&
               ukBuildHasStep(build);
        if (!good) break;
        reader.at += size;
        if (reader.at < reader.end) ukBuildStep(build); /* a recorded step that failed */
    }
    return good || refuseRow(steps, "input", build);
}

bool ukReplaySurfaces(ukReader *reader, long long world, ukBuild *build)
{
    sqlite3_stmt *const query = ukReaderAsk(reader, "SELECT data, surface FROM surface ORDER BY surface");
    char text[80];
    bool good = query != NULL;
    while (good && ukReaderNext(reader, query)) {
        const unsigned char *data = ukSql.column_blob(query, 0);
        ukByteReader bytes = {.at = data, .end = data + ukSql.column_bytes(query, 0)};
        ukSurface surface;
        const bool ours = (long long)ukReadNumber(&bytes) == world;
        const int number = ukReadInt(&bytes, 1 << 20);
        ukReadDoubles(&bytes, &surface.mode, ukSurfaceWords);
        if (!bytes.bad && (!ours || ukBuildSurface(build, number, &surface))) continue;
        snprintf(text, sizeof text, "table surface, row %lld cannot be read", ukSql.column_int64(query, 1));
        good = refuseRecording(reader, text);
    }
    ukReaderDone(query);
    return good && !reader->error[0];
}

int ukReplayDiffers(const ukReplaySteps *steps, dWorldID world, int *field, double *recorded, double *replayed)
{
    sqlite3_stmt *const query =
        ukReaderAsk(steps->reader, "SELECT position_x, position_y, position_z, orientation_w, orientation_x,"
                                   " orientation_y, orientation_z, velocity_x, velocity_y, velocity_z, spin_x, spin_y,"
                                   " spin_z, b.step FROM body LEFT JOIN body_step b ON b.body = body.body AND"
                                   " b.step = ?1 WHERE world = ?2 AND created_step <= ?1 AND"
                                   " ifnull(destroyed_step, ?1 + 1) > ?1 ORDER BY body.body");
    if (!query) return -1;
    ukSql.bind_int64(query, 1, steps->step);
    ukSql.bind_int64(query, 2, steps->world);
    const ukBody *body = ukRegistryWorld(world)->oldest_body;
    int rank = 0, states = 0, found = 0;
    for (; !found && ukReaderNext(steps->reader, query) && body; body = body->newer) {
        double now[ukBodyMoving];
        rank++;
        if (ukSql.column_type(query, 13) == ukSqlNull) continue; /* it slept */
        states++;
        ukBodyFieldsMoving(body, now);
        for (int k = 0; k < 13 && !found; k++) {
            *field = k < 7 ? k : ukBodyVelocity + k - 7;
            *recorded = ukReaderReal(query, k);
            *replayed = now[*field];
            const bool none = isnan(*recorded) && isnan(*replayed); /* NULL is all that is left of a NaN */
            if (*recorded != *replayed && !none) found = rank;
        }
    }
    ukReaderDone(query);
    return states == 0 ? -1 : found;
}

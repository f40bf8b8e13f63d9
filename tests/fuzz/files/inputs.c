/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/inputs.c: the inputs of a recording, replayed: events as a program's calls. */
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/replay/build.h"
#include "plugin/tools/replay/recording.h"
#include "tests/fuzz/files/files.h"

enum { MostSeeds = 8, MostSteps = 4 };
static struct {
    uint8_t *at;
    size_t size;
} snapshot, input[MostSeeds];
static int inputs;

static void keep(sqlite3_stmt *query, int column, uint8_t **at, size_t *size)
{
    *size = (size_t)ukSql.column_bytes(query, column);
    *at = malloc(*size + 1);
    if (!*at) abort();
    if (*size > 0) memcpy(*at, ukSql.column_blob(query, column), *size);
}

static bool begin(void)
{
    ukReader reader;
    if (!ukSqliteReady() || !fuzzRecordTemplate(fuzzPath("inputs.ukode")) ||
        !ukReaderOpen(&reader, fuzzPath("inputs.ukode")))
        return false;
    sqlite3_stmt *query = ukReaderAsk(&reader, "SELECT data FROM snapshot");
    if (ukReaderNext(&reader, query)) keep(query, 0, &snapshot.at, &snapshot.size);
    ukReaderDone(query);
    query = ukReaderAsk(&reader, "SELECT data FROM input ORDER BY step");
    while (inputs < MostSeeds && ukReaderNext(&reader, query)) {
        keep(query, 0, &input[inputs].at, &input[inputs].size);
        inputs++;
    }
    ukReaderDone(query);
    ukReaderClose(&reader);
    return inputs > 0 && snapshot.at;
}

typedef struct Data {
    ukBuild *build;
    const uint8_t *at;
    size_t size;
} Data;

/* as ukReplayFeed has it: the bytes are inputs, each behind its size */
static void replay(void *context)
{
    const Data *const d = context;
    ukByteReader reader = {.at = d->at, .end = d->at + d->size};
    for (int steps = 0; reader.at < reader.end && steps < MostSteps; steps++) {
        const size_t size = (size_t)ukReadNumber(&reader);
        if (reader.bad || size > (size_t)(reader.end - reader.at) || !ukBuildInput(d->build, reader.at, size)) return;
        reader.at += size;
        if (!ukBuildHasStep(d->build)) return;
        ukBuildStep(d->build);
    }
}

static void takeSnapshot(void *context)
{
    const Data *const d = context;
    ukBuildInput(d->build, snapshot.at, snapshot.size);
}

static void end(void *context)
{
    const Data *const d = context;
    ukBuildEnd(d->build);
}

/* the first byte: whether the template's snapshot comes first, or is what is spoilt; steps of ODE's own */
static void one(const uint8_t *data, size_t size)
{
    if (size < 1) return;
    double field[ukWorldFields] = {0};
    const bool native = data[0] & 2;
    const ukSurface surface = {.mode = 0x7000, .mu = 0.5};
    Data d = {ukBuildBegin(native ? (uint64_t)1 << ukWorldEnabled : 0, field), data + 1, size - 1};
    if (!d.build) abort();
    for (int i = 0; i < 4; i++) ukBuildSurface(d.build, i, &surface);
    if (data[0] & 1) fuzzGuarded(takeSnapshot, &d);
    fuzzGuarded(replay, &d);
    fuzzGuarded(end, &d);
}

/* inputs on the snapshot; the snapshot as an input */
static size_t seed(int k, uint8_t *to, size_t room)
{
    size_t at = 1;
    if (k >= 2 * inputs + 1) return 0;
    to[0] = (uint8_t)(k < inputs ? 1 : k < 2 * inputs ? 3 : 0);
    if (k == 2 * inputs) {
        size_t size = snapshot.size;
        if (room < size + 16) return 0;
        for (; size >= 128; size >>= 7) to[at++] = (uint8_t)(size & 127) | 128;
        to[at++] = (uint8_t)size;
        memcpy(to + at, snapshot.at, snapshot.size);
        return at + snapshot.size;
    }
    for (int i = k % inputs; i < inputs && at + input[i].size < room; i++) {
        memcpy(to + at, input[i].at, input[i].size);
        at += input[i].size;
    }
    return at;
}

const FuzzKind fuzzInputs = {"inputs", begin, one, seed, 3000};

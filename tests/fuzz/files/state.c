/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/state.c: saved states, their checksum set right, taken over by the world that they were saved of and
 * stepped on; and files of them. */
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "plugin/formats/snapshot/digest.h"
#include "plugin/formats/snapshot/file.h"
#include "tests/fuzz/files/files.h"

enum { Header = 40, Room = 1 << 16 };
static uint8_t *good;
static size_t good_size;

static bool begin(void)
{
    const dWorldID world = fuzzWorldMake();
    for (int i = 0; i < 5; i++) fuzzWorldStep();
    good_size = ukWorldSave(world, NULL, 0);
    good = malloc(good_size);
    const bool saved = good && good_size > Header && ukWorldSave(world, good, good_size) == good_size;
    fuzzWorldDestroy();
    return saved;
}

static void putWord(uint8_t *to, uint64_t word)
{
    for (int k = 0; k < 8; k++) to[k] = (uint8_t)(word >> 8 * k);
}

static uint64_t wordAt(const uint8_t *at)
{
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= (uint64_t)at[k] << 8 * k;
    return word;
}

/* as plugin/formats/snapshot/keep.c has it */
static void repair(uint8_t *bytes, size_t size)
{
    ukDigest digest = ukDigestBegin();
    memcpy(bytes, good, 16);
    putWord(bytes + 16, size);
    for (size_t at = 0; at < size; at += 8)
        if (at != 24 && at != 32) ukDigestWord(&digest, (int)(at / 8 & 3), wordAt(bytes + at));
    ukDigestEnd(&digest, bytes + 24);
}

typedef struct State {
    dWorldID world;
    uint8_t *bytes;
    size_t size;
} State;

static void take(void *context)
{
    const State *const s = context;
    if (ukWorldRestore(s->world, s->bytes, s->size) == ukOk)
        for (int i = 0; i < 2; i++) fuzzWorldStep();
}

static void one(const uint8_t *data, size_t size)
{
    if (size < 8) return;
    if (data[0] == 255) { /* a file of states */
        fuzzWriteFile(fuzzPath("states"), data + 1, size - 1);
        ukKeepFileRestore(fuzzPath("states"));
        ukKeepFileClose();
        return;
    }
    const size_t words = size / 8;
    State s = {.world = fuzzWorldMake(), .bytes = malloc(Header + 8 * words), .size = Header + 8 * words};
    if (!s.bytes) abort();
    memcpy(s.bytes + Header, data, 8 * words);
    repair(s.bytes, s.size);
    fuzzGuarded(take, &s);
    free(s.bytes);
    fuzzWorldDestroy();
}

static size_t seed(int k, uint8_t *to, size_t room)
{
    if (k == 0 && room >= good_size - Header) {
        memcpy(to, good + Header, good_size - Header);
        return good_size - Header;
    }
    if (k != 1 || room < good_size + 64) return 0;
    to[0] = 255;
    memcpy(to + 1, "ukodsave", 8);
    putWord(to + 9, 1);
    putWord(to + 17, 1);
    putWord(to + 25, 1);
    putWord(to + 33, good_size);
    memcpy(to + 41, good, good_size);
    return 41 + good_size;
}

const FuzzKind fuzzState = {"state", begin, one, seed, 1500};

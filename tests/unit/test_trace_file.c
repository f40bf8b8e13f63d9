/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace is read as it was written; whatever else is in the file is named, and what comes before it is there. Random
 * damage of every kind neither escapes nor harms the reader. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "plugin/cli/trace_file.h"
#include "tests/check.h"

enum { Steps = 20, Room = 1 << 16 };

static char path[] = "/tmp/ukode-trace-XXXXXX";
static unsigned char good[Room], spoilt[Room + 64];
static size_t good_size;

/* two worlds, one with reactions, in turns */
static void writeTrace(void)
{
    Scene *one = sceneDoor(2), *two = sceneFourBar();
    sceneWatch(two);
    for (int i = 0; i < Steps; i++) CHECK(ukWorldStep(one->world, one->h) && ukWorldStep(two->world, two->h));
    sceneDestroy(one);
    sceneDestroy(two);
}

static void put(const void *data, size_t size)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) exit(2);
    CHECK(fwrite(data, 1, size, file) == size);
    fclose(file);
}

static int records(const TraceFile *f)
{
    int n = 0;
    for (int i = 0; i < f->worlds; i++) n += f->world[i].count;
    return n;
}

/* what the file, being that, is said to be; NULL: whole, as many records */
static void reads(size_t size, const char *damage, int count)
{
    TraceFile f;
    put(spoilt, size);
    CHECK(traceRead(path, &f));
    CHECK(damage ? strstr(f.damage, damage) != NULL : f.damage[0] == 0);
    if (!CHECK(records(&f) == count && f.records == count)) printf("%d records, %s\n", records(&f), f.damage);
    traceFree(&f);
}

static ukTraceHeader *record(int k)
{
    unsigned char *p = spoilt;
    for (; k > 0; k--) p += ((const ukTraceHeader *)(const void *)p)->size;
    return (ukTraceHeader *)(void *)p;
}

static size_t offset(int k)
{
    return (size_t)((unsigned char *)record(k) - spoilt);
}

static void fresh(void)
{
    memcpy(spoilt, good, good_size);
}

static void named(void)
{
    fresh();
    reads(good_size, NULL, 2 * Steps);
    reads(offset(7), NULL, 7); /* whole, as far as it goes: that more was written others must tell */
    reads(offset(7) - 1, "record 7, at byte ", 6);
    reads(offset(7) - 1, "cut short", 6);
    reads(offset(7) + 3, "cut short", 7);
    reads(0, NULL, 0);
    record(3)->kinetic += 1e-9;
    reads(good_size, "checksum", 3);
    fresh();
    record(3)->bodies = 0xffffffff;
    reads(good_size, "checksum", 3);
    fresh();
    record(0)->version++;
    reads(good_size, "another version", 0);
    memcpy(spoilt, "UKT1", 4);
    reads(good_size, "another version", 0);
    memcpy(spoilt, "RTKU", 4);
    reads(good_size, "byte order", 0);
    memcpy(spoilt, "\177ELF", 4);
    reads(good_size, "not a trace", 0);
    fresh();
    const size_t cut = offset(6), end = offset(8); /* whole records are gone */
    memmove(spoilt + cut, spoilt + end, good_size - end);
    reads(good_size - (end - cut), "steps are missing", 6);
}

static uint64_t state = 1;

static size_t pick(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

/* bytes changed, cut out, put in, or the end cut off within a record */
static size_t damage(void)
{
    size_t size = good_size;
    const size_t at = pick(size), n = 1 + pick(60);
    fresh();
    switch (pick(4)) {
    case 0: /* one bit each */
        for (size_t i = 0; i < n; i++) spoilt[pick(size)] ^= (unsigned char)(1u << pick(8));
        break;
    case 1: return at;
    case 2:
        memmove(spoilt + at + n, spoilt + at, size - at);
        for (size_t i = 0; i < n; i++) spoilt[at + i] = (unsigned char)pick(256);
        return size + n;
    default:
        for (size_t i = 0; i < 4 && (at & ~(size_t)7) + i < size; i++)
            spoilt[(at & ~(size_t)7) + i] = (unsigned char)pick(2) * 255;
    }
    return size;
}

static void fuzzed(void)
{
    for (int i = 0; i < 500; i++) {
        TraceFile f;
        const size_t size = damage();
        const bool changed = size != good_size || memcmp(spoilt, good, size) != 0;
        put(spoilt, size);
        CHECK(traceRead(path, &f));
        bool prefix = size <= good_size && memcmp(spoilt, good, size) == 0; /* records that are all there */
        prefix = prefix && f.data && !f.damage[0];
        CHECK(!changed || prefix || size == 0 || f.damage[0]);
        CHECK(changed || !f.damage[0]);
        for (int w = 0; w < f.worlds; w++)
            for (int k = 0; k < f.world[w].count; k++) {
                const ukTraceHeader *r = f.world[w].record[k];
                CHECK(r->checksum == ukTraceChecksum(r, r->size) && r->step == (uint32_t)k + 1);
            }
        traceFree(&f);
    }
}

int main(void)
{
    const int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    dInitODE2(0);
    ukTraceOpen(path, NULL, NULL);
    writeTrace();
    ukTraceClose();
    FILE *written = fopen(path, "r");
    good_size = written ? fread(good, 1, sizeof good, written) : 0;
    if (written) fclose(written);
    if (CHECK(good_size > 0 && good_size < sizeof good)) {
        named();
        fuzzed();
    }
    dCloseODE();
    remove(path);
    return ukTestEnd();
}

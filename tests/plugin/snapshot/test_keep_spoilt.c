/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that are not what ukWorldSave wrote: flipped bits, ends cut off or added, other worlds' states, noise. All
 * are refused, and the world is as it was, to the bit. And words changed with the checksum set right: refused, or taken
 * over without harm.
 * Usage: test_keep_spoilt [COUNT] */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "plugin/formats/snapshot/digest.h"
#include "plugin/formats/snapshot/keep.h"
#include "tests/check.h"
#include "tests/support/keep_scenes.h"

typedef struct Bytes {
    unsigned char *at;
    size_t size;
} Bytes;

static uint64_t state = 88172645463325252u;

static uint64_t number(uint64_t below)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % below;
}

static Bytes save(dWorldID world)
{
    Bytes bytes = {.size = ukWorldSave(world, NULL, 0)};
    bytes.at = malloc(bytes.size);
    CHECK(bytes.at && ukWorldSave(world, bytes.at, bytes.size) == bytes.size);
    return bytes;
}

/* an exact heap block, so that a sanitizer sees what is read beyond it */
static Bytes copyOf(Bytes from, size_t size)
{
    Bytes copy = {.at = malloc(size > 0 ? size : 1), .size = size};
    if (!copy.at) abort();
    for (size_t i = 0; i < size; i++) copy.at[i] = i < from.size ? from.at[i] : (unsigned char)number(256);
    return copy;
}

static Bytes spoil(Bytes good, Bytes foreign)
{
    Bytes bad = {0};
    switch (number(6)) {
    case 0: bad = copyOf(good, number(good.size)); break;
    case 1: bad = copyOf(good, good.size + 1 + number(64)); break;
    case 2: bad = copyOf(foreign, foreign.size); break;
    case 3:
        bad = copyOf(good, good.size);
        for (size_t i = 40 * number(2); i < bad.size; i++) bad.at[i] = (unsigned char)number(256);
        break;
    default:
        bad = copyOf(good, good.size);
        for (uint64_t i = 1 + number(3); i > 0; i--) bad.at[number(bad.size)] ^= (unsigned char)(1u << number(8));
    }
    if (bad.size == good.size && memcmp(bad.at, good.at, good.size) == 0) bad.at[0] ^= 1;
    return bad;
}

static uint64_t wordAt(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= (uint64_t)bytes[k] << 8 * k;
    return word;
}

static void setWord(unsigned char *bytes, uint64_t word)
{
    for (int k = 0; k < 8; k++) bytes[k] = (unsigned char)(word >> 8 * k);
}

/* as plugin/formats/snapshot/keep.c has it */
static void repair(Bytes bytes)
{
    ukDigest digest = ukDigestBegin();
    setWord(bytes.at + 16, bytes.size);
    for (size_t at = 0; at < bytes.size; at += 8)
        if (at != 24 && at != 32) ukDigestWord(&digest, (int)(at / 8 & 3), wordAt(bytes.at + at));
    ukDigestEnd(&digest, bytes.at + 24);
}

static const uint64_t special[] = {0,
                                   1,
                                   2,
                                   7,
                                   255,
                                   UINT64_MAX,
                                   (uint64_t)1 << 63,
                                   0x7ff0000000000000u,
                                   0x7ff8000000000000u,
                                   0x3ff0000000000000u,
                                   0xbff0000000000000u,
                                   1000000};
enum { Specials = sizeof special / sizeof *special };

/* some words with other values, the checksum right */
static Bytes forge(Bytes good)
{
    const Bytes bad = copyOf(good, number(4) > 0 ? good.size : 40 + 8 * number(good.size / 8 - 5));
    const size_t words = bad.size / 8;
    for (uint64_t i = 1 + number(2); words > 5 && i > 0; i--) {
        unsigned char *const at = bad.at + 8 * (5 + number(words - 5));
        setWord(at, number(2) > 0 ? special[number(Specials)] : wordAt(at) ^ (1u << number(20)));
    }
    repair(bad);
    return bad;
}

static void refused(const Kept *k, Bytes good, Bytes foreign)
{
    const Bytes bad = spoil(good, foreign);
    const int status = ukWorldRestore(k->scene->world, bad.at, bad.size);
    CHECK(status == ukErrorArgument || status == ukErrorUnsupported);
    CHECK(status == ukGetLastError() && strncmp(ukGetLastErrorMessage(), "saved state: ", 13) == 0);
    const Bytes now = save(k->scene->world);
    CHECK(now.size == good.size && memcmp(now.at, good.at, good.size) == 0);
    free(bad.at), free(now.at);
}

/* The validator of debug builds notices values in a forged state that ODE's setters do not take: those are meant. */
static void meant(int faults)
{
#ifdef UKODE_VALIDATE
    ukTestFaultsMeant += ukValidateFaults() - faults;
#else
    (void)faults;
#endif
}

static int faultsBefore(void)
{
#ifdef UKODE_VALIDATE
    return ukValidateFaults();
#else
    return 0;
#endif
}

/* Whether all words stand as they were given, but for the places of joints, which are compared alone. */
static bool isTaken(Bytes given, Bytes taken, Bytes good)
{
    const double same_place = 1e-5;
    enum { FeedbackBytes = 12 * 8 };
    if (taken.size == given.size + FeedbackBytes) return true; /* of a dJointFeedback that the state has not */
    for (size_t at = 40; at < given.size && at < taken.size; at += 8) {
        const uint64_t word[] = {wordAt(given.at + at), wordAt(taken.at + at), wordAt(good.at + at)};
        double x, y;
        memcpy(&x, &word[0], sizeof x);
        memcpy(&y, &word[1], sizeof y);
        if (word[0] == word[1] || fabs(x - y) < same_place * (1 + fabs(y))) continue;
        printf("word %zu of %zu: %016llx was given, %016llx is there, before %016llx\n", at / 8, given.size / 8,
               (unsigned long long)word[0], (unsigned long long)word[1], (unsigned long long)word[2]);
        return false;
    }
    return given.size == taken.size;
}

/* taken over as it stands, or refused with the world as it was; then the good one is taken over again */
static bool judge(const Kept *k, Bytes bad, Bytes good)
{
    const int faults = faultsBefore();
    bool fair = true;
    if (ukWorldRestore(k->scene->world, bad.at, bad.size) == ukOk) {
        const Bytes taken = save(k->scene->world);
        fair = CHECK(isTaken(bad, taken, good));
        free(taken.at);
        for (int i = 0; i < 2; i++) ukWorldStep(k->scene->world, k->scene->h);
    } else {
        const Bytes now = save(k->scene->world);
        CHECK(now.size == good.size && memcmp(now.at, good.at, good.size) == 0);
        free(now.at);
    }
    meant(faults);
    CHECK(ukWorldRestore(k->scene->world, good.at, good.size) == ukOk);
    const Bytes back = save(k->scene->world);
    CHECK(back.size == good.size && memcmp(back.at, good.at, good.size) == 0);
    free(back.at);
    return fair;
}

static void harmless(const Kept *k, Bytes good)
{
    const Bytes bad = forge(good);
    judge(k, bad, good);
    free(bad.at);
}

/* forged states are stepped without collisions, whose spaces abort on what is too far away */
static void scene(const char *name, const char *other, int count, bool forged)
{
    Kept *const k = keptMake(name), *const o = keptMake(other);
    for (int i = 0; i < 30; i++) keptStep(k), keptStep(o);
    const Bytes good = save(k->scene->world), foreign = save(o->scene->world);
    for (int i = 0; i < count; i++) {
        if (forged && i % 2)
            harmless(k, good);
        else
            refused(k, good, foreign);
    }
    free(good.at), free(foreign.at);
    keptDestroy(k), keptDestroy(o);
}

/* every word by itself with every other value; every fifth word under a sanitizer */
static void each(const char *name)
{
    Kept *const k = keptMake(name);
    for (int i = 0; i < 30; i++) keptStep(k);
    const Bytes good = save(k->scene->world);
    for (size_t word = 5; word < good.size / 8; word += UKODE_TEST_SHARE)
        for (size_t i = 0; i < Specials; i++) {
            const Bytes bad = copyOf(good, good.size);
            setWord(bad.at + 8 * word, special[i]);
            repair(bad);
            if (!judge(k, bad, good)) printf("%s: word %zu: %016llx\n", name, word, (unsigned long long)special[i]);
            free(bad.at);
        }
    free(good.at);
    keptDestroy(k);
}

static void arguments(void)
{
    Kept *const k = keptMake("chain");
    const dWorldID world = k->scene->world;
    unsigned char hash[16], small[8] = "unchange";
    const size_t size = ukWorldSave(world, NULL, 0);
    CHECK(size > 0 && ukWorldSave(world, small, sizeof small) == size && memcmp(small, "unchange", 8) == 0);
    CHECK(ukWorldSave(NULL, NULL, 0) == 0 && ukGetLastError() == ukErrorHandle);
    CHECK(ukWorldRestore(NULL, small, 8) == ukErrorHandle && ukWorldRestore(world, NULL, 8) == ukErrorArgument);
    CHECK(ukWorldRestore(world, small, sizeof small) == ukErrorArgument && ukWorldRestore(world, small, 0) < 0);
    CHECK(ukWorldHash(NULL, hash) == ukErrorHandle && ukWorldHash(world, NULL) == ukErrorArgument);
    keptDestroy(k);
}

/* A space that the state calls by the name of a body, or by a number, neither of which is the address of a space. */
static void wrongKinds(void)
{
    enum { Header = 40, Kind = 56, OfBody = 1, OfNumber = 6 };
    const uint64_t name[2][2] = {{(uint64_t)OfBody << Kind | 1, 0}, {(uint64_t)OfNumber << Kind, 0x1234}};
    const dWorldID world = dWorldCreate();
    dBodyCreate(world);
    CHECK(ukWorldEnable(world) == 0);
    const Bytes good = save(world);
    for (int k = 0; k < 2; k++) {
        const Bytes bad = copyOf(good, good.size + 3 * 8);
        setWord(bad.at + good.size - 8, 1); /* spaces; there were none */
        for (int i = 0; i < 2; i++) setWord(bad.at + good.size + 8 * i, name[k][i]);
        setWord(bad.at + good.size + 16, 0); /* geoms */
        repair(bad);
        CHECK(ukWorldRestore(world, bad.at, bad.size) == ukOk);
        CHECK(ukKeepRestoreNumbered(ukRegistryWorld(world), bad.at, bad.size) == ukOk);
        const Bytes now = save(world);
        CHECK(now.size == good.size && memcmp(now.at, good.at, good.size) == 0);
        free(bad.at), free(now.at);
    }
    free(good.at);
    dWorldDestroy(world);
}

int main(int argc, char **argv)
{
    const int count = (argc > 1 ? atoi(argv[1]) : ukTestRounds(600)) / 6;
    dInitODE2(0);
    dSetMessageHandler(NULL);
    arguments();
    if (argc < 2) each("users"), each("motors");
    scene("chain", "four_bar", count, true);
    scene("motors", "chain", count, true);
    scene("users", "motors", count, true);
    scene("bricard", "four_bar", count, true);
    scene("pile", "car", count, false);
    scene("car", "pile", count, false);
    wrongKinds();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_arena.c: what is measured is what is needed, to the byte; exhaustion, marks, overflow. */
#include "solvers/base/arena.h"
#include "tests/check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void carve(ukArena *arena, void *out[5])
{
    out[0] = ukArenaDoubles(arena, 3);
    out[1] = ukArenaInts(arena, 1);
    out[2] = ukArenaBytes(arena, 0);
    out[3] = ukArenaDoubles(arena, 8);
    out[4] = ukArenaBytes(arena, 5);
}

static void measuredIsNeeded(void)
{
    void *part[5], *block = NULL;
    ukArena measure = ukArenaOver(NULL, 4096);
    carve(&measure, part);
    for (int i = 0; i < 5; i++) CHECK(part[i] == NULL);
    CHECK(measure.used == 64 + 64 + 0 + 64 + 5 && !measure.exhausted);

    CHECK(posix_memalign(&block, 64, measure.used) == 0);
    ukArena arena = ukArenaOver(block, measure.used);
    carve(&arena, part);
    CHECK(!arena.exhausted && arena.used == measure.used);
    for (int i = 0; i < 5; i++) CHECK((uintptr_t)part[i] % 64 == 0);
    CHECK((char *)part[1] - (char *)part[0] == 64 && (char *)part[4] - (char *)block == 192);
    memset(part[4], 1, 5); /* to the last byte: a memory checker sees one more */

    arena = ukArenaOver(block, measure.used - 1);
    carve(&arena, part);
    CHECK(arena.exhausted && part[3] != NULL && part[4] == NULL);
    CHECK(arena.used == measure.used); /* tells what is needed */
    CHECK(ukArenaBytes(&arena, 0) == NULL);
    free(block);
}

static void marks(void)
{
    _Alignas(64) unsigned char memory[256];
    ukArena arena = ukArenaOver(memory, sizeof memory);
    void *first = ukArenaBytes(&arena, 10);
    const size_t mark = ukArenaMark(&arena);
    void *second = ukArenaBytes(&arena, 100);
    CHECK(first == memory && second == memory + 64);
    CHECK(ukArenaBytes(&arena, 100) == NULL && arena.exhausted);
    ukArenaRelease(&arena, mark);
    CHECK(!arena.exhausted && arena.used == 10);
    CHECK(ukArenaBytes(&arena, 192) == second); /* the same memory again, and now all of it */
    CHECK(arena.used == sizeof memory && !arena.exhausted);
}

static void overflow(void)
{
    _Alignas(64) unsigned char memory[256];
    for (int measuring = 0; measuring < 2; measuring++) {
        ukArena arena = ukArenaOver(measuring ? NULL : memory, sizeof memory);
        ukArenaBytes(&arena, 10);
        CHECK(ukArenaDoubles(&arena, SIZE_MAX / 4) == NULL);
        CHECK(arena.used == SIZE_MAX && arena.exhausted == !measuring); /* a size that no allocation grants */
        CHECK(ukArenaBytes(&arena, 1) == NULL && arena.used == SIZE_MAX);
        ukArenaRelease(&arena, 0);
        CHECK(ukArenaBytes(&arena, SIZE_MAX) == NULL && arena.used == SIZE_MAX);
        ukArenaRelease(&arena, 10);
        CHECK(ukArenaBytes(&arena, SIZE_MAX - 10) == NULL && arena.used == SIZE_MAX);
    }
}

int main(void)
{
    measuredIsNeeded();
    marks();
    overflow();
    return ukTestEnd();
}

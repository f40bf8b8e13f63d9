/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of pointers against a plain list: random insertions, removals and look-ups; keys as an allocator gives
 * them, and keys that all collide. */
#include <stdlib.h>

#include "bridge/base/map.h"
#include "tests/check.h"

enum { KeyCount = 500 };

static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

/* keys stride bytes apart; strides of 2^60 share their home in a small table */
static void againstList(uintptr_t first, uintptr_t stride)
{
    static int value[2][KeyCount];
    void *expected[KeyCount] = {NULL};
    size_t count = 0;
    uint64_t random = 88172645463325252u;
    ukMap map = {0};
    for (int step = 0; step < 20000; step++) {
        const size_t k = next(&random) % KeyCount;
        const void *key = (const void *)(first + k * stride);
        if (next(&random) % 5 < 3 - (uint64_t)(step / 5000 % 2)) {
            void *v = &value[next(&random) % 2][k];
            if (!expected[k]) count++;
            expected[k] = v;
            CHECK(ukMapPut(&map, key, v));
        } else {
            if (expected[k]) count--;
            expected[k] = NULL;
            ukMapRemove(&map, key);
        }
        if (map.count != count) CHECK(map.count == count);
        if (step % 50 != 0) continue;
        bool same = true;
        for (size_t i = 0; i < KeyCount; i++)
            same = same && ukMapFind(&map, (const void *)(first + i * stride)) == expected[i];
        CHECK(same);
    }
    CHECK(map.capacity <= 4 * KeyCount);
    free(map.entries);
}

/* one goes as one comes, for long: contact joints */
static void staysSmall(void)
{
    ukMap map = {0};
    int value = 0;
    for (uintptr_t i = 1; i < 100000; i++) {
        CHECK(ukMapPut(&map, (const void *)(i * 1616), &value));
        if (i > 20) ukMapRemove(&map, (const void *)((i - 20) * 1616));
    }
    CHECK(map.count == 20);
    CHECK(map.capacity == 64);
    free(map.entries);
}

int main(void)
{
    const ukMap empty = {0};
    CHECK(!ukMapFind(&empty, &empty));
    againstList(0x55550000u, 16);
    againstList(0x55550000u, 1392);
    againstList(0x10, (uintptr_t)1 << 55);
    staysSmall();
    return ukTestEnd();
}

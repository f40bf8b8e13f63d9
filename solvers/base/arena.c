/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { alignment = 64 };

ukArena ukArenaOver(void *base, size_t size)
{
    return (ukArena){.base = base, .size = base ? size : 0};
}

void *ukArenaBytes(ukArena *arena, size_t bytes)
{
    const size_t padding = (alignment - arena->used % alignment) % alignment;
    const size_t left = SIZE_MAX - arena->used;
    const bool overflows = padding > left || bytes > left - padding;
    const size_t from = overflows ? SIZE_MAX : arena->used + padding;
    arena->used = overflows ? SIZE_MAX : from + bytes; /* a size that no memory has */
    if (!arena->base) return NULL;
    if (arena->used > arena->size || overflows) arena->exhausted = true;
    return arena->exhausted ? NULL : arena->base + from;
}

static void *array(ukArena *arena, size_t count, size_t size)
{
    return ukArenaBytes(arena, count > SIZE_MAX / size ? SIZE_MAX : count * size);
}

double *ukArenaDoubles(ukArena *arena, size_t count)
{
    return array(arena, count, sizeof(double));
}

void ukArenaDoublesEach(ukArena *arena, size_t count, double **const *array)
{
    for (; *array; array++) **array = ukArenaDoubles(arena, count);
}

int *ukArenaInts(ukArena *arena, size_t count)
{
    return array(arena, count, sizeof(int));
}

size_t ukArenaMark(const ukArena *arena)
{
    return arena->used;
}

void ukArenaRelease(ukArena *arena, size_t mark)
{
    arena->used = mark;
    arena->exhausted = false;
}

void *ukArenaAllocate(ukArena *arena)
{
    const size_t size = arena->used > SIZE_MAX - 2 * alignment ? 0 : (arena->used / alignment + 1) * alignment;
    void *const memory = size > 0 ? aligned_alloc(alignment, size) : NULL;
    if (memory) memset(memory, 0, size);
    *arena = ukArenaOver(memory, size);
    return memory;
}

bool ukGrow(void *where, size_t *capacity, size_t bytes)
{
    void **array = where;
    if (bytes <= *capacity) return true;
    free(*array);
    *array = malloc(bytes);
    *capacity = *array ? bytes : 0;
    return *array != NULL;
}

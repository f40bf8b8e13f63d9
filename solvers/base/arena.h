/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/base/arena.h: bump allocator. One arena is sized when the topology changes; a steady-state step only bumps.
 * A function named carve... takes the arrays of a structure from an arena, and so both measures and allocates: run on
 * an arena without memory (base NULL), it leaves the size that it needs in `used`. */
#ifndef UKODE_SOLVERS_BASE_ARENA_H
#define UKODE_SOLVERS_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ukArena {
    unsigned char *base; /* NULL: measuring */
    size_t size, used;   /* [bytes]; used grows past size when exhausted, so that it is the size that is needed */
    bool exhausted;
} ukArena;

/* An arena over `size` bytes at `base` (aligned to 64; the caller's). base NULL measures: nothing is handed out but
 * NULL, and `exhausted` stays false. */
ukArena ukArenaOver(void *base, size_t size);
/* 64-byte aligned, uninitialised; NULL when measuring or exhausted. */
void *ukArenaBytes(ukArena *arena, size_t bytes);
double *ukArenaDoubles(ukArena *arena, size_t count);
/* UKODE_DOUBLES(arena, count, &a, &b, ...): ukArenaDoubles for each of these arrays, in this order. */
#define UKODE_DOUBLES(arena, count, ...) ukArenaDoublesEach(arena, count, (double **const[]){__VA_ARGS__, NULL})
void ukArenaDoublesEach(ukArena *arena, size_t count, double **const *array);
int *ukArenaInts(ukArena *arena, size_t count);
size_t ukArenaMark(const ukArena *arena);
void ukArenaRelease(ukArena *arena, size_t mark); /* also clears `exhausted` */
/* After measuring: allocates a zeroed block of the measured size, and sets the arena over it. The caller frees it;
 * NULL: no memory. */
void *ukArenaAllocate(ukArena *arena);

/* Replaces *where, an array of *capacity bytes from malloc, by a new one of `bytes` if it is smaller; its contents are
 * lost. False: no memory, *where is NULL and *capacity 0. */
bool ukGrow(void *where, size_t *capacity, size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/page/frames.h: the steps of a world that a page shows (its frames), and tables of a recording as arrays
 * over them. */
#ifndef UKODE_PLUGIN_TOOLS_PAGE_FRAMES_H
#define UKODE_PLUGIN_TOOLS_PAGE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/tools/query/query.h"

/* One world's frames, in order. */
typedef struct Frames {
    int64_t world;
    int count;
    int64_t *step; /* (count) keys, ascending */
    double *time;  /* (count) [s] */
} Frames;

/* The steps of `world` that have poses: at most `rate` a second, and at most `most` of them, evenly; the first and the
 * last are among them. false: no memory. No steps: count 0. */
bool framesRead(ukReader *reader, int64_t world, double rate, int most, Frames *frames);
void framesFree(Frames *frames);
/* Index of a step's frame; -1: it has none. */
int framesFind(const Frames *frames, int64_t step);

/* The objects of a world that have rows in a table of steps, at most one per frame: bodies, joints. */
typedef struct ObjectTable {
    int64_t world;
    int count;
    int64_t *key;      /* (count) ascending */
    int64_t *end;      /* (count) key of the first step without it; 0: there to the end; -1: until its last row */
    int width;         /* numbers a frame */
    double *number;    /* (frames, count, width); NaN: no row, or NULL */
    int *first, *last; /* (count) frames of the first and last row; last < first: none */
} ObjectTable;

/* `keys`: SQL, of ?1, the world, for the keys, ascending, and `end` (NULL: until its last row). `rows`: SQL for step,
 * key and `width` numbers. false: no memory. */
bool objectTableRead(ukReader *reader, const Frames *frames, const char *keys, const char *rows, int width,
                     ObjectTable *table);
/* Index of a key; -1: not among them. */
int objectTableFind(const ObjectTable *table, int64_t key);
/* The numbers of a thing at a frame. */
double *objectTableAt(const ObjectTable *table, int frame, int index);
void objectTableFree(ObjectTable *table);

#endif

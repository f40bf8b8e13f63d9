/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/compare/comparison.h: two recorded runs compared: where they diverge, and tables of the differences. */
#ifndef UKODE_PLUGIN_TOOLS_COMPARE_COMPARISON_H
#define UKODE_PLUGIN_TOOLS_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/tools/query/partition.h"

/* A run: the recordings of its processes, in the order of their first steps. */
typedef struct Recorded {
    const char *name;  /* heads its column */
    const char *where; /* "natively", "in a.ukode" */
    int files, worlds; /* worlds of all files */
    ukReader **file;   /* (files) */
    struct RecordedWorld {
        int file;
        int64_t world; /* key */
    } * world;         /* (worlds) */
    size_t file_capacity, world_capacity;
    double steps; /* of all worlds */
    Partition partition;
    int selected; /* file of the partition; -1: none */
} Recorded;

/* The recordings `path` and, with `numbered`, those of further processes. One that is not there at all has no worlds.
 * false after a message. */
bool recordedOpen(Recorded *run, const char *path, bool numbered);
/* The reader of the i-th world, whose rows alone its queries find from now on; NULL: its error says why. */
ukReader *recordedSelect(Recorded *run, int i);
/* Closes them; false after a message if something in them could not be read. */
bool recordedClose(Recorded *run);

/* Prints the comparison of world after world; csv: NULL, or where the differences of each step go. `parting`: where the
 * first world parts. */
void comparisonPrint(Recorded *x, Recorded *y, FILE *csv, char *parting, size_t size);

#endif

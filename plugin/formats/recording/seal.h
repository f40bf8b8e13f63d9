/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/seal.h: hashes that detect any changed bit of a recording. Each step has a hash, chained to
 * the step before it, of all rows of all tables that carry its key; each table has a hash of its columns; a table
 * without such a key has one of its rows as well. The tables `seal` and `seal_table` contain them; docs/certificates.md
 * says what is hashed, byte by byte. The last hash identifies the whole recording up to there.
 *
 * Rows are read back from the file, so that what is hashed is what any reader sees. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_SEAL_H
#define UKODE_PLUGIN_FORMATS_RECORDING_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/formats/recording/blake2b.h"
#include "plugin/formats/recording/sqlite.h"

enum { ukSealTables = 48, ukSealName = 64 };

/* All tables of a file except the seals, sorted by name. Tables with a column `step` are read row by row; a table with
 * a key of its own before its step (event) is read in the order of that key, because a step that fails can add a row to
 * a world whose last step was sealed long before. */
typedef struct ukSealWalk {
    sqlite3 *file;
    int tables;
    struct {
        char name[ukSealName];
        bool by_step, own; /* own: has a key of its own, its first column */
        sqlite3_stmt *query;
        int column;          /* of the step */
        long long key, step; /* of the next row: its sort key and its step */
    } table[ukSealTables];
    long long event;                 /* last such key in the hashes so far; 0: none */
    unsigned char hash[ukHashBytes]; /* of the last step */
} ukSealWalk;

/* false, here and below: an error of the file (sqlite3_errmsg), or it has more tables than fit. */
bool ukSealBegin(ukSealWalk *walk, sqlite3 *file);
void ukSealEnd(ukSealWalk *walk);
/* Selects the rows of steps in (after, upto], and those with a key of their own above walk->event. */
bool ukSealRange(ukSealWalk *walk, long long after, long long upto);
/* Updates walk->hash with the next step. Its hash covers all rows of steps up to `step`: its own, and earlier ones that
 * belong to no step; for the last step of a complete recording all remaining rows (ukSealRest). Of rows with a key of
 * their own it covers those up to `event`, or, with ukSealRest, those whose step is not later; walk->event becomes the
 * last of these keys. */
bool ukSealStep(ukSealWalk *walk, long long step, long long event);
#define ukSealRest (INT64_MAX - 1)
/* Whether a row with a key of its own is left. */
bool ukSealLeft(const ukSealWalk *walk);
/* Hash of a table's columns; of a table without steps, of its rows as well. */
bool ukSealTable(ukSealWalk *walk, int table, unsigned char hash[ukHashBytes]);

/* Writes the missing seals. The rows of a step are complete as soon as a later step exists, or the recording is
 * `whole`. `described`: rows of tables without steps were added or changed. */
typedef struct ukSealer {
    ukSealWalk walk;
    sqlite3_stmt *steps, *put, *put_table;
    long long last; /* step sealed; 0: none */
    bool open;
} ukSealer;

bool ukSealerRun(ukSealer *sealer, sqlite3 *file, bool whole, bool described);
void ukSealerClose(ukSealer *sealer);

#endif

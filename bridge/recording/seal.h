/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/recording/seal.h: what finds one changed bit in a recording. Each step has a hash, chained to the step before
 * it, of all rows of all tables that carry its key; each table without such a key has one of all its rows. The tables
 * `seal` and `seal_table` hold them; docs/certificates.md says what is hashed, byte by byte. Whoever wrote down the last
 * hash has the whole recording up to there.
 *
 * Rows are read back from the file, so that what is hashed is what any reader sees. */
#ifndef UKODE_BRIDGE_RECORDING_SEAL_H
#define UKODE_BRIDGE_RECORDING_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "bridge/recording/blake2b.h"
#include "bridge/recording/sqlite.h"

enum { ukSealTables = 48, ukSealName = 64 };

/* The tables of a file but the seals' own, by name; of those with a column `step` a walk through their rows. */
typedef struct ukSealWalk {
    sqlite3 *file;
    int tables;
    struct {
        char name[ukSealName];
        bool by_step;
        sqlite3_stmt *query;
        int key;        /* column of the step */
        long long step; /* of the row that comes next; beyond all: none does */
    } table[ukSealTables];
    unsigned char hash[ukHashBytes]; /* of the step that was walked through last */
} ukSealWalk;

/* false, here and below: an error of the file (sqlite3_errmsg), or it has more tables than fit. */
bool ukSealBegin(ukSealWalk *walk, sqlite3 *file);
void ukSealEnd(ukSealWalk *walk);
/* Rows with keys in (after, upto]. */
bool ukSealRange(ukSealWalk *walk, long long after, long long upto);
/* On to walk->hash of `step`, from that of the step before. Keys must ascend; *stray: a row of another step lay before
 * it. */
bool ukSealStep(ukSealWalk *walk, long long step, bool *stray);
/* Of the rows of a table without steps. */
bool ukSealTable(ukSealWalk *walk, int table, unsigned char hash[ukHashBytes]);

/* The writer's part: the seals that are missing. The steps whose rows are all written are those with a later one, or,
 * when the recording is `whole`, all of them. `described`: rows of tables without steps have come or changed. */
typedef struct ukSealer {
    ukSealWalk walk;
    sqlite3_stmt *steps, *put, *put_table;
    long long last; /* step sealed */
    bool open;
} ukSealer;

bool ukSealerRun(ukSealer *sealer, sqlite3 *file, bool whole, bool described);
void ukSealerClose(ukSealer *sealer);

#endif

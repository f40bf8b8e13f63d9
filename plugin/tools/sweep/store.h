/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/store.h: the database of a study: one process writes it, each run in its own transaction, so that
 * it is consistent at any moment and contains each run once. Writes are not synchronised to the disk.
 *
 *      run           one row per run: its parameters, its outcome, its results
 *      file          the stored files of runs: point, repetition, name, content
 *      run_column    role, unit and meaning of each column of run: key, variable, outcome, result
 *      study         the study itself: its text, what it comes to, when it was begun */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_STORE_H
#define UKODE_PLUGIN_TOOLS_SWEEP_STORE_H

#include "plugin/formats/recording/guard.h"
#include "plugin/tools/sweep/study.h"

enum { StoreId = 0x554b4f53 /* PRAGMA application_id: "UKOS" */, StoreVersion = 1 };

typedef struct Store {
    sqlite3 *file;
    ukGuard guard;
    sqlite3_stmt *insert_run, *insert_file;
    int lock; /* held: one sweep at a time */
    int columns;
    long points, repeat, count; /* count: runs of the study that it has */
    unsigned char *done;        /* (points repeat) bits, owned */
    char error[600];
} Store;

/* Opens it, or makes it; what is there must be of the same study, with as many runs or fewer. `derived`: the path is
 * not the user's own but made from the study's, and a symbolic link in its place, which may have come along with the
 * study, is not followed. false: `error` says why. The store must stay where it is until it is closed. */
bool storeOpen(Store *store, const char *path, bool derived, const Study *study, const char *text);
bool storeHas(const Store *store, long point, int repetition);
/* A row and its files (plugin/tools/sweep/row.h); one that is there already is left as it is. */
bool storePut(Store *store, const Text *row);
void storeClose(Store *store);

/* Whether the file at this path begins as such a database does. */
bool storeIs(const char *path);

#endif

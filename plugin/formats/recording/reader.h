/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/reader.h: opens a recording, verifies its structure (guard.h), and queries it by SQL. A
 * recording may come from any source: the types of its values are verified, the values themselves are not, and every
 * fault that SQLite finds is an error. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_READER_H
#define UKODE_PLUGIN_FORMATS_RECORDING_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/formats/recording/guard.h"

enum { ukReaderStatements = 1024 }; /* that are kept prepared */

typedef struct ukReader {
    sqlite3 *file;
    ukGuard guard;
    sqlite3_stmt *kept[ukReaderStatements]; /* by a hash of their text; NULL: none */
    char error[400];                        /* of the first call that failed, the file named; "": none did */
    char path[1024];
} ukReader;

/* The number-th recording of a program whose first is at `path`: run.ukode, run-2.ukode, run-3.ukode ... false: too
 * long. */
bool ukReaderNumbered(const char *path, int number, char *name, size_t size);
/* Whether the file at `path` begins as a recording does: it is one, whatever became of the rest. */
bool ukReaderIs(const char *path);

/* false: `error` says why: it cannot be read, is not a recording or of another version, or its schema, its pages or its
 * values are not what ukode writes. The reader must stay where it is until it is closed. */
bool ukReaderOpen(ukReader *reader, const char *path);
void ukReaderClose(ukReader *reader);
/* Recordings of earlier versions lack tables and columns of today's. From now on queries find these tables without a
 * row, and these columns NULL, whatever main.sqlite_master has. */
bool ukReaderComplete(ukReader *reader);
/* Whether any step is in it; false: `error` says so, or why that cannot be read. */
bool ukReaderHasSteps(ukReader *reader);

/* A query to step through; NULL after an error. Its parameters (?1 ...) are bound by ukSql.bind_*. */
sqlite3_stmt *ukReaderAsk(ukReader *reader, const char *sql);
/* The next row. false: there is none, or an error (`error`). */
bool ukReaderNext(ukReader *reader, sqlite3_stmt *query);
void ukReaderDone(sqlite3_stmt *query);
/* The same for a query that is repeated: its statement is prepared once. All parameters are to be bound; ukReaderReturn
 * takes the place of ukReaderDone. */
sqlite3_stmt *ukReaderBorrow(ukReader *reader, const char *sql);
void ukReaderReturn(ukReader *reader, sqlite3_stmt *query);

/* Column k of the present row, from 0: NaN where it is NULL. */
double ukReaderReal(sqlite3_stmt *query, int k);
/* The blob of column k if it is `size` bytes long, else NULL. Valid until the next row. */
const void *ukReaderBlob(sqlite3_stmt *query, int k, size_t size);

#endif

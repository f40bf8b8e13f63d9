/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/plain.h"

/* Operations of SQLite's machine that take as long as to prepare a statement, and to use it once more: the machine
 * counts its own alone. */
enum { Prepare = 5000, Use = 200 };

static bool refuseReader(ukReader *r, const char *why)
{
    if (r->error[0]) return false;
    snprintf(r->error, sizeof r->error, "%.200s: %.190s", r->path, why);
    ukPlainMake(r->error, sizeof r->error);
    return false;
}

static bool readerFailed(ukReader *r)
{
    return refuseReader(r, ukGuardFault(&r->guard));
}

static long long readPragma(ukReader *r, const char *name)
{
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA %s", name);
    sqlite3_stmt *const query = ukReaderAsk(r, sql);
    const long long value = query && ukReaderNext(r, query) ? ukSql.column_int64(query, 0) : -1;
    ukReaderDone(query);
    return value;
}

bool ukReaderNumbered(const char *path, int number, char *name, size_t size)
{
    const char *const slash = strrchr(path, '/'), *const dot = strrchr(path, '.');
    const char *const file = slash ? slash + 1 : path, *const ending = dot && dot > file ? dot : path + strlen(path);
    const int n = number == 1 ? snprintf(name, size, "%s", path)
                              : snprintf(name, size, "%.*s-%d%s", (int)(ending - path), path, number, ending);
    return n > 0 && (size_t)n < size;
}

bool ukReaderIs(const char *path)
{
    return ukGuardIsDatabase(path, "UKOD");
}

bool ukReaderOpen(ukReader *r, const char *path)
{
    *r = (ukReader){0};
    snprintf(r->path, sizeof r->path, "%s", path);
    if (!ukSqliteReady()) return refuseReader(r, UKODE_SQLITE_MISSING);
    bool good = ukGuardOpen(&r->guard, path) || refuseReader(r, r->guard.error);
    r->file = r->guard.file;
    if (good && readPragma(r, "application_id") != ukRecordingId)
        good = refuseReader(r, "this is not a recording of ukode");
    if (good && readPragma(r, "user_version") != ukRecordingVersion)
        good = refuseReader(r, "it was recorded by another version of ukode");
    if (good) good = ukGuardVerify(&r->guard, ukSchema, ukTables) || refuseReader(r, r->guard.error);
    if (!good) ukReaderClose(r);
    return good;
}

void ukReaderClose(ukReader *r)
{
    for (int i = 0; i < ukReaderStatements; i++) ukReaderDone(r->kept[i]), r->kept[i] = NULL;
    ukGuardClose(&r->guard);
    r->file = NULL;
}

/* ---- what earlier versions did not write ------------------------------------------------------------------------- */

typedef struct Missing {
    ukReader *reader;
    const char *table;
    char columns[4096]; /* ", NULL AS column" of each */
    size_t used;
    bool all, good; /* all: the table is not there */
} Missing;

static void noteMissing(void *context, const char *name, const ukColumn *column)
{
    Missing *const m = context;
    char sql[256];
    (void)column;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s', 'main') WHERE name = '%s'", m->table, name);
    sqlite3_stmt *const query = ukReaderAsk(m->reader, sql);
    m->good = m->good && query && ukReaderNext(m->reader, query);
    const bool there = m->good && ukSql.column_int64(query, 0) != 0;
    ukReaderDone(query);
    m->all = m->all && !there;
    if (there || !m->good) return;
    const int n = snprintf(m->columns + m->used, sizeof m->columns - m->used, ", NULL AS %s", name);
    m->used += (size_t)n;
    m->good = m->used < sizeof m->columns;
}

bool ukReaderComplete(ukReader *r)
{
    for (size_t t = 0; t < ukTables; t++) {
        Missing m = {.reader = r, .table = ukSchema[t].name, .all = true, .good = true};
        char sql[sizeof m.columns + 128];
        ukSchemaColumns(&ukSchema[t], noteMissing, &m);
        if (!m.good) return refuseReader(r, "a query of its tables failed");
        if (m.used == 0) continue;
        if (m.all)
            snprintf(sql, sizeof sql, "CREATE TEMP VIEW IF NOT EXISTS %s AS SELECT %s WHERE 0", m.table, m.columns + 2);
        else
            snprintf(sql, sizeof sql, "CREATE TEMP VIEW IF NOT EXISTS %s AS SELECT *%s FROM main.%s", m.table,
                     m.columns, m.table);
        if (ukSql.exec(r->file, sql, NULL, NULL, NULL) != ukSqlOk) return readerFailed(r);
    }
    return true;
}

/* The first reason of a step that failed, to `why`; false: none did, or that cannot be read. */
static bool firstFailure(ukReader *r, char *why, size_t size)
{
    sqlite3_stmt *const query =
        ukReaderAsk(r, "SELECT text FROM event WHERE kind IN ('refused', 'conflict') ORDER BY event LIMIT 1");
    const bool found = query && ukReaderNext(r, query);
    const unsigned char *const text = found ? ukSql.column_text(query, 0) : NULL;
    snprintf(why, size, "every step failed, the first: %s", text ? (const char *)text : "");
    ukReaderDone(query);
    r->error[0] = 0;
    return text != NULL;
}

bool ukReaderHasSteps(ukReader *r)
{
    char why[200];
    sqlite3_stmt *const query =
        ukReaderAsk(r, "SELECT EXISTS (SELECT 1 FROM step), EXISTS (SELECT 1 FROM run WHERE ended IS NOT NULL)");
    const bool known = query && ukReaderNext(r, query);
    const bool any = known && ukSql.column_int64(query, 0) != 0, ended = known && ukSql.column_int64(query, 1) != 0;
    ukReaderDone(query);
    if (known && !any && firstFailure(r, why, sizeof why))
        refuseReader(r, why);
    else if (known && !any)
        refuseReader(r, ended ? "it has no steps"
                              : "it has no steps: its process was killed before the first steps were written, which "
                                "happens every third of a second; --at-once writes each step at once");
    return any;
}

sqlite3_stmt *ukReaderAsk(ukReader *r, const char *sql)
{
    sqlite3_stmt *query = NULL;
    if (ukGuardSpend(&r->guard, Prepare) && ukSql.prepare_v2(r->file, sql, -1, &query, NULL) == ukSqlOk) return query;
    readerFailed(r);
    return NULL;
}

bool ukReaderNext(ukReader *r, sqlite3_stmt *query)
{
    const int status = ukSql.step(query);
    if (status == ukSqlRow) return true;
    return status == ukSqlDone ? false : readerFailed(r);
}

void ukReaderDone(sqlite3_stmt *query)
{
    if (query) ukSql.finalize(query);
}

enum { Probes = 4 };

/* The first of its places (FNV-1a, linear probing) that contains a statement of that text; with `empty`, none, or else
 * the last one. NULL: there is none. */
static sqlite3_stmt **readerPlaceOf(ukReader *r, const char *sql, bool empty)
{
    uint32_t hash = 2166136261u;
    for (const char *c = sql; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (uint32_t i = 0; i < Probes; i++) {
        sqlite3_stmt **const place = &r->kept[(hash + i) % ukReaderStatements];
        if (empty ? !*place || i == Probes - 1 : *place && strcmp(ukSql.sql(*place), sql) == 0) return place;
    }
    return NULL;
}

/* A statement that is in use is not in its place, so that a query within a query of the same text has its own. */
sqlite3_stmt *ukReaderBorrow(ukReader *r, const char *sql)
{
    sqlite3_stmt **const place = readerPlaceOf(r, sql, false), *const query = place ? *place : NULL;
    if (!place) return ukReaderAsk(r, sql);
    if (!ukGuardSpend(&r->guard, Use)) {
        readerFailed(r);
        return NULL;
    }
    *place = NULL;
    return query;
}

void ukReaderReturn(ukReader *r, sqlite3_stmt *query)
{
    if (!query) return;
    sqlite3_stmt **const place = readerPlaceOf(r, ukSql.sql(query), true);
    ukSql.reset(query);
    ukReaderDone(*place);
    *place = query;
}

double ukReaderReal(sqlite3_stmt *query, int k)
{
    return ukSql.column_type(query, k) == ukSqlNull ? (double)NAN : ukSql.column_double(query, k);
}

const void *ukReaderBlob(sqlite3_stmt *query, int k, size_t size)
{
    const void *const data = ukSql.column_type(query, k) == ukSqlBlob ? ukSql.column_blob(query, k) : NULL;
    return data && (size_t)ukSql.column_bytes(query, k) == size ? data : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BusyMilliseconds = 10000 }; /* how long another program may read in one go */

static bool writerFailed(ukWriter *w)
{
    if (!w->error[0]) snprintf(w->error, sizeof w->error, "%s", w->file ? ukSql.errmsg(w->file) : "no memory");
    return false;
}

static bool executeSql(ukWriter *w, const char *sql)
{
    return ukSql.exec(w->file, sql, NULL, NULL, NULL) == ukSqlOk || writerFailed(w);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* The descriptor of the file that SQLite has just opened; -1: not found. */
static int descriptorOf(const struct stat *file)
{
    struct stat at;
    for (int d = 0; d < 4096; d++)
        if (fstat(d, &at) == 0 && at.st_dev == file->st_dev && at.st_ino == file->st_ino) return d;
    return -1;
}

/* Creates the file; an existing one is not changed. */
static bool createFile(ukWriter *w, const char *path)
{
    w->descriptor = -1;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    if (file < 0) snprintf(w->error, sizeof w->error, "%s", strerror(errno));
    if (file < 0) return false;
    close(file);
    const int flags = ukSqlOpenReadWrite | ukSqlOpenNoMutex;
    if (ukSql.open_v2(path, &w->file, flags, NULL) != ukSqlOk) return writerFailed(w);
    struct stat made;
    w->descriptor = stat(path, &made) == 0 ? descriptorOf(&made) : -1;
    w->device = made.st_dev;
    w->inode = made.st_ino;
    return true;
}

/* A program may close descriptors that are not its own (close_range, daemons), and open a file of its own under the
 * same number: nothing is written there. The connection, whose end would close that number, is left as it is. */
static bool stillThere(ukWriter *w)
{
    struct stat at;
    if (w->descriptor < 0) return true;
    if (fstat(w->descriptor, &at) == 0 && at.st_dev == w->device && at.st_ino == w->inode) return true;
    snprintf(w->error, sizeof w->error, "the program closed the recording's file descriptor %d", w->descriptor);
    w->abandoned = true;
    return false;
}

typedef struct Unit {
    ukWriter *writer;
    const char *table;
    bool good;
} Unit;

static bool bindText(sqlite3_stmt *s, int k, const char *text)
{
    return (text ? ukSql.bind_text(s, k, text, -1, UKODE_SQL_STATIC) : ukSql.bind_null(s, k)) == ukSqlOk;
}

static void putUnit(void *context, const char *name, const ukColumn *column)
{
    Unit *const u = context;
    sqlite3_stmt *const s = u->writer->statement[ukInsertUnit];
    u->good = u->good && bindText(s, 1, u->table) && bindText(s, 2, name) && bindText(s, 3, column->unit) &&
              bindText(s, 4, column->meaning) && ukSql.step(s) == ukSqlDone;
    ukSql.reset(s);
}

static bool prepareInsert(ukWriter *w, ukStatement statement)
{
    char sql[ukSchemaText];
    ukSchemaTypes(statement, w->types[statement], sizeof w->types[statement]);
    ukSchemaStatement(statement, sql, sizeof sql);
    return ukSql.prepare_v2(w->file, sql, -1, &w->statement[statement], NULL) == ukSqlOk || writerFailed(w);
}

static bool makeTables(ukWriter *w)
{
    char sql[ukSchemaText];
    for (int t = 0; t < ukTables; t++) {
        ukSchemaCreate(&ukSchema[t], sql, sizeof sql);
        if (!executeSql(w, sql)) return false;
    }
    for (int k = 0; k < ukStatements; k++)
        if (!prepareInsert(w, (ukStatement)k)) return false;
    for (int t = 0; t < ukTables; t++) {
        Unit unit = {w, ukSchema[t].name, true};
        ukSchemaColumns(&ukSchema[t], putUnit, &unit);
        if (!unit.good) return writerFailed(w);
    }
    return true;
}

bool ukWriterOpen(ukWriter *w, const char *path)
{
    char sql[160];
    if (!createFile(w, path)) return false;
    ukSql.busy_timeout(w->file, BusyMilliseconds);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", (int)ukRecordingId,
             (int)ukRecordingVersion);
    const bool good = executeSql(w, "PRAGMA page_size = 4096; PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; "
                                    "PRAGMA cache_spill = OFF; PRAGMA temp_store = MEMORY") &&
                      executeSql(w, "BEGIN") && executeSql(w, sql) && makeTables(w) && executeSql(w, "COMMIT");
    if (!good) unlink(path); /* an empty file of this name would not be a recording */
    return good;
}

void ukWriterClose(ukWriter *w)
{
    if (w->abandoned) return;
    ukSealerClose(&w->sealer);
    for (int k = 0; k < ukStatements; k++) ukSql.finalize(w->statement[k]);
    ukSql.close_v2(w->file);
    *w = (ukWriter){0};
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Binds one value, and returns the address of the next one. `bound`: the number that is bound there already, which
 * stays from row to row. */
static const unsigned char *bindNext(sqlite3_stmt *s, int k, char type, const unsigned char *at, ukBound *bound)
{
    long long whole;
    double real;
    memcpy(&whole, at, sizeof whole);
    memcpy(&real, at, sizeof real);
    at += sizeof whole;
    if (type == 'd' || type == 'i') {
        if (bound->set && bound->bits == whole) return at;
        *bound = (ukBound){whole, true};
    }
    if (type == 'd') {
        ukSql.bind_double(s, k, real); /* NaN is NULL to SQLite */
        return at;
    }
    if (type == 'i' && whole != INT64_MIN) {
        ukSql.bind_int64(s, k, whole);
        return at;
    }
    if (type == 'i' || whole < 0) {
        ukSql.bind_null(s, k);
        return at;
    }
    if (type == 't')
        ukSql.bind_text(s, k, (const char *)at, (int)whole, UKODE_SQL_STATIC);
    else
        ukSql.bind_blob(s, k, at, (int)whole, UKODE_SQL_STATIC);
    return at + (((size_t)whole + 7) & ~(size_t)7);
}

/* whether the recording says that it has certificates */
static bool hasCertificates(const ukWriter *w)
{
    sqlite3_stmt *query = NULL;
    const bool good = ukSql.prepare_v2(w->file, "SELECT certificates FROM run", -1, &query, NULL) == ukSqlOk;
    const bool any = good && ukSql.step(query) == ukSqlRow && ukSql.column_int64(query, 0) != 0;
    ukSql.finalize(query);
    return any;
}

bool ukWriterRows(ukWriter *w, ukStatement statement, const unsigned char *row, const unsigned char *end)
{
    sqlite3_stmt *const s = w->statement[statement];
    const char *const types = w->types[statement];
    if (w->error[0] || !stillThere(w)) return false;
    if (!w->open && !executeSql(w, "BEGIN")) return false;
    w->open = true;
    if (statement >= ukTables || !ukSchemaOfSteps(&ukSchema[statement])) w->described = true;
    while (row < end) {
        for (int k = 0; types[k]; k++) row = bindNext(s, k + 1, types[k], row, &w->bound[statement][k]);
        const bool good = ukSql.step(s) == ukSqlDone;
        if (!good) writerFailed(w);
        ukSql.reset(s);
        if (!good) return false;
    }
    if (statement == ukInsertRun) w->sealed = hasCertificates(w);
    return true;
}

static bool sealSteps(ukWriter *w, bool whole)
{
    if (!w->sealed) return true;
    if (!ukSealerRun(&w->sealer, w->file, whole, w->described)) return writerFailed(w);
    w->described = false;
    return true;
}

bool ukWriterCommit(ukWriter *w)
{
    if (w->error[0] || (w->open && !stillThere(w))) return false;
    if (w->open && !(sealSteps(w, false) && executeSql(w, "COMMIT"))) return false;
    w->open = false;
    return true;
}

bool ukWriterFinish(ukWriter *w)
{
    if (w->error[0] || !stillThere(w)) return false;
    return !w->sealed || (executeSql(w, "BEGIN") && sealSteps(w, true) && executeSql(w, "COMMIT"));
}

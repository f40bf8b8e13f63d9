/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/base/plain.h"
#include "plugin/tools/sweep/gather.h"
#include "plugin/tools/sweep/row.h"

enum { BusyMilliseconds = 60000 };

__attribute__((format(printf, 2, 3))) static bool refuseStore(Store *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->error, sizeof s->error, format, arguments);
    va_end(arguments);
    ukPlainMake(s->error, sizeof s->error); /* it may name what another person's database contains */
    return false;
}

static bool storeFailed(Store *s)
{
    return refuseStore(s, "%s", s->file ? ukSql.errmsg(s->file) : "no memory");
}

static bool executeStudySql(Store *s, const char *sql)
{
    return ukSql.exec(s->file, sql, NULL, NULL, NULL) == ukSqlOk || storeFailed(s);
}

static bool prepareStore(Store *s, const char *sql, sqlite3_stmt **statement)
{
    return ukSql.prepare_v2(s->file, sql, -1, statement, NULL) == ukSqlOk || storeFailed(s);
}

/* one statement with texts to bind, NULL at the end of them */
static bool executeWithTexts(Store *s, const char *sql, const char *const *text, int count)
{
    sqlite3_stmt *statement;
    if (!prepareStore(s, sql, &statement)) return false;
    for (int i = 0; i < count; i++) {
        if (text[i])
            ukSql.bind_text(statement, i + 1, text[i], -1, UKODE_SQL_STATIC);
        else
            ukSql.bind_null(statement, i + 1);
    }
    const bool good = ukSql.step(statement) == ukSqlDone || storeFailed(s);
    ukSql.finalize(statement);
    return good;
}

bool storeIs(const char *path)
{
    return ukGuardIsDatabase(path, "UKOS");
}

/* ---- a new one --------------------------------------------------------------------------------------------------- */

static bool insertColumnMeaning(Store *s, const char *name, const char *role, const char *unit, const char *meaning)
{
    return executeWithTexts(s, "INSERT INTO run_column VALUES (?1, ?2, ?3, ?4)",
                            (const char *const[]){name, role, unit, meaning}, 4);
}

static bool describeAll(Store *s, const Study *study)
{
    static const char *const kinds[] = {"variable: list or grid", "variable: low-discrepancy sequence",
                                        "variable: random, uniform", "variable: random, normal"};
    bool good = true;
    for (int i = 0; i < RunColumns && good; i++) {
        const RunColumn *const c = &runColumns[i];
        good = insertColumnMeaning(s, c->name, i < RunKeys ? "key" : "outcome", c->unit, c->meaning);
        if (i != RunKeys - 1) continue;
        for (int k = 0; k < study->variables && good; k++)
            good = insertColumnMeaning(s, study->variable[k].name, "variable", NULL, kinds[study->variable[k].kind]);
    }
    for (int k = 0; k < study->results && good; k++)
        good = insertColumnMeaning(s, study->result[k].name, "result", NULL, study->result[k].text);
    return good;
}

static bool makeRun(Store *s, const Study *study)
{
    Text sql = {0};
    textPrint(&sql, "CREATE TABLE run (");
    for (int i = 0; i < RunColumns; i++) {
        textPrint(&sql, "%s %s, ", runColumns[i].name, runColumns[i].type);
        if (i != RunKeys - 1) continue;
        for (int k = 0; k < study->variables; k++) textPrint(&sql, "\"%s\", ", study->variable[k].name);
    }
    for (int k = 0; k < study->results; k++) textPrint(&sql, "\"%s\", ", study->result[k].name);
    textPrint(&sql, "PRIMARY KEY (point, repetition))");
    const bool good = (!sql.lost || storeFailed(s)) && executeStudySql(s, sql.at);
    textFree(&sql);
    return good;
}

static bool storeNote(Store *s, const char *name, const char *value)
{
    return executeWithTexts(s, "INSERT OR REPLACE INTO study VALUES (?1, ?2)", (const char *const[]){name, value}, 2);
}

static bool storeCreate(Store *s, const Study *study, const char *text, const char *identity)
{
    char sql[160], began[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(began, sizeof began, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(sql, sizeof sql, "BEGIN; PRAGMA application_id = %d; PRAGMA user_version = %d", (int)StoreId,
             (int)StoreVersion);
    return executeStudySql(s, sql) && makeRun(s, study) &&
           executeStudySql(s, "CREATE TABLE file (point INTEGER, repetition INTEGER, name TEXT, content BLOB, "
                              "PRIMARY KEY (point, repetition, name)) WITHOUT ROWID;"
                              "CREATE TABLE run_column (name TEXT PRIMARY KEY, role TEXT, unit TEXT, meaning TEXT);"
                              "CREATE TABLE study (name TEXT PRIMARY KEY, value TEXT)") &&
           describeAll(s, study) && storeNote(s, "text", text) && storeNote(s, "identity", identity) &&
           storeNote(s, "started", began) && storeNote(s, "ukode_version", UKODE_VERSION) &&
           executeStudySql(s, "COMMIT");
}

/* ---- one to go on with ------------------------------------------------------------------------------------------- */

static long askPragma(Store *s, const char *sql)
{
    sqlite3_stmt *query;
    if (!prepareStore(s, sql, &query)) return -1;
    const long value = ukSql.step(query) == ukSqlRow ? (long)ukSql.column_int64(query, 0) : -1;
    ukSql.finalize(query);
    return value;
}

/* the first line in which two texts differ */
static void firstDifference(const char *a, const char *b, char *line, size_t size)
{
    const char *begin = a;
    while (*a && *a == *b) {
        if (*a == '\n') begin = a + 1;
        a++, b++;
    }
    snprintf(line, size, "%.*s", (int)strcspn(begin, "\n"), begin);
}

static bool storeSame(Store *s, const char *path, const char *identity)
{
    sqlite3_stmt *query;
    char line[100], here[100];
    if (!prepareStore(s, "SELECT value FROM study WHERE name = 'identity'", &query)) return false;
    const bool there = ukSql.step(query) == ukSqlRow;
    const char *const had = there ? (const char *)ukSql.column_text(query, 0) : NULL;
    bool good = had && strcmp(had, identity) == 0;
    if (!good) {
        firstDifference(had ? had : "", identity, line, sizeof line);
        firstDifference(identity, had ? had : "", here, sizeof here);
        refuseStore(s, "%.200s is of another study, which has: %s; this one has: %s (use another -o)", path, line,
                    here);
    }
    ukSql.finalize(query);
    return good;
}

static void markDone(Store *s, long point, int repetition)
{
    if (point < 1 || point > s->points || repetition < 1 || repetition > s->repeat || storeHas(s, point, repetition))
        return;
    const long k = (repetition - 1) * s->points + point - 1;
    s->done[k / 8] = (unsigned char)(s->done[k / 8] | 1 << k % 8);
    s->count++;
}

static bool readDone(Store *s)
{
    sqlite3_stmt *query;
    int status;
    if (!prepareStore(s, "SELECT point, repetition FROM run", &query)) return false;
    while ((status = ukSql.step(query)) == ukSqlRow)
        markDone(s, (long)ukSql.column_int64(query, 0), (int)ukSql.column_int64(query, 1));
    ukSql.finalize(query);
    return status == ukSqlDone || storeFailed(s);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool prepareAll(Store *s, const Study *study)
{
    Text sql = {0};
    s->columns = RunColumns + study->variables + study->results;
    textPrint(&sql, "INSERT OR IGNORE INTO run VALUES (?1");
    for (int i = 1; i < s->columns; i++) textPrint(&sql, ", ?%d", i + 1);
    textPrint(&sql, ")");
    const bool good = (!sql.lost || storeFailed(s)) && prepareStore(s, sql.at, &s->insert_run) &&
                      prepareStore(s, "INSERT OR IGNORE INTO file VALUES (?1, ?2, ?3, ?4)", &s->insert_file);
    textFree(&sql);
    return good;
}

/* Locks the file. The descriptor stays open, because closing any descriptor of a file releases SQLite's own locks on
 * it. */
static bool lockFile(Store *s, const char *path, bool derived)
{
    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | (derived ? O_NOFOLLOW : 0), 0666);
    if (s->lock < 0 && derived && errno == ELOOP)
        return refuseStore(s, "%.200s: it is a symbolic link, which is not followed (-o names another)", path);
    if (s->lock < 0) return refuseStore(s, "%.200s: %s", path, strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB) == 0) return true;
    return refuseStore(s, "%.200s is being written by another sweep", path);
}

/* Whether the path is free, a database of a sweep, or the remains of a process that was killed while it created one: an
 * empty file, or a journal that rolls back. */
static bool mayBe(const char *path)
{
    char journal[1100];
    struct stat status;
    snprintf(journal, sizeof journal, "%.1000s-journal", path);
    return stat(path, &status) != 0 || status.st_size == 0 || storeIs(path) || access(journal, F_OK) == 0;
}

bool storeOpen(Store *s, const char *path, bool derived, const Study *study, const char *text)
{
    Text identity = {0};
    *s = (Store){.lock = -1, .points = studyPoints(study), .repeat = study->repeat};
    if (!ukSqliteReady()) return refuseStore(s, "%s", UKODE_SQLITE_MISSING);
    s->done = calloc((size_t)(s->points * s->repeat) / 8 + 1, 1);
    studyIdentity(study, &identity);
    if (!s->done || identity.lost) return refuseStore(s, "no memory");
    bool good =
        mayBe(path) || refuseStore(s, "%.200s exists and is not the database of a sweep: it is not replaced", path);
    good = good && lockFile(s, path, derived);
    good = good && (ukGuardOpen(&s->guard, path) || refuseStore(s, "%.200s: %s", path, s->guard.error));
    s->file = s->guard.file;
    if (good) ukSql.busy_timeout(s->file, BusyMilliseconds);
    good = good && (ukGuardVerify(&s->guard, NULL, 0) || refuseStore(s, "%.200s: %s", path, s->guard.error));
    if (good) ukGuardTrust(&s->guard);
    good = good && executeStudySql(s, "PRAGMA synchronous = OFF");
    const bool fresh = good && askPragma(s, "SELECT count(*) FROM sqlite_master") == 0;
    if (good && !fresh && askPragma(s, "PRAGMA user_version") != StoreVersion)
        good = refuseStore(s, "%.200s is of another version of ukode", path);
    if (good && fresh)
        good = storeCreate(s, study, text, identity.at);
    else
        good = good && storeSame(s, path, identity.at) && readDone(s);
    textFree(&identity);
    return good && prepareAll(s, study);
}

bool storeHas(const Store *s, long point, int repetition)
{
    const long k = (repetition - 1) * s->points + point - 1;
    return s->done[k / 8] >> k % 8 & 1;
}

static void bindValue(sqlite3_stmt *statement, int column, const RowValue *value)
{
    switch (value->type) {
    case RowInteger: ukSql.bind_int64(statement, column, value->integer); break;
    case RowReal: ukSql.bind_double(statement, column, value->real); break;
    case RowText: ukSql.bind_text(statement, column, value->bytes, (int)value->size, UKODE_SQL_STATIC); break;
    case RowBlob: ukSql.bind_blob(statement, column, value->bytes, (int)value->size, UKODE_SQL_STATIC); break;
    case RowNull: ukSql.bind_null(statement, column); break;
    }
}

static bool executeInsert(Store *s, sqlite3_stmt *statement)
{
    const bool good = ukSql.step(statement) == ukSqlDone || storeFailed(s);
    ukSql.reset(statement);
    return good;
}

bool storePut(Store *s, const Text *row)
{
    RowValue key[2], value;
    size_t at = 0;
    bool good = !row->lost || storeFailed(s);
    if (good) good = executeStudySql(s, "BEGIN");
    for (int i = 0; i < s->columns && good; i++) {
        good = rowNext(row, &at, &value) || refuseStore(s, "a run's row is truncated");
        if (good && i < RunKeys) key[i] = value;
        if (good) bindValue(s->insert_run, i + 1, &value);
    }
    good = good && executeInsert(s, s->insert_run);
    while (good && rowNext(row, &at, &value)) {
        for (int i = 0; i < RunKeys; i++) bindValue(s->insert_file, i + 1, &key[i]);
        bindValue(s->insert_file, 3, &value);
        good = rowNext(row, &at, &value) || refuseStore(s, "a run's row is truncated");
        if (good) bindValue(s->insert_file, 4, &value);
        good = good && executeInsert(s, s->insert_file);
    }
    good = good && executeStudySql(s, "COMMIT");
    if (good)
        markDone(s, (long)key[0].integer, (int)key[1].integer);
    else
        ukSql.exec(s->file, "ROLLBACK", NULL, NULL, NULL);
    return good;
}

void storeClose(Store *s)
{
    if (s->insert_run) ukSql.finalize(s->insert_run);
    if (s->insert_file) ukSql.finalize(s->insert_file);
    ukGuardClose(&s->guard);
    if (s->lock >= 0) close(s->lock);
    free(s->done);
    s->file = NULL;
    s->insert_run = s->insert_file = NULL;
    s->done = NULL;
    s->lock = -1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/recording/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bridge/recording/schema.h"

static bool refuse(ukReader *r, const char *why)
{
    if (!r->error[0]) snprintf(r->error, sizeof r->error, "%.200s: %.190s", r->path, why);
    return false;
}

static bool failed(ukReader *r)
{
    return refuse(r, r->file ? ukSql.errmsg(r->file) : "no memory");
}

static long long pragma(ukReader *r, const char *name)
{
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA %s", name);
    sqlite3_stmt *const query = ukReaderAsk(r, sql);
    const long long value = query && ukReaderNext(r, query) ? ukSql.column_int64(query, 0) : -1;
    ukReaderDone(query);
    return value;
}

/* Of a process that was killed in a transaction there is a journal beside the file, which opening takes back: only who
 * may write can do that. */
static bool openFile(ukReader *r)
{
    if (access(r->path, R_OK) != 0) return refuse(r, strerror(errno));
    const int way = access(r->path, W_OK) == 0 ? ukSqlOpenReadWrite : ukSqlOpenReadOnly;
    if (ukSql.open_v2(r->path, &r->file, way | ukSqlOpenNoMutex, NULL) != ukSqlOk) return failed(r);
    ukSql.busy_timeout(r->file, 5000);
    const char *const doubts = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0";
    return ukSql.exec(r->file, doubts, NULL, NULL, NULL) == ukSqlOk || failed(r);
}

bool ukReaderNumbered(const char *path, int number, char *name, size_t size)
{
    const char *const slash = strrchr(path, '/'), *const dot = strrchr(path, '.');
    const char *const file = slash ? slash + 1 : path, *const ending = dot && dot > file ? dot : path + strlen(path);
    const int n = number == 1 ? snprintf(name, size, "%s", path)
                              : snprintf(name, size, "%.*s-%d%s", (int)(ending - path), path, number, ending);
    return n > 0 && (size_t)n < size;
}

/* SQLite's own beginning, and the application's number at its place */
bool ukReaderIs(const char *path)
{
    unsigned char head[72] = {0};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const ssize_t n = file >= 0 ? read(file, head, sizeof head) : 0;
    if (file >= 0) close(file);
    return n == sizeof head && memcmp(head, "SQLite format 3", 16) == 0 && memcmp(head + 68, "UKOD", 4) == 0;
}

bool ukReaderOpen(ukReader *r, const char *path)
{
    *r = (ukReader){0};
    snprintf(r->path, sizeof r->path, "%s", path);
    if (!ukSqliteReady()) return refuse(r, UKODE_SQLITE_MISSING);
    bool good = openFile(r);
    if (good && pragma(r, "application_id") != ukRecordingId) good = refuse(r, "this is not a recording of ukode");
    if (good && pragma(r, "user_version") != ukRecordingVersion)
        good = refuse(r, "it was recorded by another version of ukode");
    if (!good) ukReaderClose(r);
    return good;
}

void ukReaderClose(ukReader *r)
{
    if (r->file) ukSql.close_v2(r->file);
    r->file = NULL;
}

bool ukReaderHasSteps(ukReader *r)
{
    sqlite3_stmt *const query =
        ukReaderAsk(r, "SELECT EXISTS (SELECT 1 FROM step), EXISTS (SELECT 1 FROM run WHERE ended IS NOT NULL)");
    const bool told = query && ukReaderNext(r, query);
    const bool any = told && ukSql.column_int64(query, 0) != 0, ended = told && ukSql.column_int64(query, 1) != 0;
    ukReaderDone(query);
    if (told && !any)
        refuse(r, ended ? "it has no steps"
                        : "it has no steps: its process ended by itself (_exit, a signal) before the first one was "
                          "written, which takes a third of a second; --at-once does not wait");
    return any;
}

sqlite3_stmt *ukReaderAsk(ukReader *r, const char *sql)
{
    sqlite3_stmt *query = NULL;
    if (ukSql.prepare_v2(r->file, sql, -1, &query, NULL) == ukSqlOk) return query;
    failed(r);
    return NULL;
}

bool ukReaderNext(ukReader *r, sqlite3_stmt *query)
{
    const int status = ukSql.step(query);
    if (status == ukSqlRow) return true;
    return status == ukSqlDone ? false : failed(r);
}

void ukReaderDone(sqlite3_stmt *query)
{
    if (query) ukSql.finalize(query);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/sqlite.h: the functions of SQLite that recordings need, loaded on demand (libsqlite3.so.0;
 * Debian: libsqlite3-0), so that neither a build nor a run without recordings depends on it. They are declared here as
 * SQLite documents them: its interface of version 3 does not change. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_SQLITE_H
#define UKODE_PLUGIN_FORMATS_RECORDING_SQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

enum {
    ukSqlOk = 0,
    ukSqlRow = 100,
    ukSqlDone = 101,
    ukSqlOpenReadOnly = 1,
    ukSqlOpenReadWrite = 2,
    ukSqlOpenCreate = 4,
    ukSqlOpenNoMutex = 0x8000,
    ukSqlInteger = 1, /* column_type */
    ukSqlReal = 2,
    ukSqlText = 3,
    ukSqlBlob = 4,
    ukSqlNull = 5,
    ukSqlConfigTrigger = 1003, /* db_config */
    ukSqlConfigDefensive = 1010,
    ukSqlConfigView = 1015,
    ukSqlConfigTrustedSchema = 1017,
    ukSqlLimitLength = 0, /* limit */
    ukSqlLimitSqlLength = 1,
    ukSqlLimitExpressionDepth = 3,
    ukSqlLimitAttached = 7,
    ukSqlLimitTriggerDepth = 10,
    ukSqlLimitThreads = 11
};
/* bind_text, bind_blob: the data stays where it is until the statement is reset. */
#define UKODE_SQL_STATIC ((void (*)(void *))0)

#define UKODE_SQLITE(X)                                                                                                \
    X(int, open_v2, (const char *, sqlite3 **, int, const char *))                                                     \
    X(int, close_v2, (sqlite3 *))                                                                                      \
    X(int, exec, (sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **))                   \
    X(int, prepare_v2, (sqlite3 *, const char *, int, sqlite3_stmt **, const char **))                                 \
    X(int, step, (sqlite3_stmt *))                                                                                     \
    X(int, reset, (sqlite3_stmt *))                                                                                    \
    X(int, finalize, (sqlite3_stmt *))                                                                                 \
    X(int, busy_timeout, (sqlite3 *, int))                                                                             \
    X(int, db_config, (sqlite3 *, int, ...))                                                                           \
    X(int, limit, (sqlite3 *, int, int))                                                                               \
    X(void, progress_handler, (sqlite3 *, int, int (*)(void *), void *))                                               \
    X(int, bind_int64, (sqlite3_stmt *, int, long long))                                                               \
    X(int, bind_double, (sqlite3_stmt *, int, double))                                                                 \
    X(int, bind_null, (sqlite3_stmt *, int))                                                                           \
    X(int, bind_text, (sqlite3_stmt *, int, const char *, int, void (*)(void *)))                                      \
    X(int, bind_blob, (sqlite3_stmt *, int, const void *, int, void (*)(void *)))                                      \
    X(int, column_count, (sqlite3_stmt *))                                                                             \
    X(const char *, column_name, (sqlite3_stmt *, int))                                                                \
    X(int, column_type, (sqlite3_stmt *, int))                                                                         \
    X(long long, column_int64, (sqlite3_stmt *, int))                                                                  \
    X(double, column_double, (sqlite3_stmt *, int))                                                                    \
    X(const unsigned char *, column_text, (sqlite3_stmt *, int))                                                       \
    X(const void *, column_blob, (sqlite3_stmt *, int))                                                                \
    X(int, column_bytes, (sqlite3_stmt *, int))                                                                        \
    X(const char *, sql, (sqlite3_stmt *))                                                                             \
    X(const char *, errmsg, (sqlite3 *))

/* SQLite's functions without their `sqlite3_`: ukSql.step(statement). */
typedef struct ukSqlite {
#define UKODE_MEMBER(type, name, arguments) type(*name) arguments;
    UKODE_SQLITE(UKODE_MEMBER)
#undef UKODE_MEMBER
} ukSqlite;
extern ukSqlite ukSql; /* filled once ukSqliteReady() */

/* The message where it is not installed. */
#define UKODE_SQLITE_MISSING "no libsqlite3.so.0 here, which recordings need (Debian: libsqlite3-0)"

/* false: it is not here, or too old. */
bool ukSqliteReady(void);

#endif

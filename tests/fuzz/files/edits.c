/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/files/edits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/formats/recording/sqlite.h"
#include "tests/fuzz/files/files.h"

uint64_t takeNumber(Take *take, int bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < bytes && take->at < take->end; i++) x |= (uint64_t)*take->at++ << 8 * i;
    return x;
}

static void runSql(sqlite3 *file, const char *sql)
{
    ukSql.exec(file, sql, NULL, NULL, NULL);
}

/* the n-th name of a list that a statement gives; "": there is none */
static void nth(sqlite3 *file, const char *sql, uint64_t n, char name[64])
{
    sqlite3_stmt *query = NULL;
    char texts[64][64];
    unsigned count = 0;
    name[0] = 0;
    if (ukSql.prepare_v2(file, sql, -1, &query, NULL) != ukSqlOk) return;
    while (count < 64 && ukSql.step(query) == ukSqlRow)
        snprintf(texts[count++], sizeof texts[0], "%s", (const char *)ukSql.column_text(query, 0));
    ukSql.finalize(query);
    if (count > 0) snprintf(name, 64, "%s", texts[n % count]);
}

static void bindValue(sqlite3_stmt *statement, Take *take)
{
    static const double reals[] = {0, -1, 0.5, 1e300, -1e300, INFINITY, 5e-324, 1e9};
    static const long long wholes[] = {0, 1, -1, 2, INT32_MAX, INT32_MIN, 1LL << 53, INT64_MAX};
    const uint64_t kind = takeNumber(take, 1), which = takeNumber(take, 1);
    size_t size = which;
    switch (kind % 6) {
    case 0: ukSql.bind_null(statement, 1); break;
    case 1: ukSql.bind_int64(statement, 1, wholes[which % 8]); break;
    case 2: ukSql.bind_double(statement, 1, reals[which % 8]); break;
    case 3: ukSql.bind_int64(statement, 1, (long long)takeNumber(take, 2)); break;
    default:
        if (size > (size_t)(take->end - take->at)) size = (size_t)(take->end - take->at);
        if (kind % 6 == 4)
            ukSql.bind_text(statement, 1, (const char *)take->at, (int)size, UKODE_SQL_STATIC);
        else
            ukSql.bind_blob(statement, 1, take->at, (int)size, UKODE_SQL_STATIC);
        take->at += size;
    }
}

/* a value of a row, or of all; or bytes within a blob that stay of its size */
static void editValue(sqlite3 *file, Take *take, bool within)
{
    char table[64], column[64], sql[1024];
    sqlite3_stmt *statement = NULL;
    nth(file, "SELECT name FROM sqlite_master WHERE type = 'table'", takeNumber(take, 1), table);
    snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s')", table);
    nth(file, sql, takeNumber(take, 1), column);
    const uint64_t row = takeNumber(take, 1), at = takeNumber(take, 2);
    char condition[400] = "1";
    if (row != 255) {
        char key[64];
        nth(file, sql, 0, key);
        snprintf(condition, sizeof condition, "\"%s\" = (SELECT \"%s\" FROM \"%s\" LIMIT 1 OFFSET %d)", key, key, table,
                 (int)(row % 64));
    }
    if (within)
        snprintf(
            sql, sizeof sql,
            "UPDATE \"%s\" SET \"%s\" = CAST(substr(\"%s\", 1, %d) || ?1 || substr(\"%s\", %d + length(?1)) AS BLOB) "
            "WHERE %s AND typeof(\"%s\") = 'blob'",
            table, column, column, (int)(at % 2000), column, (int)(at % 2000) + 1, condition, column);
    else
        snprintf(sql, sizeof sql, "UPDATE \"%s\" SET \"%s\" = ?1 WHERE %s", table, column, condition);
    if (ukSql.prepare_v2(file, sql, -1, &statement, NULL) == ukSqlOk) {
        bindValue(statement, take);
        ukSql.step(statement);
    }
    ukSql.finalize(statement);
}

static void editSchema(sqlite3 *file, Take *take)
{
    static const char *const changes[] = {"DROP TABLE \"%s\"",
                                          "DELETE FROM \"%s\"",
                                          "ALTER TABLE \"%s\" ADD COLUMN extra TEXT",
                                          "CREATE VIEW v AS SELECT * FROM \"%s\"",
                                          "CREATE INDEX i ON \"%s\" (1)",
                                          "CREATE TRIGGER t AFTER UPDATE ON \"%s\" BEGIN SELECT 1; END",
                                          "DELETE FROM \"%s\" WHERE rowid %% 2 = 0"};
    char table[64], sql[200];
    nth(file, "SELECT name FROM sqlite_master WHERE type = 'table'", takeNumber(take, 1), table);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(sql, sizeof sql, changes[takeNumber(take, 1) % (sizeof changes / sizeof *changes)], table);
#pragma GCC diagnostic pop
    runSql(file, sql);
}

static void editBytes(const char *path, Take *take)
{
    size_t size;
    uint8_t *const bytes = fuzzReadFile(path, &size);
    if (!bytes || size == 0) return;
    for (uint64_t i = takeNumber(take, 1) % 16; i > 0; i--) {
        const size_t at = takeNumber(take, 3) % size;
        bytes[at] = (uint8_t)takeNumber(take, 1);
    }
    const uint64_t cut = takeNumber(take, 1);
    fuzzWriteFile(path, bytes, cut > 200 ? size * (cut - 200) / 64 : size);
    free(bytes);
}

void editDatabase(const char *path, const uint8_t *bytes, size_t size, Take *take)
{
    sqlite3 *file = NULL;
    const uint64_t kinds = takeNumber(take, 1);
    if (!fuzzWriteFile(path, bytes, size)) abort();
    if (ukSql.open_v2(path, &file, ukSqlOpenReadWrite, NULL) != ukSqlOk) abort();
    runSql(file, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN");
    if (kinds % 8 == 7) editSchema(file, take);
    for (uint64_t i = 1 + kinds / 8 % 8; i > 0 && take->at < take->end; i--) editValue(file, take, i % 2 == 0);
    runSql(file, "COMMIT");
    ukSql.close_v2(file);
    if (kinds >= 192) editBytes(path, take);
}

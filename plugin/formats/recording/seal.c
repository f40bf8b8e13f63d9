/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/seal.h"

#include <stdio.h>
#include <string.h>

static const long long beyond = INT64_MAX;

/* ---- what a row adds --------------------------------------------------------------------------------------------- */

static void addNumber(ukBlake2b *hash, char type, uint64_t bits)
{
    unsigned char bytes[9] = {(unsigned char)type};
    for (int i = 0; i < 8; i++) bytes[1 + i] = (unsigned char)(bits >> 8 * i);
    ukBlake2bAdd(hash, bytes, sizeof bytes);
}

static void addBytes(ukBlake2b *hash, char type, const void *bytes, size_t size)
{
    addNumber(hash, type, size);
    if (size > 0) ukBlake2bAdd(hash, bytes, size);
}

static void addValue(ukBlake2b *hash, sqlite3_stmt *row, int column)
{
    const void *bytes;
    uint64_t bits;
    double real;
    switch (ukSql.column_type(row, column)) {
    case ukSqlInteger: addNumber(hash, 'i', (uint64_t)ukSql.column_int64(row, column)); break;
    case ukSqlReal:
        real = ukSql.column_double(row, column);
        memcpy(&bits, &real, sizeof bits);
        addNumber(hash, 'd', bits);
        break;
    case ukSqlText:
        bytes = ukSql.column_text(row, column); /* must precede column_bytes */
        addBytes(hash, 't', bytes, (size_t)ukSql.column_bytes(row, column));
        break;
    case ukSqlBlob:
        bytes = ukSql.column_blob(row, column);
        addBytes(hash, 'b', bytes, (size_t)ukSql.column_bytes(row, column));
        break;
    default: addNumber(hash, 'n', 0);
    }
}

/* the table's name, then every column */
static void addRow(ukBlake2b *hash, const char *table, sqlite3_stmt *row)
{
    const int columns = ukSql.column_count(row);
    addBytes(hash, 't', table, strlen(table));
    for (int k = 0; k < columns; k++) addValue(hash, row, k);
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

/* Finds the step column of table t and prepares its query, ordered by the first three columns, which contain every
 * primary key. */
static bool describeSeal(ukSealWalk *walk, int t)
{
    char sql[256];
    const char *const name = walk->table[t].name;
    snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" LIMIT 0", name);
    sqlite3_stmt *any = NULL;
    if (ukSql.prepare_v2(walk->file, sql, -1, &any, NULL) != ukSqlOk) return false;
    const int columns = ukSql.column_count(any);
    for (int k = 0; k < columns; k++)
        if (strcmp(ukSql.column_name(any, k), "step") == 0) walk->table[t].by_step = true, walk->table[t].column = k;
    walk->table[t].own = walk->table[t].by_step && walk->table[t].column > 0;
    char first[ukSealName];
    snprintf(first, sizeof first, "%s", ukSql.column_name(any, 0));
    ukSql.finalize(any);
    const char *const order = columns > 2 ? "1, 2, 3" : columns > 1 ? "1, 2" : "1";
    if (walk->table[t].own)
        snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" WHERE \"%s\" > ?1 ORDER BY 1", name, first);
    else if (walk->table[t].by_step)
        snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" WHERE step > ?1 AND step <= ?2 ORDER BY step%s", name,
                 columns > 1 ? ", 2" : "");
    else
        snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" ORDER BY %s", name, order);
    return ukSql.prepare_v2(walk->file, sql, -1, &walk->table[t].query, NULL) == ukSqlOk;
}

bool ukSealBegin(ukSealWalk *walk, sqlite3 *file)
{
    const char *const sql =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND "
        /* `finding` is made by a report from the other tables */
        "name NOT IN ('seal', 'seal_table', 'finding') ORDER BY name";
    sqlite3_stmt *names = NULL;
    *walk = (ukSealWalk){.file = file};
    bool good = ukSql.prepare_v2(file, sql, -1, &names, NULL) == ukSqlOk;
    int status = ukSqlDone;
    while (good && (status = ukSql.step(names)) == ukSqlRow) {
        const char *const name = (const char *)ukSql.column_text(names, 0);
        good = walk->tables < ukSealTables && name && strlen(name) < ukSealName && !strchr(name, '"');
        if (!good) break;
        snprintf(walk->table[walk->tables].name, ukSealName, "%s", name);
        walk->tables++;
    }
    good = good && status == ukSqlDone;
    ukSql.finalize(names);
    for (int t = 0; good && t < walk->tables; t++) good = describeSeal(walk, t);
    return good;
}

void ukSealEnd(ukSealWalk *walk)
{
    for (int t = 0; t < walk->tables; t++) ukSql.finalize(walk->table[t].query);
    walk->tables = 0;
}

static bool sealNext(ukSealWalk *walk, int t)
{
    sqlite3_stmt *const query = walk->table[t].query;
    const int status = ukSql.step(query);
    const bool row = status == ukSqlRow;
    walk->table[t].step = row ? ukSql.column_int64(query, walk->table[t].column) : beyond;
    walk->table[t].key = !row ? beyond : walk->table[t].own ? ukSql.column_int64(query, 0) : walk->table[t].step;
    return row || status == ukSqlDone;
}

bool ukSealRange(ukSealWalk *walk, long long after, long long upto)
{
    bool good = true;
    for (int t = 0; good && t < walk->tables; t++) {
        if (!walk->table[t].by_step) continue;
        ukSql.reset(walk->table[t].query);
        ukSql.bind_int64(walk->table[t].query, 1, walk->table[t].own ? walk->event : after);
        if (!walk->table[t].own) ukSql.bind_int64(walk->table[t].query, 2, upto);
        good = sealNext(walk, t);
    }
    return good;
}

/* Whether the next row of table t belongs to the step. */
static bool belongsToStep(const ukSealWalk *walk, int t, long long step, long long event)
{
    if (!walk->table[t].own) return walk->table[t].key <= step;
    return walk->table[t].key <= event && (event != ukSealRest || walk->table[t].step <= step);
}

bool ukSealStep(ukSealWalk *walk, long long step, long long event)
{
    ukBlake2b hash;
    ukBlake2bBegin(&hash);
    ukBlake2bAdd(&hash, walk->hash, sizeof walk->hash);
    bool good = true;
    for (int t = 0; good && t < walk->tables; t++) {
        if (!walk->table[t].by_step) continue;
        for (; good && belongsToStep(walk, t, step, event); good = sealNext(walk, t)) {
            if (walk->table[t].own && walk->table[t].key > walk->event) walk->event = walk->table[t].key;
            addRow(&hash, walk->table[t].name, walk->table[t].query);
        }
    }
    if (event != ukSealRest) walk->event = event;
    addNumber(&hash, 'i', (uint64_t)walk->event);
    ukBlake2bEnd(&hash, walk->hash);
    return good;
}

bool ukSealLeft(const ukSealWalk *walk)
{
    for (int t = 0; t < walk->tables; t++)
        if (walk->table[t].own && walk->table[t].key < beyond) return true;
    return false;
}

bool ukSealTable(ukSealWalk *walk, int t, unsigned char out[ukHashBytes])
{
    ukBlake2b hash;
    ukBlake2bBegin(&hash);
    sqlite3_stmt *const query = walk->table[t].query;
    const int columns = ukSql.column_count(query);
    int status = ukSqlDone;
    for (int k = 0; k < columns; k++) {
        const char *const name = ukSql.column_name(query, k);
        addBytes(&hash, 't', name, strlen(name));
    }
    ukSql.reset(query);
    while (!walk->table[t].by_step && (status = ukSql.step(query)) == ukSqlRow)
        addRow(&hash, walk->table[t].name, query);
    ukSql.reset(query);
    ukBlake2bEnd(&hash, out);
    return status == ukSqlDone;
}

/* ---- the writer's part ------------------------------------------------------------------------------------------- */

static bool executeOnce(sqlite3_stmt *statement)
{
    const bool good = ukSql.step(statement) == ukSqlDone;
    ukSql.reset(statement);
    return good;
}

static bool openSealer(ukSealer *s, sqlite3 *file)
{
    static const char steps[] = "SELECT step FROM step WHERE step > ?1 ORDER BY step",
                      put[] = "INSERT INTO seal VALUES (?1, ?2, ?3)",
                      put_table[] = "INSERT OR REPLACE INTO seal_table VALUES (?1, ?2)";
    s->open = true;
    return ukSealBegin(&s->walk, file) && ukSql.prepare_v2(file, steps, -1, &s->steps, NULL) == ukSqlOk &&
           ukSql.prepare_v2(file, put, -1, &s->put, NULL) == ukSqlOk &&
           ukSql.prepare_v2(file, put_table, -1, &s->put_table, NULL) == ukSqlOk;
}

static bool sealStep(ukSealer *s, long long step, long long upto)
{
    if (!ukSealStep(&s->walk, upto, ukSealRest)) return false;
    ukSql.bind_int64(s->put, 1, step);
    ukSql.bind_int64(s->put, 2, s->walk.event);
    ukSql.bind_blob(s->put, 3, s->walk.hash, ukHashBytes, UKODE_SQL_STATIC);
    s->last = step;
    return executeOnce(s->put);
}

static bool sealTables(ukSealer *s)
{
    unsigned char hash[ukHashBytes];
    for (int t = 0; t < s->walk.tables; t++) {
        if (!ukSealTable(&s->walk, t, hash)) return false;
        ukSql.bind_text(s->put_table, 1, s->walk.table[t].name, -1, UKODE_SQL_STATIC);
        ukSql.bind_blob(s->put_table, 2, hash, ukHashBytes, UKODE_SQL_STATIC);
        if (!executeOnce(s->put_table)) return false;
    }
    return true;
}

bool ukSealerRun(ukSealer *s, sqlite3 *file, bool whole, bool described)
{
    if (!s->open && !openSealer(s, file)) return false;
    if (!ukSealRange(&s->walk, s->last > 0 ? s->last : -INT64_MAX, ukSealRest)) return false;
    ukSql.bind_int64(s->steps, 1, s->last);
    long long waiting = 0; /* a step whose rows are complete once a later step exists */
    int status;
    bool good = true;
    while (good && (status = ukSql.step(s->steps)) == ukSqlRow) {
        if (waiting > 0) good = sealStep(s, waiting, waiting);
        waiting = ukSql.column_int64(s->steps, 0);
    }
    if (good && whole && waiting > 0) good = sealStep(s, waiting, ukSealRest);
    ukSql.reset(s->steps);
    for (int t = 0; t < s->walk.tables; t++)
        if (s->walk.table[t].by_step) ukSql.reset(s->walk.table[t].query);
    return good && (!described || sealTables(s));
}

void ukSealerClose(ukSealer *s)
{
    ukSealEnd(&s->walk);
    ukSql.finalize(s->steps);
    ukSql.finalize(s->put);
    ukSql.finalize(s->put_table);
    *s = (ukSealer){0};
}

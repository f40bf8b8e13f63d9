/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/query/partition.h"

#include <stdio.h>
#include <string.h>

#include "plugin/tools/query/query.h"

enum {
    FewWorlds = 16,  /* each of which may read the rows of all */
    FewBodies = 300, /* each of which may read the shapes and joints of all */
};

/* The rows of a world, in an order in which each condition finds what it needs. */
static const struct {
    ukStatement table;
    const char *key; /* of a table with a column `world`: its primary key; else NULL */
    const char *rows;
} parts[] = {
    {ukInsertStep, "step", NULL},
    {ukInsertBody, "body", NULL},
    {ukInsertShape, "shape", NULL},
    {ukInsertJoint, "joint", NULL},
    {ukInsertEvent, "event", NULL},
    {ukInsertJointParameter, NULL, "joint IN (SELECT joint FROM temp.joint)"},
    {ukInsertBodyStart, NULL, "step IN (SELECT step FROM temp.step)"},
    {ukInsertJointStart, NULL, "step IN (SELECT step FROM temp.step)"},
    {ukInsertBodyStep, NULL, "step IN (SELECT step FROM temp.step)"},
    {ukInsertJointStep, NULL, "step IN (SELECT step FROM temp.step)"},
    {ukInsertContactStep, NULL, "step IN (SELECT step FROM temp.step)"},
    {ukInsertBoundedRowStep, NULL, "step IN (SELECT step FROM temp.step)"},
    {ukInsertLedgerStep, NULL, "step IN (SELECT step FROM temp.step)"},
};
enum { Parts = sizeof parts / sizeof *parts };

/* Columns without an index in the file that the queries of each body use. */
static const struct {
    ukStatement table;
    const char *column;
} indices[] = {{ukInsertShape, "body"}, {ukInsertJoint, "body_1"}, {ukInsertJoint, "body_2"}};
enum { Indices = sizeof indices / sizeof *indices };

static bool hasIndex(ukStatement table)
{
    bool has = false;
    for (int i = 0; i < Indices; i++) has |= indices[i].table == table;
    return has;
}

static bool executeStatement(ukReader *r, const char *sql)
{
    sqlite3_stmt *const query = ukReaderAsk(r, sql);
    if (query) ukReaderNext(r, query);
    ukReaderDone(query);
    return !r->error[0];
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

typedef struct Columns {
    ukReader *reader;
    const char *table;
    char list[4096]; /* ", column" of each that the file has */
    size_t used;
} Columns;

static void addColumn(void *context, const char *name, const ukColumn *column)
{
    Columns *const c = context;
    (void)column;
    if (queryOneInteger(c->reader, "SELECT count(*) FROM pragma_table_info('%s', 'main') WHERE name = '%s'", c->table,
                        name) == 0)
        return;
    const int n = snprintf(c->list + c->used, sizeof c->list - c->used, ", %s", name);
    if (n > 0 && c->used + (size_t)n < sizeof c->list) c->used += (size_t)n;
}

/* ---- begin ------------------------------------------------------------------------------------------------------- */

/* Creates an index from worlds to the keys of their rows. */
static bool indexWorlds(ukReader *r, const char *table, const char *key)
{
    char sql[300];
    snprintf(sql, sizeof sql,
             "CREATE TEMP TABLE world_of_%s (world INTEGER, key INTEGER, PRIMARY KEY (world, key)) WITHOUT ROWID",
             table);
    if (!executeStatement(r, sql)) return false;
    snprintf(sql, sizeof sql,
             "INSERT OR IGNORE INTO temp.world_of_%s SELECT world, %s FROM main.%s WHERE world IS NOT NULL AND %s IS "
             "NOT NULL ORDER BY world, %s",
             table, key, table, key, key);
    return executeStatement(r, sql);
}

/* Creates an empty temporary table, instead of the view of ukReaderComplete if there is one. */
static bool createEmpty(ukReader *r, const ukTable *table)
{
    char create[ukSchemaText], sql[ukSchemaText + 16];
    snprintf(sql, sizeof sql, "DROP VIEW IF EXISTS temp.%s", table->name);
    if (!executeStatement(r, sql)) return false;
    ukSchemaCreate(table, create, sizeof create);
    snprintf(sql, sizeof sql, "CREATE TEMP%s", create + strlen("CREATE"));
    return executeStatement(r, sql);
}

static bool indexBodies(ukReader *r, ukStatement table)
{
    bool good = true;
    for (int i = 0; i < Indices && good; i++) {
        char sql[200];
        if (indices[i].table != table) continue;
        snprintf(sql, sizeof sql, "CREATE INDEX temp.%s_of_%s ON %s (%s)", ukSchema[table].name, indices[i].column,
                 ukSchema[table].name, indices[i].column);
        good = executeStatement(r, sql);
    }
    return good;
}

static bool beginPart(Partition *p, int part)
{
    const ukStatement t = parts[part].table;
    const char *const name = ukSchema[t].name, *const key = parts[part].key;
    Columns c = {.reader = p->reader, .table = name};
    char sql[sizeof c.list * 2 + 400], rows[120];
    ukSchemaColumns(&ukSchema[t], addColumn, &c);
    p->replaced[part] = true;
    if (!createEmpty(p->reader, &ukSchema[t]) || !indexBodies(p->reader, t)) return false;
    if (c.used == 0) return true; /* an earlier version did not write the table */
    if (!p->many) {
        snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO temp.%s (%s) SELECT %s FROM main.%s", name, c.list + 2,
                 c.list + 2, name);
        return executeStatement(p->reader, sql);
    }
    if (key && !indexWorlds(p->reader, name, key)) return false;
    snprintf(sql, sizeof sql, "DELETE FROM temp.%s", name);
    p->clear[part] = ukReaderAsk(p->reader, sql);
    if (key) snprintf(rows, sizeof rows, "%s IN (SELECT key FROM temp.world_of_%s WHERE world = ?1)", key, name);
    snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO temp.%s (%s) SELECT %s FROM main.%s WHERE %s", name, c.list + 2,
             c.list + 2, name, key ? rows : parts[part].rows);
    p->fill[part] = ukReaderAsk(p->reader, sql);
    return p->clear[part] && p->fill[part];
}

bool partitionBegin(Partition *p, ukReader *reader)
{
    *p = (Partition){.reader = reader};
    p->many = queryOneInteger(reader, "SELECT count(*) FROM main.world") > FewWorlds;
    const bool large = queryOneInteger(reader, "SELECT count(*) FROM main.body") > FewBodies;
    bool good = !reader->error[0];
    /* Each statement on these tables is a transaction, and a journal in a file costs it more than its rows do. */
    if (p->many || large) good = good && executeStatement(reader, "PRAGMA temp.journal_mode = MEMORY");
    for (int i = 0; good && i < Parts; i++)
        if (p->many || (large && hasIndex(parts[i].table))) good = beginPart(p, i);
    return good;
}

/* ---- a world ----------------------------------------------------------------------------------------------------- */

static bool stepAndReset(Partition *p, sqlite3_stmt *statement)
{
    ukReaderNext(p->reader, statement);
    ukSql.reset(statement);
    return !p->reader->error[0];
}

bool partitionSelect(Partition *p, int64_t world)
{
    bool good = true;
    for (int i = 0; p->many && good && i < Parts; i++) {
        if (!p->fill[i]) continue;
        if (parts[i].key) ukSql.bind_int64(p->fill[i], 1, world);
        good = stepAndReset(p, p->clear[i]) && stepAndReset(p, p->fill[i]);
    }
    return good;
}

bool partitionEnd(Partition *p)
{
    char sql[100];
    bool good = !p->reader->error[0], any = false;
    for (int i = 0; i < Parts; i++) ukReaderDone(p->clear[i]), ukReaderDone(p->fill[i]);
    for (int i = 0; good && i < Parts; i++) {
        if (!p->replaced[i]) continue;
        any = true;
        const char *const name = ukSchema[parts[i].table].name;
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS temp.%s", name);
        good = executeStatement(p->reader, sql);
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS temp.world_of_%s", name);
        good = good && executeStatement(p->reader, sql);
    }
    return good && (!any || ukReaderComplete(p->reader));
}

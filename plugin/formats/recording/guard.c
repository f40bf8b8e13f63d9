/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/base/plain.h"
#include "plugin/formats/recording/definition.h"

enum {
    HeadBytes = 72,
    WriteFormat = 18, /* offsets in the head of an SQLite file: 1, a rollback journal; 2, a write-ahead log */
    ReadFormat = 19,
    Application = 68,
    Often = 10000 /* operations between two checks of the budget */
};
static const double least_budget = 1e8, budget_per_byte = 100, most_budget = 1e18;

__attribute__((format(printf, 2, 3))) static bool refuseGuard(ukGuard *g, const char *format, ...)
{
    va_list arguments;
    if (g->error[0]) return false;
    va_start(arguments, format);
    vsnprintf(g->error, sizeof g->error, format, arguments);
    va_end(arguments);
    ukPlainMake(g->error, sizeof g->error);
    return false;
}

static bool guardFailed(ukGuard *g)
{
    return refuseGuard(g, "%s", ukGuardFault(g));
}

const char *ukGuardFault(const ukGuard *g)
{
    if (!g->file) return "no memory";
    return g->spent > g->budget ? "reading it takes more work than the limit for a file of this size"
                                : ukSql.errmsg(g->file);
}

bool ukGuardIsName(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return name && *name && strspn(name, letters) == strlen(name);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Opens the file, and reads its first bytes and its status; -1: it cannot be opened (errno). */
static int openPlainly(const char *path, unsigned char head[HeadBytes], struct stat *status)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    memset(head, 0, HeadBytes);
    if (file < 0) return -1;
    const bool known = fstat(file, status) == 0;
    const ssize_t n = known && S_ISREG(status->st_mode) ? read(file, head, HeadBytes) : 0;
    if (n < HeadBytes) memset(head, 0, HeadBytes);
    close(file);
    return known ? 0 : -1;
}

bool ukGuardIsDatabase(const char *path, const char application[4])
{
    unsigned char head[HeadBytes];
    struct stat status;
    return openPlainly(path, head, &status) == 0 && memcmp(head, "SQLite format 3", 16) == 0 &&
           memcmp(head + Application, application, 4) == 0;
}

/* A rollback journal that ends with the name of another file would have SQLite read that one, and delete it. SQLite
 * searches for it next to the file that a symbolic link leads to. */
static bool journalNamesAnother(const char *path)
{
    static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    char whole[PATH_MAX], journal[PATH_MAX + 16];
    unsigned char tail[16];
    struct stat status;
    if (!realpath(path, whole)) return true;
    snprintf(journal, sizeof journal, "%s-journal", whole);
    const int file = open(journal, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0) return errno != ENOENT && errno != EACCES;
    bool another = fstat(file, &status) != 0 || !S_ISREG(status.st_mode);
    if (!another && status.st_size >= 16)
        another = pread(file, tail, sizeof tail, status.st_size - 16) == sizeof tail &&
                  memcmp(tail + 8, mark, sizeof mark) == 0;
    close(file);
    return another;
}

static bool isOrdinary(ukGuard *g, const char *path)
{
    unsigned char head[HeadBytes];
    struct stat status;
    if (openPlainly(path, head, &status) != 0) return refuseGuard(g, "%s", strerror(errno));
    if (S_ISDIR(status.st_mode)) return refuseGuard(g, "it is a directory");
    if (!S_ISREG(status.st_mode)) return refuseGuard(g, "it is not a regular file");
    g->size = status.st_size;
    if (memcmp(head, "SQLite format 3", 16) == 0 && (head[WriteFormat] != 1 || head[ReadFormat] != 1))
        return refuseGuard(g, "it has a write-ahead log, which files of ukode do not have");
    if (journalNamesAnother(path)) return refuseGuard(g, "the journal next to it is not one of ukode's");
    return true;
}

/* ---- SQLite ------------------------------------------------------------------------------------------------------ */

bool ukGuardSpend(ukGuard *g, long long instructions)
{
    g->spent += instructions;
    return g->spent <= g->budget;
}

static int spendOften(void *context)
{
    return !ukGuardSpend(context, Often);
}

static bool hardenConnection(ukGuard *g)
{
    static const struct {
        int option, value;
    } options[] = {{ukSqlConfigDefensive, 1},
                   {ukSqlConfigTrustedSchema, 0},
                   {ukSqlConfigTrigger, 0},
                   {ukSqlConfigView, 0}},
      limits[] = {{ukSqlLimitLength, ukGuardLongest}, {ukSqlLimitSqlLength, 1 << 20},
                  {ukSqlLimitExpressionDepth, 200},   {ukSqlLimitAttached, 0},
                  {ukSqlLimitTriggerDepth, 1},        {ukSqlLimitThreads, 0}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (ukSql.db_config(g->file, options[i].option, options[i].value, NULL) != ukSqlOk)
            return refuseGuard(g, "libsqlite3 is too old to read files from elsewhere safely (3.31 can)");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) ukSql.limit(g->file, limits[i].option, limits[i].value);
    const double bytes = (double)g->size, budget = least_budget + budget_per_byte * bytes;
    g->budget = (long long)(budget < most_budget ? budget : most_budget);
    ukSql.progress_handler(g->file, Often, spendOften, g);
    const char *const doubts = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0";
    return ukSql.exec(g->file, doubts, NULL, NULL, NULL) == ukSqlOk || guardFailed(g);
}

/* A process that was killed in a transaction leaves a journal next to the file. Opening the file rolls the transaction
 * back, which needs write permission. */
bool ukGuardOpen(ukGuard *g, const char *path)
{
    *g = (ukGuard){.file = NULL};
    if (!isOrdinary(g, path)) return false;
    const int way = access(path, W_OK) == 0 ? ukSqlOpenReadWrite : ukSqlOpenReadOnly;
    bool good = ukSql.open_v2(path, &g->file, way | ukSqlOpenNoMutex, NULL) == ukSqlOk || guardFailed(g);
    if (good) ukSql.busy_timeout(g->file, 5000);
    good = good && hardenConnection(g);
    if (!good) ukGuardClose(g);
    return good;
}

void ukGuardTrust(ukGuard *g)
{
    ukSql.progress_handler(g->file, 0, NULL, NULL);
    ukSql.limit(g->file, ukSqlLimitLength, INT_MAX);
}

void ukGuardClose(ukGuard *g)
{
    if (g->file) ukSql.close_v2(g->file);
    g->file = NULL;
}

/* ---- the schema -------------------------------------------------------------------------------------------------- */

typedef struct Expected {
    ukGuard *guard;
    const ukTable *table;      /* known, or NULL */
    const char *column, *type; /* under way: the one that is searched; of the known table, what it must have */
} Expected;

static void compareType(void *context, const char *name, const ukColumn *column)
{
    static const char letters[] = "kidtb";
    static const char *const types[] = {"INTEGER", "INTEGER", "REAL", "TEXT", "BLOB"};
    Expected *const e = context;
    if (strcmp(name, e->column) == 0) e->type = types[strchr(letters, column->type) - letters];
}

static bool oneColumn(void *context, const char *name, const char *type)
{
    Expected *const e = context;
    e->column = name;
    e->type = NULL;
    if (e->table) ukSchemaColumns(e->table, compareType, e);
    if (!e->type || strcmp(type, e->type) == 0) return true;
    return refuseGuard(e->guard, "table %s: column %s is %s, not %s", e->table->name, name,
                       *type ? type : "without a type", e->type);
}

static const ukTable *findKnownTable(const ukTable *tables, size_t count, const char *name)
{
    for (size_t t = 0; t < count; t++)
        if (strcmp(tables[t].name, name) == 0) return &tables[t];
    return NULL;
}

/* Whether a row of the schema (type, name, sql) describes an ordinary table or index. */
static bool isOrdinaryObject(ukGuard *g, sqlite3_stmt *row, const ukTable *tables, size_t count)
{
    const char *const type = (const char *)ukSql.column_text(row, 0), *const name =
                                                                          (const char *)ukSql.column_text(row, 1);
    const char *const sql = (const char *)ukSql.column_text(row, 2);
    if (!type || !name) return refuseGuard(g, "its schema is damaged");
    if (strcmp(type, "index") == 0 && (!sql || ukDefinitionIndex(sql))) return true;
    if (strcmp(type, "table") != 0)
        return refuseGuard(g, "it has the %s %.60s; ukode's files have only tables", type, name);
    Expected e = {.guard = g, .table = findKnownTable(tables, count, name)};
    return ukDefinitionTable(sql, name, oneColumn, &e) ||
           refuseGuard(g, "table %.60s: it is not an ordinary table of plain columns", name);
}

/* While the schema is being read, its texts are parsed by SQLite, and nothing in them is evaluated. */
static bool verifySchema(ukGuard *g, const ukTable *tables, size_t count)
{
    sqlite3_stmt *query = NULL;
    int status = ukSqlDone;
    bool good = ukSql.prepare_v2(g->file, "SELECT type, name, sql FROM sqlite_master", -1, &query, NULL) == ukSqlOk ||
                guardFailed(g);
    while (good && (status = ukSql.step(query)) == ukSqlRow) good = isOrdinaryObject(g, query, tables, count);
    if (good && status != ukSqlDone) good = guardFailed(g);
    ukSql.finalize(query);
    return good;
}

/* ---- pages and values -------------------------------------------------------------------------------------------- */

/* Verifies that each page is used once, in a tree or as a free page. */
static bool verifyPages(ukGuard *g)
{
    sqlite3_stmt *query = NULL;
    if (ukSql.prepare_v2(g->file, "PRAGMA quick_check(1)", -1, &query, NULL) != ukSqlOk) return guardFailed(g);
    const int status = ukSql.step(query);
    const char *const word = status == ukSqlRow ? (const char *)ukSql.column_text(query, 0) : NULL;
    bool good = word && strcmp(word, "ok") == 0;
    if (!good && word) refuseGuard(g, "the file is damaged: %.200s", word + (strncmp(word, "*** ", 4) == 0 ? 4 : 0));
    if (!good && !word) guardFailed(g);
    ukSql.finalize(query);
    return good;
}

typedef struct Types {
    char sql[16384];
    size_t used;
    char name[2][ukDefinitionName]; /* of the first columns, by which a row is named */
    int columns;
} Types;

__attribute__((format(printf, 2, 3))) static void addGuard(Types *t, const char *format, ...)
{
    va_list arguments;
    const size_t left = sizeof t->sql - t->used;
    va_start(arguments, format);
    const int n = vsnprintf(t->sql + t->used, left, format, arguments);
    va_end(arguments);
    if (n > 0) t->used += (size_t)n < left ? (size_t)n : left - 1;
}

static bool nameKey(void *context, const char *name, const char *type)
{
    Types *const t = context;
    (void)type;
    if (t->columns < 2) snprintf(t->name[t->columns], sizeof t->name[0], "%s", name);
    t->columns++;
    return true;
}

/* Refuses integers beyond 2^53: ukode writes none, and a double cannot represent them. */
static bool testType(void *context, const char *name, const char *type)
{
    Types *const t = context;
    const char *const is = strcmp(type, "INTEGER") == 0 ? "integer"
                           : strcmp(type, "REAL") == 0  ? "real"
                           : strcmp(type, "TEXT") == 0  ? "text"
                                                        : "blob";
    if (!*type) return true;
    addGuard(t, " WHEN typeof(\"%s\") NOT IN ('%s', 'null')", name, is);
    if (*is == 'i') addGuard(t, " OR \"%s\" NOT BETWEEN -9007199254740992 AND 9007199254740992", name);
    addGuard(t, " THEN '%s'", name);
    return true;
}

/* sql: of the table, which is ordinary */
static bool verifyValues(ukGuard *g, const char *name, const char *sql)
{
    Types t = {.used = 0};
    sqlite3_stmt *query = NULL;
    ukDefinitionTable(sql, name, nameKey, &t);
    addGuard(&t, "SELECT * FROM (SELECT \"%s\", \"%s\", CASE", t.name[0], t.name[t.columns > 1]);
    ukDefinitionTable(sql, name, testType, &t);
    addGuard(&t, " WHEN 0 THEN '' END AS wrong FROM \"%s\") WHERE wrong IS NOT NULL LIMIT 1", name);
    if (ukSql.prepare_v2(g->file, t.sql, -1, &query, NULL) != ukSqlOk) return guardFailed(g);
    const int status = ukSql.step(query);
    bool good = status == ukSqlDone;
    if (status == ukSqlRow)
        refuseGuard(g, "table %s, row with %s %.40s, %s %.40s: %s is not of its column's type, or out of range", name,
                    t.name[0], (const char *)ukSql.column_text(query, 0), t.name[t.columns > 1],
                    (const char *)ukSql.column_text(query, 1), (const char *)ukSql.column_text(query, 2));
    else if (!good)
        guardFailed(g);
    ukSql.finalize(query);
    return good;
}

static bool verifyAllValues(ukGuard *g, const ukTable *tables, size_t count)
{
    sqlite3_stmt *query = NULL;
    int status = ukSqlDone;
    bool good = ukSql.prepare_v2(g->file, "SELECT name, sql FROM sqlite_master WHERE type = 'table'", -1, &query,
                                 NULL) == ukSqlOk ||
                guardFailed(g);
    while (good && (status = ukSql.step(query)) == ukSqlRow) {
        const char *const name = (const char *)ukSql.column_text(query, 0);
        if (findKnownTable(tables, count, name))
            good = verifyValues(g, name, (const char *)ukSql.column_text(query, 1));
    }
    if (good && status != ukSqlDone) good = guardFailed(g);
    ukSql.finalize(query);
    return good;
}

bool ukGuardVerify(ukGuard *g, const ukTable *tables, size_t count)
{
    return verifySchema(g, tables, count) && verifyPages(g) && verifyAllValues(g, tables, count);
}

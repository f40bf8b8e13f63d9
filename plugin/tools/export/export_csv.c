/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export_csv.c: a recording as CSV files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugin/tools/export/export.h"
#include "plugin/tools/terminal/output_file.h"

static bool failCsv(ukReader *reader, const char *path)
{
    snprintf(reader->error, sizeof reader->error, "%.300s: %.80s", path, outputFileFault(errno));
    return false;
}

/* Whether a spreadsheet would evaluate the field, quoted or not, because of its first character: an apostrophe before
 * it makes it a text. */
static bool isFormula(const char *text, size_t size)
{
    return size > 0 && memchr("=+-@\t\r\n", text[0], 7) != NULL;
}

/* Writes a text, in quotation marks if necessary; a quoted field is a text, even if it is empty. */
static void putText(FILE *file, const char *text, size_t size)
{
    const bool plain = size > 0 && memchr(text, '"', size) == NULL && memchr(text, ',', size) == NULL &&
                       memchr(text, '\n', size) == NULL && memchr(text, '\r', size) == NULL;
    if (!plain) fputc('"', file);
    if (isFormula(text, size)) fputc('\'', file);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"') fputc('"', file);
        if ((c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f)
            fprintf(file, "\\x%02x", c); /* a table may be shown on a terminal */
        else
            fputc(c, file);
    }
    if (!plain) fputc('"', file);
}

static void putBlob(FILE *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        fputc(digits[bytes[i] >> 4], file);
        fputc(digits[bytes[i] & 15], file);
    }
}

/* the fewest digits that are read back as the same number */
static void putReal(FILE *file, double x)
{
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    fputs(text, file);
}

static void putValue(FILE *file, sqlite3_stmt *row, int k)
{
    const void *data;
    switch (ukSql.column_type(row, k)) {
    case ukSqlInteger: fprintf(file, "%lld", ukSql.column_int64(row, k)); break;
    case ukSqlReal: putReal(file, ukSql.column_double(row, k)); break;
    case ukSqlText:
        data = ukSql.column_text(row, k);
        putText(file, data, (size_t)ukSql.column_bytes(row, k));
        break;
    case ukSqlBlob:
        data = ukSql.column_blob(row, k);
        putBlob(file, data, (size_t)ukSql.column_bytes(row, k));
        break;
    default: break;
    }
}

static bool writeTable(ukReader *reader, const char *table, FILE *file)
{
    char sql[160];
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    sqlite3_stmt *const rows = ukReaderAsk(reader, sql);
    if (!rows) return false;
    const int columns = ukSql.column_count(rows);
    for (int k = 0; k < columns; k++) {
        const char *const name = ukSql.column_name(rows, k);
        if (k > 0) fputc(',', file);
        putText(file, name, strlen(name));
    }
    fputs("\r\n", file);
    while (!ferror(file) && ukReaderNext(reader, rows)) {
        for (int k = 0; k < columns; k++) {
            if (k > 0) fputc(',', file);
            putValue(file, rows, k);
        }
        fputs("\r\n", file);
    }
    ukReaderDone(rows);
    return !reader->error[0];
}

/* A recording comes from anywhere: only ukode's own tables may name files, which are written over. */
static bool isOurs(const char *name)
{
    bool found = strcmp(name, "finding") == 0; /* of a report */
    for (int t = 0; t < ukTables && !found; t++) found = strcmp(name, ukSchema[t].name) == 0;
    return found;
}

static bool exportTable(ukReader *reader, const char *directory, const char *table)
{
    char path[1200];
    if (!table || !isOurs(table)) return true;
    snprintf(path, sizeof path, "%.1000s/%s.csv", directory, table);
    FILE *const file = outputFileOpen(path, true);
    if (!file) return failCsv(reader, path);
    bool good = writeTable(reader, table, file);
    if (!outputFileClose(file, path, good) && good) good = failCsv(reader, path);
    return good;
}

bool exportCsv(ukReader *reader, const char *directory)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) return failCsv(reader, directory);
    sqlite3_stmt *const tables = ukReaderAsk(
        reader,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name");
    bool good = tables != NULL;
    while (good && ukReaderNext(reader, tables))
        good = exportTable(reader, directory, (const char *)ukSql.column_text(tables, 0));
    ukReaderDone(tables);
    return good && !reader->error[0];
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/parts.h"

#include "plugin/tools/terminal/column.h"

/* ---- rows as objects: each named by its column, numbers as numbers ----------------------------------------------- */

void pageWriteValue(FILE *file, const Query *q, int k)
{
    const int type = ukSql.column_type(q->statement, k);
    if (type == ukSqlText)
        columnWriteText(file, queryText(q, k));
    else if (type == ukSqlInteger)
        fprintf(file, "%lld", (long long)queryInteger(q, k));
    else if (type == ukSqlReal)
        columnWriteNumber(file, queryNumber(q, k));
    else
        fprintf(file, "null");
}

void pageOpenObject(FILE *file, const Query *q)
{
    const int columns = ukSql.column_count(q->statement);
    for (int k = 0; k < columns; k++) {
        putc(k ? ',' : '{', file);
        columnWriteText(file, ukSql.column_name(q->statement, k));
        putc(':', file);
        pageWriteValue(file, q, k);
    }
}

void pageWriteRows(FILE *file, ukReader *reader, const char *sql, int64_t world)
{
    bool first = true;
    putc('[', file);
    for (Query q = queryOfWorld(reader, sql, world); queryNext(&q); first = false) {
        if (!first) putc(',', file);
        pageOpenObject(file, &q);
        putc('}', file);
    }
    putc(']', file);
}

/* ---- table over time -------------------------------------------------------------------------------------------- */

void pageWriteParts(FILE *file, const ObjectTable *table, int index, const Part *parts, int count)
{
    const int first = table->first[index], frames = table->last[index] - first + 1;
    fprintf(file, ",\"first\":%d,\"last\":%d", first, table->last[index]);
    for (int k = 0; frames > 0 && k < count; k++) {
        fprintf(file, ",\"%s\":[", parts[k].name);
        for (int i = 0; i < parts[k].width; i++) {
            if (i) putc(',', file);
            columnWrite(file, objectTableAt(table, first, index) + parts[k].from + i, (size_t)frames,
                        (size_t)table->count * (size_t)table->width, parts[k].bits);
        }
        putc(']', file);
    }
}

void pageWriteObjects(FILE *file, ukReader *reader, const char *sql, const ObjectTable *table, const Part *parts,
                      int count)
{
    bool first = true;
    putc('[', file);
    for (Query q = queryOfWorld(reader, sql, table->world); queryNext(&q); first = false) {
        const int index = objectTableFind(table, queryInteger(&q, 0));
        if (!first) putc(',', file);
        pageOpenObject(file, &q);
        if (index >= 0) pageWriteParts(file, table, index, parts, count);
        putc('}', file);
    }
    putc(']', file);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/query/query.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/plain.h"

enum { Most = 32 }; /* parameters of a query */

/* A statement under way, and the values of its parameters. */
typedef struct Text {
    char sql[8192];
    size_t length;
    int parameters;
    bool real[Most];
    double number[Most];
    long long integer[Most];
} Text;

static void appendSql(Text *t, const char *text, size_t length)
{
    const size_t left = sizeof t->sql - 1 - t->length, n = length < left ? length : left;
    memcpy(t->sql + t->length, text, n);
    t->sql[t->length += n] = 0;
}

static void addParameter(Text *t, bool real, double number, long long integer)
{
    if (t->parameters == Most) return; /* it stays NULL */
    t->real[t->parameters] = real, t->number[t->parameters] = number, t->integer[t->parameters++] = integer;
    appendSql(t, "?", 1);
}

/* Converts one argument as printf does; returns the end of the conversion in the format. */
static const char *convertArgument(Text *t, const char *at, va_list *arguments)
{
    const size_t digits = strspn(at + 1, "0123456789."), longs = strspn(at + 1 + digits, "l");
    const char *const kind = at + 1 + digits + longs;
    if (*kind == 's') {
        const char *const text = va_arg(*arguments, const char *);
        appendSql(t, text, strlen(text));
    } else if (*kind == 'd') {
        addParameter(t, false, 0,
                     longs == 2   ? va_arg(*arguments, long long)
                     : longs == 1 ? va_arg(*arguments, long)
                                  : va_arg(*arguments, int));
    } else if (*kind == 'g') {
        addParameter(t, true, va_arg(*arguments, double), 0);
    } else {
        appendSql(t, "%", 1);
    }
    return *kind ? kind + 1 : kind;
}

/* Numbers are bound as parameters: the statement is prepared once for all worlds, bodies and steps. */
static Query prepareQuery(ukReader *reader, const char *format, va_list *arguments)
{
    Text t = {.length = 0};
    for (const char *at = format; *at;) {
        const size_t plain = strcspn(at, "%");
        appendSql(&t, at, plain);
        at += plain;
        if (*at) at = convertArgument(&t, at, arguments);
    }
    const Query q = {reader, ukReaderBorrow(reader, t.sql)};
    for (int i = 0; q.statement && i < t.parameters; i++) {
        if (t.real[i])
            ukSql.bind_double(q.statement, i + 1, t.number[i]);
        else
            ukSql.bind_int64(q.statement, i + 1, t.integer[i]);
    }
    return q;
}

Query queryBegin(ukReader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Query query = prepareQuery(reader, format, &arguments);
    va_end(arguments);
    return query;
}

Query queryOfWorld(ukReader *reader, const char *sql, int64_t world)
{
    const Query q = {reader, ukReaderBorrow(reader, sql)};
    if (q.statement) ukSql.bind_int64(q.statement, 1, world);
    return q;
}

bool queryNext(Query *query)
{
    if (!query->statement) return false;
    if (ukReaderNext(query->reader, query->statement)) return true;
    queryEnd(query);
    return false;
}

void queryEnd(Query *query)
{
    ukReaderReturn(query->reader, query->statement);
    query->statement = NULL;
}

double queryNumber(const Query *query, int column)
{
    return ukReaderReal(query->statement, column);
}

int64_t queryInteger(const Query *query, int column)
{
    return ukSql.column_int64(query->statement, column);
}

const char *queryRawText(const Query *query, int column)
{
    const unsigned char *const text = ukSql.column_text(query->statement, column);
    return text ? (const char *)text : "";
}

const char *queryText(const Query *query, int column)
{
    enum { Texts = 16 };
    static _Thread_local char *copies[Texts];
    static _Thread_local unsigned latest;
    const char *const text = queryRawText(query, column);
    const size_t length = strlen(text);
    if (ukPlainIs(text, length)) return text;
    char **const place = &copies[++latest % Texts], *const grown = realloc(*place, 4 * length + 1);
    if (!grown) return "?";
    *place = grown;
    ukPlainCopy(text, length, grown, 4 * length + 1);
    return grown;
}

double queryOne(ukReader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Query query = prepareQuery(reader, format, &arguments);
    va_end(arguments);
    const double value = queryNext(&query) ? queryNumber(&query, 0) : NAN;
    queryEnd(&query);
    return value;
}

int64_t queryOneInteger(ukReader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Query query = prepareQuery(reader, format, &arguments);
    va_end(arguments);
    const int64_t value = queryNext(&query) ? queryInteger(&query, 0) : 0;
    queryEnd(&query);
    return value;
}

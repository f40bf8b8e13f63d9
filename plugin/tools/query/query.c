/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/query/query.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/plain.h"

static Query begin(ukReader *reader, const char *format, va_list arguments)
{
    char text[8192];
    vsnprintf(text, sizeof text, format, arguments);
    return (Query){reader, ukReaderAsk(reader, text)};
}

Query queryBegin(ukReader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Query query = begin(reader, format, arguments);
    va_end(arguments);
    return query;
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
    ukReaderDone(query->statement);
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
    Query query = begin(reader, format, arguments);
    va_end(arguments);
    const double value = queryNext(&query) ? queryNumber(&query, 0) : NAN;
    queryEnd(&query);
    return value;
}

int64_t queryOneInteger(ukReader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Query query = begin(reader, format, arguments);
    va_end(arguments);
    const int64_t value = queryNext(&query) ? queryInteger(&query, 0) : 0;
    queryEnd(&query);
    return value;
}

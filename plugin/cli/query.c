/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/cli/query.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

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

const char *queryText(const Query *query, int column)
{
    const unsigned char *const text = ukSql.column_text(query->statement, column);
    return text ? (const char *)text : "";
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

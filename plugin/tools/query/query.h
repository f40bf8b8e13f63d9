/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/query/query.h: queries of a recording, one line each. */
#ifndef UKODE_PLUGIN_TOOLS_QUERY_QUERY_H
#define UKODE_PLUGIN_TOOLS_QUERY_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/formats/recording/reader.h"

/* The rows of one statement, one after the other:
 *     for (Query q = queryBegin(r, "SELECT body FROM body WHERE world = %d", 1); queryNext(&q);) use(queryInteger(&q,
 *     0));
 * The statement is given back after its last row; queryEnd leaves before that. What fails has no rows, and
 * sets the reader's `error`. */
typedef struct Query {
    ukReader *reader;
    sqlite3_stmt *statement;
} Query;
Query queryBegin(ukReader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of a text whose parameter ?1, if it has one, is a world. */
Query queryOfWorld(ukReader *reader, const char *sql, int64_t world);
bool queryNext(Query *query);
void queryEnd(Query *query);

double queryNumber(const Query *query, int column);   /* NaN: NULL */
int64_t queryInteger(const Query *query, int column); /* 0: NULL */
/* A text of the row that is safe to print (bridge/base/plain.h); "": NULL. Valid until the next row, and for 15 more
 * texts that were not plain. */
const char *queryText(const Query *query, int column);
/* The text as it is stored, for JSON and other forms that escape by themselves. */
const char *queryRawText(const Query *query, int column);

/* The first value of the first row; NaN: there is none. */
double queryOne(ukReader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same as an integer; 0: there is none, or it is NULL. */
int64_t queryOneInteger(ukReader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/plain.h"
#include "bridge/base/plural.h"
#include "plugin/tools/sweep/sample.h"
#include "plugin/tools/terminal/message.h"

enum { MostPrinted = 10 };

static sqlite3_stmt *prepareVerdictQuery(Store *store, const char *sql)
{
    sqlite3_stmt *query = NULL;
    return ukSql.prepare_v2(store->file, sql, -1, &query, NULL) == ukSqlOk ? query : NULL;
}

/* `to`: what another person's database has there, on one line */
static const char *verdictTextOf(sqlite3_stmt *query, int column, char to[300])
{
    const char *const text = (const char *)ukSql.column_text(query, column);
    ukPlainCopy(text ? text : "", text ? strlen(text) : 0, to, 300);
    return to;
}

/* the command line of a point */
static void commandLine(const Study *study, long point, Text *text)
{
    Job job = {.point = point, .repetition = 1};
    for (int i = 0; i < study->variables; i++) {
        Text value = {0};
        sampleValue(study, i, point, &value);
        job.value[i] = value.at;
    }
    jobWords(&job, study, text);
    jobClear(&job);
}

static void printFailures(Store *store, const Study *study)
{
    sqlite3_stmt *const query = prepareVerdictQuery(
        store, "SELECT outcome, count(*), min(point), why FROM run WHERE outcome <> 'ok' GROUP BY outcome, "
               "coalesce(exit_status, -signal) ORDER BY count(*) DESC");
    for (int i = 0; query && ukSql.step(query) == ukSqlRow && i < MostPrinted; i++) {
        Text text = {0};
        char outcome[300], why[300];
        const long long count = ukSql.column_int64(query, 1), point = ukSql.column_int64(query, 2);
        commandLine(study, (long)point, &text);
        messagePrint("sweep: %lld run%s: %s (%s); the first is point %lld: %s", count, ukPlural((double)count),
                     verdictTextOf(query, 0, outcome), verdictTextOf(query, 3, why), point, text.at);
        textFree(&text);
    }
    if (query) ukSql.finalize(query);
}

/* The result of a run that was ended by a limit is not known. */
static bool printRepeated(Store *store, const Study *study)
{
    long differ = 0;
    if (study->repeat < 2) return true;
    sqlite3_stmt *const query = prepareVerdictQuery(
        store, "SELECT point FROM run WHERE outcome IN ('ok', 'exit', 'signal') GROUP BY point HAVING count(DISTINCT "
               "coalesce(hash, '')) > 1 OR count(DISTINCT coalesce(exit_status, -signal)) > 1 ORDER BY point");
    while (query && ukSql.step(query) == ukSqlRow) {
        Text text = {0};
        commandLine(study, (long)ukSql.column_int64(query, 0), &text);
        if (differ++ < MostPrinted)
            messagePrint("sweep: not reproducible: point %lld: %s", ukSql.column_int64(query, 0), text.at);
        textFree(&text);
    }
    if (query) ukSql.finalize(query);
    if (differ > 0)
        messagePrint("sweep: %ld of %ld points ended differently in repeated runs (docs/sweep.md)", differ,
                     store->points);
    else if (store->count == store->points * store->repeat)
        messagePrint("sweep: the final states of all points are identical in all %ld repetitions, bit for bit",
                     store->repeat);
    return differ == 0;
}

bool verdictPrint(Store *store, const Study *study, const CrewResult *result, double wall)
{
    const long all = store->points * store->repeat;
    if (result->fault[0]) messagePrint("sweep: %s", result->fault);
    printFailures(store, study);
    const bool alike = printRepeated(store, study);
    return messageFail(alike && store->count == all && !result->fault[0],
                       "sweep: %ld of %ld runs are complete, %ld of them now in %.4g s; %.4g s in total%s",
                       store->count, all, result->done, wall, result->seconds,
                       store->count < all ? "; the same command continues" : "");
}

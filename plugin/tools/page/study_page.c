/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/study_page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "plugin/tools/page/page.h"
#include "plugin/tools/page/parts.h"
#include "plugin/tools/query/query.h"
#include "plugin/tools/terminal/column.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/output_file.h"

enum { MostRows = 4000 }; /* that a page can draw at ease */

/* Whether all column names are plain identifiers, since they are inserted into SQL. */
static bool namesArePlain(ukReader *r)
{
    for (Query q = queryBegin(r, "SELECT name FROM run_column"); queryNext(&q);) {
        if (ukGuardIsName(queryRawText(&q, 0))) continue;
        snprintf(r->error, sizeof r->error, "%.200s: table run_column: '%.60s' is not the name of a column", r->path,
                 queryText(&q, 0));
        queryEnd(&q);
    }
    return !r->error[0];
}

bool studyOpen(ukReader *r, const char *path)
{
    *r = (ukReader){0};
    snprintf(r->path, sizeof r->path, "%s", path);
    if (!ukSqliteReady()) {
        snprintf(r->error, sizeof r->error, "%s", UKODE_SQLITE_MISSING);
        return false;
    }
    bool good = ukGuardOpen(&r->guard, path);
    r->file = r->guard.file;
    if (good) ukSql.busy_timeout(r->file, 10000);
    good = good && ukGuardVerify(&r->guard, NULL, 0);
    if (!good) snprintf(r->error, sizeof r->error, "%.200s: %.190s", path, r->guard.error);
    good = good && namesArePlain(r);
    if (!good) ukReaderClose(r);
    return good;
}

static void writeRow(FILE *file, const Query *q)
{
    const int columns = ukSql.column_count(q->statement);
    putc('[', file);
    for (int k = 0; k < columns; k++) {
        if (k) putc(',', file);
        pageWriteValue(file, q, k);
    }
    putc(']', file);
}

/* Writes the runs, evenly sampled if there are too many, without their printed output. */
static void writeRuns(FILE *file, ukReader *r)
{
    char sql[4096] = "";
    size_t used = 0;
    const double runs = queryOne(r, "SELECT count(*) FROM run");
    for (Query q = queryBegin(r, "SELECT name FROM run_column WHERE name <> 'output' ORDER BY rowid"); queryNext(&q);) {
        const int n = snprintf(sql + used, sizeof sql - used, "%s\"%s\"", used ? ", " : "", queryText(&q, 0));
        if (n > 0 && (size_t)n < sizeof sql - used) used += (size_t)n;
    }
    const long each = runs > MostRows ? (long)(runs / MostRows) + 1 : 1;
    bool first = true;
    fprintf(file, ",\"rows\":[");
    for (Query q =
             queryBegin(r, "SELECT %s FROM run WHERE (point - 1) %% %ld = 0 ORDER BY repetition, point", sql, each);
         queryNext(&q); first = false) {
        if (!first) putc(',', file);
        writeRow(file, &q);
    }
    putc(']', file);
}

#define NOT_ALIKE                                                                                                      \
    "SELECT point FROM run WHERE outcome IN ('ok', 'exit', 'signal') GROUP BY point HAVING count(DISTINCT "            \
    "coalesce(hash, '')) > 1 OR count(DISTINCT coalesce(exit_status, -signal)) > 1"

/* Describes whether repeated runs have identical results; "": no run was repeated. */
static void describeReproducibility(ukReader *r, char *text, size_t size)
{
    const double repeated = queryOne(r, "SELECT count(DISTINCT point) FROM run WHERE repetition > 1");
    const double differ = queryOne(r, "SELECT count(*) FROM (" NOT_ALIKE ")");
    text[0] = 0;
    if (repeated > 0 && differ > 0)
        snprintf(text, size,
                 "Not reproducible: %.0f of %.0f points ended differently in repeated runs; the first is %.0f.", differ,
                 repeated, queryOne(r, NOT_ALIKE " ORDER BY point"));
    else if (repeated > 0)
        snprintf(text, size,
                 "Reproducible: the final states of %.0f point%s are identical in all repetitions, bit for bit.",
                 repeated, ukPlural(repeated));
}

#define OUTCOMES                                                                                                       \
    "SELECT outcome, count(*) AS runs, min(point) AS point, why FROM run GROUP BY outcome, coalesce(exit_status, "     \
    "-signal) ORDER BY count(*) DESC"

static bool writeData(FILE *file, void *context)
{
    ukReader *const r = context;
    char text[600];
    const double runs = queryOne(r, "SELECT count(*) FROM run");
    Query q = queryBegin(r, "SELECT value FROM study WHERE name = 'text'");
    fprintf(file, "\"text\":");
    columnWriteText(file, queryNext(&q) ? queryRawText(&q, 0) : "");
    queryEnd(&q);
    const char *const slash = strrchr(r->path, '/');
    fprintf(file, ",\"title\":");
    columnWriteText(file, slash ? slash + 1 : r->path);
    snprintf(text, sizeof text, "%.0f run%s, %.4g s in total%s", runs, ukPlural(runs),
             queryOne(r, "SELECT sum(seconds) FROM run"), runs > MostRows ? "; an even selection is drawn" : "");
    fprintf(file, ",\"about\":");
    columnWriteText(file, text);
    describeReproducibility(r, text, sizeof text);
    fprintf(file, ",\"alike\":");
    columnWriteText(file, text);
    fprintf(file, ",\"outcomes\":");
    pageWriteRows(file, r, OUTCOMES, 0);
    fprintf(file, ",\"columns\":");
    pageWriteRows(file, r, "SELECT name, role, unit, meaning FROM run_column WHERE name <> 'output' ORDER BY rowid", 0);
    writeRuns(file, r);
    return r->error[0] == 0;
}

static void printStudyPage(ukReader *r)
{
    char text[300];
    for (Query q = queryBegin(r, OUTCOMES); queryNext(&q);)
        printf("%6.0f %s%s%s\n", queryNumber(&q, 1), queryText(&q, 0), *queryText(&q, 3) ? ": " : "", queryText(&q, 3));
    describeReproducibility(r, text, sizeof text);
    if (text[0]) printf("%s\n", text);
    printf("%-24s %8s %12s %12s %12s\n", "", "runs", "mean", "least", "most");
    for (Query q =
             queryBegin(r, "SELECT name FROM run_column WHERE role = 'result' OR name = 'seconds' ORDER BY rowid");
         queryNext(&q);) {
        Query n = queryBegin(r, "SELECT count(\"%s\"), avg(\"%s\"), min(\"%s\"), max(\"%s\") FROM run",
                             queryText(&q, 0), queryText(&q, 0), queryText(&q, 0), queryText(&q, 0));
        if (queryNext(&n))
            printf("%-24s %8.0f %12.6g %12.6g %12.6g\n", queryText(&q, 0), queryNumber(&n, 0), queryNumber(&n, 1),
                   queryNumber(&n, 2), queryNumber(&n, 3));
        queryEnd(&n);
    }
}

static int writeStudyPage(ukReader *r, const char *path, bool derived)
{
    FILE *const file = outputFileOpen(path, derived);
    bool good = file && pageWrite(file, "study.html", writeData, r);
    if (file) good = outputFileClose(file, path, good);
    if (good) return 0;
    return messageFail(1, "%s: %s", path, r->error[0] ? r->error : outputFileFault(errno));
}

int studyPage(const char *database, const char *page, bool text)
{
    ukReader r;
    char name[1100];
    const char *const slash = strrchr(database, '/'), *const dot = strrchr(database, '.');
    const size_t length = dot && (!slash || dot > slash + 1) ? (size_t)(dot - database) : strlen(database);
    snprintf(name, sizeof name, "%.*s.html", (int)length, database);
    if (!studyOpen(&r, database)) return messageFail(1, "%s", r.error);
    int status = 0;
    if (text) printStudyPage(&r);
    if (page || !text) status = writeStudyPage(&r, page ? page : name, !page);
    if (!status && r.error[0]) messagePrint("%s", r.error);
    status |= r.error[0] != 0;
    ukReaderClose(&r);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/locus_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plugin/tools/page/page.h"
#include "plugin/tools/page/parts.h"
#include "plugin/tools/page/study_page.h"
#include "plugin/tools/query/query.h"
#include "plugin/tools/terminal/column.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/output_file.h"

/* Maximum size of complete answers, with shapes, in a page; beyond it only the poles of runs are included. */
static const double most_bytes = 16e6;

/* The answers of `ukode modes` among the kept files, the first of each run, as texts that are valid JSON and cannot end
 * the <script> element. */
#define ANSWERS                                                                                                        \
    "answer AS (SELECT point, min(name) AS name, text FROM (SELECT point, name, CAST(content AS TEXT) AS text FROM "   \
    "file WHERE repetition = 1) WHERE json_valid(text) AND json_extract(text, '$.kind') = 'modes' AND "                \
    "instr(text, '<') = 0 GROUP BY point)"
#define POLES                                                                                                          \
    "pole AS (SELECT answer.point AS point, key + 1 AS mode, CAST(json_extract(value, '$.growth') AS REAL) AS "        \
    "growth, "                                                                                                         \
    "CAST(json_extract(value, '$.frequency') AS REAL) AS frequency FROM answer, json_each(answer.text, '$.modes'))"

/* ---- table and CSV ----------------------------------------------------------------------------------------------- */

/* The names of the study's variables, each followed by a comma, for queries. */
static void listVariables(ukReader *r, char *list, size_t size)
{
    size_t used = 0;
    list[0] = 0;
    for (Query q = queryBegin(r, "SELECT name FROM run_column WHERE role = 'variable' ORDER BY rowid");
         queryNext(&q);) {
        const int n = snprintf(list + used, size - used, "\"%s\", ", queryText(&q, 0));
        if (n > 0 && (size_t)n < size - used) used += (size_t)n;
        list[used] = 0;
    }
}

static void printVariables(ukReader *r, FILE *file, const char *format, const char *between)
{
    for (Query q = queryBegin(r, "SELECT name FROM run_column WHERE role = 'variable' ORDER BY rowid");
         queryNext(&q);) {
        fprintf(file, format, queryText(&q, 0));
        fputs(between, file);
    }
}

static void printLocus(ukReader *r, const char *variables)
{
    printf("%6s  ", "point");
    printVariables(r, stdout, "%12.60s", "  ");
    printf("%6s  %8s  %14s  %14s\n", "modes", "unstable", "growth 1/s", "at rad/s");
    Query q = queryBegin(
        r,
        "WITH " ANSWERS ", " POLES
        " SELECT run.point, %scount(growth), sum(growth > 0 AND growth * growth > 1e-14 * (SELECT max(growth "
        "* growth + frequency * frequency) FROM pole AS p WHERE p.point = run.point)), max(growth), "
        "frequency "
        "FROM run JOIN answer USING (point) LEFT JOIN pole USING (point) WHERE repetition = 1 GROUP BY "
        "run.point ORDER BY run.point",
        variables);
    while (queryNext(&q)) {
        const int columns = ukSql.column_count(q.statement);
        printf("%6.0f  ", queryNumber(&q, 0));
        for (int k = 1; k < columns - 4; k++) printf("%12.60s  ", queryText(&q, k));
        printf("%6.0f  %8.0f", queryNumber(&q, columns - 4), queryNumber(&q, columns - 3));
        for (int k = columns - 2; k < columns; k++)
            if (isnan(queryNumber(&q, k)))
                printf("  %14s", "-");
            else
                printf("  %14.9g", queryNumber(&q, k));
        putchar('\n');
    }
}

/* A value as a field of CSV: numbers with all digits; texts quoted, and with an apostrophe where a spreadsheet would
 * evaluate them (plugin/tools/export/export_csv.c). */
static void writeField(FILE *file, const Query *q, int k)
{
    if (ukSql.column_type(q->statement, k) != ukSqlText) {
        fprintf(file, "%.17g", queryNumber(q, k));
        return;
    }
    const char *text = queryText(q, k);
    fputs(strchr("=+-@", *text) && *text ? "\"'" : "\"", file);
    for (; *text; text++) fputs(*text == '"' ? "\"\"" : (const char[]){*text, 0}, file);
    putc('"', file);
}

static bool writeLocusTable(FILE *file, ukReader *r, const char *variables)
{
    fputs("point,", file);
    printVariables(r, file, "%s", ",");
    fputs("mode,growth,frequency\n", file);
    Query q =
        queryBegin(r,
                   "WITH " ANSWERS ", " POLES
                   " SELECT run.point, %smode, growth, frequency FROM run JOIN pole USING (point) WHERE repetition = 1 "
                   "ORDER BY run.point, mode",
                   variables);
    while (queryNext(&q)) {
        const int columns = ukSql.column_count(q.statement);
        for (int k = 0; k < columns; k++) {
            if (k > 0) putc(',', file);
            writeField(file, &q, k);
        }
        putc('\n', file);
    }
    return r->error[0] == 0;
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

typedef struct LocusSource {
    ukReader *reader;
    const char *variables;
} LocusSource;

/* "answer": of the first run; "locus": variables, and of each run their values, its poles, its answer or null */
static bool writeLocusData(FILE *file, void *context)
{
    const LocusSource *const s = context;
    double bytes = 0;
    bool first = true;
    Query q = queryBegin(s->reader, "WITH " ANSWERS " SELECT text FROM answer ORDER BY point LIMIT 1");
    fprintf(file, "\"answer\":%s", queryNext(&q) ? queryRawText(&q, 0) : "null");
    queryEnd(&q);
    fputs(",\"locus\":{\"variables\":", file);
    pageWriteRows(file, s->reader, "SELECT name FROM run_column WHERE role = 'variable' ORDER BY rowid", 0);
    fputs(",\"runs\":[", file);
    q = queryBegin(
        s->reader,
        "WITH " ANSWERS " SELECT (SELECT json_group_array(json_array(CAST(json_extract(value, '$.growth') AS REAL), "
        "CAST(json_extract(value, '$.frequency') AS REAL))) FROM json_each(answer.text, '$.modes')), "
        "length(answer.text), answer.text, %srun.point FROM run JOIN answer USING (point) WHERE repetition = "
        "1 ORDER BY run.point",
        s->variables);
    for (; queryNext(&q); first = false) {
        const int columns = ukSql.column_count(q.statement);
        bytes += queryNumber(&q, 1);
        fprintf(file, "%s\n{\"poles\":%s,\"values\":[", first ? "" : ",", queryRawText(&q, 0));
        for (int k = 3; k < columns - 1; k++) {
            if (k > 3) putc(',', file);
            pageWriteValue(file, &q, k);
        }
        fprintf(file, "],\"point\":%.0f,\"answer\":%s}", queryNumber(&q, columns - 1),
                bytes <= most_bytes ? queryRawText(&q, 2) : "null");
    }
    fputs("]}", file);
    return s->reader->error[0] == 0;
}

static int writeLocus(ukReader *r, const char *variables, const char *path)
{
    LocusSource source = {r, variables};
    const size_t length = strlen(path);
    const bool page = length > 5 && strcmp(path + length - 5, ".html") == 0;
    FILE *const file = outputFileOpen(path, false);
    bool good =
        file && (page ? pageWrite(file, "modes.html", writeLocusData, &source) : writeLocusTable(file, r, variables));
    if (file) good = outputFileClose(file, path, good);
    if (good) return 0;
    return messageFail(1, "%s: %s", path, r->error[0] ? r->error : outputFileFault(errno));
}

int locusPage(const char *database, const char *path)
{
    ukReader r;
    char variables[2048];
    int status = 0;
    if (!studyOpen(&r, database)) return messageFail(1, "%s", r.error);
    listVariables(&r, variables, sizeof variables);
    const double runs = queryOne(&r, "WITH " ANSWERS " SELECT count(*) FROM answer");
    if (!r.error[0] && !(runs > 0)) {
        messagePrint("%s: no run of this sweep has kept an answer of ukode modes (`ukode modes --json -o modes.json "
                     "...` as the program, and `keep modes.json` in the study)",
                     database);
        status = 1;
    } else if (!r.error[0]) {
        printLocus(&r, variables);
        if (path) status = writeLocus(&r, variables, path);
    }
    if (r.error[0]) {
        if (status == 0) messagePrint("%s", r.error);
        status = 1;
    }
    ukReaderClose(&r);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/guard.h: what a query of a file from elsewhere may take. An endless query ends with an
 * error, as does one that is too long for the size of the file; values beyond 128 MB, further databases and changes of
 * the schema are refused. */
#include "plugin/formats/recording/guard.h"

#include <string.h>
#include <unistd.h>

#include "plugin/formats/recording/queue.h"
#include "plugin/formats/recording/reader.h"
#include "tests/check.h"

static char path[64];

/* The error of a query, "" if it has none; `spent`: of the budget, in operations, before it. */
static const char *errorOf(const char *sql, double spent)
{
    static char error[400];
    ukReader r;
    if (!CHECK(ukReaderOpen(&r, path))) return "not opened";
    r.guard.spent += (long long)(spent * (double)r.guard.budget);
    sqlite3_stmt *const query = ukReaderAsk(&r, sql);
    while (query && ukReaderNext(&r, query)) {}
    ukReaderDone(query);
    snprintf(error, sizeof error, "%s", r.error);
    ukReaderClose(&r);
    return error;
}

static bool refuses(const char *sql, const char *says, double spent)
{
    const char *const error = errorOf(sql, spent);
    if (strstr(error, says)) return true;
    printf("%s: '%s'\n", sql, error);
    return false;
}

static void budget(void)
{
    static const char endless[] =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    static const char longer[] = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT "
                                 "count(*) FROM n";
    ukReader r;
    if (!CHECK(ukReaderOpen(&r, path))) return;
    CHECK(r.guard.budget == 100000000 + 100 * (long long)r.guard.size);
    CHECK(r.guard.spent < r.guard.budget / 10);
    ukReaderClose(&r);
    CHECK(refuses(endless, "more work than", 0.6));
    CHECK(strcmp(errorOf(longer, 0), "") == 0);
    CHECK(refuses(longer, "more work than", 0.999));
    CHECK(refuses("SELECT 1", "more work than", 1)); /* to prepare a query takes of it, too */
}

static void limits(void)
{
    CHECK(ukGuardLongest == 128 << 20);
    CHECK(refuses("SELECT zeroblob(134217729)", "too big", 0));
    CHECK(strcmp(errorOf("SELECT length(zeroblob(134217728))", 0), "") == 0);
    CHECK(refuses("ATTACH ':memory:' AS other", "attached", 0));
    CHECK(refuses("UPDATE sqlite_master SET sql = ''", "may not be modified", 0));
}

int main(void)
{
    char message[512];
    snprintf(path, sizeof path, "recording_guard_%d.ukode", (int)getpid());
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), 77;
    ukQueue *const queue = ukQueueOpen(path, message, sizeof message);
    if (CHECK(queue != NULL)) {
        ukQueueClose(queue);
        budget();
        limits();
    }
    unlink(path);
    return ukTestEnd();
}

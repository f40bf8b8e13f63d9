/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/plugin/recording/ask.c: see ask.h */
#include "tests/plugin/recording/ask.h"

#include <math.h>
#include <stdio.h>

#include "plugin/formats/recording/reader.h"

char path[64];

double ask(const char *sql)
{
    ukReader r;
    if (!ukReaderOpen(&r, path)) printf("%s\n", r.error);
    sqlite3_stmt *const query = r.file ? ukReaderAsk(&r, sql) : NULL;
    const double x = query && ukReaderNext(&r, query) ? ukReaderReal(query, 0) : (double)NAN;
    if (r.error[0]) printf("%s\n", r.error);
    ukReaderDone(query);
    ukReaderClose(&r);
    return x;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/plugin/recording/columns.c: see columns.h */
#include "tests/plugin/recording/columns.h"

#include <math.h>
#include <stdio.h>

#include "tests/check.h"

double column(const char *table, const char *name, const char *where)
{
    char sql[300];
    snprintf(sql, sizeof sql, "SELECT %s FROM %s WHERE %s", name, table, where);
    return ask(sql);
}

void is(const char *table, const char *name, const char *where, double expected, double tolerance)
{
    const double x = column(table, name, where);
    if (!CHECK((isnan(expected) && isnan(x)) || fabs(x - expected) <= tolerance || x == expected))
        printf("%s.%s where %s: %.17g, expected %.17g\n", table, name, where, x, expected);
}

void isVector(const char *table, const char *name, const char *where, const double x[3], double tolerance)
{
    char column_name[64];
    for (int i = 0; i < 3; i++) {
        snprintf(column_name, sizeof column_name, "%s_%c", name, 'x' + i);
        is(table, column_name, where, x[i], tolerance);
    }
}

void begin(dWorldID w, bool certificates)
{
    CHECK(ukWorldRecord(w, path, &(ukRecordOptions){.every_step = 1, .certificates = certificates}) == ukOk);
}

void end(dWorldID w)
{
    CHECK(ukWorldRecord(w, NULL, NULL) == ukOk);
}

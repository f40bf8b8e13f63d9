/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double tableSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tellError(double error)
{
    if (error == TABLE_NONE)
        printf(" – |");
    else if (error == TABLE_ABORTS)
        printf(" aborts |");
    else if (!(error < 1e6))
        printf(" diverges |");
    else
        printf(" %.1e |", error);
}

void tableRow(const char *problem, const char *what, double tolerance, double h, const double error[Ways],
              const double microseconds[Ways])
{
    static char last[128];
    const int first = strcmp(last, problem) != 0;
    printf("| %s | %s |", first ? problem : "", what);
    if (tolerance > 0)
        printf(" %.0e |", tolerance);
    else
        printf(" |");
    if (first)
        printf(" %.2g |", h);
    else
        printf(" |");
    for (int way = 0; way < Ways; way++) tellError(error[way]);
    for (int way = 0; way < Ways; way++) {
        if (!first)
            printf(" |");
        else if (microseconds[way] < 0)
            printf(" – |");
        else
            printf(" %.1f |", microseconds[way]);
    }
    printf("\n");
    fflush(stdout);
    snprintf(last, sizeof last, "%s", problem);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Equations whose rows change a few at a time, against the rows themselves: what is free holds, what follows follows,
 * after every one of a hundred changes, more than one base has room for. */
#include "bounded_oracle.h"
#include "solvers/bounded/bordered.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

enum { Most = 48, Changes = 100 };

typedef struct Dense {
    int rows, ld;
    double S[Most * (Most + 4)];
    int normal[Most]; /* contacts of three rows, the normal first */
    unsigned char held[Most];
    double follow[Most];
} Dense;

static void make(Dense *d, ukRandom *random, int ld)
{
    double G[Most * Most];
    const int rows = d->rows = 3 * ukRandomInt(random, 1, Most / 3);
    d->ld = ld;
    ukRandomVector(random, 1, G, rows * rows);
    for (int i = 0; i < rows; i++) {
        d->normal[i] = i % 3 == 0 ? -1 : i - i % 3;
        d->held[i] = 1, d->follow[i] = 0;
        for (int j = 0; j < rows; j++) {
            double sum = i == j;
            for (int k = 0; k < rows; k++) sum += G[i * rows + k] * G[j * rows + k];
            d->S[i * ld + j] = sum;
        }
    }
}

/* One row changes sides; what slides on a normal that opens follows nothing any more. */
static void change(Dense *d, ukRandom *random)
{
    const int i = ukRandomInt(random, 0, d->rows - 1), first = i - i % 3;
    d->held[i] = !d->held[i];
    for (int k = first + 1; k < first + 3; k++) {
        if (!d->held[first]) d->held[k] = 0;
        d->follow[k] = d->held[k] || !d->held[first] ? 0 : k % 2 ? 0.1 : -0.1;
    }
}

/* the largest miss of a row, relative to its terms */
static double missOf(const Dense *d, const double *r, const double *x)
{
    double worst = 0;
    for (int i = 0; i < d->rows; i++) {
        double miss = d->held[i] ? -r[i] : x[i] - d->follow[i] * (d->normal[i] < 0 ? 0 : x[d->normal[i]]);
        double scale = fabs(r[i]);
        for (int j = 0; j < d->rows && d->held[i]; j++) {
            miss += d->S[i * d->ld + j] * x[j];
            scale += fabs(d->S[i * d->ld + j] * x[j]);
        }
        worst = fmax(worst, fabs(miss) / scale);
    }
    return worst;
}

static void testChanges(void)
{
    ukRandom random = {7};
    ukArena arena = ukArenaOver(NULL, 0);
    ukBordered N;
    ukBorderedCarve(&N, ukKernelOfProcessor(), Most, Most + 2, &arena);
    void *memory = aligned_alloc(64, (arena.used + 127) / 64 * 64);
    arena = ukArenaOver(memory, arena.used + 64);
    ukBorderedCarve(&N, ukKernelOfProcessor(), Most, Most + 2, &arena);
    static Dense d;
    double r[Most + 2], x[Most + 2], worst = 0, renewed = 0;
    int bordered = 0;
    for (int k = 0; k < 50; k++) {
        make(&d, &random, Most + 2);
        ukBorderedBegin(&N, d.S, d.rows, d.normal);
        for (int c = 0; c < Changes; c++) {
            if (c > 0) change(&d, &random);
            ukRandomVector(&random, 1, r, d.rows);
            CHECK(ukBorderedSet(&N, d.held, d.follow));
            bordered += N.changed > 0;
            ukBorderedSolve(&N, r, x);
            worst = fmax(worst, missOf(&d, r, x));
            if (c % 40 != 39 || !ukBorderedRenew(&N)) continue;
            ukBorderedSolve(&N, r, x);
            renewed = fmax(renewed, missOf(&d, r, x));
        }
    }
    CHECK(worst < 1e-12);
    CHECK(renewed < 1e-12);
    CHECK(bordered > 1000);
    printf("%.1e; renewed %.1e; %d of %d bordered\n", worst, renewed, bordered, 50 * Changes);
    free(memory);
}

int main(void)
{
    testChanges();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/row_batch.h: sums of A_i' A_i / softness_i over rows on one or two bodies, a batch of rows at a time
 * and four columns at a time, with the sums in registers. No branch depends on a numerical value, and both instances of
 * the loops (as in kernel.h) give the same bits. */
#ifndef UKODE_SOLVERS_FACTOR_ROW_BATCH_H
#define UKODE_SOLVERS_FACTOR_ROW_BATCH_H

#include "solvers/problem/block.h"

#include <stdbool.h>

enum { ukBatchWide = 12, ukBatchRows = 24 };

/* x = A_i on both bodies (on one: six coefficients, two zeros), columns = A_i + sum of c_j A_j over the rows j that
 * follow row i, 1 / softness */
typedef struct ukRowBatch {
    double x[ukBatchRows * ukBatchWide], columns[ukBatchRows * ukBatchWide], inverse[ukBatchRows];
    int count;
} ukRowBatch;

/* columns 4 q ... 4 q + 3 of sum y' x / softness, rows 4 q ... 4 fours - 1; fresh: from 0, otherwise added to U */
UKODE_INLINE void sumBatchColumns(const ukRowBatch *rows, const double *x, const double *y, const int q,
                                  const int fours, const bool fresh, double *U)
{
    ukFour sum[4][3];
    UKODE_UNROLL
    for (int c = 0; c < 4; c++) {
        UKODE_UNROLL
        for (int k = q; k < fours; k++) {
            sum[c][k] = (ukFour){0};
            if (!fresh) ukLoadFour(&sum[c][k], U + (4 * q + c) * ukBatchWide + 4 * k);
        }
    }
    for (int r = 0; r < rows->count; r++, x += ukBatchWide, y += ukBatchWide) {
        ukFour row[3];
        UKODE_UNROLL
        for (int k = q; k < fours; k++) ukLoadFour(row + k, y + 4 * k), row[k] *= rows->inverse[r];
        UKODE_UNROLL
        for (int c = 0; c < 4; c++) {
            UKODE_UNROLL
            for (int k = q; k < fours; k++) sum[c][k] += x[4 * q + c] * row[k];
        }
    }
    UKODE_UNROLL
    for (int c = 0; c < 4; c++) {
        UKODE_UNROLL
        for (int k = q; k < fours; k++) ukStoreFour(U + (4 * q + c) * ukBatchWide + 4 * k, &sum[c][k]);
    }
}

/* U (ukBatchWide x 4 fours, by columns), of which the lower triangle is computed = sum y' x / softness; fours: 2 for
 * one body, 3 for two */
UKODE_INLINE void ukRowBatchSum(const ukRowBatch *rows, const double *x, const double *y, const int fours,
                                const bool fresh, double *U)
{
    UKODE_UNROLL
    for (int q = 0; q < fours; q++) sumBatchColumns(rows, x, y, q, fours, fresh, U);
}

#endif

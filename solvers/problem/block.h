/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/problem/block.h: two doubles at a time through the compilers' vector extension. Baseline x86-64 and aarch64
 * have such registers, and the sums are formed in the same order everywhere. */
#ifndef UKODE_SOLVERS_PROBLEM_BLOCK_H
#define UKODE_SOLVERS_PROBLEM_BLOCK_H

#include <string.h>

#define UKODE_INLINE static inline __attribute__((always_inline))

typedef double ukPair __attribute__((vector_size(16)));

UKODE_INLINE ukPair ukLoadPair(const double *x)
{
    ukPair pair;
    memcpy(&pair, x, sizeof pair);
    return pair;
}

UKODE_INLINE void ukStorePair(double *x, ukPair pair)
{
    memcpy(x, &pair, sizeof pair);
}

UKODE_INLINE ukPair ukBothOf(double x)
{
    return (ukPair){x, x};
}

/* x -= t y of n doubles */
UKODE_INLINE void ukPairSubtract(double *x, const double *y, double t, int n)
{
    int i = 0;
    for (; i + 1 < n; i += 2) ukStorePair(x + i, ukLoadPair(x + i) - ukBothOf(t) * ukLoadPair(y + i));
    if (i < n) x[i] -= t * y[i];
}

/* x' y of n doubles, every second one by itself */
UKODE_INLINE double ukPairDot(const double *x, const double *y, int n)
{
    ukPair sum = {0};
    int i = 0;
    for (; i + 1 < n; i += 2) sum += ukLoadPair(x + i) * ukLoadPair(y + i);
    return (i < n ? x[i] * y[i] : 0) + (sum[0] + sum[1]);
}

#endif

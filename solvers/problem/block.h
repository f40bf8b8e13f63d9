/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/problem/block.h: two doubles at a time through the compilers' vector extension. Baseline x86-64 and aarch64
 * have such registers, and the sums are formed in the same order everywhere. */
#ifndef UKODE_SOLVERS_PROBLEM_BLOCK_H
#define UKODE_SOLVERS_PROBLEM_BLOCK_H

#include <stdint.h>
#include <string.h>

#define UKODE_INLINE static inline __attribute__((always_inline))
/* before a loop of few rounds whose number the compiler knows */
#if defined(__clang__)
#define UKODE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define UKODE_UNROLL _Pragma("GCC unroll 16")
#endif

/* Functions in two versions, for any processor and for those with AVX2: the same operations in the same order.
 * FUNCTIONS(suffix, target) defines name##suffix with the attribute `target`; UKODE_CHOSEN(name) is the version for
 * this processor. */
#if defined(__x86_64__)
#define UKODE_FOR_PROCESSORS(FUNCTIONS) FUNCTIONS(Any, ) FUNCTIONS(Avx2, __attribute__((target("avx2"))))
#define UKODE_CHOSEN(name) (__builtin_cpu_supports("avx2") ? name##Avx2 : name##Any)
#else
#define UKODE_FOR_PROCESSORS(FUNCTIONS) FUNCTIONS(Any, )
#define UKODE_CHOSEN(name) name##Any
#endif

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

UKODE_INLINE ukPair ukPairAbsolute(ukPair x)
{
    typedef long long Bits __attribute__((vector_size(16)));
    const Bits all_but_sign = {0x7fffffffffffffff, 0x7fffffffffffffff};
    return (ukPair)((Bits)x & all_but_sign);
}

/* Four at a time, where a function is compiled for processors that do so; elsewhere two pairs, the same to the bit. By
 * address: how a value would be passed depends on the processor. */
typedef double ukFour __attribute__((vector_size(32)));

UKODE_INLINE void ukLoadFour(ukFour *four, const double *x)
{
    memcpy(four, x, sizeof *four);
}

UKODE_INLINE void ukStoreFour(double *x, const ukFour *four)
{
    memcpy(x, four, sizeof *four);
}

/* x[0], by itself: compilers make a pair of two such loads otherwise */
UKODE_INLINE double ukOneOf(const double *x)
{
    return *(const volatile double *)x;
}

/* x -= t y of n doubles. Pairs begin where a pair would be aligned: whatever part of a vector it is called for, what
 * one call writes the next one reads whole. A pair made of two writes waits for both to leave the processor. */
UKODE_INLINE void ukPairSubtract(double *x, const double *y, double t, int n)
{
    int i = 0;
    if (n > 0 && (uintptr_t)x % sizeof(ukPair) != 0) x[0] -= t * y[0], i = 1;
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

/* The same to the bit, where the first elements of x have been written one by one just now: they are read likewise. */
UKODE_INLINE double ukPairDotEarly(const double *x, const double *y, int n)
{
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 1 < n && i < 6; i += 2) {
        even += ukOneOf(x + i) * y[i];
        odd += ukOneOf(x + i + 1) * y[i + 1];
    }
    ukPair sum = {even, odd};
    for (; i + 7 < n; i += 8) {
        UKODE_UNROLL
        for (int k = 0; k < 8; k += 2) sum += ukLoadPair(x + i + k) * ukLoadPair(y + i + k);
    }
    for (; i + 1 < n; i += 2) sum += ukLoadPair(x + i) * ukLoadPair(y + i);
    return (i < n ? x[i] * y[i] : 0) + (sum[0] + sum[1]);
}

#endif

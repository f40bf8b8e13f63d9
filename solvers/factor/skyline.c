/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/skyline.h"

#include "solvers/factor/kernel.h"
#include "solvers/problem/block.h"

#include <math.h>
#include <string.h>

void ukSkylineCarve(ukSkyline *K, int most, ukArena *arena)
{
    const size_t rows = ((size_t)most + 1) & ~(size_t)1, ld = (rows + 6) & ~(size_t)3;
    K->wide = ukKernelOfProcessor() != ukKernelOfAny();
    K->ld = (int)ld;
    K->first = ukArenaInts(arena, rows);
    K->end = ukArenaInts(arena, rows);
    K->U = ukArenaDoubles(arena, rows * ld);
    K->pivot = ukArenaDoubles(arena, rows);
}

/* Rows are processed in pairs, so both are cleared up to the end of the longer one. */
void ukSkylineClear(ukSkyline *K)
{
    const int n = K->rows, even = (n + 1) & ~1;
    if (even > n) K->first[n] = n;
    memset(K->end, 0, (size_t)even * sizeof *K->end);
    for (int i = 0; i < even; i++) K->end[K->first[i]] = i + 1;
    for (int i = 1; i < even; i++) K->end[i] = K->end[i] > K->end[i - 1] ? K->end[i] : K->end[i - 1];
    for (int j = 0; j < even; j++) {
        const int from = j > 3 ? (j - 3) & ~3 : 0, to = K->end[(K->end[j] - 1) | 1];
        memset(K->U + (size_t)j * (size_t)K->ld + from, 0, (size_t)(((to + 6) & ~3) - from) * sizeof *K->U);
    }
    if (even > n) K->U[(size_t)n * (size_t)K->ld + (size_t)n] = 1;
}

/* first row of columns k and k + 1 */
UKODE_INLINE int pairStartOf(const ukSkyline *K, int k)
{
    return K->first[k] < K->first[k + 1] ? K->first[k] : K->first[k + 1];
}

/* a -= sum_j t[j ldt] L_j, b -= sum_j t[j ldt + 1] L_j; columns from ... to - 1, in fours */
UKODE_INLINE void subtractRowsTwice(const int wide, double *a, double *b, const double *L, size_t ld, const double *t,
                                    size_t ldt, int count, int from, int to)
{
    int i = from;
    for (; wide && i + 4 < to; i += 8) {
        ukFour a0, a1, b0, b1, l0, l1;
        const double *l = L + i, *s = t;
        ukLoadFour(&a0, a + i), ukLoadFour(&a1, a + i + 4), ukLoadFour(&b0, b + i), ukLoadFour(&b1, b + i + 4);
        for (int j = 0; j < count; j++, l += ld, s += ldt) {
            ukLoadFour(&l0, l), ukLoadFour(&l1, l + 4);
            a0 -= s[0] * l0, a1 -= s[0] * l1, b0 -= s[1] * l0, b1 -= s[1] * l1;
        }
        ukStoreFour(a + i, &a0), ukStoreFour(a + i + 4, &a1), ukStoreFour(b + i, &b0), ukStoreFour(b + i + 4, &b1);
    }
    if (wide && i < to) {
        ukFour a0, b0, l0;
        const double *l = L + i, *s = t;
        ukLoadFour(&a0, a + i), ukLoadFour(&b0, b + i);
        for (int j = 0; j < count; j++, l += ld, s += ldt) ukLoadFour(&l0, l), a0 -= s[0] * l0, b0 -= s[1] * l0;
        ukStoreFour(a + i, &a0), ukStoreFour(b + i, &b0);
    }
    for (; !wide && i < to; i += 4) {
        ukPair a0 = ukLoadPair(a + i), a1 = ukLoadPair(a + i + 2), b0 = ukLoadPair(b + i), b1 = ukLoadPair(b + i + 2);
        const double *l = L + i, *s = t;
        for (int j = 0; j < count; j++, l += ld, s += ldt) {
            const ukPair s0 = ukBothOf(s[0]), s1 = ukBothOf(s[1]), l0 = ukLoadPair(l), l1 = ukLoadPair(l + 2);
            a0 -= s0 * l0, a1 -= s0 * l1, b0 -= s1 * l0, b1 -= s1 * l1;
        }
        ukStorePair(a + i, a0), ukStorePair(a + i + 2, a1), ukStorePair(b + i, b0), ukStorePair(b + i + 2, b1);
    }
}

/* a = pivot a, b = next (b - t a) */
UKODE_INLINE void scaleRowPair(const int wide, double *a, double *b, double pivot, double t, double next, int from,
                               int to)
{
    for (int i = from; wide && i < to; i += 4) {
        ukFour a0, b0;
        ukLoadFour(&a0, a + i), ukLoadFour(&b0, b + i);
        a0 = pivot * a0, b0 = next * (b0 - t * a0);
        ukStoreFour(a + i, &a0), ukStoreFour(b + i, &b0);
    }
    for (int i = from; !wide && i < to; i += 2) {
        const ukPair a0 = ukBothOf(pivot) * ukLoadPair(a + i);
        ukStorePair(a + i, a0);
        ukStorePair(b + i, ukBothOf(next) * (ukLoadPair(b + i) - ukBothOf(t) * a0));
    }
}

/* 1 / sqrt(square), raised by the proximal term `least`; 0: only rounding is left */
UKODE_INLINE double inverseRootOf(double square, double whole, double least, double lost)
{
    if (square < least * whole) square += least * whole;
    return square > lost * whole ? 1 / sqrt(square) : 0;
}

UKODE_INLINE bool factorSkyline(const int wide, ukSkyline *K, double least, double lost)
{
    const size_t ld = (size_t)K->ld;
    for (int k = 0; k < K->rows; k += 2) {
        double *a = K->U + (size_t)k * ld, *b = a + ld;
        const int start = pairStartOf(K, k), from = k & ~3, to = K->end[k + 1];
        const double *L = K->U + (size_t)start * ld, whole = a[k], next = b[k + 1];
        subtractRowsTwice(wide, a, b, L, ld, L + k, ld, k - start, from, to);
        const double pivot = inverseRootOf(a[k], whole, least, lost), t = pivot * a[k + 1];
        K->pivot[k] = pivot;
        K->pivot[k + 1] = inverseRootOf(b[k + 1] - t * t, next, least, lost);
        if (pivot == 0 || K->pivot[k + 1] == 0) return false;
        scaleRowPair(wide, a, b, pivot, t, K->pivot[k + 1], from, to);
    }
    return true;
}

UKODE_INLINE void eliminateSkyline(const int wide, const ukSkyline *K, const ukSkylineColumns *Y)
{
    const size_t ld = (size_t)K->ld, ldy = (size_t)Y->ld;
    for (int k = 0; k < K->rows; k += 2) {
        double *a = Y->Y + (size_t)k * ldy;
        const int start = pairStartOf(K, k);
        const double *t = K->U + (size_t)start * ld + k, *u = K->U + (size_t)k * ld + k;
        subtractRowsTwice(wide, a, a + ldy, Y->Y + (size_t)start * ldy, ldy, t, ld, k - start, Y->from, Y->to);
        scaleRowPair(wide, a, a + ldy, K->pivot[k], u[1], K->pivot[k + 1], Y->from, Y->to);
    }
}

UKODE_INLINE void complementSkyline(const int wide, const ukSkyline *K, const ukSkylineColumns *Y, double *S)
{
    const size_t ld = (size_t)Y->ld;
    for (int k = 0; k < Y->to; k += 2) {
        double *a = S + (size_t)k * ld;
        const int last = k + 1 < Y->to ? k + 1 : k;
        const int begin = Y->begin[k] < Y->begin[last] ? Y->begin[k] : Y->begin[last];
        const double *y = Y->Y + (size_t)begin * ld;
        subtractRowsTwice(wide, a, a + ld, y, ld, y + k, ld, K->rows - begin, k < Y->from ? Y->from : k, Y->to);
    }
}

UKODE_INLINE void multiplySkyline(const int wide, const ukSkyline *K, const ukSkylineColumns *Y, const double *x,
                                  double *z)
{
    const size_t ld = (size_t)Y->ld;
    for (int k = 0; k < K->rows; k += 2) {
        const double *y = Y->Y + (size_t)k * ld;
        ukPair a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
        if (wide) {
            ukFour a = {0}, b = {0}, v, l;
            for (int i = 0; i < Y->to; i += 4)
                ukLoadFour(&v, x + i), ukLoadFour(&l, y + i), a += l * v, ukLoadFour(&l, y + ld + (size_t)i),
                    b += l * v;
            a0 = (ukPair){a[0], a[1]}, a1 = (ukPair){a[2], a[3]}, b0 = (ukPair){b[0], b[1]}, b1 = (ukPair){b[2], b[3]};
        }
        for (int i = 0; !wide && i < Y->to; i += 4) {
            const ukPair v0 = ukLoadPair(x + i), v1 = ukLoadPair(x + i + 2);
            a0 += ukLoadPair(y + i) * v0, a1 += ukLoadPair(y + i + 2) * v1;
            b0 += ukLoadPair(y + ld + i) * v0, b1 += ukLoadPair(y + ld + i + 2) * v1;
        }
        a0 += a1, b0 += b1;
        z[k] += a0[0] + a0[1];
        z[k + 1] += b0[0] + b0[1];
    }
}

#define UKODE_SKYLINE(suffix, wide, target)                                                                            \
    target static bool factorSkyline##suffix(ukSkyline *K, double least, double lost)                                  \
    {                                                                                                                  \
        return factorSkyline(wide, K, least, lost);                                                                    \
    }                                                                                                                  \
    target static void eliminateSkyline##suffix(const ukSkyline *K, const ukSkylineColumns *Y)                         \
    {                                                                                                                  \
        eliminateSkyline(wide, K, Y);                                                                                  \
    }                                                                                                                  \
    target static void complementSkyline##suffix(const ukSkyline *K, const ukSkylineColumns *Y, double *S)             \
    {                                                                                                                  \
        complementSkyline(wide, K, Y, S);                                                                              \
    }                                                                                                                  \
    target static void multiplySkyline##suffix(const ukSkyline *K, const ukSkylineColumns *Y, const double *x,         \
                                               double *z)                                                              \
    {                                                                                                                  \
        multiplySkyline(wide, K, Y, x, z);                                                                             \
    }

UKODE_SKYLINE(Any, 0, )
#if defined(__x86_64__)
UKODE_SKYLINE(Avx2, 1, __attribute__((target("avx2"))))
#define UKODE_BOTH(function, ...) (K->wide ? function##Avx2(__VA_ARGS__) : function##Any(__VA_ARGS__))
#else
#define UKODE_BOTH(function, ...) function##Any(__VA_ARGS__)
#endif

bool ukSkylineFactor(ukSkyline *K, double least, double lost)
{
    return UKODE_BOTH(factorSkyline, K, least, lost);
}

void ukSkylineEliminate(const ukSkyline *K, const ukSkylineColumns *Y)
{
    UKODE_BOTH(eliminateSkyline, K, Y);
}

void ukSkylineComplement(const ukSkyline *K, const ukSkylineColumns *Y, double *S)
{
    UKODE_BOTH(complementSkyline, K, Y, S);
}

void ukSkylineMultiply(const ukSkyline *K, const ukSkylineColumns *Y, const double *x, double *z)
{
    UKODE_BOTH(multiplySkyline, K, Y, x, z);
}

/* two columns of U at a time */
void ukSkylineForward(const ukSkyline *K, double *z)
{
    const size_t ld = (size_t)K->ld;
    for (int k = 0; k < K->rows; k += 2) {
        const int start = pairStartOf(K, k);
        const double *u = K->U + (size_t)start * ld + (size_t)k;
        ukPair sum = ukLoadPair(z + k);
        for (int j = start; j < k; j++, u += ld) sum -= ukBothOf(z[j]) * ukLoadPair(u);
        const double first = sum[0] * K->pivot[k];
        ukStorePair(z + k, (ukPair){first, (sum[1] - u[1] * first) * K->pivot[k + 1]});
    }
}

void ukSkylineBackward(const ukSkyline *K, double *z)
{
    const size_t ld = (size_t)K->ld;
    for (int k = (K->rows - 1) & ~1; k >= 0; k -= 2) {
        const int start = pairStartOf(K, k);
        const double *u = K->U + (size_t)start * ld + (size_t)k, next = z[k + 1] * K->pivot[k + 1];
        const ukPair x = {(z[k] - K->U[(size_t)k * ld + (size_t)k + 1] * next) * K->pivot[k], next};
        ukStorePair(z + k, x);
        for (int j = start; j < k; j++, u += ld) {
            const ukPair known = x * ukLoadPair(u);
            z[j] -= known[0] + known[1];
        }
    }
}

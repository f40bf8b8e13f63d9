/* solvers/block.h: dense kernels on one front, column-major, for sizes that the compiler knows and for any size.
 *
 * Two doubles at a time through the compilers' vector extension: baseline x86-64 and aarch64 have such registers, and
 * the sums are formed in the same order everywhere. Inlined with constant p and n the loops unroll. */
#ifndef UKODE_SOLVERS_BLOCK_H
#define UKODE_SOLVERS_BLOCK_H

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

/* c[i] = c[i] - sum_j t[j] L[j ld + i] (fresh: 0 - sum), i = from ... to - 1 in pairs, so one element past an odd end
 */
UKODE_INLINE void ukSubtractColumns(double *c, const double *L, int ld, const double *t, int columns, int from, int to,
                                    int fresh)
{
    int i = from;
    for (; i + 4 < to; i += 6) {
        ukPair a0 = fresh ? ukBothOf(0) : ukLoadPair(c + i), a1 = fresh ? ukBothOf(0) : ukLoadPair(c + i + 2),
               a2 = fresh ? ukBothOf(0) : ukLoadPair(c + i + 4);
        for (int j = 0; j < columns; j++) {
            const double *l = L + (size_t)j * (size_t)ld + i;
            const ukPair s = ukBothOf(t[j]);
            a0 -= s * ukLoadPair(l), a1 -= s * ukLoadPair(l + 2), a2 -= s * ukLoadPair(l + 4);
        }
        ukStorePair(c + i, a0), ukStorePair(c + i + 2, a1), ukStorePair(c + i + 4, a2);
    }
    for (; i < to; i += 2) {
        ukPair a0 = fresh ? ukBothOf(0) : ukLoadPair(c + i);
        for (int j = 0; j < columns; j++) a0 -= ukBothOf(t[j]) * ukLoadPair(L + (size_t)j * (size_t)ld + i);
        ukStorePair(c + i, a0);
    }
}

/* the same for two columns c0, c1 with t0, t1: the loads of L serve both */
UKODE_INLINE void ukSubtractColumnsTwice(double *c0, double *c1, const double *L, int ld, const double *t0,
                                         const double *t1, int columns, int from, int to, int fresh)
{
    int i = from;
    for (; i + 2 < to; i += 4) {
        ukPair a0 = fresh ? ukBothOf(0) : ukLoadPair(c0 + i), a1 = fresh ? ukBothOf(0) : ukLoadPair(c0 + i + 2),
               b0 = fresh ? ukBothOf(0) : ukLoadPair(c1 + i), b1 = fresh ? ukBothOf(0) : ukLoadPair(c1 + i + 2);
        for (int j = 0; j < columns; j++) {
            const double *l = L + (size_t)j * (size_t)ld + i;
            const ukPair s = ukBothOf(t0[j]), t = ukBothOf(t1[j]), l0 = ukLoadPair(l), l1 = ukLoadPair(l + 2);
            a0 -= s * l0, a1 -= s * l1, b0 -= t * l0, b1 -= t * l1;
        }
        ukStorePair(c0 + i, a0), ukStorePair(c0 + i + 2, a1), ukStorePair(c1 + i, b0), ukStorePair(c1 + i + 2, b1);
    }
    for (; i < to; i += 2) {
        ukPair a0 = fresh ? ukBothOf(0) : ukLoadPair(c0 + i), b0 = fresh ? ukBothOf(0) : ukLoadPair(c1 + i);
        for (int j = 0; j < columns; j++) {
            const ukPair l0 = ukLoadPair(L + (size_t)j * (size_t)ld + i);
            a0 -= ukBothOf(t0[j]) * l0, b0 -= ukBothOf(t1[j]) * l0;
        }
        ukStorePair(c0 + i, a0), ukStorePair(c1 + i, b0);
    }
}

/* One front [H11 .; H21 .] = L D L' of size n, p of it pivots of one sign, without pivoting (quasi-definite).
 *   F      in  H11 (its lower triangle) above H21, ld x p, every element set;  out  L, 1/d on its diagonal
 *   sign   +1 or -1, of all pivots;  d sign > floor[j] is asked of pivot j, otherwise sign shift[j] is added to it
 *   d      (p) out, the pivots
 *   U      out  -L21 D L21' (lower triangle), ldu x (n - p), ldu even
 * Returns how many pivots were shifted; their numbers go to `shifted`. */
UKODE_INLINE int ukEliminate(double *F, int ld, int p, int n, double sign, const double *floor, const double *shift,
                             double *d, double *t, int *shifted, double *U, int ldu)
{
    int count = 0;
    for (int k = 0; k < p; k++) {
        double *c = F + (size_t)k * (size_t)ld;
        for (int j = 0; j < k; j++) t[j] = F[(size_t)j * (size_t)ld + (size_t)k] * d[j];
        ukSubtractColumns(c, F, ld, t, k, k & ~1, n, 0);
        double pivot = c[k];
        if (!(sign * pivot > floor[k])) {
            pivot += sign * shift[k];
            shifted[count++] = k;
        }
        const double inverse = 1 / pivot;
        d[k] = pivot;
        for (int i = (k + 1) & ~1; i < n; i += 2) ukStorePair(c + i, ukBothOf(inverse) * ukLoadPair(c + i));
        c[k] = inverse;
    }
    for (int k = 0; k < n - p; k++) {
        for (int j = 0; j < p; j++) t[j] = F[(size_t)j * (size_t)ld + (size_t)(p + k)] * d[j];
        ukSubtractColumns(U + (size_t)k * (size_t)ldu, F + p, ld, t, p, k & ~1, n - p, 1);
    }
    return count;
}

/* The same, two columns at a time, for large fronts. t (2 p) scratch. */
UKODE_INLINE int ukEliminateLarge(double *F, int ld, int p, int n, double sign, const double *floor,
                                  const double *shift, double *d, double *t, int *shifted, double *U, int ldu)
{
    int count = 0;
    double *t1 = t + p;
    for (int k = 0; k < p; k += 2) {
        double *c = F + (size_t)k * (size_t)ld;
        const int two = k + 1 < p;
        for (int j = 0; j < k; j++) {
            t[j] = F[(size_t)j * (size_t)ld + (size_t)k] * d[j];
            if (two) t1[j] = F[(size_t)j * (size_t)ld + (size_t)k + 1] * d[j];
        }
        if (two)
            ukSubtractColumnsTwice(c, c + ld, F, ld, t, t1, k, k, n, 0);
        else
            ukSubtractColumns(c, F, ld, t, k, k, n, 0);
        for (int q = k; q < k + 1 + two; q++, c += ld) {
            if (q > k) {
                t[0] = c[-ld + q] * d[k];
                ukSubtractColumns(c, c - ld, ld, t, 1, k, n, 0);
            }
            double pivot = c[q];
            if (!(sign * pivot > floor[q])) {
                pivot += sign * shift[q];
                shifted[count++] = q;
            }
            const double inverse = 1 / pivot;
            d[q] = pivot;
            for (int i = (q + 1) & ~1; i < n; i += 2) ukStorePair(c + i, ukBothOf(inverse) * ukLoadPair(c + i));
            c[q] = inverse;
        }
    }
    for (int k = 0; k < n - p; k += 2) {
        const int two = k + 1 < n - p;
        double *u = U + (size_t)k * (size_t)ldu;
        for (int j = 0; j < p; j++) {
            t[j] = F[(size_t)j * (size_t)ld + (size_t)(p + k)] * d[j];
            if (two) t1[j] = F[(size_t)j * (size_t)ld + (size_t)(p + k + 1)] * d[j];
        }
        if (two)
            ukSubtractColumnsTwice(u, u + ldu, F + p, ld, t, t1, p, k, n - p, 1);
        else
            ukSubtractColumns(u, F + p, ld, t, p, k, n - p, 1);
    }
    return count;
}

/* y (p) = L11^-1 y, z (n - p, and one more where that is odd) -= L21 y */
UKODE_INLINE void ukForward(const double *F, int ld, int p, int n, double *y, double *z)
{
    for (int k = 0; k < p; k++) {
        const double *l = F + (size_t)k * (size_t)ld;
        const ukPair s = ukBothOf(y[k]);
        for (int i = k + 1; i < p; i++) y[i] -= l[i] * y[k];
        for (int i = p; i < n; i += 2) ukStorePair(z + i - p, ukLoadPair(z + i - p) - s * ukLoadPair(l + i));
    }
}

/* x (p) = L11'^-1 (D^-1 x - L21' z), z (n - p, and a zero where that is odd) */
UKODE_INLINE void ukBackward(const double *F, int ld, int p, int n, double *x, const double *z)
{
    for (int k = p - 1; k >= 0; k--) {
        const double *l = F + (size_t)k * (size_t)ld;
        ukPair sum = ukBothOf(0);
        for (int i = p; i < n; i += 2) sum += ukLoadPair(l + i) * ukLoadPair(z + i - p);
        double inner = 0;
        for (int i = k + 1; i < p; i++) inner += l[i] * x[i];
        x[k] = l[k] * x[k] - (sum[0] + sum[1]) - inner;
    }
}

#endif

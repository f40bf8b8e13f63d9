/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/kernel.h"

#include "solvers/problem/block.h"

/* c[i] -= sum_j t[j] J_k[i], k = index[j], or j (NULL), `fresh`: c[i] = 0 - sum, for the `fours` fours from i on, whose
 * sums stay in registers */
UKODE_INLINE void subtractTile(const int fours, double *c, int i, const double *J, int ld, const int *index,
                               const double *t, int count, int fresh)
{
    ukFour sum[4];
    UKODE_UNROLL
    for (int k = 0; k < fours; k++) {
        sum[k] = (ukFour){0};
        if (!fresh) ukLoadFour(sum + k, c + i + 4 * k);
    }
    for (int j = 0; j < count; j++) {
        const double *l = J + (size_t)(index ? index[j] : j) * (size_t)ld + i;
        ukFour column;
        UKODE_UNROLL
        for (int k = 0; k < fours; k++) ukLoadFour(&column, l + 4 * k), sum[k] -= t[j] * column;
    }
    UKODE_UNROLL
    for (int k = 0; k < fours; k++) ukStoreFour(c + i + 4 * k, sum + k);
}

/* c[i] = c[i] - sum_j t[j] L[j ld + i] (fresh: 0 - sum), i = from ... to - 1 in pairs, so one element past an odd end
 */
UKODE_INLINE void subtractColumns(const int wide, double *c, const double *L, int ld, const double *t, int columns,
                                  int from, int to, int fresh)
{
    int i = from;
    for (; wide && i + 6 < to; i += 8) subtractTile(2, c, i, L, ld, NULL, t, columns, fresh);
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
    if (wide && i + 2 < to) {
        subtractTile(1, c, i, L, ld, NULL, t, columns, fresh);
        i += 4;
    }
    for (; i < to; i += 2) {
        ukPair a0 = fresh ? ukBothOf(0) : ukLoadPair(c + i);
        for (int j = 0; j < columns; j++) a0 -= ukBothOf(t[j]) * ukLoadPair(L + (size_t)j * (size_t)ld + i);
        ukStorePair(c + i, a0);
    }
}

/* the same for two columns c0, c1 with t0, t1: the loads of L serve both */
UKODE_INLINE void subtractColumnsTwice(const int wide, double *c0, double *c1, const double *L, int ld,
                                       const double *t0, const double *t1, int columns, int from, int to, int fresh)
{
    int i = from;
    for (; wide && i + 6 < to; i += 8) {
        ukFour a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
        if (!fresh)
            ukLoadFour(&a0, c0 + i), ukLoadFour(&a1, c0 + i + 4), ukLoadFour(&b0, c1 + i), ukLoadFour(&b1, c1 + i + 4);
        for (int j = 0; j < columns; j++) {
            const double *l = L + (size_t)j * (size_t)ld + i;
            ukFour l0, l1;
            ukLoadFour(&l0, l), ukLoadFour(&l1, l + 4);
            a0 -= t0[j] * l0, a1 -= t0[j] * l1, b0 -= t1[j] * l0, b1 -= t1[j] * l1;
        }
        ukStoreFour(c0 + i, &a0), ukStoreFour(c0 + i + 4, &a1), ukStoreFour(c1 + i, &b0), ukStoreFour(c1 + i + 4, &b1);
    }
    for (; wide && i + 2 < to; i += 4) {
        ukFour a = {0}, b = {0}, l;
        if (!fresh) ukLoadFour(&a, c0 + i), ukLoadFour(&b, c1 + i);
        for (int j = 0; j < columns; j++)
            ukLoadFour(&l, L + (size_t)j * (size_t)ld + i), a -= t0[j] * l, b -= t1[j] * l;
        ukStoreFour(c0 + i, &a), ukStoreFour(c1 + i, &b);
    }
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

/* *sum0 = l0' z, *sum1 = l1' z, each as four sums, of every fourth element */
UKODE_INLINE void multiplyColumnPair(const int wide, const double *l0, const double *l1, const double *z, int u,
                                     double *sum0, double *sum1)
{
    ukPair a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
    int i = 0;
    if (wide) {
        ukFour a = {0}, b = {0}, v, l;
        for (; i + 2 < u; i += 4)
            ukLoadFour(&v, z + i), ukLoadFour(&l, l0 + i), a += l * v, ukLoadFour(&l, l1 + i), b += l * v;
        a0 = (ukPair){a[0], a[1]}, a1 = (ukPair){a[2], a[3]}, b0 = (ukPair){b[0], b[1]}, b1 = (ukPair){b[2], b[3]};
    }
    for (; i + 2 < u; i += 4) {
        const ukPair v0 = ukLoadPair(z + i), v1 = ukLoadPair(z + i + 2);
        a0 += ukLoadPair(l0 + i) * v0, a1 += ukLoadPair(l0 + i + 2) * v1;
        b0 += ukLoadPair(l1 + i) * v0, b1 += ukLoadPair(l1 + i + 2) * v1;
    }
    if (i < u) a0 += ukLoadPair(l0 + i) * ukLoadPair(z + i), b0 += ukLoadPair(l1 + i) * ukLoadPair(z + i);
    a0 += a1, b0 += b1;
    *sum0 = a0[0] + a0[1], *sum1 = b0[0] + b0[1];
}

/* subtracts from columns k and k + 1 (two) of F the products of the columns before with rows k, k + 1 of G */
UKODE_INLINE void reducePivotPair(const int wide, double *F, const double *G, int ld, int k, int two, int n,
                                  const double *d, double *t, double *t1)
{
    double *c = F + (size_t)k * (size_t)ld;
    for (int j = 0; j < k; j++) {
        t[j] = G[(size_t)j * (size_t)ld + (size_t)k] * d[j];
        if (two) t1[j] = G[(size_t)j * (size_t)ld + (size_t)k + 1] * d[j];
    }
    if (two)
        subtractColumnsTwice(wide, c, c + ld, F, ld, t, t1, k, k, n, 0);
    else
        subtractColumns(wide, c, F, ld, t, k, k, n, 0);
}

/* U = -F21 D G21', its lower triangle */
UKODE_INLINE void panelComplement(const int wide, const double *F, const double *G, int ld, int p, int n,
                                  const double *d, double *t, double *t1, double *U, int ldu)
{
    for (int k = 0; k < n - p; k += 2) {
        const int two = k + 1 < n - p;
        double *u = U + (size_t)k * (size_t)ldu;
        for (int j = 0; j < p; j++) {
            t[j] = G[(size_t)j * (size_t)ld + (size_t)(p + k)] * d[j];
            if (two) t1[j] = G[(size_t)j * (size_t)ld + (size_t)(p + k + 1)] * d[j];
        }
        if (two)
            subtractColumnsTwice(wide, u, u + ldu, F + p, ld, t, t1, p, k, n - p, 1);
        else
            subtractColumns(wide, u, F + p, ld, t, p, k, n - p, 1);
    }
}

UKODE_INLINE int eliminatePanel(const int wide, double *F, int ld, int p, int n, double sign, const double *floor,
                                const double *shift, double *d, double *t, int *shifted, double *U, int ldu)
{
    int count = 0;
    double *t1 = t + p;
    for (int k = 0; k < p; k += 2) {
        double *c = F + (size_t)k * (size_t)ld;
        const int two = k + 1 < p;
        reducePivotPair(wide, F, F, ld, k, two, n, d, t, t1);
        for (int q = k; q < k + 1 + two; q++, c += ld) {
            if (q > k) {
                t[0] = c[-ld + q] * d[k];
                subtractColumns(wide, c, c - ld, ld, t, 1, k, n, 0);
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
    panelComplement(wide, F, F, ld, p, n, d, t, t1, U, ldu);
    return count;
}

UKODE_INLINE int eliminatePanelPair(const int wide, double *F, double *G, int ld, int p, int n, double *d, double *t,
                                    double *U, double *V, int ldu)
{
    int failed = 0;
    double *t1 = t + p;
    for (int k = 0; k < p; k += 2) {
        const int two = k + 1 < p;
        reducePivotPair(wide, F, G, ld, k, two, n, d, t, t1);
        reducePivotPair(wide, G, F, ld, k, two, n, d, t, t1);
        double *f = F + (size_t)k * (size_t)ld, *g = G + (size_t)k * (size_t)ld;
        for (int q = k; q < k + 1 + two; q++, f += ld, g += ld) {
            if (q > k) {
                t[0] = g[-ld + q] * d[k], t1[0] = f[-ld + q] * d[k];
                subtractColumns(wide, f, f - ld, ld, t, 1, k, n, 0);
                subtractColumns(wide, g, g - ld, ld, t1, 1, k, n, 0);
            }
            const double pivot = f[q], inverse = 1 / pivot;
            failed += !(inverse * 0 + pivot * 0 == 0);
            d[q] = pivot;
            for (int i = (q + 1) & ~1; i < n; i += 2) {
                ukStorePair(f + i, ukBothOf(inverse) * ukLoadPair(f + i));
                ukStorePair(g + i, ukBothOf(inverse) * ukLoadPair(g + i));
            }
            f[q] = g[q] = inverse;
        }
    }
    panelComplement(wide, F, G, ld, p, n, d, t, t1, U, ldu);
    panelComplement(wide, G, F, ld, p, n, d, t, t1, V, ldu);
    return failed;
}

UKODE_INLINE void panelForward(const int wide, const double *F, int ld, int p, int n, double *y, double *z)
{
    for (int k = 0; k < p; k++) {
        const double *l = F + (size_t)k * (size_t)ld;
        for (int i = k + 1; i < p; i++) y[i] -= l[i] * y[k];
    }
    subtractColumns(wide, z, F + p, ld, y, p, 0, n - p, 0);
}

UKODE_INLINE void panelBackward(const int wide, const double *F, int ld, int p, int n, double *x, const double *z)
{
    for (int k = 0; k < p; k += 2) {
        const double *l0 = F + (size_t)k * (size_t)ld, *l1 = k + 1 < p ? l0 + ld : l0;
        double sum0, sum1;
        multiplyColumnPair(wide, l0 + p, l1 + p, z, n - p, &sum0, &sum1);
        x[k] = l0[k] * x[k] - sum0;
        if (k + 1 < p) x[k + 1] = l1[k + 1] * x[k + 1] - sum1;
    }
    for (int k = p - 1; k >= 0; k--) {
        const double *l = F + (size_t)k * (size_t)ld;
        double inner = 0;
        for (int i = k + 1; i < p; i++) inner += l[i] * x[i];
        x[k] -= inner;
    }
}

UKODE_INLINE void addOuterProducts(const int wide, double *U, int ldu, int u, const double *J, const double *t,
                                   int count, int fresh)
{
    for (int k = 0; k + 1 < u; k += 2) {
        double *c = U + (size_t)k * (size_t)ldu;
        const double *t0 = t + (size_t)k * (size_t)count;
        subtractColumnsTwice(wide, c, c + ldu, J, ldu, t0, t0 + count, count, k, u, fresh);
    }
    if (u % 2)
        subtractColumns(wide, U + (size_t)(u - 1) * (size_t)ldu, J, ldu, t + (size_t)(u - 1) * (size_t)count, count,
                        u - 1, u, fresh);
}

UKODE_INLINE void combineColumns(const int wide, double *c, int from, int u, const double *J, int ldu, const int *index,
                                 const double *t, int count)
{
    int i = from;
    if (!index) {
        for (; wide && i + 14 < u; i += 16) subtractTile(4, c, i, J, ldu, NULL, t, count, 0);
        subtractColumns(wide, c, J, ldu, t, count, i, u, 0);
        return;
    }
    for (; wide && i + 14 < u; i += 16) subtractTile(4, c, i, J, ldu, index, t, count, 0);
    for (; wide && i + 6 < u; i += 8) subtractTile(2, c, i, J, ldu, index, t, count, 0);
    for (; wide && i + 2 < u; i += 4) subtractTile(1, c, i, J, ldu, index, t, count, 0);
    for (; i + 2 < u; i += 4) {
        ukPair a0 = ukLoadPair(c + i), a1 = ukLoadPair(c + i + 2);
        for (int j = 0; j < count; j++) {
            const double *l = J + (size_t)index[j] * (size_t)ldu + i;
            const ukPair s = ukBothOf(t[j]);
            a0 -= s * ukLoadPair(l), a1 -= s * ukLoadPair(l + 2);
        }
        ukStorePair(c + i, a0), ukStorePair(c + i + 2, a1);
    }
    for (; i < u; i += 2) {
        ukPair a0 = ukLoadPair(c + i);
        for (int j = 0; j < count; j++) a0 -= ukBothOf(t[j]) * ukLoadPair(J + (size_t)index[j] * (size_t)ldu + i);
        ukStorePair(c + i, a0);
    }
}

#define UKODE_KERNEL(suffix, wide, target)                                                                             \
    target static int eliminatePanel##suffix(double *F, int ld, int p, int n, double sign, const double *floor,        \
                                             const double *shift, double *d, double *t, int *shifted, double *U,       \
                                             int ldu)                                                                  \
    {                                                                                                                  \
        return eliminatePanel(wide, F, ld, p, n, sign, floor, shift, d, t, shifted, U, ldu);                           \
    }                                                                                                                  \
    target static int eliminatePanelPair##suffix(double *F, double *G, int ld, int p, int n, double *d, double *t,     \
                                                 double *U, double *V, int ldu)                                        \
    {                                                                                                                  \
        return eliminatePanelPair(wide, F, G, ld, p, n, d, t, U, V, ldu);                                              \
    }                                                                                                                  \
    target static void panelForward##suffix(const double *F, int ld, int p, int n, double *y, double *z)               \
    {                                                                                                                  \
        panelForward(wide, F, ld, p, n, y, z);                                                                         \
    }                                                                                                                  \
    target static void panelBackward##suffix(const double *F, int ld, int p, int n, double *x, const double *z)        \
    {                                                                                                                  \
        panelBackward(wide, F, ld, p, n, x, z);                                                                        \
    }                                                                                                                  \
    target static void addOuterProducts##suffix(double *U, int ldu, int u, const double *J, const double *t,           \
                                                int count, int fresh)                                                  \
    {                                                                                                                  \
        addOuterProducts(wide, U, ldu, u, J, t, count, fresh);                                                         \
    }                                                                                                                  \
    target static void combineColumns##suffix(double *c, int from, int u, const double *J, int ldu, const int *index,  \
                                              const double *t, int count)                                              \
    {                                                                                                                  \
        combineColumns(wide, c, from, u, J, ldu, index, t, count);                                                     \
    }                                                                                                                  \
    static const ukKernel kernel##suffix = {                                                                           \
        eliminatePanel##suffix, eliminatePanelPair##suffix, panelForward##suffix,                                      \
        panelBackward##suffix,  addOuterProducts##suffix,   combineColumns##suffix};

UKODE_KERNEL(Any, 0, )

const ukKernel *ukKernelOfAny(void)
{
    return &kernelAny;
}

#if defined(__x86_64__)

UKODE_KERNEL(Avx2, 1, __attribute__((target("avx2"))))

const ukKernel *ukKernelOfProcessor(void)
{
    return __builtin_cpu_supports("avx2") ? &kernelAvx2 : &kernelAny;
}

#else

const ukKernel *ukKernelOfProcessor(void)
{
    return &kernelAny;
}

#endif

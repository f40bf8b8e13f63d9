/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/updated.h"

#include "solvers/problem/block.h"

#include <math.h>
#include <string.h>

static const double lost = 1e-15; /* relative size of a pivot that is only rounding */

void ukUpdatedCarve(ukUpdated *U, int ld, ukArena *arena)
{
    const size_t wide = (size_t)ld;
    U->kernel = ukKernelOfProcessor();
    U->ld = ld;
    U->row = ukArenaInts(arena, wide);
    UKODE_DOUBLES(arena, wide * wide, &U->L, &U->R);
    UKODE_DOUBLES(arena, wide, &U->d, &U->u, &U->v, &U->y);
    U->kept = 0;
}

void ukUpdatedClear(ukUpdated *U, bool symmetric)
{
    U->count = 0, U->symmetric = symmetric, U->kept = 0;
}

/* x <- F^-1 x, F unit lower triangular, Stride columns at a time, whose update of the remaining rows stays in
 * registers. The first `begin` elements are solved already. The products are subtracted in the order of the columns,
 * wherever it begins. */
static void updatedForward(const ukUpdated *U, const double *F, int begin, double *x)
{
    enum { Stride = 8 };
    const size_t ld = (size_t)U->ld;
    if (begin > 0) U->kernel->combine(x, begin, U->count, F, U->ld, NULL, x, begin);
    for (int from = begin; from < U->count; from += Stride) {
        const int to = from + Stride < U->count ? from + Stride : U->count;
        for (int j = from; j < to; j++)
            for (int i = j + 1; i < to; i++) x[i] -= F[(size_t)j * ld + (size_t)i] * x[j];
        U->kernel->combine(x, to, U->count, F + (size_t)from * ld, U->ld, NULL, x + from, to - from);
    }
}

bool ukUpdatedAppend(ukUpdated *U, int row, double *above, double *left, double own)
{
    const size_t ld = (size_t)U->ld, at = (size_t)U->count;
    double pivot = own;
    updatedForward(U, U->L, 0, above);
    if (U->symmetric)
        left = above;
    else
        updatedForward(U, U->R, 0, left);
    for (size_t j = 0; j < at; j++) {
        const double l = U->L[j * ld + at] = left[j] / U->d[j];
        if (!U->symmetric) U->R[j * ld + at] = above[j] / U->d[j];
        pivot -= l * above[j];
    }
    if (!((U->symmetric ? pivot : fabs(pivot)) > lost * fabs(own))) return false;
    U->d[at] = pivot;
    U->row[U->count++] = row;
    return true;
}

/* row i of the upper triangle T, from column `from` on, after elimination of the rows before; those of the other
 * triangle, G, over their pivots are the factors */
static void reduceRow(const ukUpdated *U, double *T, const double *G, int i, int from, int count)
{
    const size_t ld = (size_t)U->ld;
    for (int j = 0; j < i; j++) U->u[j] = G[(size_t)j * ld + (size_t)i] / U->d[j];
    U->kernel->combine(T + (size_t)i * ld, from, count, T, U->ld, NULL, U->u, i);
}

/* F <- the columns of a unit lower triangular factor, from the rows T of the triangle */
static void scaleFactor(const ukUpdated *U, double *F, const double *T)
{
    for (size_t j = 0, ld = (size_t)U->ld; j < (size_t)U->count; j++)
        for (size_t k = j + 1; k < (size_t)U->count; k++) F[j * ld + k] = T[j * ld + k] / U->d[j];
}

bool ukUpdatedFactor(ukUpdated *U, const int *row, int count)
{
    double *above = U->R, *left = U->symmetric ? U->R : U->L;
    bool whole = true;
    U->count = U->kept = 0;
    for (int i = 0; i < count && whole; i++) {
        double *pivot = above + (size_t)i * (size_t)(U->ld + 1);
        const double own = *pivot;
        reduceRow(U, above, left, i, i, count);
        if (!U->symmetric) reduceRow(U, left, above, i, i + 1, count);
        whole = (U->symmetric ? *pivot : fabs(*pivot)) > lost * fabs(own);
        if (whole) U->d[i] = *pivot, U->row[U->count++] = row[i];
    }
    scaleFactor(U, U->L, left);
    if (!U->symmetric) scaleFactor(U, U->R, above);
    return whole;
}

/* Rank-one update of one column (Bennett's method): x -= first f, to = f + by x. */
static void moveColumn(double *to, const double *from, double *x, double first, double by, int n)
{
    for (int i = 0; i < n; i++) {
        const double f = from[i];
        x[i] -= first * f;
        to[i] = f + by * x[i];
    }
}

/* x = column k of F below its diagonal; in the columns before it, row k is removed */
static void removeRow(const ukUpdated *U, double *F, int k, double *x)
{
    const size_t ld = (size_t)U->ld, n = (size_t)(U->count - k - 1);
    for (int j = 0; j < k; j++) memmove(F + (size_t)j * ld + k, F + (size_t)j * ld + k + 1, n * sizeof *F);
    memcpy(x + k, F + (size_t)k * ld + k + 1, n * sizeof *F);
}

void ukUpdatedDrop(ukUpdated *U, int k)
{
    const size_t ld = (size_t)U->ld;
    double size = U->d[k], *v = U->symmetric ? U->u : U->v;
    U->kept = U->kept < k ? U->kept : k;
    removeRow(U, U->L, k, U->u);
    if (!U->symmetric) removeRow(U, U->R, k, v);
    U->count--;
    memmove(U->row + k, U->row + k + 1, (size_t)(U->count - k) * sizeof *U->row);
    for (int j = k; j < U->count; j++) {
        const double p = U->u[j], q = v[j], old = U->d[j + 1], now = old + size * p * q;
        const size_t to = (size_t)j * ld + (size_t)j + 1, from = to + ld + 1;
        const int n = U->count - j - 1;
        moveColumn(U->L + to, U->L + from, U->u + j + 1, p, size * q / now, n);
        if (!U->symmetric) moveColumn(U->R + to, U->R + from, v + j + 1, q, size * p / now, n);
        U->d[j] = now;
        size *= old / now;
    }
}

/* x <- R'^-1 D^-1 x */
UKODE_INLINE void updatedBackward(const ukUpdated *U, double *x)
{
    const size_t ld = (size_t)U->ld;
    const double *R = U->symmetric ? U->L : U->R;
    for (int j = U->count - 1; j >= 0; j--)
        x[j] = x[j] / U->d[j] - ukPairDotEarly(R + (size_t)j * ld + j + 1, x + j + 1, U->count - j - 1);
}

/* Twice, as in solvers/factor/kernel.c: the same operations in the same order. */
#define UKODE_UPDATED(suffix, target)                                                                                  \
    target static void updatedBackward##suffix(const ukUpdated *U, double *x)                                          \
    {                                                                                                                  \
        updatedBackward(U, x);                                                                                         \
    }

UKODE_FOR_PROCESSORS(UKODE_UPDATED)

void ukUpdatedForgetKept(ukUpdated *U)
{
    U->kept = 0;
}

void ukUpdatedSolveKept(ukUpdated *U, const double *r, double *x)
{
    for (int k = U->kept; k < U->count; k++) U->y[k] = r[U->row[k]];
    updatedForward(U, U->L, U->kept, U->y);
    U->kept = U->count;
    memcpy(x, U->y, (size_t)U->count * sizeof *x);
    UKODE_CHOSEN(updatedBackward)(U, x);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/bordered.h"

#include "solvers/problem/block.h"

#include <math.h>
#include <string.h>

void ukBorderedCarve(ukBordered *N, const ukKernel *kernel, int rows, int ld, ukArena *arena)
{
    const size_t most = (size_t)rows, wide = (size_t)ld;
    N->kernel = kernel, N->ld = ld;
    N->LU = ukArenaDoubles(arena, most * wide);
    N->row = ukArenaInts(arena, most);
    N->swap = ukArenaInts(arena, most);
    N->held = ukArenaBytes(arena, most);
    N->based = ukArenaBytes(arena, most);
    N->follow = ukArenaDoubles(arena, wide);
    N->base_follow = ukArenaDoubles(arena, wide);
    N->Z = ukArenaDoubles(arena, ukBorderMost * wide);
    N->x = ukArenaDoubles(arena, wide);
    N->place = ukArenaInts(arena, most);
    N->which = ukArenaInts(arena, ukBorderMost);
}

void ukBorderedBegin(ukBordered *N, const double *S, int rows, const int *normal)
{
    N->S = S, N->rows = rows, N->normal = normal, N->changed = -1;
}

/* LU factors of A (n x ld) by rows in its place; false: singular */
static bool factor(double *A, size_t ld, int n, int *swap)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[(size_t)i * ld + (size_t)k]) > fabs(A[(size_t)best * ld + (size_t)k])) best = i;
        double *K = A + (size_t)k * ld, *P = A + (size_t)best * ld;
        swap[k] = best;
        for (int c = 0; best != k && c < n; c++) {
            const double kept = K[c];
            K[c] = P[c], P[c] = kept;
        }
        if (!(fabs(K[k]) > 0)) return false;
        for (int i = k + 1; i < n; i++) {
            double *I = A + (size_t)i * ld;
            if (I[k] == 0) continue;
            const double l = I[k] /= K[k];
            ukPairSubtract(I + k + 1, K + k + 1, l, n - k - 1);
        }
    }
    return true;
}

/* x <- A^-1 x of these factors */
static void substitute(const double *A, size_t ld, int n, const int *swap, double *x)
{
    for (int k = 0; k < n; k++) {
        const double kept = x[swap[k]];
        x[swap[k]] = x[k], x[k] = kept;
    }
    for (int k = 0; k < n; k++) x[k] -= ukPairDot(A + (size_t)k * ld, x, k);
    for (int k = n - 1; k >= 0; k--) {
        const double *K = A + (size_t)k * ld;
        x[k] = (x[k] - ukPairDot(K + k + 1, x + k + 1, n - k - 1)) / K[k];
    }
}

/* The present set becomes the base: the free rows' equations, S and in a normal's column what slides on it. */
static bool rebase(ukBordered *N)
{
    const size_t rows = (size_t)N->rows, ld = (size_t)N->ld;
    memcpy(N->based, N->held, rows);
    memcpy(N->base_follow, N->follow, rows * sizeof *N->follow);
    N->free = N->changed = 0;
    for (int i = 0; i < N->rows; i++) {
        N->place[i] = -1;
        if (N->held[i]) N->row[N->free++] = i;
    }
    for (int a = 0; a < N->free; a++) {
        double *to = N->LU + (size_t)a * ld;
        memcpy(N->x, N->S + (size_t)N->row[a] * ld, rows * sizeof *N->x);
        for (int i = 0; i < N->rows; i++)
            if (N->follow[i] != 0) N->x[N->normal[i]] += N->follow[i] * N->x[i];
        for (int b = 0; b < N->free; b++) to[b] = N->x[N->row[b]];
    }
    if (!factor(N->LU, ld, N->free, N->swap)) N->changed = -1;
    return N->changed == 0;
}

/* x of the base's free rows' right-hand sides, in N->x */
static void solveBase(ukBordered *N, double *x)
{
    substitute(N->LU, (size_t)N->ld, N->free, N->swap, N->x);
    memset(x, 0, (size_t)N->ld * sizeof *x);
    for (int a = 0; a < N->free; a++) x[N->row[a]] = N->x[a];
    for (int i = 0; i < N->rows; i++)
        if (N->base_follow[i] != 0) x[i] = N->base_follow[i] * x[N->normal[i]];
}

/* Z of row i, which changes for the first time since the base */
static void border(ukBordered *N, int i)
{
    double *z = N->Z + (size_t)N->changed * (size_t)N->ld;
    const double *column = N->S + (size_t)i * (size_t)N->ld;
    for (int a = 0; a < N->free; a++) N->x[a] = N->based[i] ? N->row[a] == i : -column[N->row[a]];
    solveBase(N, z);
    if (!N->based[i]) z[i] += 1;
    N->place[i] = N->changed;
    N->which[N->changed++] = i;
}

/* row i of T times z */
static double along(const ukBordered *N, int i, const double *z)
{
    if (N->held[i]) return ukPairDot(N->S + (size_t)i * (size_t)N->ld, z, N->rows);
    return N->follow[i] != 0 ? z[i] - N->follow[i] * z[N->normal[i]] : z[i];
}

bool ukBorderedSet(ukBordered *N, const unsigned char *held, const double *follow)
{
    bool fresh[ukBorderMost] = {0};
    const int before = N->changed;
    bool many = before < 0;
    for (int i = 0; i < N->rows; i++) {
        if (!many && held[i] == N->held[i] && follow[i] == N->follow[i]) continue;
        N->held[i] = held[i], N->follow[i] = follow[i];
        many = many || (N->place[i] < 0 && N->changed == ukBorderMost);
        if (many) continue;
        if (N->place[i] < 0) border(N, i);
        fresh[N->place[i]] = true;
    }
    if (many) return rebase(N);
    for (int k = 0; k < N->changed; k++)
        for (int j = fresh[k] ? 0 : before; j < N->changed; j++)
            N->W[k * ukBorderMost + j] = along(N, N->which[k], N->Z + (size_t)j * (size_t)N->ld);
    memcpy(N->V, N->W, (size_t)N->changed * ukBorderMost * sizeof *N->V);
    return factor(N->V, ukBorderMost, N->changed, N->turn) || rebase(N);
}

bool ukBorderedRenew(ukBordered *N)
{
    return N->changed > 0 && rebase(N);
}

void ukBorderedSolve(ukBordered *N, const double *r, double *x)
{
    double c[ukBorderMost + 1];
    for (int a = 0; a < N->free; a++) N->x[a] = r[N->row[a]];
    solveBase(N, x);
    for (int k = 0; k < N->changed; k++) {
        const int i = N->which[k];
        c[k] = along(N, i, x) - (N->held[i] ? r[i] : 0);
    }
    substitute(N->V, ukBorderMost, N->changed, N->turn, c);
    N->kernel->combine(x, 0, N->rows, N->Z, N->ld, NULL, c, N->changed);
    for (int i = 0; i < N->rows; i++)
        if (!N->held[i]) x[i] = N->follow[i] != 0 ? N->follow[i] * x[N->normal[i]] : 0;
}

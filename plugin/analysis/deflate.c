/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/deflate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "solvers/base/arena.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

enum { BlockSize = 64 }; /* columns that LAPACK treats at once, at most */

typedef struct Deflation {
    int n, done;              /* rows and columns; those that are separated */
    double *A, *U;            /* (n x n) both */
    double *QR, *V, *product; /* (n x n) each */
    double *tau, *scratch;    /* (n), (scratch_size) */
    int *pivot, scratch_size; /* (n) */
} Deflation;

static void carveDeflation(Deflation *d, ukArena *a)
{
    const size_t n = (size_t)d->n;
    d->QR = ukArenaDoubles(a, n * n);
    d->V = ukArenaDoubles(a, n * n);
    d->product = ukArenaDoubles(a, n * n);
    d->tau = ukArenaDoubles(a, n);
    d->scratch = ukArenaDoubles(a, (size_t)d->scratch_size);
    d->pivot = ukArenaInts(a, n);
}

/* The rank of the trailing block S, by S' P = Q R: its null space is spanned by the last columns of Q; -1: no
 * convergence. */
static int rankOfRest(Deflation *d, double tolerance)
{
    const int m = d->n - d->done;
    int rank = 0;
    for (int i = 0; i < m; i++)
        memcpy(d->QR + (size_t)i * (size_t)m, d->A + (size_t)(d->done + i) * (size_t)d->n + d->done,
               (size_t)m * sizeof *d->QR);
    memset(d->pivot, 0, (size_t)m * sizeof *d->pivot);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, m, d->QR, m, d->pivot, d->tau, d->scratch, d->scratch_size) != 0)
        return -1;
    while (rank < m && fabs(d->QR[rank + rank * m]) > tolerance * fabs(d->QR[0])) rank++;
    return rank;
}

/* Computes V (m x m, row-major) = [null space, range] of the block that was factorized. */
static bool formBasis(Deflation *d, int rank)
{
    const int m = d->n - d->done;
    double *const Q = d->product;
    memset(Q, 0, (size_t)(m * m) * sizeof *Q);
    for (int i = 0; i < m; i++) Q[i + i * m] = 1;
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', m, m, m, d->QR, m, d->tau, Q, m, d->scratch, d->scratch_size) !=
        0)
        return false;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) d->V[i * m + j] = Q[i + (j + rank) % m * m];
    return true;
}

/* Multiplies the last columns of X (n x n) by V. */
static void timesBasis(Deflation *d, double *X)
{
    const int n = d->n, m = n - d->done;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, m, 1, X + d->done, n, d->V, m, 0, d->product, m);
    for (int i = 0; i < n; i++)
        memcpy(X + (size_t)i * (size_t)n + d->done, d->product + (size_t)i * (size_t)m, (size_t)m * sizeof *X);
}

static void separateZeros(Deflation *d, int zeros)
{
    const int n = d->n, m = n - d->done;
    double *const rows = d->A + (size_t)d->done * (size_t)n;
    timesBasis(d, d->A);
    timesBasis(d, d->U);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, m, 1, d->V, m, rows, n, 0, d->product, n);
    memcpy(rows, d->product, (size_t)(m * n) * sizeof *rows);
    for (int i = 0; i < m; i++) memset(rows + (size_t)i * (size_t)n, 0, (size_t)(d->done + zeros) * sizeof *rows);
    d->done += zeros;
}

int ukDeflateZeros(int n, double *A, double tolerance, double *U, int *zeros)
{
    Deflation d = {.n = n, .A = A, .U = U, .scratch_size = BlockSize * (2 * n + 3 + BlockSize)};
    int status = ukOk;
    ukArena arena = ukArenaOver(NULL, 0);
    carveDeflation(&d, &arena);
    void *const memory = ukArenaAllocate(&arena);
    *zeros = 0;
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory for the modes (states: %d)", n);
    carveDeflation(&d, &arena);
    memset(U, 0, (size_t)(n * n) * sizeof *U);
    for (int i = 0; i < n; i++) U[i * n + i] = 1;
    while (d.done < n) {
        const int rank = rankOfRest(&d, tolerance), found = n - d.done - rank;
        if (rank >= 0 && found == 0) break;
        if (rank >= 0 && formBasis(&d, rank)) {
            separateZeros(&d, found);
            continue;
        }
        ukErrorSet(ukErrorNotConverged, "the factorization (rows: %d) does not converge", n);
        status = ukErrorNotConverged;
        break;
    }
    free(memory);
    *zeros = d.done;
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/row_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "solvers/base/arena.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

_Static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK of 32-bit integers");

enum { BlockSize = 64 }; /* columns that LAPACK treats at once, at most */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int refuseFactor(int rows)
{
    return ukErrorSet(ukErrorNotConverged, "the factorization (rows: %d) does not converge", rows);
}

static void carveSpace(ukRowSpace *s, ukArena *a)
{
    const size_t n = (size_t)s->n, m = (size_t)s->m;
    s->QR = ukArenaDoubles(a, n * m);
    s->tau = ukArenaDoubles(a, n + m);
    s->pivot = ukArenaInts(a, m);
    s->scratch = ukArenaDoubles(a, (size_t)s->scratch_size);
}

/* Pivots above this part of the first leave no doubt: the smallest singular value is within a few times the last pivot,
 * which its column pivoting makes the smallest. */
static const double certain = 1e-3;

/* The rank by R's singular values, where pivots alone do not decide; R is destroyed in its copy. */
static int decideRank(ukRowSpace *s, double tolerance)
{
    const int last = least(s->n, s->m) - 1;
    if (s->m <= s->n && fabs(s->QR[last + last * s->n]) > certain * fabs(s->QR[0])) {
        s->rank = s->m;
        s->least = fabs(s->QR[last + last * s->n]);
        return ukOk;
    }
    const int k = least(s->n, s->m);
    double none[1];
    double *const R = calloc((size_t)k * (size_t)s->m + (size_t)k, sizeof *R), *const sigma =
                                                                                   R + (size_t)k * (size_t)s->m;
    if (!R) return ukErrorMemory;
    for (int j = 0; j < s->m; j++)
        memcpy(R + (size_t)j * (size_t)k, s->QR + (size_t)j * (size_t)s->n, (size_t)least(j + 1, k) * sizeof *R);
    const int failed = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', k, s->m, R, k, sigma, none, 1, none, 1,
                                           s->scratch, s->scratch_size);
    if (failed == 0) s->rank = ukRankCount(sigma, k, tolerance);
    s->least = s->rank > 0 ? sigma[s->rank - 1] : 1;
    free(R);
    return failed == 0 ? ukOk : refuseFactor(s->m);
}

int ukRowSpaceBegin(ukRowSpace *s, int m, int n, const double *B, double tolerance)
{
    *s = (ukRowSpace){.n = n, .m = m, .least = 1, .scratch_size = BlockSize * (n + m + 2 + BlockSize + 1)};
    ukArena arena = ukArenaOver(NULL, 0);
    carveSpace(s, &arena);
    s->memory = ukArenaAllocate(&arena);
    if (!s->memory) return ukErrorSet(ukErrorMemory, "no memory to factor %d rows", m);
    carveSpace(s, &arena);
    if (m == 0) return ukOk;
    memcpy(s->QR, B, (size_t)n * (size_t)m * sizeof *B);
    memset(s->pivot, 0, (size_t)m * sizeof *s->pivot);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, s->QR, n, s->pivot, s->tau, s->scratch, s->scratch_size) != 0)
        return refuseFactor(m);
    return decideRank(s, tolerance);
}

void ukRowSpaceEnd(ukRowSpace *s)
{
    free(s->memory);
    *s = (ukRowSpace){0};
}

/* X (columns of n numbers) := Q X */
static int applyQ(const ukRowSpace *s, int columns, double *X)
{
    const int k = least(s->n, s->m);
    if (columns == 0 || k == 0) return ukOk;
    double *const work = malloc((size_t)BlockSize * (size_t)(columns + BlockSize + 1) * sizeof *work);
    if (!work) return ukErrorMemory;
    const int failed = LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', s->n, columns, k, s->QR, s->n, s->tau, X, s->n,
                                           work, BlockSize * (columns + BlockSize + 1));
    free(work);
    return failed == 0 ? ukOk : refuseFactor(s->m);
}

int ukRowSpaceSolve(const ukRowSpace *s, int count, const double *g, double *x)
{
    const size_t n = (size_t)s->n;
    memset(x, 0, (size_t)count * n * sizeof *x);
    if (s->rank == 0 || count == 0) return ukOk;
    for (int j = 0; j < count; j++)
        for (int i = 0; i < s->rank; i++)
            x[(size_t)j * n + (size_t)i] = g[(size_t)j * (size_t)s->m + (size_t)s->pivot[i] - 1];
    if (LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'T', 'N', s->rank, count, s->QR, s->n, x, s->n) != 0)
        return refuseFactor(s->m);
    return applyQ(s, count, x);
}

int ukRowSpaceMultipliers(const ukRowSpace *s, int count, const double *g, double *y)
{
    const size_t m = (size_t)s->m, rank = (size_t)s->rank;
    memset(y, 0, (size_t)count * m * sizeof *y);
    if (rank == 0 || count == 0) return ukOk;
    double *const x = malloc((size_t)count * rank * sizeof *x);
    if (!x) return ukErrorMemory;
    for (size_t j = 0; j < (size_t)count; j++)
        for (size_t i = 0; i < rank; i++) x[j * rank + i] = g[j * m + (size_t)s->pivot[i] - 1];
    const bool failed =
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'T', 'N', s->rank, count, s->QR, s->n, x, s->rank) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', s->rank, count, s->QR, s->n, x, s->rank) != 0;
    for (size_t j = 0; j < (size_t)count; j++)
        for (size_t i = 0; i < rank; i++) y[j * m + (size_t)s->pivot[i] - 1] = x[j * rank + i];
    free(x);
    return failed ? refuseFactor(s->m) : ukOk;
}

/* N -= the least x with B x = B N: what rounding has left */
static int refineNull(const ukRowSpace *s, const double *B, double *N)
{
    const int count = s->n - s->rank;
    const size_t size = (size_t)s->n * (size_t)count;
    if (s->rank == 0 || count == 0) return ukOk;
    double *const g = calloc((size_t)s->m * (size_t)count + size, sizeof *g), *const x =
                                                                                  g + (size_t)s->m * (size_t)count;
    if (!g) return ukErrorMemory;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, s->m, count, s->n, 1, B, s->n, N, s->n, 0, g, s->m);
    const int status = ukRowSpaceSolve(s, count, g, x);
    for (size_t i = 0; status == ukOk && i < size; i++) N[i] -= x[i];
    free(g);
    return status;
}

int ukRowSpaceNull(const ukRowSpace *s, const double *B, double *N)
{
    const size_t n = (size_t)s->n;
    memset(N, 0, (n - (size_t)s->rank) * n * sizeof *N);
    for (size_t i = 0; i < n - (size_t)s->rank; i++) N[i * n + (size_t)s->rank + i] = 1;
    const int status = applyQ(s, s->n - s->rank, N);
    return status == ukOk ? refineNull(s, B, N) : status;
}

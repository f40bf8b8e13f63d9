#include "solvers/papers/dense.h"

#include "solvers/base/lapack.h"
#include "solvers/status.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

int ukDenseFromProblem(const ukProblem *p, ukDense *dense, ukArena *arena)
{
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    double *M = ukArenaDoubles(arena, n * n), *A = ukArenaDoubles(arena, m * n);
    if (arena->exhausted) return ukErrorMemory;
    if (!arena->base) return ukOk; /* measuring */
    memset(M, 0, n * n * sizeof *M);
    memset(A, 0, m * n * sizeof *A);
    for (size_t i = 0; i < (size_t)p->bodies; i++)
        for (size_t r = 0; r < 3; r++) {
            M[(6 * i + r) * n + 6 * i + r] = p->mass[i];
            memcpy(M + (6 * i + 3 + r) * n + 6 * i + 3, p->inertia + 9 * i + 3 * r, 3 * sizeof *M);
        }
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *from = p->A + b->A;
        for (size_t r = (size_t)b->row; r < (size_t)(b->row + b->rows); r++)
            for (int s = b->slot; s < b->slot + b->slots; s++, from += 6)
                if (p->body[s] >= 0) memcpy(A + r * n + 6 * (size_t)p->body[s], from, 6 * sizeof *A);
    }
    *dense = (ukDense){.n = (int)n, .m = p->rows, .M = M, .Q = p->Q, .C = p->C, .A = A, .b = p->b, .D = p->softness};
    return ukOk;
}

double ukDenseRankTolerance(int n, int m, double rank_tolerance)
{
    return rank_tolerance > 0 ? rank_tolerance : 64 * (n > m ? n : m) * DBL_EPSILON;
}

static bool allFinite(const double *x, int rows, int columns)
{
    int wrong = 0;
    for (size_t i = 0; x && i < (size_t)rows * (size_t)columns; i++) wrong |= !(fabs(x[i]) <= DBL_MAX);
    return !wrong;
}

int ukDenseUnconstrained(const ukDense *p, double *L, double *a, double *Bt)
{
    const int n = p->n, m = p->m, ld = n > 0 ? n : 1;
    assert(!p->D);
    if (!ukLapackReady()) return ukErrorLapack;
    if (!allFinite(p->M, n, n) || !allFinite(p->Q, n, 1) || !allFinite(p->C, n, 1) || !allFinite(p->A, m, n) ||
        !allFinite(p->b, m, 1))
        return ukErrorNotFinite;
    memcpy(L, p->M, (size_t)n * (size_t)n * sizeof *L);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, L, ld) != 0) return ukErrorMass;
    for (int i = 0; i < n; i++) a[i] = p->Q[i] + (p->C ? p->C[i] : 0);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, L, ld, a, ld);
    memcpy(Bt, p->A, (size_t)m * (size_t)n * sizeof *Bt); /* A row-major is A' column-major */
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, m, 1, L, ld, Bt, ld);
    return ukOk;
}

void ukDenseResidual(const ukDense *p, const double *a, double *r)
{
    if (p->m == 0) return;
    memcpy(r, p->b, (size_t)p->m * sizeof *r);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, p->m, p->n, -1, p->A, p->n > 0 ? p->n : 1, a, 1, 1, r, 1);
}

void ukDenseUnscale(int n, const double *L, double *x)
{
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, L, n > 0 ? n : 1, x, 1);
}

int ukDenseCountRank(const double *sigma, int count, double rank_tolerance)
{
    int rank = 0;
    while (rank < count && sigma[rank] > rank_tolerance * sigma[0]) rank++;
    return rank;
}

static int pivotedWork(int m)
{
    return 3 * m + 1 + 32 * (m + 1); /* dgeqp3 wants 3 m + 1, and (m + 1) nb beside for its blocks */
}

size_t ukDenseMultipliersWork(int n, int m)
{
    return (size_t)n + 3 * (size_t)m + (size_t)pivotedWork(m);
}

int ukDenseMultipliers(int n, int m, int rank, double *Bt, const double *f, double *lambda, double *work, int *pivot)
{
    const int ld = n > 0 ? n : 1, lwork = pivotedWork(m);
    double *g = work, *x = g + n, *tau = x + m, *tau_z = tau + m, *rest = tau_z + m;
    memset(lambda, 0, (size_t)m * sizeof *lambda);
    if (rank == 0) return ukOk;

    /* Bt P = Q [T 0] Z up to what rank neglects, T upper triangular: lambda = P Z' [T^-1 Q' f; 0] */
    memset(pivot, 0, (size_t)m * sizeof *pivot);
    memcpy(g, f, (size_t)n * sizeof *g);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, Bt, ld, pivot, tau, rest, lwork) != 0 ||
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', n, 1, rank, Bt, ld, tau, g, ld, rest, lwork) != 0 ||
        LAPACKE_dtzrzf_work(LAPACK_COL_MAJOR, rank, m, Bt, ld, tau_z, rest, lwork) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, Bt, ld, g, ld) != 0)
        return ukErrorLapack;
    memset(x, 0, (size_t)m * sizeof *x);
    memcpy(x, g, (size_t)rank * sizeof *x);
    if (rank < m &&
        LAPACKE_dormrz_work(LAPACK_COL_MAJOR, 'L', 'T', m, 1, rank, m - rank, Bt, ld, tau_z, x, m, rest, lwork) != 0)
        return ukErrorLapack;
    for (int i = 0; i < m; i++) lambda[pivot[i] - 1] = x[i];
    return ukOk;
}

int ukDenseFinish(const ukDense *p, const double *qdd, const double *lambda, int rank, ukSolution *s)
{
    if (!allFinite(qdd, p->n, 1) || !allFinite(lambda, p->m, 1)) return ukErrorNotFinite;
    memcpy(s->qdd, qdd, (size_t)p->n * sizeof *qdd);
    memcpy(s->lambda, lambda, (size_t)p->m * sizeof *lambda);
    s->rank = rank;
    s->active = p->m;
    s->pivots = 0;
    s->residual = 0;
    return ukOk;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/dense.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

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

/* whether none of the rows x columns is NaN or Inf; NULL: there are none */
static bool isFinite(const double *x, int rows, int columns)
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
    if (!isFinite(p->M, n, n) || !isFinite(p->Q, n, 1) || !isFinite(p->C, n, 1) || !isFinite(p->A, m, n) ||
        !isFinite(p->b, m, 1))
        return ukErrorNotFinite;
    memcpy(L, p->M, (size_t)n * (size_t)n * sizeof *L);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, L, ld) != 0) return ukErrorMass;
    for (int i = 0; i < n; i++) a[i] = p->Q[i] + (p->C ? p->C[i] : 0);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, L, ld, a, ld);
    memcpy(Bt, p->A, (size_t)m * (size_t)n * sizeof *Bt); /* A row-major is A' column-major */
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, m, 1, L, ld, Bt, ld);
    /* products of finite numbers may overflow, and LAPACK prints a message if it receives NaN or Inf */
    return isFinite(a, n, 1) && isFinite(Bt, m, n) ? ukOk : ukErrorNotFinite;
}

void ukDenseResidual(ukDenseFrame *f)
{
    const int n = f->n, m = f->m;
    if (m == 0) return;
    memcpy(f->r, f->p->b, (size_t)m * sizeof *f->r);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, -1, f->p->A, n > 0 ? n : 1, f->q, 1, 1, f->r, 1);
}

void ukDenseUnscale(const ukDenseFrame *f, double *x)
{
    if (f->n > 0) cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, f->n, f->L, f->n, x, 1);
}

void ukDenseScale(const ukDenseFrame *f, double *x)
{
    if (f->n > 0) cblas_dtrmv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, f->n, f->L, f->n, x, 1);
}

int ukDenseDecompose(ukDenseFrame *f, const char *job, int columns, double *X)
{
    const int n = f->n, k = n < columns ? n : columns;
    if (!isFinite(X, columns, n)) return ukErrorNotFinite;
    if (k == 0) {
        if (job[0] == 'A') ukDenseIdentity(n, f->U);
        return ukOk;
    }
    return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, job[0], job[1], n, columns, X, n, f->sigma, f->U, n, f->Vt, k, f->work,
                               f->nwork) == 0
               ? ukOk
               : ukErrorLapack;
}

void ukDenseSetRank(ukDenseFrame *f)
{
    f->rank = ukRankCount(f->sigma, f->least, f->tolerance);
}

int ukDenseCountRank(ukDenseFrame *f, const char *job)
{
    memcpy(f->copy, f->Bt, (size_t)f->n * (size_t)f->m * sizeof *f->copy);
    const int status = ukDenseDecompose(f, job, f->m, f->copy);
    if (status == ukOk) ukDenseSetRank(f);
    return status;
}

void ukDenseIdentity(int n, double *X)
{
    memset(X, 0, (size_t)n * (size_t)n * sizeof *X);
    for (int i = 0; i < n; i++) X[(size_t)i * (size_t)(n + 1)] = 1;
}

static int pivotedWork(int m)
{
    return 3 * m + 1 + 32 * (m + 1); /* dgeqp3 wants 3 m + 1, and (m + 1) nb beside for its blocks */
}

/* f->lambda of least norm with B' lambda = f->f, which lies in range(B'), by a complete orthogonal factorization of
 * f->Bt, which is overwritten: the multipliers of 1994 [35], for any rank. ukOk, ukErrorLapack. */
static int computeMultipliers(ukDenseFrame *f)
{
    const int n = f->n, m = f->m, rank = f->rank, ld = n > 0 ? n : 1, lwork = pivotedWork(m);
    double *Bt = f->Bt, *g = f->work, *x = g + n, *tau = x + m, *tau_z = tau + m, *rest = tau_z + m;
    memset(f->lambda, 0, (size_t)m * sizeof *f->lambda);
    if (rank == 0) return ukOk;

    /* Bt P = Q [T 0] Z up to what rank neglects, T upper triangular: lambda = P Z' [T^-1 Q' f; 0] */
    memset(f->pivot, 0, (size_t)m * sizeof *f->pivot);
    memcpy(g, f->f, (size_t)n * sizeof *g);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, Bt, ld, f->pivot, tau, rest, lwork) != 0 ||
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', n, 1, rank, Bt, ld, tau, g, ld, rest, lwork) != 0 ||
        LAPACKE_dtzrzf_work(LAPACK_COL_MAJOR, rank, m, Bt, ld, tau_z, rest, lwork) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, Bt, ld, g, ld) != 0)
        return ukErrorLapack;
    memset(x, 0, (size_t)m * sizeof *x);
    memcpy(x, g, (size_t)rank * sizeof *x);
    if (rank < m &&
        LAPACKE_dormrz_work(LAPACK_COL_MAJOR, 'L', 'T', m, 1, rank, m - rank, Bt, ld, tau_z, x, m, rest, lwork) != 0)
        return ukErrorLapack;
    for (int i = 0; i < m; i++) f->lambda[f->pivot[i] - 1] = x[i];
    return ukOk;
}

int ukDenseFinish(const ukDense *p, const double *qdd, const double *lambda, int rank, ukSolution *s)
{
    if (!isFinite(qdd, p->n, 1) || !isFinite(lambda, p->m, 1)) return ukErrorNotFinite;
    memcpy(s->qdd, qdd, (size_t)p->n * sizeof *qdd);
    memcpy(s->lambda, lambda, (size_t)p->m * sizeof *lambda);
    s->rank = rank;
    s->active = p->m;
    s->pivots = s->passes = 0;
    s->residual = 0;
    return ukOk;
}

static size_t denseLargest(size_t x, size_t y)
{
    return x > y ? x : y;
}

/* Takes all arrays from the arena; the same function measures their size. */
static ukDenseFrame carveDense(const ukDense *p, ukArena *arena)
{
    ukDenseFrame f = {.p = p, .n = p->n, .m = p->m, .arena = arena, .mark = ukArenaMark(arena)};
    const size_t n = (size_t)f.n, m = (size_t)f.m, most = denseLargest(n, m);
    const size_t lapack = denseLargest(10 * most + 1, 33 * (n + 1)); /* dgesvd; dgeqrf, dormqr with blocks of 32 */
    f.least = f.n < f.m ? f.n : f.m;
    f.L = ukArenaDoubles(arena, n * n);
    f.a = ukArenaDoubles(arena, n);
    f.Bt = ukArenaDoubles(arena, n * m);
    f.q = ukArenaDoubles(arena, n);
    f.r = ukArenaDoubles(arena, m);
    f.f = ukArenaDoubles(arena, n);
    f.lambda = ukArenaDoubles(arena, m);
    f.sigma = ukArenaDoubles(arena, n);
    f.U = ukArenaDoubles(arena, n * n);
    UKODE_DOUBLES(arena, n * most, &f.Vt, &f.copy);
    f.N = ukArenaDoubles(arena, (m + n) * n);
    f.P = ukArenaDoubles(arena, n * n);
    UKODE_DOUBLES(arena, m + n, &f.x, &f.y, &f.z, &f.tau);
    f.nwork = (int)denseLargest(lapack, n + 3 * m + (size_t)pivotedWork(f.m));
    f.work = ukArenaDoubles(arena, (size_t)f.nwork);
    f.pivot = ukArenaInts(arena, m);
    return f;
}

size_t ukDenseFrameScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    carveDense(&(ukDense){.n = n, .m = m}, &measure);
    return measure.used;
}

int ukDenseBegin(ukDenseFrame *f, int (*prepare)(ukDenseFrame *), const void *own, const ukDense *p,
                 double rank_tolerance, ukArena *scratch)
{
    *f = carveDense(p, scratch);
    if (scratch->exhausted) return ukErrorMemory;
    f->own = own;
    f->tolerance = rank_tolerance > 0 ? rank_tolerance : ukRankRounding(p->n, p->m);
    const int status = ukDenseUnconstrained(p, f->L, f->a, f->Bt);
    if (status != ukOk) return status;
    memcpy(f->q, f->a, (size_t)p->n * sizeof *f->q);
    memset(f->f, 0, (size_t)p->n * sizeof *f->f);
    memset(f->lambda, 0, (size_t)p->m * sizeof *f->lambda);
    return prepare(f);
}

int ukDenseEnd(ukDenseFrame *f, int status, ukSolution *s)
{
    if (status == ukOk && s) status = ukDenseFinish(f->p, f->q, f->lambda, f->rank, s);
    ukArenaRelease(f->arena, f->mark);
    return status;
}

int ukDenseRun(const ukDensePaper *paper, const void *own, const ukDense *p, double rank_tolerance, ukSolution *s,
               ukArena *scratch)
{
    ukDenseFrame f;
    int status = ukDenseBegin(&f, paper->prepare, own, p, rank_tolerance, scratch);
    for (int sweep = 0; sweep < 2 && status == ukOk; sweep++) {
        ukDenseResidual(&f);
        status = paper->improve(&f);
    }
    if (status == ukOk && !paper->has_multipliers) status = computeMultipliers(&f);
    return ukDenseEnd(&f, status, s);
}

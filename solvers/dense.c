#include "solvers/dense.h"

#include "solvers/dalembert.h"
#include "solvers/gauss_qp.h"
#include "solvers/lagrange.h"
#include "solvers/m_inverse.h"
#include "solvers/one_four_inverse.h"
#include "solvers/lapack.h"
#include "solvers/status.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

const ukDenseSolver ukDenseSolvers[ukDenseSolverCount] = {
    [ukDenseMInverse] = {"m-inverse", true, ukMInverseScratch, ukMInverseSolve},
    [ukDenseOneFour] = {"one-four-inverse", true, ukOneFourInverseScratch, ukOneFourInverseSolve},
    [ukDenseDAlembert] = {"dalembert", true, ukDAlembertScratch, ukDAlembertSolve},
    [ukDenseGaussQP] = {"gauss-qp", true, ukGaussQPScratch, ukGaussQPSolve},
    [ukDenseLagrange] = {"lagrange", false, ukLagrangeScratch, ukLagrangeSolve},
};

/* ---- softness ------------------------------------------------------------------------------------------------------
 */

static int softRows(const ukDense *p)
{
    int count = 0;
    for (int i = 0; p->D && i < p->m; i++) count += p->D[i] != 0;
    return count;
}

typedef struct Augmented {
    double *M, *Q, *C, *A, *qdd, *lambda;
} Augmented;

static bool carveAugmented(Augmented *w, size_t n, size_t m, size_t k, ukArena *arena)
{
    const size_t total = n + k;
    w->M = ukArenaDoubles(arena, total * total); /* diag(M, I) */
    w->Q = ukArenaDoubles(arena, total);         /* Q, C: no force on the auxiliary masses */
    w->C = ukArenaDoubles(arena, total);
    w->A = ukArenaDoubles(arena, m * total); /* [A, sqrt(D)] */
    w->qdd = ukArenaDoubles(arena, total);
    w->lambda = ukArenaDoubles(arena, m);
    return !arena->exhausted;
}

static ukDense augment(const ukDense *p, const Augmented *w, size_t k)
{
    const size_t n = (size_t)p->n, m = (size_t)p->m, total = n + k;
    memset(w->M, 0, total * total * sizeof *w->M);
    memset(w->Q, 0, total * sizeof *w->Q);
    memset(w->C, 0, total * sizeof *w->C);
    memset(w->A, 0, m * total * sizeof *w->A);
    for (size_t i = 0; i < n; i++) memcpy(w->M + i * total, p->M + i * n, n * sizeof *w->M);
    for (size_t i = n; i < total; i++) w->M[i * total + i] = 1;
    for (size_t i = 0, column = n; i < m; i++) {
        memcpy(w->A + i * total, p->A + i * n, n * sizeof *w->A);
        if (p->D[i] != 0) w->A[i * total + column++] = sqrt(p->D[i]); /* NaN where negative */
    }
    memcpy(w->Q, p->Q, n * sizeof *w->Q);
    if (p->C) memcpy(w->C, p->C, n * sizeof *w->C);
    return (ukDense){.n = (int)total, .m = p->m, .M = w->M, .Q = w->Q, .C = w->C, .A = w->A, .b = p->b};
}

static size_t scratchFor(int which, int n, int m, int k)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Augmented w;
    if (k > 0) carveAugmented(&w, (size_t)n, (size_t)m, (size_t)k, &measure);
    ukArenaBytes(&measure, ukDenseSolvers[which].scratch(n + k, m));
    return measure.used;
}

size_t ukDenseScratch(int which, const ukDense *p)
{
    return scratchFor(which, p->n, p->m, softRows(p));
}

int ukDenseSolve(int which, const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    assert(which >= 0 && which < ukDenseSolverCount);
    const int k = softRows(p);
    if (k == 0) {
        ukDense hard = *p;
        hard.D = NULL;
        return ukDenseSolvers[which].solve(&hard, rank_tolerance, s, scratch);
    }
    const size_t mark = ukArenaMark(scratch);
    int status = ukErrorMemory;
    Augmented w;
    if (!carveAugmented(&w, (size_t)p->n, (size_t)p->m, (size_t)k, scratch)) goto done;
    const ukDense hard = augment(p, &w, (size_t)k);
    ukSolution whole = {.qdd = w.qdd, .lambda = w.lambda};
    status = ukDenseSolvers[which].solve(&hard, 0, &whole, scratch);
    if (status == ukOk) status = ukDenseFinish(p, whole.qdd, whole.lambda, whole.rank, s);
done:
    ukArenaRelease(scratch, mark);
    return status;
}

/* ---- block problems ------------------------------------------------------------------------------------------------
 */

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

/* The held rows alone, packed, and Q with the forces of the others. */
typedef struct Held {
    double *A, *b, *D, *Q, *qdd, *lambda;
} Held;

static bool carveHeld(Held *w, size_t n, size_t m, ukArena *arena)
{
    w->A = ukArenaDoubles(arena, m * n);
    w->b = ukArenaDoubles(arena, m);
    w->D = ukArenaDoubles(arena, m);
    w->Q = ukArenaDoubles(arena, n);
    w->qdd = ukArenaDoubles(arena, n);
    w->lambda = ukArenaDoubles(arena, m);
    return !arena->exhausted;
}

static void pack(const ukDense *all, const unsigned char *held, const double *lambda, const Held *w, ukDense *p)
{
    const size_t n = (size_t)all->n;
    size_t m = 0;
    memcpy(w->Q, all->Q, n * sizeof *w->Q);
    for (size_t i = 0; i < (size_t)all->m; i++) {
        if (!held[i]) {
            for (size_t c = 0; c < n; c++) w->Q[c] += all->A[i * n + c] * lambda[i];
            continue;
        }
        memcpy(w->A + m * n, all->A + i * n, n * sizeof *w->A);
        w->b[m] = all->b[i];
        w->D[m++] = all->D ? all->D[i] : 0;
    }
    *p = (ukDense){.n = all->n, .m = (int)m, .M = all->M, .Q = w->Q, .C = all->C, .A = w->A, .b = w->b, .D = w->D};
}

size_t ukDenseProblemScratch(const ukProblem *p, int which)
{
    ukArena measure = ukArenaOver(NULL, 0);
    ukDense dense = {.D = p->softness, .m = p->rows};
    Held w;
    ukDenseFromProblem(p, &dense, &measure);
    carveHeld(&w, 6 * (size_t)p->bodies, (size_t)p->rows, &measure);
    ukArenaBytes(&measure,
                 scratchFor(which, 6 * p->bodies, p->rows, softRows(&(ukDense){.D = p->softness, .m = p->rows})));
    return measure.used;
}

int ukDenseSolveProblem(const ukProblem *p, int which, double rank_tolerance, ukArena *scratch, ukSolution *s)
{
    return ukDenseSolveHeld(p, which, NULL, rank_tolerance, scratch, s);
}

int ukDenseSolveHeld(const ukProblem *p, int which, const unsigned char *held, double rank_tolerance, ukArena *scratch,
                     ukSolution *s)
{
    const size_t mark = ukArenaMark(scratch);
    ukDense all, dense;
    Held w;
    int status = ukDenseFromProblem(p, &all, scratch);
    if (status == ukOk && !carveHeld(&w, (size_t)all.n, (size_t)all.m, scratch)) status = ukErrorMemory;
    if (status != ukOk) goto done;
    if (!held) {
        status = ukDenseSolve(which, &all, rank_tolerance, s, scratch);
        goto done;
    }
    pack(&all, held, s->lambda, &w, &dense);
    ukSolution packed = *s;
    packed.qdd = w.qdd, packed.lambda = w.lambda;
    status = ukDenseSolve(which, &dense, rank_tolerance, &packed, scratch);
    if (status != ukOk) goto done;
    packed.qdd = s->qdd, packed.lambda = s->lambda;
    *s = packed;
    memcpy(s->qdd, w.qdd, (size_t)all.n * sizeof *s->qdd);
    for (int i = 0, k = 0; i < all.m; i++)
        if (held[i]) s->lambda[i] = w.lambda[k++];
done:
    ukArenaRelease(scratch, mark);
    return status;
}

/* ---- shared --------------------------------------------------------------------------------------------------------
 */

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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/solvers.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/papers/dalembert.h"
#include "solvers/papers/gauss_qp.h"
#include "solvers/papers/lagrange.h"
#include "solvers/papers/m_inverse.h"
#include "solvers/papers/one_four_inverse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const ukDenseSolver ukDenseSolvers[ukDenseSolverCount] = {
    [ukDenseMInverse] = {"m-inverse", true, ukDenseFrameScratch, ukMInverseSolve},
    [ukDenseOneFour] = {"one-four-inverse", true, ukDenseFrameScratch, ukOneFourInverseSolve},
    [ukDenseDAlembert] = {"dalembert", true, ukDenseFrameScratch, ukDAlembertSolve},
    [ukDenseGaussQP] = {"gauss-qp", true, ukDenseFrameScratch, ukGaussQPSolve},
    [ukDenseLagrange] = {"lagrange", false, ukLagrangeScratch, ukLagrangeSolve},
};

/* ---- softness ---- */

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

static ukDense augmentWithRows(const ukDense *p, const Augmented *w, size_t k)
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
    return (ukDense){
        .n = (int)total, .m = p->m, .M = w->M, .Q = w->Q, .C = w->C, .A = w->A, .b = p->b, .weight = p->weight};
}

/* ---- refinement ---- */

/* Residuals of the equations at a solution, and the correction that solves them. */
typedef struct Correction {
    double *Q, *b, *qdd, *lambda;
} Correction;

static bool carveCorrection(Correction *w, size_t n, size_t m, ukArena *arena)
{
    w->Q = ukArenaDoubles(arena, n);
    w->b = ukArenaDoubles(arena, m);
    w->qdd = ukArenaDoubles(arena, n);
    w->lambda = ukArenaDoubles(arena, m);
    return !arena->exhausted;
}

/* w->Q = Q + C + A' lambda - M qdd, w->b = b - A qdd - D lambda. Whether each of w->Q is rounding of its own terms. */
static bool recomputeResiduals(const ukDense *p, const ukSolution *s, const Correction *w)
{
    const size_t n = (size_t)p->n, m = (size_t)p->m;
    const double enough = 1e-13;
    bool small = true;
    for (size_t i = 0; i < m; i++)
        w->b[i] = p->b[i] - cblas_ddot(p->n, p->A + i * n, 1, s->qdd, 1) - (p->D ? p->D[i] * s->lambda[i] : 0);
    for (size_t c = 0; c < n; c++) {
        double sum = p->Q[c] + (p->C ? p->C[c] : 0), terms = fabs(sum);
        for (size_t k = 0; k < n; k++) {
            const double inertial = p->M[c * n + k] * s->qdd[k];
            sum -= inertial, terms += fabs(inertial);
        }
        for (size_t i = 0; i < m; i++) {
            const double force = p->A[i * n + c] * s->lambda[i];
            sum += force, terms += fabs(force);
        }
        w->Q[c] = sum;
        small &= fabs(sum) <= enough * terms;
    }
    return small;
}

/* ---- unit rows --------------------------------------------------------------------------------------------------- */

typedef struct Unit {
    double *A, *b, *weight, *size; /* (m x n), (m), (m), (m) |row of B| */
    double *L, *a;                 /* scratch */
} Unit;

static bool carveUnit(Unit *w, size_t n, size_t m, ukArena *arena)
{
    w->A = ukArenaDoubles(arena, m * n);
    UKODE_DOUBLES(arena, m, &w->b, &w->weight, &w->size);
    w->L = ukArenaDoubles(arena, n * n);
    w->a = ukArenaDoubles(arena, n);
    return !arena->exhausted;
}

/* p with every row divided by its size in M^-1 (solvers/problem/tolerance.h) */
static int toUnit(ukDense *p, const Unit *w)
{
    const int n = p->n, m = p->m;
    const int status = ukDenseUnconstrained(p, w->L, w->a, w->A);
    if (status != ukOk) return status;
    for (int i = 0; i < m; i++) {
        const size_t row = (size_t)i * (size_t)n;
        w->size[i] = sqrt(cblas_ddot(n, w->A + row, 1, w->A + row, 1));
        if (!(w->size[i] > 0)) w->size[i] = 1;
        for (size_t c = row; c < row + (size_t)n; c++) w->A[c] = p->A[c] / w->size[i];
        w->b[i] = p->b[i] / w->size[i];
        w->weight[i] = p->weight ? p->weight[i] * w->size[i] * w->size[i] : 1;
    }
    p->A = w->A;
    p->b = w->b;
    if (p->weight) p->weight = w->weight;
    return ukOk;
}

static size_t scratchFor(int which, int n, int m, int k)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Augmented w;
    Unit unit;
    if (k > 0) carveAugmented(&w, (size_t)n, (size_t)m, (size_t)k, &measure);
    carveUnit(&unit, (size_t)(n + k), (size_t)m, &measure);
    ukArenaBytes(&measure, ukDenseSolvers[which].scratch(n + k, m));
    return measure.used;
}

size_t ukDenseScratch(int which, const ukDense *p)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Correction w;
    carveCorrection(&w, (size_t)p->n, (size_t)p->m, &measure);
    ukArenaBytes(&measure, scratchFor(which, p->n, p->m, softRows(p)));
    return measure.used;
}

/* Solves a problem without softness. */
static int solveHard(int which, const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    ukDense unit = *p;
    Unit w;
    if (!carveUnit(&w, (size_t)p->n, (size_t)p->m, scratch)) return ukErrorMemory;
    int status = toUnit(&unit, &w);
    if (status == ukOk) status = ukDenseSolvers[which].solve(&unit, rank_tolerance, s, scratch);
    for (int i = 0; i < p->m && status == ukOk; i++) s->lambda[i] /= w.size[i];
    return status;
}

static int solveOnce(int which, const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    const int k = softRows(p);
    const size_t mark = ukArenaMark(scratch);
    int status = ukErrorMemory;
    Augmented w;
    if (k == 0) {
        ukDense hard = *p;
        hard.D = NULL;
        status = solveHard(which, &hard, rank_tolerance, s, scratch);
    } else if (carveAugmented(&w, (size_t)p->n, (size_t)p->m, (size_t)k, scratch)) {
        const ukDense hard = augmentWithRows(p, &w, (size_t)k);
        ukSolution whole = {.qdd = w.qdd, .lambda = w.lambda};
        status = solveHard(which, &hard, 0, &whole, scratch);
        if (status == ukOk) status = ukDenseFinish(p, whole.qdd, whole.lambda, whole.rank, s);
    }
    ukArenaRelease(scratch, mark);
    return status;
}

int ukDenseSolve(int which, const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    assert(which >= 0 && which < ukDenseSolverCount);
    const size_t mark = ukArenaMark(scratch);
    Correction w;
    int status = carveCorrection(&w, (size_t)p->n, (size_t)p->m, scratch) ? ukOk : ukErrorMemory;
    if (status == ukOk) status = solveOnce(which, p, rank_tolerance, s, scratch);
    if (status == ukOk && !recomputeResiduals(p, s, &w)) {
        ukDense rest = *p;
        ukSolution more = {.qdd = w.qdd, .lambda = w.lambda};
        rest.Q = w.Q, rest.C = NULL, rest.b = w.b;
        /* one that overflows corrects nothing */
        if (solveOnce(which, &rest, rank_tolerance, &more, scratch) == ukOk) {
            cblas_daxpy(p->n, 1, w.qdd, 1, s->qdd, 1);
            cblas_daxpy(p->m, 1, w.lambda, 1, s->lambda, 1);
        }
    }
    ukArenaRelease(scratch, mark);
    return status;
}

/* ---- block problems ---- */

/* The active rows alone, packed, and Q with the forces of the others. */
typedef struct ActiveRows {
    double *A, *b, *D, *Q, *qdd, *lambda;
} ActiveRows;

static bool carveActive(ActiveRows *w, size_t n, size_t m, ukArena *arena)
{
    w->A = ukArenaDoubles(arena, m * n);
    UKODE_DOUBLES(arena, m, &w->b, &w->D);
    UKODE_DOUBLES(arena, n, &w->Q, &w->qdd);
    w->lambda = ukArenaDoubles(arena, m);
    return !arena->exhausted;
}

static void packActiveRows(const ukDense *all, const unsigned char *active, const double *lambda, const ActiveRows *w,
                           ukDense *p)
{
    const size_t n = (size_t)all->n;
    size_t m = 0;
    memcpy(w->Q, all->Q, n * sizeof *w->Q);
    for (size_t i = 0; i < (size_t)all->m; i++) {
        if (!active[i]) {
            for (size_t c = 0; c < n; c++) w->Q[c] += all->A[i * n + c] * lambda[i];
            continue;
        }
        memcpy(w->A + m * n, all->A + i * n, n * sizeof *w->A);
        w->b[m] = all->b[i];
        w->D[m++] = all->D ? all->D[i] : 0;
    }
    *p = (ukDense){.n = all->n, .m = (int)m, .M = all->M, .Q = w->Q, .C = all->C, .A = w->A, .b = w->b, .D = w->D};
}

/* Factorizations of M and products with it, and a singular value decomposition of the rows (12 m n min(m, n)); a soft
 * row has a column of its own. Twice: the refinement. */
double ukDenseProblemProducts(const ukProblem *p)
{
    const double m = p->rows;
    double n = 6.0 * p->bodies;
    for (int i = 0; p->softness && i < p->rows; i++) n += p->softness[i] != 0;
    return 2 * (n * n * (n + m) + 12 * m * n * fmin(m, n));
}

size_t ukDenseProblemScratch(const ukProblem *p, int which)
{
    ukArena measure = ukArenaOver(NULL, 0);
    ukDense dense = {.D = p->softness, .m = p->rows};
    ActiveRows w;
    ukDenseFromProblem(p, &dense, &measure);
    carveActive(&w, 6 * (size_t)p->bodies, (size_t)p->rows, &measure);
    ukArenaBytes(&measure, ukDenseScratch(which, &(ukDense){.n = 6 * p->bodies, .m = p->rows, .D = p->softness}));
    return measure.used;
}

int ukDenseSolveActive(const ukProblem *p, int which, const unsigned char *active, double rank_tolerance,
                       ukArena *scratch, ukSolution *s)
{
    const size_t mark = ukArenaMark(scratch);
    ukDense all, dense;
    ActiveRows w;
    int status = ukDenseFromProblem(p, &all, scratch);
    if (status == ukOk && !carveActive(&w, (size_t)all.n, (size_t)all.m, scratch)) status = ukErrorMemory;
    if (status != ukOk) goto done;
    if (!active) {
        status = ukDenseSolve(which, &all, rank_tolerance, s, scratch);
        goto done;
    }
    packActiveRows(&all, active, s->lambda, &w, &dense);
    ukSolution packed = *s;
    packed.qdd = w.qdd, packed.lambda = w.lambda;
    status = ukDenseSolve(which, &dense, rank_tolerance, &packed, scratch);
    if (status != ukOk) goto done;
    packed.qdd = s->qdd, packed.lambda = s->lambda;
    *s = packed;
    memcpy(s->qdd, w.qdd, (size_t)all.n * sizeof *s->qdd);
    for (int i = 0, k = 0; i < all.m; i++)
        if (active[i]) s->lambda[i] = w.lambda[k++];
done:
    ukArenaRelease(scratch, mark);
    return status;
}

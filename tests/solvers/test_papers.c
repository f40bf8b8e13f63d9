/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_papers.c: ukode's reference solvers against the formulas of their papers as the library
 * libukode-formulas has them (tests/formulas/ asserts these), on random systems of any rank with masses of a condition
 * up to 1e6: accelerations, the force of constraint, multipliers, and weighted rows that contradict each other. */
#include "solvers/base/status.h"
#include "solvers/papers/dalembert.h"
#include "solvers/papers/gauss_qp.h"
#include "solvers/papers/m_inverse.h"
#include "solvers/papers/one_four_inverse.h"
#include "tests/check.h"
#include "tests/solvers/random_system.h"

#include <stdlib.h>
#include <string.h>
#include <ukode/formulas.h>

enum { most = ukRandomMaxN, square = most * most };

/* an exact heap block, so that a memory checker sees any step outside */
static void *block;

static ukArena arenaOf(size_t bytes)
{
    free(block);
    if (posix_memalign(&block, 64, bytes > 0 ? bytes : 1) != 0) abort();
    return ukArenaOver(block, bytes);
}

/* ---- plain matrices, row-major ----------------------------------------------------------------------------------- */

/* Z (r x c) = X Y, X (r x k), Y (k x c) */
static void multiply(int r, int k, int c, const double *X, const double *Y, double *Z)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += X[i * k + l] * Y[l * c + j];
            Z[i * c + j] = sum;
        }
}

/* y (n) = A' x, A (m x n) */
static void applyTransposed(int m, int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = 0; i < m; i++) y[j] += A[i * n + j] * x[i];
    }
}

static double norm(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* |X - Y| <= 1e-9 times `size`, what met in them */
static void same(const double *X, const double *Y, int count, double size)
{
    double d[square];
    for (int i = 0; i < count; i++) d[i] = X[i] - Y[i];
    CHECK_NEAR(norm(d, count), 0, 1e-9 * size);
}

/* ---- a system and its solution ----------------------------------------------------------------------------------- */

typedef struct Case {
    ukRandomDense d;
    int n, m;
    ukFormulaSystem s;
    double S[square];               /* M^1/2 */
    double qdd[most], lambda[most]; /* by the library; by ukMInverseSolve */
    double force[most], size;       /* M qdd - Q, the whole force of constraint; what met in it */
} Case;

/* rows of length 1 in M^-1, so that what counts as dependent does not depend on their size */
static void makeRowsUnit(ukRandomDense *d)
{
    double L[square], a[most], Bt[square];
    const int n = d->p.n;
    CHECK(ukDenseUnconstrained(&d->p, L, a, Bt) == ukOk);
    for (int i = 0; i < d->p.m; i++) {
        const double size = norm(Bt + i * n, n);
        for (int j = 0; j < n && size > 0; j++) d->A[i * n + j] /= size;
        if (size > 0) d->b[i] /= size;
    }
}

static void make(Case *s, ukRandom *random)
{
    ukRandomDenseMake(&s->d, random, true);
    makeRowsUnit(&s->d);
    const ukDense *p = &s->d.p;
    const int n = s->n = p->n;
    s->m = p->m;
    s->s = (ukFormulaSystem){.n = n, .m = p->m, .M = p->M, .A = p->A, .b = p->b, .Q = p->Q, .C = p->C};
    CHECK(ukFormulaAcceleration(&s->s, s->qdd) == 0);
    CHECK(ukFormulaRoot(n, p->M, s->S, NULL) == 0);
    multiply(n, n, 1, p->M, s->qdd, s->force);
    for (int i = 0; i < n; i++) s->force[i] -= p->Q[i];
    s->size = norm(p->Q, n) + norm(p->C, n) + norm(p->M, n * n) * norm(s->qdd, n);
}

/* ---- accelerations and forces ------------------------------------------------------------------------------------ */

typedef int Solve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* the solver's qdd is that of [9]; Q + C and its multipliers move the system */
static void accelerations(Case *s, Solve *solve)
{
    const ukDense *p = &s->d.p;
    double qdd[most], lambda[most], force[most];
    ukSolution out = {.qdd = qdd, .lambda = lambda};
    ukArena arena = arenaOf(ukDenseFrameScratch(s->n, s->m));
    CHECK(solve(p, 0, &out, &arena) == ukOk && arena.used == 0 && out.rank == s->d.rank);
    same(qdd, s->qdd, s->n, 10 * norm(s->qdd, s->n));
    applyTransposed(s->m, s->n, p->A, lambda, force);
    for (int i = 0; i < s->n; i++) force[i] += p->C[i];
    same(force, s->force, s->n, s->size);
    memcpy(s->lambda, lambda, sizeof lambda);
}

static int anyInverses(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    static double U[square], W[square];
    static ukRandom random = {1994};
    ukRandomVector(&random, 1, U, p->n * p->m);
    ukRandomVector(&random, 1, W, p->n * p->n);
    return ukGaussQPSolveWith(p, &(ukGaussQPChoice){U, W}, rank_tolerance, s, scratch);
}

/* the papers' accelerations and forces are those of [9], [11] and [12], whatever the masses */
static void formulas(const Case *s, ukRandom *random)
{
    const int n = s->n;
    double U[square], W[square], qdd[most], Qi[most], Qni[most], other[most], none[most];
    const ukFormulaChoice choice = {U, W, NULL};
    ukRandomVector(random, 1, U, n * s->m);
    ukRandomVector(random, 1, W, n * n);
    CHECK(ukFormulaOneFourAcceleration(&s->s, U, qdd) == 0);
    same(qdd, s->qdd, n, norm(s->qdd, n) * 10);
    CHECK(ukFormulaExtendedAcceleration(&s->s, qdd) == 0);
    same(qdd, s->qdd, n, norm(s->qdd, n) * 10);
    CHECK(ukFormulaQuadraticAcceleration(&s->s, &choice, qdd) == 0);
    same(qdd, s->qdd, n, norm(s->qdd, n) * 100);

    CHECK(ukFormulaForces(&s->s, Qi, Qni) == 0);
    for (int i = 0; i < n; i++) other[i] = Qi[i] + Qni[i];
    same(other, s->force, n, s->size);
    CHECK(ukFormulaOneFourForces(&s->s, U, other, none) == 0);
    same(other, Qi, n, s->size);
    same(none, Qni, n, s->size);
    for (int i = 0; i < n; i++) none[i] = s->force[i] - s->d.C[i];
    CHECK(ukFormulaExtendedForce(&s->s, other) == 0);
    same(other, none, n, 10 * s->size);
    CHECK(ukFormulaControlForce(&s->s, &choice, other) == 0);
    same(other, none, n, 10 * s->size);
}

/* the solvers' multipliers are those of 1994 [35] and of SICM where they are unique */
static void multipliers(const Case *s)
{
    double lambda[most], force[most], qdd[most];
    if (s->d.rank < s->m) return;
    for (int i = 0; i < s->n; i++) force[i] = s->force[i] - s->d.C[i];
    CHECK(ukFormulaMultipliers(&s->s, force, lambda) == 0);
    same(lambda, s->lambda, s->m, norm(s->lambda, s->m) + 1e3 * s->size);
    CHECK(ukFormulaLagrange(&s->s, qdd, lambda) == 0);
    same(lambda, s->lambda, s->m, norm(s->lambda, s->m) + s->size);
    same(qdd, s->qdd, s->n, 10 * norm(s->qdd, s->n));
}

/* ---- 1997 [38] --------------------------------------------------------------------------------------------------- */

enum { most_order = 2 * most, most_rows = 3 * most };

/* W of the equations L r = s: a residual of the first ones is M^-1/2 times one in the units of Q; any weight of the
 * third */
static void scaleWeight(const Case *s, const double *W, double third, double *X)
{
    static double left[most_order * most_order], T[most_order * most_order], WT[most_order * most_order];
    const int n = s->n, order = n + s->m, rows = order + n - s->d.rank;
    memset(left, 0, sizeof left);
    for (int i = 0; i < order; i++) left[i * (order + 1)] = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) left[i * order + j] = s->S[i * n + j];
    multiply(order, order, order, left, W, T);
    multiply(order, order, order, T, left, WT);
    memset(X, 0, (size_t)(rows * rows) * sizeof *X);
    for (int i = 0; i < rows; i++) X[i * (rows + 1)] = third;
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++) X[i * rows + j] = WT[i < j ? i * order + j : j * order + i];
}

/* where rows contradict each other, with weights of their own, against [38] */
static void weighted(const Case *s, ukRandom *random)
{
    static double W[most_order * most_order], X[most_rows * most_rows];
    const int n = s->n, m = s->m, order = n + m;
    double b[most], each[most], qdd[most], lambda[most], expected[most], force[most];
    ukDense p = s->d.p;
    ukFormulaSystem t = s->s;
    p.b = t.b = b;
    p.weight = each;
    for (int i = 0; i < order * order; i++) W[i] = i % (order + 1) == 0;
    for (int i = 0; i < m; i++) {
        b[i] = s->d.b[i] + ukRandomUniform(random, -1, 1) * (1 + norm(s->d.b, m));
        W[(n + i) * (order + 1)] = each[i] = ukRandomDecade(random, -1, 1);
    }
    scaleWeight(s, W, ukRandomDecade(random, -1, 1), X);
    CHECK(ukFormulaExtendedWeighted(&t, X, NULL, expected, force) == 0);

    ukSolution out = {.qdd = qdd, .lambda = lambda};
    ukArena arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukDAlembertSolve(&p, 0, &out, &arena) == ukOk && arena.used == 0 && out.rank == s->d.rank);
    same(qdd, expected, n, 10 * (norm(b, m) + norm(expected, n) + norm(force, n) + s->size));
}

int main(void)
{
    ukRandom random = {2004};
    static Case s;
    int deficient = 0, independent = 0;
    for (int trial = 0; trial < 1000; trial++) {
        make(&s, &random);
        deficient += s.d.rank < s.m, independent += s.d.rank == s.m;
        accelerations(&s, ukOneFourInverseSolve);
        accelerations(&s, ukDAlembertSolve);
        accelerations(&s, ukGaussQPSolve);
        accelerations(&s, anyInverses);
        accelerations(&s, ukMInverseSolve);
        formulas(&s, &random);
        multipliers(&s);
        weighted(&s, &random);
    }
    CHECK(deficient > 200 && independent > 50);
    free(block);
    return ukTestEnd();
}

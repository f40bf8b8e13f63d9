/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_papers.c: what the papers state, against their own formulas: the conditions that define A_M^+, J
 * and a {1,4}-inverse's forces, the split of the constraint force, the control force and its multipliers, on random
 * systems of any rank and on the papers' examples. */
#include "solvers/base/status.h"
#include "solvers/papers/dalembert.h"
#include "solvers/papers/gauss_qp.h"
#include "solvers/papers/m_inverse.h"
#include "solvers/papers/one_four_inverse.h"
#include "tests/check.h"
#include "tests/solvers/random_system.h"

#include <stdlib.h>
#include <string.h>

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

/* Y (c x r) = X', X (r x c) */
static void transpose(int r, int c, const double *X, double *Y)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) Y[j * r + i] = X[i * c + j];
}

static double norm(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* |X - Y| <= 1e-9 times `size`, what met in them */
static void same(const double *X, const double *Y, int count, double size)
{
    double d[square];
    for (int i = 0; i < count; i++) d[i] = X[i] - Y[i];
    CHECK_NEAR(norm(d, count), 0, 1e-9 * size);
}

/* ---- a system, its free accelerations and its solution ----------------------------------------------------------- */

typedef struct Case {
    ukRandomDense d;
    int n, m;
    double Bt[square];              /* B' (n x m) column-major, which is B (m x n) row-major */
    double L[square];               /* M = L L', column-major */
    double a[most], c[most];        /* M^-1 Q, M^-1 C */
    double qdd[most], lambda[most]; /* by ukMInverseSolve */
    double force[most];             /* M qdd - Q, the whole force of constraint */
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
    const int n = s->n = p->n, m = s->m = p->m;
    ukDense ideal = *p;
    ideal.C = NULL;
    CHECK(ukDenseUnconstrained(&ideal, s->L, s->a, s->Bt) == ukOk);
    CHECK(ukDenseUnconstrained(p, s->L, s->c, s->Bt) == ukOk);
    for (int i = 0; i < n; i++) s->c[i] -= s->a[i];
    ukArena arena = arenaOf(ukDenseFrameScratch(n, m));
    ukSolution out = {.qdd = s->qdd, .lambda = s->lambda};
    CHECK(ukMInverseSolve(p, 0, &out, &arena) == ukOk && out.rank == s->d.rank);
    multiply(n, n, 1, p->M, s->qdd, s->force);
    for (int i = 0; i < n; i++) s->force[i] -= p->Q[i];
}

/* what met in a force of constraint; A_M^+ multiplies rounding by M's condition number, up to 1e6, at most */
static double forces(const Case *s)
{
    const ukDense *p = &s->d.p;
    return norm(p->Q, s->n) + norm(p->C, s->n) + norm(p->M, s->n * s->n) * norm(s->qdd, s->n);
}

/* ---- 2004 -------------------------------------------------------------------------------------------------------- */

static double X[square], P[square], XA[square], AX[square], Y[square], Z[square];

/* [13a] - [13d] tell A_M^+; [9]; [17] */
static void mInverse(const Case *s, ukRandom *random)
{
    const ukDense *p = &s->d.p;
    const int n = s->n, m = s->m;
    ukArena arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukMInverseMatrices(p, 0, X, P, &arena) == ukOk && arena.used == 0);
    const double size = norm(X, n * m), rows = norm(p->A, m * n), mass = norm(p->M, n * n);
    multiply(n, m, n, X, p->A, XA);
    multiply(m, n, m, p->A, X, AX);
    multiply(m, m, n, AX, p->A, Y);
    same(Y, p->A, m * n, rows * (1 + norm(AX, m * m))); /* A X A = A */
    multiply(n, n, m, XA, X, Y);
    same(Y, X, n * m, size * (1 + norm(XA, n * n))); /* X A X = X */
    transpose(m, m, AX, Y);
    same(Y, AX, m * m, 1 + size * rows); /* (A X)' = A X */
    multiply(n, n, n, p->M, XA, Y);
    transpose(n, n, Y, Z); /* (X A)' M = M X A, as M is symmetric */
    same(Y, Z, n * n, 1e-3 * mass * (1 + norm(XA, n * n)));

    double y[most] = {0}, v[most] = {0}, Av[most] = {0}, Aa[most] = {0}, nothing[most] = {0}, expected[most] = {0};
    ukRandomVector(random, 1, y, n);
    multiply(n, n, 1, P, y, v);
    multiply(m, n, 1, p->A, v, Av);
    same(Av, nothing, m, rows * (1 + size * rows) * norm(y, n)); /* v = P y is virtual */

    multiply(m, n, 1, p->A, s->a, Aa);
    for (int i = 0; i < m; i++) Aa[i] = p->b[i] - Aa[i];
    multiply(n, m, 1, X, Aa, expected);
    multiply(n, n, 1, P, s->c, v);
    for (int i = 0; i < n; i++) expected[i] += s->a[i] + v[i];
    same(s->qdd, expected, n, norm(expected, n) + norm(s->a, n) + norm(v, n)); /* [9] */
}

typedef int Forces(const ukDense *p, double rank_tolerance, double *Qi, double *Qni, ukArena *scratch);

/* 2004 [11], [12] and 2000 [27], [28] are the same two forces: of A_M^+ as a matrix; whose sum moves the system (2000
 * [26]); orthogonal in M^-1; doing the work that C prescribes (2000 [7]); Qi not knowing of C. After mInverse. */
static void split(const Case *s, Forces *function, size_t scratch, ukRandom *random)
{
    const ukDense *p = &s->d.p;
    const int n = s->n, m = s->m;
    double Qi[most] = {0}, Qni[most] = {0}, again[most] = {0}, none[most] = {0}, whole[most] = {0};
    double e[most] = {0}, Xe[most] = {0}, y[most] = {0}, v[most] = {0}, Pt[square];
    ukArena arena = arenaOf(scratch);
    CHECK(function(p, 0, Qi, Qni, &arena) == ukOk && arena.used == 0);
    const double size = forces(s);

    multiply(m, n, 1, p->A, s->a, e);
    for (int i = 0; i < m; i++) e[i] = p->b[i] - e[i];
    multiply(n, m, 1, X, e, Xe);
    multiply(n, n, 1, p->M, Xe, again);
    same(Qi, again, n, size); /* M A_M^+ (b - A a) */
    transpose(n, n, P, Pt);
    multiply(n, n, 1, Pt, p->C, again);
    same(Qni, again, n, size); /* (I - A_M^+ A)' C */

    for (int i = 0; i < n; i++) whole[i] = Qi[i] + Qni[i];
    same(whole, s->force, n, size);
    multiply(n, n, 1, P, s->c, v); /* M^-1 Qni */
    CHECK_NEAR(dot(Qi, v, n), 0, 1e-9 * size * (norm(s->c, n) + norm(v, n)));
    ukRandomVector(random, 1, y, n);
    multiply(n, n, 1, P, y, v);
    const double met = norm(y, n) * (1 + norm(X, n * m) * norm(p->A, m * n)); /* in v */
    CHECK_NEAR(dot(v, whole, n), dot(v, p->C, n), 1e-9 * size * met);

    ukDense ideal = *p;
    ideal.C = NULL;
    arena = arenaOf(scratch);
    CHECK(function(&ideal, 0, again, none, &arena) == ukOk);
    CHECK(memcmp(again, Qi, sizeof(double) * (size_t)n) == 0 && norm(none, n) == 0);
}

/* ---- 1997 -------------------------------------------------------------------------------------------------------- */

/* J = (D + E)^-1 [22], J B' = B^+ (appendix 2), [20], and the force by [21] and [36] */
static void dalembert(const Case *s)
{
    const ukDense *p = &s->d.p;
    const int n = s->n, m = s->m;
    static double J[square], E[square], D[square], S[square], I[square], B[square], JBt[square], BJBt[square];
    ukArena arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukDAlembertMatrices(p, 0, J, E, &arena) == ukOk && arena.used == 0);
    memcpy(B, s->Bt, sizeof(double) * (size_t)(m * n));
    transpose(m, n, B, Y);
    multiply(n, m, n, Y, B, D);
    for (int i = 0; i < n * n; i++) S[i] = D[i] + E[i], I[i] = i % (n + 1) == 0;
    multiply(n, n, n, J, S, Z);
    same(Z, I, n * n, norm(J, n * n) * norm(S, n * n)); /* J (D + E) = I */
    multiply(m, n, n, B, E, Z);
    memset(AX, 0, sizeof AX);
    same(Z, AX, m * n, norm(B, m * n)); /* B V = 0 */
    multiply(n, n, n, E, E, Z);
    same(Z, E, n * n, 1 + norm(E, n * n)); /* V'V = I */
    double trace = 0;
    for (int i = 0; i < n; i++) trace += E[i * n + i];
    CHECK_NEAR(trace, n - s->d.rank, 1e-9);

    multiply(n, n, m, J, Y, JBt); /* the four conditions of Moore and Penrose */
    const double size = norm(J, n * n) * norm(D, n * n) * (1 + norm(B, m * n)) * (1 + norm(JBt, n * m));
    multiply(m, n, m, B, JBt, BJBt);
    multiply(m, m, n, BJBt, B, Z);
    same(Z, B, m * n, size);
    multiply(n, m, n, JBt, B, XA);
    multiply(n, n, m, XA, JBt, Z);
    same(Z, JBt, n * m, size);
    transpose(m, m, BJBt, Z);
    same(Z, BJBt, m * m, size);
    transpose(n, n, XA, Z);
    same(Z, XA, n * n, size);

    /* a_s = L' a', x_s = L' qdd; the force is L times a scaled one */
    double as[most] = {0}, xs[most] = {0}, Btb[most] = {0}, Das[most] = {0}, Eas[most] = {0};
    double x[most] = {0}, y[most] = {0}, F[most] = {0}, out[most] = {0};
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            as[i] += s->L[i * n + j] * (s->a[j] + s->c[j]);
            xs[i] += s->L[i * n + j] * s->qdd[j];
        }
    multiply(n, m, 1, Y, p->b, Btb);
    multiply(n, n, 1, D, as, Das);
    multiply(n, n, 1, E, as, Eas);
    for (int i = 0; i < n; i++) x[i] = Btb[i] + Eas[i], y[i] = Btb[i] - Das[i];
    const double scaled = norm(J, n * n) * (norm(Btb, n) + norm(Das, n) + norm(as, n));
    multiply(n, n, 1, J, x, out);
    same(out, xs, n, scaled); /* [20] */
    multiply(n, n, 1, J, y, out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) F[i] += s->L[j * n + i] * out[j];
    arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukDAlembertForce(p, 0, out, &arena) == ukOk && arena.used == 0);
    const double most_force = norm(s->L, n * n) * scaled;
    same(out, F, n, most_force); /* [36] as it is, against [21] */
    for (int i = 0; i < n; i++) y[i] = s->force[i] - p->C[i];
    same(out, y, n, most_force + forces(s));
}

/* x (n) with G x = g, G (n x n) positive definite, by elimination in extended precision; both overwritten */
static void eliminate(int n, long double *G, long double *g)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const long double f = G[i * n + k] / G[k * n + k];
            for (int j = k; j < n; j++) G[i * n + j] -= f * G[k * n + j];
            g[i] -= f * g[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) g[k] -= G[k * n + j] * g[j];
        g[k] /= G[k * n + k];
    }
}

/* What [38] is made of: L (rows x 2n), W (rows x rows), s, all row-major; r (2n) comes out of them. */
enum { unknowns = 2 * ukRandomMaxN, equations = 3 * ukRandomMaxN };
typedef struct System {
    int n, rows;
    long double L[equations * unknowns], W[equations * equations], s[equations], WL[equations * unknowns];
    long double G[unknowns * unknowns], r[unknowns];
} System;

/* r = (L'WL)^-1 L'W s [38], letter by letter */
static void asThePaperHasIt(System *y)
{
    const int n = 2 * y->n, rows = y->rows;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            y->WL[i * n + j] = 0;
            for (int k = 0; k < rows; k++) y->WL[i * n + j] += y->W[i * rows + k] * y->L[k * n + j];
        }
    for (int i = 0; i < n; i++) {
        y->r[i] = 0;
        for (int k = 0; k < rows; k++) y->r[i] += y->WL[k * n + i] * y->s[k];
        for (int j = 0; j < n; j++) {
            y->G[i * n + j] = 0;
            for (int k = 0; k < rows; k++) y->G[i * n + j] += y->L[k * n + i] * y->WL[k * n + j];
        }
    }
    eliminate(n, y->G, y->r);
}

/* L, W and s [23], [24] of p, its W (order n + m) in the units of Q, and any weight of the third equations. VV' stands
 * for V', which leaves L'WL as it is. */
static void takeSystem(const Case *c, const ukDense *p, const double *W, double third, System *y)
{
    static double J[square], E[square];
    const int n = c->n, m = c->m, order = n + m, rows = y->rows = 2 * n + m;
    ukArena arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukDAlembertMatrices(p, 0, J, E, &arena) == ukOk);
    memset(y, 0, sizeof *y);
    y->n = n, y->rows = rows;
    for (int i = 0; i < n; i++) {
        y->L[i * 2 * n + i] = 1, y->L[i * 2 * n + n + i] = -1;
        for (int j = i; j < n; j++) y->s[i] += c->L[i * n + j] * (c->a[j] + c->c[j]); /* M^1/2 a' */
        for (int j = 0; j < n; j++) y->L[(order + i) * 2 * n + n + j] = E[i * n + j];
        y->W[(order + i) * rows + order + i] = third;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) y->L[(n + i) * 2 * n + j] = c->Bt[i * n + j];
        y->s[n + i] = p->b[i];
        for (int j = 0; j < m; j++) y->W[(n + i) * rows + n + j] = W[(n + i) * order + n + j];
        for (int j = 0; j < n; j++) { /* a residual of the first equations is M^-1/2 times one in the units of Q */
            for (int k = j; k < n; k++) y->W[j * rows + n + i] += c->L[j * n + k] * W[k * order + n + i];
            y->W[(n + i) * rows + j] = y->W[j * rows + n + i];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i; k < n; k++)
                for (int l = j; l < n; l++)
                    y->W[i * rows + j] += (long double)c->L[i * n + k] * W[k * order + l] * c->L[j * n + l];
}

/* [38] where rows contradict each other, with errors of Q and b that are correlated, or not */
static void weighted(const Case *s, ukRandom *random, bool correlated)
{
    enum { most_order = 2 * ukRandomMaxN };
    static double W[most_order * most_order], H[most_order * most_order];
    static System y;
    const int n = s->n, m = s->m, order = n + m;
    double b[most], each[most], qdd[most], lambda[most], x[most] = {0}, F[most] = {0}, A_lambda[most] = {0}, At[square];
    ukDense p = s->d.p;
    p.b = b;
    ukRandomVector(random, 1, H, order * order);
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++) {
            W[i * order + j] = i == j;
            for (int k = 0; k < order && correlated; k++) W[i * order + j] += H[i * order + k] * H[j * order + k];
        }
    for (int i = 0; i < m; i++) {
        b[i] = s->d.b[i] + ukRandomUniform(random, -1, 1) * (1 + norm(s->d.b, m));
        each[i] = ukRandomDecade(random, -1, 1);
        if (!correlated) W[(n + i) * (order + 1)] = each[i];
    }
    takeSystem(s, &p, W, ukRandomDecade(random, -1, 1), &y);
    asThePaperHasIt(&y);

    ukSolution out = {.qdd = qdd, .lambda = lambda};
    ukArena arena = arenaOf(ukDAlembertWeightedScratch(n, m));
    CHECK(ukDAlembertWeighted(&p, W, 0, &out, &arena) == ukOk && arena.used == 0 && out.rank == s->d.rank);
    double size = norm(p.b, m);
    for (int i = 0; i < n; i++) size += fabs((double)y.r[i]) + fabs((double)y.r[n + i]);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) x[i] += s->L[i * n + j] * qdd[j];
    for (int i = 0; i < n; i++) F[i] = (double)y.r[i];
    same(x, F, n, size);
    memset(F, 0, sizeof F);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) F[i] += s->L[j * n + i] * (double)y.r[n + j];
    transpose(m, n, p.A, At);
    multiply(n, m, 1, At, lambda, A_lambda);
    same(A_lambda, F, n, norm(s->L, n * n) * size);

    if (correlated) return; /* the solver with weights of each row is this */
    double again[most];
    p.weight = each;
    out.qdd = again;
    arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukDAlembertSolve(&p, 0, &out, &arena) == ukOk);
    same(again, qdd, n, norm(qdd, n));
}

/* ---- 1994 -------------------------------------------------------------------------------------------------------- */

/* [33] with the inverses of [30] and with any others; [35] where rows are independent */
static void controlForce(const Case *s, ukRandom *random)
{
    const ukDense *p = &s->d.p;
    const int n = s->n, m = s->m;
    double expected[most] = {0}, force[most] = {0}, lambda[most] = {0}, U[square], W[square];
    const ukGaussQPChoice choice = {U, W};
    const size_t scratch = ukDenseFrameScratch(n, m);
    ukRandomVector(random, 1, U, n * m);
    ukRandomVector(random, 1, W, n * n);
    for (int i = 0; i < n; i++) expected[i] = s->force[i] - p->C[i];
    for (int any = 0; any < 2; any++) {
        ukArena arena = arenaOf(scratch);
        CHECK(ukGaussQPForce(p, any ? &choice : NULL, 0, force, &arena) == ukOk && arena.used == 0);
        same(force, expected, n, 10 * forces(s));
    }
    if (s->d.rank < m) return;
    ukArena arena = arenaOf(scratch);
    CHECK(ukGaussQPMultipliers(p, expected, lambda, &arena) == ukOk && arena.used == 0);
    double A_lambda[most] = {0}, At[square];
    transpose(m, n, p->A, At);
    multiply(n, m, 1, At, lambda, A_lambda);
    same(A_lambda, expected, n, forces(s));
    same(lambda, s->lambda, m, norm(s->lambda, m) + 1e3 * forces(s));
}

/* ---- the papers' examples ---------------------------------------------------------------------------------------- */

/* 1994 [42], the control force of x' - t y' = alpha(t) by [33], and its multiplier */
static void guidedParticle(void)
{
    const double m = 2.5, t = 1.7, yd = 0.3, alphad = -1.1, F[] = {4, -3}, M[] = {m, 0, 0, m};
    const double A[] = {1, -t}, b[] = {yd + alphad}, k = 1 + t * t, s = m * b[0];
    const ukDense p = {.n = 2, .m = 1, .M = M, .Q = F, .A = A, .b = b};
    const double expected[] = {(-F[0] + t * F[1] + s) / k, (t * F[0] - t * t * F[1] - s * t) / k};
    double force[2], lambda;
    ukArena arena = arenaOf(ukDenseFrameScratch(2, 1));
    CHECK(ukGaussQPForce(&p, NULL, 0, force, &arena) == ukOk);
    CHECK_NEAR_ALL(force, expected, 2, 1e-14);
    CHECK(ukGaussQPMultipliers(&p, expected, &lambda, &arena) == ukOk);
    CHECK_NEAR(lambda, expected[0], 1e-14);

    const double twice[] = {1, -t, 0, 0}, both[] = {b[0], 0}; /* the second row is none */
    const ukDense dependent = {.n = 2, .m = 2, .M = M, .Q = F, .A = twice, .b = both};
    double two[2] = {7, 7};
    arena = arenaOf(ukDenseFrameScratch(2, 2));
    CHECK(ukGaussQPMultipliers(&dependent, expected, two, &arena) == ukErrorSingular && two[0] == 7);
}

/* 2000 [33], [38]: a particle on a ring with friction, Q_i and Q_ni */
static void ringWithFriction(Forces *function, size_t scratch)
{
    const double R = 2, g = 9.81, mu = 0.3, angle = 0.8, x = R * cos(angle), y = R * sin(angle), v = 1.9;
    const double xd = -v * sin(angle), yd = v * cos(angle), load = (v * v - g * y) / R;
    const double M[] = {1, 0, 0, 1}, Q[] = {0, -g}, A[] = {x, y}, b[] = {-v * v};
    const double C[] = {-mu * fabs(load) * xd / v, -mu * fabs(load) * yd / v};
    const ukDense p = {.n = 2, .m = 1, .M = M, .Q = Q, .C = C, .A = A, .b = b};
    const double ideal[] = {-x / R * load, -y / R * load};
    const double nonideal[] = {-mu * fabs(load) * -y * (x > 0 ? 1 : -1) / R * (yd > 0 ? 1 : -1),
                               -mu * fabs(load) * x * (x > 0 ? 1 : -1) / R * (yd > 0 ? 1 : -1)};
    double Qi[2], Qni[2];
    ukArena arena = arenaOf(scratch);
    CHECK(function(&p, 0, Qi, Qni, &arena) == ukOk);
    CHECK_NEAR_ALL(Qi, ideal, 2, 1e-14);
    CHECK_NEAR_ALL(Qni, nonideal, 2, 1e-14);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static void errors(Case *s)
{
    const ukDense *p = &s->d.p;
    const int n = s->n, m = s->m;
    double x[square], y[square];
    ukArena arena = arenaOf(0);
    CHECK(ukMInverseMatrices(p, 0, x, y, &arena) == ukErrorMemory &&
          ukMInverseForces(p, 0, x, y, &arena) == ukErrorMemory);
    CHECK(ukOneFourInverseForces(p, 0, x, y, &arena) == ukErrorMemory);
    CHECK(ukDAlembertMatrices(p, 0, x, y, &arena) == ukErrorMemory &&
          ukDAlembertForce(p, 0, x, &arena) == ukErrorMemory);
    CHECK(ukGaussQPForce(p, NULL, 0, x, &arena) == ukErrorMemory);
    CHECK(m == 0 || m > n || ukGaussQPMultipliers(p, y, x, &arena) == ukErrorMemory);
    ukSolution out = {.qdd = x, .lambda = y};
    static double W[4 * square];
    memset(W, 0, sizeof W);
    CHECK(ukDAlembertWeighted(p, W, 0, &out, &arena) == ukErrorMemory);
    arena = arenaOf(ukDAlembertWeightedScratch(n, m));
    CHECK(ukDAlembertWeighted(p, W, 0, &out, &arena) == ukErrorSingular && arena.used == 0);
    const double kept = s->d.M[0];
    s->d.M[0] = -1;
    arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukMInverseMatrices(p, 0, x, y, &arena) == ukErrorMass && ukMInverseForces(p, 0, x, y, &arena) == ukErrorMass);
    arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukOneFourInverseForces(p, 0, x, y, &arena) == ukErrorMass);
    arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukDAlembertMatrices(p, 0, x, y, &arena) == ukErrorMass && ukDAlembertForce(p, 0, x, &arena) == ukErrorMass);
    arena = arenaOf(ukDenseFrameScratch(n, m));
    CHECK(ukGaussQPForce(p, NULL, 0, x, &arena) == ukErrorMass);
    s->d.M[0] = kept;
}

int main(void)
{
    ukRandom random = {2004};
    static Case s;
    int deficient = 0, independent = 0;
    for (int trial = 0; trial < 1000; trial++) {
        make(&s, &random);
        deficient += s.d.rank < s.m, independent += s.d.rank == s.m;
        mInverse(&s, &random);
        split(&s, ukMInverseForces, ukDenseFrameScratch(s.n, s.m), &random);
        split(&s, ukOneFourInverseForces, ukDenseFrameScratch(s.n, s.m), &random);
        dalembert(&s);
        weighted(&s, &random, true);
        weighted(&s, &random, false);
        controlForce(&s, &random);
        if (trial < 10) errors(&s);
    }
    CHECK(deficient > 200 && independent > 50);
    guidedParticle();
    ringWithFriction(ukMInverseForces, ukDenseFrameScratch(2, 1));
    ringWithFriction(ukOneFourInverseForces, ukDenseFrameScratch(2, 1));
    free(block);
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_contract.c: every reference solver through the one door: the papers' examples, random systems of
 * any rank, softness, contradictory rows, rank tolerance, errors, and the exact size of the scratch. */
#include "solvers/base/status.h"
#include "solvers/papers/gauss_qp.h"
#include "solvers/papers/solvers.h"
#include "tests/check.h"
#include "tests/solvers/random_system.h"

#include <stdlib.h>
#include <string.h>

typedef struct Solution {
    double qdd[ukRandomMaxN], lambda[ukRandomMaxM];
    ukSolution s;
} Solution;

typedef int Solve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* through `solve` with an exact heap block, so that a memory checker sees any step outside */
static int solveIn(size_t bytes, Solve *solve, const ukDense *p, double tolerance, Solution *out)
{
    void *block = NULL;
    if (posix_memalign(&block, 64, bytes > 0 ? bytes : 1) != 0) return ukErrorMemory;
    ukArena arena = ukArenaOver(block, bytes);
    out->s.qdd = out->qdd, out->s.lambda = out->lambda;
    const int status = solve(p, tolerance, &out->s, &arena);
    CHECK(arena.used == 0 && !arena.exhausted);
    free(block);
    return status;
}

static int the_solver; /* ukDenseSolve as a Solve */

static int door(const ukDense *p, double tolerance, ukSolution *s, ukArena *scratch)
{
    return ukDenseSolve(the_solver, p, tolerance, s, scratch);
}

static int solve(int which, const ukDense *p, double tolerance, Solution *out)
{
    the_solver = which;
    return solveIn(ukDenseScratch(which, p), door, p, tolerance, out);
}

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* y (m) = A x, A (m x n); y (n) = A' x */
static void apply(int m, int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += A[i * n + j] * x[j];
    }
}

static void applyTransposed(int m, int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = 0; i < m; i++) y[j] += A[i * n + j] * x[i];
    }
}

/* f = M qdd - Q, the whole force of constraint */
static void constraintForce(const ukDense *p, const double *qdd, double *f)
{
    apply(p->n, p->n, p->M, qdd, f);
    for (int i = 0; i < p->n; i++) f[i] -= p->Q[i];
}

/* M qdd = Q + C + A' lambda, each component within `tolerance` of the terms that met there; M^1/2 has a
 * condition number up to 1e3, which rounding in a norm over all of qdd is multiplied by */
static void madeByMultipliers(const ukDense *p, const Solution *s, double tolerance)
{
    for (int i = 0; i < p->n; i++) {
        double sum = -p->Q[i] - (p->C ? p->C[i] : 0), size = fabs(p->Q[i]) + (p->C ? fabs(p->C[i]) : 0);
        for (int j = 0; j < p->n; j++) {
            sum += p->M[i * p->n + j] * s->qdd[j];
            size += fabs(p->M[i * p->n + j] * s->qdd[j]);
        }
        for (int k = 0; k < p->m; k++) {
            sum -= p->A[k * p->n + i] * s->lambda[k];
            size += fabs(p->A[k * p->n + i] * s->lambda[k]);
        }
        CHECK_NEAR(sum, 0, tolerance * size);
    }
}

/* ---- the papers' examples ---------------------------------------------------------------------------------------- */

static const double unit2[] = {1, 0, 0, 1}, unit3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3];

/* Kalaba & Udwadia 1994 [38]: unit particle, ydot = z xdot, no force; once, and with the row given twice */
static void nonholonomicParticle(int which)
{
    const double z = 0.7, xd = 1.3, zd = -0.4, k = zd * xd / (1 + z * z);
    const double A[] = {-z, 1, 0, -2 * z, 2, 0}, b[] = {zd * xd, 2 * zd * xd}, expected[] = {-k * z, k, 0};
    ukDense p = {.n = 3, .m = 1, .M = unit3, .Q = zero, .A = A, .b = b};
    Solution s;
    CHECK(solve(which, &p, 0, &s) == ukOk && s.s.rank == 1);
    CHECK_NEAR_ALL(s.qdd, expected, 3, 1e-14);
    CHECK_NEAR(s.lambda[0], k, 1e-14);

    p.m = 2;
    const bool any_rank = ukDenseSolvers[which].any_rank;
    CHECK(solve(which, &p, 0, &s) == (any_rank ? ukOk : ukErrorSingular));
    if (!any_rank) return;
    CHECK_NEAR_ALL(s.qdd, expected, 3, 1e-14);
    const double least[] = {k / 2, k / 4}; /* lambda_1 + 2 lambda_2 = k, of least norm in unit rows: (1, 2) lambda */
    CHECK_NEAR_ALL(s.lambda, least, 2, 1e-14);
    CHECK(s.s.rank == 1 && s.s.active == 2);
}

/* 1994 [41], [42]: mass m, xdot - t ydot = alpha(t), and the control force */
static void guidedParticle(int which)
{
    const double m = 2.5, t = 1.7, yd = 0.3, alphad = -1.1, X = 4, Y = -3, k = 1 + t * t;
    const double M[] = {m, 0, 0, m}, Q[] = {X, Y}, A[] = {1, -t}, b[] = {yd + alphad};
    const double expected[] = {(t * t * X + t * Y + m * (yd + alphad)) / (k * m),
                               (t * X + Y - t * m * (yd + alphad)) / (k * m)};
    const double control[] = {(-(X - t * Y) + m * (yd + alphad)) / k, (t * X - t * t * Y - t * m * (yd + alphad)) / k};
    ukDense p = {.n = 2, .m = 1, .M = M, .Q = Q, .A = A, .b = b};
    Solution s;
    CHECK(solve(which, &p, 0, &s) == ukOk);
    CHECK_NEAR_ALL(s.qdd, expected, 2, 1e-12);
    double force[2];
    constraintForce(&p, s.qdd, force);
    CHECK_NEAR_ALL(force, control, 2, 1e-12);
    CHECK_NEAR(s.lambda[0], control[0], 1e-12);
}

/* Udwadia 2000 [31]-[39]: unit mass on a vertical ring with sliding Coulomb friction; C from the ideal force */
static void ringWithFriction(int which)
{
    const double R = 2, g = 9.81, mu = 0.3, angle = 0.6, speed = 3;
    for (int turn = -1; turn <= 1; turn += 2) {
        const double x = R * cos(angle), y = R * sin(angle), xd = -turn * speed * sin(angle),
                     yd = turn * speed * cos(angle);
        const double A[] = {x, y}, b[] = {-(xd * xd + yd * yd)}, Q[] = {0, -g};
        const double pull = (xd * xd + yd * yd - g * y) / R;
        const double ideal[] = {-x / R * pull, -y / R * pull};
        const double friction[] = {mu * fabs(pull) * (turn * y / R), -mu * fabs(pull) * (turn * x / R)};
        ukDense p = {.n = 2, .m = 1, .M = unit2, .Q = Q, .A = A, .b = b};
        Solution s;
        double force[2];
        CHECK(solve(which, &p, 0, &s) == ukOk);
        constraintForce(&p, s.qdd, force);
        CHECK_NEAR_ALL(force, ideal, 2, 1e-12);

        const double size = norm(force, 2), C[] = {-mu * size * xd / speed, -mu * size * yd / speed};
        p.C = C;
        CHECK(solve(which, &p, 0, &s) == ukOk);
        const double expected[] = {ideal[0] + friction[0], -g + ideal[1] + friction[1]};
        CHECK_NEAR_ALL(s.qdd, expected, 2, 1e-12);
    }
}

/* Sussman & Wisdom 1.10: the planar pendulum's tension 2 l lambda, and Goldstein's hoop rolling down an incline */
static void pendulumAndHoop(int which)
{
    const double m = 1.5, l = 0.8, g = 9.81, angle = 0.4, rate = 2;
    const double x = l * sin(angle), y = -l * cos(angle), xd = l * rate * cos(angle), yd = l * rate * sin(angle);
    const double M[] = {m, 0, 0, m}, Q[] = {0, -m * g}, A[] = {2 * x, 2 * y}, b[] = {-2 * (xd * xd + yd * yd)};
    ukDense p = {.n = 2, .m = 1, .M = M, .Q = Q, .A = A, .b = b};
    Solution s;
    CHECK(solve(which, &p, 0, &s) == ukOk);
    CHECK_NEAR(-2 * l * s.lambda[0], m * (g * cos(angle) + l * rate * rate), 1e-12);

    const double R = 0.5, phi = 0.3, hoop[] = {m, 0, 0, m * R * R}, weight[] = {m * g * sin(phi), 0};
    const double rolling[] = {1, -R}, still[] = {0}, expected[] = {g / 2 * sin(phi), g / 2 * sin(phi) / R};
    p = (ukDense){.n = 2, .m = 1, .M = hoop, .Q = weight, .A = rolling, .b = still};
    CHECK(solve(which, &p, 0, &s) == ukOk);
    CHECK_NEAR_ALL(s.qdd, expected, 2, 1e-12);
    CHECK_NEAR(s.lambda[0], -0.5 * m * g * sin(phi), 1e-12);
}

/* ---- random systems ---------------------------------------------------------------------------------------------- */

/* qdd and the force of constraint within `tolerance` of their own sizes, body masses of 1e-3 to 1e3 side by side */
static bool agrees(const ukDense *p, const Solution *x, const Solution *y, double tolerance)
{
    double fx[ukRandomMaxN], fy[ukRandomMaxN], kinetic = 0, work = 0, scale = 0, force = 0;
    constraintForce(p, x->qdd, fx);
    constraintForce(p, y->qdd, fy);
    for (int i = 0; i < p->n; i++) {
        const double mass = p->M[i * p->n + i], d = x->qdd[i] - y->qdd[i], f = fx[i] - fy[i];
        kinetic = fmax(kinetic, mass * d * d);
        work = fmax(work, f * f / mass);
        scale = fmax(scale, fmax(mass * y->qdd[i] * y->qdd[i], p->Q[i] * p->Q[i] / mass));
        force = fmax(force, fmax(fy[i] * fy[i], p->Q[i] * p->Q[i]) / mass);
    }
    return sqrt(kinetic) <= tolerance * sqrt(scale) && sqrt(work) <= tolerance * sqrt(force);
}

static void randomSystemsAgree(void)
{
    ukRandom random = {20240501};
    static ukRandomDense d;
    Solution s, oracle;
    int singular = 0;
    for (int trial = 0; trial < 2500; trial++) {
        ukRandomDenseMake(&d, &random, true);
        const int n = d.p.n, m = d.p.m;
        CHECK(solve(ukDenseMInverse, &d.p, 0, &oracle) == ukOk && oracle.s.rank == d.rank);

        /* the rows hold and the multipliers make the motion */
        double Aq[ukRandomMaxM];
        apply(m, n, d.A, oracle.qdd, Aq);
        CHECK_NEAR_ALL(Aq, d.b, m, 1e-11 * (1 + norm(oracle.qdd, n)));
        madeByMultipliers(&d.p, &oracle, 1e-11);

        for (int k = ukDenseOneFour; k < ukDenseSolverCount; k++) {
            memset(&s, 0x55, sizeof s);
            const Solution untouched = s;
            const int status = solve(k, &d.p, 0, &s);
            if (!ukDenseSolvers[k].any_rank && d.rank < m) {
                singular += k == ukDenseLagrange;
                CHECK(status == ukErrorSingular && memcmp(s.qdd, untouched.qdd, sizeof s.qdd) == 0 &&
                      memcmp(s.lambda, untouched.lambda, sizeof s.lambda) == 0 && s.s.rank == untouched.s.rank);
                continue;
            }
            CHECK(status == ukOk && s.s.rank == d.rank);
            CHECK(agrees(&d.p, &s, &oracle, 1e-9));
            CHECK_NEAR_ALL(s.lambda, oracle.lambda, m, 1e-9 * (1 + norm(oracle.lambda, m)));
        }
    }
    CHECK(singular > 500 && singular < 2500);
}

static double given_U[ukRandomMaxN * ukRandomMaxM], given_W[ukRandomMaxN * ukRandomMaxN];

static int withGivenInverses(const ukDense *p, double tolerance, ukSolution *s, ukArena *scratch)
{
    return ukGaussQPSolveWith(p, &(ukGaussQPChoice){given_U, given_W}, tolerance, s, scratch);
}

/* 1994 [29]: the choice of the inverses does not change the motion */
static void anyGeneralizedInverse(void)
{
    ukRandom random = {7};
    static ukRandomDense d;
    Solution s, oracle;
    for (int trial = 0; trial < 500; trial++) {
        ukRandomDenseMake(&d, &random, true);
        ukRandomVector(&random, 1, given_U, d.p.n * d.p.m);
        ukRandomVector(&random, 1, given_W, d.p.n * d.p.n);
        CHECK(solve(ukDenseMInverse, &d.p, 0, &oracle) == ukOk);
        CHECK(solveIn(ukDenseFrameScratch(d.p.n, d.p.m), withGivenInverses, &d.p, 0, &s) == ukOk);
        CHECK(agrees(&d.p, &s, &oracle, 1e-9));
    }
}

/* A qdd + D lambda = b with M qdd = Q + C + A' lambda, hard and soft rows mixed; these two tell the solution */
static void softRows(void)
{
    ukRandom random = {11};
    static ukRandomDense d;
    Solution s;
    for (int trial = 0; trial < 1000; trial++) {
        ukRandomDenseMake(&d, &random, true);
        const int n = d.p.n, m = d.p.m;
        d.p.D = d.D;
        for (int k = 0; k < ukDenseSolverCount; k++) {
            const int status = solve(k, &d.p, trial % 2 ? 1e-4 : 0, &s);
            if (!ukDenseSolvers[k].any_rank && status == ukErrorSingular) continue;
            CHECK(status == ukOk);
            const double size = norm(s.lambda, m);
            double Aq[ukRandomMaxM];
            apply(m, n, d.A, s.qdd, Aq);
            for (int i = 0; i < m; i++) Aq[i] += d.D[i] * s.lambda[i];
            CHECK_NEAR_ALL(Aq, d.b, m, 1e-10 * (1 + norm(s.qdd, n)) + 1e-13 * 100 * size);
            madeByMultipliers(&d.p, &s, 1e-11);
        }
    }
}

/* ---- contradictory rows ------------------------------------------------------------------------------------------ */

static double weight[ukRandomMaxM];

/* the door with weights */
static int solveWeighted(const ukDense *p, Solution *out)
{
    ukDense measured = *p;
    measured.weight = weight;
    return solve(ukDenseDAlembert, &measured, 0, out);
}

/* weights of unit rows: 1/(A M^-1 A')_ii */
static void unitRows(const ukDense *p, double *w)
{
    double L[ukRandomMaxN * ukRandomMaxN], a[ukRandomMaxN], B[ukRandomMaxM * ukRandomMaxN];
    CHECK(ukDenseUnconstrained(p, L, a, B) == ukOk);
    for (int i = 0; i < p->m; i++) {
        double square = 0;
        for (int c = 0; c < p->n; c++) square += B[i * p->n + c] * B[i * p->n + c];
        w[i] = square > 0 ? 1 / square : 1;
    }
}

/* A' W (A qdd - b) = 0: least squares with weights W */
static void leastSquares(const ukDense *p, const double *w, const Solution *s, double tolerance)
{
    double r[ukRandomMaxM], gradient[ukRandomMaxN], nothing[ukRandomMaxN] = {0};
    apply(p->m, p->n, p->A, s->qdd, r);
    for (int i = 0; i < p->m; i++) r[i] = w[i] * (r[i] - p->b[i]);
    applyTransposed(p->m, p->n, p->A, r, gradient);
    CHECK_NEAR_ALL(gradient, nothing, p->n, tolerance);
}

static void contradictoryRows(void)
{
    ukRandom random = {5};
    static ukRandomDense d;
    Solution s, oracle;
    int contradictory = 0;
    for (int trial = 0; trial < 1000; trial++) {
        ukRandomDenseMake(&d, &random, false);
        const int n = d.p.n, m = d.p.m;
        if (d.rank == m || d.rank == 0) continue;
        contradictory++;
        CHECK(solve(ukDenseMInverse, &d.p, 0, &oracle) == ukOk);
        unitRows(&d.p, weight);
        leastSquares(&d.p, weight, &oracle, 1e-9 * (1 + norm(oracle.qdd, n)));
        for (int k = ukDenseDAlembert; k <= ukDenseGaussQP; k++) {
            CHECK(solve(k, &d.p, 0, &s) == ukOk && s.s.rank == d.rank);
            CHECK(agrees(&d.p, &s, &oracle, 1e-9));
            CHECK_NEAR_ALL(s.lambda, oracle.lambda, m, 1e-9 * (1 + norm(oracle.lambda, m)));
        }

        /* the motion is made by multipliers of the rows, whatever b */
        double Aq[ukRandomMaxM];
        int held = 0;
        CHECK(solve(ukDenseOneFour, &d.p, 0, &s) == ukOk && s.s.rank == d.rank);
        apply(m, n, d.A, s.qdd, Aq);
        for (int i = 0; i < m; i++) held += fabs(Aq[i] - d.b[i]) <= 1e-9 * (1 + norm(s.qdd, n));
        CHECK(held == d.rank); /* the chosen rows, exactly */
        madeByMultipliers(&d.p, &s, 1e-11);
        CHECK(solve(ukDenseLagrange, &d.p, 0, &s) == ukErrorSingular);

        for (int i = 0; i < m; i++) weight[i] = ukRandomDecade(&random, -2, 2);
        CHECK(solveWeighted(&d.p, &s) == ukOk);
        leastSquares(&d.p, weight, &s, 1e-8 * (1 + norm(s.qdd, n)));
        madeByMultipliers(&d.p, &s, 1e-11);
    }
    CHECK(contradictory > 500);
}

/* ---- rank, errors, scratch
 * ------------------------------------------------------------------------------------------- */

/* Three rows, the third dependent up to `gap`: told apart down to rounding, and taken as dependent above it on demand
 */
static void rankTolerance(int which)
{
    for (int digits = 5; digits <= 11; digits++) {
        const double gap = pow(10, -digits), M[] = {2, 0, 0, 0, 3, 0, 0, 0, 5}, Q[] = {1, 2, 3};
        const double A[] = {1, 2, 0, 0, 1, 0, 1, 3, gap}, q[] = {0.5, -1, 2};
        const double b[] = {q[0] + 2 * q[1], q[1], q[0] + 3 * q[1] + gap * q[2]};
        const ukDense p = {.n = 3, .m = 3, .M = M, .Q = Q, .A = A, .b = b};
        Solution s;
        CHECK(solve(which, &p, 0, &s) == ukOk && s.s.rank == 3);
        CHECK_NEAR_ALL(s.qdd, q, 3, 1e-14 / gap);
        const bool any_rank = ukDenseSolvers[which].any_rank;
        CHECK(solve(which, &p, 1e3 * gap, &s) == (any_rank ? ukOk : ukErrorSingular));
        if (!any_rank) continue;
        CHECK(s.s.rank == 2);
        const double expected[] = {q[0], q[1], Q[2] / M[8]}; /* the third coordinate is free */
        CHECK_NEAR_ALL(s.qdd, expected, 3, 20 * gap);
    }
}

static void errors(int which)
{
    ukRandom random = {3};
    static ukRandomDense d;
    do ukRandomDenseMake(&d, &random, true);
    while (d.rank < d.p.m || d.p.m < 2);
    d.p.D = which % 2 ? d.D : NULL;
    const size_t bytes = ukDenseScratch(which, &d.p);
    Solution s;
    memset(&s, 0x55, sizeof s);
    const Solution before = s;
    the_solver = which;
    double *const spoiled[] = {d.M, d.Q, d.C, d.A, d.b, d.D};
    for (int k = 0; k < (d.p.D ? 6 : 5); k++) {
        const double kept = spoiled[k][0];
        for (int infinite = 0; infinite < 2; infinite++) {
            spoiled[k][0] = infinite ? -INFINITY : NAN;
            CHECK(solve(which, &d.p, 0, &s) == ukErrorNotFinite);
        }
        spoiled[k][0] = kept;
    }
    const double kept = d.M[0];
    d.M[0] = -1;
    CHECK(solve(which, &d.p, 0, &s) == ukErrorMass);
    d.M[0] = kept;
    CHECK(solveIn(bytes - 1, door, &d.p, 0, &s) == ukErrorMemory);
    CHECK(solveIn(0, door, &d.p, 0, &s) == ukErrorMemory);
    CHECK(memcmp(s.qdd, before.qdd, sizeof s.qdd) == 0 && memcmp(s.lambda, before.lambda, sizeof s.lambda) == 0);
    CHECK(s.s.rank == before.s.rank && s.s.active == before.s.active);
    CHECK(solve(which, &d.p, 0, &s) == ukOk);
}

/* no rows; no unknowns; rows of zeros */
/* numbers whose products are none: what LAPACK would then print, nobody asked for */
static void overflow(int which)
{
    const double M[] = {1e-300, 0, 0, 1e-300}, A[] = {1e250, 1e200}, b[] = {1}, Q[] = {1, 2}, C[] = {0, 0};
    const ukDense p = {.n = 2, .m = 1, .M = M, .Q = Q, .C = C, .A = A, .b = b};
    Solution s;
    CHECK(solve(which, &p, 0, &s) == ukErrorNotFinite);
}

static void emptySystems(int which)
{
    const double Q[] = {1, 2, 3}, A[6] = {0}, b[2] = {0}, nothing[2] = {0};
    ukDense p = {.n = 3, .M = unit3, .Q = Q, .A = A, .b = b};
    Solution s;
    CHECK(solve(which, &p, 0, &s) == ukOk && s.s.rank == 0);
    CHECK_NEAR_ALL(s.qdd, Q, 3, 0);
    p.m = 2;
    const bool any_rank = ukDenseSolvers[which].any_rank;
    CHECK(solve(which, &p, 0, &s) == (any_rank ? ukOk : ukErrorSingular));
    if (any_rank) {
        CHECK(s.s.rank == 0);
        CHECK_NEAR_ALL(s.qdd, Q, 3, 0);
        CHECK_NEAR_ALL(s.lambda, nothing, 2, 0);
    }
    p = (ukDense){.n = 0, .M = unit3, .Q = Q, .A = A, .b = b};
    CHECK(solve(which, &p, 0, &s) == ukOk && s.s.rank == 0);
}

/* ---- block problems
 * -------------------------------------------------------------------------------------------------- */

static void blockProblems(void)
{
    ukRandom random = {17};
    static ukRandomBlocks g;
    static double qdd[6 * ukRandomMaxBodies], lambda[ukRandomMaxRows], f[6 * ukRandomMaxBodies], r[ukRandomMaxRows];
    for (int trial = 0; trial < 200; trial++) {
        ukRandomBlocksMake(&g, &random, 10);
        const int n = 6 * g.p.bodies, m = g.p.rows, which = trial % ukDenseLagrange;
        double x[6 * ukRandomMaxBodies];
        unsigned char active[ukRandomMaxRows];
        ukRandomVector(&random, 5, x, n);
        ukProblemApply(&g.p, x, g.b);
        for (int i = 0; i < m; i++) {
            active[i] = trial % 3 ? 1 : (unsigned char)ukRandomInt(&random, 0, 1);
            g.softness[i] = trial % 2 ? 0 : ukRandomDecade(&random, -6, 0);
            lambda[i] = active[i] ? NAN : ukRandomUniform(&random, -1, 1);
        }
        ukSolution s = {.qdd = qdd, .lambda = lambda};
        const size_t bytes = ukDenseProblemScratch(&g.p, which);
        void *block = NULL;
        CHECK(posix_memalign(&block, 64, bytes) == 0);
        ukArena arena = ukArenaOver(block, bytes - 1);
        CHECK(ukDenseSolveActive(&g.p, which, NULL, 0, &arena, &s) == ukErrorMemory);
        arena = ukArenaOver(block, bytes);
        CHECK(ukDenseSolveActive(&g.p, which, trial % 3 ? NULL : active, 0, &arena, &s) == ukOk);
        CHECK(arena.used == 0);
        free(block);

        ukProblemInertia(&g.p, qdd, f);
        for (int i = 0; i < m; i++) lambda[i] = -lambda[i];
        ukProblemApplyTransposed(&g.p, lambda, f);
        for (int i = 0; i < n; i++) CHECK_NEAR(f[i], g.Q[i] + g.C[i], 1e-9 * (10 + norm(lambda, m)));
        ukProblemApply(&g.p, qdd, r);
        for (int i = 0; i < m; i++)
            if (active[i]) CHECK_NEAR(r[i] - g.softness[i] * lambda[i], g.b[i], 1e-9 * (1 + norm(qdd, n)));
    }
}

int main(void)
{
    for (int k = 0; k < ukDenseSolverCount; k++) {
        nonholonomicParticle(k);
        guidedParticle(k);
        ringWithFriction(k);
        pendulumAndHoop(k);
        rankTolerance(k);
        errors(k);
        overflow(k);
        emptySystems(k);
    }
    randomSystemsAgree();
    anyGeneralizedInverse();
    softRows();
    contradictoryRows();
    blockProblems();
    return ukTestEnd();
}

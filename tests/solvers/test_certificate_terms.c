/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_certificate_terms.c: each number of the certificate against its definition (gauss_check.h),
 * computed here from dense matrices in long double, for accelerations and multipliers that solve nothing; and the
 * quantities that scale rows and decide on ranks. */
#include "solvers/check/gauss_check.h"
#include "solvers/problem/tolerance.h"
#include "tests/check.h"
#include "tests/solvers/random_system.h"

#include <math.h>
#include <string.h>

typedef long double Real;

/* row i of A over all bodies (6 a body) */
static void rowOf(const ukProblem *p, int i, Real row[6 * ukRandomMaxBodies])
{
    memset(row, 0, 6 * ukRandomMaxBodies * sizeof *row);
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = &p->block[k];
        if (i < b->row || i >= b->row + b->rows) continue;
        for (int s = 0; s < b->slots; s++) {
            const int body = p->body[b->slot + s];
            const double *A = p->A + b->A + 6 * ((i - b->row) * b->slots + s);
            for (int c = 0; body >= 0 && c < 6; c++) row[6 * body + c] += (Real)A[c];
        }
    }
}

/* x' M^-1 y of one body */
static Real inverseDot(const ukProblem *p, int body, const Real *x, const Real *y)
{
    const double *J = p->inverse_inertia + 9 * body;
    Real sum = 0;
    for (int c = 0; c < 3; c++) {
        sum += x[c] * y[c] / (Real)p->mass[body];
        for (int d = 0; d < 3; d++) sum += x[3 + c] * (Real)J[3 * c + d] * y[3 + d];
    }
    return sum;
}

static Real complianceOf(const ukProblem *p, const Real *row)
{
    Real sum = 0;
    for (int i = 0; i < p->bodies; i++) sum += inverseDot(p, i, row + 6 * i, row + 6 * i);
    return sum;
}

static Real clampTo(Real x, Real lo, Real hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* max over lo <= mu <= hi of mu u - S mu^2/2, minus lambda u - S lambda^2/2 */
static Real gapOf(Real u, Real S, Real lambda, Real lo, Real hi)
{
    const Real mu = S > 0 ? clampTo(u / S, lo, hi) : u > 0 ? hi : lo;
    const Real most = u == 0 && S == 0 ? 0 : mu * u - S * mu * mu / 2;
    return most - (lambda * u - S * lambda * lambda / 2);
}

typedef struct Numbers {
    Real distance, missed, minimum, gaussian;
} Numbers;

static Numbers numbersOf(const ukProblem *p, const ukGaussEvidence *e)
{
    Real rest[6 * ukRandomMaxBodies], inside[6 * ukRandomMaxBodies], row[6 * ukRandomMaxBodies];
    Real gap = 0, stray = 0, hard = 0;
    bool bounded = false;
    Numbers n = {0};
    for (int i = 0; i < p->bodies; i++) {
        Real *r = rest + 6 * i, *whole = inside + 6 * i;
        for (int c = 0; c < 3; c++) {
            whole[c] = (Real)p->mass[i] * (Real)e->qdd[6 * i + c] - (Real)p->Q[6 * i + c];
            whole[3 + c] = -(Real)p->Q[6 * i + 3 + c];
            for (int d = 0; d < 3; d++)
                whole[3 + c] += (Real)p->inertia[9 * i + 3 * c + d] * (Real)e->qdd[6 * i + 3 + d];
        }
        for (int c = 0; c < 6; c++) r[c] = whole[c] - (p->C ? (Real)p->C[6 * i + c] : 0);
        n.gaussian += inverseDot(p, i, whole, whole);
        n.minimum += inverseDot(p, i, r, r);
    }
    for (int j = 0; j < p->rows; j++) {
        const Real lo = e->lo ? (Real)e->lo[j] : -(Real)INFINITY, hi = e->lo ? (Real)e->hi[j] : (Real)INFINITY;
        const Real S = p->softness ? (Real)p->softness[j] : 0, lambda = (Real)e->lambda[j],
                   held = clampTo(lambda, lo, hi);
        Real u = (Real)p->b[j];
        rowOf(p, j, row);
        for (int i = 0; i < 6 * p->bodies; i++) {
            u -= row[i] * (Real)e->qdd[i];
            rest[i] -= row[i] * lambda;
        }
        if (lo == -(Real)INFINITY && hi == (Real)INFINITY) {
            if (S > 0)
                gap += gapOf(u, S, lambda, lo, hi);
            else
                hard += u * u;
            continue;
        }
        bounded = true;
        gap += gapOf(u, S, held, lo, hi);
        stray += fabsl(lambda - held) * sqrtl(complianceOf(p, row));
    }
    Real square = 0;
    for (int i = 0; i < p->bodies; i++) square += inverseDot(p, i, rest + 6 * i, rest + 6 * i);
    n.distance = sqrtl((sqrtl(square) + stray) * (sqrtl(square) + stray) + 2 * gap);
    n.missed = bounded && hard > 0 ? (Real)INFINITY : sqrtl(hard);
    return n;
}

/* bounds of either sign, soft rows, rows that move nothing, multipliers at, within and beyond their bounds */
static void distances(void)
{
    static ukRandomBlocks s;
    static double qdd[6 * ukRandomMaxBodies], lambda[ukRandomMaxRows], work[12 * ukRandomMaxBodies];
    ukRandom random = {20};
    for (int trial = 0; trial < 2000; trial++) {
        ukRandomBlocksMake(&s, &random, 1);
        ukRandomVector(&random, 1, s.b, s.p.rows);
        ukRandomVector(&random, 1, qdd, 6 * s.p.bodies);
        ukRandomVector(&random, 1, lambda, s.p.rows);
        for (int i = 0; i < s.p.rows; i++) {
            s.softness[i] = ukRandomInt(&random, 0, 2) ? 0 : ukRandomDecade(&random, -3, 1);
            if (trial % 3 == 0) continue; /* equalities alone */
            s.lo[i] = -ukRandomUniform(&random, 0, 1), s.hi[i] = ukRandomUniform(&random, 0, 1);
            if (ukRandomInt(&random, 0, 3) == 0) lambda[i] = ukRandomInt(&random, 0, 1) ? s.lo[i] : s.hi[i];
        }
        s.p.softness = s.softness, s.p.normal = NULL, s.p.cone = NULL, s.p.b = s.b;
        s.p.C = trial % 5 ? s.C : NULL;
        const bool equalities = trial % 3 == 0;
        const ukGaussEvidence e = {
            .qdd = qdd, .lambda = lambda, .lo = equalities ? NULL : s.lo, .hi = equalities ? NULL : s.hi};
        ukResiduals c;
        ukGaussCheck(&s.p, &e, work, &c);
        const Numbers n = numbersOf(&s.p, &e);
        bool good = CHECK_NEAR(c.distance / (double)n.distance, 1, 1e-9);
        good &= CHECK_NEAR(c.minimum / (double)n.minimum, 1, 1e-9);
        good &= CHECK_NEAR(c.gaussian / (double)n.gaussian, 1, 1e-9);
        good &= n.missed > 0 && n.missed < (Real)INFINITY ? CHECK_NEAR(c.missed / (double)n.missed, 1, 1e-9)
                                                          : CHECK(c.missed == (double)n.missed);
        if (!good) printf("trial %d: distance %.17g, %.17Lg\n", trial, c.distance, n.distance);
    }
}

/* one body and one row */
typedef struct Single {
    double mass, inertia[9], inverse[9], Q[6], C[6], A[6], b, softness, qdd[6], lambda, lo, hi;
    ukBlock block;
    int body;
    ukProblem p;
} Single;

static void singleMake(Single *s, double mass)
{
    *s = (Single){.mass = mass, .block = {.rows = 1, .slots = 1}, .lo = -1, .hi = 1};
    for (int c = 0; c < 3; c++) s->inertia[4 * c] = mass, s->inverse[4 * c] = 1 / mass;
    s->p = (ukProblem){.bodies = 1,
                       .blocks = 1,
                       .rows = 1,
                       .mass = &s->mass,
                       .inertia = s->inertia,
                       .inverse_inertia = s->inverse,
                       .Q = s->Q,
                       .C = s->C,
                       .block = &s->block,
                       .body = &s->body,
                       .A = s->A,
                       .b = &s->b,
                       .softness = &s->softness};
}

static ukResiduals singleCheck(const Single *s)
{
    double work[12];
    ukResiduals c;
    ukGaussCheck(&s->p, &(ukGaussEvidence){.qdd = s->qdd, .lambda = &s->lambda, .lo = &s->lo, .hi = &s->hi}, work, &c);
    return c;
}

/* A body that only a prescribed force moves, its acceleration off by d: |M qdd - C| / (|M qdd| + |C|). */
static void prescribedForceCounts(void)
{
    static const double masses[] = {1e-3, 1, 1e3};
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 6; axis++) {
            const double force = 7, d = 1e-3;
            Single s;
            singleMake(&s, masses[k]);
            s.C[axis] = force;
            s.qdd[axis] = force / masses[k] * (1 + d);
            const double met = axis < 3 ? 2 + d : 2 * (2 + d); /* a torque also against what turns the body otherwise */
            CHECK_NEAR(singleCheck(&s).stationarity / (d / met), 1, 1e-9);
        }
}

/* A row that moves nothing, with w = A qdd + S lambda - b: its multiplier rests at the bound that w drives it to, and
 * beyond that bound nothing is asked of it; elsewhere its residual is w. Scaled by |b|, all that met there. */
static void rowsWithoutEffect(void)
{
    static const struct {
        double b, lambda, residual;
    } cases[] = {{-3, -1, 0}, {-3, -2, 0}, {-3, 0, 1}, {-3, 1, 1}, {3, 1, 0}, {3, 2, 0}, {3, 0, 1}, {3, -1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Single s;
        singleMake(&s, 2);
        s.b = cases[i].b, s.lambda = cases[i].lambda;
        CHECK_NEAR(singleCheck(&s).complementarity, cases[i].residual, 1e-12);
    }
}

/* (A M^-1 A')_ii of random rows, bodies whose inertia has no axis along the world's among them */
static void compliances(void)
{
    static ukRandomBlocks s;
    ukRandom random = {21};
    for (int trial = 0; trial < 500; trial++) {
        Real row[6 * ukRandomMaxBodies];
        ukRandomBlocksMake(&s, &random, 1);
        for (int k = 0; k < s.p.blocks; k++)
            for (int i = s.block[k].row; i < s.block[k].row + s.block[k].rows; i++) {
                rowOf(&s.p, i, row);
                const double expected = (double)complianceOf(&s.p, row);
                CHECK_NEAR(ukProblemCompliance(&s.p, &s.block[k], i), expected, 1e-12 * expected);
                CHECK_NEAR(ukRowUnit(&s.p, &s.block[k], i, 0.5), 1 / sqrt(expected + 0.5), 1e-12);
            }
    }
}

/* blocks between bodies: number of the other, -1: the world; 9: none, a block on one body */
static bool loops(int bodies, int blocks, const int (*between)[2])
{
    static double A[12];
    ukBlock block[4];
    int body[8];
    for (int k = 0; k < blocks; k++) {
        block[k] = (ukBlock){.row = k, .rows = 1, .slot = 2 * k, .slots = between[k][1] == 9 ? 1 : 2};
        body[2 * k] = between[k][0], body[2 * k + 1] = between[k][1];
    }
    return ukProblemHasLoops(
        &(ukProblem){.bodies = bodies, .blocks = blocks, .rows = blocks, .block = block, .body = body, .A = A});
}

static void loopsAreFound(void)
{
    CHECK(!loops(1, 1, (const int[][2]){{0, 9}}));                  /* on one body */
    CHECK(loops(1, 2, (const int[][2]){{0, 9}, {0, 9}}));           /* twice */
    CHECK(loops(1, 2, (const int[][2]){{0, -1}, {0, 9}}));          /* once by a body that cannot move */
    CHECK(!loops(2, 1, (const int[][2]){{0, 1}}));                  /* a pair */
    CHECK(loops(2, 2, (const int[][2]){{0, 1}, {1, 0}}));           /* twice */
    CHECK(!loops(2, 2, (const int[][2]){{0, 1}, {1, -1}}));         /* a chain from the world */
    CHECK(!loops(2, 2, (const int[][2]){{0, 1}, {1, 9}}));          /* as a block on one body */
    CHECK(loops(2, 3, (const int[][2]){{0, 1}, {1, 9}, {0, 9}}));   /* held at both ends */
    CHECK(loops(2, 3, (const int[][2]){{0, 1}, {1, -1}, {0, -1}})); /* held at both ends */
    CHECK(!loops(3, 2, (const int[][2]){{0, 1}, {1, 2}}));          /* a chain */
    CHECK(loops(3, 3, (const int[][2]){{0, 1}, {1, 2}, {2, 0}}));   /* a ring */
    CHECK(!loops(3, 3, (const int[][2]){{0, 1}, {1, 2}, {2, 9}}));  /* a chain from the world */
}

/* ukRankFollowing: 1e-9 on the constraints, the drift beside them but at least 1e-7 and at most 1e-4, 1e-7 far away */
static void ranks(void)
{
    static const double sigma[] = {3, 1e-2, 1e-8, 5e-9, 0};
    CHECK(ukRankFollowing(0) == 1e-9 && ukRankFollowing(9e-13) == 1e-9);
    CHECK(ukRankFollowing(2e-12) == 1e-7 && ukRankFollowing(5e-8) == 1e-7);
    CHECK(ukRankFollowing(1e-6) == 1e-6 && ukRankFollowing(2e-3) == 1e-4 && ukRankFollowing(0.09) == 1e-4);
    CHECK(ukRankFollowing(0.2) == 1e-7 && ukRankFollowing(INFINITY) == 1e-7);
    CHECK(ukRankCount(sigma, 5, 1e-9) == 4 && ukRankCount(sigma, 5, 6e-9) == 3 && ukRankCount(sigma, 5, 1e-8) == 2);
    CHECK(ukRankCount(sigma, 5, 0) == 4 && ukRankCount(sigma, 2, 0) == 2 && ukRankCount(sigma, 5, 3) == 0);
}

int main(void)
{
    distances();
    prescribedForceCounts();
    rowsWithoutEffect();
    compliances();
    loopsAreFound();
    ranks();
    return ukTestEnd();
}

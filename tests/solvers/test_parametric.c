/* SPDX-License-Identifier: BSD-3-Clause */
/* The parametric active set against the conditions of the problem itself, from nothing and from the solution of a
 * problem beside it; small islands, whose joints are eliminated before. */
#include "bounded_oracle.h"
#include "solvers/base/status.h"
#include "solvers/bounded/parametric.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

enum { Most = 64 };

/* S (ld x rows) = G G' + softness, of any rank below rows where G is narrow; w = S lambda - r */
typedef struct Dense {
    int rows, ld;
    double S[Most * (Most + 4)], lo[Most], hi[Most], r[Most];
} Dense;

static void make(Dense *d, ukRandom *random, int ld, double softness)
{
    double G[Most * Most];
    const int rows = d->rows = ukRandomInt(random, 1, Most), wide = ukRandomInt(random, 1, rows);
    d->ld = ld;
    ukRandomVector(random, 1, G, rows * wide);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = i == j ? softness * wide : 0;
            for (int k = 0; k < wide; k++) sum += G[i * wide + k] * G[j * wide + k];
            d->S[i * ld + j] = sum;
        }
    for (int i = 0; i < rows; i++) {
        const int kind = ukRandomInt(random, 0, 3);
        d->r[i] = 0; /* in the range of G: what is redundant is not contradicted */
        d->lo[i] = kind == 0 ? -INFINITY : kind == 1 ? 0 : -ukRandomDecade(random, -3, 1);
        d->hi[i] = kind < 2 ? INFINITY : kind == 2 ? ukRandomDecade(random, -3, 1) : -d->lo[i];
    }
    for (int k = 0; k < wide; k++) {
        const double y = 10 * ukRandomUniform(random, -1, 1);
        for (int i = 0; i < rows; i++) d->r[i] += G[i * wide + k] * y;
    }
}

static void residualOf(const Dense *d, const double *lambda, double *w)
{
    for (int i = 0; i < d->rows; i++) {
        w[i] = -d->r[i];
        for (int j = 0; j < d->rows; j++) w[i] += d->S[i * d->ld + j] * lambda[j];
    }
}

/* largest |lambda - P(lambda - w/S_ii)| S_ii, relative to the terms of w */
static double missOf(const Dense *d, const double *lambda)
{
    double w[Most], worst = 0;
    residualOf(d, lambda, w);
    for (int i = 0; i < d->rows; i++) {
        const double s = d->S[i * d->ld + i], to = fmin(fmax(lambda[i] - w[i] / s, d->lo[i]), d->hi[i]);
        double scale = fabs(d->r[i]);
        for (int j = 0; j < d->rows; j++) scale += fabs(d->S[i * d->ld + j] * lambda[j]);
        worst = fmax(worst, s * fabs(lambda[i] - to) / scale);
        CHECK(lambda[i] >= d->lo[i] && lambda[i] <= d->hi[i]);
    }
    return worst;
}

/* the path and what a caller does about its rounding: again from where it ended */
static int solve(ukParametric *P, const Dense *d, double *lambda)
{
    int all = 0;
    for (int k = 0; k < 2; k++) {
        double w[Most + 4];
        int changes;
        residualOf(d, lambda, w);
        CHECK(ukParametricSolve(P, d->S, d->rows, d->lo, d->hi, lambda, w, &changes) == ukOk);
        all += changes;
    }
    return all;
}

static void dense(double softness, double tolerance)
{
    ukRandom random = {softness > 1e-6 ? 11 : 12};
    static Dense d;
    ukParametric P;
    ukArena arena = ukArenaOver(NULL, 0);
    ukParametricCarve(&P, Most, &arena);
    const size_t size = (arena.used + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    arena = ukArenaOver(memory, size);
    ukParametricCarve(&P, Most, &arena);
    long cold = 0, warm = 0;
    for (int k = 0; k < 2000; k++) {
        double lambda[Most + 4] = {0};
        make(&d, &random, P.ld, softness);
        for (int i = 0; i < d.rows; i++) lambda[i] = fmin(fmax(0, d.lo[i]), d.hi[i]);
        cold += solve(&P, &d, lambda);
        CHECK(missOf(&d, lambda) <= tolerance);
        for (int i = 0; i < d.rows; i++) d.r[i] *= 1 + 0.01 * ukRandomUniform(&random, -1, 1) * (softness > 1e-6);
        warm += solve(&P, &d, lambda);
        CHECK(missOf(&d, lambda) <= tolerance);
    }
    CHECK(5 * warm < cold);
    free(memory);
}

/* What a small island costs from nothing: one elimination a phase, whatever has to change; where friction follows the
 * normal forces of the same solution, one as a rule. */
static void islands(ukFrictionLaw law)
{
    ukRandom random = {21};
    static ukOracleProblem o;
    ukLawSolver *set = ukLawSolverCreate();
    const ukLawChoice choice = {.law = law, .rounds = ukUsualRounds, .tolerance = 1e-9};
    int once = 0, count = 3000;
    for (int k = 0; k < count; k++) {
        double qdd[6 * ukOracleBodies], lambda[ukOracleRows], lo[ukOracleRows], hi[ukOracleRows];
        ukSolution s = {.qdd = qdd, .lambda = lambda, .lo = lo, .hi = hi};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random,
                     law == ukFrictionTwoPhase ? ukRandomInt(&random, 12, 48) : ukRandomInt(&random, 6, 24),
                     k % 2 ? 1e-6 : 1e-3, 1, true);
        ukOracleDense(&o);
        CHECK(ukLawSolve(set, &o.p, &choice, NULL, &s) == ukOk);
        CHECK(s.coupling == 0);
        CHECK(s.residual <= 1e-9);
        CHECK(law != ukFrictionTwoPhase || s.pivots <= 4); /* a path and one from its end, twice */
        once += s.pivots <= 1;
        CHECK(ukOracleViolation(&o, qdd, lambda, lo, hi, false) <= 1e-8);
    }
    CHECK(law != ukFrictionCoupled || once >= count * 95 / 100);
    printf("law %d: %d of %d by one elimination\n", (int)law, once, count);
    ukLawSolverDestroy(set);
}

int main(void)
{
    dense(1e-2, 1e-12);
    dense(1e-9, 1e-9);
    islands(ukFrictionTwoPhase);
    islands(ukFrictionCoupled);
    return ukTestEnd();
}

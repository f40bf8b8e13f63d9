/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem that may take no more factorizations ends with sweeps: its multipliers are within their bounds, Gauss's
 * function is no greater than without them (the dual D(lambda) = 1/2 lambda' K lambda - lambda' r is at most D(0) = 0,
 * computed here from the dense K), and more passes end at the solution. */
#include "bounded_oracle.h"
#include "solvers/base/status.h"
#include "solvers/bounded/friction_law.h"
#include "tests/check.h"

enum { Problems = 400 };

static double dual(const ukOracleProblem *o, const double *lambda)
{
    double sum = 0;
    for (int i = 0; i < o->p.rows; i++) {
        double Kl = 0;
        for (int k = 0; k < o->p.rows; k++) Kl += o->K[i * o->p.rows + k] * lambda[k];
        sum += lambda[i] * (0.5 * Kl - o->r[i]);
    }
    return sum;
}

static void limited(ukFrictionLaw law, bool friction)
{
    static ukOracleProblem o;
    ukRandom random = {5};
    ukFrictionSolver *const solver = ukFrictionSolverCreate();
    int inexact = 0;
    for (int k = 0; k < Problems; k++) {
        double qdd[6 * ukOracleBodies], lambda[ukOracleRows], lo[ukOracleRows], hi[ukOracleRows], wild[ukOracleRows];
        ukSolution s = {.qdd = qdd, .lambda = lambda, .lo = lo, .hi = hi};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, ukOracleBodies));
        ukOracleFill(&o, &random, ukRandomInt(&random, 12, ukOracleRows - 12), k % 2 ? 1e-6 : 1e-3, 1, friction);
        ukOracleDense(&o);
        for (int i = 0; i < o.p.rows; i++) wild[i] = 1e3 * ukRandomUniform(&random, -1, 1); /* a bad guess */
        for (int passes = 1; passes <= 4; passes++) {
            const ukFrictionChoice choice = {
                .law = law, .iterations = ukUsualRounds, .most_passes = passes, .tolerance = 1e-9};
            CHECK(ukFrictionSolve(solver, &o.p, &choice, wild, &s) == ukOk && s.passes <= passes);
            for (int i = 0; i < o.p.rows; i++) CHECK(lambda[i] >= lo[i] && lambda[i] <= hi[i]);
            inexact += s.residual > 1e-9;
            if (s.residual > 1e-9) CHECK(dual(&o, lambda) <= 1e-12 * fabs(dual(&o, wild)));
        }
        const ukFrictionChoice more = {.law = law, .iterations = ukUsualRounds, .most_passes = 1000, .tolerance = 1e-9};
        CHECK(ukFrictionSolve(solver, &o.p, &more, NULL, &s) == ukOk && s.residual <= 1e-9);
        const bool met = ukOracleViolation(&o, qdd, lambda, lo, hi, law == ukFrictionElliptic) <= 1e-7;
        CHECK(met || s.coupling > 1e-9);
    }
    /* without friction these are small enough for one homotopy */
    if (friction && inexact < Problems / 4) printf("only %d solves needed more passes than they had\n", inexact);
    ukFrictionSolverDestroy(solver);
}

int main(void)
{
    limited(ukFrictionTwoPhase, false);
    limited(ukFrictionTwoPhase, true);
    limited(ukFrictionElliptic, true);
    return ukTestEnd();
}

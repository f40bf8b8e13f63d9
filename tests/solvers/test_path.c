/* SPDX-License-Identifier: BSD-3-Clause */
/* Small islands, whose joints are eliminated into a dense Schur complement, solved by homotopy: each solution satisfies
 * the friction law, by the conditions of the law itself. bench/gate counts the passes of such islands. */
#include "bounded_oracle.h"
#include "solvers/base/status.h"
#include "solvers/bounded/friction_law.h"
#include "tests/check.h"

/* random islands without a warm start */
static void islands(ukFrictionLaw law)
{
    ukRandom random = {21};
    static ukOracleProblem o;
    ukFrictionSolver *set = ukFrictionSolverCreate();
    const ukFrictionChoice choice = {.law = law, .iterations = ukUsualRounds, .tolerance = 1e-9};
    for (int k = 0; k < 3000; k++) {
        double qdd[6 * ukOracleBodies], lambda[ukOracleRows], lo[ukOracleRows], hi[ukOracleRows];
        ukSolution s = {.qdd = qdd, .lambda = lambda, .lo = lo, .hi = hi};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random,
                     law == ukFrictionTwoPhase ? ukRandomInt(&random, 12, 48) : ukRandomInt(&random, 6, 24),
                     k % 2 ? 1e-6 : 1e-3, 1, true);
        ukOracleDense(&o);
        CHECK(ukFrictionSolve(set, &o.p, &choice, NULL, &s) == ukOk);
        CHECK(s.coupling == 0);
        CHECK(s.residual <= 1e-9);
        CHECK(ukOracleViolation(&o, qdd, lambda, lo, hi, false) <= 1e-8);
    }
    ukFrictionSolverDestroy(set);
}

int main(void)
{
    islands(ukFrictionTwoPhase);
    islands(ukFrictionCoupled);
    return ukTestEnd();
}

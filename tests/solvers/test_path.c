/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense way of small islands, whose joints are eliminated before: a parametric active set, against the conditions of
 * the law itself. Without it other ways take more than four passes in 2750 of the 3000 islands under the two phases; without
 * its bounds that move 647, not 2996, take one pass under QuickStep's law, and some miss it. */
#include "bounded_oracle.h"
#include "solvers/base/status.h"
#include "solvers/bounded/law.h"
#include "tests/check.h"

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
        CHECK(law != ukFrictionTwoPhase || s.passes <= 4); /* a path and one from its end, twice */
        once += s.passes <= 1;
        CHECK(ukOracleViolation(&o, qdd, lambda, lo, hi, false) <= 1e-8);
    }
    CHECK(law != ukFrictionCoupled || once >= count * 95 / 100);
    printf("law %d: %d of %d by one elimination\n", (int)law, once, count);
    ukLawSolverDestroy(set);
}

int main(void)
{
    islands(ukFrictionTwoPhase);
    islands(ukFrictionCoupled);
    return ukTestEnd();
}

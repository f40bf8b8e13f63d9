/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/solve.h"

#include "bridge/island/view.h"
#include "bridge/island/warm_start.h"
#include "bridge/solve/closure.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/one.h"
#include "bridge/solve/soften.h"
#include "solvers/base/status.h"

int ukSolveIsland(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    if (p->bodies == 0) return ukOk;
    if (p->lo) ukWarmStartGuess(s, index);
    ukIslandSolve *const solve = s->ideal[index].laws > 0 ? ukNonIdealSolve : ukSolveGuessed;
    s->outcomes[index].compromise = 0;
    return ukSoften(s, index, solve(s, index), solve);
}

bool ukSolveNeedsCaller(const ukStepper *s, int index)
{
    return ukClosureSuspect(s, index);
}

int ukSolveGuessed(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    ukSolution out = ukSolutionOf(s, p);
    if (p->bodies == 0) return ukOk;
    ukLawSolver *set = ukSolverOf(s, index);
    if (!set) return ukErrorMemory;
    ukOutcome *outcome = &s->outcomes[index];
    const int which = ukDenseOf(s->world);
    outcome->compromise = outcome->coupling = 0;
    outcome->pose = (ukCertificate){0};
    outcome->cfm_aside = false;
    outcome->rank_tolerance = s->world->settings.rank_tolerance;
    outcome->suspect = ukClosureSuspect(s, index);
    int status;
    if (outcome->suspect) {
        status = ukClosureSolve(s, index, &out); /* decides on the problem */
        if (status == ukOk && which >= 0) status = ukSolveDense(s, p, which, outcome->rank_tolerance, &out);
        if (status != ukOk) return ukSolveRefused(s, p, status);
    } else {
        status = ukSolveBounded(s, index, p, set, outcome->rank_tolerance, s->rows.lambda0 + ukViewOf(s, p).row0, &out);
        if (status != ukOk) return status;
    }
    outcome->rank = out.rank;
    outcome->active = p->lo ? out.active : p->rows;
    outcome->pivots = out.pivots, outcome->passes = out.passes;
    outcome->continuous = false;
    return ukOk;
}

static int solveContinuous(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    ukSolution out = ukSolutionOf(s, p);
    if (p->bodies == 0) return ukOk;
    const bool again = s->projected && ukDenseOf(s->world) < 0;
    s->projected = false;
    const int status =
        again ? ukEqualitySolveAgain(s->solvers.equality, &s->solvers.motion, p, ukRankTolerance(s, p), &out)
              : ukSolveRigid(s, p, s->solvers.equality, &out);
    if (status != ukOk) return again ? ukSolveRefused(s, p, status) : status;
    s->outcomes[index] = (ukOutcome){.rank = out.rank, .active = p->rows, .continuous = true};
    return ukOk;
}

int ukSolveContinuous(ukStepper *s, int index)
{
    ukIslandSolve *const solve = s->ideal[index].laws > 0 ? ukNonIdealSolveContinuous : solveContinuous;
    s->outcomes[index].compromise = 0;
    return ukSoften(s, index, solve(s, index), solve);
}

double ukMotionGrowth(const ukStepper *s)
{
    return s->world->settings.integrator == ukIntegratorAdaptive ? 1000 : 100;
}

int ukSolveMotion(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    ukSolution out = ukSolutionOf(s, p);
    if (p->bodies == 0) return ukOk;
    if (s->ideal[index].laws > 0 || ukDenseOf(s->world) >= 0) return ukSolveContinuous(s, index);
    const int status = ukEqualitySolveMotion(s->solvers.equality, p, ukRankTolerance(s, p), ukMotionGrowth(s),
                                             &s->solvers.motion, &out);
    if (status != ukOk) return ukSolveRefused(s, p, status);
    s->outcomes[index] = (ukOutcome){.rank = out.rank, .active = p->rows, .continuous = true};
    return ukOk;
}

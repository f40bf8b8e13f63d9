/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/solve.h"

#include "bridge/island/actuate.h"
#include "bridge/island/island.h"
#include "bridge/island/massless.h"
#include "bridge/solve/actuated.h"
#include "bridge/solve/closure.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/one.h"
#include "bridge/solve/soften.h"
#include "bridge/solve/warm_start.h"
#include "solvers/base/status.h"

static int solveActuated(ukIsland *island)
{
    return ukActuatedSolve(island, island->problem, ukSolveGuessed, NULL);
}

int ukSolveIsland(ukIsland *island)
{
    const ukProblem *p = island->problem;
    if (p->bodies == 0) return ukOk;
    if (p->lo) ukWarmStartGuess(island);
    ukIslandSolve *const solve = island->ideal->laws > 0   ? ukNonIdealSolve
                                 : ukActuateBeside(island) ? solveActuated
                                                           : ukSolveGuessed;
    island->outcome->compromise = 0;
    return ukSoften(island, solve(island), solve);
}

/* An island without closed loops cannot be such a case. */
static bool mayIgnoreCfm(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    return !p->lo && ukProblemHasLoops(p) && ukClosureIsCandidate(island);
}

bool ukSolveNeedsCaller(const ukIsland *island)
{
    return mayIgnoreCfm(island);
}

int ukSolveGuessed(ukIsland *island)
{
    const ukProblem *p = island->problem;
    ukSolution out = ukSolutionOf(island);
    if (p->bodies == 0) return ukOk;
    ukFrictionSolver *set = ukSolverOf(island);
    if (!set) return ukErrorMemory;
    ukOutcome *outcome = island->outcome;
    const int which = ukDenseOf(island->world);
    outcome->compromise = outcome->coupling = 0;
    outcome->pose = (ukResiduals){0};
    outcome->cfm_ignored = false;
    outcome->rank_tolerance = island->world->settings.rank_tolerance;
    outcome->cfm_ignorable = mayIgnoreCfm(island);
    int status;
    if (outcome->cfm_ignorable) {
        ukMasslessLoop loop = {0};
        int refused = ukOk;
        do {
            status = ukClosureSolve(island, &out); /* closure.c decides the rank of the problem */
            if (status == ukOk && which >= 0) status = ukSolveDense(island, p, which, outcome->rank_tolerance, &out);
        } while (status == ukOk && ukMasslessAgain(island, p, &loop, &out, &refused));
        if (refused != ukOk) return refused;
        if (status != ukOk) return ukRefuseSolve(island, p, status);
    } else {
        status = ukSolveBounded(island, p, set, outcome->rank_tolerance, island->rows.lambda0, &out);
        if (status != ukOk) return status;
    }
    outcome->rank = out.rank;
    outcome->active = p->lo ? out.active : p->rows;
    outcome->pivots = out.pivots, outcome->passes = out.passes;
    outcome->continuous = false;
    return ukOk;
}

static int solveContinuous(ukIsland *island)
{
    const ukProblem *p = island->problem;
    ukSolution out = ukSolutionOf(island);
    if (p->bodies == 0) return ukOk;
    const bool again = island->solvers->projected && ukDenseOf(island->world) < 0;
    island->solvers->projected = false;
    ukMasslessLoop loop = {0};
    int status, refused = ukOk;
    if (!again) {
        status = ukSolveRigid(island, p, island->solvers->equality, &out);
    } else {
        do {
            status = ukEqualitySolveAgain(island->solvers->equality, &island->solvers->motion, p,
                                          ukRankTolerance(island, p), &out);
        } while (status == ukOk && ukMasslessAgain(island, p, &loop, &out, &refused));
    }
    if (refused != ukOk) return refused;
    if (status != ukOk) return again ? ukRefuseSolve(island, p, status) : status;
    *island->outcome = (ukOutcome){.rank = out.rank, .active = p->rows, .continuous = true};
    return ukOk;
}

int ukSolveContinuous(ukIsland *island)
{
    ukIslandSolve *const solve = island->ideal->laws > 0 ? ukNonIdealSolveContinuous : solveContinuous;
    island->outcome->compromise = 0;
    return ukSoften(island, solve(island), solve);
}

double ukMotionGrowth(const ukIsland *island)
{
    return ukIsAdaptive(&island->world->settings) ? 1000 : 100;
}

int ukSolveMotion(ukIsland *island)
{
    const ukProblem *p = island->problem;
    ukSolution out = ukSolutionOf(island);
    if (p->bodies == 0) return ukOk;
    if (island->ideal->laws > 0 || ukDenseOf(island->world) >= 0) return ukSolveContinuous(island);
    ukMasslessLoop loop = {0};
    int status, refused = ukOk;
    do {
        status = ukEqualitySolveMotion(island->solvers->equality, p, ukRankTolerance(island, p), ukMotionGrowth(island),
                                       &island->solvers->motion, &out);
    } while (status == ukOk && ukMasslessAgain(island, p, &loop, &out, &refused));
    if (refused != ukOk) return refused;
    if (status != ukOk) return ukRefuseSolve(island, p, status);
    *island->outcome = (ukOutcome){.rank = out.rank, .active = p->rows, .continuous = true};
    return ukOk;
}

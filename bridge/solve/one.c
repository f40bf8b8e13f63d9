/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/one.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/budget.h"
#include "bridge/island/island.h"
#include "bridge/island/massless.h"
#include "bridge/island/refuse.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/papers/solvers.h"

int ukRowsInside(const ukProblem *p, const double *lo, const double *hi, int i, const double *x, bool *inside)
{
    const int rows = p->cone ? 1 + p->cone[i] : 1;
    double size = 0;
    for (int k = i; rows > 1 && k < i + rows; k++) size = hypot(size, x[k] / hi[k]);
    *inside = rows > 1 ? size < 1 : x[i] > lo[i] && x[i] < hi[i];
    return rows;
}

void ukFindActiveRows(const ukProblem *p, const ukSolution *out, const double *lo, const double *hi, double *natural,
                      unsigned char *active)
{
    ukProblemApply(p, out->qdd, natural);
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            const double lambda = out->lambda[i], d = ukProblemCompliance(p, block, i) + p->softness[i];
            natural[i] = lambda - (natural[i] + p->softness[i] * lambda - p->b[i]) / d;
        }
    }
    for (int i = 0, rows = 0; i < p->rows; i += rows) {
        bool inside;
        rows = ukRowsInside(p, lo, hi, i, natural, &inside);
        memset(active + i, inside, (size_t)rows);
    }
}

int ukDenseOf(const ukWorld *world)
{
    const ukSolver solver = world->settings.solver;
    return solver == ukSolverAuto || solver == ukSolverSparse ? -1 : (int)solver - (int)ukSolverMInverse;
}

bool ukSolvesSparse(const ukWorld *world)
{
    return ukDenseOf(world) < 0;
}

int ukSolveDense(ukIsland *island, const ukProblem *p, int which, double rank_tolerance, ukSolution *out)
{
    const size_t need = ukDenseProblemScratch(p, which), rows = (size_t)p->rows;
    int status = ukBudgetSpendDense(island, ukDenseProblemProducts(p));
    if (status == ukOk) status = ukScratchReserve(island->solvers, need + rows * (1 + sizeof(double)) + 128);
    if (status != ukOk) return status;
    unsigned char *active = NULL;
    ukArena scratch = ukArenaOver(island->solvers->scratch, island->solvers->scratch_size);
    const int pivots = p->lo ? out->pivots : 0, passes = p->lo ? out->passes : 0; /* of the solve that found the active
                                                                                   * set */
    if (p->lo) {
        active = ukArenaBytes(&scratch, rows);
        ukFindActiveRows(p, out, island->rows.bound_lo, island->rows.bound_hi, ukArenaDoubles(&scratch, rows), active);
    }
    const int solved = ukDenseSolveActive(p, which, active, rank_tolerance, &scratch, out);
    out->pivots = pivots, out->passes = passes;
    return solved;
}

int ukRefuseSolve(const ukIsland *island, const ukProblem *p, int status)
{
    if (status == ukErrorBudget) return status; /* ukBudgetSpend has set the message */
    return ukRefuseProblem(island, p, status, "%s", ukErrorText(status));
}

ukFrictionSolver *ukSolverOf(ukIsland *island)
{
    ukFrictionSolver **solver = &island->solvers->friction[island->number % ukSolverSlots];
    if (!*solver) *solver = ukFrictionSolverCreate();
    return *solver;
}

/* The check scales residuals differently from the solver: a solution that the solver accepts must not fail the check by
 * a factor of three. */
const double ukSolveAccuracy = 0.1;

static int solveBoundedOnce(ukIsland *island, const ukProblem *p, ukFrictionSolver *solver, double rank_tolerance,
                            const double *lambda0, ukSolution *out)
{
    const int which = ukDenseOf(island->world);
    int status = ukOk;
    if (p->lo) {
        out->lo = island->rows.bound_lo;
        out->hi = island->rows.bound_hi;
        const ukFrictionChoice choice = {.law = ukFrictionOf(island->world),
                                         .iterations = island->world->settings.friction_rounds,
                                         .most_passes = island->world->settings.passes,
                                         .tolerance = ukSolveAccuracy * island->world->settings.check_tolerance,
                                         .rank_tolerance = rank_tolerance};
        status = ukFrictionSolve(solver, p, &choice, lambda0, out);
        island->outcome->coupling = out->coupling;
    } else if (which < 0) {
        out->lo = out->hi = out->loads = NULL;
        out->coupling = island->outcome->coupling = 0;
        status = ukEqualitySolve(ukFrictionSolverEquality(solver), p, rank_tolerance, out);
    }
    if (which >= 0 && status == ukOk) status = ukSolveDense(island, p, which, rank_tolerance, out);
    return status == ukOk ? ukOk : ukRefuseSolve(island, p, status);
}

int ukSolveBounded(ukIsland *island, const ukProblem *p, ukFrictionSolver *solver, double rank_tolerance,
                   const double *lambda0, ukSolution *out)
{
    ukMasslessLoop loop = {0};
    int status;
    do {
        status = solveBoundedOnce(island, p, solver, rank_tolerance, loop.iterations > 0 ? out->lambda : lambda0, out);
    } while (status == ukOk && ukMasslessAgain(island, p, &loop, out, &status));
    return status;
}

/* which: an index of ukDenseSolvers; -1: the sparse solver */
static int solveEqualities(ukIsland *island, const ukProblem *p, int which, double rank_tolerance, ukEquality *equality,
                           ukSolution *out)
{
    ukMasslessLoop loop = {0};
    int status, refused = ukOk;
    do {
        status = which >= 0 ? ukSolveDense(island, p, which, rank_tolerance, out)
                            : ukEqualitySolve(equality, p, rank_tolerance, out);
    } while (status == ukOk && ukMasslessAgain(island, p, &loop, out, &refused));
    if (refused != ukOk) return refused;
    return status == ukOk ? ukOk : ukRefuseSolve(island, p, status);
}

int ukSolveRigid(ukIsland *island, const ukProblem *p, ukEquality *equality, ukSolution *out)
{
    return solveEqualities(island, p, ukDenseOf(island->world), ukRankTolerance(island, p), equality, out);
}

int ukSolveLeastSquares(ukIsland *island, const ukProblem *p, double rank_tolerance, ukSolution *out)
{
    return solveEqualities(island, p, -1, rank_tolerance, island->solvers->equality, out);
}

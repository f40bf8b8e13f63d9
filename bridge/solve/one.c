/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/one.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "bridge/island/view.h"
#include "solvers/base/status.h"
#include "solvers/papers/solvers.h"

int ukSolveInside(const ukProblem *p, const double *lo, const double *hi, int i, const double *x, bool *inside)
{
    const int rows = p->cone ? 1 + p->cone[i] : 1;
    double size = 0;
    for (int k = i; rows > 1 && k < i + rows; k++) size = hypot(size, x[k] / hi[k]);
    *inside = rows > 1 ? size < 1 : x[i] > lo[i] && x[i] < hi[i];
    return rows;
}

void ukSolveHeld(const ukProblem *p, const ukSolution *out, const double *lo, const double *hi, double *natural,
                 unsigned char *held)
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
        rows = ukSolveInside(p, lo, hi, i, natural, &inside);
        memset(held + i, inside, (size_t)rows);
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

int ukSolveDense(ukStepper *s, const ukProblem *p, int which, double rank_tolerance, ukSolution *out)
{
    const size_t need = ukDenseProblemScratch(p, which), rows = (size_t)p->rows, row0 = ukViewOf(s, p).row0;
    const int status = ukStepperScratch(s, need + rows * (1 + sizeof(double)) + 128);
    if (status != ukOk) return status;
    unsigned char *held = NULL;
    ukArena scratch = ukArenaOver(s->solvers.scratch, s->solvers.scratch_size);
    const int pivots = p->lo ? out->pivots : 0, passes = p->lo ? out->passes : 0; /* by which the set was found */
    if (p->lo) {
        held = ukArenaBytes(&scratch, rows);
        ukSolveHeld(p, out, s->rows.bound_lo + row0, s->rows.bound_hi + row0, ukArenaDoubles(&scratch, rows), held);
    }
    const int solved = ukDenseSolveHeld(p, which, held, rank_tolerance, &scratch, out);
    out->pivots = pivots, out->passes = passes;
    return solved;
}

int ukSolveRefused(const ukStepper *s, const ukProblem *p, int status)
{
    return ukRefuseProblem(s, p, status, "%s", ukErrorText(status));
}

ukLawSolver *ukSolverOf(ukStepper *s, int index)
{
    ukLawSolver **set = &s->solvers.set[index % ukSolverSlots];
    if (!*set) *set = ukLawSolverCreate();
    return *set;
}

/* The check scales its residuals in its own way: what the solver accepts must not fail there by a factor of three. */
const double ukSolveMargin = 0.1;

int ukSolveBounded(ukStepper *s, int index, const ukProblem *p, ukLawSolver *set, double rank_tolerance,
                   const double *lambda0, ukSolution *out)
{
    const int which = ukDenseOf(s->world);
    int status = ukOk;
    if (p->lo || which < 0) {
        out->lo = p->lo ? s->rows.bound_lo + ukViewOf(s, p).row0 : NULL;
        out->hi = p->lo ? s->rows.bound_hi + ukViewOf(s, p).row0 : NULL;
        if (!p->lo) out->loads = NULL;
        const ukLawChoice choice = {.law = ukFrictionOf(s->world),
                                    .rounds = s->world->settings.friction_rounds,
                                    .tolerance = ukSolveMargin * s->world->settings.check_tolerance,
                                    .rank_tolerance = rank_tolerance};
        status = ukLawSolve(set, p, &choice, p->lo ? lambda0 : NULL, out);
        s->outcomes[index].coupling = out->coupling;
    }
    if (which >= 0 && status == ukOk) status = ukSolveDense(s, p, which, rank_tolerance, out);
    return status == ukOk ? ukOk : ukSolveRefused(s, p, status);
}

int ukSolveRigid(ukStepper *s, const ukProblem *p, ukEquality *equality, ukSolution *out)
{
    const double tolerance = ukRankTolerance(s, p);
    const int which = ukDenseOf(s->world);
    const int status =
        which >= 0 ? ukSolveDense(s, p, which, tolerance, out) : ukEqualitySolve(equality, p, tolerance, out);
    return status == ukOk ? ukOk : ukSolveRefused(s, p, status);
}

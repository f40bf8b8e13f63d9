/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/friction_law.h"

#include "solvers/base/status.h"
#include "solvers/bounded/convex.h"
#include "solvers/bounded/polish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Under-relaxation of the normal forces that are carried to the next step's friction bounds. *Measured:* of nine heaps
 * at rest (50 to 110 boxes, surface layer 1 or 2 mm) eight satisfy the law; with 1, three. */
static const double load_relaxation = 0.3;

/* The rough coupled solve replaces RoughIterations fixed-point iterations; at least one more is needed to measure the coupling
 * error. *Measured:* in a falling pile of 200 the coupling error is below 0.01 in 92 % of the steps; from carried
 * bounds, in 19 %. */
enum { RoughIterations = 2 };

/* The last iterations, which are taken only where the coupling error before them is above `small_coupling`: one whose
 * solution may be the result, and one that measures it. *Measured:* in five falling piles of 160 to 240 (3.5 s each)
 * the error is at most 0.01 in 92.4 % of the steps (under the cone 92.2); without them in 91.5 % (cone: 90.4), and
 * then the steps take 0.88 (cone: 1.01) of the passes. */
enum { ExtraIterations = 2 };

/* Natural residual of the warm start below which the carried friction bounds are tried first, and the coupling error
 * below which their result is accepted. *Measured:* the residual is 0.5 to 0.95 while a heap falls, 0.1 to 0.3 as it
 * comes to rest. Without carried bounds none of the nine heaps above satisfies the law; where their result is accepted
 * whatever its coupling error, the mean coupling error of a falling heap of 60 under the cone is 5e-3 instead of 2e-3. */
static const double near_rest = 0.4, small_coupling = 1e-2;

/* Residual of the rough coupled solve; and tolerance of the interior point in iterations that only measure the coupling
 * error, and in islands of more than ManyRows rows in all iterations but the last two. *Measured:* a falling pile of 200, whose accelerations change by a tenth per
 * iteration, takes three quarters of the time, with the same coupling error. In smaller islands fewer steps would
 * satisfy the law: in a pile of 40, 53 % instead of 78 %. */
static const double rough_tolerance = 1e-3;
enum { ManyRows = 1200 };

struct ukFrictionSolver {
    ukEquality *equality;
    ukPolish polish;
    void *memory;
    size_t size, carved[ukConvexSizes]; /* sizes for which the arrays were carved */
    ukConvex convex;
    double *next_lambda;    /* (m) multipliers whose normal forces bound friction in the next iteration */
    double *last_lambda;    /* (m) those that did in the last one */
    double *kept;           /* (m) the solution with the least coupling error */
    double *bounds;         /* (m) multipliers whose normal forces bounded its friction */
    double *before, *moved; /* (n) accelerations of the iteration before, and the change since */
};

ukFrictionSolver *ukFrictionSolverCreate(void)
{
    ukFrictionSolver *solver = calloc(1, sizeof *solver);
    if (!solver) return NULL;
    solver->equality = ukEqualityCreate();
    if (solver->equality) return solver;
    ukFrictionSolverDestroy(solver);
    return NULL;
}

void ukFrictionSolverDestroy(ukFrictionSolver *solver)
{
    if (!solver) return;
    ukEqualityDestroy(solver->equality);
    ukPolishFree(&solver->polish);
    free(solver->memory);
    free(solver);
}

ukKkt *ukFrictionSolverKkt(ukFrictionSolver *solver)
{
    return ukEqualityKkt(solver->equality);
}

ukEquality *ukFrictionSolverEquality(ukFrictionSolver *solver)
{
    return solver->equality;
}

/* Arrays for p; those of the last problem stay if the sizes are the same. */
static bool carveFrictionArrays(ukFrictionSolver *solver, const ukProblem *p)
{
    const size_t rows = (size_t)p->rows, bodies = (size_t)p->bodies;
    size_t sizes[ukConvexSizes];
    ukConvexMeasure(&solver->convex, p, sizes);
    if (memcmp(sizes, solver->carved, sizeof sizes) == 0) return true;
    ukArena arena = ukArenaOver(solver->memory, solver->size);
    memset(solver->carved, 0, sizeof solver->carved);
    ukConvexCarve(&solver->convex, p, &arena);
    UKODE_DOUBLES(&arena, rows, &solver->next_lambda, &solver->last_lambda, &solver->kept, &solver->bounds);
    UKODE_DOUBLES(&arena, 6 * bodies, &solver->before, &solver->moved);
    if (solver->memory && !arena.exhausted) {
        memcpy(solver->carved, sizes, sizeof sizes);
        return true;
    }
    const size_t size = (arena.used + 63) / 64 * 64;
    free(solver->memory);
    solver->memory = aligned_alloc(64, size);
    solver->size = solver->memory ? size : 0;
    return solver->memory && carveFrictionArrays(solver, p);
}

static bool hasFrictionRows(const ukProblem *p)
{
    for (int i = 0; p->normal && i < p->rows; i++)
        if (p->normal[i] >= 0) return true;
    return false;
}

static void copyRows(const ukFrictionSolver *solver, double *to, const double *from)
{
    memcpy(to, from, (size_t)solver->convex.rows.m * sizeof *to);
}

/* Number of passes for the first of two problems: half of a limited number. */
static int firstShare(const ukFrictionChoice *choice)
{
    return (choice->most_passes + 1) / 2;
}

/* Phase 1 fixes friction at zero and is warm-started from the last phase 1, whose normal forces differ from those with
 * friction; phase 2 freezes the friction bounds. Without friction phase 1 is all. */
static int solveTwoPhases(ukFrictionSolver *solver, const ukFrictionChoice *choice, bool friction,
                          const double *lambda0, ukSolution *s)
{
    ukConvex *X = &solver->convex;
    double before;
    ukConvexGuess(X, friction && s->loads ? s->loads : lambda0);
    X->rows.most_passes = friction ? firstShare(choice) : choice->most_passes;
    int status = ukConvexSolve(X, choice->tolerance, 0, &s->residual);
    if (status != ukOk || !friction) return status;
    X->rows.most_passes = choice->most_passes;
    if (s->loads) copyRows(solver, s->loads, X->lambda);
    ukBoundedFreeze(&X->rows, X->lambda);
    ukConvexGuess(X, lambda0);
    before = s->residual;
    status = ukConvexSolve(X, choice->tolerance, 0, &s->residual);
    s->residual = fmax(before, s->residual);
    return status;
}

/* |x - y|_M / |x - a|_M, where x are the accelerations of lambda and y those of the iteration before (in the first: a),
 * at most 1; y <- x. */
static double measureCoupling(ukFrictionSolver *solver)
{
    ukBounded *B = &solver->convex.rows;
    double by = 0, from = 0;
    ukBoundedEvaluate(B, solver->convex.lambda);
    for (int i = 0; i < B->n; i++) solver->moved[i] = B->x[i] - solver->before[i];
    ukProblemInertia(&B->p, solver->moved, B->g);
    for (int i = 0; i < B->n; i++) by += solver->moved[i] * B->g[i], solver->moved[i] = B->x[i] - B->a[i];
    ukProblemInertia(&B->p, solver->moved, B->g);
    for (int i = 0; i < B->n; i++) from += solver->moved[i] * B->g[i], solver->before[i] = B->x[i];
    return by > 0 ? sqrt(by / fmax(from, by)) : 0;
}

static bool isFrictionLawMet(const ukFrictionSolver *solver, const ukFrictionChoice *choice)
{
    return solver->convex.missed <= choice->tolerance;
}

/* The normal forces of the present solution become those of the next friction bounds. */
static void shiftBounds(ukFrictionSolver *solver)
{
    copyRows(solver, solver->last_lambda, solver->next_lambda);
    copyRows(solver, solver->next_lambda, solver->convex.lambda);
}

/* Fixed-point iterations k, k + 1, ... on the friction bounds, from those of solver->next_lambda, at least two or,
 * after the rough coupled solve, one. Iteration k freezes the bounds of solution k - 1 and thereby measures that
 * solution's coupling error, the change of the accelerations; for that alone a rough solution suffices. The result is the solution
 * with the least coupling error among those of full accuracy. Ends early where the law is satisfied, or before the
 * extra iterations where these are not needed. */
static int iterateFixedPoint(ukFrictionSolver *solver, const ukFrictionChoice *choice, int k, ukSolution *s)
{
    ukConvex *X = &solver->convex;
    const int first = k, last = k < choice->iterations ? choice->iterations : k + 1, regular = last - ExtraIterations;
    double least = INFINITY, residual = 0;
    int status = ukOk;
    for (; k < last && status == ukOk && !isFrictionLawMet(solver, choice); k++, shiftBounds(solver)) {
        if (k >= regular && k > RoughIterations && least <= small_coupling) break;
        if (k > first && ukPassesLeft(&X->rows, 1) == 0) break;
        const double before = s->residual;
        const bool measures = k == last - 1 || (k == regular - 1 && k >= RoughIterations);
        const bool solved = before <= choice->tolerance;
        const bool roughly = measures ? solved : X->rows.m > ManyRows && k < last - 2;
        ukBoundedFreeze(&X->rows, solver->next_lambda);
        status = ukConvexSolve(X, choice->tolerance, roughly ? rough_tolerance : 0, &s->residual);
        s->coupling = measureCoupling(solver);
        ukConvexMeasureCoupling(X);
        if (!solved || !(s->coupling < least)) continue;
        least = s->coupling, residual = before;
        copyRows(solver, solver->kept, solver->next_lambda);
        copyRows(solver, solver->bounds, solver->last_lambda);
    }
    if (least == INFINITY) {
        copyRows(solver, solver->bounds, solver->last_lambda);
        return status;
    }
    copyRows(solver, X->lambda, solver->kept);
    s->coupling = least, s->residual = residual;
    return status;
}

/* Fixed-point iterations from a rough coupled solve, in place of the first RoughIterations. */
static int solveFromRoughCoupling(ukFrictionSolver *solver, const ukFrictionChoice *choice, ukSolution *s)
{
    ukConvex *X = &solver->convex;
    int status = ukOk, k = 0;
    s->residual = INFINITY;
    if (ukConvexSolveRoughlyCoupled(X, fmax(rough_tolerance, choice->tolerance))) {
        copyRows(solver, solver->next_lambda, X->lambda);
        status = ukConvexContinue(X, choice->tolerance, &s->residual);
        measureCoupling(solver);
        ukConvexMeasureCoupling(X);
        k = RoughIterations;
    }
    shiftBounds(solver);
    return status == ukOk ? iterateFixedPoint(solver, choice, k, s) : status;
}

/* Whether the warm start nearly solves the problem within the carried friction bounds. */
static bool isNearRest(ukFrictionSolver *solver)
{
    ukBounded *B = &solver->convex.rows;
    ukBoundedFreeze(B, solver->next_lambda);
    ukBoundedProject(B, solver->convex.lambda);
    return ukBoundedResidual(B, solver->convex.lambda) <= near_rest;
}

/* Starts from the carried friction bounds, which let a heap come to rest; from a rough coupled solve if the warm start
 * does not fit them or their result is not accepted. */
static int solveByFixedPoint(ukFrictionSolver *solver, const ukFrictionChoice *choice, ukSolution *s)
{
    int status = ukOk;
    s->coupling = s->residual = INFINITY;
    if (isNearRest(solver)) status = iterateFixedPoint(solver, choice, 0, s);
    if (status == ukOk && !isFrictionLawMet(solver, choice) && s->coupling > small_coupling)
        status = solveFromRoughCoupling(solver, choice, s);
    return status;
}

/* Under-relaxes the normal forces of which the next step makes its first friction bounds. */
static void relaxLoads(const ukFrictionSolver *solver, const ukProblem *p, double *loads)
{
    for (int i = 0; i < p->rows; i++) {
        const double last = solver->convex.lambda[i], step = last - loads[i];
        if (ukProblemNormal(p, i) >= 0)
            loads[i] = 0;
        else
            loads[i] = loads[i] != 0 && isfinite(step) ? loads[i] + load_relaxation * step : last;
    }
}

static int solveCoupledLaw(ukFrictionSolver *solver, const ukProblem *p, const ukFrictionChoice *choice,
                           const double *lambda0, ukSolution *s)
{
    ukConvex *X = &solver->convex;
    ukConvexGuess(X, lambda0);
    memcpy(solver->before, X->rows.a, (size_t)X->rows.n * sizeof *solver->before);
    for (int i = 0; i < p->rows; i++)
        solver->next_lambda[i] = s->loads && isfinite(s->loads[i]) ? s->loads[i] : X->lambda[i];
    X->rows.most_passes = firstShare(choice);
    ukConvexSolveCoupled(X, choice->tolerance);
    X->rows.most_passes = choice->most_passes;
    const int status = isFrictionLawMet(solver, choice) ? ukOk : solveByFixedPoint(solver, choice, s);
    if (status != ukOk) return status;
    if (isFrictionLawMet(solver, choice)) {
        copyRows(solver, X->lambda, X->coupled);
        ukBoundedFreeze(&X->rows, X->lambda);
        s->residual = X->missed, s->coupling = 0;
    } else
        ukBoundedFreeze(&X->rows, solver->bounds);
    if (s->loads) relaxLoads(solver, p, s->loads);
    return ukOk;
}

/* Writes the solution in the caller's rows, which are not scaled. */
static void reportFrictionSolution(ukConvex *X, ukSolution *s)
{
    ukBounded *B = &X->rows;
    ukBoundedEvaluate(B, X->lambda);
    memcpy(s->qdd, B->x, (size_t)B->n * sizeof *s->qdd);
    s->active = 0;
    for (int i = 0; i < B->m; i++) {
        const double mu = B->cones ? ukBoundedUnit(B, i) : 1;
        const int n = ukDiscRows(B, i);
        s->lambda[i] = mu * X->lambda[i];
        if (s->lo) s->lo[i] = mu * B->lo[i];
        if (s->hi) s->hi[i] = mu * B->hi[i];
        if (B->kind[i] == ukRowBox)
            s->active += X->lambda[i] > B->lo[i] && X->lambda[i] < B->hi[i];
        else if (B->kind[i] == ukRowDisc) /* on the circle up to rounding: not active (reported only) */
            s->active += n * (ukDiscSize(X->lambda + i, n) < B->hi[i] * (1 - 1e-12));
    }
    s->rank = -1;
    s->pivots = B->pivots;
    s->passes = B->passes;
}

/* all rows are equalities */
static int solveWithoutBounds(ukFrictionSolver *solver, const ukProblem *p, double rank_tolerance, ukSolution *s)
{
    const int status = ukEqualitySolve(solver->equality, p, rank_tolerance, s);
    for (int i = 0; status == ukOk && s->lo && i < p->rows; i++) s->lo[i] = -INFINITY;
    for (int i = 0; status == ukOk && s->hi && i < p->rows; i++) s->hi[i] = INFINITY;
    return status;
}

int ukFrictionSolve(ukFrictionSolver *solver, const ukProblem *p, const ukFrictionChoice *choice, const double *lambda0,
                    ukSolution *s)
{
    ukConvex *X = &solver->convex;
    bool bounded = false;
    for (int i = 0; p->lo && i < p->rows && !bounded; i++) bounded = isfinite(p->lo[i]) || isfinite(p->hi[i]);
    s->coupling = 0;
    const bool friction = hasFrictionRows(p);
    if (!bounded && !friction) return solveWithoutBounds(solver, p, choice->rank_tolerance, s);
    if (!carveFrictionArrays(solver, p)) return ukErrorMemory;
    X->rows.elliptic = choice->law == ukFrictionElliptic;
    X->rows.starved = false;
    X->rows.most_passes = choice->most_passes;
    int status = ukConvexTake(X, p, ukEqualityKkt(solver->equality));
    if (status != ukOk) return status;
    if (!friction || choice->law == ukFrictionTwoPhase)
        status = solveTwoPhases(solver, choice, friction, lambda0, s);
    else
        status = solveCoupledLaw(solver, p, choice, lambda0, s);
    if (status != ukOk) return status;
    if (X->rows.starved) return ukErrorMemory;
    if (!isfinite(s->residual)) return ukErrorNotFinite;
    status = ukPolishSolve(&solver->polish, solver->equality, &X->rows, choice->tolerance, X->lambda, &s->residual);
    if (status != ukOk) return status;
    reportFrictionSolution(X, s);
    return ukOk;
}

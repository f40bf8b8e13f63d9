/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/law.h"

#include "solvers/base/status.h"
#include "solvers/bounded/convex.h"
#include "solvers/equality/equality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much of a step's news the bounds of the next one begin with. Measured: of nine heaps at rest, 50 to 110 boxes with a
 * layer of 1 or 2 mm, eight meet the law; with all of it, three. */
static const double news = 0.3;

/* Bounds that nearly agree with the forces, and the solution in them, stand for so many rounds; one more at least tells
 * how far they are. Measured: a falling pile of 200 is within 0.01 in 92 % of steps; from carried bounds, 19 %. */
enum { NearRounds = 2 };

/* The last rounds, which are taken only where those before them leave more than `steady`: one whose forces may be the
 * solution, and one that measures it. Measured: falling piles of 160 to 240 are within 0.01 in 93 % of
 * steps instead of 91 (under the cone 89), and take 1.04 to 1.09 of the time. */
enum { SpareRounds = 2 };

/* Residual of the last step's forces below which carried bounds are tried first, and the coupling below which they are
 * taken. Measured: 0.5 to 0.95 while a heap falls, 0.1 to 0.3 as it comes to rest. In bounds found anew in each step none of
 * those nine meets the law; if carried ones are taken whatever their coupling, a falling heap of 60 under
 * the cone is 5e-3 off in the mean instead of 2e-3. */
static const double calm = 0.4, steady = 1e-2;

/* Residual by the law of bounds that nearly agree; and in islands of many rows, what an interior point may leave in
 * rounds before the last one. Measured: of a falling pile of 200, whose accelerations one round changes by a tenth, three quarters of the
 * time, coupling as before. In smaller islands it would cost the law: a pile of 40 meets it in 53 % of steps instead of
 * 78 %. */
static const double rough = 1e-3;
enum { ManyRows = 1200 };

struct ukLawSolver {
    ukEquality *equality;
    void *memory;
    size_t size, carved[ukConvexSizes]; /* for what it is carved */
    ukConvex convex;
    double *load, *earlier; /* (m) normal forces that the next round's bounds go by, and those of the last solution's */
    double *kept, *bounds;  /* (m) the solution that was changed least, and those of its bounds */
    double *before, *moved; /* (n) accelerations of the round before, and from there */
};

ukLawSolver *ukLawSolverCreate(void)
{
    ukLawSolver *solver = calloc(1, sizeof *solver);
    if (!solver) return NULL;
    solver->equality = ukEqualityCreate();
    if (solver->equality) return solver;
    ukLawSolverDestroy(solver);
    return NULL;
}

void ukLawSolverDestroy(ukLawSolver *solver)
{
    if (!solver) return;
    ukEqualityDestroy(solver->equality);
    free(solver->memory);
    free(solver);
}

ukKkt *ukLawSolverKkt(ukLawSolver *solver)
{
    return ukEqualityKkt(solver->equality);
}

/* Arrays for p: those of the last problem, where the sizes are the same. */
static bool carve(ukLawSolver *solver, const ukProblem *p)
{
    const size_t rows = (size_t)p->rows, bodies = (size_t)p->bodies;
    size_t sizes[ukConvexSizes];
    ukConvexMeasure(&solver->convex, p, sizes);
    if (memcmp(sizes, solver->carved, sizeof sizes) == 0) return true;
    ukArena arena = ukArenaOver(solver->memory, solver->size);
    memset(solver->carved, 0, sizeof solver->carved);
    ukConvexCarve(&solver->convex, p, &arena);
    double **of_rows[] = {&solver->load, &solver->earlier, &solver->kept, &solver->bounds};
    for (int k = 0; k < 4; k++) *of_rows[k] = ukArenaDoubles(&arena, rows);
    solver->before = ukArenaDoubles(&arena, 6 * bodies);
    solver->moved = ukArenaDoubles(&arena, 6 * bodies);
    if (solver->memory && !arena.exhausted) {
        memcpy(solver->carved, sizes, sizeof sizes);
        return true;
    }
    const size_t size = (arena.used + 63) / 64 * 64;
    free(solver->memory);
    solver->memory = aligned_alloc(64, size);
    solver->size = solver->memory ? size : 0;
    return solver->memory && carve(solver, p);
}

static bool hasFriction(const ukProblem *p)
{
    for (int i = 0; p->normal && i < p->rows; i++)
        if (p->normal[i] >= 0) return true;
    return false;
}

static void copy(const ukLawSolver *solver, double *to, const double *from)
{
    memcpy(to, from, (size_t)solver->convex.rows.m * sizeof *to);
}

/* One problem; with friction two phases. The first, in which that has no room, has a guess of its own: normal forces are
 * not those with friction. */
static int solvePhases(ukLawSolver *solver, const ukLawChoice *choice, bool friction, const double *lambda0,
                       ukSolution *s)
{
    ukConvex *X = &solver->convex;
    double before;
    ukConvexGuess(X, friction && s->loads ? s->loads : lambda0);
    int status = ukConvexSolve(X, choice->tolerance, 0, &s->residual);
    if (status != ukOk || !friction) return status;
    if (s->loads) copy(solver, s->loads, X->lambda);
    ukBoundedFreeze(&X->rows, X->lambda);
    ukConvexGuess(X, lambda0);
    before = s->residual;
    status = ukConvexSolve(X, choice->tolerance, 0, &s->residual);
    s->residual = fmax(before, s->residual);
    return status;
}

/* |x - y|_M / |x - a|_M of the accelerations x of lambda and y of the round before, before the first one a; these become
 * x. */
static double changeOf(ukLawSolver *solver)
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

static bool isMet(const ukLawSolver *solver, const ukLawChoice *choice)
{
    return solver->convex.missed <= choice->tolerance;
}

/* Behind a solution, in the bounds of solver->load: its forces make those of the next one. */
static void goOn(ukLawSolver *solver)
{
    copy(solver, solver->earlier, solver->load);
    copy(solver, solver->load, solver->convex.lambda);
}

/* Rounds k ... from the bounds of solver->load, two at least: each measures how far the bounds of the forces of the one
 * before would move that, for which a rough solution will do. Of those that were solved to the end the one that is moved
 * least is the solution. Where the law is met on the way, that is the end; and the spare rounds may not be needed. */
static int renew(ukLawSolver *solver, const ukLawChoice *choice, int k, ukSolution *s)
{
    ukConvex *X = &solver->convex;
    const int rounds = k < choice->rounds ? choice->rounds : k + 1, sure = rounds - SpareRounds;
    double least = INFINITY, residual = 0;
    int status = ukOk;
    for (; k < rounds && status == ukOk && !isMet(solver, choice); k++, goOn(solver)) {
        if (k >= sure && k > NearRounds && least <= steady) break;
        const double before = s->residual;
        const bool measures = k == rounds - 1 || (k == sure - 1 && k >= NearRounds);
        const bool solved = before <= choice->tolerance;
        const bool roughly = measures ? solved : X->rows.m > ManyRows && k < rounds - 2;
        ukBoundedFreeze(&X->rows, solver->load);
        status = ukConvexSolve(X, choice->tolerance, roughly ? rough : 0, &s->residual);
        s->coupling = changeOf(solver);
        ukConvexJudge(X);
        if (!solved || !(s->coupling < least)) continue;
        least = s->coupling, residual = before;
        copy(solver, solver->kept, solver->load);
        copy(solver, solver->bounds, solver->earlier);
    }
    if (least == INFINITY) {
        copy(solver, solver->bounds, solver->earlier);
        return status;
    }
    copy(solver, X->lambda, solver->kept);
    s->coupling = least, s->residual = residual;
    return status;
}

/* Rounds from bounds that nearly agree with their forces, the first of them the solution in these. */
static int solveNear(ukLawSolver *solver, const ukLawChoice *choice, ukSolution *s)
{
    ukConvex *X = &solver->convex;
    int status = ukOk, k = 0;
    s->residual = INFINITY;
    if (ukConvexNear(X, fmax(rough, choice->tolerance))) {
        copy(solver, solver->load, X->lambda);
        status = ukConvexContinue(X, choice->tolerance, &s->residual);
        changeOf(solver);
        ukConvexJudge(X);
        k = NearRounds;
    }
    goOn(solver);
    return status == ukOk ? renew(solver, choice, k, s) : status;
}

/* Whether the last step's forces are about right in the bounds that were carried here: rest is near. */
static bool isCalm(ukLawSolver *solver)
{
    ukBounded *B = &solver->convex.rows;
    ukBoundedFreeze(B, solver->load);
    ukBoundedProject(B, solver->convex.lambda);
    return ukBoundedResidual(B, solver->convex.lambda) <= calm;
}

/* From the bounds that were carried here, which bring a heap to rest; from bounds that nearly agree, where those are not
 * about right or lead nowhere. */
static int solveRounds(ukLawSolver *solver, const ukLawChoice *choice, ukSolution *s)
{
    int status = ukOk;
    s->coupling = s->residual = INFINITY;
    if (isCalm(solver)) status = renew(solver, choice, 0, s);
    if (status == ukOk && !isMet(solver, choice) && s->coupling > steady) status = solveNear(solver, choice, s);
    return status;
}

/* Bounds for the next step to begin with. */
static void carry(const ukLawSolver *solver, const ukProblem *p, double *loads)
{
    for (int i = 0; i < p->rows; i++) {
        const double last = solver->convex.lambda[i], step = last - loads[i];
        if (ukProblemNormal(p, i) >= 0)
            loads[i] = 0;
        else
            loads[i] = loads[i] != 0 && isfinite(step) ? loads[i] + news * step : last;
    }
}

static int solveCoupled(ukLawSolver *solver, const ukProblem *p, const ukLawChoice *choice, const double *lambda0,
                        ukSolution *s)
{
    ukConvex *X = &solver->convex;
    ukConvexGuess(X, lambda0);
    memcpy(solver->before, X->rows.a, (size_t)X->rows.n * sizeof *solver->before);
    for (int i = 0; i < p->rows; i++) solver->load[i] = s->loads && isfinite(s->loads[i]) ? s->loads[i] : X->lambda[i];
    ukConvexAgree(X, choice->tolerance);
    const int status = isMet(solver, choice) ? ukOk : solveRounds(solver, choice, s);
    if (status != ukOk) return status;
    if (isMet(solver, choice)) {
        copy(solver, X->lambda, X->law);
        ukBoundedFreeze(&X->rows, X->lambda);
        s->residual = X->missed, s->coupling = 0;
    } else
        ukBoundedFreeze(&X->rows, solver->bounds);
    if (s->loads) carry(solver, p, s->loads);
    return ukOk;
}

/* From the scaled rows back to the caller's. */
static void report(ukConvex *X, ukSolution *s)
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
        else if (B->kind[i] == ukRowDisc)
            s->active += n * (ukDiscSize(X->lambda + i, n) < B->hi[i] * (1 - 1e-12));
    }
    s->rank = -1;
    s->pivots = B->passes;
}

/* no bounds at all */
static int solveEqualities(ukLawSolver *solver, const ukProblem *p, double rank_tolerance, ukSolution *s)
{
    const int status = ukEqualitySolve(solver->equality, p, rank_tolerance, s);
    for (int i = 0; status == ukOk && s->lo && i < p->rows; i++) s->lo[i] = -INFINITY;
    for (int i = 0; status == ukOk && s->hi && i < p->rows; i++) s->hi[i] = INFINITY;
    return status;
}

int ukLawSolve(ukLawSolver *solver, const ukProblem *p, const ukLawChoice *choice, const double *lambda0, ukSolution *s)
{
    ukConvex *X = &solver->convex;
    bool bounded = false;
    for (int i = 0; p->lo && i < p->rows && !bounded; i++) bounded = isfinite(p->lo[i]) || isfinite(p->hi[i]);
    s->coupling = 0;
    const bool friction = hasFriction(p);
    if (!bounded && !friction) return solveEqualities(solver, p, choice->rank_tolerance, s);
    if (!carve(solver, p)) return ukErrorMemory;
    X->rows.elliptic = choice->law == ukFrictionElliptic;
    X->rows.starved = false;
    int status = ukConvexTake(X, p, ukEqualityKkt(solver->equality));
    if (status != ukOk) return status;
    if (!friction || choice->law == ukFrictionTwoPhase)
        status = solvePhases(solver, choice, friction, lambda0, s);
    else
        status = solveCoupled(solver, p, choice, lambda0, s);
    if (status != ukOk) return status;
    if (X->rows.starved) return ukErrorMemory;
    if (!isfinite(s->residual)) return ukErrorNotFinite;
    report(X, s);
    return ukOk;
}

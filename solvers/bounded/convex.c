/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/convex.h"

#include "solvers/base/status.h"

#include <math.h>
#include <string.h>

/* Relative proximal terms: small enough that a refinement or two remove it, large enough to factor redundant rows; and
 * one that keeps redundant rows where they are while the set of all others is found. */
static const double fine = 1e-9, coarse = 1e-5;

static const double spare = 0.1; /* of the tolerance, for an interior point: rows at bounds are then known */

static const double resting = 1e-6; /* residual of the last step's forces at rest: their set is right */

enum {
    FewRows = 48,      /* of contacts, up to here a dense problem costs less than a pass over a sparse one */
    PathRows = 96,     /* in play, up to which the path in bounds that agree costs less than what else there is, */
    JointedRows = 256, /* and where there are joints */
    InsideRows = 250,  /* up to which an island affords an interior point for them */
    SetPasses = 12,    /* factorizations at most: of the Newton method from a guess, */
    InteriorPasses = 60,
    PolishPasses = 40
};

/* what cheap stages go for, whatever the tolerance */
static double goalOf(double tolerance)
{
    return fmin(1e-12, tolerance);
}

void ukConvexMeasure(ukConvex *X, const ukProblem *p, size_t sizes[ukConvexSizes])
{
    X->dense = ukComplementSuits(&X->complement, p);
    const size_t dense = X->dense ? 1 + (size_t)X->complement.joints : 0;
    const size_t of[ukConvexSizes] = {(size_t)p->rows,   (size_t)p->bodies, (size_t)p->blocks,
                                      ukBoundedPairs(p), p->cone != NULL,   dense};
    memcpy(sizes, of, sizeof of);
}

void ukConvexCarve(ukConvex *X, const ukProblem *p, ukArena *arena)
{
    double **rows[] = {&X->lambda, &X->judged, &X->guess, &X->law};
    ukBoundedCarve(&X->rows, p, ukBoundedPairs(p), arena);
    ukNewtonCarve(&X->newton, p, arena);
    ukInteriorCarve(&X->interior, p, arena);
    if (X->dense) ukComplementCarve(&X->complement, p, arena), ukPathCarve(&X->path, &X->complement, p, arena);
    for (int k = 0; k < 4; k++) *rows[k] = ukArenaDoubles(arena, (size_t)p->rows);
}

static bool finiteForces(const ukBounded *B)
{
    double sum = 0;
    for (int i = 0; i < B->n; i++) sum += 0 * B->a[i];
    for (int i = 0; i < B->m; i++) sum += 0 * (B->p.b[i] + B->softness[i] + B->diagonal[i]);
    return sum == 0;
}

int ukConvexTake(ukConvex *X, const ukProblem *p, ukKkt *kkt)
{
    X->rows.kkt = kkt;
    X->eliminated = false;
    X->missed = INFINITY;
    ukBoundedSet(&X->rows, p, fine);
    return finiteForces(&X->rows) ? ukOk : ukErrorNotFinite;
}

void ukConvexGuess(ukConvex *X, const double *known)
{
    const ukBounded *B = &X->rows;
    for (int i = 0; i < B->m; i++) {
        X->lambda[i] = known && isfinite(known[i]) ? known[i] : 0;
        if (B->cones) X->lambda[i] /= ukBoundedUnit(B, i);
    }
}

/* Whether rows are few; then the joints are eliminated. */
static bool eliminate(ukConvex *X)
{
    if (X->dense && !X->eliminated) {
        X->dense = ukComplementSet(&X->complement, &X->rows) == ukOk;
        ukPathBegin(&X->path);
    }
    X->eliminated = X->dense;
    return X->dense;
}

/* Few rows, no discs. Until the next problem is taken over, rows that come by room for the first time are added to those
 * that are in play. */
static void solveDense(ukConvex *X, double goal, double *residual)
{
    if (!eliminate(X)) return;
    ukComplementAdd(&X->complement, &X->rows, false, X->lambda);
    *residual = ukPathSolve(&X->path, &X->complement, &X->rows, false, goal, X->lambda);
}

/* The interior point from the guess; the Newton method from where it ends. */
static int solveInside(ukConvex *X, double tolerance, double rough, double *residual)
{
    const bool roughly = rough > tolerance;
    const double enough = roughly ? rough : spare * tolerance, shift[] = {coarse, fine};
    const ukNewtonChoice choice = {true, goalOf(tolerance), PolishPasses};
    int status = ukOk;
    *residual = ukInteriorSolve(&X->interior, &X->rows, false, enough, InteriorPasses, X->lambda);
    if (roughly && *residual <= enough) return ukOk;
    for (int k = 0; k < 2 && status == ukOk && *residual > choice.tolerance; k++) {
        ukBoundedShift(&X->rows, shift[k]);
        status = ukNewtonSolve(&X->newton, &X->rows, &choice, X->lambda, residual);
    }
    ukBoundedShift(&X->rows, fine);
    return status;
}

/* Few rows go to the dense way unless the guess nearly fits, or there is none: of contacts alone every row is then a
 * change of its own. */
int ukConvexSolve(ukConvex *X, double tolerance, double rough, double *residual)
{
    ukBounded *B = &X->rows;
    const double goal = goalOf(tolerance);
    const ukNewtonChoice set = {false, goal, SetPasses};
    const bool few = X->dense && !B->cones;
    ukBoundedProject(B, X->lambda);
    const bool contacts = few && B->m > FewRows && X->complement.joints == 0;
    const bool begun = few && X->eliminated && X->complement.based;
    *residual = few && (contacts || !begun) ? ukBoundedResidualWithin(B, X->lambda, goal, resting) : INFINITY;
    if (*residual <= goal) return ukOk;
    if (!few || (contacts && (*residual < resting || !ukBoundedLoaded(B, X->lambda)))) {
        const int status = ukNewtonSolve(&X->newton, B, &set, X->lambda, residual);
        if (status != ukOk || *residual <= tolerance) return status;
    }
    if (few) solveDense(X, goal, residual);
    if (*residual <= tolerance) return ukOk;
    return solveInside(X, tolerance, rough, residual);
}

/* ---- bounds that agree -------------------------------------------------------------------------------------------- */

static void keep(ukConvex *X, double missed)
{
    if (!(missed < X->missed)) return;
    X->missed = missed;
    memcpy(X->law, X->lambda, (size_t)X->rows.m * sizeof *X->law);
}

static void freeze(ukConvex *X)
{
    ukBoundedFreeze(&X->rows, X->lambda);
    ukBoundedProject(&X->rows, X->lambda);
}

void ukConvexJudge(ukConvex *X)
{
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    memcpy(X->judged, X->lambda, bytes);
    freeze(X);
    keep(X, ukBoundedResidual(&X->rows, X->lambda));
    memcpy(X->lambda, X->judged, bytes);
}

/* Along the homotopy on the dense complement, where few enough rows are in play. */
static void agreeAlongPath(ukConvex *X, double goal)
{
    if (X->rows.cones || !eliminate(X)) return;
    ukComplementAdd(&X->complement, &X->rows, true, X->lambda);
    if (X->complement.rows > (X->complement.joints > 0 ? JointedRows : PathRows)) return;
    keep(X, ukPathSolve(&X->path, &X->complement, &X->rows, true, goal, X->lambda));
}

/* by an interior point in bounds that move along; returns what is missed */
static double agreeInside(ukConvex *X, double rough)
{
    freeze(X);
    return ukInteriorSolve(&X->interior, &X->rows, true, rough, InteriorPasses, X->lambda);
}

void ukConvexAgree(ukConvex *X, double tolerance)
{
    const double goal = goalOf(tolerance);
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    const bool inside = X->rows.m <= InsideRows;
    memcpy(X->guess, X->lambda, bytes);
    agreeAlongPath(X, goal);
    memcpy(X->lambda, X->guess, bytes);
    if (inside && X->missed > tolerance) keep(X, agreeInside(X, goal));
    if (inside && X->missed > tolerance && X->rows.cones) { /* discs do not walk the path: again, from nothing */
        memset(X->lambda, 0, bytes);
        keep(X, agreeInside(X, goal));
    }
    memcpy(X->lambda, X->guess, bytes);
}

bool ukConvexNear(ukConvex *X, double rough)
{
    return agreeInside(X, rough) <= rough;
}

int ukConvexContinue(ukConvex *X, double tolerance, double *residual)
{
    *residual = ukInteriorContinue(&X->interior, &X->rows, tolerance, InteriorPasses, X->lambda);
    return *residual <= tolerance ? ukOk : ukConvexSolve(X, tolerance, 0, residual);
}

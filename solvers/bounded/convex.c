/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/convex.h"

#include "solvers/base/status.h"

#include <math.h>
#include <string.h>

/* Relative proximal terms: small enough that a refinement or two remove it, large enough to factor redundant rows; and
 * one that keeps redundant rows where they are while the set of all others is found. */
static const double fine = 1e-9, coarse = 1e-5;

static const double resting = 1e-6; /* residual of the last step's forces at rest: their set is right */

enum {
    FewRows = 48,   /* of contacts, up to here a dense problem costs less than a pass over a sparse one */
    SetPasses = 12, /* factorizations at most */
    InteriorPasses = 60,
    PolishPasses = 40
};

double ukConvexGoal(double tolerance)
{
    return fmin(1e-12, tolerance);
}

void ukConvexCarve(ukConvex *X, const ukProblem *p, size_t pairs, ukArena *arena)
{
    X->dense = ukComplementSuits(&X->complement, p);
    ukBoundedCarve(&X->rows, p, pairs, arena);
    ukNewtonCarve(&X->newton, p, arena);
    ukInteriorCarve(&X->interior, p, arena);
    if (X->dense) ukComplementCarve(&X->complement, p, arena), ukPathCarve(&X->path, &X->complement, p, arena);
    X->lambda = ukArenaDoubles(arena, (size_t)p->rows);
    X->best = ukArenaDoubles(arena, (size_t)p->rows);
}

static bool finiteForces(const ukBounded *B)
{
    double sum = 0;
    for (int i = 0; i < B->n; i++) sum += 0 * B->a[i];
    for (int i = 0; i < B->m; i++) sum += 0 * (B->p.b[i] + B->softness[i] + B->diagonal[i]);
    return sum == 0;
}

int ukConvexTake(ukConvex *X, const ukProblem *p, ukSparse *sparse)
{
    X->rows.sparse = sparse;
    X->eliminated = false;
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

bool ukConvexEliminate(ukConvex *X)
{
    if (X->dense && !X->eliminated) X->dense = ukComplementSet(&X->complement, &X->rows) == ukOk;
    X->eliminated = X->dense;
    return X->dense;
}

/* Few rows, no discs. Until the next problem is taken over, rows that come by room for the first time are added to those
 * that are in play. */
static void solveDense(ukConvex *X, double goal, double tolerance, double *residual)
{
    if (!ukConvexEliminate(X)) return;
    ukComplementAdd(&X->complement, &X->rows, false);
    *residual = ukPathSolve(&X->path, &X->complement, &X->rows, false, goal, tolerance, X->lambda);
}

int ukConvexPolish(ukConvex *X, bool coupled, double goal, double *residual)
{
    ukBounded *B = &X->rows;
    int status = ukOk;
    for (int k = 0; k < 2 && status == ukOk && *residual > goal; k++) {
        ukBoundedShift(B, k == 0 ? coarse : fine);
        const ukNewtonChoice choice = {true, coupled, goal, PolishPasses};
        status = ukNewtonSolve(&X->newton, B, &choice, X->lambda, residual);
    }
    ukBoundedShift(B, fine);
    return status;
}

/* The interior point from the guess; from nothing, where that leads nowhere. */
static int solveInside(ukConvex *X, ukConvexAim aim, double *residual)
{
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    double best = *residual;
    int status = ukOk;
    memcpy(X->best, X->lambda, bytes);
    for (int k = 0; k < 2 && status == ukOk && best > aim.rough; k++) {
        if (k > 0) memset(X->lambda, 0, bytes);
        *residual = ukInteriorSolve(&X->interior, &X->rows, false, aim.rough, InteriorPasses, X->lambda);
        if (aim.rough == aim.tolerance || *residual > aim.rough)
            status = ukConvexPolish(X, false, ukConvexGoal(aim.tolerance), residual);
        if (*residual < best) best = *residual, memcpy(X->best, X->lambda, bytes);
    }
    memcpy(X->lambda, X->best, bytes);
    *residual = best;
    return status;
}

/* Few rows go to the dense way unless the guess nearly fits, or there is none: of contacts alone every row is then a
 * change of its own. */
int ukConvexSolve(ukConvex *X, ukConvexAim aim, double *residual)
{
    ukBounded *B = &X->rows;
    const double goal = ukConvexGoal(aim.tolerance);
    const ukNewtonChoice set = {false, false, goal, SetPasses};
    const bool few = X->dense && !B->cones;
    ukBoundedProject(B, X->lambda);
    const bool contacts = few && B->m > FewRows && X->complement.joints == 0;
    if (few) *residual = ukBoundedResidualWithin(B, X->lambda, goal, resting);
    if (few && *residual <= goal) return ukOk;
    if (!few || (contacts && (*residual < resting || !ukBoundedLoaded(B, X->lambda)))) {
        const int status = ukNewtonSolve(&X->newton, B, &set, X->lambda, residual);
        if (status != ukOk || *residual <= aim.tolerance) return status;
    }
    if (few) solveDense(X, goal, aim.tolerance, residual);
    if (*residual <= aim.tolerance) return ukOk;
    return solveInside(X, aim, residual);
}

int ukConvexGoOn(ukConvex *X, double tolerance, double *residual)
{
    int status = ukOk;
    *residual = ukInteriorGoOn(&X->interior, &X->rows, tolerance, InteriorPasses, X->lambda);
    if (*residual > tolerance) status = ukConvexPolish(X, false, tolerance, residual);
    if (status != ukOk || *residual <= tolerance) return status;
    return ukConvexSolve(X, (ukConvexAim){tolerance, tolerance}, residual);
}

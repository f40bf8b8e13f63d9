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
    FewRows = 48,     /* up to here a dense problem costs less than a pass over a sparse one */
    QuickPasses = 12, /* factorizations at most */
    InteriorPasses = 60,
    PolishPasses = 40
};

double ukConvexGoal(double tolerance)
{
    return fmin(1e-12, tolerance);
}

void ukConvexCarve(ukConvex *X, const ukProblem *p, size_t pairs, ukArena *arena)
{
    ukBoundedCarve(&X->rows, p, pairs, arena);
    ukNewtonCarve(&X->newton, p, arena);
    ukInteriorCarve(&X->interior, p, arena);
    if (X->dense) ukComplementCarve(&X->complement, p, arena);
    X->lambda = ukArenaDoubles(arena, (size_t)p->rows);
    X->quick = ukArenaDoubles(arena, (size_t)p->rows);
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

ukNewtonStart ukConvexGuess(ukConvex *X, const double *known)
{
    const ukBounded *B = &X->rows;
    ukNewtonStart start = ukNewtonCold;
    for (int i = 0; i < B->m; i++) {
        double lambda = known && isfinite(known[i]) ? known[i] : 0;
        if (B->cones) lambda /= ukBoundedUnit(B, i);
        if (lambda != 0) start = ukNewtonWarm;
        X->lambda[i] = lambda;
    }
    return start;
}

bool ukConvexEliminate(ukConvex *X)
{
    if (X->dense && !X->eliminated) X->dense = ukComplementSet(&X->complement, &X->rows) == ukOk;
    X->eliminated = X->dense;
    return X->dense;
}

/* Few rows, no discs; false: nothing came of it. Until the next problem is taken over, rows that come by room for the
 * first time are added to those that are in play. */
static bool solveDense(ukConvex *X, double goal, double tolerance, double *residual)
{
    if (X->rows.cones || !ukConvexEliminate(X)) return false;
    ukComplementAdd(&X->complement, &X->rows, false);
    *residual = ukComplementSolve(&X->complement, &X->rows, goal, tolerance, X->lambda);
    return *residual <= tolerance;
}

int ukConvexPolish(ukConvex *X, bool coupled, double goal, double *residual)
{
    ukBounded *B = &X->rows;
    int status = ukOk;
    for (int k = 0; k < 2 && status == ukOk && *residual > goal; k++) {
        ukBoundedShift(B, k == 0 ? coarse : fine);
        const ukNewtonChoice choice = {ukNewtonNatural, coupled, goal, PolishPasses};
        status = ukNewtonSolve(&X->newton, B, &choice, X->lambda, residual);
    }
    ukBoundedShift(B, fine);
    return status;
}

/* Few rows go to the dense way unless the guess nearly fits, or there is none: of contacts alone every row is then a
 * change of its own. A guess whose set changes in many rows at once goes to the
 * interior point, which ends after three or four passes where the forces are nearly right and only the directions that
 * hardly matter are not (measured: a pile at rest). */
int ukConvexSolve(ukConvex *X, ukNewtonStart start, ukConvexAim aim, double *residual)
{
    ukBounded *B = &X->rows;
    const double tolerance = aim.tolerance, goal = ukConvexGoal(tolerance);
    const size_t bytes = (size_t)B->m * sizeof *X->lambda;
    ukBoundedProject(B, X->lambda);
    const bool few = X->dense && !B->cones, cold = start == ukNewtonCold && X->complement.joints == 0;
    if (few) *residual = ukBoundedResidualWithin(B, X->lambda, goal, resting);
    if (few && *residual <= goal) return ukOk;
    if (!few || (B->m > FewRows && (cold || *residual < resting))) {
        const ukNewtonChoice choice = {start == ukNewtonWarm ? ukNewtonProbe : start, false, goal, QuickPasses};
        const int status = ukNewtonSolve(&X->newton, B, &choice, X->lambda, residual);
        if (status != ukOk || *residual <= tolerance) return status;
    }
    double best = *residual;
    int status = ukOk;
    memcpy(X->quick, X->lambda, bytes);
    if (solveDense(X, goal, tolerance, residual)) return ukOk;
    for (int k = 0; k < 2 && status == ukOk && best > aim.rough; k++) { /* from the guess; then from nothing */
        if (k > 0) memset(X->lambda, 0, bytes);
        *residual = ukInteriorSolve(&X->interior, B, false, aim.rough, InteriorPasses, X->lambda);
        if (aim.rough == tolerance || *residual > aim.rough) status = ukConvexPolish(X, false, goal, residual);
        if (*residual < best) best = *residual, memcpy(X->quick, X->lambda, bytes);
    }
    memcpy(X->lambda, X->quick, bytes);
    *residual = best;
    return status;
}

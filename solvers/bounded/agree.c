/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/agree.h"

#include "solvers/base/status.h"

#include <math.h>
#include <string.h>

enum {
    SetPasses = 6, /* factorizations of the Newton method at most */
    PathRows = 96, /* rows in play up to which the path costs less than what else there is */
    InteriorRows = 250,
    InteriorPasses = 60
};

void ukAgreeCarve(ukAgree *G, const ukProblem *p, ukArena *arena)
{
    G->guess = ukArenaDoubles(arena, (size_t)p->rows);
    G->best = ukArenaDoubles(arena, (size_t)p->rows);
}

void ukAgreeBegin(ukAgree *G)
{
    G->residual = INFINITY;
}

static void keep(ukAgree *G, const ukConvex *X, double residual)
{
    if (!(residual < G->residual)) return;
    G->residual = residual;
    memcpy(G->best, X->lambda, (size_t)X->rows.m * sizeof *G->best);
}

static void freeze(ukConvex *X)
{
    ukBoundedFreeze(&X->rows, X->lambda);
    ukBoundedProject(&X->rows, X->lambda);
}

void ukAgreeJudge(ukAgree *G, ukConvex *X)
{
    freeze(X);
    keep(G, X, ukBoundedResidual(&X->rows, X->lambda));
}

/* The law on the set of X->lambda; `first`: of the solution in bounds of its normal forces, which is nearer. */
static int newton(ukAgree *G, ukConvex *X, bool first, double goal)
{
    double now;
    freeze(X);
    if (first) {
        const ukNewtonChoice frozen = {false, false, goal, SetPasses};
        const int status = ukNewtonSolve(&X->newton, &X->rows, &frozen, X->lambda, &now);
        if (status != ukOk || !(now <= goal)) return status;
        ukBoundedFreeze(&X->rows, X->lambda);
        keep(G, X, ukBoundedResidual(&X->rows, X->lambda));
        if (G->residual <= goal) return ukOk;
    }
    const ukNewtonChoice following = {true, true, goal, SetPasses};
    const int status = ukNewtonSolve(&X->newton, &X->rows, &following, X->lambda, &now);
    keep(G, X, now);
    return status;
}

/* Along the path on the dense complement, from X->lambda. */
static void walk(ukAgree *G, ukConvex *X, double goal)
{
    ukBounded *B = &X->rows;
    ukBoundedEvaluate(B, X->lambda);
    if (!ukConvexEliminate(X)) return;
    ukComplementAdd(&X->complement, B, true);
    if (X->complement.rows > PathRows) return;
    keep(G, X, ukPathSolve(&X->path, &X->complement, B, true, goal, goal, X->lambda));
}

/* the interior point in bounds that move along, from X->lambda; returns the residual */
static double near(ukConvex *X, double rough)
{
    freeze(X);
    return ukInteriorSolve(&X->interior, &X->rows, true, rough, InteriorPasses, X->lambda);
}

static int interior(ukAgree *G, ukConvex *X, double goal)
{
    double now = near(X, goal);
    keep(G, X, now);
    const int status = ukConvexPolish(X, true, goal, &now);
    keep(G, X, now);
    return status;
}

int ukAgreeSearch(ukAgree *G, ukConvex *X, double tolerance)
{
    const double goal = ukConvexGoal(tolerance);
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    int status = ukOk;
    memcpy(G->guess, X->lambda, bytes);
    ukAgreeJudge(G, X);
    if (G->residual > goal && X->dense && !X->rows.cones) walk(G, X, goal);
    memcpy(X->lambda, G->guess, bytes);
    if (G->residual > tolerance) status = newton(G, X, !X->dense, goal);
    memcpy(X->lambda, G->guess, bytes);
    if (status == ukOk && G->residual > tolerance && X->rows.m <= InteriorRows) status = interior(G, X, goal);
    memcpy(X->lambda, G->guess, bytes);
    return status;
}

double ukAgreeNear(ukConvex *X, double rough)
{
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    const double first = near(X, rough);
    if (first <= rough || !X->rows.cones || X->rows.m > InteriorRows) return first;
    /* discs do not walk the path: again, from nothing. What does not get there hangs on rounding, and a scene that is its
     * own mirror image would not stay so. */
    memcpy(X->best, X->lambda, bytes);
    memset(X->lambda, 0, bytes);
    const double second = near(X, rough);
    if (second <= rough) return second;
    memcpy(X->lambda, X->best, bytes);
    freeze(X);
    return first;
}

int ukAgreeSettle(ukAgree *G, ukConvex *X, double tolerance)
{
    memcpy(G->guess, X->lambda, (size_t)X->rows.m * sizeof *G->guess);
    const int status = newton(G, X, false, ukConvexGoal(tolerance));
    memcpy(X->lambda, G->guess, (size_t)X->rows.m * sizeof *G->guess);
    return status;
}

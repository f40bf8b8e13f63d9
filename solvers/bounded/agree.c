/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/agree.h"

#include "solvers/base/status.h"

#include <math.h>
#include <string.h>

enum {
    SetPasses = 6,  /* factorizations of the Newton method at most */
    PathRows = 96,  /* rows in play up to which the path costs less than what else there is; */
    LooseRows = 32, /* from nothing, of discs or where there are no joints */
    Attempts = 2,
    Turns = 3, /* of the frames of discs; more bring little: what they do not settle circles */
    InteriorRows = 250,
    InteriorPasses = 60
};

void ukAgreeCarve(ukAgree *G, const ukConvex *X, const ukProblem *p, ukArena *arena)
{
    if (X->dense) ukCoupledCarve(&G->path, &X->complement, arena);
    G->guess = ukArenaDoubles(arena, (size_t)p->rows);
    G->end = ukArenaDoubles(arena, (size_t)p->rows);
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
        const ukNewtonChoice frozen = {ukNewtonWarm, false, goal, SetPasses};
        const int status = ukNewtonSolve(&X->newton, &X->rows, &frozen, X->lambda, &now);
        if (status != ukOk || !(now <= goal)) return status;
        ukBoundedFreeze(&X->rows, X->lambda);
        keep(G, X, ukBoundedResidual(&X->rows, X->lambda));
        if (G->residual <= goal) return ukOk;
    }
    const ukNewtonChoice following = {ukNewtonNatural, true, goal, SetPasses};
    const int status = ukNewtonSolve(&X->newton, &X->rows, &following, X->lambda, &now);
    keep(G, X, now);
    return status;
}

/* Along the path on the dense complement from X->lambda, of which w was evaluated; G->end: where it ended. A disc is a
 * box whose frame is along its force, and what that leaves across, the Newton method makes good. */
static int walk(ukAgree *G, ukConvex *X, int attempt, int most, double goal)
{
    enum { Corrections = 2 };
    ukBounded *B = &X->rows;
    if (B->cones) X->eliminated = false, ukBoundedAim(B, X->lambda);
    memcpy(G->end, X->lambda, (size_t)B->m * sizeof *G->end);
    if (!ukConvexEliminate(X)) return ukOk;
    ukComplementAdd(&X->complement, B, true);
    if (X->complement.rows > most) return ukOk;
    ukBoundedTurn(B, B->w), ukBoundedTurn(B, X->lambda);
    B->evaluated = !B->cones;
    const bool ended = ukCoupledWalk(&G->path, &X->complement, B, attempt, X->lambda);
    ukBoundedTurn(B, X->lambda);
    memcpy(G->end, X->lambda, (size_t)B->m * sizeof *G->end);
    if (!ended) return ukOk;
    if (B->cones) return newton(G, X, false, goal);
    for (int k = 0; k < Corrections; k++) {
        ukBoundedEvaluate(B, X->lambda);
        ukCoupledCorrect(&G->path, &X->complement, B, X->lambda);
    }
    keep(G, X, ukBoundedResidual(B, X->lambda));
    return ukOk;
}

/* Few rows: from the guess, and where the path turns back, from nothing. Measured: that ends in all steps of ragdolls and
 * snakes in which the first does not; in heaps without joints it is worth it for fewer rows. */
static int walks(ukAgree *G, ukConvex *X, ukNewtonStart start, double goal, double tolerance)
{
    ukBounded *B = &X->rows;
    const size_t bytes = (size_t)B->m * sizeof *X->lambda;
    const int turns = B->cones ? Turns : 1;
    int status = ukOk;
    for (int k = 0; k < Attempts && X->dense; k++) {
        const bool warm = k == 0 && start == ukNewtonWarm;
        for (int turn = 0; turn < turns && G->residual > tolerance && status == ukOk; turn++) {
            if (turn > 0) memcpy(X->lambda, G->end, bytes);
            freeze(X);
            ukBoundedEvaluate(B, X->lambda);
            status = walk(G, X, k, warm || (X->complement.joints > 0 && !B->cones) ? PathRows : LooseRows, goal);
        }
        memset(X->lambda, 0, bytes);
    }
    memcpy(X->lambda, G->guess, bytes);
    return status;
}

static int interior(ukAgree *G, ukConvex *X, double goal)
{
    freeze(X);
    double now = ukInteriorSolve(&X->interior, &X->rows, true, goal, InteriorPasses, X->lambda);
    keep(G, X, now);
    const int status = ukConvexPolish(X, true, goal, &now);
    keep(G, X, now);
    return status;
}

int ukAgreeSearch(ukAgree *G, ukConvex *X, ukNewtonStart start, double tolerance)
{
    const double goal = ukConvexGoal(tolerance);
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    int status = ukOk;
    memcpy(G->guess, X->lambda, bytes);
    ukAgreeJudge(G, X);
    if (G->residual > goal) status = walks(G, X, start, goal, tolerance);
    if (status == ukOk && G->residual > tolerance && start == ukNewtonWarm) status = newton(G, X, !X->dense, goal);
    memcpy(X->lambda, G->guess, bytes);
    if (status == ukOk && G->residual > tolerance && X->rows.m <= InteriorRows) status = interior(G, X, goal);
    memcpy(X->lambda, G->guess, bytes);
    return status;
}

int ukAgreeSettle(ukAgree *G, ukConvex *X, double tolerance)
{
    memcpy(G->guess, X->lambda, (size_t)X->rows.m * sizeof *G->guess);
    const int status = newton(G, X, false, ukConvexGoal(tolerance));
    memcpy(X->lambda, G->guess, (size_t)X->rows.m * sizeof *G->guess);
    return status;
}

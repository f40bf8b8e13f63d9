/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/convex.h"

#include "solvers/base/status.h"
#include "solvers/bounded/sweep.h"

#include <math.h>
#include <string.h>

/* Constants. *Measured* with the scenes of solvers/README.md: passes, unless stated otherwise, relative to those with
 * the values here. */

/* Proximal term relative to K_ii: small enough for one or two refinements to remove it, large enough to factorize
 * redundant rows. 1e-8 takes 1.41, 1.69 and 1.17 (coupled box, cone, two-phase); 1e-9 as many, but two to three times
 * as many on a tracked vehicle, whose closed loops have rows that are dependent up to their drift; 1e-12 as many, 1.09
 * on that vehicle. The coarse one (1e-4 and 1e-6 take 1.00; a pyramid of 20 in bench/gate 0.96 and 0.83) comes first
 * after an interior point, so that redundant rows stay where they are while the active set of the others is found;
 * without it a pyramid of 10 takes 1.08 (two-phase, 80 steps: 1.04 of the instructions) and 0.95 (cone), all others
 * 1.00. */
static const double fine = 1e-10, coarse = 1e-5;

/* Fraction of the tolerance at which the interior point ends: the Newton method after it then starts on the right
 * active set. 0.01 takes 1.00; 1 takes 1.00, 0.98 and 1.00, and a pyramid of 20 in bench/gate 0.92. */
static const double spare = 0.1;

/* If all rows are of contacts: residual of the warm start below which the Newton method comes before the homotopy. 1e-4
 * and 1e-8 take 1.01 and 1.00 under the two-phase law. */
static const double resting = 1e-6;

/* Problems with at most FewRows rows, all of contacts, go to the homotopy before the interior point. *Measured:* with
 * 0, the two-phase law takes 1.06 times the passes, with 96 as many. */
enum { FewRows = 48 };

/* Working set up to which the coupled homotopy is tried, and the same with joints. In instructions: with 128, a stack
 * of 10 takes 3.4 times as many and a pile of 40 0.97; with 192, 3.4 and 1.25. With 96 where there are joints, snakes
 * of 9 and 18 take 1.2 and 1.4 of the passes. */
enum { PathRows = 96, JointedRows = 256 };

/* Rows up to which the coupled interior point is tried. 120 takes 0.85 (box) and 0.98 (cone), but misses the law in 76
 * and 80 steps more of 830; 500 takes 1.13 and 1.03, for 7 and 23 steps less. */
enum { InsideRows = 250 };

/* Most factorizations of the Newton method from a guess (6: 1.00, but 1.14 for a pyramid under the cone; 24: 1.01), of
 * an interior point (30: 0.96 and 0.93, with 16 and 24 more steps that miss the law; 120: 1.08 and 1.11, with 2 and 3
 * fewer), and of the Newton method after it (10 takes as many: it is never reached). */
enum { NewtonPasses = 12, InteriorPasses = 60, PolishPasses = 40 };

/* Sweeps that end a solve whose passes are limited and exhausted. The scenes here are pyramids of 8 and 10 rows (60 and
 * 40 steps) under limits of 2 and 8 passes and the three laws. Their mean residual falls about as the inverse of the
 * sweeps: with 0, 5, 20, 40 and 100 it is 39, 1.8, 0.56, 0.26 and 0.12 times as large (piles of 40: 41, 2.4, 0.45, 0.19
 * and 0.06). The fastest box of the pyramids, which should rest, moves at 5.9, 0.31, 0.19, 0.18 and 0.14 m/s, with 10
 * at 0.20. Instructions (pyramid of 10, two-phase, 8 passes): 0.90, 0.95, 1.16 and 1.47 with 0, 5, 20 and 40. */
enum { Sweeps = 10 };

/* Residual that the active-set methods aim at, or the tolerance where it is less: on the right set it costs no more.
 * *Measured:* 1e-10 takes 0.92, 0.93 and 0.99 of the passes (coupled box, cone, two-phase), but 1.09 on a stack of 10
 * under the cone, and 8 steps more miss its law; 1e-13 takes 1.01 to 1.13. */
static double innerTolerance(double tolerance)
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
    double **rows[] = {&X->lambda, &X->judged, &X->guess, &X->coupled};
    ukBoundedCarve(&X->rows, p, ukBoundedPairs(p), arena);
    ukNewtonCarve(&X->newton, p, arena);
    ukInteriorCarve(&X->interior, p, arena);
    if (X->dense) ukComplementCarve(&X->complement, p, arena), ukPathCarve(&X->path, &X->complement, p, arena);
    for (int k = 0; k < 4; k++) *rows[k] = ukArenaDoubles(arena, (size_t)p->rows);
}

static bool hasFiniteForces(const ukBounded *B)
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
    return hasFiniteForces(&X->rows) ? ukOk : ukErrorNotFinite;
}

void ukConvexGuess(ukConvex *X, const double *known)
{
    const ukBounded *B = &X->rows;
    for (int i = 0; i < B->m; i++) {
        X->lambda[i] = known && isfinite(known[i]) ? known[i] : 0;
        if (B->cones) X->lambda[i] /= ukBoundedUnit(B, i);
    }
}

/* Whether the problem is small; its equality rows are then eliminated. */
static bool eliminateJoints(ukConvex *X)
{
    if (X->dense && !X->eliminated) {
        X->dense = ukComplementSet(&X->complement, &X->rows) == ukOk;
        ukPathBegin(&X->path);
    }
    X->eliminated = X->dense;
    return X->dense;
}

/* The homotopy on the dense complement, no discs. Rows join the working set when their bounds first let them move, and
 * stay there until ukConvexTake. */
static void solveByHomotopy(ukConvex *X, double goal, double *residual)
{
    if (!eliminateJoints(X)) return;
    ukComplementAdd(&X->complement, &X->rows, false, X->lambda);
    *residual = ukPathSolve(&X->path, &X->complement, &X->rows, false, goal, X->lambda);
}

/* Interior point from lambda, then the Newton method from its solution, with the coarse proximal term first. */
static int solveByInteriorPoint(ukConvex *X, double tolerance, double rough, double *residual)
{
    const bool roughly = rough > tolerance;
    const double enough = roughly ? rough : spare * tolerance, shift[] = {coarse, fine};
    const ukNewtonChoice choice = {true, innerTolerance(tolerance), PolishPasses};
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

/* Small problems are solved by the homotopy. If all rows are of contacts, the Newton method comes first if the guess
 * nearly fits, or if there is none: from zero every row would be a change of the active set. */
static int solveConvex(ukConvex *X, double tolerance, double rough, double *residual)
{
    ukBounded *B = &X->rows;
    const double goal = innerTolerance(tolerance);
    const ukNewtonChoice warm = {false, goal, NewtonPasses};
    const bool few = X->dense && !B->cones;
    const bool contacts = few && B->m > FewRows && X->complement.joints == 0;
    const bool begun = few && X->eliminated && X->complement.based;
    *residual = few && (contacts || !begun) ? ukBoundedResidualWithin(B, X->lambda, goal, resting) : INFINITY;
    if (*residual <= goal) return ukOk;
    if (!few || (contacts && (*residual < resting || !ukBoundedLoaded(B, X->lambda)))) {
        const int status = ukNewtonSolve(&X->newton, B, &warm, X->lambda, residual);
        if (status != ukOk || *residual <= tolerance) return status;
    }
    if (few) solveByHomotopy(X, goal, residual);
    if (*residual <= tolerance) return ukOk;
    return solveByInteriorPoint(X, tolerance, rough, residual);
}

int ukConvexSolve(ukConvex *X, double tolerance, double rough, double *residual)
{
    ukBounded *B = &X->rows;
    ukBoundedProject(B, X->lambda);
    if (B->most_passes == 0) return solveConvex(X, tolerance, rough, residual);
    memcpy(X->judged, X->lambda, (size_t)B->m * sizeof *X->lambda);
    const int status = solveConvex(X, tolerance, rough, residual);
    if (status == ukOk && *residual > tolerance && ukPassesLeft(B, 1) == 0)
        *residual = ukSweepSolve(B, Sweeps, X->judged, X->lambda);
    return status;
}

/* ---- coupled friction bounds ------------------------------------------------------------------------------------- */

static void keepNearestToLaw(ukConvex *X, double missed)
{
    if (!(missed < X->missed)) return;
    X->missed = missed;
    memcpy(X->coupled, X->lambda, (size_t)X->rows.m * sizeof *X->coupled);
}

static void freezeBounds(ukConvex *X)
{
    ukBoundedFreeze(&X->rows, X->lambda);
    ukBoundedProject(&X->rows, X->lambda);
}

void ukConvexMeasureCoupling(ukConvex *X)
{
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    memcpy(X->judged, X->lambda, bytes);
    freezeBounds(X);
    keepNearestToLaw(X, ukBoundedResidual(&X->rows, X->lambda));
    memcpy(X->lambda, X->judged, bytes);
}

/* By the homotopy on the dense complement, where the working set is small enough. */
static void coupleByHomotopy(ukConvex *X, double goal)
{
    if (X->rows.cones || !eliminateJoints(X)) return;
    const int most = X->complement.joints > 0 ? JointedRows : PathRows;
    if (ukComplementCount(&X->complement, &X->rows, true, X->lambda) > most) return;
    ukComplementAdd(&X->complement, &X->rows, true, X->lambda);
    keepNearestToLaw(X, ukPathSolve(&X->path, &X->complement, &X->rows, true, goal, X->lambda));
}

/* By the interior point; returns the residual by the law. */
static double coupleByInteriorPoint(ukConvex *X, double rough)
{
    freezeBounds(X);
    return ukInteriorSolve(&X->interior, &X->rows, true, rough, InteriorPasses, X->lambda);
}

void ukConvexSolveCoupled(ukConvex *X, double tolerance)
{
    const double goal = innerTolerance(tolerance);
    const size_t bytes = (size_t)X->rows.m * sizeof *X->lambda;
    const bool inside = X->rows.m <= InsideRows;
    memcpy(X->guess, X->lambda, bytes);
    coupleByHomotopy(X, goal);
    memcpy(X->lambda, X->guess, bytes);
    if (inside && X->missed > tolerance) keepNearestToLaw(X, coupleByInteriorPoint(X, goal));
    if (inside && X->missed > tolerance && X->rows.cones) { /* discs have no homotopy: repeated from zero */
        memset(X->lambda, 0, bytes);
        keepNearestToLaw(X, coupleByInteriorPoint(X, goal));
    }
    memcpy(X->lambda, X->guess, bytes);
}

bool ukConvexSolveRoughlyCoupled(ukConvex *X, double rough)
{
    return coupleByInteriorPoint(X, rough) <= rough;
}

int ukConvexContinue(ukConvex *X, double tolerance, double *residual)
{
    *residual = ukInteriorContinue(&X->interior, &X->rows, tolerance, InteriorPasses, X->lambda);
    return *residual <= tolerance ? ukOk : ukConvexSolve(X, tolerance, 0, residual);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/convex.h: one problem of bounded rows (solvers/bounded/bounded.h), and the three ways to its solution:
 *
 *   the last step's set    a semismooth Newton method from the guess (newton.h): no pass or two where little moved;
 *   few rows               the joints eliminated, a parametric active set on the dense rest (complement.h, path.h);
 *   all others             an interior point (interior.h), and the Newton method from where it ends.
 *
 * In frozen bounds, those in force, the problem is convex, and the natural residual certifies a solution, whoever found
 * it. Path and interior point can also look for friction whose bounds agree with the normal forces of the same solution:
 * that is no convex problem, there may be several solutions, or rows on the way that no method gets past, and only
 * islands that afford it look for it. */
#ifndef UKODE_SOLVERS_BOUNDED_CONVEX_H
#define UKODE_SOLVERS_BOUNDED_CONVEX_H

#include "solvers/bounded/interior.h"
#include "solvers/bounded/newton.h"
#include "solvers/bounded/path.h"

typedef struct ukConvex {
    ukBounded rows;
    ukNewton newton;
    ukInterior interior;
    ukComplement complement;
    ukPath path;
    bool dense, eliminated; /* few rows bounded; their joints are eliminated */
    double *lambda;         /* (m) the guess, then the solution */
    double *judged, *guess; /* (m) what is put back behind a judgement, behind a search for bounds that agree */
    double *law;            /* (m) what came nearest to bounds that agree, */
    double missed;          /* and its residual by them */
} ukConvex;

/* What the sizes of the arrays for p depend on. */
enum { ukConvexSizes = 6 };
void ukConvexMeasure(ukConvex *X, const ukProblem *p, size_t sizes[ukConvexSizes]);
/* Carves the arrays for p, which was measured. */
void ukConvexCarve(ukConvex *X, const ukProblem *p, ukArena *arena);
/* Takes p over, to be factored by `kkt`; friction has no room yet. ukOk, ukErrorNotFinite. */
int ukConvexTake(ukConvex *X, const ukProblem *p, ukKkt *kkt);
/* X->lambda from a guess of the caller's rows, which may be anything, or NULL. */
void ukConvexGuess(ukConvex *X, const double *known);

/* From X->lambda to the solution for the bounds in force, and its residual. Where it takes an interior point and only
 * bounds of another round come of it, a residual of `rough` will do. ukOk, also where the residual stays above the
 * tolerance; else a status of ukKktFactorize. */
int ukConvexSolve(ukConvex *X, double tolerance, double rough, double *residual);

/* Judges X->lambda by bounds of its own normal forces; the best stays in X->law. */
void ukConvexJudge(ukConvex *X);
/* Bounds that agree, from X->lambda, which stays as it is, by what the island affords: the path; an interior point in
 * bounds that move along. X->missed <= tolerance: X->law is the solution. */
void ukConvexAgree(ukConvex *X, double tolerance);
/* An interior point from X->lambda, in an island of any size, to bounds that agree but for `rough`, which it reaches far
 * more often than a small residual. Bounds are then those of X->lambda. Whether it got there. */
bool ukConvexNear(ukConvex *X, double rough);
/* From there, X->lambda as it was left, to the solution in those bounds, which are frozen now; else as ukConvexSolve. */
int ukConvexContinue(ukConvex *X, double tolerance, double *residual);

#endif

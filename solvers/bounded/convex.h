/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/convex.h: one problem of bounded rows (solvers/bounded/bounded.h), by one of three methods:
 *
 *   warm start        a semismooth Newton method from the last active set (newton.h): no factorization, or two, where
 *                     little changed;
 *   small problems    equality rows eliminated, a homotopy (parametric active set) on the dense Schur complement
 *                     (complement.h, path.h);
 *   all others        an interior point (interior.h), and the Newton method from its solution.
 *
 * In frozen friction bounds the problem is convex, and the natural residual certifies a solution of any method.
 * Homotopy and interior point also solve the coupled problem, in which the friction bounds are those of the normal
 * forces of the same solution: it is not convex, may have several solutions or none that these methods reach, and is
 * tried only in islands that are small enough. */
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
    bool dense, eliminated; /* a small problem; its equality rows are eliminated */
    double *lambda;         /* (m) the guess, then the solution */
    double *judged, *guess; /* (m) lambda before a measurement, and before a coupled solve */
    double *coupled;        /* (m) the multipliers with the least residual by the coupled law, */
    double missed;          /* and that residual */
} ukConvex;

/* numbers that the sizes of the arrays depend on */
enum { ukConvexSizes = 6 };
void ukConvexMeasure(ukConvex *X, const ukProblem *p, size_t sizes[ukConvexSizes]);
/* Carves the arrays for p, which was measured. */
void ukConvexCarve(ukConvex *X, const ukProblem *p, ukArena *arena);
/* Copies p, to be factorized by `kkt`; friction is fixed at zero. ukOk, ukErrorNotFinite. */
int ukConvexTake(ukConvex *X, const ukProblem *p, ukKkt *kkt);
/* X->lambda from an initial guess (rows), finite or not, or NULL: zero. */
void ukConvexGuess(ukConvex *X, const double *known);

/* Solves from X->lambda within the present bounds; *residual: natural residual. If an interior point is needed and the
 * solution only serves for the next friction bounds, a residual of `rough` suffices (0: it does not). ukOk, also if the
 * residual stays above the tolerance; else a status of ukKktFactorize. */
int ukConvexSolve(ukConvex *X, double tolerance, double rough, double *residual);

/* Computes the residual of X->lambda with the friction bounds of its own normal forces; the best so far is kept in
 * X->coupled, X->missed. */
void ukConvexMeasureCoupling(ukConvex *X);
/* Solves the coupled problem from X->lambda, which stays unchanged, by homotopy and interior point if the island is
 * small enough. X->missed <= tolerance: X->coupled is the solution. */
void ukConvexSolveCoupled(ukConvex *X, double tolerance);
/* Solves the coupled problem by an interior point, in an island of any size, to the residual `rough`, which is reached
 * far more often than a small one. The bounds are then those of X->lambda. Returns whether the residual was reached. */
bool ukConvexSolveRoughlyCoupled(ukConvex *X, double rough);
/* Continues from that solve, with X->lambda and the interior point's state unchanged, to the solution within its
 * bounds, which are now frozen; if that fails, as ukConvexSolve. */
int ukConvexContinue(ukConvex *X, double tolerance, double *residual);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/convex.h: one convex problem of bounded rows (solvers/bounded/bounded.h), with the bounds in force
 * there, and the three ways to its solution:
 *
 *   the last step's set    a semismooth Newton method from the guess (newton.h): no pass or two where little moved;
 *   few rows               the joints eliminated, a parametric active set on the dense rest (complement.h, path.h);
 *   all others             an interior point (interior.h), and the Newton method from where it ends.
 *
 * The certificate is the natural residual, whoever found the solution. */
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
    double *best;           /* (m) of two tries, what came nearest */
} ukConvex;

/* what cheap stages go for, whatever the tolerance */
double ukConvexGoal(double tolerance);

/* Carves the arrays for p (`pairs`: ukBoundedPairs). */
void ukConvexCarve(ukConvex *X, const ukProblem *p, size_t pairs, ukArena *arena);
/* Takes p over, to be factored by `sparse`; friction has no room yet. ukOk, ukErrorNotFinite. */
int ukConvexTake(ukConvex *X, const ukProblem *p, ukSparse *sparse);
/* X->lambda from a guess of the caller's rows, which may be anything, or NULL. */
void ukConvexGuess(ukConvex *X, const double *known);
/* Whether rows are few; then the joints are eliminated. */
bool ukConvexEliminate(ukConvex *X);
/* How good the solution is to be: its natural residual; and where that is enough for an interior point, at least as
 * large, since only bounds of another round come of it. */
typedef struct ukConvexAim {
    double tolerance, rough;
} ukConvexAim;

/* From X->lambda to the solution for the bounds in force, and its residual. ukOk, also where the residual stays above
 * the aim; else a status of ukSparseFactor. */
int ukConvexSolve(ukConvex *X, ukConvexAim aim, double *residual);
/* The same from where an interior point just met its aim, to the tolerance, in the bounds in force now. */
int ukConvexGoOn(ukConvex *X, double tolerance, double *residual);
/* The Newton method from where an interior point ended. coupled: as in newton.h. *residual in: of X->lambda. */
int ukConvexPolish(ukConvex *X, bool coupled, double goal, double *residual);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/friction_law.h: the friction laws, each made of convex problems (solvers/bounded/convex.h).
 *
 * Bounded rows without friction are Gauss's principle with inequalities (Kalaba & Udwadia 1994, item 8 of the
 * conclusions): the same Gaussian, minimised with lo <= lambda <= hi complementary to the row residual  w = A qdd +
 * softness lambda - b,
 *      lambda = lo: w >= 0,    lambda = hi: w <= 0,    between: w = 0,
 * one convex problem with one acceleration. Friction is bounded by mu times a normal force, which is not known before
 * the problem is solved. Every friction law solves with constant friction bounds, and takes new bounds from the normal
 * forces of the solution: a fixed-point iteration.
 *
 *   two-phase   dWorldStep's: two problems, the first with friction fixed at zero; normal forces are not updated again.
 *   coupled     QuickStep's: bounds mu |lambda_n| with lambda_n of the same solution; a box per row.
 *   elliptic    as coupled; the rows marked in p->cone share one cone, |lambda_t / mu| <= lambda_n.
 *
 * In islands that are small enough, the last two are solved by methods for the coupled problem
 * (solvers/bounded/convex.h). In others a number of fixed-point iterations is taken: near rest from the friction bounds
 * that the steps before carry to this one, which become consistent after a few steps; in motion from a rough solution
 * of the coupled problem. s->coupling is then the coupling error, and the result is the minimum of the Gaussian, to the
 * tolerance, in the friction bounds that are returned. docs/theory.md has the sequences of methods on one page. */
#ifndef UKODE_SOLVERS_BOUNDED_FRICTION_LAW_H
#define UKODE_SOLVERS_BOUNDED_FRICTION_LAW_H

#include "solvers/equality/equality.h"
#include "solvers/kkt/kkt.h"
#include "solvers/problem/problem.h"

typedef enum ukFrictionLaw { ukFrictionTwoPhase, ukFrictionCoupled, ukFrictionElliptic } ukFrictionLaw;

enum { ukFewestRounds = 2, ukUsualRounds = 5, ukMostRounds = 100 };

typedef struct ukFrictionSolver ukFrictionSolver; /* owns its scratch and factorizations; grows, never shrinks */

ukFrictionSolver *ukFrictionSolverCreate(void);
void ukFrictionSolverDestroy(ukFrictionSolver *solver);

/* Factorizes the problems; its plan is kept from step to step. */
ukKkt *ukFrictionSolverKkt(ukFrictionSolver *solver);
/* The same, for problems without bounds. */
ukEquality *ukFrictionSolverEquality(ukFrictionSolver *solver);

typedef struct ukFrictionChoice {
    ukFrictionLaw law;
    int iterations;   /* largest number of fixed-point iterations of the coupled laws; ukFewestRounds ... */
    int most_passes;  /* most factorizations, of bounded rows; when they are exhausted, the best iterate is the result;
                       * 0: any number */
    double tolerance; /* for the natural residual, of convex and coupled problems */
    double rank_tolerance; /* for problems without bounds */
} ukFrictionChoice;

/* Solves p. `lambda0` (rows; NULL: none) is a warm start, the last step's multipliers matched by the caller.
 * s->residual is the natural residual within the bounds s->lo, s->hi, scaled; s->coupling the coupling error, by which
 * the friction law itself is violated; s->pivots counts changes of the active set, s->passes factorizations. A problem
 * without bounds goes straight to ukEqualitySolve. ukOk also if the residual stays above the tolerance (the caller
 * reads it); negative only where no finite solution exists at all (ukErrorMass, ukErrorMemory, ukErrorNotFinite). */
int ukFrictionSolve(ukFrictionSolver *solver, const ukProblem *p, const ukFrictionChoice *choice, const double *lambda0,
                    ukSolution *s);

#endif

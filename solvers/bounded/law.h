/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/law.h: the laws of friction, each made of convex problems (solvers/bounded/convex.h).
 *
 * Bounded rows without friction are Gauss's principle with inequalities (Kalaba & Udwadia 1994, item 8 of the
 * conclusions): the same Gaussian, minimised with lo <= lambda <= hi complementary to the row residual  w = A qdd + softness lambda - b,
 *      lambda = lo: w >= 0,    lambda = hi: w <= 0,    between: w = 0,
 * one convex problem with one acceleration. Friction is bounded by mu times a normal force, which is not known before
 * the problem is solved. Every law freezes the bounds, solves, and looks at the normal forces: a round.
 *
 *   two-phase   dWorldStep's: two rounds, the first without friction, and no look back.
 *   coupled     QuickStep's: bounds mu |lambda_n| with lambda_n of the same solution; a box per row.
 *   elliptic    as coupled; the rows marked in p->cone share one cone, |lambda_t / mu| <= lambda_n.
 *
 * The last two are looked for by methods of their own where an island affords it (solvers/bounded/convex.h). Elsewhere
 * they are a number of rounds: near rest from the bounds that the steps before carry here, which agree after a few steps;
 * while things move from bounds that nearly agree, and `coupling` tells how far they are apart. What comes out is then
 * still the minimum of a Gaussian in bounds that are told, to the tolerance asked for. */
#ifndef UKODE_SOLVERS_BOUNDED_LAW_H
#define UKODE_SOLVERS_BOUNDED_LAW_H

#include "solvers/problem/problem.h"
#include "solvers/kkt/kkt.h"

typedef enum ukFrictionLaw { ukFrictionTwoPhase, ukFrictionCoupled, ukFrictionElliptic } ukFrictionLaw;

enum { ukFewestRounds = 2, ukUsualRounds = 5, ukMostRounds = 100 };

typedef struct ukLawSolver ukLawSolver; /* owns its scratch and factorizations; grows, never shrinks */

ukLawSolver *ukLawSolverCreate(void);
void ukLawSolverDestroy(ukLawSolver *solver);

/* What factors the problem: its plan lasts from step to step. */
ukKkt *ukLawSolverKkt(ukLawSolver *solver);

typedef struct ukLawChoice {
    ukFrictionLaw law;
    int rounds;            /* at most, of the laws that need them; ukFewestRounds ... */
    double tolerance;      /* of the natural residual of every convex problem, and of a law that is met */
    double rank_tolerance; /* of problems without bounds */
} ukLawChoice;

/* Solves p. `lambda0` (rows; NULL: none) is a warm start, the last step's multipliers matched by the caller.
 * s->residual is the natural residual in the bounds s->lo, s->hi, scaled; s->coupling what the law itself is missed by;
 * s->pivots the passes taken. A problem without bounds goes straight to ukEqualitySolve. ukOk also when the
 * residual stays above the tolerance (the caller reads it); negative only where no finite answer exists at all
 * (ukErrorMass, ukErrorMemory, ukErrorNotFinite). */
int ukLawSolve(ukLawSolver *solver, const ukProblem *p, const ukLawChoice *choice, const double *lambda0,
               ukSolution *s);

#endif

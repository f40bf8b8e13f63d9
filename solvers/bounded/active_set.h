/* solvers/bounded/active_set.h: Gauss's principle with inequalities (Kalaba & Udwadia 1994, remark 8): the same
 * Gaussian, minimised with lo <= lambda <= hi complementary to the row residual  w = A qdd + softness lambda - b:
 *      lambda = lo: w >= 0,    lambda = hi: w <= 0,    between: w = 0.
 * Each pass is one explicit solve on the rows held active; the sign test of the Gauss check accepts or changes the set.
 */
#ifndef UKODE_SOLVERS_BOUNDED_ACTIVE_SET_H
#define UKODE_SOLVERS_BOUNDED_ACTIVE_SET_H

#include "solvers/sparse/sparse.h"

typedef enum ukFrictionLaw {
    ukFrictionTwoPhase, /* dWorldStep's: solve without friction rows, freeze their bounds at mu |lambda_n|, solve all */
    ukFrictionCoupled,  /* QuickStep's: bounds mu |lambda_n| with lambda_n of the same solution; box per row */
    ukFrictionElliptic  /* as coupled, and rows marked in p->cone share one elliptic cone (sliding along the slip) */
} ukFrictionLaw;

typedef struct ukActiveSet ukActiveSet; /* owns its scratch and a ukSparse; grows, never shrinks */

ukActiveSet *ukActiveSetCreate(void);
void ukActiveSetDestroy(ukActiveSet *set);

/* Solves p. `lambda0` (rows; NULL: none) is a warm start, the last step's multipliers matched by the caller.
 * s->residual is the natural residual, scaled; s->pivots the passes taken. A problem without bounds goes straight to
 * ukSparseSolveProblem. ukOk also when residual stays above `tolerance` after the finite fallback (the caller reads
 * s->residual); negative only where no finite answer exists at all (ukErrorMass, ukErrorMemory, ukErrorNotFinite). */
int ukActiveSetSolve(ukActiveSet *set, const ukProblem *p, ukFrictionLaw law, const double *lambda0, double tolerance,
                     double rank_tolerance, ukSolution *s);

#endif

/* solvers/factor.h: numeric factorization and substitution along a plan (symbolic.h). Both allocate nothing.
 *
 * The symmetric form is H = [M A'; A -S] with unknowns (x, -l). Every front has pivots of one sign, body positive, rows
 * negative, so no pivoting is needed (quasi-definite matrices, Vanderbei 1995). */
#ifndef UKODE_SOLVERS_FACTOR_H
#define UKODE_SOLVERS_FACTOR_H

#include "solvers/kernel.h"
#include "solvers/symbolic.h"

typedef struct ukFactor {
    const ukKernel *kernel;
    const double *A; /* of the problem factored: springs are solved from it */
    double *L;       /* panels of all fronts */
    double *stack;   /* Schur complements on their way up */
    double *own;     /* (unknowns) by position: a row's K_ii + S_ii as far as it was eliminated, 1 where not held */
    double *pivot;   /* (unknowns) by position */
    double *floor, *work; /* (unknowns + 2, 4 unknowns + 8) scratch */
    int *shifted;         /* (unknowns + 1) positions of the pivots that vanished and got `own` added, ascending */
    int shifts;
    int doubtful; /* how many of them rest on an order that only relative rows allow (ordering.h) */
    int weak;     /* pivots that lost six digits or more and stand all the same */
    size_t capacity[7];
} ukFactor;

/* Memory for the plan. ukOk, ukErrorMemory. */
int ukFactorReserve(ukFactor *factor, const ukSymbolic *plan);
void ukFactorFree(ukFactor *factor);

/* H = L D L' for the rows with held[row] != 0 (NULL: all); softness (rows; NULL: 0). A row's pivot counts as vanished
 * at or below `floor` or `least` times its own K_ii, or half its softness where it has some: it is then made of its own
 * size, which is as if softness `own` were added to that row, and noted in `shifted`.
 * ukOk; ukErrorMass: M not positive definite. */
int ukFactorCompute(ukFactor *factor, const ukSymbolic *plan, const ukProblem *p, const unsigned char *held,
                    const double *softness, double least, double floor);

/* y = H^-1 y on the fronts first ... last, whole trees (ukFront.first); y by position, from the first one's on */
void ukFactorSolve(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y);

#endif

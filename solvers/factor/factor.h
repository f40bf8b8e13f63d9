/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/factor.h: numeric factorization and substitution along a plan (symbolic.h). Both allocate nothing.
 *
 * The symmetric form is H = [M A'; A -S] with unknowns (x, -l). Every front has pivots of one sign, body positive, rows
 * negative, so no pivoting is needed (quasi-definite matrices, Vanderbei 1995). */
#ifndef UKODE_SOLVERS_FACTOR_FACTOR_H
#define UKODE_SOLVERS_FACTOR_FACTOR_H

#include "solvers/factor/front.h"

/* Allocates memory for the plan. ukOk, ukErrorMemory. */
int ukFactorReserve(ukFactor *factor, const ukSymbolic *plan);
void ukFactorFree(ukFactor *factor);

/* H = L D L' for the rows with active[row] != 0 (NULL: all); softness (rows; NULL: 0). A row's pivot counts as vanished
 * at or below `least` times its own K_ii, or half its softness where it has some: it is then made of its own
 * size, which is as if softness `diagonal` were added to that row, and noted in `shifted`.
 * ukOk; ukErrorMass: M not positive definite. */
int ukFactorCompute(ukFactor *factor, const ukSymbolic *plan, const ukProblem *p, const unsigned char *active,
                    const double *softness, double least);

/* y = H^-1 y on the fronts first ... last, whole trees (ukFront.first); y by position, from the first one's on */
void ukFactorSolve(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y);

/* The backward half, y = L'^-1 y, on the subtree of `last`, whose first front is `first`; y is read up to the end of
 * the tree. For the unit vector of a pivot, the result is the combination of the preceding unknowns whose quadratic
 * form is the pivot. */
void ukFactorBackward(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y);

#endif

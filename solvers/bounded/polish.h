/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/polish.h: the last solve of a bounded problem whose multipliers cancel: the free rows as equalities.
 *
 * Rows that contradict each other, and that only their softness reconciles, have multipliers of about b / softness,
 * whose forces cancel but for b. The methods of solvers/bounded/ compute accelerations from multipliers, so that the
 * cancellation loses the digits of K / softness, K = A M^-1 A', and they factorize with a proximal term of 1e-10 K,
 * which such a softness does not dominate: their natural residual is rounding of the cancelling forces long before the
 * multipliers have converged. Here the rows between their bounds are solved once more without a proximal term, with
 * accelerations and multipliers as unknowns of their own (solvers/equality/equality.h). */
#ifndef UKODE_SOLVERS_BOUNDED_POLISH_H
#define UKODE_SOLVERS_BOUNDED_POLISH_H

#include "solvers/bounded/bounded.h"
#include "solvers/equality/equality.h"

typedef struct ukPolish { /* zero: none yet */
    double *memory;
    size_t capacity;
} ukPolish;

void ukPolishFree(ukPolish *polish);

/* lambda in: a solution of B within the present bounds; out, where the forces of soft rows cancel: the solution on the
 * same active set or one that follows from it, with x and w of B evaluated. It is taken only if its natural residual,
 * *residual, is at most `tolerance`. ukOk, ukErrorMemory. */
int ukPolishSolve(ukPolish *polish, ukEquality *equality, ukBounded *B, double tolerance, double *lambda,
                  double *residual);

#endif

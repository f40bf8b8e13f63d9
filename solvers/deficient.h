/* solvers/deficient.h: dependent rows. The factorization has told which pivots vanished and factored K~ = K + E D E'
 * instead of K = A M^-1 A' + S, E the columns of the identity at those q rows. The null vectors of K lie in the span of
 * K~^-1 E. They are found there as singular vectors of B = A M^-1/2, on B itself and not on its square; a row of
 * vectors with small singular values is either dropped (rank) or solved for exactly, and the rest goes through K~. What
 * comes out is Udwadia's M-inverse [9], [13]: least |A qdd - b|_2, then nearest to a in the M-norm, with the
 * multipliers of least norm. */
#ifndef UKODE_SOLVERS_DEFICIENT_H
#define UKODE_SOLVERS_DEFICIENT_H

#include "solvers/factor.h"

typedef struct ukDeficient {
    double *memory; /* grows, never shrinks */
    size_t capacity;
} ukDeficient;

void ukDeficientFree(ukDeficient *d);

/* One connected part of the problem: fronts first ... last, factored with `softness` (rows; NULL: 0), q of whose pivots
 * were shifted.
 *   r          (rows) b - A a
 *   tolerance  singular values at or below this times the largest count as zero
 *   lambda     (rows) out, those of this part
 *   dropped    out, rows of this part less its rank
 * ukOk, ukErrorMemory. */
int ukDeficientSolve(ukDeficient *d, const ukFactor *factor, const ukSymbolic *plan, const ukProblem *p,
                     const double *softness, int first, int last, const double *r, double tolerance, double *lambda,
                     int *dropped);

#endif

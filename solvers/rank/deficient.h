/* solvers/rank/deficient.h: dependent rows. What comes out is Udwadia's M-inverse [9], [13]: least |A qdd - b|_2, then
 * nearest to a in the M-norm, with the multipliers of least norm; part by part, so that one redundant mechanism in a
 * large world costs what it costs alone. */
#ifndef UKODE_SOLVERS_RANK_DEFICIENT_H
#define UKODE_SOLVERS_RANK_DEFICIENT_H

#include "solvers/factor/factor.h"

#include <stdbool.h>

typedef struct ukDeficient {
    double *memory; /* grows, never shrinks */
    size_t capacity;
    double *unit; /* by position */
    size_t units;
    /* asked for with springs (rows), NULL: not: what they would not let go of in the combinations that the last solve
     * took for dependent, of 1 */
    const double *springs;
    double held;
} ukDeficient;

void ukDeficientFree(ukDeficient *d);

/* The factorization was not sharp enough: see below. */
enum { ukDeficientBlunt = 1 };

/* The parts some of whose pivots were shifted (ukFactorCompute, `softness` (rows; NULL: 0), all rows held).
 *   a          (bodies x 6) M^-1 (Q + C)
 *   tolerance  singular values of unit rows (solvers/problem/tolerance.h) at or below this count as zero
 *   sharp      only pivots were shifted that are none: in parts with many of them they all count as dependent
 *   x, lambda  (bodies x 6) (rows) out, those of these parts; the others stay
 *   dropped    out, rows less rank
 * The factor is used up. ukOk, ukErrorMemory; ukDeficientBlunt: in a part with many shifted pivots some stand for small
 * singular values, not for dependent rows; factor with a lower threshold, and solve with `sharp`. */
int ukDeficientSolve(ukDeficient *d, ukFactor *factor, const ukSymbolic *plan, const ukProblem *p,
                     const double *softness, const double *a, double tolerance, bool sharp, double *x, double *lambda,
                     int *dropped);

/* Of the rows at `weak` (count, positions, ascending), whose pivots are small: what softness does not let go of,
 * ukRedundantGrip; the largest of the parts. Negative: no memory. */
double ukDeficientGrip(ukDeficient *d, const ukFactor *factor, const ukSymbolic *plan, const ukProblem *p,
                       const double *softness, const int *weak, int count, double tolerance);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/pseudoinverse.h: dependent rows. What comes out is Udwadia's M-inverse [9], [13]: least |A qdd - b|_2,
 * then nearest to a in the M-norm, with the multipliers of least norm; component by component, so that one redundant
 * mechanism in a large world costs what it costs alone. */
#ifndef UKODE_SOLVERS_EQUALITY_PSEUDOINVERSE_H
#define UKODE_SOLVERS_EQUALITY_PSEUDOINVERSE_H

#include "solvers/equality/component.h"

#include <stdbool.h>

typedef struct ukPseudoinverse {
    double *memory; /* grows, never shrinks */
    size_t capacity;
    double *unit; /* by position */
    size_t units;
    const double *springs; /* (rows) softness to try, NULL: none; */
    double grip;           /* its grip (null_space.h) on the combinations that the last solve took for dependent */
    int dropped;           /* by the last solve: rows less rank */
} ukPseudoinverse;

void ukPseudoinverseFree(ukPseudoinverse *d);

/* The factorization does not tell dependent rows from nearly dependent ones: see below. */
enum { ukPseudoinverseUndecided = 1 };

/* The components some of whose pivots were shifted (ukFactorCompute, `softness` (rows; NULL: 0), all rows held).
 *   a              (bodies x 6) M^-1 (Q + C)
 *   tolerance      singular values of unit rows (solvers/problem/tolerance.h) at or below this count as zero
 *   all_dependent  only pivots were shifted that are none: in components with many of them they all count as dependent
 *   x, lambda      (bodies x 6) (rows) out, those of these components; the others stay
 *
 * The factor is used up. ukOk, ukErrorMemory; ukPseudoinverseUndecided: in a component with many shifted pivots some
 * stand for small singular values, not for dependent rows; factor with a lower threshold, and solve with
 * `all_dependent`. */
int ukPseudoinverseSolve(ukPseudoinverse *d, const ukFactored *f, const double *a, double tolerance, bool all_dependent,
                         double *x, double *lambda);

/* Of the components some of whose pivots were shifted: held[row] = 0 for as many rows as singular values are at or below
 * `tolerance` (ukSubspaceIndependent); where many pivots are, the rows of these. ukOk, ukErrorMemory. */
int ukPseudoinverseIndependent(ukPseudoinverse *d, const ukFactored *f, double tolerance, unsigned char *held);

/* Of the rows at `weak` (count, positions, ascending), whose pivots are small: what softness does not let go of,
 * ukNullSpaceGrip; the largest of the components. Negative: no memory. */
double ukPseudoinverseGrip(ukPseudoinverse *d, const ukFactored *f, const int *weak, int count, double tolerance);

#endif

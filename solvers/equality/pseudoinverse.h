/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/pseudoinverse.h: dependent rows, by Udwadia's M-inverse [9], [13]: least |A qdd - b|_2, then nearest
 * to a in the M-norm, with the multipliers of least norm; component by component, so that a redundant mechanism costs
 * the same in a large world as alone. */
#ifndef UKODE_SOLVERS_EQUALITY_PSEUDOINVERSE_H
#define UKODE_SOLVERS_EQUALITY_PSEUDOINVERSE_H

#include "solvers/equality/component.h"

#include <stdbool.h>

typedef struct ukPseudoinverse {
    double *memory; /* grows, never shrinks */
    size_t capacity;
    double *unit;          /* scale of each row (tolerance.h), by its position in the elimination order */
    size_t units;          /* capacity of `unit` */
    const double *springs; /* (rows) softness with which dependent combinations are judged, NULL: none; */
    double rigidity;       /* ukNullSpaceRigidityOf with `springs`, in the last solve */
    int dropped;           /* rows less rank in the last solve */
} ukPseudoinverse;

void ukPseudoinverseFree(ukPseudoinverse *d);

/* The factorization does not separate dependent rows from nearly dependent ones: see below. */
enum { ukPseudoinverseUndecided = 1 };

/* Solves the components of which some pivots were shifted (by ukFactorCompute; `softness` (rows; NULL: 0), all rows
 * active).
 *   a              (bodies x 6) M^-1 (Q + C)
 *   tolerance      singular values of unit rows (solvers/problem/tolerance.h) at or below this count as zero
 *   all_dependent  the shifted pivots are rounding errors: all of them count as dependent rows
 *   x, lambda      (bodies x 6) (rows) out, those of these components; the others stay
 *
 * The factor is overwritten. ukOk, ukErrorMemory; ukPseudoinverseUndecided: in a component with many shifted pivots
 * some belong to small singular values, not to dependent rows; factorize with a lower threshold, and solve with
 * `all_dependent`. */
int ukPseudoinverseSolve(ukPseudoinverse *d, const ukFactored *f, const double *a, double tolerance, bool all_dependent,
                         double *x, double *lambda);

/* Sets independent[row] = 0 for as many rows as singular values are at or below `tolerance`, in components with shifted
 * pivots (ukSubspaceIndependent); if many are shifted, for the shifted rows. ukOk, ukErrorMemory. */
int ukPseudoinverseIndependent(ukPseudoinverse *d, const ukFactored *f, double tolerance, unsigned char *independent);

/* The largest ukNullSpaceRigidity of all components, for the rows at `weak` (count, positions, ascending), whose pivots
 * are small. Negative: no memory. */
double ukPseudoinverseRigidity(ukPseudoinverse *d, const ukFactored *f, const int *weak, int count, double tolerance);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/branch.h: the fronts that trees and chains are made of, at sizes known to the compiler. r = 3 or 5
 * rows per joint.
 *
 *   leaf body       its only remaining joint is its whole update; children update its pivots only
 *   leaf joint      the rows of that joint, whose whole update is the next body
 *   interior body   between two remaining joints; otherwise as a leaf body
 *   interior joint  the first of these two, whose whole update is the second
 *   root body       has no update: all of its joints are eliminated before it
 *
 * Leaf body, leaf joint, leaf body, ..., root body is the articulated-body recursion in maximal coordinates; interior
 * body, interior joint, ... is the block tridiagonal A M^-1 A' of a chain fixed at both ends. Everything stays in local
 * arrays of pairs; L and U are written once. */
#ifndef UKODE_SOLVERS_FACTOR_BRANCH_H
#define UKODE_SOLVERS_FACTOR_BRANCH_H

#include "solvers/factor/front.h"

/* As ukFrontFactor for a front of one of these kinds. False: the front is of another kind, not all of its rows are
 * active, or a pivot vanished; nothing is changed. */
bool ukBranchFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in, int *status);
/* The same for leaf bodies and leaf joints of a front that is not symmetric: its lower triangle from `rows`, its upper
 * one, transposed, from `columns` (unsymmetric.h), to L and R, and the Schur complements to `lower` and `upper`. *ok:
 * all pivots have their sign. */
typedef struct ukBoth {
    const ukProblem *rows, *columns;
    double *L, *R, *lower, *upper, *pivot;
} ukBoth;
bool ukBranchFactorBoth(const ukBoth *to, const ukSymbolic *plan, int f, bool *ok);

/* Forward substitution with the panels L of all fronts. False: the front is of another kind. */
bool ukBranchForward(const double *panels, const ukSymbolic *plan, const ukFront *front, double *y, int origin);
bool ukBranchBackward(const double *panels, const ukSymbolic *plan, const ukFront *front, double *y, int origin);

#endif

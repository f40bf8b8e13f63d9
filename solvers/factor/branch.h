/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/branch.h: the fronts that trees and chains are made of, at sizes the compiler knows. r = 3 or 5 rows a
 * joint.
 *
 *   limb    a body whose one joint to go is its whole update; children reach its pivots only
 *   joint   the rows of that joint, whose whole update is the next body
 *   pair    a body between two joints to go, as limb otherwise
 *   link    the first of these two joints, whose whole update is the second
 *
 * limb, joint, limb, ... is the articulated-body recursion in maximal coordinates; pair, link, pair, ... is the block
 * tridiagonal A M^-1 A' of a chain held at both ends. Everything stays in local arrays of pairs; L and U are written
 * once. */
#ifndef UKODE_SOLVERS_FACTOR_BRANCH_H
#define UKODE_SOLVERS_FACTOR_BRANCH_H

#include "solvers/factor/front.h"

/* As ukFrontFactor for a front of one of these kinds. False: not of such a kind, not all of its rows are held, or a
 * pivot vanished; nothing is done. */
bool ukBranchFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in, int *status);
/* False: not of such a kind. */
bool ukBranchForward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);
bool ukBranchBackward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin);

#endif

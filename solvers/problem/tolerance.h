/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/problem/tolerance.h: the rank rule: which combinations of constraint rows count as dependent.
 *
 * Rows mix metres and radians, light bodies and heavy ones. Each is scaled to unit length, so that with
 *
 *      B = D^-1/2 [A M^-1/2, S^1/2],     D = diag(A M^-1 A' + S)          ("unit rows": all of length 1)
 *
 * the singular values of B are the same in all units of length, mass and time. A combination y of unit rows, |y| = 1,
 * counts as dependent where |y' B| is at or below a tolerance:
 *
 *      rounding   ukRankRounding, where nothing else is known
 *      drift      ukRankFollowing: rows that are dependent where the constraints are satisfied are so elsewhere only
 *                 up to the position error, measured as an angle (ukRowReach)
 *
 * Least squares of rows that contradict one another, and least norm of multipliers that are not unique, are those of
 * unit rows, too: with them A_M^+ and the split of forces do not depend on units either. */
#ifndef UKODE_SOLVERS_PROBLEM_TOLERANCE_H
#define UKODE_SOLVERS_PROBLEM_TOLERANCE_H

#include "solvers/problem/problem.h"

/* D_ii^-1/2 of a row of a block: a multiplier in units of its row times this is one in units of force. 1 for a row that
 * moves nothing. */
double ukRowUnit(const ukProblem *p, const ukBlock *block, int row, double softness);

/* Rank tolerance of m exactly satisfied rows on n unknowns. */
double ukRankRounding(int n, int m);
/* Tolerance where they are off by `drift` radians, the largest of |phi| / ukRowReach; never more than the second. */
double ukRankFollowing(double drift);
extern const double ukRankMost;
/* How many of `count` descending singular values of unit rows are above the tolerance. */
int ukRankCount(const double *sigma, int count, double tolerance);

/* The length by which an error of a row is divided to become a rotation: of levers and radii of gyration, sqrt(|J_v|^2
 * tr(I)/(2m) + |J_w|^2), the longest of the row's bodies. A length for a position row, 1 for an angle; 0: the row moves
 * nothing. */
double ukRowReach(const ukProblem *p, const ukBlock *block, int row);
/* the same of `count` rows of a block */
void ukRowReaches(const ukProblem *p, const ukBlock *block, int row, int count, double *reach);

#endif

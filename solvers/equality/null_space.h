/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/null_space.h: dependent rows of one component, each of which follows from rows eliminated before it
 * (a closed loop with one redundant row, a door on three hinges). A pivot vanishes only after the rows that its own
 * depends on, so the null vector of K = A M^-1 A' + S is nonzero only in the fronts below that pivot, and one
 * substitution there computes it: the cost is that of the loop, not of the mechanism. With U (rows x q) an orthonormal
 * basis and P = I - U U', the multipliers
 *
 *      l <- l + P K~^-1 P (b - A qdd - S l)    from 0
 *
 * converge to those of least squares and least norm of Udwadia's M-inverse [9], [13]. K~ is what was factorized: K with
 * the vanished pivots replaced. */
#ifndef UKODE_SOLVERS_EQUALITY_NULL_SPACE_H
#define UKODE_SOLVERS_EQUALITY_NULL_SPACE_H

#include "solvers/equality/component.h"

#include <stdbool.h>

/* [doubles]; shifted (q): positions of the pivots that vanished, ascending */
size_t ukNullSpaceScratch(const ukComponent *component, const int *shifted, int q);
/* whether the basis takes no more than `work` multiplications */
bool ukNullSpaceCheap(const ukComponent *component, const int *shifted, int q, size_t work);

/* x (bodies x 6) and lambda (rows): M^-1 (Q + C) and 0 in; the component's part of the solution out, of rank rows - q.
 * False, and nothing is changed: some combination of those rows has a singular value above `tolerance` times the
 * largest; a decomposition must then determine which singular values count as zero (subspace.h). */
bool ukNullSpaceSolve(const ukComponent *component, const int *shifted, int q, double tolerance, double *x,
                      double *lambda, double *scratch);

/* Approximates the largest Rayleigh quotient u' K_0 u / u' K u, K = K_0 + S, among the combinations u of rows that
 * belong to the pivots at `weak` (q, ascending; not shifted) and are dependent up to the tolerance,
 * u' K_0 u <= tolerance^2 |u|^2: the fraction of their stiffness that softness S leaves. 0: there are none. scratch: 4
 * sizes of the component. */
double ukNullSpaceRigidity(const ukComponent *component, const int *weak, int q, double tolerance, double *scratch);

/* An upper estimate of ukNullSpaceRigidity over all of these combinations together, dependent or not: close to zero
 * only if that is. One substitution for all. scratch: 3 sizes of the component. */
double ukNullSpaceRigidityTogether(const ukComponent *component, const int *weak, int q, double *scratch);

/* After ukNullSpaceSolve, with its scratch: about the largest u' K u / u' (K + springs) u in the null space, for a
 * softness `springs` (rows) that is not in K. */
double ukNullSpaceRigidityOf(const ukComponent *component, const int *shifted, int q, const double *springs,
                             double *scratch);

#endif

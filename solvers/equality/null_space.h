/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/null_space.h: dependent rows of one component, each of which follows from rows eliminated before it (a
 * closed loop with a row too many, a door on three hinges). A pivot vanishes only after the rows that its own depends
 * on, so the null vector of K = A M^-1 A' + S stands in the fronts below that pivot, and one substitution there gives
 * it: it costs what the loop costs, not what the mechanism does. With U (rows x q) an orthonormal basis and P = I - U
 * U', the multipliers
 *
 *      l <- l + P K~^-1 P (b - A qdd - S l)    from 0
 *
 * end at the least squares, least norm ones of Udwadia's M-inverse [9], [13]. K~ is what was factored: K, with the
 * pivots that vanished replaced. */
#ifndef UKODE_SOLVERS_EQUALITY_NULL_SPACE_H
#define UKODE_SOLVERS_EQUALITY_NULL_SPACE_H

#include "solvers/equality/component.h"

#include <stdbool.h>

/* [doubles]; shifted (q): positions of the pivots that vanished, ascending */
size_t ukNullSpaceScratch(const ukComponent *component, const int *shifted, int q);
/* whether the basis takes no more than `work` multiplications */
bool ukNullSpaceCheap(const ukComponent *component, const int *shifted, int q, size_t work);

/* x (bodies x 6) and lambda (rows) in: M^-1 (Q + C) and 0; out, those of the component: the answer for p's b, of rank
 * rows less q. False, and nothing is done: some combination of those rows has a singular value above `tolerance` times
 * the largest, and which of them count as zero takes a closer look. */
bool ukNullSpaceSolve(const ukComponent *component, const int *shifted, int q, double tolerance, double *x,
                      double *lambda, double *scratch);

/* What of the component's motion its softness does not let go of. The pivots at `weak` (q, ascending; none of them
 * changed) belong to combinations u of rows; those with u' K_0 u <= tolerance^2 |u|^2, K = K_0 + S, are dependent up to
 * that: returns about the largest share u' K_0 u of u' K u among them; 0: there are none. scratch: 4 sizes of the
 * component. */
double ukNullSpaceGrip(const ukComponent *component, const int *weak, int q, double tolerance, double *scratch);

/* The same of all of these combinations at once, dependent or not, weighed as they come: where this is next to nothing,
 * that is. One substitution for all of them. scratch: 3 sizes of the component. */
double ukNullSpaceGripTogether(const ukComponent *component, const int *weak, int q, double *scratch);

/* After ukNullSpaceSolve, with its scratch: the grip that softness `springs` (rows) would leave: about the largest share
 * u' K u of u' (K + springs) u in the null vectors. */
double ukNullSpaceGripOf(const ukComponent *component, const int *shifted, int q, const double *springs,
                         double *scratch);

#endif

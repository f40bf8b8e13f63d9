/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/subspace.h: a few dependent rows in one component. The factorization knows which pivots vanished,
 * and has factorized K~ = K + E D E' instead of K = A M^-1 A' + S, E the columns of the identity at those q rows. The
 * null vectors of K are in the span of K~^-1 E; they are computed there as singular vectors of B = A M^-1/2, from B and
 * not from its square. Vectors with a small singular value are dropped (rank); the system is solved directly on the
 * others, and by K~ on the complement. */
#ifndef UKODE_SOLVERS_EQUALITY_SUBSPACE_H
#define UKODE_SOLVERS_EQUALITY_SUBSPACE_H

#include "solvers/equality/component.h"

size_t ukSubspaceScratch(const ukComponent *component, int q); /* [doubles] */

/* x (bodies x 6) and lambda (rows) in: M^-1 (Q + C) and 0; out, for the component: the solution for p's b. shifted (q):
 * positions of the pivots. tolerance: singular values at or below this count as zero. Returns how many do. */
int ukSubspaceSolve(const ukComponent *component, const int *shifted, int q, double tolerance, double *x,
                    double *lambda, double *scratch);

/* Sets independent[row] = 0 for one row of the component per such singular value: the other rows are independent, and
 * nearly as well conditioned as possible. If all q vectors are null, these rows are those whose pivots vanished, for
 * one substitution, unless another row has a far larger part in a null vector; otherwise the rows with the largest
 * parts. */
void ukSubspaceIndependent(const ukComponent *component, const int *shifted, int q, double tolerance,
                           unsigned char *independent, double *scratch);

/* After ukSubspaceSolve, with its scratch: the largest u' K u / u' (K + springs) u of the singular vectors that count
 * as zero, for a softness `springs` (rows) that is not in K. */
double ukSubspaceRigidityOf(const ukComponent *component, int q, double tolerance, const double *springs,
                            const double *scratch);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/subspace.h: a few dependent rows in one component. The factorization has told which pivots vanished and
 * factored K~ = K + E D E' instead of K = A M^-1 A' + S, E the columns of the identity at those q rows. The null
 * vectors of K lie in the span of K~^-1 E; there they are found as singular vectors of B = A M^-1/2, on B itself and
 * not on its square. A vector with a small singular value is dropped (rank), the others are solved for exactly, the
 * rest goes through K~. */
#ifndef UKODE_SOLVERS_EQUALITY_SUBSPACE_H
#define UKODE_SOLVERS_EQUALITY_SUBSPACE_H

#include "solvers/equality/component.h"

size_t ukSubspaceScratch(const ukComponent *component, int q); /* [doubles] */

/* x (bodies x 6) and lambda (rows) in: M^-1 (Q + C) and 0; out, those of the component: the answer for p's b. shifted
 * (q): positions of the pivots. tolerance: singular values at or below this count as zero. Returns how many did. */
int ukSubspaceSolve(const ukComponent *component, const int *shifted, int q, double tolerance, double *x,
                    double *lambda, double *scratch);

/* held[row] = 0 for one row of the component for each such singular value: what is left is independent, and nearly as far
 * from dependent as may be. Where all q are null those are the rows whose pivots vanished, if none has a far larger part
 * in a null vector, for one substitution; otherwise the rows with the largest parts in the null vectors. */
void ukSubspaceIndependent(const ukComponent *component, const int *shifted, int q, double tolerance,
                           unsigned char *held, double *scratch);

/* After ukSubspaceSolve, with its scratch: the grip that softness `springs` (rows) would leave, the largest share
 * u' K u of u' (K + springs) u in the singular vectors that count as zero. */
double ukSubspaceGripOf(const ukComponent *component, int q, double tolerance, const double *springs,
                        const double *scratch);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/proximal.h: many dependent rows in one component (a flat net, a stack of welded bodies): the
 * proximal-point iteration l <- l + G (b - K l) from 0, K = A M^-1 A' + S, of which K + eps I is factorized. With
 *
 *      G = (K + eps)^-1 K (K + eps)^-1
 *
 * G is zero on null(K) and inverts K on the rest up to eps/sigma^2, so the sequence converges to the multipliers of
 * least squares and least norm, in a number of substitutions that does not depend on how many rows are dependent. It
 * needs a spectral gap: singular values are either well above sqrt(eps) or well below. */
#ifndef UKODE_SOLVERS_EQUALITY_PROXIMAL_H
#define UKODE_SOLVERS_EQUALITY_PROXIMAL_H

#include "solvers/equality/component.h"

#include <stdbool.h>

size_t ukProximalScratch(const ukComponent *component); /* [doubles] */

/* x (bodies x 6) and lambda (rows) in: M^-1 (Q + C) and 0; out, for the component: the solution for p's b.
 * component->factor is that of K + eps I on the component, component->softness S without eps. False, and nothing is
 * changed: the spectrum has no such gap; some approximate null vector u has u' K u above `least` |u|^2. */
bool ukProximalSolve(const ukComponent *component, double eps, double least, double *x, double *lambda,
                     double *scratch);

#endif

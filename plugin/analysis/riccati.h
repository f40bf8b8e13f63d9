/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/riccati.h: algebraic Riccati equations by structure-preserving doubling.
 *
 *      continuous   A' X + X A - X G X + Q = 0
 *      discrete     X = A' X (I + G X)^-1 A + Q
 *
 * G = B R^-1 B' and Q are symmetric, positive semidefinite. The iteration A_k -> 0, Q_k -> X converges quadratically
 * for the stabilizing X; the continuous equation becomes a discrete one by a Cayley transformation (Chu, Fan, Lin: A
 * structure-preserving doubling algorithm for continuous-time algebraic Riccati equations, Linear Algebra Appl. 396,
 * 2005, section 2). */
#ifndef UKODE_PLUGIN_ANALYSIS_RICCATI_H
#define UKODE_PLUGIN_ANALYSIS_RICCATI_H

#include <stdbool.h>

/* X (n x n). gamma [1/s]: the point of the Cayley transformation (continuous), about the size of A's eigenvalues. A, G
 * and Q are row-major. ukOk; ukErrorNotConverged: there is no stabilizing solution; ukErrorMemory. */
int ukRiccatiSolve(int n, bool discrete, double gamma, const double *A, const double *G, const double *Q, double *X);

#endif

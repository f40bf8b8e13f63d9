/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/m_inverse.h: reference solver after Udwadia 2004, the M-weighted inverse A_M^+. Dense, any rank.
 * Arguments and errors of all functions: papers/dense.h. */
#ifndef UKODE_SOLVERS_PAPERS_M_INVERSE_H
#define UKODE_SOLVERS_PAPERS_M_INVERSE_H

#include "solvers/papers/dense.h"

/* qdd = a + A_M^+ (b - A a) + (I - A_M^+ A) c [9], which is a' + A_M^+ (b - A a') with a' = a + c.
 * Contradictory rows: least |A qdd - b|_2, then nearest to a' in the M-norm; lambda the force that makes it so. */
int ukMInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* X = A_M^+ (n x m) and P = I - A_M^+ A (n x n), row-major. X is the one matrix with
 *
 *      A X A = A [13a],    X A X = X [13b],    (A X)' = A X [13c],    (X A)' = M X A M^-1 [13d],
 *
 * and P y, for any y, are the virtual displacements [17]. */
int ukMInverseMatrices(const ukDense *p, double rank_tolerance, double *X, double *P, ukArena *scratch);

/* The force of constraint in its two M^-1-orthogonal parts (n), with a = M^-1 Q:
 *
 *      Qi = M A_M^+ (b - A a) [11],    Qni = (I - A_M^+ A)' C = M (I - A_M^+ A) M^-1 C [12] */
int ukMInverseForces(const ukDense *p, double rank_tolerance, double *Qi, double *Qni, ukArena *scratch);

#endif

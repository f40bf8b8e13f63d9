/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/dalembert.h: reference solver after Udwadia, Kalaba & Hee-Chang 1997, the extended principle of
 * D'Alembert: plain linear algebra with a basis of the null space. Dense, any rank. Arguments and errors of all
 * functions: papers/dense.h.
 *
 * In the paper's letters: B = A M^-1/2, V an orthonormal basis of null(B), D = B'B, E = VV', J = (D + E)^-1 [22], and
 * a_s = M^1/2 a' the scaled acceleration without constraints. (D is not the softness of a ukDense here.) */
#ifndef UKODE_SOLVERS_PAPERS_DALEMBERT_H
#define UKODE_SOLVERS_PAPERS_DALEMBERT_H

#include "solvers/papers/dense.h"

/* M^1/2 qdd = J B' b + J E a_s [20], as the least squares solution r = (L'WL)^-1 L'W s [38] of L r = s [23], [24],
 *
 *      [ I  -I  ] [ x_s ]   [ a_s ]
 *      [ B   0  ] [ F_s ] = [ b   ]        x_s = M^1/2 qdd, F_s = M^-1/2 A' lambda,  W = diag(W_1, p->weight, W_3).
 *      [ 0   V' ]           [ 0   ]
 *
 * Contradictory rows: least sum of weight (A qdd - b)^2, then nearest to a' in the M-norm. W_1 and W_3 have no part in
 * it, so they are not asked for: whatever x_s is, F_s can meet the first equations, and it meets the third at the
 * minimum too. Weights do not act on consistent rows. */
int ukDAlembertSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

#endif

/* solvers/papers/dalembert.h: reference solver after Udwadia, Kalaba & Hee-Chang 1997, the extended principle of
 * D'Alembert: plain linear algebra with a basis of the null space. Dense, any rank. */
#ifndef UKODE_SOLVERS_PAPERS_DALEMBERT_H
#define UKODE_SOLVERS_PAPERS_DALEMBERT_H

#include "solvers/papers/dense.h"

size_t ukDAlembertScratch(int n, int m);

/* M^1/2 qdd = J B' b + J E a_s [20],  J = (B'B + E)^-1, E = VV', V an orthonormal basis of null(B), a_s = M^1/2 a'.
 * Arguments and errors: solvers/papers/dense.h.
 * Contradictory rows: least |A qdd - b|_2, then nearest to a' in the M-norm. */
int ukDAlembertSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* The same with weights, for constraints that were measured: the least squares solution r = (L'WL)^-1 L'W s [38] of
 *      [ I  -I  ] [ x_s ]   [ a_s ]
 *      [ B   0  ] [ F_s ] = [ b   ]        x_s = M^1/2 qdd, F_s = M^-1/2 A' lambda,  W = diag(W_1, weight, W_3).
 *      [ 0   V' ]           [ 0   ]
 *   weight  in  (m) > 0, the inverse variance of each b; NULL: all 1
 * Contradictory rows: least sum of weight (A qdd - b)^2, then nearest to a' in the M-norm. W_1 and W_3 have no part in
 * it, so they are not asked for: whatever x_s is, F_s can meet the first equations, and it meets the third at the
 * minimum too. Weights do not act on consistent rows. */
int ukDAlembertLeastSquares(const ukDense *p, const double *weight, double rank_tolerance, ukSolution *s,
                            ukArena *scratch);

#endif

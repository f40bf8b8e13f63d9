/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/one_four_inverse.h: reference solver after Udwadia 2000, any {1,4}-inverse. Dense, any rank. Arguments
 * and errors of all functions: papers/dense.h. */
#ifndef UKODE_SOLVERS_PAPERS_ONE_FOUR_INVERSE_H
#define UKODE_SOLVERS_PAPERS_ONE_FOUR_INVERSE_H

#include "solvers/papers/dense.h"

/* qdd = a + M^-1/2 X (b - A a) + M^-1/2 (I - X B) M^-1/2 C [24],  B = A M^-1/2, which is a' + M^-1/2 X (b - A a'), with
 * X a {1,4}-inverse of B: B X B = B, (X B)' = X B. Any such X gives the same qdd (Remark 7); this one is not the
 * Moore-Penrose inverse. It takes `rank` rows of B that pivoting finds most independent, B1, and is zero on the others:
 * X = [B1' (B1 B1')^-1, 0].
 * Contradictory rows: the chosen rows are satisfied exactly, the others are ignored; nearest to a' in the M-norm. */
int ukOneFourInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

#endif

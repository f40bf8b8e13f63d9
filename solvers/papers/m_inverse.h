/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/m_inverse.h: reference solver after Udwadia 2004, the M-weighted inverse A_M^+. Dense, any rank.
 * Arguments and errors of all functions: papers/dense.h. */
#ifndef UKODE_SOLVERS_PAPERS_M_INVERSE_H
#define UKODE_SOLVERS_PAPERS_M_INVERSE_H

#include "solvers/papers/dense.h"

/* qdd = a + A_M^+ (b - A a) + (I - A_M^+ A) c [9], which is a' + A_M^+ (b - A a') with c = M^-1 C and a' = a + c.
 * Contradictory rows: least |A qdd - b|_2, then nearest to a' in the M-norm; lambda the force that makes it so. */
int ukMInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

#endif

/* solvers/papers/m_inverse.h: reference solver after Udwadia 2004 [9], the M-weighted inverse. Dense, any rank. */
#ifndef UKODE_SOLVERS_PAPERS_M_INVERSE_H
#define UKODE_SOLVERS_PAPERS_M_INVERSE_H

#include "solvers/papers/dense.h"

size_t ukMInverseScratch(int n, int m); /* bytes that ukMInverseSolve draws from its scratch arena */

/* qdd = a' + A_M^+ (b - A a'),  a' = M^-1 (Q + C). Arguments and errors: solvers/papers/dense.h.
 * Contradictory rows: least |A qdd - b|_2, then nearest to a' in the M-norm; lambda the force that makes it so. */
int ukMInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/solve_real.h: linear systems of any rank in long double, for references that do not use the solvers. */
#ifndef UKODE_TESTS_SUPPORT_SOLVE_REAL_H
#define UKODE_TESTS_SUPPORT_SOLVE_REAL_H

enum { solveLongDoubleMost = 72 };

/* x (n) of K x = f by elimination with complete pivoting, free unknowns 0; n at most solveLongDoubleMost. K (n x n) and
 * f are overwritten. */
void solveLongDouble(int n, long double *K, long double *f, long double *x);

#endif

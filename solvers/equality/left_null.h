/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/left_null.h: which combinations of rows vanish: the null space of B', by a dense singular value
 * decomposition. For diagnosis, not for the working path: it allocates. */
#ifndef UKODE_SOLVERS_EQUALITY_LEFT_NULL_H
#define UKODE_SOLVERS_EQUALITY_LEFT_NULL_H

/* B (m x n, row-major, overwritten), m > 0, n >= 0.
 *   U      out (m x m, row-major): its columns `rank` ... m - 1 are an orthonormal basis of the y with y' B = 0
 *   sigma  out (m): singular values, descending; 0 beyond min(m, n)
 *   rank   out: how many exceed `tolerance` (of unit rows: solvers/problem/tolerance.h)
 * ukOk, ukErrorMemory, ukErrorLapack; ukErrorNotFinite: B is not (LAPACK would not return). */
int ukLeftNull(int m, int n, double *B, double tolerance, double *U, double *sigma, int *rank);

#endif

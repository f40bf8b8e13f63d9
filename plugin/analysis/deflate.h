/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/deflate.h: separates the eigenvalues that are zero, with their Jordan blocks, from the others of a
 * matrix.
 *
 * Motions without a restoring force make A singular, and motions that drift along them make Jordan blocks of the
 * eigenvalue zero. A small eigenvalue lambda next to these is ill-conditioned: an error of A in the columns of the null
 * space acts on it with |A|/lambda per level of the blocks. That these columns are zero is known once the null space
 * is. With V = [N, rest], A N = 0,
 *
 *      V' A V = [0 X; 0 A'],
 *
 * and the same of A' (the staircase algorithm: Golub & Wilkinson 1976, Ill-conditioned eigensystems and the computation
 * of the Jordan canonical form, SIAM Review 18, section 10). The eigenvalues of the last A' are those that are not
 * zero. */
#ifndef UKODE_PLUGIN_ANALYSIS_DEFLATE_H
#define UKODE_PLUGIN_ANALYSIS_DEFLATE_H

/* A (n x n, row-major) := U' A U, block upper triangular, `zeros` zero columns below its first diagonal blocks; U (n x
 * n, row-major) orthogonal. tolerance: pivots below this part of the first count as zero. If *zeros is 0, A is as it
 * was. ukOk, ukErrorMemory, ukErrorNotConverged. */
int ukDeflateZeros(int n, double *A, double tolerance, double *U, int *zeros);

#endif

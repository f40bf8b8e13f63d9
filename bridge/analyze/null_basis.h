/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/null_basis.h: an M-orthonormal basis of the motions that a world's rigid rows admit, for large worlds,
 * by the sparse factorization of the rows (bridge/analyze/tangent_space.h): pseudorandom motions projected onto
 * null(A), and made orthonormal by two Cholesky factorizations of their Gram matrix (CholeskyQR2: Yamamoto,
 * Nakatsukasa, Yanagisawa, Fukaya 2015). With k motions of n numbers it takes about 8 n k^2 operations, where a dense
 * QR factorization of the n - k rows takes some n^3. */
#ifndef UKODE_BRIDGE_ANALYZE_NULL_BASIS_H
#define UKODE_BRIDGE_ANALYZE_NULL_BASIS_H

#include "bridge/analyze/tangent_space.h"

/* N (count rows of n numbers, n = 6 x bodies; count = n - rank of the space) spans the null space, N M N' = 1; MN = N
 * M. M (bodies x 36): the mass matrices. ukOk, ukErrorMemory; ukErrorNotConverged: the Gram matrix is not positive. */
int ukNullBasisFind(const ukTangentSpace *space, const double *M, int count, double *N, double *MN);
/* MN (count x n) = N M */
void ukNullBasisTimesMass(const double *M, int bodies, int count, const double *N, double *MN);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/row_space.h: rank, null space and solutions of least norm of a dense matrix B (m x n), by a QR
 * factorization of its transpose with column pivoting, B' P = Q R (Golub, Van Loan: Matrix Computations, section 5.5).
 * The rank is that of B's singular values, which are those of R; they are computed where small pivots leave a doubt. */
#ifndef UKODE_BRIDGE_ANALYZE_ROW_SPACE_H
#define UKODE_BRIDGE_ANALYZE_ROW_SPACE_H

typedef struct ukRowSpace {
    int n, m, rank;
    double least;    /* the smallest singular value that counts, or, where it is not small, about it; 1 for rank 0 */
    double *QR;      /* (n x m) column-major, of LAPACK's dgeqp3 */
    double *tau;     /* (min(n, m)) */
    int *pivot;      /* (m) rows of B in their order, from 1 */
    double *scratch; /* (scratch_size) */
    int scratch_size;
    void *memory; /* owned */
} ukRowSpace;

/* Factors B (rows of n numbers). Singular values up to `tolerance` times the largest count as zero
 * (solvers/problem/tolerance.h). ukOk, ukErrorMemory, ukErrorNotConverged. ukRowSpaceEnd is to be called in any
 * case. */
int ukRowSpaceBegin(ukRowSpace *space, int m, int n, const double *B, double tolerance);
void ukRowSpaceEnd(ukRowSpace *space);

/* N (n - rank rows of n): an orthonormal basis of the null space; B as it was factored. */
int ukRowSpaceNull(const ukRowSpace *space, const double *B, double *N);

/* For each of `count` right-hand sides g (m numbers each): x (n each), the solution of B x = g of least norm, for
 * consistent ones; of dependent rows those count that were pivots. */
int ukRowSpaceSolve(const ukRowSpace *space, int count, const double *g, double *x);

/* For each of `count` right-hand sides g (m numbers each): y (m each) with B B' y = g, 0 for rows that were no pivots:
 * then
 * B' y is what ukRowSpaceSolve returns. */
int ukRowSpaceMultipliers(const ukRowSpace *space, int count, const double *g, double *y);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/matrix.h: small dense matrices, row-major, and the memory of one call. A call takes its arrays from
 * a heap, registers its results, and ends: the results are copied out only if all of them are finite, and all memory is
 * freed. */
#ifndef UKODE_SOLVERS_FORMULAS_MATRIX_H
#define UKODE_SOLVERS_FORMULAS_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ukHeap {
    void *block[48];
    int blocks;
    struct {
        double *to;
        const double *from;
        size_t count;
    } result[4];
    int results;
    bool exhausted;
} ukHeap;

/* rows x columns zeros, at least one; NULL: heap->exhausted */
double *ukHeapMatrix(ukHeap *heap, int rows, int columns);
/* `from` is a result, to be copied to `to` at the end; to NULL: it is not requested */
void ukHeapAddResult(ukHeap *heap, double *to, const double *from, int rows, int columns);
/* gives everything back; copies the results where status is ukOk. ukErrorMemory if exhausted, ukErrorNotFinite */
int ukHeapEnd(ukHeap *heap, int status);

bool ukMatrixFinite(const double *X, int rows, int columns); /* NULL: there is none */
bool ukMatrixSymmetric(int n, const double *M);              /* up to 1e-10 of its diagonal */
void ukMatrixIdentity(int n, double *X);
/* Z (r x c) += factor times X Y, X'Y or X Y', where X (r x k) and Y (k x c) are the factors after transposition */
typedef enum ukProduct { ukPlain, ukLeftTransposed, ukRightTransposed } ukProduct;
void ukMatrixAddProduct(int r, int k, int c, double factor, ukProduct form, const double *X, const double *Y,
                        double *Z);

/* A (m x n) = left diag(sigma) right: left (m x m) and right (n x n) orthogonal, sigma (min(m, n)) descending */
typedef struct ukSvd {
    int m, n, least, rank; /* least: min(m, n) */
    double *left, *sigma, *right;
} ukSvd;

/* tolerance relative to sigma[0]; 0: rounding. ukOk, ukErrorMemory, ukErrorNotFinite, ukErrorLapack */
int ukSvdMake(ukHeap *heap, int m, int n, const double *A, double tolerance, ukSvd *svd);
/* X (n x m) += A^+ */
void ukSvdInverse(const ukSvd *svd, double *X);

/* L (n x n) with M = L L', lower, upper part 0. ukErrorMass: not symmetric, not positive definite; as above */
int ukMatrixCholesky(ukHeap *heap, int n, const double *M, double *L);
/* M^1/2 and M^-1/2 of M = L L', symmetric: L = U S V' gives U S U' and U S^-1 U' */
int ukMatrixRoots(ukHeap *heap, int n, const double *L, double *root, double *inverse_root);
/* X (n x columns) := (L L')^-1 X */
void ukMatrixCholeskySolve(int n, int columns, const double *L, double *X);
/* x (n x columns) with A x = X, A (n x n) overwritten, X overwritten by x. ukErrorSingular, as above */
int ukMatrixSolve(ukHeap *heap, int n, int columns, double *A, double *X);

#endif

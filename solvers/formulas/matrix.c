/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/formulas/matrix.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *allocateBlock(ukHeap *heap, size_t bytes)
{
    void *const block = heap->blocks < (int)(sizeof heap->block / sizeof *heap->block) ? calloc(1, bytes) : NULL;
    if (block)
        heap->block[heap->blocks++] = block;
    else
        heap->exhausted = true;
    return block;
}

double *ukHeapMatrix(ukHeap *heap, int rows, int columns)
{
    const size_t count = (size_t)rows * (size_t)columns;
    return allocateBlock(heap, (count > 0 ? count : 1) * sizeof(double));
}

void ukHeapAddResult(ukHeap *heap, double *to, const double *from, int rows, int columns)
{
    if (!to) return;
    heap->result[heap->results].to = to;
    heap->result[heap->results].from = from;
    heap->result[heap->results++].count = (size_t)rows * (size_t)columns;
}

int ukHeapEnd(ukHeap *heap, int status)
{
    if (status == ukOk && heap->exhausted) status = ukErrorMemory;
    for (int i = 0; i < heap->results && status == ukOk; i++)
        for (size_t k = 0; k < heap->result[i].count; k++)
            if (!(fabs(heap->result[i].from[k]) <= DBL_MAX)) status = ukErrorNotFinite;
    for (int i = 0; i < heap->results && status == ukOk; i++)
        memcpy(heap->result[i].to, heap->result[i].from, heap->result[i].count * sizeof(double));
    for (int i = 0; i < heap->blocks; i++) free(heap->block[i]);
    *heap = (ukHeap){.blocks = 0};
    return status;
}

bool ukMatrixFinite(const double *X, int rows, int columns)
{
    for (size_t i = 0; X && i < (size_t)rows * (size_t)columns; i++)
        if (!(fabs(X[i]) <= DBL_MAX)) return false;
    return true;
}

void ukMatrixIdentity(int n, double *X)
{
    memset(X, 0, (size_t)n * (size_t)n * sizeof *X);
    for (size_t i = 0; i < (size_t)n; i++) X[i * (size_t)(n + 1)] = 1;
}

void ukMatrixAddProduct(int r, int k, int c, double factor, ukProduct form, const double *X, const double *Y, double *Z)
{
    if (r == 0 || k == 0 || c == 0) return;
    const bool left = form == ukLeftTransposed, right = form == ukRightTransposed;
    cblas_dgemm(CblasRowMajor, left ? CblasTrans : CblasNoTrans, right ? CblasTrans : CblasNoTrans, r, c, k, factor, X,
                left ? r : k, Y, right ? k : c, 1, Z, c);
}

/* A row-major is A' column-major: LAPACK's U of A' has the right vectors of A in its columns, hence in rows here */
int ukSvdMake(ukHeap *heap, int m, int n, const double *A, double tolerance, ukSvd *svd)
{
    const int least = m < n ? m : n, most = m < n ? n : m, nwork = 10 * most + 1;
    *svd = (ukSvd){.m = m, .n = n, .least = least};
    svd->left = ukHeapMatrix(heap, m, m);
    svd->right = ukHeapMatrix(heap, n, n);
    svd->sigma = ukHeapMatrix(heap, least, 1);
    double *const copy = ukHeapMatrix(heap, m, n), *const work = ukHeapMatrix(heap, nwork, 1);
    if (heap->exhausted) return ukErrorMemory;
    if (!ukLapackReady()) return ukErrorLapack;
    if (!ukMatrixFinite(A, m, n)) return ukErrorNotFinite;
    ukMatrixIdentity(m, svd->left);
    ukMatrixIdentity(n, svd->right);
    if (least == 0) return ukOk;
    memcpy(copy, A, (size_t)m * (size_t)n * sizeof *copy);
    if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', n, m, copy, n, svd->sigma, svd->right, n, svd->left, m, work,
                            nwork) != 0)
        return ukErrorLapack;
    const double relative = tolerance > 0 ? tolerance : 64 * most * DBL_EPSILON;
    while (svd->rank < least && svd->sigma[svd->rank] > relative * svd->sigma[0]) svd->rank++;
    return ukOk;
}

void ukSvdInverse(const ukSvd *svd, double *X)
{
    for (int i = 0; i < svd->rank; i++)
        cblas_dger(CblasRowMajor, svd->n, svd->m, 1 / svd->sigma[i], svd->right + (size_t)i * (size_t)svd->n, 1,
                   svd->left + i, svd->m, X, svd->m);
}

bool ukMatrixSymmetric(int n, const double *M)
{
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < i; j++) {
            const double size = sqrt(fabs(M[i * (size_t)(n + 1)])) * sqrt(fabs(M[j * (size_t)(n + 1)]));
            if (fabs(M[i * (size_t)n + j] - M[j * (size_t)n + i]) > 1e-10 * size) return false;
        }
    return true;
}

int ukMatrixCholesky(ukHeap *heap, int n, const double *M, double *L)
{
    if (heap->exhausted) return ukErrorMemory;
    if (!ukLapackReady()) return ukErrorLapack;
    if (!ukMatrixFinite(M, n, n)) return ukErrorNotFinite;
    if (!ukMatrixSymmetric(n, M)) return ukErrorMass;
    memcpy(L, M, (size_t)n * (size_t)n * sizeof *L);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, L, n) != 0) return ukErrorMass; /* L' as it lies */
    for (size_t i = 0; i < (size_t)n; i++) memset(L + i * (size_t)n + i + 1, 0, ((size_t)n - i - 1) * sizeof *L);
    return ukOk;
}

int ukMatrixRoots(ukHeap *heap, int n, const double *L, double *root, double *inverse_root)
{
    ukSvd svd;
    const int status = ukSvdMake(heap, n, n, L, DBL_MIN, &svd);
    if (status != ukOk) return status;
    for (int i = 0; i < n; i++) { /* column i of left */
        if (!(svd.sigma[i] > 0)) return ukErrorMass;
        cblas_dger(CblasRowMajor, n, n, svd.sigma[i], svd.left + i, n, svd.left + i, n, root, n);
        cblas_dger(CblasRowMajor, n, n, 1 / svd.sigma[i], svd.left + i, n, svd.left + i, n, inverse_root, n);
    }
    return ukOk;
}

void ukMatrixCholeskySolve(int n, int columns, const double *L, double *X)
{
    if (n == 0 || columns == 0) return;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, columns, 1, L, n, X, columns);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, columns, 1, L, n, X, columns);
}

int ukMatrixSolve(ukHeap *heap, int n, int columns, double *A, double *X)
{
    int *const pivot = allocateBlock(heap, ((size_t)n + 1) * sizeof *pivot);
    double *const At = ukHeapMatrix(heap, n, n), *const Xt = ukHeapMatrix(heap, n, columns);
    if (heap->exhausted) return ukErrorMemory;
    if (!ukLapackReady()) return ukErrorLapack;
    if (!ukMatrixFinite(A, n, n) || !ukMatrixFinite(X, n, columns)) return ukErrorNotFinite;
    if (n == 0 || columns == 0) return ukOk;
    for (int i = 0; i < n; i++) cblas_dcopy(n, A + (size_t)i * (size_t)n, 1, At + i, n);
    for (int i = 0; i < n; i++) cblas_dcopy(columns, X + (size_t)i * (size_t)columns, 1, Xt + i, n);
    const int info = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, columns, At, n, pivot, Xt, n);
    if (info != 0) return info > 0 ? ukErrorSingular : ukErrorLapack;
    for (int i = 0; i < n; i++) cblas_dcopy(columns, Xt + i, n, X + (size_t)i * (size_t)columns, 1);
    return ukOk;
}

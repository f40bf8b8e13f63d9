/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/formulas/frame.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

double *ukFormulaMatrix(ukFormulaFrame *f, int rows, int columns)
{
    return ukHeapMatrix(&f->heap, rows, columns);
}

static bool isComplete(const ukFormulaSystem *s)
{
    return s && s->n > 0 && s->m >= 0 && s->n <= 10000 && s->m <= 10000 && s->M && (s->m == 0 || (s->A && s->b)) &&
           s->tolerance >= 0 && s->tolerance < 1;
}

int ukFormulaCheck(ukFormulaFrame *f, const ukFormulaSystem *s, bool given)
{
    *f = (ukFormulaFrame){.s = s};
    if (!given || !isComplete(s)) return ukErrorArgument;
    const int n = f->n = s->n, m = f->m = s->m;
    return ukMatrixFinite(s->M, n, n) && ukMatrixFinite(s->A, m, n) && ukMatrixFinite(s->b, m, 1) &&
                   ukMatrixFinite(s->Q, n, 1) && ukMatrixFinite(s->C, n, 1)
               ? ukOk
               : ukErrorNotFinite;
}

int ukFormulaBegin(ukFormulaFrame *f, const ukFormulaSystem *s, bool given)
{
    int status = ukFormulaCheck(f, s, given);
    if (status != ukOk) return status;
    const int n = f->n;
    f->L = ukFormulaMatrix(f, n, n);
    f->a = ukFormulaMatrix(f, n, 1);
    f->c = ukFormulaMatrix(f, n, 1);
    status = ukMatrixCholesky(&f->heap, n, s->M, f->L);
    if (status != ukOk) return status;
    if (s->Q) memcpy(f->a, s->Q, (size_t)n * sizeof *f->a);
    if (s->C) memcpy(f->c, s->C, (size_t)n * sizeof *f->c);
    ukMatrixCholeskySolve(n, 1, f->L, f->a);
    ukMatrixCholeskySolve(n, 1, f->L, f->c);
    return ukOk;
}

int ukFormulaScale(ukFormulaFrame *f)
{
    const int n = f->n, m = f->m;
    f->root = ukFormulaMatrix(f, n, n);
    f->inverse_root = ukFormulaMatrix(f, n, n);
    f->B = ukFormulaMatrix(f, m, n);
    if (f->heap.exhausted) return ukErrorMemory;
    const int status = ukMatrixRoots(&f->heap, n, f->L, f->root, f->inverse_root);
    if (status != ukOk) return status;
    ukMatrixAddProduct(m, n, n, 1, ukPlain, f->s->A, f->inverse_root, f->B);
    return ukSvdMake(&f->heap, m, n, f->B, f->s->tolerance, &f->svd);
}

int ukFormulaScaleByFactor(ukFormulaFrame *f)
{
    const int n = f->n, m = f->m;
    f->B = ukFormulaMatrix(f, m, n);
    if (f->heap.exhausted) return ukErrorMemory;
    if (m > 0) {
        memcpy(f->B, f->s->A, (size_t)m * (size_t)n * sizeof *f->B);
        cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1, f->L, n, f->B, n);
    }
    return ukSvdMake(&f->heap, m, n, f->B, f->s->tolerance, &f->svd);
}

int ukFormulaEnd(ukFormulaFrame *f, int status)
{
    return ukHeapEnd(&f->heap, status);
}

void ukFormulaResidual(const ukFormulaFrame *f, const double *q, double *x)
{
    if (f->m == 0) return;
    memcpy(x, f->s->b, (size_t)f->m * sizeof *x);
    if (q) ukMatrixAddProduct(f->m, f->n, 1, -1, ukPlain, f->s->A, q, x);
}

void ukFormulaApplyMInverse(const ukFormulaFrame *f, const double *x, double *y)
{
    const int n = f->n;
    memset(y, 0, (size_t)n * sizeof *y);
    for (int i = 0; i < f->svd.rank; i++)
        cblas_daxpy(n, cblas_ddot(f->m, f->svd.left + i, f->m, x, 1) / f->svd.sigma[i],
                    f->svd.right + (size_t)i * (size_t)n, 1, y, 1);
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, f->L, n, y, 1);
}

/* L'^-1 (I - B^+ B) L' y */
void ukFormulaProject(const ukFormulaFrame *f, double *y)
{
    const int n = f->n;
    cblas_dtrmv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, f->L, n, y, 1);
    for (int i = 0; i < f->svd.rank; i++) {
        const double *v = f->svd.right + (size_t)i * (size_t)n;
        cblas_daxpy(n, -cblas_ddot(n, v, 1, y, 1), v, 1, y, 1);
    }
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, f->L, n, y, 1);
}

void ukFormulaAddMass(const ukFormulaFrame *f, const double *x, double *y)
{
    ukMatrixAddProduct(f->n, f->n, 1, 1, ukPlain, f->s->M, x, y);
}

void ukFormulaScaledForce(const ukFormulaFrame *f, double *as)
{
    const ukFormulaSystem *s = f->s;
    memset(as, 0, (size_t)f->n * sizeof *as);
    if (s->Q) ukMatrixAddProduct(f->n, f->n, 1, 1, ukPlain, f->inverse_root, s->Q, as);
    if (s->C) ukMatrixAddProduct(f->n, f->n, 1, 1, ukPlain, f->inverse_root, s->C, as);
}

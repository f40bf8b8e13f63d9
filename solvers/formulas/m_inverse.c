/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/m_inverse.c: Udwadia 2004: the M-inverse, the explicit equation, the two parts of the force; the
 * accelerations and displacements that the constraints allow. */
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/formulas/frame.h"

#include <string.h>

static int beginMInverse(ukFormulaFrame *f, const ukFormulaSystem *s, bool given)
{
    const int status = ukFormulaBegin(f, s, given);
    return status == ukOk ? ukFormulaScaleByFactor(f) : status;
}

int ukFormulaFree(const ukFormulaSystem *s, double *a, double *c)
{
    ukFormulaFrame f;
    const int status = ukFormulaBegin(&f, s, true);
    ukHeapAddResult(&f.heap, a, f.a, f.n, 1);
    ukHeapAddResult(&f.heap, c, f.c, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaVirtual(const ukFormulaSystem *s, const double *y, double *v)
{
    ukFormulaFrame f;
    int status = beginMInverse(&f, s, y && v);
    double *const x = ukFormulaMatrix(&f, f.n, 1);
    if (status == ukOk && !x) status = ukErrorMemory;
    if (status == ukOk) {
        memcpy(x, y, (size_t)f.n * sizeof *x);
        ukFormulaProject(&f, x);
    }
    ukHeapAddResult(&f.heap, v, x, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaPossible(const ukFormulaSystem *s, const double *y, double *qhat)
{
    ukFormulaFrame f;
    int status = beginMInverse(&f, s, qhat);
    double *const x = ukFormulaMatrix(&f, f.n, 1), *const q = ukFormulaMatrix(&f, f.n, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        ukFormulaApplyMInverse(&f, s->b, q);
        if (y) {
            memcpy(x, y, (size_t)f.n * sizeof *x);
            ukFormulaProject(&f, x);
            cblas_daxpy(f.n, 1, x, 1, q, 1);
        }
    }
    ukHeapAddResult(&f.heap, qhat, q, f.n, 1);
    return ukFormulaEnd(&f, status);
}

/* A_M^+ = M^-1 V Lambda^-1 W' = L'^-1 B^+ */
int ukFormulaMInverse(const ukFormulaSystem *s, double *X, double *P)
{
    ukFormulaFrame f;
    int status = beginMInverse(&f, s, true);
    const int n = f.n, m = f.m;
    double *const Y = ukFormulaMatrix(&f, n, m), *const R = ukFormulaMatrix(&f, n, n);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        ukSvdInverse(&f.svd, Y);
        if (m > 0) cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, m, 1, f.L, n, Y, m);
        ukMatrixIdentity(n, R);
        ukMatrixAddProduct(n, m, n, -1, ukPlain, Y, s->A, R);
    }
    ukHeapAddResult(&f.heap, X, Y, n, m);
    ukHeapAddResult(&f.heap, P, R, n, n);
    return ukFormulaEnd(&f, status);
}

/* V = L U, U the right vectors of B = A L'^-1: V'M^-1 V = U'U */
int ukFormulaMDecomposition(const ukFormulaSystem *s, double *W, double *lambda, double *V, int *rank)
{
    ukFormulaFrame f;
    int status = beginMInverse(&f, s, true);
    const int n = f.n, m = f.m, k = f.svd.least, r = f.svd.rank;
    double *const X = ukFormulaMatrix(&f, m, k), *const sigma = ukFormulaMatrix(&f, k, 1),
                  *const Y = ukFormulaMatrix(&f, n, k);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    for (int i = 0; i < r && status == ukOk; i++) {
        sigma[i] = f.svd.sigma[i];
        cblas_dcopy(m, f.svd.left + i, m, X + i, k);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, f.L, n, f.svd.right + (size_t)i * (size_t)n, 1, 0, Y + i, k);
    }
    ukHeapAddResult(&f.heap, W, X, m, k);
    ukHeapAddResult(&f.heap, lambda, sigma, k, 1);
    ukHeapAddResult(&f.heap, V, Y, n, k);
    status = ukFormulaEnd(&f, status);
    if (status == ukOk && rank) *rank = r;
    return status;
}

/* x = A_M^+ (b - A a), y = (I - A_M^+ A) z */
static int computeParts(ukFormulaFrame *f, const double *z, double **x, double **y)
{
    double *const e = ukFormulaMatrix(f, f->m, 1);
    *x = ukFormulaMatrix(f, f->n, 1);
    *y = ukFormulaMatrix(f, f->n, 1);
    if (f->heap.exhausted) return ukErrorMemory;
    ukFormulaResidual(f, f->a, e);
    ukFormulaApplyMInverse(f, e, *x);
    memcpy(*y, z, (size_t)f->n * sizeof **y);
    ukFormulaProject(f, *y);
    return ukOk;
}

int ukFormulaAcceleration(const ukFormulaSystem *s, double *qdd)
{
    ukFormulaFrame f;
    double *x = NULL, *y = NULL;
    int status = beginMInverse(&f, s, qdd);
    if (status == ukOk) status = computeParts(&f, f.c, &x, &y);
    if (status == ukOk) {
        cblas_daxpy(f.n, 1, f.a, 1, x, 1);
        cblas_daxpy(f.n, 1, y, 1, x, 1);
    }
    ukHeapAddResult(&f.heap, qdd, x, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaDeviation(const ukFormulaSystem *s, const double *z, double *first, double *second)
{
    ukFormulaFrame f;
    double *x = NULL, *y = NULL;
    int status = beginMInverse(&f, s, first && second);
    if (status == ukOk) status = computeParts(&f, z ? z : f.c, &x, &y);
    ukHeapAddResult(&f.heap, first, x, f.n, 1);
    ukHeapAddResult(&f.heap, second, y, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaForces(const ukFormulaSystem *s, double *Qi, double *Qni)
{
    ukFormulaFrame f;
    double *x = NULL, *y = NULL;
    int status = beginMInverse(&f, s, Qi && Qni);
    double *const X = ukFormulaMatrix(&f, f.n, 1), *const Y = ukFormulaMatrix(&f, f.n, 1);
    if (status == ukOk) status = computeParts(&f, f.c, &x, &y);
    if (status == ukOk) {
        ukFormulaAddMass(&f, x, X); /* M A_M^+ (b - A a) */
        ukFormulaAddMass(&f, y, Y); /* M (I - A_M^+ A) M^-1 C */
    }
    ukHeapAddResult(&f.heap, Qi, X, f.n, 1);
    ukHeapAddResult(&f.heap, Qni, Y, f.n, 1);
    return ukFormulaEnd(&f, status);
}

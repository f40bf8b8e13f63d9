/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/gauss.c: Gauss's function of an acceleration and of a force, and its excess above the minimum. */
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/formulas/frame.h"

#include <string.h>

/* |L^-1 x|^2 = x' M^-1 x; x is overwritten */
static double overMass(const ukFormulaFrame *f, double *x)
{
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, f->n, f->L, f->n, x, 1);
    return cblas_ddot(f->n, x, 1, x, 1);
}

/* x := factor y + x, y NULL: 0 */
static void addScaled(int n, double factor, const double *y, double *x)
{
    if (y) cblas_daxpy(n, factor, y, 1, x, 1);
}

static int evaluateGaussian(const ukFormulaSystem *s, const double *qhat, bool non_ideal, double *G)
{
    ukFormulaFrame f;
    int status = ukFormulaBegin(&f, s, qhat && G);
    double *const x = ukFormulaMatrix(&f, f.n, 1), *const value = ukFormulaMatrix(&f, 1, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        ukFormulaAddMass(&f, qhat, x);
        addScaled(f.n, -1, s->Q, x);
        if (non_ideal) addScaled(f.n, -1, s->C, x);
        *value = overMass(&f, x);
    }
    ukHeapAddResult(&f.heap, G, value, 1, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaGaussian(const ukFormulaSystem *s, const double *qhat, double *G)
{
    return evaluateGaussian(s, qhat, false, G);
}

int ukFormulaGaussianNonIdeal(const ukFormulaSystem *s, const double *qhat, double *G)
{
    return evaluateGaussian(s, qhat, true, G);
}

int ukFormulaMeasure(const ukFormulaSystem *s, const double *Qc, double *Gi, double *Gni)
{
    ukFormulaFrame f;
    int status = ukFormulaBegin(&f, s, Qc);
    double *const x = ukFormulaMatrix(&f, f.n, 1), *const value = ukFormulaMatrix(&f, 2, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        memcpy(x, Qc, (size_t)f.n * sizeof *x);
        value[0] = overMass(&f, x);
        memcpy(x, Qc, (size_t)f.n * sizeof *x);
        addScaled(f.n, -1, s->C, x);
        value[1] = overMass(&f, x);
    }
    ukHeapAddResult(&f.heap, Gi, value, 1, 1);
    ukHeapAddResult(&f.heap, Gni, value ? value + 1 : NULL, 1, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaExcess(const ukFormulaSystem *s, const double *qhat, double *excess)
{
    ukFormulaFrame f;
    int status = ukFormulaBegin(&f, s, qhat && excess);
    double *const d = ukFormulaMatrix(&f, f.n, 1), *const value = ukFormulaMatrix(&f, 1, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) status = ukFormulaAcceleration(s, d);
    if (status == ukOk) {
        cblas_dscal(f.n, -1, d, 1);
        addScaled(f.n, 1, qhat, d);
        cblas_dtrmv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, f.n, f.L, f.n, d, 1);
        *value = cblas_ddot(f.n, d, 1, d, 1);
    }
    ukHeapAddResult(&f.heap, excess, value, 1, 1);
    return ukFormulaEnd(&f, status);
}

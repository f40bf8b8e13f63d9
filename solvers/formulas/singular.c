/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/singular.c: Udwadia & Phohomsiri 2006: M may be singular. */
#include "solvers/formulas/singular.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

int ukFormulaSemidefinite(ukFormulaFrame *f)
{
    const int n = f->n, nwork = 3 * n;
    double *const copy = ukFormulaMatrix(f, n, n), *const eigenvalue = ukFormulaMatrix(f, n, 1),
                  *const work = ukFormulaMatrix(f, nwork, 1);
    if (f->heap.exhausted) return ukErrorMemory;
    if (!ukMatrixSymmetric(n, f->s->M)) return ukErrorMass;
    memcpy(copy, f->s->M, (size_t)n * (size_t)n * sizeof *copy);
    if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'L', n, copy, n, eigenvalue, work, nwork) != 0) return ukErrorLapack;
    return eigenvalue[0] < -64 * n * DBL_EPSILON * fabs(eigenvalue[n - 1]) ? ukErrorMass : ukOk;
}

int ukFormulaColumns(ukFormulaFrame *f, ukSvd *columns)
{
    const int n = f->n, m = f->m;
    double *const both = ukFormulaMatrix(f, n + m, n);
    if (f->heap.exhausted) return ukErrorMemory;
    memcpy(both, f->s->M, (size_t)n * (size_t)n * sizeof *both);
    for (int i = 0; i < n + m; i++) { /* rows of length 1 */
        double *const row = both + (size_t)i * (size_t)n;
        if (i >= n) memcpy(row, f->s->A + (size_t)(i - n) * (size_t)n, (size_t)n * sizeof *row);
        const double size = cblas_dnrm2(n, row, 1);
        if (size > 0) cblas_dscal(n, 1 / size, row, 1);
    }
    return ukSvdMake(&f->heap, n + m, n, both, 0, columns);
}

static int beginSingular(ukFormulaFrame *f, const ukFormulaSystem *s, bool given, ukSvd *columns)
{
    int status = ukFormulaCheck(f, s, given);
    if (status == ukOk) status = ukFormulaSemidefinite(f);
    return status == ukOk ? ukFormulaColumns(f, columns) : status;
}

/* X (n x n) = (I - A^+ A) M */
static int projectedMass(ukFormulaFrame *f, double *X)
{
    const int n = f->n;
    ukSvd rows;
    memcpy(X, f->s->M, (size_t)n * (size_t)n * sizeof *X);
    if (f->m == 0) return ukOk;
    const int status = ukSvdMake(&f->heap, f->m, n, f->s->A, f->s->tolerance, &rows);
    double *const along = ukFormulaMatrix(f, 1, n);
    if (status != ukOk || !along) return status != ukOk ? status : ukErrorMemory;
    for (int i = 0; i < rows.rank; i++) {
        const double *const v = rows.right + (size_t)i * (size_t)n;
        memset(along, 0, (size_t)n * sizeof *along);
        ukMatrixAddProduct(1, n, n, 1, ukPlain, v, f->s->M, along);
        ukMatrixAddProduct(n, 1, n, -1, ukPlain, v, along, X);
    }
    return ukOk;
}

/* qdd (n) of [weight (I - A^+ A) M; A] qdd = [weight (Q + C); b]. The weight brings both parts to one size, and has no
 * influence on the exact result. */
static int solveStackedSystem(ukFormulaFrame *f, double *qdd)
{
    const ukFormulaSystem *s = f->s;
    const size_t n = (size_t)f->n, m = (size_t)f->m;
    double *const both = ukFormulaMatrix(f, f->n + f->m, f->n), *const inverse = ukFormulaMatrix(f, f->n, f->n + f->m),
                  *const right = ukFormulaMatrix(f, f->n + f->m, 1);
    if (f->heap.exhausted) return ukErrorMemory;
    int status = projectedMass(f, both);
    if (status != ukOk) return status;
    const double mass = cblas_dnrm2((int)(n * n), both, 1);
    const double rows = m > 0 ? cblas_dnrm2((int)(n * m), s->A, 1) : 1, weight = mass > 0 && rows > 0 ? rows / mass : 1;
    cblas_dscal((int)(n * n), weight, both, 1);
    for (size_t i = 0; i < n; i++) right[i] = weight * ((s->Q ? s->Q[i] : 0) + (s->C ? s->C[i] : 0));
    if (m > 0) memcpy(both + n * n, s->A, m * n * sizeof *both);
    if (m > 0) memcpy(right + n, s->b, m * sizeof *right);
    ukSvd svd;
    status = ukSvdMake(&f->heap, f->n + f->m, f->n, both, 0, &svd);
    if (status != ukOk || svd.rank < f->n) return status != ukOk ? status : ukErrorSingular;
    ukSvdInverse(&svd, inverse);
    ukMatrixAddProduct(f->n, f->n + f->m, 1, 1, ukPlain, inverse, right, qdd);
    return ukOk;
}

int ukFormulaSingularAcceleration(const ukFormulaSystem *s, double *qdd, double *force)
{
    ukFormulaFrame f;
    ukSvd columns = {.rank = 0};
    int status = beginSingular(&f, s, qdd, &columns);
    double *const x = ukFormulaMatrix(&f, f.n, 1), *const Qc = ukFormulaMatrix(&f, f.n, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk && columns.rank < f.n) status = ukErrorSingular;
    if (status == ukOk) status = solveStackedSystem(&f, x);
    if (status == ukOk) ukFormulaAddMass(&f, x, Qc);
    for (int i = 0; i < f.n && status == ukOk && s->Q; i++) Qc[i] -= s->Q[i];
    ukHeapAddResult(&f.heap, qdd, x, f.n, 1);
    ukHeapAddResult(&f.heap, force, Qc, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaUndetermined(const ukFormulaSystem *s, double *Y, int *count)
{
    ukFormulaFrame f;
    ukSvd columns = {.rank = 0};
    int status = beginSingular(&f, s, Y, &columns);
    double *const basis = ukFormulaMatrix(&f, f.n, f.n);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    for (int i = columns.rank; i < f.n && status == ukOk; i++)
        cblas_dcopy(f.n, columns.right + (size_t)i * (size_t)f.n, 1, basis + i - columns.rank, f.n);
    ukHeapAddResult(&f.heap, Y, basis, f.n, f.n);
    const int found = f.n - columns.rank;
    status = ukFormulaEnd(&f, status);
    if (status == ukOk && count) *count = found;
    return status;
}

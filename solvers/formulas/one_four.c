/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/one_four.c: Udwadia 2000: the explicit equation by any {1,4}-inverse of B = A M^-1/2. */
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/formulas/frame.h"

#include <string.h>

/* The terms of the formulas, all scaled. */
typedef struct Parts {
    double *ideal;     /* (n) X (b - A a) */
    double *non_ideal; /* (n) (I - X B) M^-1/2 C */
} Parts;

/* y (n) += factor X x with X = B^+ + U (I - B B^+); x is overwritten */
static void applyOneFourInverse(const ukFormulaFrame *f, const double *U, double factor, double *x, double *y)
{
    const int n = f->n, m = f->m;
    for (int i = 0; i < f->svd.rank; i++) {
        const double *w = f->svd.left + i, along = cblas_ddot(m, w, m, x, 1);
        cblas_daxpy(n, factor * along / f->svd.sigma[i], f->svd.right + (size_t)i * (size_t)n, 1, y, 1);
        cblas_daxpy(m, -along, w, m, x, 1);
    }
    if (U) ukMatrixAddProduct(n, m, 1, factor, ukPlain, U, x, y);
}

static int beginOneFour(ukFormulaFrame *f, const ukFormulaSystem *s, const double *U, bool given, Parts *p)
{
    int status = ukFormulaBegin(f, s, given);
    if (status == ukOk) status = ukFormulaScale(f);
    const int n = f->n, m = f->m;
    double *const x = ukFormulaMatrix(f, m, 1);
    p->ideal = ukFormulaMatrix(f, n, 1);
    p->non_ideal = ukFormulaMatrix(f, n, 1);
    if (status == ukOk && f->heap.exhausted) status = ukErrorMemory;
    if (status == ukOk && (!ukMatrixFinite(U, n, m))) status = ukErrorNotFinite;
    if (status != ukOk) return status;
    ukFormulaResidual(f, f->a, x);
    applyOneFourInverse(f, U, 1, x, p->ideal);
    if (s->C) {
        ukMatrixAddProduct(n, n, 1, 1, ukPlain, f->inverse_root, s->C, p->non_ideal);
        memset(x, 0, (size_t)m * sizeof *x);
        ukMatrixAddProduct(m, n, 1, 1, ukPlain, f->B, p->non_ideal, x);
        applyOneFourInverse(f, U, -1, x, p->non_ideal);
    }
    return ukOk;
}

int ukFormulaOneFourAcceleration(const ukFormulaSystem *s, const double *U, double *qdd)
{
    ukFormulaFrame f;
    Parts p;
    const int status = beginOneFour(&f, s, U, qdd, &p);
    if (status == ukOk) {
        ukMatrixAddProduct(f.n, f.n, 1, 1, ukPlain, f.inverse_root, p.ideal, f.a);
        ukMatrixAddProduct(f.n, f.n, 1, 1, ukPlain, f.inverse_root, p.non_ideal, f.a);
    }
    ukHeapAddResult(&f.heap, qdd, f.a, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaOneFourMomentum(const ukFormulaSystem *s, const double *U, double *force)
{
    ukFormulaFrame f;
    Parts p;
    const int status = beginOneFour(&f, s, U, force, &p);
    if (status == ukOk) {
        memset(f.c, 0, (size_t)f.n * sizeof *f.c);
        if (s->Q) memcpy(f.c, s->Q, (size_t)f.n * sizeof *f.c);
        ukMatrixAddProduct(f.n, f.n, 1, 1, ukPlain, f.root, p.ideal, f.c);
        ukMatrixAddProduct(f.n, f.n, 1, 1, ukPlain, f.root, p.non_ideal, f.c);
    }
    ukHeapAddResult(&f.heap, force, f.c, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaOneFourForces(const ukFormulaSystem *s, const double *U, double *Qi, double *Qni)
{
    ukFormulaFrame f;
    Parts p;
    const int status = beginOneFour(&f, s, U, Qi && Qni, &p);
    if (status == ukOk) {
        memset(f.a, 0, (size_t)f.n * sizeof *f.a);
        memset(f.c, 0, (size_t)f.n * sizeof *f.c);
        ukMatrixAddProduct(f.n, f.n, 1, 1, ukPlain, f.root, p.ideal, f.a);
        ukMatrixAddProduct(f.n, f.n, 1, 1, ukPlain, f.root, p.non_ideal, f.c);
    }
    ukHeapAddResult(&f.heap, Qi, f.a, f.n, 1);
    ukHeapAddResult(&f.heap, Qni, f.c, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaOneFourR(const ukFormulaSystem *s, const double *U, double *r)
{
    ukFormulaFrame f;
    Parts p;
    int status = beginOneFour(&f, s, U, r, &p);
    double *const x = ukFormulaMatrix(&f, f.m, 1), *const y = ukFormulaMatrix(&f, f.n, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        cblas_daxpy(f.n, 1, f.c, 1, f.a, 1);
        ukFormulaResidual(&f, f.a, x);
        applyOneFourInverse(&f, U, 1, x, y);
    }
    ukHeapAddResult(&f.heap, r, y, f.n, 1);
    return ukFormulaEnd(&f, status);
}

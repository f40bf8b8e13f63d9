/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/quadratic.c: Kalaba & Udwadia 1994: Gauss's principle as a quadratic programme, solved with any
 * g-inverse A^- and any least-squares g-inverse H^-. */
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/formulas/frame.h"

#include <string.h>

typedef struct Quadratic {
    double *Ai, *N, *H, *z; /* (n x m) A^-, (n x n) I - A^- A, (n x n), (n) */
    double *Hi, *q0;        /* (n x n) H^-, (n) A^- b */
} Quadratic;

/* H has rank n - rank(A), whatever its singular values: the rank is judged on B as everywhere */
static int invertH(ukFormulaFrame *f, const double *W, Quadratic *w)
{
    const int n = f->n;
    ukSvd svd;
    const int status = ukSvdMake(&f->heap, n, n, w->H, 0, &svd);
    if (status != ukOk) return status;
    svd.rank = n - f->svd.rank;
    ukSvdInverse(&svd, w->Hi);
    if (!W) return ukOk;
    /* + (I - H^+ H) W, of the right vectors beyond the rank */
    double *const beyond = ukFormulaMatrix(f, n, n);
    if (!beyond) return ukErrorMemory;
    const double *v = svd.right + (size_t)svd.rank * (size_t)n;
    ukMatrixAddProduct(n, n - svd.rank, n, 1, ukLeftTransposed, v, v, beyond);
    ukMatrixAddProduct(n, n, n, 1, ukPlain, beyond, W, w->Hi);
    return ukOk;
}

/* A^- of the rank of B */
static int invertA(ukFormulaFrame *f, const double *U, Quadratic *w)
{
    const int n = f->n, m = f->m;
    ukSvd svd;
    const int status = ukSvdMake(&f->heap, m, n, f->s->A, 0, &svd);
    if (status != ukOk) return status;
    svd.rank = f->svd.rank;
    ukSvdInverse(&svd, w->Ai);
    if (!U || m == 0) return ukOk;
    double *const R = ukFormulaMatrix(f, n, n), *const S = ukFormulaMatrix(f, m, m),
                  *const T = ukFormulaMatrix(f, n, m);
    if (f->heap.exhausted) return ukErrorMemory;
    ukMatrixAddProduct(n, svd.rank, n, 1, ukLeftTransposed, svd.right, svd.right, R); /* A^+ A */
    for (int i = 0; i < svd.rank; i++) cblas_dger(CblasRowMajor, m, m, 1, svd.left + i, m, svd.left + i, m, S, m);
    ukMatrixAddProduct(n, m, m, 1, ukPlain, U, S, T);
    ukMatrixAddProduct(n, n, m, -1, ukPlain, R, T, w->Ai);
    for (size_t i = 0; i < (size_t)n * (size_t)m; i++) w->Ai[i] += U[i];
    return ukOk;
}

static int beginQuadratic(ukFormulaFrame *f, const ukFormulaSystem *s, const ukFormulaChoice *choice, bool given,
                          Quadratic *w)
{
    *w = (Quadratic){.Ai = NULL};
    int status = ukFormulaBegin(f, s, given);
    if (status == ukOk) status = ukFormulaScale(f);
    if (status != ukOk) return status;
    const int n = f->n, m = f->m;
    w->Ai = ukFormulaMatrix(f, n, m), w->N = ukFormulaMatrix(f, n, n), w->H = ukFormulaMatrix(f, n, n);
    w->Hi = ukFormulaMatrix(f, n, n), w->z = ukFormulaMatrix(f, n, 1), w->q0 = ukFormulaMatrix(f, n, 1);
    double *const d = ukFormulaMatrix(f, n, 1);
    if (f->heap.exhausted) return ukErrorMemory;
    status = invertA(f, choice ? choice->U : NULL, w);
    if (status != ukOk) return status;
    ukMatrixIdentity(n, w->N);
    ukMatrixAddProduct(n, m, n, -1, ukPlain, w->Ai, s->A, w->N);
    ukMatrixAddProduct(n, n, n, 1, ukPlain, f->root, w->N, w->H);
    ukMatrixAddProduct(n, m, 1, 1, ukPlain, w->Ai, s->b, w->q0);
    for (int i = 0; i < n; i++) d[i] = f->a[i] + f->c[i] - w->q0[i];
    ukMatrixAddProduct(n, n, 1, 1, ukPlain, f->root, d, w->z);
    return invertH(f, choice ? choice->W : NULL, w);
}

int ukFormulaQuadratic(const ukFormulaSystem *s, const ukFormulaChoice *choice, double *H, double *z)
{
    ukFormulaFrame f;
    Quadratic w;
    const int status = beginQuadratic(&f, s, choice, true, &w);
    ukHeapAddResult(&f.heap, H, w.H, f.n, f.n);
    ukHeapAddResult(&f.heap, z, w.z, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaQuadraticAcceleration(const ukFormulaSystem *s, const ukFormulaChoice *choice, double *qdd)
{
    ukFormulaFrame f;
    Quadratic w;
    int status = beginQuadratic(&f, s, choice, qdd, &w);
    const int n = f.n;
    double *const h = ukFormulaMatrix(&f, n, 1), *const Hw = ukFormulaMatrix(&f, n, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        ukMatrixAddProduct(n, n, 1, 1, ukPlain, w.Hi, w.z, h);
        if (choice && choice->w) { /* + (I - H^- H) w */
            ukMatrixAddProduct(n, n, 1, 1, ukPlain, w.H, choice->w, Hw);
            ukMatrixAddProduct(n, n, 1, -1, ukPlain, w.Hi, Hw, h);
            cblas_daxpy(n, 1, choice->w, 1, h, 1);
        }
        ukMatrixAddProduct(n, n, 1, 1, ukPlain, w.N, h, w.q0);
    }
    ukHeapAddResult(&f.heap, qdd, w.q0, n, 1);
    return ukFormulaEnd(&f, status);
}

/* y (n) += factor X x, X = (I - A^- A) H^- M^1/2; u and v are scratch */
static void addX(const ukFormulaFrame *f, const Quadratic *w, double factor, const double *x, double *u, double *v,
                 double *y)
{
    const int n = f->n;
    memset(u, 0, (size_t)n * sizeof *u), memset(v, 0, (size_t)n * sizeof *v);
    ukMatrixAddProduct(n, n, 1, 1, ukPlain, f->root, x, u);
    ukMatrixAddProduct(n, n, 1, 1, ukPlain, w->Hi, u, v);
    ukMatrixAddProduct(n, n, 1, factor, ukPlain, w->N, v, y);
}

/* M (X a' + A^- b - X A^- b) - Q - C */
int ukFormulaControlForce(const ukFormulaSystem *s, const ukFormulaChoice *choice, double *force)
{
    ukFormulaFrame f;
    Quadratic w;
    int status = beginQuadratic(&f, s, choice, force, &w);
    const int n = f.n;
    double *const u = ukFormulaMatrix(&f, n, 1), *const v = ukFormulaMatrix(&f, n, 1),
                  *const y = ukFormulaMatrix(&f, n, 1), *const F = ukFormulaMatrix(&f, n, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        cblas_daxpy(n, 1, f.c, 1, f.a, 1);
        cblas_daxpy(n, 1, w.q0, 1, y, 1);
        addX(&f, &w, 1, f.a, u, v, y);
        addX(&f, &w, -1, w.q0, u, v, y);
        ukFormulaAddMass(&f, y, F);
        if (s->Q) cblas_daxpy(n, -1, s->Q, 1, F, 1);
        if (s->C) cblas_daxpy(n, -1, s->C, 1, F, 1);
    }
    ukHeapAddResult(&f.heap, force, F, n, 1);
    return ukFormulaEnd(&f, status);
}

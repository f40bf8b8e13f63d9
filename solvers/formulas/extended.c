/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/extended.c: Udwadia, Kalaba & Hee-Chang 1997: the extended principle of D'Alembert, by plain linear
 * algebra with an orthonormal basis V of the null space of B = A M^-1/2. */
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/formulas/frame.h"

#include <string.h>

/* In the paper's letters; J from the singular values, D + E = sum sigma^2 v v' over the rank + sum v v' beyond it. */
typedef struct Extended {
    double *D, *E, *J, *as; /* (n x n), (n) */
    int rank, rows;         /* rows of L */
} Extended;

static int beginExtended(ukFormulaFrame *f, const ukFormulaSystem *s, bool given, Extended *w)
{
    *w = (Extended){.rank = 0};
    int status = ukFormulaBegin(f, s, given);
    if (status == ukOk) status = ukFormulaScale(f);
    if (status != ukOk) return status;
    const int n = f->n, m = f->m;
    w->D = ukFormulaMatrix(f, n, n), w->E = ukFormulaMatrix(f, n, n), w->J = ukFormulaMatrix(f, n, n);
    w->as = ukFormulaMatrix(f, n, 1);
    if (f->heap.exhausted) return ukErrorMemory;
    w->rank = f->svd.rank, w->rows = 2 * n + m - w->rank;
    ukMatrixAddProduct(n, m, n, 1, ukLeftTransposed, f->B, f->B, w->D);
    for (int i = 0; i < n; i++) {
        const double *v = f->svd.right + (size_t)i * (size_t)n;
        const double square = i < w->rank ? f->svd.sigma[i] * f->svd.sigma[i] : 1;
        if (i >= w->rank) cblas_dger(CblasRowMajor, n, n, 1, v, 1, v, 1, w->E, n);
        cblas_dger(CblasRowMajor, n, n, 1 / square, v, 1, v, 1, w->J, n);
    }
    ukFormulaScaledForce(f, w->as);
    return ukOk;
}

int ukFormulaScaled(const ukFormulaSystem *s, double *B, double *as)
{
    ukFormulaFrame f;
    Extended w;
    const int status = beginExtended(&f, s, true, &w);
    ukHeapAddResult(&f.heap, B, f.B, f.m, f.n);
    ukHeapAddResult(&f.heap, as, w.as, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaNullBasis(const ukFormulaSystem *s, double *V, int *rank)
{
    ukFormulaFrame f;
    Extended w;
    int status = beginExtended(&f, s, V, &w);
    double *const X = ukFormulaMatrix(&f, f.n, f.n);
    if (status == ukOk && !X) status = ukErrorMemory;
    for (int i = w.rank; i < f.n && status == ukOk; i++)
        cblas_dcopy(f.n, f.svd.right + (size_t)i * (size_t)f.n, 1, X + i - w.rank, f.n);
    ukHeapAddResult(&f.heap, V, X, f.n, f.n);
    status = ukFormulaEnd(&f, status);
    if (status == ukOk && rank) *rank = w.rank;
    return status;
}

int ukFormulaExtended(const ukFormulaSystem *s, double *D, double *E, double *J)
{
    ukFormulaFrame f;
    Extended w;
    const int status = beginExtended(&f, s, true, &w);
    ukHeapAddResult(&f.heap, D, w.D, f.n, f.n);
    ukHeapAddResult(&f.heap, E, w.E, f.n, f.n);
    ukHeapAddResult(&f.heap, J, w.J, f.n, f.n);
    return ukFormulaEnd(&f, status);
}

/* y (n) = root J (B'x + E as), as NULL: without it; x (m) */
static void applyJ(ukFormulaFrame *f, const Extended *w, const double *root, const double *x, const double *as,
                   double *y)
{
    const int n = f->n;
    double *const u = f->a, *const v = f->c; /* not needed any more */
    memset(u, 0, (size_t)n * sizeof *u), memset(v, 0, (size_t)n * sizeof *v);
    ukMatrixAddProduct(n, f->m, 1, 1, ukLeftTransposed, f->B, x, u);
    if (as) ukMatrixAddProduct(n, n, 1, 1, ukPlain, w->E, as, u);
    ukMatrixAddProduct(n, n, 1, 1, ukPlain, w->J, u, v);
    ukMatrixAddProduct(n, n, 1, 1, ukPlain, root, v, y);
}

int ukFormulaExtendedAcceleration(const ukFormulaSystem *s, double *qdd)
{
    ukFormulaFrame f;
    Extended w;
    int status = beginExtended(&f, s, qdd, &w);
    double *const y = ukFormulaMatrix(&f, f.n, 1);
    if (status == ukOk && !y) status = ukErrorMemory;
    if (status == ukOk) applyJ(&f, &w, f.inverse_root, s->b, w.as, y);
    ukHeapAddResult(&f.heap, qdd, y, f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaExtendedForce(const ukFormulaSystem *s, double *force)
{
    ukFormulaFrame f;
    Extended w;
    int status = beginExtended(&f, s, force, &w);
    double *const x = ukFormulaMatrix(&f, f.m, 1), *const y = ukFormulaMatrix(&f, f.n, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        ukFormulaResidual(&f, NULL, x);
        ukMatrixAddProduct(f.m, f.n, 1, -1, ukPlain, f.B, w.as, x); /* b - B a_s */
        applyJ(&f, &w, f.root, x, NULL, y);
    }
    ukHeapAddResult(&f.heap, force, y, f.n, 1);
    return ukFormulaEnd(&f, status);
}

/* L (2n + m x 2n) and s (2n + m), of the frame's heap. ukOk, ukErrorMemory */
static int makeSystem(ukFormulaFrame *f, const Extended *w, double **L, double **rhs)
{
    const size_t n = (size_t)f->n, m = (size_t)f->m, columns = 2 * n;
    *L = ukFormulaMatrix(f, 2 * f->n + f->m, 2 * f->n);
    *rhs = ukFormulaMatrix(f, 2 * f->n + f->m, 1);
    if (f->heap.exhausted) return ukErrorMemory;
    for (size_t i = 0; i < n; i++) {
        (*L)[i * columns + i] = 1, (*L)[i * columns + n + i] = -1;
        (*rhs)[i] = w->as[i];
    }
    for (size_t i = 0; i < m; i++) {
        memcpy(*L + (n + i) * columns, f->B + i * n, n * sizeof **L);
        (*rhs)[n + i] = f->s->b[i];
    }
    for (size_t i = (size_t)w->rank; i < n; i++)
        memcpy(*L + (n + m + i - (size_t)w->rank) * columns + n, f->svd.right + i * n, n * sizeof **L);
    return ukOk;
}

int ukFormulaExtendedSystem(const ukFormulaSystem *s, double *L, double *rhs, int *rows)
{
    ukFormulaFrame f;
    Extended w;
    double *X = NULL, *x = NULL;
    int status = beginExtended(&f, s, L && rhs, &w);
    if (status == ukOk) status = makeSystem(&f, &w, &X, &x);
    ukHeapAddResult(&f.heap, L, X, 2 * f.n + f.m, 2 * f.n);
    ukHeapAddResult(&f.heap, rhs, x, 2 * f.n + f.m, 1);
    status = ukFormulaEnd(&f, status);
    if (status == ukOk && rows) *rows = w.rows;
    return status;
}

int ukFormulaExtendedNormal(const ukFormulaSystem *s, const double *W, double *G, double *g)
{
    ukFormulaFrame f;
    Extended w;
    double *L = NULL, *x = NULL, *WL = NULL;
    int status = beginExtended(&f, s, true, &w);
    if (status == ukOk) status = makeSystem(&f, &w, &L, &x);
    double *const X = ukFormulaMatrix(&f, 2 * f.n, 2 * f.n), *const y = ukFormulaMatrix(&f, 2 * f.n, 1);
    if (W) WL = ukFormulaMatrix(&f, w.rows, 2 * f.n);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        if (W) ukMatrixAddProduct(w.rows, w.rows, 2 * f.n, 1, ukPlain, W, L, WL);
        ukMatrixAddProduct(2 * f.n, w.rows, 2 * f.n, 1, ukLeftTransposed, L, W ? WL : L, X);
        ukMatrixAddProduct(2 * f.n, w.rows, 1, 1, ukLeftTransposed, W ? WL : L, x, y);
    }
    ukHeapAddResult(&f.heap, G, X, 2 * f.n, 2 * f.n);
    ukHeapAddResult(&f.heap, g, y, 2 * f.n, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaExtendedInverse(const ukFormulaSystem *s, double *P, double *J, double *S)
{
    ukFormulaFrame f;
    Extended w;
    int status = beginExtended(&f, s, P && J && S, &w);
    const int n = f.n;
    double *const X = ukFormulaMatrix(&f, n, n), *const Y = ukFormulaMatrix(&f, n, n);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        memcpy(X, w.J, (size_t)n * (size_t)n * sizeof *X);
        memcpy(Y, w.J, (size_t)n * (size_t)n * sizeof *Y);
        ukMatrixAddProduct(n, n, n, 1, ukPlain, w.E, w.J, X);
        ukMatrixAddProduct(n, n, n, 1, ukPlain, w.D, w.J, Y);
    }
    ukHeapAddResult(&f.heap, P, X, n, n);
    ukHeapAddResult(&f.heap, J, w.J, n, n);
    ukHeapAddResult(&f.heap, S, Y, n, n);
    return ukFormulaEnd(&f, status);
}

/* r (2n) of least |K'(L r - s)|, W = K K', by a QR factorization of K'L */
static int leastSquares(ukFormulaFrame *f, int rows, const double *W, const double *L, const double *s, double *r)
{
    const int columns = 2 * f->n, nwork = 64 * columns;
    double *const K = ukFormulaMatrix(f, rows, rows), *const X = ukFormulaMatrix(f, rows, columns),
                  *const x = ukFormulaMatrix(f, rows, 1), *const tau = ukFormulaMatrix(f, columns, 1),
                  *const work = ukFormulaMatrix(f, nwork, 1);
    if (f->heap.exhausted) return ukErrorMemory;
    for (int i = 0; i < rows; i++)
        cblas_dcopy(columns, L + (size_t)i * (size_t)columns, 1, X + i, rows); /* column-major */
    memcpy(x, s, (size_t)rows * sizeof *x);
    if (W) {
        const int status = ukMatrixCholesky(&f->heap, rows, W, K);
        if (status != ukOk) return status == ukErrorMass ? ukErrorSingular : status;
        /* K row-major lower is K' column-major upper */
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, rows, columns, 1, K, rows, X,
                    rows);
        cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, rows, K, rows, x, 1);
    }
    if (!ukMatrixFinite(X, rows, columns) || !ukMatrixFinite(x, rows, 1)) return ukErrorNotFinite;
    if (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, columns, X, rows, tau, work, nwork) != 0 ||
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, 1, columns, X, rows, tau, x, rows, work, nwork) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', columns, 1, X, rows, x, rows) != 0)
        return ukErrorLapack;
    memcpy(r, x, (size_t)columns * sizeof *r);
    return ukOk;
}

int ukFormulaExtendedWeighted(const ukFormulaSystem *s, const double *W, double *r, double *qdd, double *force)
{
    ukFormulaFrame f;
    Extended w;
    double *L = NULL, *x = NULL;
    int status = beginExtended(&f, s, true, &w);
    const int n = f.n;
    double *const y = ukFormulaMatrix(&f, 2 * n, 1), *const q = ukFormulaMatrix(&f, n, 1),
                  *const F = ukFormulaMatrix(&f, n, 1);
    if (status == ukOk) status = makeSystem(&f, &w, &L, &x);
    if (status == ukOk) status = leastSquares(&f, w.rows, W, L, x, y);
    if (status == ukOk) {
        ukMatrixAddProduct(n, n, 1, 1, ukPlain, f.inverse_root, y, q);
        ukMatrixAddProduct(n, n, 1, 1, ukPlain, f.root, y + n, F);
    }
    ukHeapAddResult(&f.heap, r, y, 2 * n, 1);
    ukHeapAddResult(&f.heap, qdd, q, n, 1);
    ukHeapAddResult(&f.heap, force, F, n, 1);
    return ukFormulaEnd(&f, status);
}

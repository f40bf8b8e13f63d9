/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/inverses.c: generalized inverses of a matrix, each with all that its definition leaves open. */
#include "solvers/base/status.h"
#include "solvers/formulas/formulas.h"
#include "solvers/formulas/matrix.h"

#include <float.h>
#include <string.h>

/* A decomposed, and X = A^+ to begin with */
typedef struct Inverse {
    ukHeap heap;
    ukSvd svd;
    double *X, *T, *Z; /* (n x m), (n x m), (square of the larger) */
} Inverse;

static int beginInverses(Inverse *w, int m, int n, const double *A, double tolerance, bool given)
{
    *w = (Inverse){.svd.rank = 0};
    if (!given || m < 0 || n <= 0 || m > 10000 || n > 10000 || (m > 0 && !A) || !(tolerance >= 0 && tolerance < 1))
        return ukErrorArgument;
    w->X = ukHeapMatrix(&w->heap, n, m);
    w->T = ukHeapMatrix(&w->heap, n, m);
    w->Z = ukHeapMatrix(&w->heap, n > m ? n : m, n > m ? n : m);
    const int status = ukSvdMake(&w->heap, m, n, A, tolerance, &w->svd);
    if (status == ukOk) ukSvdInverse(&w->svd, w->X);
    return status;
}

static int inversesEnd(Inverse *w, int status, double *X)
{
    ukHeapAddResult(&w->heap, X, w->X, w->svd.n, w->svd.m);
    return ukHeapEnd(&w->heap, status);
}

/* T = U A A^+ , of the left vectors that count; Z is overwritten */
static void projectRight(Inverse *w, const double *U)
{
    const int m = w->svd.m;
    memset(w->Z, 0, (size_t)m * (size_t)m * sizeof *w->Z);
    for (int i = 0; i < w->svd.rank; i++)
        for (size_t r = 0; r < (size_t)m; r++)
            for (size_t c = 0; c < (size_t)m; c++)
                w->Z[r * (size_t)m + c] +=
                    w->svd.left[r * (size_t)m + (size_t)i] * w->svd.left[c * (size_t)m + (size_t)i];
    ukMatrixAddProduct(w->svd.n, m, m, 1, ukPlain, U, w->Z, w->T);
}

/* X += factor A^+ A T; Z is overwritten */
static void addProjectedLeft(Inverse *w, double factor, const double *T)
{
    const int n = w->svd.n;
    memset(w->Z, 0, (size_t)n * (size_t)n * sizeof *w->Z);
    ukMatrixAddProduct(n, w->svd.rank, n, 1, ukLeftTransposed, w->svd.right, w->svd.right, w->Z);
    ukMatrixAddProduct(n, n, w->svd.m, factor, ukPlain, w->Z, T, w->X);
}

static void addToInverse(Inverse *w, const double *U)
{
    for (size_t i = 0; i < (size_t)w->svd.n * (size_t)w->svd.m; i++) w->X[i] += U[i];
}

int ukFormulaPseudoinverse(int m, int n, const double *A, double tolerance, double *X)
{
    Inverse w;
    return inversesEnd(&w, beginInverses(&w, m, n, A, tolerance, X), X);
}

int ukFormulaGInverse(int m, int n, const double *A, const double *U, double tolerance, double *X)
{
    Inverse w;
    const int status = beginInverses(&w, m, n, A, tolerance, X);
    if (status == ukOk && U) {
        projectRight(&w, U);
        addProjectedLeft(&w, -1, w.T);
        addToInverse(&w, U);
    }
    return inversesEnd(&w, status, X);
}

int ukFormulaLeastSquaresInverse(int m, int n, const double *H, const double *U, double tolerance, double *X)
{
    Inverse w;
    const int status = beginInverses(&w, m, n, H, tolerance, X);
    if (status == ukOk && U) {
        addProjectedLeft(&w, -1, U);
        addToInverse(&w, U);
    }
    return inversesEnd(&w, status, X);
}

int ukFormulaOneFourInverse(int m, int n, const double *B, const double *U, double tolerance, double *X)
{
    Inverse w;
    const int status = beginInverses(&w, m, n, B, tolerance, X);
    if (status == ukOk && U) {
        projectRight(&w, U);
        for (size_t i = 0; i < (size_t)n * (size_t)m; i++) w.X[i] += U[i] - w.T[i];
    }
    return inversesEnd(&w, status, X);
}

int ukFormulaRoot(int n, const double *M, double *root, double *inverse_root)
{
    ukHeap heap = {.blocks = 0};
    if (n <= 0 || n > 10000 || !M) return ukErrorArgument;
    double *const L = ukHeapMatrix(&heap, n, n), *const R = ukHeapMatrix(&heap, n, n),
                  *const S = ukHeapMatrix(&heap, n, n);
    int status = ukMatrixCholesky(&heap, n, M, L);
    if (status == ukOk) status = ukMatrixRoots(&heap, n, L, R, S);
    ukHeapAddResult(&heap, root, R, n, n);
    ukHeapAddResult(&heap, inverse_root, S, n, n);
    return ukHeapEnd(&heap, status);
}

int ukFormulaInner(int n, const double *x, const double *Y, const double *y, double *value)
{
    double sum = 0;
    if (n < 0 || !x || !y || !Y || !value) return ukErrorArgument;
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)n; j++) sum += x[i] * Y[i * (size_t)n + j] * y[j];
    if (!(sum >= -DBL_MAX && sum <= DBL_MAX)) return ukErrorNotFinite;
    *value = sum;
    return ukOk;
}

const char *ukFormulaErrorString(int status)
{
    switch (status) {
    case ukOk: return "success";
    case ukErrorArgument: return "an argument is NULL or out of range";
    case ukErrorNotFinite: return "NaN or infinity in the input or in the result";
    case ukErrorMass: return "the mass matrix is not symmetric and positive definite";
    case ukErrorSingular: return "a matrix that must be invertible is singular";
    case ukErrorMemory: return "no memory";
    case ukErrorLapack: return "LAPACK failed";
    case ukErrorCallback: return "the constraint function returned an error";
    default: return "unknown status";
    }
}

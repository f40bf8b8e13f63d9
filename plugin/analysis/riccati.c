/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/riccati.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* Matrices (n x n), column-major. */
typedef struct Doubling {
    int n;
    double *A, *G, *H; /* of the iteration */
    double *W, *X, *T; /* scratch; X has the capacity of two */
    lapack_int *pivot;
    void *memory;
} Doubling;

static int reserveDoubling(Doubling *d, int n)
{
    const size_t square = (size_t)n * (size_t)n;
    *d = (Doubling){.n = n};
    double *const x = d->memory = malloc(7 * square * sizeof *x + ((size_t)n + 1) * sizeof *d->pivot);
    if (!x) return ukErrorSet(ukErrorMemory, "no memory for a Riccati equation (states: %d)", n);
    d->A = x;
    d->G = x + square;
    d->H = x + 2 * square;
    d->W = x + 3 * square;
    d->T = x + 4 * square;
    d->X = x + 5 * square;
    d->pivot = (lapack_int *)(x + 7 * square);
    return ukOk;
}

static int refuseRiccati(void)
{
    return ukErrorSet(ukErrorNotConverged,
                      "the inputs cannot stabilize this state: no input acts on an unstable or undamped mode");
}

/* C = a A B + b C, A transposed on demand */
static void multiplyAdd(int n, bool transposed, double a, const double *A, const double *B, double b, double *C)
{
    cblas_dgemm(CblasColMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, n, n, n, a, A, n, B, n, b, C, n);
}

/* C = a A B' + b C */
static void multiplyByTransposed(int n, double a, const double *A, const double *B, double b, double *C)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, a, A, n, B, n, b, C, n);
}

/* B (n x columns) := A^-1 B; A is overwritten */
static int solveFor(const Doubling *d, double *A, double *B, int columns)
{
    return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, d->n, columns, A, d->n, d->pivot, B, d->n) == 0 ? ukOk
                                                                                                : refuseRiccati();
}

static void transposeSquare(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double x = A[i + j * n];
            A[i + j * n] = A[j + i * n];
            A[j + i * n] = x;
        }
}

static void symmetrizeSquare(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) A[i + j * n] = A[j + i * n] = 0.5 * (A[i + j * n] + A[j + i * n]);
}

static double sizeOf(int n, const double *A)
{
    return cblas_ddot(n * n, A, 1, A, 1);
}

/* The continuous equation as a discrete one: with A_g = A - g I, W = A_g' + H A_g^-1 G,
 *      A_0 = I + 2 g W^-T,   G_0 = 2 g A_g^-1 G W^-1,   H_0 = 2 g W^-1 H A_g^-1. */
static int transformCayley(Doubling *d, double g)
{
    const int n = d->n;
    const size_t square = (size_t)(n * n), bytes = square * sizeof *d->A;
    double *const inverse = d->X + square; /* A_g^-1 */
    for (int i = 0; i < n; i++) d->A[i + i * n] -= g;
    memcpy(d->W, d->A, bytes);
    memset(inverse, 0, bytes);
    for (int i = 0; i < n; i++) inverse[i + i * n] = 1;
    int status = solveFor(d, d->W, inverse, n);
    if (status != ukOk) return status;
    multiplyAdd(n, false, 1, inverse, d->G, 0, d->T); /* T = A_g^-1 G */
    memcpy(d->W, d->A, bytes);
    transposeSquare(n, d->W);
    multiplyAdd(n, false, 1, d->H, d->T, 1, d->W); /* W */
    memset(d->X, 0, bytes);
    for (int i = 0; i < n; i++) d->X[i + i * n] = 1;
    status = solveFor(d, d->W, d->X, n); /* X = W^-1 */
    if (status != ukOk) return status;
    multiplyAdd(n, false, 2 * g, d->T, d->X, 0, d->G);
    multiplyAdd(n, false, 1, d->H, inverse, 0, d->T);
    multiplyAdd(n, false, 2 * g, d->X, d->T, 0, d->H);
    transposeSquare(n, d->X);
    for (size_t i = 0; i < square; i++) d->A[i] = 2 * g * d->X[i];
    for (int i = 0; i < n; i++) d->A[i + i * n] += 1;
    symmetrizeSquare(n, d->G);
    symmetrizeSquare(n, d->H);
    return ukOk;
}

/* With W = I + G H:  A := A W^-1 A,  G += A W^-1 G A',  H += A' H W^-1 A; *change: of H, relative */
static int stepDoubling(Doubling *d, double *change)
{
    const int n = d->n;
    const size_t square = (size_t)(n * n), bytes = square * sizeof *d->A;
    double *const V = d->X, *const U = d->X + square;
    multiplyAdd(n, false, 1, d->G, d->H, 0, d->W);
    for (int i = 0; i < n; i++) d->W[i + i * n] += 1;
    memcpy(V, d->A, bytes);
    memcpy(U, d->G, bytes);
    const int status = solveFor(d, d->W, V, 2 * n); /* V = W^-1 A, U = W^-1 G */
    if (status != ukOk) return status;
    multiplyAdd(n, false, 1, d->H, V, 0, d->T);
    multiplyAdd(n, true, 1, d->A, d->T, 0, d->W); /* W = A' H V, the change of H */
    *change = sizeOf(n, d->W);
    for (size_t i = 0; i < square; i++) d->H[i] += d->W[i];
    *change = sqrt(*change / sizeOf(n, d->H));
    multiplyAdd(n, false, 1, d->A, U, 0, d->T);
    multiplyByTransposed(n, 1, d->T, d->A, 1, d->G);
    multiplyAdd(n, false, 1, d->A, V, 0, d->T);
    memcpy(d->A, d->T, bytes);
    symmetrizeSquare(n, d->G);
    symmetrizeSquare(n, d->H);
    return isfinite(*change) ? ukOk : refuseRiccati();
}

int ukRiccatiSolve(int n, bool discrete, double gamma, const double *A, const double *G, const double *Q, double *X)
{
    enum { Most = 60 };
    static const double rounding = 1e-15;
    const size_t bytes = (size_t)n * (size_t)n * sizeof *A;
    double change = INFINITY;
    Doubling d;
    int status = reserveDoubling(&d, n);
    if (status != ukOk) return status;
    memcpy(d.A, A, bytes);
    memcpy(d.G, G, bytes);
    memcpy(d.H, Q, bytes);
    transposeSquare(n, d.A);
    if (!discrete) status = transformCayley(&d, gamma);
    for (int k = 0; k < Most && status == ukOk && change > rounding; k++) status = stepDoubling(&d, &change);
    if (status == ukOk && change > rounding) status = refuseRiccati();
    if (status == ukOk) memcpy(X, d.H, bytes);
    free(d.memory);
    return status;
}

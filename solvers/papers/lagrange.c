/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/lagrange.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* In x = M^1/2 (qdd - a') the mass matrix is I and the force 0: S [x; lambda] = [0; b - A a'], S = [I -B'; B 0] */
typedef struct System {
    double *S, *LU; /* (n + m)^2, and its factors */
    double *dgerfs; /* LAPACK's */
    int *pivot, *idgerfs;
} System;

static System carveLagrange(size_t size, ukArena *arena)
{
    System w;
    UKODE_DOUBLES(arena, size * size, &w.S, &w.LU);
    w.dgerfs = ukArenaDoubles(arena, 3 * size);
    w.pivot = ukArenaInts(arena, size);
    w.idgerfs = ukArenaInts(arena, size);
    return w;
}

size_t ukLagrangeScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    ukArenaBytes(&measure, ukDenseFrameScratch(n, m));
    carveLagrange((size_t)(n + m), &measure);
    return measure.used;
}

/* the rank, which must be full */
static int prepareLagrange(ukDenseFrame *f)
{
    if (f->m > f->n) return ukErrorSingular;
    const int status = ukDenseCountRank(f, "NN");
    if (status != ukOk) return status;
    return f->rank < f->m ? ukErrorSingular : ukOk;
}

/* Measured in the smallest singular value of B, the matrix has a condition number like that of B; in its own units it
 * would be the square. */
static void assembleMatrix(const ukDenseFrame *f, const System *w, double unit)
{
    const int n = f->n, m = f->m, size = n + m;
    memset(w->S, 0, (size_t)size * (size_t)size * sizeof *w->S);
    memset(f->y, 0, (size_t)n * sizeof *f->y);
    for (int c = 0; c < n; c++) w->S[(size_t)c * (size_t)(size + 1)] = 1;
    for (int i = 0; i < m; i++) {
        f->y[n + i] = f->r[i] / unit;
        for (int c = 0; c < n; c++) {
            const double B = f->Bt[(size_t)i * (size_t)n + (size_t)c] / unit;
            w->S[(size_t)(n + i) * (size_t)size + (size_t)c] = -B;
            w->S[(size_t)c * (size_t)size + (size_t)(n + i)] = B;
        }
    }
}

/* x of S x = y; refinement satisfies every single equation to rounding, not only the largest of them */
static int solveAndRefine(const System *w, int size, const double *y, double *x)
{
    double forward, backward;
    if (size == 0) return ukOk;
    memcpy(w->LU, w->S, (size_t)size * (size_t)size * sizeof *w->LU);
    memcpy(x, y, (size_t)size * sizeof *x);
    const int info = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, size, 1, w->LU, size, w->pivot, x, size);
    if (info != 0) return info > 0 ? ukErrorSingular : ukErrorLapack;
    return LAPACKE_dgerfs_work(LAPACK_COL_MAJOR, 'N', size, 1, w->S, size, w->LU, size, w->pivot, y, size, x, size,
                               &forward, &backward, w->dgerfs, w->idgerfs) == 0
               ? ukOk
               : ukErrorLapack;
}

int ukLagrangeSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    ukDenseFrame f;
    const int n = p->n, m = p->m;
    int status = ukDenseBegin(&f, prepareLagrange, NULL, p, rank_tolerance, scratch);
    const System w = carveLagrange((size_t)(n + m), scratch);
    if (status == ukOk && scratch->exhausted) status = ukErrorMemory;
    if (status != ukOk) return ukDenseEnd(&f, status, s);

    const double unit = m > 0 ? f.sigma[m - 1] : 1;
    ukDenseResidual(&f);
    assembleMatrix(&f, &w, unit);
    status = solveAndRefine(&w, n + m, f.y, f.x);
    if (status != ukOk) return ukDenseEnd(&f, status, s);
    for (int i = 0; i < m; i++) f.lambda[i] = f.x[n + i] / unit;
    ukDenseUnscale(&f, f.x); /* qdd = a' + M^-1/2 x */
    cblas_daxpy(n, 1, f.x, 1, f.q, 1);
    return ukDenseEnd(&f, status, s);
}

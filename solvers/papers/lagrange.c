#include "solvers/papers/lagrange.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* In x = M^1/2 (qdd - a') the mass matrix is I and the force 0: S [x; lambda] = [0; b - A a'], S = [I -B'; B 0] */
typedef struct System {
    double *copy, *sigma; /* (n x m) B' for the singular values, (m) */
    double *S, *LU;       /* (n + m)^2, and its factors */
    double *rhs, *x;      /* (n + m) */
    double *dgerfs;       /* LAPACK's */
    int *pivot, *idgerfs;
} System;

static void carve(ukDenseFrame *f, void *own)
{
    System *w = own;
    const size_t n = (size_t)f->n, m = (size_t)f->m, size = n + m;
    w->copy = ukArenaDoubles(f->arena, n * m);
    w->sigma = ukArenaDoubles(f->arena, m);
    w->S = ukArenaDoubles(f->arena, size * size);
    w->LU = ukArenaDoubles(f->arena, size * size);
    w->rhs = ukArenaDoubles(f->arena, size);
    w->x = ukArenaDoubles(f->arena, size);
    w->dgerfs = ukArenaDoubles(f->arena, 3 * size);
    w->pivot = ukArenaInts(f->arena, size);
    w->idgerfs = ukArenaInts(f->arena, size);
    ukDenseWork(f, 5 * size + 1);
}

size_t ukLagrangeScratch(int n, int m)
{
    System w;
    return ukDenseMeasure(n, m, carve, &w);
}

static int countRank(ukDenseFrame *f, System *w)
{
    if (f->m > f->n) return ukErrorSingular;
    memcpy(w->copy, f->Bt, (size_t)f->n * (size_t)f->m * sizeof *w->copy);
    const int status = ukDenseDecompose(f, "NN", f->m, w->copy, w->sigma, NULL, NULL);
    if (status != ukOk) return status;
    ukDenseSetRank(f, w->sigma);
    return f->rank < f->m ? ukErrorSingular : ukOk;
}

/* Measured in the smallest singular value of B, the matrix has a condition number like that of B; in its own units it
 * would be the square. */
static void assemble(ukDenseFrame *f, System *w, double unit)
{
    const int n = f->n, m = f->m, size = n + m;
    memset(w->S, 0, (size_t)size * (size_t)size * sizeof *w->S);
    memset(w->rhs, 0, (size_t)n * sizeof *w->rhs);
    ukDenseResidual(f);
    for (int c = 0; c < n; c++) w->S[(size_t)c * (size_t)(size + 1)] = 1;
    for (int i = 0; i < m; i++) {
        w->rhs[n + i] = f->r[i] / unit;
        for (int c = 0; c < n; c++) {
            const double B = f->Bt[(size_t)i * (size_t)n + (size_t)c] / unit;
            w->S[(size_t)(n + i) * (size_t)size + (size_t)c] = -B;
            w->S[(size_t)c * (size_t)size + (size_t)(n + i)] = B;
        }
    }
}

/* refinement makes every single equation hold to rounding, not only the largest of them */
static int solveAndRefine(System *w, int size)
{
    double forward, backward;
    if (size == 0) return ukOk;
    memcpy(w->LU, w->S, (size_t)size * (size_t)size * sizeof *w->LU);
    memcpy(w->x, w->rhs, (size_t)size * sizeof *w->x);
    const int info = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, size, 1, w->LU, size, w->pivot, w->x, size);
    if (info != 0) return info > 0 ? ukErrorSingular : ukErrorLapack;
    return LAPACKE_dgerfs_work(LAPACK_COL_MAJOR, 'N', size, 1, w->S, size, w->LU, size, w->pivot, w->rhs, size, w->x,
                               size, &forward, &backward, w->dgerfs, w->idgerfs) == 0
               ? ukOk
               : ukErrorLapack;
}

int ukLagrangeSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    ukDenseFrame f;
    System w;
    int status = ukDenseBegin(&f, p, rank_tolerance, scratch, carve, &w);
    if (status == ukOk) status = countRank(&f, &w);
    if (status != ukOk) return ukDenseEnd(&f, status, s);

    const double unit = f.m > 0 ? w.sigma[f.m - 1] : 1;
    assemble(&f, &w, unit);
    status = solveAndRefine(&w, f.n + f.m);
    if (status != ukOk) return ukDenseEnd(&f, status, s);
    for (int i = 0; i < f.m; i++) f.lambda[i] = w.x[f.n + i] / unit;
    ukDenseUnscale(&f, w.x);
    cblas_daxpy(f.n, 1, w.x, 1, f.q, 1);
    return ukDenseEnd(&f, status, s);
}

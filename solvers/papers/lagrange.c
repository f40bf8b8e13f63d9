#include "solvers/papers/lagrange.h"

#include "solvers/base/lapack.h"
#include "solvers/status.h"

#include <stdbool.h>
#include <string.h>

typedef struct Work {
    double *L, *a, *Bt, *copy, *sigma, *S, *LU, *rhs, *x, *lambda, *dgesvd, *dgerfs;
    int *pivot, *idgerfs;
    size_t ndgesvd;
} Work;

static bool carve(Work *w, size_t n, size_t m, ukArena *arena)
{
    w->ndgesvd = 5 * (n + m) + 1;
    w->L = ukArenaDoubles(arena, n * n);              /* M = L L' */
    w->a = ukArenaDoubles(arena, n);                  /* a', then qdd */
    w->Bt = ukArenaDoubles(arena, n * m);             /* B' = L^-1 A' */
    w->copy = ukArenaDoubles(arena, n * m);           /* B' for the singular values */
    w->sigma = ukArenaDoubles(arena, m);              /* singular values */
    w->S = ukArenaDoubles(arena, (n + m) * (n + m));  /* [I -B'; B 0] */
    w->LU = ukArenaDoubles(arena, (n + m) * (n + m)); /* its factors */
    w->rhs = ukArenaDoubles(arena, n + m);            /* [0; b - A a'] */
    w->x = ukArenaDoubles(arena, n + m);              /* [M^1/2 (qdd - a'); lambda] */
    w->lambda = ukArenaDoubles(arena, m);
    w->dgesvd = ukArenaDoubles(arena, w->ndgesvd);
    w->dgerfs = ukArenaDoubles(arena, 3 * (n + m));
    w->pivot = ukArenaInts(arena, n + m);
    w->idgerfs = ukArenaInts(arena, n + m);
    return !arena->exhausted;
}

size_t ukLagrangeScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Work w;
    carve(&w, (size_t)n, (size_t)m, &measure);
    return measure.used;
}

int ukLagrangeSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    const int n = p->n, m = p->m, size = n + m, ld = n > 0 ? n : 1;
    const size_t mark = ukArenaMark(scratch);
    int status = ukErrorMemory;
    Work w;
    if (!carve(&w, (size_t)n, (size_t)m, scratch)) goto done;
    status = ukDenseUnconstrained(p, w.L, w.a, w.Bt);
    if (status != ukOk) goto done;
    status = ukErrorSingular;
    if (m > n) goto done;
    status = ukErrorLapack;
    memcpy(w.copy, w.Bt, (size_t)n * (size_t)m * sizeof *w.copy);
    if (m > 0 && LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', n, m, w.copy, ld, w.sigma, NULL, 1, NULL, 1, w.dgesvd,
                                     (int)w.ndgesvd) != 0)
        goto done;
    status = ukErrorSingular;
    if (ukDenseCountRank(w.sigma, m, ukDenseRankTolerance(n, m, rank_tolerance)) < m) goto done;

    /* In x = M^1/2 (qdd - a') the mass matrix is I and the force 0. Measured in the smallest singular value of B, the
     * matrix has a condition number like that of B; in its own units it would be the square. */
    const double unit = m > 0 ? w.sigma[m - 1] : 1;
    memset(w.S, 0, (size_t)size * (size_t)size * sizeof *w.S);
    memset(w.rhs, 0, (size_t)n * sizeof *w.rhs);
    ukDenseResidual(p, w.a, w.rhs + n);
    for (int c = 0; c < n; c++) w.S[(size_t)c * (size_t)(size + 1)] = 1;
    for (int i = 0; i < m; i++) {
        w.rhs[n + i] /= unit;
        for (int c = 0; c < n; c++) {
            const double B = w.Bt[(size_t)i * (size_t)n + (size_t)c] / unit;
            w.S[(size_t)(n + i) * (size_t)size + (size_t)c] = -B;
            w.S[(size_t)c * (size_t)size + (size_t)(n + i)] = B;
        }
    }
    memcpy(w.LU, w.S, (size_t)size * (size_t)size * sizeof *w.LU);
    memcpy(w.x, w.rhs, (size_t)size * sizeof *w.x);
    int info = 0;
    double forward, backward;
    if (size > 0) info = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, size, 1, w.LU, size, w.pivot, w.x, size);
    status = info > 0 ? ukErrorSingular : ukErrorLapack;
    if (info != 0) goto done;
    /* refinement makes every single equation hold to rounding, not only the largest of them */
    if (size > 0)
        info = LAPACKE_dgerfs_work(LAPACK_COL_MAJOR, 'N', size, 1, w.S, size, w.LU, size, w.pivot, w.rhs, size, w.x,
                                   size, &forward, &backward, w.dgerfs, w.idgerfs);
    if (info != 0) goto done;
    for (int i = 0; i < m; i++) w.lambda[i] = w.x[n + i] / unit;
    ukDenseUnscale(n, w.L, w.x);
    cblas_daxpy(n, 1, w.x, 1, w.a, 1);
    status = ukDenseFinish(p, w.a, w.lambda, m, s);
done:
    ukArenaRelease(scratch, mark);
    return status;
}

#include "solvers/papers/dalembert.h"

#include "solvers/base/lapack.h"
#include "solvers/status.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct Work {
    double *L, *a, *Bt, *copy, *U, *sigma, *N, *tau, *rhs, *x, *as, *lambda, *work;
    int *pivot;
    size_t nwork;
    int rows;    /* of N */
    double unit; /* the largest singular value of B */
} Work;

static size_t largest(size_t x, size_t y)
{
    return x > y ? x : y;
}

static bool carve(Work *w, size_t n, size_t m, ukArena *arena)
{
    w->nwork = largest(largest(5 * (n + m) + 1, 33 * n + 1), ukDenseMultipliersWork((int)n, (int)m));
    w->L = ukArenaDoubles(arena, n * n);    /* M = L L' */
    w->a = ukArenaDoubles(arena, n);        /* a', then qdd */
    w->Bt = ukArenaDoubles(arena, n * m);   /* B' = L^-1 A' */
    w->copy = ukArenaDoubles(arena, n * m); /* B' for the singular values */
    w->U = ukArenaDoubles(arena, n * n);    /* B' = U diag(sigma) W': V is what follows the first `rank` columns */
    w->sigma = ukArenaDoubles(arena, n < m ? n : m);
    w->N = ukArenaDoubles(arena, (m + n) * n); /* [weight^1/2 B; V'], (m + n - rank) x n */
    w->rhs = ukArenaDoubles(arena, m + n);     /* [weight^1/2 (b - B x_s); V' (a_s - x_s)] */
    w->tau = ukArenaDoubles(arena, n);         /* N = Q R */
    w->x = ukArenaDoubles(arena, n);           /* x_s */
    w->as = ukArenaDoubles(arena, n);          /* a_s = L' a', then F_s */
    w->lambda = ukArenaDoubles(arena, m);
    w->work = ukArenaDoubles(arena, w->nwork);
    w->pivot = ukArenaInts(arena, m);
    return !arena->exhausted;
}

size_t ukDAlembertScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Work w;
    carve(&w, (size_t)n, (size_t)m, &measure);
    return measure.used;
}

int ukDAlembertSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    return ukDAlembertLeastSquares(p, NULL, rank_tolerance, s, scratch);
}

/* x_s += the solution of N dx = [b - B x_s; V' (a_s - x_s)]; the second time for what rounding left in rows smaller
 * than the largest */
static bool add(Work *w, const ukDense *p, const double *weight, int rank)
{
    const int n = p->n, m = p->m, rows = w->rows;
    if (n == 0) return true;
    for (int i = 0; i < m; i++) {
        const double scale = sqrt(weight ? weight[i] : 1) / w->unit;
        w->rhs[i] = scale * (p->b[i] - cblas_ddot(n, w->Bt + (size_t)i * (size_t)n, 1, w->x, 1));
    }
    for (int i = 0; i < n - rank; i++) {
        const double *v = w->U + (size_t)(rank + i) * (size_t)n;
        w->rhs[m + i] = cblas_ddot(n, v, 1, w->as, 1) - cblas_ddot(n, v, 1, w->x, 1);
    }
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, 1, n, w->N, rows, w->tau, w->rhs, rows, w->work,
                            (int)w->nwork) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, 1, w->N, rows, w->rhs, rows) != 0)
        return false;
    cblas_daxpy(n, 1, w->rhs, 1, w->x, 1);
    return true;
}

int ukDAlembertLeastSquares(const ukDense *p, const double *weight, double rank_tolerance, ukSolution *s,
                            ukArena *scratch)
{
    const int n = p->n, m = p->m, k = n < m ? n : m, ld = n > 0 ? n : 1;
    const size_t mark = ukArenaMark(scratch);
    int status = ukErrorMemory, rank = 0;
    Work w;
    if (!carve(&w, (size_t)n, (size_t)m, scratch)) goto done;
    status = ukDenseUnconstrained(p, w.L, w.a, w.Bt);
    if (status != ukOk) goto done;
    memcpy(w.as, w.a, (size_t)n * sizeof *w.as);
    cblas_dtrmv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, w.L, ld, w.as, 1);

    /* V: the left singular vectors of B' beyond its rank; all of them where there is no row */
    status = ukErrorLapack;
    memcpy(w.copy, w.Bt, (size_t)n * (size_t)m * sizeof *w.copy);
    if (k > 0 && LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'N', n, m, w.copy, ld, w.sigma, w.U, ld, NULL, 1, w.work,
                                     (int)w.nwork) != 0)
        goto done;
    if (k == 0) LAPACKE_dlaset_work(LAPACK_COL_MAJOR, 'A', n, n, 0, 1, w.U, ld);
    rank = ukDenseCountRank(w.sigma, k, ukDenseRankTolerance(n, m, rank_tolerance));

    /* Eliminating F_s = x_s - a_s from L r = s leaves N x_s = [b; V' a_s], whose normal equations are (B'B + VV') x_s =
     * B' b + VV' a_s [20]. An orthogonal factorization of N solves them without squaring the condition number. Dividing
     * B and b by the largest singular value changes nothing but the balance with V. */
    w.rows = m + n - rank;
    w.unit = rank > 0 ? w.sigma[0] : 1;
    for (int i = 0; i < m; i++) {
        const double scale = sqrt(weight ? weight[i] : 1) / w.unit;
        for (int c = 0; c < n; c++)
            w.N[(size_t)c * (size_t)w.rows + (size_t)i] = scale * w.Bt[(size_t)i * (size_t)n + (size_t)c];
    }
    for (int i = 0; i < n - rank; i++) cblas_dcopy(n, w.U + (size_t)(rank + i) * (size_t)n, 1, w.N + m + i, w.rows);
    if (n > 0 && LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, w.rows, n, w.N, w.rows, w.tau, w.work, (int)w.nwork) != 0)
        goto done;
    memset(w.x, 0, (size_t)n * sizeof *w.x);
    if (!add(&w, p, weight, rank) || !add(&w, p, weight, rank)) goto done;

    /* qdd = M^-1/2 x_s; F_s = x_s - a_s [17] */
    memcpy(w.a, w.x, (size_t)n * sizeof *w.a);
    for (int i = 0; i < n; i++) w.as[i] = w.a[i] - w.as[i];
    ukDenseUnscale(n, w.L, w.a);
    status = ukDenseMultipliers(n, m, rank, w.Bt, w.as, w.lambda, w.work, w.pivot);
    if (status == ukOk) status = ukDenseFinish(p, w.a, w.lambda, rank, s);
done:
    ukArenaRelease(scratch, mark);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/dalembert.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <math.h>
#include <string.h>

/* Of the frame, x is x_s and y is a_s. N = [W^1/2 B; V'], factored to Q R, has these rows: */
static int rowsOfN(const ukDenseFrame *f)
{
    return f->m + f->n - f->rank;
}

/* a column of V: a left singular vector of B' beyond its rank; all of them where there is no row */
static const double *nullVector(const ukDenseFrame *f, int i)
{
    return f->U + (size_t)(f->rank + i) * (size_t)f->n;
}

/* The weights of the rows (own; NULL: none, and B as it is). */
typedef struct Weight {
    const double *each; /* (m) the diagonal of W_2; NULL: 1 */
    const double *G;    /* (n + m x n + m) W = G G', lower; its last m x m are the root of W_2; NULL: each */
} Weight;

/* X (m rows, columns) := W_2^1/2 X. Dividing B and b by the largest singular value changes nothing but the balance with
 * V. */
static void weigh(const ukDenseFrame *f, int columns, double *X, int ld)
{
    const Weight *w = f->own;
    if (!w || f->m == 0) return;
    const double size = f->rank > 0 ? f->sigma[0] : 1;
    const size_t n = (size_t)f->n, order = n + (size_t)f->m;
    if (w->G)
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, f->m, columns, 1 / size,
                    w->G + n * (order + 1), (int)order, X, ld);
    for (int i = 0; i < f->m && !w->G; i++)
        for (int c = 0; c < columns; c++)
            X[(size_t)c * (size_t)ld + (size_t)i] *= sqrt(w->each ? w->each[i] : 1) / size;
}

/* V, a_s, N = Q R; so J = (N'N)^-1 for W = 1 */
static int prepareDalembert(ukDenseFrame *f)
{
    const int status = ukDenseCountRank(f, "AN"), n = f->n, m = f->m, rows = rowsOfN(f);
    if (status != ukOk) return status;
    memset(f->x, 0, (size_t)n * sizeof *f->x);
    memcpy(f->y, f->a, (size_t)n * sizeof *f->y);
    ukDenseScale(f, f->y);
    for (int i = 0; i < m; i++) cblas_dcopy(n, f->Bt + (size_t)i * (size_t)n, 1, f->N + i, rows);
    weigh(f, n, f->N, rows);
    for (int i = 0; i < n - f->rank; i++) cblas_dcopy(n, nullVector(f, i), 1, f->N + m + i, rows);
    if (n > 0 && LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, n, f->N, rows, f->tau, f->work, f->nwork) != 0)
        return ukErrorLapack;
    return ukOk;
}

/* qdd = M^-1/2 x_s, F_s = x_s - a_s [17] */
static void takeDalembert(ukDenseFrame *f)
{
    memcpy(f->q, f->x, (size_t)f->n * sizeof *f->q);
    ukDenseUnscale(f, f->q);
    for (int i = 0; i < f->n; i++) f->f[i] = f->x[i] - f->y[i];
}

/* Eliminating F_s = x_s - a_s [17] from L r = s [23] leaves N x_s = [b; V' a_s], whose normal equations are (D + E) x_s
 * = B' b + E a_s [20]. An orthogonal factorization of N solves them without squaring the condition number. */
static int improveDalembert(ukDenseFrame *f)
{
    const int n = f->n, m = f->m, rows = rowsOfN(f);
    if (n == 0) return ukOk;
    for (int i = 0; i < m; i++) f->z[i] = f->p->b[i] - cblas_ddot(n, f->Bt + (size_t)i * (size_t)n, 1, f->x, 1);
    weigh(f, 1, f->z, rows);
    for (int i = 0; i < n - f->rank; i++) {
        const double *v = nullVector(f, i);
        f->z[m + i] = cblas_ddot(n, v, 1, f->y, 1) - cblas_ddot(n, v, 1, f->x, 1);
    }
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, 1, n, f->N, rows, f->tau, f->z, rows, f->work,
                            f->nwork) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, 1, f->N, rows, f->z, rows) != 0)
        return ukErrorLapack;
    cblas_daxpy(n, 1, f->z, 1, f->x, 1);

    takeDalembert(f);
    return ukOk;
}

int ukDAlembertSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    static const ukDensePaper paper = {prepareDalembert, improveDalembert, .has_multipliers = false};
    const Weight weight = {.each = p->weight};
    return ukDenseRun(&paper, &weight, p, rank_tolerance, s, scratch);
}

/* As improve, and what the rows' disagreement r tells of Q + C, whose errors are correlated with those of b: the e that
 * is least in W for this r, W_11 e = W_12 r. Then a_s + M^-1/2 e stands for a_s, and V' x_s follows it. */
static int improveWeighted(ukDenseFrame *f)
{
    const Weight *w = f->own;
    const int n = f->n, m = f->m, status = improveDalembert(f), order = n + m;
    if (status != ukOk || n == 0 || m == 0) return status;
    double *e = f->z;
    ukDenseResidual(f);
    memset(e, 0, (size_t)n * sizeof *e);
    cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1, w->G + n, order, f->r, 1, 0, e, 1); /* W_12 = G_11 G_21' */
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, w->G, order, e, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, f->L, n, e, 1);
    memcpy(f->y, f->a, (size_t)n * sizeof *f->y);
    ukDenseScale(f, f->y);
    cblas_daxpy(n, 1, e, 1, f->y, 1);
    for (int i = 0; i < n - f->rank; i++) {
        const double *v = nullVector(f, i);
        cblas_daxpy(n, cblas_ddot(n, v, 1, f->y, 1) - cblas_ddot(n, v, 1, f->x, 1), v, 1, f->x, 1);
    }
    takeDalembert(f);
    return ukOk;
}

size_t ukDAlembertWeightedScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    ukArenaDoubles(&measure, (size_t)(n + m) * (size_t)(n + m));
    ukArenaBytes(&measure, ukDenseFrameScratch(n, m));
    return measure.used;
}

int ukDAlembertWeighted(const ukDense *p, const double *W, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    static const ukDensePaper paper = {prepareDalembert, improveWeighted, .has_multipliers = false};
    const size_t mark = ukArenaMark(scratch), order = (size_t)(p->n + p->m);
    double *G = ukArenaDoubles(scratch, order * order);
    int status = ukErrorMemory;
    if (scratch->exhausted) goto done;
    status = ukErrorLapack;
    if (!ukLapackReady()) goto done;
    status = ukErrorSingular;
    memcpy(G, W, order * order * sizeof *G);
    if (order > 0 && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)order, G, (int)order) != 0) goto done;
    status = ukDenseRun(&paper, &(Weight){.G = G}, p, rank_tolerance, s, scratch);
done:
    ukArenaRelease(scratch, mark);
    return status;
}

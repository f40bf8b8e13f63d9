/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/dalembert.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <math.h>
#include <string.h>

/* Number of rows of N = [W^1/2 B; V'] = Q R. In the frame, x is x_s and y is a_s. */
static int rowsOfN(const ukDenseFrame *f)
{
    return f->m + f->n - f->rank;
}

/* a column of V: a left singular vector of B' beyond its rank; all of them where there is no row */
static const double *nullVector(const ukDenseFrame *f, int i)
{
    return f->U + (size_t)(f->rank + i) * (size_t)f->n;
}

/* X (m rows, columns) := W_2^1/2 X, with W_2 the diagonal matrix of the rows' weights. Dividing B and b by the largest
 * singular value changes nothing but the balance with V. */
static void weighRows(const ukDenseFrame *f, int columns, double *X, int ld)
{
    const double *weight = f->p->weight, size = f->rank > 0 ? f->sigma[0] : 1;
    for (int i = 0; i < f->m; i++)
        for (int c = 0; c < columns; c++) X[(size_t)c * (size_t)ld + (size_t)i] *= sqrt(weight ? weight[i] : 1) / size;
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
    weighRows(f, n, f->N, rows);
    for (int i = 0; i < n - f->rank; i++) cblas_dcopy(n, nullVector(f, i), 1, f->N + m + i, rows);
    if (n > 0 && LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, n, f->N, rows, f->tau, f->work, f->nwork) != 0)
        return ukErrorLapack;
    return ukOk;
}

/* Eliminating F_s = x_s - a_s [17] from L r = s [23] leaves N x_s = [b; V' a_s], whose normal equations are (D + E) x_s
 * = B' b + E a_s [20]. An orthogonal factorization of N solves them without squaring the condition number. */
static int improveDalembert(ukDenseFrame *f)
{
    const int n = f->n, m = f->m, rows = rowsOfN(f);
    if (n == 0) return ukOk;
    for (int i = 0; i < m; i++) f->z[i] = f->p->b[i] - cblas_ddot(n, f->Bt + (size_t)i * (size_t)n, 1, f->x, 1);
    weighRows(f, 1, f->z, rows);
    for (int i = 0; i < n - f->rank; i++) {
        const double *v = nullVector(f, i);
        f->z[m + i] = cblas_ddot(n, v, 1, f->y, 1) - cblas_ddot(n, v, 1, f->x, 1);
    }
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, 1, n, f->N, rows, f->tau, f->z, rows, f->work,
                            f->nwork) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, 1, f->N, rows, f->z, rows) != 0)
        return ukErrorLapack;
    cblas_daxpy(n, 1, f->z, 1, f->x, 1);

    /* qdd = M^-1/2 x_s, F_s = x_s - a_s [17] */
    memcpy(f->q, f->x, (size_t)n * sizeof *f->q);
    ukDenseUnscale(f, f->q);
    for (int i = 0; i < n; i++) f->f[i] = f->x[i] - f->y[i];
    return ukOk;
}

int ukDAlembertSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    static const ukDensePaper paper = {prepareDalembert, improveDalembert, .has_multipliers = false};
    return ukDenseRun(&paper, NULL, p, rank_tolerance, s, scratch);
}

#include "solvers/papers/dalembert.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <math.h>
#include <string.h>

typedef struct Basis {
    double *copy;    /* (n x m) B' for the singular values */
    double *sigma;   /* (least) */
    double *U;       /* (n x n) B' = U diag(sigma) W': V is what follows the first `rank` columns */
    double *N, *tau; /* [weight^1/2 B; V'] (rows x n) = Q R */
    double *rhs;     /* (m + n) [weight^1/2 (b - B x_s); V' (a_s - x_s)] */
    double *x, *as;  /* (n) x_s; a_s */
    int rows;        /* of N, m + n - rank */
    double unit;     /* of B and b */
    const double *weight;
} Basis;

static size_t largest(size_t x, size_t y)
{
    return x > y ? x : y;
}

static void carve(ukDenseFrame *f, void *own)
{
    Basis *w = own;
    const size_t n = (size_t)f->n, m = (size_t)f->m;
    w->copy = ukArenaDoubles(f->arena, n * m);
    w->sigma = ukArenaDoubles(f->arena, (size_t)f->least);
    w->U = ukArenaDoubles(f->arena, n * n);
    w->N = ukArenaDoubles(f->arena, (m + n) * n);
    w->tau = ukArenaDoubles(f->arena, n);
    w->rhs = ukArenaDoubles(f->arena, m + n);
    w->x = ukArenaDoubles(f->arena, n);
    w->as = ukArenaDoubles(f->arena, n);
    ukDenseWork(f, largest(largest(5 * (n + m) + 1, 33 * n + 1), ukDenseMultipliersWork(f->n, f->m)));
}

size_t ukDAlembertScratch(int n, int m)
{
    Basis w;
    return ukDenseMeasure(n, m, carve, &w);
}

/* a_s, and V: the left singular vectors of B' beyond its rank; all of them where there is no row */
static int begin(ukDenseFrame *f, Basis *w, const ukDense *p, double rank_tolerance, ukArena *scratch)
{
    int status = ukDenseBegin(f, p, rank_tolerance, scratch, carve, w);
    if (status != ukOk) return status;
    memcpy(w->as, f->a, (size_t)f->n * sizeof *w->as);
    ukDenseScale(f, w->as);
    memcpy(w->copy, f->Bt, (size_t)f->n * (size_t)f->m * sizeof *w->copy);
    status = ukDenseDecompose(f, "AN", f->m, w->copy, w->sigma, w->U, NULL);
    if (status == ukOk) ukDenseSetRank(f, w->sigma);
    w->rows = f->m + f->n - f->rank;
    return status;
}

static const double *nullVector(const ukDenseFrame *f, const Basis *w, int i)
{
    return w->U + (size_t)(f->rank + i) * (size_t)f->n;
}

static double scaleOf(const Basis *w, int row)
{
    return sqrt(w->weight ? w->weight[row] : 1) / w->unit;
}

/* N = [weight^1/2 B / unit; V'] = Q R, so that N'N = J^-1 for unit and weights 1 */
static int factorize(ukDenseFrame *f, Basis *w, const double *weight, double unit)
{
    const int n = f->n, m = f->m;
    w->weight = weight;
    w->unit = unit;
    for (int i = 0; i < m; i++)
        for (int c = 0; c < n; c++)
            w->N[(size_t)c * (size_t)w->rows + (size_t)i] = scaleOf(w, i) * f->Bt[(size_t)i * (size_t)n + (size_t)c];
    for (int i = 0; i < n - f->rank; i++) cblas_dcopy(n, nullVector(f, w, i), 1, w->N + m + i, w->rows);
    if (n > 0 && LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, w->rows, n, w->N, w->rows, w->tau, f->work, f->nwork) != 0)
        return ukErrorLapack;
    return ukOk;
}

/* x_s += the solution of N dx = [b - B x_s; V' (a_s - x_s)] */
static int improve(ukDenseFrame *f, Basis *w)
{
    const int n = f->n, m = f->m, rows = w->rows;
    if (n == 0) return ukOk;
    for (int i = 0; i < m; i++)
        w->rhs[i] = scaleOf(w, i) * (f->p->b[i] - cblas_ddot(n, f->Bt + (size_t)i * (size_t)n, 1, w->x, 1));
    for (int i = 0; i < n - f->rank; i++) {
        const double *v = nullVector(f, w, i);
        w->rhs[m + i] = cblas_ddot(n, v, 1, w->as, 1) - cblas_ddot(n, v, 1, w->x, 1);
    }
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, 1, n, w->N, rows, w->tau, w->rhs, rows, f->work,
                            f->nwork) != 0 ||
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, 1, w->N, rows, w->rhs, rows) != 0)
        return ukErrorLapack;
    cblas_daxpy(n, 1, w->rhs, 1, w->x, 1);
    return ukOk;
}

int ukDAlembertSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    ukDenseFrame f;
    Basis w;
    int status = begin(&f, &w, p, rank_tolerance, scratch);
    if (status != ukOk) return ukDenseEnd(&f, status, s);

    /* Eliminating F_s = x_s - a_s from L r = s leaves N x_s = [b; V' a_s], whose normal equations are (D + E) x_s =
     * B' b + E a_s [20]. An orthogonal factorization of N solves them without squaring the condition number. Dividing B
     * and b by the largest singular value changes nothing but the balance with V. */
    status = factorize(&f, &w, p->weight, f.rank > 0 ? w.sigma[0] : 1);
    memset(w.x, 0, (size_t)f.n * sizeof *w.x);
    for (int pass = 0; pass < ukDensePasses && status == ukOk; pass++) status = improve(&f, &w);
    if (status != ukOk) return ukDenseEnd(&f, status, s);

    /* qdd = M^-1/2 x_s; F_s = x_s - a_s [17] */
    memcpy(f.q, w.x, (size_t)f.n * sizeof *f.q);
    ukDenseUnscale(&f, f.q);
    for (int i = 0; i < f.n; i++) f.f[i] = w.x[i] - w.as[i];
    return ukDenseEnd(&f, ukDenseMultipliers(&f), s);
}

/* X (n x columns) := J X = R^-1 R'^-1 X */
static void applyJ(const ukDenseFrame *f, const Basis *w, int columns, double *X)
{
    const enum CBLAS_TRANSPOSE order[] = {CblasTrans, CblasNoTrans};
    for (int i = 0; i < 2; i++)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, order[i], CblasNonUnit, f->n, columns, 1, w->N, w->rows, X,
                    f->n);
}

int ukDAlembertMatrices(const ukDense *p, double rank_tolerance, double *J, double *E, ukArena *scratch)
{
    ukDenseFrame f;
    Basis w;
    int status = begin(&f, &w, p, rank_tolerance, scratch);
    if (status == ukOk) status = factorize(&f, &w, NULL, 1);
    if (status != ukOk || f.n == 0) return ukDenseEnd(&f, status, NULL);
    const int n = f.n;
    LAPACKE_dlaset_work(LAPACK_COL_MAJOR, 'A', n, n, 0, 1, J, n);
    applyJ(&f, &w, n, J);
    memset(E, 0, (size_t)n * (size_t)n * sizeof *E);
    for (int i = 0; i < n - f.rank; i++)
        cblas_dger(CblasColMajor, n, n, 1, nullVector(&f, &w, i), 1, nullVector(&f, &w, i), 1, E, n);
    return ukDenseEnd(&f, status, NULL);
}

int ukDAlembertForce(const ukDense *p, double rank_tolerance, double *force, ukArena *scratch)
{
    ukDenseFrame f;
    Basis w;
    int status = begin(&f, &w, p, rank_tolerance, scratch);
    if (status == ukOk) status = factorize(&f, &w, NULL, 1);
    if (status != ukOk || f.n == 0) return ukDenseEnd(&f, status, NULL);

    memset(force, 0, (size_t)f.n * sizeof *force);
    ukDenseResidual(&f); /* b - B a_s = b - A a' */
    if (f.m > 0) cblas_dgemv(CblasColMajor, CblasNoTrans, f.n, f.m, 1, f.Bt, f.n, f.r, 1, 0, force, 1);
    applyJ(&f, &w, 1, force);
    ukDenseUnscaleForce(&f, force);
    return ukDenseEnd(&f, status, NULL);
}

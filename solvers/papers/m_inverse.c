#include "solvers/papers/m_inverse.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* A = W diag(sigma) V', W'W = I, V'M^-1 V = I, from B' = U diag(sigma) W' and V = L U */
typedef struct Factors {
    double *U;     /* (n x least) */
    double *sigma; /* (least) descending; their squares are the eigenvalues of A M^-1 A' */
    double *Wt;    /* (least x m) W', whose rows are its eigenvectors */
} Factors;

static void carve(ukDenseFrame *f, void *own)
{
    Factors *w = own;
    const size_t n = (size_t)f->n, m = (size_t)f->m, k = (size_t)f->least;
    w->U = ukArenaDoubles(f->arena, n * k);
    w->sigma = ukArenaDoubles(f->arena, k);
    w->Wt = ukArenaDoubles(f->arena, k * m);
    ukDenseWork(f, 5 * (n + m) + 1);
}

size_t ukMInverseScratch(int n, int m)
{
    Factors w;
    return ukDenseMeasure(n, m, carve, &w);
}

/* The paper's construction (after [20]) takes sigma^2 and W from the eigenvalues of A M^-1 A'. Singular values of B
 * tell the rank better: their squares would lose half of the digits. */
static int begin(ukDenseFrame *f, Factors *w, const ukDense *p, double rank_tolerance, ukArena *scratch)
{
    int status = ukDenseBegin(f, p, rank_tolerance, scratch, carve, w);
    if (status == ukOk) status = ukDenseDecompose(f, "SS", f->m, f->Bt, w->sigma, w->U, w->Wt);
    if (status == ukOk) ukDenseSetRank(f, w->sigma);
    return status;
}

static const double *column(const ukDenseFrame *f, const Factors *w, int i)
{
    return w->U + (size_t)i * (size_t)f->n;
}

/* x (n) = U sigma^-1 W' r = M^1/2 A_M^+ r; lambda += W sigma^-2 W' r, which makes it, A' lambda = M A_M^+ r */
static void invert(const ukDenseFrame *f, const Factors *w, const double *r, double *x, double *lambda)
{
    memset(x, 0, (size_t)f->n * sizeof *x);
    for (int i = 0; i < f->rank; i++) {
        const double along = cblas_ddot(f->m, w->Wt + i, f->least, r, 1) / w->sigma[i];
        cblas_daxpy(f->n, along, column(f, w, i), 1, x, 1);
        cblas_daxpy(f->m, along / w->sigma[i], w->Wt + i, f->least, lambda, 1);
    }
}

int ukMInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    ukDenseFrame f;
    Factors w;
    const int status = begin(&f, &w, p, rank_tolerance, scratch);
    for (int pass = 0; pass < ukDensePasses && status == ukOk; pass++) { /* qdd = a' + A_M^+ (b - A a') */
        ukDenseResidual(&f);
        invert(&f, &w, f.r, f.f, f.lambda);
        ukDenseUnscale(&f, f.f);
        cblas_daxpy(f.n, 1, f.f, 1, f.q, 1);
    }
    return ukDenseEnd(&f, status, s);
}

int ukMInverseMatrices(const ukDense *p, double rank_tolerance, double *X, double *P, ukArena *scratch)
{
    ukDenseFrame f;
    Factors w;
    const int n = p->n, m = p->m, status = begin(&f, &w, p, rank_tolerance, scratch);
    if (status != ukOk || n == 0) return ukDenseEnd(&f, status, NULL);

    /* A_M^+ = M^-1 V sigma^-1 W' = L'^-1 U sigma^-1 W' (L as it lies is L' row-major) */
    memset(X, 0, (size_t)n * (size_t)m * sizeof *X);
    for (int i = 0; i < f.rank; i++)
        cblas_dger(CblasRowMajor, n, m, 1 / w.sigma[i], column(&f, &w, i), 1, w.Wt + i, f.least, X, m);
    if (m > 0) cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, m, 1, f.L, n, X, m);

    memset(P, 0, (size_t)n * (size_t)n * sizeof *P);
    for (int i = 0; i < n; i++) P[(size_t)i * (size_t)(n + 1)] = 1;
    if (m > 0) cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, m, -1, X, m, p->A, n, 1, P, n);
    return ukDenseEnd(&f, status, NULL);
}

int ukMInverseForces(const ukDense *p, double rank_tolerance, double *Qi, double *Qni, ukArena *scratch)
{
    ukDenseFrame f;
    Factors w;
    ukDense ideal = *p;
    ideal.C = NULL;
    const int status = begin(&f, &w, &ideal, rank_tolerance, scratch);
    if (status != ukOk) return ukDenseEnd(&f, status, NULL);

    /* M A_M^+ = V sigma^-1 W' */
    ukDenseResidual(&f);
    invert(&f, &w, f.r, Qi, f.lambda);
    ukDenseUnscaleForce(&f, Qi);

    /* M (I - A_M^+ A) M^-1 = I - V V' M^-1 = L (I - U U') L^-1 */
    ukDensePrescribed(&f, p, Qni);
    for (int i = 0; i < f.rank; i++) {
        const double *u = column(&f, &w, i);
        cblas_daxpy(f.n, -cblas_ddot(f.n, u, 1, Qni, 1), u, 1, Qni, 1);
    }
    ukDenseUnscaleForce(&f, Qni);
    return ukDenseEnd(&f, status, NULL);
}

#include "solvers/papers/one_four_inverse.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* B' P = Q [R1 R2; 0 0]: the first `rank` pivots are the rows B1 = R1' Q1' */
typedef struct Factors {
    double *R;     /* (n x m) R, and Q as reflections below it */
    double *tau;   /* (m) */
    int *pivot;    /* (m) from 1 */
    double *sigma; /* (least) singular values of B */
} Factors;

static void carve(ukDenseFrame *f, void *own)
{
    Factors *w = own;
    const size_t n = (size_t)f->n, m = (size_t)f->m;
    const size_t needed = 5 * n + 37 * (m + 1), multipliers = ukDenseMultipliersWork(f->n, f->m);
    w->R = ukArenaDoubles(f->arena, n * m);
    w->tau = ukArenaDoubles(f->arena, m);
    w->pivot = ukArenaInts(f->arena, m);
    w->sigma = ukArenaDoubles(f->arena, (size_t)f->least);
    ukDenseWork(f, needed > multipliers ? needed : multipliers);
}

size_t ukOneFourInverseScratch(int n, int m)
{
    Factors w;
    return ukDenseMeasure(n, m, carve, &w);
}

static int begin(ukDenseFrame *f, Factors *w, const ukDense *p, double rank_tolerance, ukArena *scratch)
{
    int status = ukDenseBegin(f, p, rank_tolerance, scratch, carve, w);
    const int n = f->n, m = f->m;
    if (status != ukOk || f->least == 0) return status;
    memcpy(w->R, f->Bt, (size_t)n * (size_t)m * sizeof *w->R);
    status = ukDenseDecompose(f, "NN", m, w->R, w->sigma, NULL, NULL); /* the rank by singular values, as everywhere */
    if (status != ukOk) return status;
    ukDenseSetRank(f, w->sigma);
    memcpy(w->R, f->Bt, (size_t)n * (size_t)m * sizeof *w->R);
    memset(w->pivot, 0, (size_t)m * sizeof *w->pivot);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, w->R, n, w->pivot, w->tau, f->work, f->nwork) != 0)
        return ukErrorLapack;
    return ukOk;
}

/* x (n) = X r (m),  X = [B1' (B1 B1')^-1, 0] P' = [Q1 R1'^-1, 0] P' */
static int invert(ukDenseFrame *f, const Factors *w, const double *r, double *x)
{
    const int n = f->n, rank = f->rank;
    memset(x, 0, (size_t)n * sizeof *x);
    if (rank == 0) return ukOk;
    for (int i = 0; i < rank; i++) x[i] = r[w->pivot[i] - 1];
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, rank, w->R, n, x, 1);
    const int info =
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', n, 1, rank, w->R, n, w->tau, x, n, f->work, f->nwork);
    return info == 0 ? ukOk : ukErrorLapack;
}

int ukOneFourInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    ukDenseFrame f;
    Factors w;
    int status = begin(&f, &w, p, rank_tolerance, scratch);
    if (status != ukOk) return ukDenseEnd(&f, status, s);

    memset(f.f, 0, (size_t)f.n * sizeof *f.f);
    for (int pass = 0; pass < ukDensePasses && status == ukOk; pass++) { /* qdd = a' + M^-1/2 X (b - A a') */
        double *x = f.a;                                                 /* no longer needed */
        ukDenseResidual(&f);
        status = invert(&f, &w, f.r, x);
        cblas_daxpy(f.n, 1, x, 1, f.f, 1);
        ukDenseUnscale(&f, x);
        cblas_daxpy(f.n, 1, x, 1, f.q, 1);
    }
    if (status != ukOk) return ukDenseEnd(&f, status, s);

    /* X spreads the force over the chosen rows only; the multipliers reported are those of least norm */
    return ukDenseEnd(&f, ukDenseMultipliers(&f), s);
}

int ukOneFourInverseForces(const ukDense *p, double rank_tolerance, double *Qi, double *Qni, ukArena *scratch)
{
    ukDenseFrame f;
    Factors w;
    ukDense ideal = *p;
    ideal.C = NULL;
    int status = begin(&f, &w, &ideal, rank_tolerance, scratch);
    if (status != ukOk) return ukDenseEnd(&f, status, NULL);
    const int n = f.n, m = f.m;

    ukDenseResidual(&f);
    status = invert(&f, &w, f.r, Qi);
    ukDenseUnscaleForce(&f, Qi);

    /* M^-1/2 C, less X B of it */
    ukDensePrescribed(&f, p, Qni);
    if (f.least > 0) cblas_dgemv(CblasColMajor, CblasTrans, n, m, 1, f.Bt, n, Qni, 1, 0, f.r, 1);
    if (status == ukOk) status = invert(&f, &w, f.r, f.f);
    cblas_daxpy(n, -1, f.f, 1, Qni, 1);
    ukDenseUnscaleForce(&f, Qni);
    return ukDenseEnd(&f, status, NULL);
}

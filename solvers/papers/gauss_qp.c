#include "solvers/papers/gauss_qp.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* column-major */
typedef struct Programme {
    double *copy;    /* (n x max(n, m)) what a singular value decomposition overwrites */
    double *U;       /* (n x n) left singular vectors, of A', then of H */
    double *sigma;   /* (n) singular values of B, A, H */
    double *Vt;      /* (n x max(n, m)) right singular vectors */
    double *G;       /* (n x m) A^- */
    double *T;       /* (2 m) rows of U on their way */
    double *P;       /* (n x n) I - A^- A */
    double *H;       /* (n x n) M^1/2 P */
    double *g;       /* (n) A^- r, then the whole step */
    double *z;       /* (n) M^1/2 (a' - A^- b) */
    double *h;       /* (n) H^- z */
    const double *W; /* of H^-; NULL: 0 */
} Programme;

static size_t largest(size_t x, size_t y)
{
    return x > y ? x : y;
}

static void carve(ukDenseFrame *f, void *own)
{
    Programme *w = own;
    const size_t n = (size_t)f->n, m = (size_t)f->m, both = largest(n, m);
    w->copy = ukArenaDoubles(f->arena, n * both);
    w->U = ukArenaDoubles(f->arena, n * n);
    w->sigma = ukArenaDoubles(f->arena, n);
    w->Vt = ukArenaDoubles(f->arena, n * both);
    w->G = ukArenaDoubles(f->arena, n * m);
    w->T = ukArenaDoubles(f->arena, 2 * m);
    w->P = ukArenaDoubles(f->arena, n * n);
    w->H = ukArenaDoubles(f->arena, n * n);
    w->g = ukArenaDoubles(f->arena, n);
    w->z = ukArenaDoubles(f->arena, n);
    w->h = ukArenaDoubles(f->arena, n);
    ukDenseWork(f, largest(10 * both + 1, ukDenseMultipliersWork(f->n, f->m)));
}

static size_t multipliersScratch(int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    ukArenaDoubles(&measure, (size_t)m * (size_t)m);
    ukArenaDoubles(&measure, (size_t)m);
    return measure.used;
}

size_t ukGaussQPScratch(int n, int m)
{
    Programme w;
    return largest(ukDenseMeasure(n, m, carve, &w), multipliersScratch(m));
}

/* A^- = A^+ + U - A^+ A U A A^+ */
static int generalizedInverse(ukDenseFrame *f, Programme *w, const double *U)
{
    const int n = f->n, m = f->m, k = f->least, rank = f->rank;
    const size_t nm = (size_t)n * (size_t)m;
    memcpy(w->copy, f->p->A, nm * sizeof *w->copy); /* A row-major is A' column-major */
    const int status = ukDenseDecompose(f, "SS", m, w->copy, w->sigma, w->U, w->Vt);
    if (status != ukOk) return status;
    memset(w->G, 0, nm * sizeof *w->G);
    for (int i = 0; i < rank; i++) /* A = V sigma U', A^+ = U sigma^-1 V' */
        cblas_dger(CblasColMajor, n, m, 1 / w->sigma[i], w->U + (size_t)i * (size_t)n, 1, w->Vt + i, k, w->G, n);
    if (!U) return ukOk;

    /* A^+ A = U_r U_r' and A A^+ = V_r V_r': what is added to A^+ is U less its part between the two */
    for (int i = 0; i < n; i++) cblas_dcopy(m, U + (size_t)i * (size_t)m, 1, w->copy + i, n);
    cblas_daxpy((int)nm, 1, w->copy, 1, w->G, 1);
    double *y = w->T, *inside = y + m;
    for (int i = 0; i < rank; i++) { /* u_i u_i' U V_r V_r' */
        const double *u = w->U + (size_t)i * (size_t)n;
        cblas_dgemv(CblasColMajor, CblasTrans, n, m, 1, w->copy, n, u, 1, 0, y, 1);
        memset(inside, 0, (size_t)m * sizeof *inside);
        for (int j = 0; j < rank; j++) cblas_daxpy(m, cblas_ddot(m, y, 1, w->Vt + j, k), w->Vt + j, k, inside, 1);
        cblas_dger(CblasColMajor, n, m, -1, u, 1, inside, 1, w->G, n);
    }
    return ukOk;
}

/* h = H^- z = H^+ z + (I - H^+ H) W z, with H = U sigma V' of rank n - rank */
static void leastSquares(const ukDenseFrame *f, Programme *w, const double *z, double *h)
{
    const int n = f->n, rank = n - f->rank;
    const double *W = w->W;
    if (n <= 0) return;
    memset(h, 0, (size_t)n * sizeof *h);
    if (W) cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, W, n, z, 1, 0, h, 1);
    for (int i = 0; i < rank; i++) {
        const double *v = w->Vt + i, along = cblas_ddot(n, w->U + (size_t)i * (size_t)n, 1, z, 1) / w->sigma[i];
        cblas_daxpy(n, along - cblas_ddot(n, v, n, h, 1), v, n, h, 1);
    }
}

/* A^-, P, H and the decomposition of H. The rank of A is judged on B as everywhere; that of H is then n - rank. */
static int begin(ukDenseFrame *f, Programme *w, const ukDense *p, const ukGaussQPChoice *choice, double rank_tolerance,
                 ukArena *scratch)
{
    int status = ukDenseBegin(f, p, rank_tolerance, scratch, carve, w);
    if (status != ukOk) return status;
    const int n = f->n, m = f->m;
    w->W = choice ? choice->W : NULL;
    memcpy(w->copy, f->Bt, (size_t)n * (size_t)m * sizeof *w->copy);
    status = ukDenseDecompose(f, "NN", m, w->copy, w->sigma, NULL, NULL);
    if (status != ukOk) return status;
    ukDenseSetRank(f, w->sigma);
    status = generalizedInverse(f, w, choice ? choice->U : NULL);
    if (status != ukOk) return status;

    memset(w->P, 0, (size_t)n * (size_t)n * sizeof *w->P);
    for (int i = 0; i < n; i++) w->P[(size_t)i * (size_t)(n + 1)] = 1;
    if (f->least > 0) cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, m, -1, w->G, n, p->A, n, 1, w->P, n);
    memcpy(w->H, w->P, (size_t)n * (size_t)n * sizeof *w->H);
    if (n > 0) cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, n, 1, f->L, n, w->H, n);
    return ukDenseDecompose(f, "SS", n, w->H, w->sigma, w->U, w->Vt);
}

/* q += A^- r + P H^- z,  z = M^1/2 (a' - q - A^- r),  r = b - A q */
static void improve(ukDenseFrame *f, Programme *w)
{
    const int n = f->n, m = f->m;
    if (n == 0) return;
    ukDenseResidual(f);
    memset(w->g, 0, (size_t)n * sizeof *w->g);
    if (m > 0) cblas_dgemv(CblasColMajor, CblasNoTrans, n, m, 1, w->G, n, f->r, 1, 1, w->g, 1);
    for (int i = 0; i < n; i++) w->z[i] = f->a[i] - f->q[i] - w->g[i];
    ukDenseScale(f, w->z);
    leastSquares(f, w, w->z, w->h);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, w->P, n, w->h, 1, 1, w->g, 1);
    cblas_daxpy(n, 1, w->g, 1, f->q, 1);
}

int ukGaussQPSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    return ukGaussQPSolveWith(p, NULL, rank_tolerance, s, scratch);
}

int ukGaussQPSolveWith(const ukDense *p, const ukGaussQPChoice *choice, double rank_tolerance, ukSolution *s,
                       ukArena *scratch)
{
    ukDenseFrame f;
    Programme w;
    const int status = begin(&f, &w, p, choice, rank_tolerance, scratch);
    if (status != ukOk) return ukDenseEnd(&f, status, s);

    memset(f.q, 0, (size_t)f.n * sizeof *f.q);
    for (int pass = 0; pass < ukDensePasses; pass++) improve(&f, &w); /* qdd = A^- b + P H^- z [29] */

    for (int i = 0; i < f.n; i++) f.f[i] = f.q[i] - f.a[i]; /* M (qdd - a') = Q' [32], scaled */
    ukDenseScale(&f, f.f);
    return ukDenseEnd(&f, ukDenseMultipliers(&f), s);
}

/* y = X x,  X = P H^- M^1/2; x is overwritten */
static void applyX(const ukDenseFrame *f, Programme *w, double *x, double *y)
{
    ukDenseScale(f, x);
    leastSquares(f, w, x, w->h);
    cblas_dgemv(CblasColMajor, CblasNoTrans, f->n, f->n, 1, w->P, f->n, w->h, 1, 0, y, 1);
}

int ukGaussQPForce(const ukDense *p, const ukGaussQPChoice *choice, double rank_tolerance, double *force,
                   ukArena *scratch)
{
    ukDenseFrame f;
    Programme w;
    const int status = begin(&f, &w, p, choice, rank_tolerance, scratch), n = f.n, m = f.m;
    if (status != ukOk || n == 0) return ukDenseEnd(&f, status, NULL);
    double *const y = w.g, *const x = w.z, *const Xa = f.q, *const Xy = f.f;

    memset(y, 0, (size_t)n * sizeof *y); /* y = A^- b */
    if (m > 0) cblas_dgemv(CblasColMajor, CblasNoTrans, n, m, 1, w.G, n, p->b, 1, 1, y, 1);
    memcpy(x, f.a, (size_t)n * sizeof *x); /* a' = M^-1 (Q + C) */
    applyX(&f, &w, x, Xa);
    memcpy(x, y, (size_t)n * sizeof *x);
    applyX(&f, &w, x, Xy);

    /* Q' = (-Q - C + M X a') + M (y - X y) [33] */
    for (int i = 0; i < n; i++) {
        force[i] = -p->Q[i] - (p->C ? p->C[i] : 0);
        x[i] = Xa[i] + (y[i] - Xy[i]);
    }
    cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, p->M, n, x, 1, 1, force, 1);
    return ukDenseEnd(&f, status, NULL);
}

int ukGaussQPMultipliers(const ukDense *p, const double *force, double *lambda, ukArena *scratch)
{
    const int n = p->n, m = p->m;
    const size_t mark = ukArenaMark(scratch);
    double *AA = ukArenaDoubles(scratch, (size_t)m * (size_t)m), *x = ukArenaDoubles(scratch, (size_t)m);
    int status = scratch->exhausted ? ukErrorMemory : ukLapackReady() ? ukOk : ukErrorLapack;
    if (status == ukOk && n > 0 && m > 0) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, m, n, 1, p->A, n, p->A, n, 0, AA, m);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1, p->A, n, force, 1, 0, x, 1);
        if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, AA, m) != 0) status = ukErrorSingular;
        if (status == ukOk) LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', m, 1, AA, m, x, m);
        if (status == ukOk) memcpy(lambda, x, (size_t)m * sizeof *lambda);
    }
    ukArenaRelease(scratch, mark);
    return status;
}

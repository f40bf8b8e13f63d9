#include "solvers/papers/gauss_qp.h"

#include "solvers/base/lapack.h"
#include "solvers/status.h"

#include <stdbool.h>
#include <string.h>

typedef struct Work {
    double *L, *a, *Bt, *copy, *U, *sigma, *Vt, *G, *T, *P, *H, *r, *g, *z, *h, *q, *lambda, *work;
    int *pivot;
    size_t nwork;
} Work;

static size_t largest(size_t x, size_t y)
{
    return x > y ? x : y;
}

static bool carve(Work *w, size_t n, size_t m, ukArena *arena)
{
    const size_t both = largest(n, m);
    w->nwork = largest(10 * both + 1, ukDenseMultipliersWork((int)n, (int)m));
    w->L = ukArenaDoubles(arena, n * n);       /* M = L L'; M^1/2 stands for L' */
    w->a = ukArenaDoubles(arena, n);           /* a' */
    w->Bt = ukArenaDoubles(arena, n * m);      /* B' = L^-1 A' */
    w->copy = ukArenaDoubles(arena, n * both); /* what a singular value decomposition overwrites */
    w->U = ukArenaDoubles(arena, n * n);       /* left singular vectors, of A', then of H */
    w->sigma = ukArenaDoubles(arena, n);       /* singular values of B, A, H */
    w->Vt = ukArenaDoubles(arena, n * both);   /* right singular vectors */
    w->G = ukArenaDoubles(arena, n * m);       /* A^- (n x m), column-major as all that follow */
    w->T = ukArenaDoubles(arena, 2 * m);       /* rows of U on their way */
    w->P = ukArenaDoubles(arena, n * n);       /* I - A^- A */
    w->H = ukArenaDoubles(arena, n * n);       /* L' P */
    w->r = ukArenaDoubles(arena, m);           /* b - A qdd */
    w->g = ukArenaDoubles(arena, n);           /* A^- r, then the whole step */
    w->z = ukArenaDoubles(arena, n);           /* L' (a' - A^- b) */
    w->h = ukArenaDoubles(arena, n);           /* H^- z */
    w->q = ukArenaDoubles(arena, n);           /* qdd */
    w->lambda = ukArenaDoubles(arena, m);
    w->work = ukArenaDoubles(arena, w->nwork);
    w->pivot = ukArenaInts(arena, m);
    return !arena->exhausted;
}

size_t ukGaussQPScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Work w;
    carve(&w, (size_t)n, (size_t)m, &measure);
    return measure.used;
}

/* the singular values of X (n x m) into sigma, its vectors into U (n x k) and Vt (k x m), k the lesser of n, m, or no
 * vectors; X is overwritten */
static bool decompose(Work *w, char job, int n, int m, double *X)
{
    const int k = n < m ? n : m;
    return k == 0 || LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, job, job, n, m, X, n, w->sigma, w->U, n, w->Vt, k, w->work,
                                         (int)w->nwork) == 0;
}

/* A^- = A^+ + U - A^+ A U A A^+ */
static bool generalizedInverse(Work *w, const ukDense *p, int rank, const double *U)
{
    const int n = p->n, m = p->m, k = n < m ? n : m;
    const size_t nm = (size_t)n * (size_t)m;
    memcpy(w->copy, p->A, nm * sizeof *w->copy); /* A row-major is A' column-major */
    if (!decompose(w, 'S', n, m, w->copy)) return false;
    memset(w->G, 0, nm * sizeof *w->G);
    for (int i = 0; i < rank; i++) /* A = V sigma U', A^+ = U sigma^-1 V' */
        cblas_dger(CblasColMajor, n, m, 1 / w->sigma[i], w->U + (size_t)i * (size_t)n, 1, w->Vt + i, k, w->G, n);
    if (!U) return true;

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
    return true;
}

/* h = H^+ z + (I - H^+ H) W z with H = U sigma V' of known rank */
static void leastSquares(Work *w, int n, int rank, const double *W)
{
    if (n <= 0) return;
    memset(w->h, 0, (size_t)n * sizeof *w->h);
    if (W) cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, W, n, w->z, 1, 0, w->h, 1);
    for (int i = 0; i < rank; i++) {
        const double *v = w->Vt + i, along = cblas_ddot(n, w->U + (size_t)i * (size_t)n, 1, w->z, 1) / w->sigma[i];
        cblas_daxpy(n, along - cblas_ddot(n, v, n, w->h, 1), v, n, w->h, 1);
    }
}

/* q += A^- r + P H^- z, z = M^1/2 (a' - q - A^- r), r = b - A q */
static void improve(Work *w, const ukDense *p, int rank, const double *W)
{
    const int n = p->n, m = p->m;
    if (n == 0) return;
    ukDenseResidual(p, w->q, w->r);
    memset(w->g, 0, (size_t)n * sizeof *w->g);
    if (m > 0) cblas_dgemv(CblasColMajor, CblasNoTrans, n, m, 1, w->G, n, w->r, 1, 1, w->g, 1);
    for (int i = 0; i < n; i++) w->z[i] = w->a[i] - w->q[i] - w->g[i];
    cblas_dtrmv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, w->L, n, w->z, 1);
    leastSquares(w, n, n - rank, W);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, w->P, n, w->h, 1, 1, w->g, 1);
    cblas_daxpy(n, 1, w->g, 1, w->q, 1);
}

int ukGaussQPSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    return ukGaussQPSolveWith(p, NULL, NULL, rank_tolerance, s, scratch);
}

int ukGaussQPSolveWith(const ukDense *p, const double *U, const double *W, double rank_tolerance, ukSolution *s,
                       ukArena *scratch)
{
    const int n = p->n, m = p->m, k = n < m ? n : m;
    const size_t mark = ukArenaMark(scratch);
    int status = ukErrorMemory, rank = 0;
    Work w;
    if (!carve(&w, (size_t)n, (size_t)m, scratch)) goto done;
    status = ukDenseUnconstrained(p, w.L, w.a, w.Bt);
    if (status != ukOk) goto done;

    /* the rank of A, judged on B as everywhere; the rank of H is then n - rank */
    status = ukErrorLapack;
    memcpy(w.copy, w.Bt, (size_t)n * (size_t)m * sizeof *w.copy);
    if (!decompose(&w, 'N', n, m, w.copy)) goto done;
    rank = ukDenseCountRank(w.sigma, k, ukDenseRankTolerance(n, m, rank_tolerance));
    if (!generalizedInverse(&w, p, rank, U)) goto done;

    /* P = I - A^- A, H = M^1/2 P */
    memset(w.P, 0, (size_t)n * (size_t)n * sizeof *w.P);
    for (int i = 0; i < n; i++) w.P[(size_t)i * (size_t)(n + 1)] = 1;
    if (k > 0) cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, m, -1, w.G, n, p->A, n, 1, w.P, n);
    memcpy(w.H, w.P, (size_t)n * (size_t)n * sizeof *w.H);
    if (n > 0) cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, n, 1, w.L, n, w.H, n);
    if (!decompose(&w, 'S', n, n, w.H)) goto done;

    /* qdd = A^- b + P H^- z [20]-[29]; once more for b - A qdd and a' - qdd, because a Moore-Penrose inverse mixes the
     * units of metres and radians, of heavy bodies and light ones, and its rounding with them */
    memset(w.q, 0, (size_t)n * sizeof *w.q);
    improve(&w, p, rank, W);
    improve(&w, p, rank, W);

    /* the scaled force of constraint [33] */
    for (int i = 0; i < n; i++) w.z[i] = w.q[i] - w.a[i];
    if (n > 0) cblas_dtrmv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, w.L, n, w.z, 1);
    status = ukDenseMultipliers(n, m, rank, w.Bt, w.z, w.lambda, w.work, w.pivot);
    if (status == ukOk) status = ukDenseFinish(p, w.q, w.lambda, rank, s);
done:
    ukArenaRelease(scratch, mark);
    return status;
}

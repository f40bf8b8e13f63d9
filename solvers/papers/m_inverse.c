#include "solvers/papers/m_inverse.h"

#include "solvers/base/lapack.h"
#include "solvers/status.h"

#include <stdbool.h>
#include <string.h>

typedef struct Work {
    double *L, *a, *x, *Bt, *U, *sigma, *Wt, *r, *lambda, *dgesvd;
    size_t ndgesvd;
} Work;

static size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* one layout both measures and carves, so the two cannot disagree */
static bool carve(Work *w, size_t n, size_t m, ukArena *arena)
{
    const size_t k = least(n, m);
    w->ndgesvd = 5 * (n + m) + 1;
    w->L = ukArenaDoubles(arena, n * n);  /* M = L L' */
    w->a = ukArenaDoubles(arena, n);      /* a', then qdd */
    w->x = ukArenaDoubles(arena, n);      /* M^1/2 (qdd - a'), then its part of qdd */
    w->Bt = ukArenaDoubles(arena, n * m); /* B' = L^-1 A' */
    w->U = ukArenaDoubles(arena, n * k);  /* B' = U diag(sigma) W' */
    w->sigma = ukArenaDoubles(arena, k);  /* descending; their squares are the eigenvalues of A M^-1 A' */
    w->Wt = ukArenaDoubles(arena, k * m); /* W', whose rows are its eigenvectors */
    w->r = ukArenaDoubles(arena, m);      /* b - A qdd */
    w->lambda = ukArenaDoubles(arena, m); /* multipliers */
    w->dgesvd = ukArenaDoubles(arena, w->ndgesvd);
    return !arena->exhausted;
}

size_t ukMInverseScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Work w;
    carve(&w, (size_t)n, (size_t)m, &measure);
    return measure.used;
}

/* qdd += L'^-1 U sigma^-1 W' r, lambda += W sigma^-2 W' r with r = b - A qdd */
static void add(Work *w, const ukDense *p, int rank)
{
    const int n = p->n, m = p->m, k = n < m ? n : m;
    ukDenseResidual(p, w->a, w->r);
    memset(w->x, 0, (size_t)n * sizeof *w->x);
    for (int i = 0; i < rank; i++) {
        const double along = cblas_ddot(m, w->Wt + i, k, w->r, 1) / w->sigma[i];
        cblas_daxpy(n, along, w->U + (size_t)i * (size_t)n, 1, w->x, 1);
        cblas_daxpy(m, along / w->sigma[i], w->Wt + i, k, w->lambda, 1);
    }
    ukDenseUnscale(n, w->L, w->x);
    cblas_daxpy(n, 1, w->x, 1, w->a, 1);
}

int ukMInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    const int n = p->n, m = p->m, k = n < m ? n : m, ldn = n > 0 ? n : 1, ldk = k > 0 ? k : 1;
    const size_t mark = ukArenaMark(scratch);
    int status = ukErrorMemory, rank = 0;
    Work w;
    if (!carve(&w, (size_t)n, (size_t)m, scratch)) goto done;
    status = ukDenseUnconstrained(p, w.L, w.a, w.Bt);
    if (status != ukOk) goto done;

    /* The construction of A_M^+ by [13]: A M^-1 A' w_i = sigma_i^2 w_i, V = A' W / sigma = L U, A_M^+ = M^-1 V sigma^-1
     * W'. The singular values of B tell the rank; those of A M^-1 A', their squares, would lose half of the digits. */
    status = ukErrorLapack;
    if (k > 0 && LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'S', 'S', n, m, w.Bt, ldn, w.sigma, w.U, ldn, w.Wt, ldk,
                                     w.dgesvd, (int)w.ndgesvd) != 0)
        goto done;
    rank = ukDenseCountRank(w.sigma, k, ukDenseRankTolerance(n, m, rank_tolerance));

    /* qdd = a' + A_M^+ (b - A a'), then the same for what rounding left: it is small against the largest row, and has
     * to be against each */
    memset(w.lambda, 0, (size_t)m * sizeof *w.lambda);
    for (int pass = 0; pass < 2; pass++) add(&w, p, rank);
    status = ukDenseFinish(p, w.a, w.lambda, rank, s);
done:
    ukArenaRelease(scratch, mark);
    return status;
}

#include "solvers/papers/one_four_inverse.h"

#include "solvers/base/lapack.h"
#include "solvers/status.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct Work {
    double *L, *a, *Bt, *R, *tau, *r, *x, *f, *lambda, *work;
    int *pivot;
    size_t nwork;
} Work;

static bool carve(Work *w, size_t n, size_t m, ukArena *arena)
{
    const size_t needed = 3 * m + 1 + 32 * (m + 1), multipliers = ukDenseMultipliersWork((int)n, (int)m);
    w->nwork = needed > multipliers ? needed : multipliers;
    w->L = ukArenaDoubles(arena, n * n);  /* M = L L' */
    w->a = ukArenaDoubles(arena, n);      /* a', then qdd */
    w->Bt = ukArenaDoubles(arena, n * m); /* B' = L^-1 A' */
    w->R = ukArenaDoubles(arena, n * m);  /* B' P = Q R */
    w->tau = ukArenaDoubles(arena, m);
    w->r = ukArenaDoubles(arena, m); /* b - A a' */
    w->x = ukArenaDoubles(arena, n); /* X (b - A a') = M^1/2 (qdd - a') */
    w->f = ukArenaDoubles(arena, n); /* the same, kept: the scaled force of constraint */
    w->lambda = ukArenaDoubles(arena, m);
    w->work = ukArenaDoubles(arena, w->nwork);
    w->pivot = ukArenaInts(arena, m);
    return !arena->exhausted;
}

size_t ukOneFourInverseScratch(int n, int m)
{
    ukArena measure = ukArenaOver(NULL, 0);
    Work w;
    carve(&w, (size_t)n, (size_t)m, &measure);
    return measure.used;
}

int ukOneFourInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    const int n = p->n, m = p->m, k = n < m ? n : m, ld = n > 0 ? n : 1;
    const size_t mark = ukArenaMark(scratch);
    const double tolerance = ukDenseRankTolerance(n, m, rank_tolerance);
    int status = ukErrorMemory, rank = 0;
    Work w;
    if (!carve(&w, (size_t)n, (size_t)m, scratch)) goto done;
    status = ukDenseUnconstrained(p, w.L, w.a, w.Bt);
    if (status != ukOk) goto done;
    ukDenseResidual(p, w.a, w.r);

    /* B' P = Q [R1 R2; 0 0]: the first `rank` pivots are the rows B1 = R1' Q1' */
    status = ukErrorLapack;
    memcpy(w.R, w.Bt, (size_t)n * (size_t)m * sizeof *w.R);
    memset(w.pivot, 0, (size_t)m * sizeof *w.pivot);
    if (k > 0 && LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, w.R, ld, w.pivot, w.tau, w.work, (int)w.nwork) != 0)
        goto done;
    while (rank < k && fabs(w.R[(size_t)rank * (size_t)(n + 1)]) > tolerance * fabs(w.R[0])) rank++;

    /* X = [B1' (B1 B1')^-1, 0] P' = [Q1 R1'^-1, 0] P' */
    memset(w.x, 0, (size_t)n * sizeof *w.x);
    for (int i = 0; i < rank; i++) w.x[i] = w.r[w.pivot[i] - 1];
    if (rank > 0) {
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, rank, w.R, ld, w.x, 1);
        if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', n, 1, rank, w.R, ld, w.tau, w.x, ld, w.work,
                                (int)w.nwork) != 0)
            goto done;
    }
    memcpy(w.f, w.x, (size_t)n * sizeof *w.f);
    ukDenseUnscale(n, w.L, w.x);
    cblas_daxpy(n, 1, w.x, 1, w.a, 1);

    /* X spreads the force over the chosen rows only; the multipliers reported are those of least norm */
    status = ukDenseMultipliers(n, m, rank, w.Bt, w.f, w.lambda, w.work, w.pivot);
    if (status == ukOk) status = ukDenseFinish(p, w.a, w.lambda, rank, s);
done:
    ukArenaRelease(scratch, mark);
    return status;
}

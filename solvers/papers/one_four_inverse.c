/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/one_four_inverse.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* B' P = Q [R1 R2; 0 0]: the first `rank` pivots are the rows B1 = R1' Q1'. N has R, and below it Q as reflections. */
static int prepareOneFourInverse(ukDenseFrame *f)
{
    const int n = f->n, m = f->m;
    if (f->least == 0) return ukOk;
    const int status = ukDenseCountRank(f, "NN"); /* by singular values, as everywhere */
    if (status != ukOk) return status;
    memcpy(f->N, f->Bt, (size_t)n * (size_t)m * sizeof *f->N);
    memset(f->pivot, 0, (size_t)m * sizeof *f->pivot);
    return LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, f->N, n, f->pivot, f->tau, f->work, f->nwork) == 0
               ? ukOk
               : ukErrorLapack;
}

/* x (n) = X r (m),  X = [B1' (B1 B1')^-1, 0] P' = [Q1 R1'^-1, 0] P' */
static int applyChosenRowsInverse(const ukDenseFrame *f, const double *r, double *x)
{
    const int n = f->n, rank = f->rank;
    memset(x, 0, (size_t)n * sizeof *x);
    if (rank == 0) return ukOk;
    for (int i = 0; i < rank; i++) x[i] = r[f->pivot[i] - 1];
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, rank, f->N, n, x, 1);
    return LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', n, 1, rank, f->N, n, f->tau, x, n, f->work, f->nwork) == 0
               ? ukOk
               : ukErrorLapack;
}

/* qdd = a' + M^-1/2 X (b - A a') [24]. X spreads the force over the chosen rows only; what is reported is lambda of
 * least norm with that force. */
static int improveOneFourInverse(ukDenseFrame *f)
{
    const int status = applyChosenRowsInverse(f, f->r, f->x);
    cblas_daxpy(f->n, 1, f->x, 1, f->f, 1);
    ukDenseUnscale(f, f->x);
    cblas_daxpy(f->n, 1, f->x, 1, f->q, 1);
    return status;
}

int ukOneFourInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    static const ukDensePaper paper = {prepareOneFourInverse, improveOneFourInverse, .has_multipliers = false};
    return ukDenseRun(&paper, NULL, p, rank_tolerance, s, scratch);
}

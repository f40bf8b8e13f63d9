/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/m_inverse.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* A = W Lambda V' with W'W = I, V'M^-1 V = I (after [20]). The paper takes lambda^2 and w of A M^-1 A'. The singular
 * values of B' = U Lambda W' determine the rank better, as squares lose half of the digits; then V = L U. */
static int prepareMInverse(ukDenseFrame *f)
{
    const int status = ukDenseDecompose(f, "SS", f->m, f->Bt);
    if (status == ukOk) ukDenseSetRank(f);
    return status;
}

static const double *rowOfU(const ukDenseFrame *f, int i)
{
    return f->U + (size_t)i * (size_t)f->n;
}

/* x (n) = U Lambda^-1 W' r = M^1/2 A_M^+ r; lambda += W Lambda^-2 W' r, so that A' lambda = M A_M^+ r */
static void applyMInverse(const ukDenseFrame *f, const double *r, double *x, double *lambda)
{
    memset(x, 0, (size_t)f->n * sizeof *x);
    for (int i = 0; i < f->rank; i++) {
        const double along = cblas_ddot(f->m, f->Vt + i, f->least, r, 1) / f->sigma[i];
        cblas_daxpy(f->n, along, rowOfU(f, i), 1, x, 1);
        cblas_daxpy(f->m, along / f->sigma[i], f->Vt + i, f->least, lambda, 1);
    }
}

/* qdd = a' + A_M^+ (b - A a') [9] */
static int improveMInverse(ukDenseFrame *f)
{
    applyMInverse(f, f->r, f->f, f->lambda);
    ukDenseUnscale(f, f->f);
    cblas_daxpy(f->n, 1, f->f, 1, f->q, 1);
    return ukOk;
}

int ukMInverseSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    static const ukDensePaper paper = {prepareMInverse, improveMInverse, .has_multipliers = true};
    return ukDenseRun(&paper, NULL, p, rank_tolerance, s, scratch);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/papers/gauss_qp.h"

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

#include <string.h>

/* Members of the frame, column-major: N is A^- (n x m), P = I - A^- A, and U, sigma, Vt decompose H = M^1/2 P. */

/* A^- = A^+ + U - A^+ A U A A^+ */
static int generalizedInverse(ukDenseFrame *f, const double *U)
{
    const int n = f->n, m = f->m, k = f->least, rank = f->rank;
    const size_t nm = (size_t)n * (size_t)m;
    memcpy(f->copy, f->p->A, nm * sizeof *f->copy); /* A row-major is A' column-major */
    const int status = ukDenseDecompose(f, "SS", m, f->copy);
    if (status != ukOk) return status;
    memset(f->N, 0, nm * sizeof *f->N);
    for (int i = 0; i < rank; i++) /* A = V sigma U', A^+ = U sigma^-1 V' */
        cblas_dger(CblasColMajor, n, m, 1 / f->sigma[i], f->U + (size_t)i * (size_t)n, 1, f->Vt + i, k, f->N, n);
    if (!U) return ukOk;

    /* A^+ A = U_r U_r' and A A^+ = V_r V_r': the term added to A^+ is U less its part between the two */
    for (int i = 0; i < n; i++) cblas_dcopy(m, U + (size_t)i * (size_t)m, 1, f->copy + i, n);
    cblas_daxpy((int)nm, 1, f->copy, 1, f->N, 1);
    for (int i = 0; i < rank; i++) { /* u_i u_i' U V_r V_r' */
        const double *u = f->U + (size_t)i * (size_t)n;
        cblas_dgemv(CblasColMajor, CblasTrans, n, m, 1, f->copy, n, u, 1, 0, f->x, 1);
        memset(f->y, 0, (size_t)m * sizeof *f->y);
        for (int j = 0; j < rank; j++) cblas_daxpy(m, cblas_ddot(m, f->x, 1, f->Vt + j, k), f->Vt + j, k, f->y, 1);
        cblas_dger(CblasColMajor, n, m, -1, u, 1, f->y, 1, f->N, n);
    }
    return ukOk;
}

/* A^-, P, H. The rank of A is judged on B as everywhere; that of H is then n - rank. */
static int prepareGaussQp(ukDenseFrame *f)
{
    const int n = f->n, m = f->m;
    const ukGaussQPChoice *choice = f->own;
    int status = ukDenseCountRank(f, "NN");
    if (status == ukOk) status = generalizedInverse(f, choice ? choice->U : NULL);
    if (status != ukOk) return status;
    ukDenseIdentity(n, f->P);
    if (f->least > 0)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, m, -1, f->N, n, f->p->A, n, 1, f->P, n);
    memcpy(f->copy, f->P, (size_t)n * (size_t)n * sizeof *f->copy);
    if (n > 0)
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, n, 1, f->L, n, f->copy, n);
    memset(f->q, 0, (size_t)n * sizeof *f->q);
    return ukDenseDecompose(f, "SS", n, f->copy);
}

/* y = A^- r */
static void applyConstraintInverse(const ukDenseFrame *f, const double *r, double *y)
{
    memset(y, 0, (size_t)f->n * sizeof *y);
    if (f->m > 0) cblas_dgemv(CblasColMajor, CblasNoTrans, f->n, f->m, 1, f->N, f->n, r, 1, 1, y, 1);
}

/* y += P H^- M^1/2 x, with H^- z = H^+ z + (I - H^+ H) W z; x is overwritten */
static void addMinimizer(const ukDenseFrame *f, double *x, double *y)
{
    const int n = f->n;
    const ukGaussQPChoice *choice = f->own;
    double *h = f->tau;
    ukDenseScale(f, x);
    memset(h, 0, (size_t)n * sizeof *h);
    if (choice && choice->W) cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, choice->W, n, x, 1, 0, h, 1);
    for (int i = 0; i < n - f->rank; i++) {
        const double *v = f->Vt + i, along = cblas_ddot(n, f->U + (size_t)i * (size_t)n, 1, x, 1) / f->sigma[i];
        cblas_daxpy(n, along - cblas_ddot(n, v, n, h, 1), v, n, h, 1);
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, f->P, n, h, 1, 1, y, 1);
}

/* qdd = A^- b + P H^- z, z = M^1/2 (a' - A^- b) [29]; Q' = M (qdd - a') [32], scaled */
static int improveGaussQp(ukDenseFrame *f)
{
    const int n = f->n;
    if (n == 0) return ukOk;
    applyConstraintInverse(f, f->r, f->y);
    for (int i = 0; i < n; i++) f->x[i] = f->a[i] - f->q[i] - f->y[i];
    addMinimizer(f, f->x, f->y);
    cblas_daxpy(n, 1, f->y, 1, f->q, 1);
    for (int i = 0; i < n; i++) f->f[i] = f->q[i] - f->a[i];
    ukDenseScale(f, f->f);
    return ukOk;
}

int ukGaussQPSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch)
{
    return ukGaussQPSolveWith(p, NULL, rank_tolerance, s, scratch);
}

int ukGaussQPSolveWith(const ukDense *p, const ukGaussQPChoice *choice, double rank_tolerance, ukSolution *s,
                       ukArena *scratch)
{
    static const ukDensePaper paper = {prepareGaussQp, improveGaussQp, .has_multipliers = false};
    return ukDenseRun(&paper, choice, p, rank_tolerance, s, scratch);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/multipliers.c: the equations with multipliers, for independent rows: 1994 [35], SICM's augmented
 * Lagrangian, and the vakonomic equations. */
#include "solvers/base/status.h"
#include "solvers/formulas/frame.h"
#include "solvers/formulas/singular.h"

#include <string.h>

/* the rows are independent, by the rank of B */
static int beginMultipliers(ukFormulaFrame *f, const ukFormulaSystem *s, bool given)
{
    int status = ukFormulaBegin(f, s, given);
    if (status == ukOk) status = ukFormulaScaleByFactor(f);
    return status == ukOk && f->svd.rank < f->m ? ukErrorSingular : status;
}

int ukFormulaMultipliers(const ukFormulaSystem *s, const double *force, double *lambda)
{
    ukFormulaFrame f;
    int status = beginMultipliers(&f, s, force && lambda);
    const int n = f.n, m = f.m;
    double *const AA = ukFormulaMatrix(&f, m, m), *const x = ukFormulaMatrix(&f, m, 1);
    if (status == ukOk && f.heap.exhausted) status = ukErrorMemory;
    if (status == ukOk) {
        ukMatrixAddProduct(m, n, m, 1, ukRightTransposed, s->A, s->A, AA);
        ukMatrixAddProduct(m, n, 1, 1, ukPlain, s->A, force, x);
        status = ukMatrixSolve(&f.heap, m, 1, AA, x);
    }
    ukHeapAddResult(&f.heap, lambda, x, m, 1);
    return ukFormulaEnd(&f, status);
}

/* The rows of A are independent, and [M; A] has full column rank: then [M -A'; A 0] is regular. */
static int checkRegular(ukFormulaFrame *f)
{
    const int n = f->n, m = f->m;
    ukSvd rows, columns;
    int status = ukSvdMake(&f->heap, m, n, f->s->A, f->s->tolerance, &rows);
    if (status != ukOk || rows.rank < m) return status != ukOk ? status : ukErrorSingular;
    status = ukFormulaColumns(f, &columns);
    return status == ukOk && columns.rank < n ? ukErrorSingular : status;
}

static int beginAugmented(ukFormulaFrame *f, const ukFormulaSystem *s, bool given)
{
    int status = ukFormulaCheck(f, s, given);
    if (status == ukOk) status = ukFormulaSemidefinite(f);
    return status == ukOk ? checkRegular(f) : status;
}

/* [M -A'; A 0] [qdd; lambda] = [force; b], both of the frame's heap */
static int solveAugmented(ukFormulaFrame *f, const double *force, double **solution)
{
    const size_t n = (size_t)f->n, m = (size_t)f->m, order = n + m;
    double *const S = ukFormulaMatrix(f, f->n + f->m, f->n + f->m), *const x = ukFormulaMatrix(f, f->n + f->m, 1);
    *solution = x;
    if (f->heap.exhausted) return ukErrorMemory;
    for (size_t i = 0; i < n; i++) {
        memcpy(S + i * order, f->s->M + i * n, n * sizeof *S);
        for (size_t j = 0; j < m; j++) S[i * order + n + j] = -f->s->A[j * n + i];
        x[i] = force[i];
    }
    for (size_t j = 0; j < m; j++) {
        memcpy(S + (n + j) * order, f->s->A + j * n, n * sizeof *S);
        x[n + j] = f->s->b[j];
    }
    return ukMatrixSolve(&f->heap, (int)order, 1, S, x);
}

/* force (n) = Q + C, of the frame's heap */
static double *impressedForce(ukFormulaFrame *f)
{
    double *const force = ukFormulaMatrix(f, f->n, 1);
    for (int i = 0; i < f->n && force; i++) force[i] = (f->s->Q ? f->s->Q[i] : 0) + (f->s->C ? f->s->C[i] : 0);
    return force;
}

int ukFormulaLagrange(const ukFormulaSystem *s, double *qdd, double *lambda)
{
    ukFormulaFrame f;
    double *x = NULL;
    int status = beginAugmented(&f, s, qdd);
    if (status == ukOk) {
        const double *const force = impressedForce(&f);
        status = force ? solveAugmented(&f, force, &x) : ukErrorMemory;
    }
    ukHeapAddResult(&f.heap, qdd, x, f.n, 1);
    ukHeapAddResult(&f.heap, lambda, x ? x + f.n : NULL, f.m, 1);
    return ukFormulaEnd(&f, status);
}

int ukFormulaVakonomic(const ukFormulaSystem *s, const double *K, const double *lambda, double *qdd, double *rate)
{
    ukFormulaFrame f;
    double *x = NULL;
    int status = beginAugmented(&f, s, qdd && s && (s->m == 0 || (K && lambda)));
    if (status == ukOk && (!ukMatrixFinite(K, f.m, f.n) || !ukMatrixFinite(lambda, f.m, 1))) status = ukErrorNotFinite;
    if (status == ukOk) {
        double *const force = impressedForce(&f);
        if (force) ukMatrixAddProduct(f.n, f.m, 1, -1, ukLeftTransposed, K, lambda, force);
        status = force ? solveAugmented(&f, force, &x) : ukErrorMemory;
    }
    for (int i = 0; i < f.m && status == ukOk; i++) x[f.n + i] = -x[f.n + i];
    ukHeapAddResult(&f.heap, qdd, x, f.n, 1);
    ukHeapAddResult(&f.heap, rate, x ? x + f.n : NULL, f.m, 1);
    return ukFormulaEnd(&f, status);
}

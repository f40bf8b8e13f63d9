/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/null_basis.h"

#include <stdint.h>
#include <stdlib.h>

#include "bridge/base/log.h"
#include "bridge/island/metric.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* A pseudorandom number in [-1, 1): splitmix64 of a counter (Steele, Lea, Flood 2014). The basis is the same in each
 * call. */
static double pseudorandomNumber(uint64_t *counter)
{
    uint64_t z = (*counter += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

void ukNullBasisTimesMass(const double *M, int bodies, int count, const double *N, double *MN)
{
    for (size_t k = 0; k < (size_t)count * (size_t)bodies; k++)
        for (size_t i = 0; i < 6; i++) MN[6 * k + i] = ukDotRows(M + 36 * (k % (size_t)bodies) + 6 * i, N + 6 * k, 6);
}

/* Computes pseudorandom motions, equally distributed in the M-norm. */
static void scatterMotions(const ukTangentSpace *space, int count, double *N)
{
    const int bodies = space->problem.bodies;
    uint64_t counter = 1;
    for (int j = 0; j < count; j++)
        for (int k = 0; k < bodies; k++) {
            double *const x = N + ((size_t)j * (size_t)bodies + (size_t)k) * 6;
            for (int i = 0; i < 6; i++) x[i] = pseudorandomNumber(&counter);
            ukMetricVelocity(&space->problem, k, x);
        }
}

/* N := their projections onto the null space; MN = N M before. */
static void projectMotions(const ukTangentSpace *space, int count, const double *MN, double *N)
{
    const size_t n = 6 * (size_t)space->problem.bodies;
    for (size_t j = 0; j < (size_t)count; j++) ukTangentSpaceSolve(space, MN + j * n, NULL, N + j * n, NULL);
}

/* Rows and numbers that a product treats at once: what stays in the cache, because the reference BLAS has no blocks. */
enum { Tile = 64 };

/* N := R^-T N, with R' R = N M N' (gram, count x count: scratch) */
static int orthonormalizeMotions(int count, int n, const double *MN, double *gram, double *N)
{
    for (int i = 0; i < count; i += Tile) { /* the lower triangle of rows, which is the upper one of LAPACK's columns */
        const int rows = i + Tile < count ? Tile : count - i;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, i + rows, n, 1, N + (size_t)i * (size_t)n, n, MN, n,
                    0, gram + (size_t)i * (size_t)count, count);
    }
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', count, gram, count) != 0)
        return ukErrorSet(
            ukErrorNotConverged,
            "the pose is nearly singular: the Gram matrix of %d motions of %d bodies is not positive definite", count,
            n / 6);
    for (int i = 0; i < n; i += Tile) /* N' := N' R^-1, some numbers of all motions */
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, i + Tile < n ? Tile : n - i,
                    count, 1, gram, count, N + i, n);
    return ukOk;
}

int ukNullBasisFind(const ukTangentSpace *space, const double *M, int count, double *N, double *MN)
{
    const int n = 6 * space->problem.bodies;
    int status = ukOk;
    if (count == 0) return ukOk;
    double *const gram = calloc((size_t)count * (size_t)count, sizeof *gram);
    if (!gram) return ukErrorSet(ukErrorMemory, "no memory for %d motions of %d bodies", count, n / 6);
    scatterMotions(space, count, N);
    for (int iteration = 0; iteration < 2 && status == ukOk; iteration++) {
        ukNullBasisTimesMass(M, n / 6, count, N, MN);
        projectMotions(space, count, MN, N); /* the second time, what rounding and the first factor have left */
        ukNullBasisTimesMass(M, n / 6, count, N, MN);
        status = orthonormalizeMotions(count, n, MN, gram, N);
    }
    if (status == ukOk) ukNullBasisTimesMass(M, n / 6, count, N, MN);
    free(gram);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/equality/left_null.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

int ukLeftNull(int m, int n, double *B, double tolerance, double *U, double *sigma, int *rank)
{
    memset(sigma, 0, (size_t)m * sizeof *sigma);
    memset(U, 0, (size_t)m * (size_t)m * sizeof *U);
    for (int i = 0; i < m; i++) U[i * m + i] = 1;
    *rank = 0;
    if (n == 0) return ukOk;
    if (!ukLapackReady()) return ukErrorLapack;
    int wrong = 0; /* dbdsqr does not end on NaN or Inf */
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) wrong |= !(fabs(B[i]) <= DBL_MAX);
    if (wrong) return ukErrorNotFinite;
    const int least = m < n ? m : n;
    double *values = malloc(2 * (size_t)least * sizeof *values);
    if (!values) return ukErrorMemory;
    const lapack_int info =
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'N', m, n, B, n, values, U, m, NULL, n, values + least);
    if (info == 0) memcpy(sigma, values, (size_t)least * sizeof *sigma);
    free(values);
    if (info != 0) return info == LAPACK_WORK_MEMORY_ERROR ? ukErrorMemory : ukErrorLapack;
    *rank = ukRankCount(sigma, least, tolerance);
    return ukOk;
}

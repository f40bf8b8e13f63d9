/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/least_squares.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

static const double rank_tolerance = 1e-11;

/* Scratch of a solution; one allocation. */
typedef struct Sets {
    double *A, *rhs, *sigma, *z; /* (rows x unknowns), (rows or unknowns), (unknowns), (unknowns) */
    int *column;                 /* (unknowns) of the set */
    bool *in;                    /* (unknowns) */
} Sets;

/* z of least norm for the columns of the set; 0 elsewhere. */
static int solveSet(ukLeastSquares *p, const Sets *s)
{
    int count = 0;
    for (int j = 0; j < p->unknowns; j++)
        if (s->in[j]) s->column[count++] = j;
    memset(s->z, 0, (size_t)p->unknowns * sizeof *s->z);
    p->rank = 0;
    if (count == 0 || p->rows == 0) return ukOk;
    for (int i = 0; i < p->rows; i++) {
        for (int c = 0; c < count; c++)
            s->A[i * count + c] = p->G[(size_t)i * (size_t)p->unknowns + (size_t)s->column[c]];
        s->rhs[i] = p->r[i];
    }
    const lapack_int info =
        LAPACKE_dgelsd(LAPACK_ROW_MAJOR, p->rows, count, 1, s->A, count, s->rhs, 1, s->sigma, rank_tolerance, &p->rank);
    if (info != 0)
        return ukErrorSet(ukErrorLapack,
                          "the singular value decomposition of %d bounded forces does not converge (dgelsd, info %d)",
                          count, (int)info);
    for (int c = 0; c < count; c++) s->z[s->column[c]] = s->rhs[c];
    return ukOk;
}

static void computeLeastSquaresResidual(const ukLeastSquares *p)
{
    for (int i = 0; i < p->rows; i++) {
        double sum = p->r[i];
        for (int j = 0; j < p->unknowns; j++) sum -= p->G[(size_t)i * (size_t)p->unknowns + (size_t)j] * p->x[j];
        p->left[i] = sum;
    }
}

/* The unknown outside the set that lowers the residual most, -1: none does. */
static int enteringUnknown(const ukLeastSquares *p, const Sets *s)
{
    static const double negligible = 1e-11;
    double most = 0, size = 0;
    int best = -1;
    for (int i = 0; i < p->rows; i++) size += p->r[i] * p->r[i];
    for (int j = p->free; j < p->unknowns; j++) {
        double gain = 0, length = 0;
        if (s->in[j]) continue;
        for (int i = 0; i < p->rows; i++) {
            const double g = p->G[(size_t)i * (size_t)p->unknowns + (size_t)j];
            gain += g * p->left[i];
            length += g * g;
        }
        if (length > 0 && gain / sqrt(length) > fmax(most, negligible * sqrt(size)))
            most = gain / sqrt(length), best = j;
    }
    return best;
}

/* Moves x towards z as far as no unknown becomes negative; those that become 0 leave the set. True: z is reached. */
static bool advanceTo(const ukLeastSquares *p, const Sets *s)
{
    double part = 1;
    for (int j = p->free; j < p->unknowns; j++)
        if (s->in[j] && s->z[j] <= 0 && s->z[j] < p->x[j]) part = fmin(part, p->x[j] / (p->x[j] - s->z[j]));
    for (int j = 0; j < p->unknowns; j++) p->x[j] += part * (s->z[j] - p->x[j]);
    if (part >= 1) return true;
    for (int j = p->free; j < p->unknowns; j++)
        if (s->in[j] && p->x[j] <= 16 * DBL_EPSILON * fabs(s->z[j])) s->in[j] = false, p->x[j] = 0;
    return false;
}

static int lawsonHanson(ukLeastSquares *p, const Sets *s)
{
    const int most = 20 + 4 * p->unknowns;
    memset(p->x, 0, (size_t)p->unknowns * sizeof *p->x);
    for (int j = 0; j < p->unknowns; j++) s->in[j] = j < p->free;
    for (int iteration = 0, last = -1; iteration < most; iteration++) {
        int status = solveSet(p, s);
        if (status != ukOk) return status;
        if (last >= 0 && !(s->z[last] > 0)) { /* rounding alone let it enter: it would leave at once */
            s->in[last] = false;
            status = solveSet(p, s);
            if (status != ukOk) return status;
            advanceTo(p, s);
            computeLeastSquaresResidual(p);
            return ukOk;
        }
        last = -1;
        if (!advanceTo(p, s)) continue;
        computeLeastSquaresResidual(p);
        last = enteringUnknown(p, s);
        if (last < 0) return ukOk;
        s->in[last] = true;
    }
    computeLeastSquaresResidual(p);
    return ukErrorSet(
        ukErrorNotConverged,
        "the active set of %d bounded forces does not converge in %d iterations: change the weights or the actuators",
        p->unknowns - p->free, most);
}

int ukLeastSquaresSolve(ukLeastSquares *p)
{
    const size_t m = (size_t)p->rows, n = (size_t)p->unknowns;
    double *const memory = calloc(m * n + 2 * (m + n) + 2 * n + 1, sizeof *memory);
    int *const column = calloc(n + 1, sizeof *column);
    bool *const in = calloc(n + 1, sizeof *in);
    int status = memory && column && in ? ukOk : ukErrorMemory;
    if (status == ukOk) {
        const Sets s = {.A = memory,
                        .rhs = memory + m * n,
                        .sigma = memory + m * n + m + n,
                        .z = memory + m * n + m + 2 * n,
                        .column = column,
                        .in = in};
        status = lawsonHanson(p, &s);
    } else {
        ukErrorSet(status, "no memory for least squares (unknowns: %d)", p->unknowns);
    }
    free(memory);
    free(column);
    free(in);
    return status;
}

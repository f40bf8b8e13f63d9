/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/metric.h: rows and velocities in the metric of M: with M = L L', B = A L^-T and v = L^-T y. */
#ifndef UKODE_BRIDGE_ISLAND_METRIC_H
#define UKODE_BRIDGE_ISLAND_METRIC_H

#include <math.h>
#include <string.h>

#include "solvers/problem/problem.h"

/* the lower factor of an inertia tensor */
typedef struct ukInertiaFactor {
    double l00, l10, l20, l11, l21, l22;
} ukInertiaFactor;

static inline ukInertiaFactor ukInertiaFactorOf(const double *I)
{
    ukInertiaFactor f = {.l00 = sqrt(I[0])};
    f.l10 = I[3] / f.l00, f.l20 = I[6] / f.l00, f.l11 = sqrt(I[4] - f.l10 * f.l10);
    f.l21 = (I[7] - f.l20 * f.l10) / f.l11, f.l22 = sqrt(I[8] - f.l20 * f.l20 - f.l21 * f.l21);
    return f;
}

/* x (6) := L^-1 x for a body: from a row's coefficients to those of B */
static inline void ukMetricRowOf(double mass, const double *inertia, double *x)
{
    const ukInertiaFactor f = ukInertiaFactorOf(inertia);
    for (int c = 0; c < 3; c++) x[c] /= sqrt(mass);
    x[3] /= f.l00;
    x[4] = (x[4] - f.l10 * x[3]) / f.l11;
    x[5] = (x[5] - f.l20 * x[3] - f.l21 * x[4]) / f.l22;
}

static inline void ukMetricRow(const ukProblem *p, int body, double *x)
{
    ukMetricRowOf(p->mass[body], p->inertia + 9 * (size_t)body, x);
}

/* y (6) := L^-T y for a body: to its velocity */
static inline void ukMetricVelocityOf(double mass, const double *inertia, double *y)
{
    const ukInertiaFactor f = ukInertiaFactorOf(inertia);
    for (int c = 0; c < 3; c++) y[c] /= sqrt(mass);
    y[5] /= f.l22;
    y[4] = (y[4] - f.l21 * y[5]) / f.l11;
    y[3] = (y[3] - f.l10 * y[4] - f.l20 * y[5]) / f.l00;
}

static inline void ukMetricVelocity(const ukProblem *p, int body, double *y)
{
    ukMetricVelocityOf(p->mass[body], p->inertia + 9 * (size_t)body, y);
}

/* the scalar product of two rows of n */
static inline double ukDotRows(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* Subtracts from x (n) its projection onto the `count` orthonormal rows of K; along (count): its coefficients along
 * them. */
static inline void ukMetricProjectOut(const double *K, int count, int n, double *x, double *along)
{
    for (int j = 0; j < count; j++) along[j] = 0;
    for (int sweep = 0; sweep < 2; sweep++)
        for (int j = 0; j < count; j++) {
            const double *row = K + (size_t)j * (size_t)n, part = ukDotRows(row, x, n);
            for (int i = 0; i < n; i++) x[i] -= part * row[i];
            along[j] += part;
        }
}

/* x (n) := a row of a block with the coefficients A of its bodies, in the metric of M; 0 for unknowns after the
 * bodies'. */
static inline void ukMetricBlockRow(const ukProblem *p, const ukBlock *block, const double *A, int n, double *x)
{
    memset(x, 0, (size_t)n * sizeof *x);
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = p->body[block->slot + slot];
        if (body < 0) continue;
        memcpy(x + 6 * body, A + 6 * slot, 6 * sizeof *x);
        ukMetricRow(p, body, x + 6 * body);
    }
}

/* Makes row `count` of K orthonormal to those before. Returns the length of its part that is; 0: it depends on them up
 * to the tolerance. along (count) as in ukMetricProjectOut. */
static inline double ukMetricOrthonormalize(double *K, int count, int n, double tolerance, double *along)
{
    double *x = K + (size_t)count * (size_t)n;
    const double size = sqrt(ukDotRows(x, x, n));
    ukMetricProjectOut(K, count, n, x, along);
    const double norm = sqrt(ukDotRows(x, x, n));
    if (!(norm > tolerance * size)) return 0;
    for (int i = 0; i < n; i++) x[i] /= norm;
    return norm;
}

/* Solutions of the rigid rows, x = sum of z_j K_j for `sides` right-hand sides, extended by row `rigid` of K with its
 * sides; norm and along (rigid) as above. */
static inline void ukMetricExtend(double *z, int rigid, int sides, const double *along, double norm, double *side)
{
    for (int s = 0; s < sides; s++) {
        for (int j = 0; j < rigid; j++) side[s] -= along[j] * z[sides * j + s];
        z[sides * rigid + s] = side[s] / norm;
    }
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/interior_box.h"

#include "solvers/problem/block.h"

#include <float.h>

/* before a loop whose rows do not depend on one another */
#if defined(__clang__)
#define UKODE_ROWS _Pragma("clang loop vectorize(assume_safety)")
#else
#define UKODE_ROWS _Pragma("GCC ivdep")
#endif

/* sum of n numbers, every fourth one by itself */
UKODE_INLINE double sumOfRows(const double *x, int n)
{
    ukFour sum = {0}, four;
    double rest = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) ukLoadFour(&four, x + i), sum += four;
    for (; i < n; i++) rest += x[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

/* The largest relative decrease -change / value of n numbers >= 0, at least 0, where change is 0 if value is; inverse:
 * `value` is 1 / value. */
UKODE_INLINE double largestDecrease(const double *change, const double *value, const bool inverse, int n)
{
    typedef long long Mask __attribute__((vector_size(32)));
    ukFour most = {0}, by, of;
    double largest = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
        ukLoadFour(&by, change + i), ukLoadFour(&of, value + i);
        const ukFour decrease = inverse ? -by * of : -by / (of + DBL_MIN);
        const Mask more = decrease > most;
        most = (ukFour)((more & (Mask)decrease) | (~more & (Mask)most));
    }
    for (int k = 0; k < 4; k++) largest = most[k] > largest ? most[k] : largest;
    for (; i < n; i++) {
        const double decrease = inverse ? -change[i] * value[i] : -change[i] / (value[i] + DBL_MIN);
        largest = decrease > largest ? decrease : largest;
    }
    return largest;
}

static double greaterOf(double x, double y)
{
    return x > y ? x : y;
}

UKODE_INLINE double linearizeBox(ukInterior *I, const ukBounded *B)
{
    const double *low = I->low, *high = I->high, *y = I->below, *z = I->above;
    const double *is_low = I->is_low, *is_high = I->is_high;
    const double *softness = B->softness, *shift = B->shift;
    double *pivot = I->pivot, *product = I->r, *u = I->nbelow, *v = I->nabove;
    UKODE_ROWS
    for (int i = 0; i < B->m; i++) {
        u[i] = is_low[i] / (low[i] + (1 - is_low[i])), v[i] = is_high[i] / (high[i] + (1 - is_high[i]));
        pivot[i] = softness[i] + shift[i] + y[i] * u[i] + z[i] * v[i];
        product[i] = low[i] * y[i] + high[i] * z[i];
    }
    return sumOfRows(product, B->m);
}

UKODE_INLINE void targetBox(ukInterior *I, const ukBounded *B, double target)
{
    const double *w = B->w, *c = I->cbelow, *d = I->cabove;
    const double *u = I->nbelow, *v = I->nabove;
    double *r = I->r;
    UKODE_ROWS
    for (int i = 0; i < B->m; i++) r[i] = -w[i] + (target - c[i]) * u[i] - (target - d[i]) * v[i];
}

UKODE_INLINE double stepBox(ukInterior *I, const ukBounded *B, double target)
{
    const double *y = I->below, *z = I->above, *c = I->cbelow, *d = I->cabove;
    const double *u = I->nbelow, *v = I->nabove, *step = I->step;
    const double *is_low = I->is_low, *is_high = I->is_high;
    double *g = I->gbelow, *h = I->gabove, *dy = I->dbelow, *dz = I->dabove;
    UKODE_ROWS
    for (int i = 0; i < B->m; i++) {
        g[i] = is_low[i] * step[i], h[i] = -is_high[i] * step[i];
        dy[i] = (target - c[i] - y[i] * g[i]) * u[i] - y[i];
        dz[i] = (target - d[i] - z[i] * h[i]) * v[i] - z[i];
    }
    const double slack = greaterOf(largestDecrease(g, u, true, B->m), largestDecrease(h, v, true, B->m));
    const double dual = greaterOf(largestDecrease(dy, y, false, B->m), largestDecrease(dz, z, false, B->m));
    return 1 / greaterOf(1, greaterOf(slack, dual));
}

UKODE_INLINE double predictBox(ukInterior *I, const ukBounded *B, double most, double share)
{
    const double *low = I->low, *high = I->high, *y = I->below, *z = I->above;
    const double *g = I->gbelow, *h = I->gabove, *dy = I->dbelow, *dz = I->dabove;
    double *c = I->cbelow, *d = I->cabove, *product = I->r;
    UKODE_ROWS
    for (int i = 0; i < B->m; i++) {
        const double s = low[i] + most * g[i], t = high[i] + most * h[i];
        product[i] = s * (y[i] + most * dy[i]) + t * (z[i] + most * dz[i]);
        c[i] = share * g[i] * dy[i], d[i] = share * h[i] * dz[i];
    }
    return sumOfRows(product, B->m);
}

UKODE_INLINE void moveBox(ukInterior *I, const ukBounded *B, double *lambda, double alpha)
{
    const double *g = I->gbelow, *h = I->gabove, *dy = I->dbelow, *dz = I->dabove;
    const double *step = I->step;
    double *low = I->low, *high = I->high, *y = I->below, *z = I->above;
    double *l = lambda;
    UKODE_ROWS
    for (int i = 0; i < B->m; i++) {
        l[i] += alpha * step[i];
        low[i] += alpha * g[i], high[i] += alpha * h[i];
        y[i] += alpha * dy[i], z[i] += alpha * dz[i];
    }
}

#define UKODE_INTERIOR_BOX(suffix, target_processor)                                                                   \
    target_processor static double linearizeBox##suffix(ukInterior *I, const ukBounded *B)                             \
    {                                                                                                                  \
        return linearizeBox(I, B);                                                                                     \
    }                                                                                                                  \
    target_processor static void targetBox##suffix(ukInterior *I, const ukBounded *B, double target)                   \
    {                                                                                                                  \
        targetBox(I, B, target);                                                                                       \
    }                                                                                                                  \
    target_processor static double stepBox##suffix(ukInterior *I, const ukBounded *B, double target)                   \
    {                                                                                                                  \
        return stepBox(I, B, target);                                                                                  \
    }                                                                                                                  \
    target_processor static double predictBox##suffix(ukInterior *I, const ukBounded *B, double most, double share)    \
    {                                                                                                                  \
        return predictBox(I, B, most, share);                                                                          \
    }                                                                                                                  \
    target_processor static void moveBox##suffix(ukInterior *I, const ukBounded *B, double *lambda, double alpha)      \
    {                                                                                                                  \
        moveBox(I, B, lambda, alpha);                                                                                  \
    }

UKODE_FOR_PROCESSORS(UKODE_INTERIOR_BOX)

int ukInteriorBoxBegin(ukInterior *I, const ukBounded *B)
{
    int bounds = 0;
    for (int i = 0; i < B->m; i++) {
        const bool low = I->low[i] < INFINITY, high = I->high[i] < INFINITY;
        I->is_low[i] = low, I->is_high[i] = high;
        if (!low) I->low[i] = I->below[i] = 0;
        if (!high) I->high[i] = I->above[i] = 0;
        bounds += low + high;
    }
    return bounds;
}

double ukInteriorBoxLinearize(ukInterior *I, const ukBounded *B)
{
    return UKODE_CHOSEN(linearizeBox)(I, B);
}

void ukInteriorBoxTarget(ukInterior *I, const ukBounded *B, double target)
{
    UKODE_CHOSEN(targetBox)(I, B, target);
}

double ukInteriorBoxStep(ukInterior *I, const ukBounded *B, double target)
{
    return UKODE_CHOSEN(stepBox)(I, B, target);
}

double ukInteriorBoxPredict(ukInterior *I, const ukBounded *B, double most, double share)
{
    return UKODE_CHOSEN(predictBox)(I, B, most, share);
}

void ukInteriorBoxMove(ukInterior *I, const ukBounded *B, double *lambda, double alpha)
{
    UKODE_CHOSEN(moveBox)(I, B, lambda, alpha);
}

#include "solvers/proximal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { Passes = 20 };

/* of the answer: what the last pass may still have changed */
static const double settled = 1e-11;

size_t ukProximalScratch(const ukPart *part)
{
    return 6 * part->size;
}

typedef struct Scratch {
    double *z, *w, *e;
} Scratch;

/* y = (K + eps)^-1 x. Rounding in the factor puts eps times too much into the null space of K. */
static void divide(const ukPart *part, const double *x, double *y)
{
    memcpy(y, x, part->size * sizeof *y);
    ukPartSubstitute(part, y);
}

/* e <- K (K + eps)^-1 e = e - eps (K + eps)^-1 e, refined once with K from A itself, which takes that out again */
static void filter(const ukPart *part, double eps, double *e, double *y, const Scratch *s)
{
    const size_t n = part->size;
    divide(part, e, y);
    ukPartReact(part, y, s->z, s->w);
    ukPartApply(part, s->z, s->w, s->e);
    for (size_t k = 0; k < n; k++) s->e[k] = e[k] - s->e[k] - eps * y[k];
    ukPartSubstitute(part, s->e);
    ukAddTo(n, 1, s->e, y);
    ukAddTo(n, -eps, y, e);
}

bool ukProximalSolve(const ukPart *part, double eps, double *x, double *lambda, double *scratch)
{
    const size_t n = part->size;
    double *t = scratch, *e = t + n, *step = e + n;
    const Scratch s = {step + n, step + 2 * n, step + 3 * n};
    double before = INFINITY, size = 0;
    ukPartGather(part, x, lambda, t);
    for (int pass = 0; pass < Passes; pass++) {
        ukPartResidual(part, part->p->b, t, e);
        filter(part, eps, e, step, &s);
        divide(part, e, step);
        size = sqrt(ukDotOf(n, step, step));
        if (!(size < 0.9 * before)) break;
        before = size;
        ukPartReact(part, step, s.z, s.w);
        ukAddTo(n, 1, s.z, t);
        if (size <= 4 * DBL_EPSILON * sqrt(ukDotOf(n, t, t))) break;
    }
    /* rounding, divided by eps, is left in the null space: take it out of the multipliers, (eps/(K + eps))^3 of them */
    for (size_t k = 0; k < n; k++) e[k] = part->plan->row[part->at + (int)k] < 0 ? 0 : t[k];
    for (int thrice = 0; thrice < 3; thrice++) {
        ukPartSubstitute(part, e);
        ukScale(n, eps, e);
    }
    /* what moves the bodies was no null vector */
    ukPartReact(part, e, s.z, s.w);
    ukAddTo(n, -1, s.z, t);
    ukPartScatter(part, t, x, lambda);
    for (size_t k = 0; k < n; k++)
        if (part->plan->row[part->at + (int)k] >= 0) s.z[k] = 0;
    const double whole = sqrt(ukDotOf(n, t, t));
    return size <= settled * whole && sqrt(ukDotOf(n, s.z, s.z)) <= settled * whole;
}

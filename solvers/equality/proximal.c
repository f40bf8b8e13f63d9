/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/equality/proximal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MaxIterations = 20 };

static const struct {
    double disagreement; /* part of the residual in null(K), relative to it, up to which one filtering suffices */
    double progress;     /* largest ratio of successive refinements that counts as progress */
} bound = {.disagreement = 1e-8, .progress = 0.9};

size_t ukProximalScratch(const ukComponent *component)
{
    return 6 * component->size;
}

typedef struct Scratch {
    double *z, *w, *e;
} Scratch;

/* y = (K + eps)^-1 x. The rounding error of the factor, divided by eps, appears in the part of y in null(K). */
static void applyFilter(const ukComponent *component, const double *x, double *y)
{
    memcpy(y, x, component->size * sizeof *y);
    ukComponentSubstitute(component, y);
}

/* e <- K (K + eps)^-1 e = e - eps (K + eps)^-1 e, refined once with products of A itself, which removes that rounding
 * error. Returns |eps (K + eps)^-1 e|, the size of the part that was removed, of which 1e-14 remains. */
static double filterMultipliers(const ukComponent *component, double eps, double *e, double *y, const Scratch *s)
{
    const size_t n = component->size;
    applyFilter(component, e, y);
    ukComponentReact(component, y, s->z, s->w);
    ukComponentApply(component, s->z, s->w, s->e);
    for (size_t k = 0; k < n; k++) s->e[k] = e[k] - s->e[k] - eps * y[k];
    ukComponentSubstitute(component, s->e);
    ukAddTo(n, 1, s->e, y);
    ukAddTo(n, -eps, y, e);
    return eps * sqrt(ukDotOf(n, y, y));
}

/* Whether the spectrum of K has a gap: [eps (K + eps)^-1]^3, applied to a vector without symmetry, extracts the parts
 * with sigma^2 up to some 20 eps, which must all satisfy u' K u <= least |u|^2. */
static bool hasSpectralGap(const ukComponent *component, double eps, double least, double *u, const Scratch *s)
{
    for (size_t k = 0; k < component->size; k++)
        u[k] = component->plan->row[component->at + (int)k] < 0 ? 0 : 1.5 + sin(1.0 + (double)k);
    for (int power = 0; power < 3; power++) {
        ukComponentSubstitute(component, u);
        ukScale(component->size, eps, u);
    }
    ukComponentReact(component, u, s->z, s->w);
    return ukDotOf(component->size, s->z, s->w) <= least * ukDotOf(component->size, u, u);
}

bool ukProximalSolve(const ukComponent *component, double eps, double least, double *x, double *lambda, double *scratch)
{
    const size_t n = component->size;
    double *t = scratch, *e = t + n, *step = e + n;
    const Scratch s = {step + n, step + 2 * n, step + 3 * n};
    double first = 0, before = INFINITY;
    if (!hasSpectralGap(component, eps, least, step, &s)) return false;
    ukComponentGather(component, x, lambda, t);
    for (int iteration = 0; iteration < MaxIterations; iteration++) {
        ukComponentResidual(component, component->p->b, t, e);
        if (iteration == 0) first = sqrt(ukDotOf(n, e, e));
        if (filterMultipliers(component, eps, e, step, &s) > bound.disagreement * first)
            filterMultipliers(component, eps, e, step, &s);
        applyFilter(component, e, step);
        const double size = sqrt(ukDotOf(n, step, step));
        if (!(size < bound.progress * before)) break;
        before = size;
        ukComponentReact(component, step, s.z, s.w);
        ukAddTo(n, 1, s.z, t);
        if (size <= 4 * DBL_EPSILON * sqrt(ukDotOf(n, t, t))) break;
    }
    /* removes from the multipliers their part in null(K), rounding over eps: [eps (K + eps)^-1]^3 of them */
    for (size_t k = 0; k < n; k++) e[k] = component->plan->row[component->at + (int)k] < 0 ? 0 : t[k];
    for (int thrice = 0; thrice < 3; thrice++) {
        ukComponentSubstitute(component, e);
        ukScale(n, eps, e);
    }
    ukComponentReact(component, e, s.z, s.w);
    ukAddTo(n, -1, s.z, t);
    ukComponentScatter(component, t, x, lambda);
    return true;
}

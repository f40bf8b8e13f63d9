#include "solvers/proximal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { Passes = 20 };

size_t ukProximalScratch(const ukPart *part)
{
    return 6 * part->size;
}

typedef struct Scratch {
    double *z, *w, *e;
} Scratch;

/* y = (K + eps)^-1 x. What rounding in the factor puts into the null space of K is eps times too large for that; one
 * refinement, with K from A itself, takes it out. */
static void divide(const ukPart *part, double eps, const double *x, double *y, const Scratch *s)
{
    const size_t n = part->size;
    memcpy(y, x, n * sizeof *y);
    ukPartSubstitute(part, y);
    ukPartReact(part, y, s->z, s->w);
    ukPartApply(part, s->z, s->w, s->e);
    for (size_t k = 0; k < n; k++) s->e[k] = x[k] - s->e[k] - eps * y[k];
    ukPartSubstitute(part, s->e);
    ukAddTo(n, 1, s->e, y);
}

void ukProximalSolve(const ukPart *part, double eps, double *x, double *lambda, double *scratch)
{
    const size_t n = part->size;
    double *t = scratch, *e = t + n, *step = e + n;
    const Scratch s = {step + n, step + 2 * n, step + 3 * n};
    double before = INFINITY;
    ukPartGather(part, x, lambda, t);
    for (int pass = 0; pass < Passes; pass++) {
        ukPartResidual(part, part->p->b, t, e);
        for (int twice = 0; twice < 2; twice++) { /* e <- K (K + eps)^-1 e = e - eps (K + eps)^-1 e */
            divide(part, eps, e, step, &s);
            ukAddTo(n, -eps, step, e);
        }
        divide(part, eps, e, step, &s);
        const double size = sqrt(ukDotOf(n, step, step));
        if (!(size < 0.9 * before)) break;
        before = size;
        ukPartReact(part, step, s.z, s.w);
        ukAddTo(n, 1, s.z, t);
        if (size <= 4 * DBL_EPSILON * sqrt(ukDotOf(n, t, t))) break;
    }
    /* rounding, divided by eps, is left in the null space: take it out of the multipliers, (eps/(K + eps))^3 of them */
    for (size_t k = 0; k < n; k++) e[k] = part->plan->row[part->at + (int)k] < 0 ? 0 : t[k];
    for (int thrice = 0; thrice < 3; thrice++) {
        divide(part, eps, e, step, &s);
        memcpy(e, step, n * sizeof *e);
        ukScale(n, eps, e);
    }
    ukAddTo(n, -1, e, t);
    ukPartScatter(part, t, x, lambda);
}

#include "solvers/redundant.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { Refinements = 6 };

/* of the least pivot: |K u| that leaves a null vector u ten digits */
static const double null = 1e-10;

/* where the null vector of a pivot is not zero; spans are nested or apart */
typedef struct Span {
    int front;
    size_t from, size;
} Span;

static Span spanOf(const ukPart *part, int position)
{
    const ukFront *front = part->plan->front;
    int lo = part->first, hi = part->last;
    while (lo < hi) {
        const int middle = lo + (hi - lo + 1) / 2;
        if (front[middle].at <= position)
            lo = middle;
        else
            hi = middle - 1;
    }
    const int from = front[front[lo].first].at;
    return (Span){lo, (size_t)(from - part->at), (size_t)(position - from + 1)};
}

typedef struct Basis {
    const ukPart *part;
    const int *pivot;
    int q;
    double *u;    /* one after the other, each as long as its span */
    double least; /* pivot of the unit rows that did not vanish */
} Basis;

static Basis basisOf(const ukPart *part, const int *pivot, int q, double *u)
{
    Basis basis = {part, pivot, q, u, INFINITY};
    for (int k = part->at, i = 0; k < part->at + (int)part->size; k++) {
        if (i < q && k == pivot[i]) {
            i++;
        } else if (part->plan->row[k] >= 0) {
            basis.least = fmin(basis.least, fabs(part->factor->pivot[k]) * part->unit[k] * part->unit[k]);
        }
    }
    return basis;
}

size_t ukRedundantScratch(const ukPart *part, const int *shifted, int q)
{
    size_t scratch = 4 * part->size;
    for (int i = 0; i < q; i++) scratch += spanOf(part, shifted[i]).size;
    return scratch;
}

bool ukRedundantCheap(const ukPart *part, const int *shifted, int q, size_t work)
{
    size_t sum = 0;
    for (int i = 0; i < q && sum <= work; i++) {
        const Span span = spanOf(part, shifted[i]);
        for (int j = i; j >= 0 && sum <= work; j--) {
            const Span below = spanOf(part, shifted[j]);
            if (below.from < span.from) break;
            sum += 4 * below.size;
        }
    }
    return sum <= work;
}

/* y (size of the part): null vector of K~'s changed pivot, 0 outside of its span */
static void nullVector(const ukPart *part, int position, const Span *span, double *y)
{
    const ukFront *front = part->plan->front + span->front;
    memset(y, 0, part->size * sizeof *y);
    y[position - part->at] = 1;
    ukFactorSolve(part->factor, part->plan, front->first, span->front, y + span->from);
    for (size_t k = 0; k < span->size; k++)
        y[span->from + k] = part->plan->row[part->at + (int)(span->from + k)] < 0
                                ? 0
                                : y[span->from + k] / part->unit[part->at + (int)(span->from + k)];
}

/* u -= u_j (u_j . u) for the vectors before i whose span lies in that of i */
static void againstBelow(const Basis *basis, int i, const Span *span, double *u)
{
    const double *before = u;
    for (int j = i - 1; j >= 0; j--) {
        const Span below = spanOf(basis->part, basis->pivot[j]);
        if (below.from < span->from) return;
        before -= below.size;
        double *y = u + (below.from - span->from);
        ukAddTo(below.size, -ukDotOf(below.size, before, y), before, y);
    }
}

static void span(const Basis *basis, double *y)
{
    double *u = basis->u;
    for (int i = 0; i < basis->q; i++) {
        const Span span = spanOf(basis->part, basis->pivot[i]);
        nullVector(basis->part, basis->pivot[i], &span, y);
        memcpy(u, y + span.from, span.size * sizeof *u);
        ukScale(span.size, 1 / sqrt(ukDotOf(span.size, u, u)), u);
        againstBelow(basis, i, &span, u);
        againstBelow(basis, i, &span, u);
        ukScale(span.size, 1 / sqrt(ukDotOf(span.size, u, u)), u);
        u += span.size;
    }
}

/* y = P y */
static void project(const Basis *basis, double *y)
{
    const double *u = basis->u;
    for (int i = 0; i < basis->q; i++) {
        const Span span = spanOf(basis->part, basis->pivot[i]);
        ukAddTo(span.size, -ukDotOf(span.size, u, y + span.from), u, y + span.from);
        u += span.size;
    }
}

/* Whether all of the basis is null, by its singular values and by the digits that it has: one combination without
 * symmetry tells for all, since it holds at least the q-th part of the largest sigma^2 there. */
static bool vanish(const Basis *basis, double tolerance, double *y, double *z, double *w)
{
    const ukPart *part = basis->part;
    const double *u = basis->u;
    double size = 0;
    memset(y, 0, part->size * sizeof *y);
    for (int i = 0; i < basis->q; i++) {
        const Span span = spanOf(part, basis->pivot[i]);
        const double weight = 1.5 + sin(1.0 + i);
        ukAddTo(span.size, weight, u, y + span.from);
        size += weight * weight;
        u += span.size;
    }
    ukPartReact(part, y, z, w);
    const double square = basis->q * ukDotOf(part->size, z, w);
    ukPartApply(part, z, w, y);
    return square <= tolerance * tolerance * size &&
           sqrt(basis->q * ukDotOf(part->size, y, y)) <= null * basis->least * sqrt(size);
}

bool ukRedundantSolve(const ukPart *part, const int *shifted, int q, double tolerance, double *x, double *lambda,
                      double *scratch)
{
    const size_t n = part->size;
    double *t = scratch, *step = t + n, *z = step + n, *w = z + n;
    const Basis basis = basisOf(part, shifted, q, w + n);
    span(&basis, t);
    if (tolerance < INFINITY && !vanish(&basis, tolerance, t, z, w)) return false;
    double first = 0, before = INFINITY;
    ukPartGather(part, x, lambda, t);
    for (int pass = 0; pass < Refinements; pass++) {
        ukPartResidual(part, part->p->b, t, step);
        project(&basis, step);
        ukPartSubstitute(part, step);
        project(&basis, step);
        const double size = sqrt(ukDotOf(n, step, step));
        if (!(size < 0.5 * before)) break;
        ukPartReact(part, step, z, w);
        ukAddTo(n, 1, z, t);
        if (pass == 0) first = size;
        if (pass > 0 && size * (size / before) <= DBL_EPSILON * first) break; /* what the next would bring */
        before = size;
    }
    ukPartScatter(part, t, x, lambda);
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/equality/null_space.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MaxRefinements = 6 };

static const struct {
    double residual;   /* |K u| of a null vector u with ten digits, relative to the least pivot */
    double soft_share; /* fraction of u' S u by which u' K_0 u of a dependent combination may exceed the tolerance */
    double progress;   /* a refinement must be smaller than the one before by this factor */
} bound = {.residual = 1e-10, .soft_share = 0.01, .progress = 0.5};

/* positions where the null vector of a pivot may be nonzero: its subtree. Spans are nested or disjoint. */
typedef struct Span {
    int front;
    size_t from, size;
} Span;

static Span nullVectorSpan(const ukComponent *component, int position)
{
    const ukFront *front = component->plan->front;
    int lo = component->first, hi = component->last;
    while (lo < hi) {
        const int middle = lo + (hi - lo + 1) / 2;
        if (front[middle].at <= position)
            lo = middle;
        else
            hi = middle - 1;
    }
    const int from = front[front[lo].first].at;
    return (Span){lo, (size_t)(from - component->at), (size_t)(position - from + 1)};
}

typedef struct Basis {
    const ukComponent *component;
    const int *pivot;
    int q;
    double *u;    /* the vectors one after the other, each of the size of its span */
    double least; /* least pivot of the other rows, as unit rows */
} Basis;

static Basis nullBasisVector(const ukComponent *component, const int *pivot, int q, double *u)
{
    Basis basis = {component, pivot, q, u, INFINITY};
    for (int k = component->at, i = 0; k < component->at + (int)component->size; k++) {
        if (i < q && k == pivot[i]) {
            i++;
        } else if (component->plan->row[k] >= 0) {
            basis.least =
                fmin(basis.least, fabs(component->factor->pivot[k]) * component->unit[k] * component->unit[k]);
        }
    }
    return basis;
}

size_t ukNullSpaceScratch(const ukComponent *component, const int *shifted, int q)
{
    size_t scratch = 4 * component->size;
    for (int i = 0; i < q; i++) scratch += nullVectorSpan(component, shifted[i]).size;
    return scratch;
}

bool ukNullSpaceCheap(const ukComponent *component, const int *shifted, int q, size_t work)
{
    size_t sum = 0;
    for (int i = 0; i < q && sum <= work; i++) {
        const Span span = nullVectorSpan(component, shifted[i]);
        for (int j = i; j >= 0 && sum <= work; j--) {
            const Span below = nullVectorSpan(component, shifted[j]);
            if (below.from < span.from) break;
            sum += 4 * below.size;
        }
    }
    return sum <= work;
}

/* rows of y on the span as multipliers of unit rows, 0 at the bodies */
static void toUnitLength(const ukComponent *component, const Span *span, double *y)
{
    for (size_t k = span->from; k < span->from + span->size; k++) {
        const int at = component->at + (int)k;
        y[k] = component->plan->row[at] < 0 ? 0 : y[k] / component->unit[at];
    }
}

/* y = K~^-1 e_position on the span, 0 elsewhere: the null vector of K at a pivot that vanished */
static void solveNullVector(const ukComponent *component, int position, const Span *span, double *y)
{
    const ukFront *front = component->plan->front + span->front;
    memset(y, 0, component->size * sizeof *y);
    y[position - component->at] = 1;
    ukFactorSolve(component->factor, component->plan, front->first, span->front, y + span->from);
    toUnitLength(component, span, y);
}

/* y minimises u' K u over the span with u = 1 at the pivot: y = L'^-1 e_position; the minimum is the pivot. */
static void smallestVector(const ukComponent *component, int position, const Span *span, double *y)
{
    const ukFront *front = component->plan->front + span->front;
    memset(y, 0, component->size * sizeof *y);
    y[position - component->at] = 1;
    ukFactorBackward(component->factor, component->plan, front->first, span->front, y + span->from);
    toUnitLength(component, span, y);
    ukScale(span->size, 1 / y[position - component->at], y + span->from);
}

/* u -= u_j (u_j . u) for the basis vectors j < i whose span is in that of i (Gram-Schmidt) */
static void orthogonalizeBelow(const Basis *basis, int i, const Span *span, double *u)
{
    const double *before = u;
    for (int j = i - 1; j >= 0; j--) {
        const Span below = nullVectorSpan(basis->component, basis->pivot[j]);
        if (below.from < span->from) return;
        before -= below.size;
        double *y = u + (below.from - span->from);
        ukAddTo(below.size, -ukDotOf(below.size, before, y), before, y);
    }
}

/* the orthonormal basis U of the null space */
static void spanNullSpace(const Basis *basis, double *y)
{
    double *u = basis->u;
    for (int i = 0; i < basis->q; i++) {
        const Span span = nullVectorSpan(basis->component, basis->pivot[i]);
        solveNullVector(basis->component, basis->pivot[i], &span, y);
        memcpy(u, y + span.from, span.size * sizeof *u);
        ukScale(span.size, 1 / sqrt(ukDotOf(span.size, u, u)), u);
        orthogonalizeBelow(basis, i, &span, u);
        orthogonalizeBelow(basis, i, &span, u);
        ukScale(span.size, 1 / sqrt(ukDotOf(span.size, u, u)), u);
        u += span.size;
    }
}

/* y = P y, P = I - U U' */
static void projectOutNullSpace(const Basis *basis, double *y)
{
    const double *u = basis->u;
    for (int i = 0; i < basis->q; i++) {
        const Span span = nullVectorSpan(basis->component, basis->pivot[i]);
        ukAddTo(span.size, -ukDotOf(span.size, u, y + span.from), u, y + span.from);
        u += span.size;
    }
}

/* weights of mixWeakVectors: arbitrary, without symmetry */
static double rigidWeight(int i)
{
    return 1.5 + sin(1.0 + i);
}

/* y = sum of weight_i u_i, whose y' K y is about the q-th part, or more, of the largest sigma^2 |y|^2 in the basis.
 * Returns |y|^2. */
static double mixWeakVectors(const Basis *basis, double *y)
{
    const double *u = basis->u;
    double size = 0;
    memset(y, 0, basis->component->size * sizeof *y);
    for (int i = 0; i < basis->q; i++) {
        const Span span = nullVectorSpan(basis->component, basis->pivot[i]);
        const double weight = rigidWeight(i);
        ukAddTo(span.size, weight, u, y + span.from);
        size += weight * weight;
        u += span.size;
    }
    return size;
}

/* Whether the whole basis is null: sigma <= tolerance, and |K u| as small as for ten correct digits. */
static bool isDependent(const Basis *basis, double tolerance, double *y, double *z, double *w)
{
    const ukComponent *component = basis->component;
    const double size = mixWeakVectors(basis, y);
    ukComponentReact(component, y, z, w);
    const double square = basis->q * ukDotOf(component->size, z, w);
    ukComponentApply(component, z, w, y);
    return square <= tolerance * tolerance * size &&
           sqrt(basis->q * ukDotOf(component->size, y, y)) <= bound.residual * basis->least * sqrt(size);
}

/* u' S u of a vector on the span */
static double softWeight(const ukComponent *component, const double *softness, const Span *span, const double *u)
{
    double sum = 0;
    for (size_t k = 0; k < span->size && softness; k++) {
        const int at = component->at + (int)(span->from + k), row = component->plan->row[at];
        if (row >= 0) sum += softness[row] * component->unit[at] * component->unit[at] * u[k] * u[k];
    }
    return sum;
}

/* Rayleigh quotient u' K_0 u / u' K u after one inverse iteration u <- K^-1 S u, which converges to the combination
 * that softness S dominates. */
static double rigidShare(const ukComponent *component, double *u, double *z, double *w)
{
    double motion = 0, whole = 0;
    for (size_t k = 0; k < component->size; k++) {
        const int at = component->at + (int)k, row = component->plan->row[at];
        u[k] *=
            row < 0 || !component->softness ? 0 : component->softness[row] * component->unit[at] * component->unit[at];
    }
    ukComponentSubstitute(component, u);
    ukComponentReact(component, u, z, w);
    for (size_t k = 0; k < component->size; k++) {
        const double share = z[k] * w[k];
        whole += share;
        if (component->plan->row[component->at + (int)k] < 0) motion += share;
    }
    return whole > 0 ? motion / whole : 0;
}

double ukNullSpaceRigidityTogether(const ukComponent *component, const int *weak, int q, double *scratch)
{
    double *u = scratch, *z = u + component->size, *w = z + component->size;
    const Span whole = {.from = 0, .size = component->size};
    memset(u, 0, component->size * sizeof *u);
    for (int i = 0; i < q; i++) u[weak[i] - component->at] = rigidWeight(i) * component->unit[weak[i]];
    ukFactorBackward(component->factor, component->plan, component->first, component->last, u);
    toUnitLength(component, &whole, u);
    return q * rigidShare(component, u, z, w);
}

double ukNullSpaceRigidity(const ukComponent *component, const int *weak, int q, double tolerance, double *scratch)
{
    double *mixed = scratch, *y = mixed + component->size, *z = y + component->size, *w = z + component->size;
    int kept = 0;
    memset(mixed, 0, component->size * sizeof *mixed);
    for (int i = 0; i < q; i++) {
        const Span span = nullVectorSpan(component, weak[i]);
        smallestVector(component, weak[i], &span, y);
        const double *u = y + span.from, unit = component->unit[weak[i]], square = ukDotOf(span.size, u, u),
                     soft = softWeight(component, component->softness, &span, u);
        const double hard = fabs(component->factor->pivot[weak[i]]) * unit * unit - soft;
        if (!(hard <= tolerance * tolerance * square + bound.soft_share * soft)) continue;
        ukAddTo(span.size, rigidWeight(i) / sqrt(square), u, mixed + span.from);
        kept++;
    }
    return kept > 0 ? kept * rigidShare(component, mixed, z, w) : 0;
}

bool ukNullSpaceSolve(const ukComponent *component, const int *shifted, int q, double tolerance, double *x,
                      double *lambda, double *scratch)
{
    const size_t n = component->size;
    double *t = scratch, *step = t + n, *z = step + n, *w = z + n;
    const Basis basis = nullBasisVector(component, shifted, q, w + n);
    spanNullSpace(&basis, t);
    if (tolerance < INFINITY && !isDependent(&basis, tolerance, t, z, w)) return false;
    double first = 0, before = INFINITY;
    ukComponentGather(component, x, lambda, t);
    for (int iteration = 0; iteration < MaxRefinements; iteration++) {
        ukComponentResidual(component, component->p->b, t, step);
        projectOutNullSpace(&basis, step);
        ukComponentSubstitute(component, step);
        projectOutNullSpace(&basis, step);
        const double size = sqrt(ukDotOf(n, step, step));
        if (!(size < bound.progress * before)) break;
        ukComponentReact(component, step, z, w);
        ukAddTo(n, 1, z, t);
        if (iteration == 0) first = size;
        if (iteration > 0 && size * (size / before) <= DBL_EPSILON * first) break; /* the next one will be rounding */
        before = size;
    }
    ukComponentScatter(component, t, x, lambda);
    return true;
}

double ukNullSpaceRigidityOf(const ukComponent *component, const int *shifted, int q, const double *springs,
                             double *scratch)
{
    const size_t n = component->size;
    double *y = scratch, *z = y + 2 * n, *w = z + n;
    const Basis basis = {.component = component, .pivot = shifted, .q = q, .u = w + n};
    mixWeakVectors(&basis, y);
    ukComponentReact(component, y, z, w);
    const double motion = q * ukDotOf(n, z, w), soft = softWeight(component, springs, &(Span){.from = 0, .size = n}, y);
    return motion + soft > 0 ? motion / (motion + soft) : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/equality/subspace.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { JacobiSweeps = 40, Refinements = 6 };

static const struct {
    double cosine;   /* largest cosine of two columns of B' U that count as orthogonal: rounding of a few products */
    double progress; /* largest ratio of successive refinements that counts as progress */
    double poor;     /* largest part of another row in a null vector, relative to that of the row whose pivot
                      * vanished */
} bound = {.cosine = 1e-13, .progress = 0.5, .poor = 100};

/* vectors of one size, one after the other */
typedef struct Space {
    int q;
    size_t n;
    double *U, *Z, *W, *square; /* square (q): squared singular values u' K u */
} Space;

static void orthonormalizeColumns(Space *s)
{
    const size_t n = s->n;
    for (int i = 0; i < s->q; i++) {
        double *u = s->U + (size_t)i * n;
        ukScale(n, 1 / sqrt(ukDotOf(n, u, u)), u);
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j < i; j++) {
                const double *v = s->U + (size_t)j * n;
                ukAddTo(n, -ukDotOf(n, v, u), v, u);
            }
        ukScale(n, 1 / sqrt(ukDotOf(n, u, u)), u);
    }
}

static void rotateColumns(size_t n, double c, double s, double *x, double *y)
{
    for (size_t k = 0; k < n; k++) {
        const double t = x[k];
        x[k] = c * t - s * y[k];
        y[k] = s * t + c * y[k];
    }
}

/* Singular vectors of B within the space by one-sided Jacobi rotations. Two vectors that are both at or below `least`
 * are not rotated: both are dropped. */
static void diagonalizeByJacobi(const ukComponent *component, Space *s, double least)
{
    const size_t n = s->n;
    for (int i = 0; i < s->q; i++) {
        ukComponentReact(component, s->U + (size_t)i * n, s->Z + (size_t)i * n, s->W + (size_t)i * n);
        s->square[i] = ukDotOf(n, s->Z + (size_t)i * n, s->W + (size_t)i * n);
    }
    bool done = false;
    for (int sweep = 0; sweep < JacobiSweeps && !done; sweep++) {
        done = true;
        for (int j = 1; j < s->q; j++)
            for (int i = 0; i < j; i++) {
                const size_t at = (size_t)i * n, to = (size_t)j * n;
                const double a = s->square[i], b = s->square[j];
                if (a <= least && b <= least) continue;
                const double cross = ukDotOf(n, s->Z + at, s->W + to);
                if (!(fabs(cross) > bound.cosine * sqrt(a * b))) continue;
                const double zeta = (b - a) / (2 * cross);
                const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                const double c = 1 / sqrt(1 + t * t);
                rotateColumns(n, c, c * t, s->U + at, s->U + to);
                rotateColumns(n, c, c * t, s->Z + at, s->Z + to);
                rotateColumns(n, c, c * t, s->W + at, s->W + to);
                s->square[i] = ukDotOf(n, s->Z + at, s->W + at);
                s->square[j] = ukDotOf(n, s->Z + to, s->W + to);
                done = false;
            }
    }
}

/* x -= its part along the dropped vectors */
static void projectOntoSubspace(const Space *s, double least, double *x)
{
    for (int i = 0; i < s->q; i++) {
        const double *u = s->U + (size_t)i * s->n;
        if (s->square[i] <= least) ukAddTo(s->n, -ukDotOf(s->n, u, x), u, x);
    }
}

size_t ukSubspaceScratch(const ukComponent *component, int q)
{
    return (3 * (size_t)q + 6) * component->size + (size_t)q;
}

static Space subspaceLayout(const ukComponent *component, int q, double *scratch)
{
    const size_t n = component->size, vectors = (size_t)q * n;
    return (Space){.q = q,
                   .n = n,
                   .U = scratch,
                   .Z = scratch + vectors,
                   .W = scratch + 2 * vectors,
                   .square = scratch + 3 * vectors + 6 * n};
}

/* singular vectors of B in the span of K~^-1 E; y (size of the component) is scratch */
static void findSingularVectors(const ukComponent *component, const int *shifted, Space *s, double least, double *y)
{
    const size_t n = s->n;
    for (int i = 0; i < s->q; i++) {
        double *u = s->U + (size_t)i * n;
        memset(u, 0, n * sizeof *u);
        u[shifted[i] - component->at] = 1;
        ukComponentSubstitute(component, u);
    }
    orthonormalizeColumns(s);
    diagonalizeByJacobi(component, s, least);
    /* K u = sigma^2 u holds in the span of K~^-1 E for sigma = 0; otherwise one step of correction is due */
    for (int i = 0; i < s->q; i++) {
        double *u = s->U + (size_t)i * n;
        ukComponentApply(component, s->Z + (size_t)i * n, s->W + (size_t)i * n, y);
        ukAddTo(n, -s->square[i], u, y);
        ukComponentSubstitute(component, y);
        ukAddTo(n, -1, y, u);
    }
    orthonormalizeColumns(s);
    diagonalizeByJacobi(component, s, least);
}

/* the index of the largest entry of the null vectors first, first + 1, ...; *which: of which vector */
static size_t largestEntry(const Space *s, double least, int first, int *which)
{
    size_t at = 0;
    double most = -1;
    for (int i = first; i < s->q; i++)
        for (size_t k = 0; k < s->n && s->square[i] <= least; k++)
            if (fabs(s->U[(size_t)i * s->n + k]) > most) most = fabs(s->U[(size_t)i * s->n + k]), at = k, *which = i;
    return most > 0 ? at : s->n;
}

/* Whether the rows with shifted pivots may be the ones that are left out: every column of K~^-1 E D is null, and no
 * other row has a far larger part in one of them. Column i has 1 at pivot i and 0 at the others, so one combination of
 * all columns shows both, for one substitution. */
static bool mayDropShiftedRows(const ukComponent *component, const int *shifted, int q, double least, double *u)
{
    const size_t n = component->size;
    double *z = u + n, *w = z + n, square = 0, most = 0;
    memset(u, 0, n * sizeof *u);
    for (int i = 0; i < q; i++) {
        const double unit = component->unit[shifted[i]], weight = 1.5 + sin(1.0 + i);
        u[shifted[i] - component->at] = weight * component->factor->diagonal[shifted[i]] * unit * unit;
        square += weight * weight;
    }
    ukComponentSubstitute(component, u);
    for (size_t k = 0; k < n; k++) most = fmax(most, fabs(u[k]));
    ukComponentReact(component, u, z, w);
    return most * most <= bound.poor * bound.poor * square / q && q * ukDotOf(n, z, w) <= least * square;
}

void ukSubspaceIndependent(const ukComponent *component, const int *shifted, int q, double tolerance,
                           unsigned char *independent, double *scratch)
{
    Space s = subspaceLayout(component, q, scratch);
    const double least = tolerance * tolerance;
    if (mayDropShiftedRows(component, shifted, q, least, scratch)) {
        for (int i = 0; i < q; i++) independent[component->plan->row[shifted[i]]] = 0;
        return;
    }
    findSingularVectors(component, shifted, &s, least, s.W + (size_t)q * s.n);
    for (int i = 0, which = 0; i < q; i++) {
        const size_t at = largestEntry(&s, least, i, &which);
        if (at == s.n) return;
        independent[component->plan->row[component->at + (int)at]] = 0;
        double *u = s.U + (size_t)i * s.n, *v = s.U + (size_t)which * s.n;
        for (size_t k = 0; k < s.n && which != i; k++) {
            const double swap = u[k];
            u[k] = v[k], v[k] = swap;
        }
        s.square[which] = s.square[i], s.square[i] = 0;
        for (int j = i + 1; j < q; j++) {
            double *other = s.U + (size_t)j * s.n;
            if (s.square[j] <= least) ukAddTo(s.n, -other[at] / u[at], u, other);
        }
    }
}

int ukSubspaceSolve(const ukComponent *component, const int *shifted, int q, double tolerance, double *x,
                    double *lambda, double *scratch)
{
    Space s = subspaceLayout(component, q, scratch);
    const size_t n = s.n;
    double *t = s.W + (size_t)q * n, *y = t + n, *e = y + n, *step = e + n, *z = step + n, *w = z + n;
    const double least = tolerance * tolerance;
    findSingularVectors(component, shifted, &s, least, y);
    double before = INFINITY;
    ukComponentGather(component, x, lambda, t);
    for (int iteration = 0; iteration < Refinements; iteration++) {
        ukComponentResidual(component, component->p->b, t, e);
        projectOntoSubspace(&s, least, e);
        memcpy(step, e, n * sizeof *e);
        ukComponentSubstitute(component, step);
        /* (K~ - K) step on the small singular vectors that are kept */
        ukComponentReact(component, step, z, w);
        ukComponentApply(component, z, w, y);
        ukAddTo(n, -1, y, e);
        for (int i = 0; i < q; i++) {
            const double *u = s.U + (size_t)i * n;
            if (s.square[i] > least) ukAddTo(n, ukDotOf(n, u, e) / s.square[i], u, step);
        }
        projectOntoSubspace(&s, least, step);
        const double size = sqrt(ukDotOf(n, step, step));
        if (!(size < bound.progress * before)) break;
        before = size;
        ukComponentReact(component, step, z, w);
        ukAddTo(n, 1, z, t);
    }
    ukComponentScatter(component, t, x, lambda);
    int dropped = 0;
    for (int i = 0; i < q; i++) dropped += s.square[i] <= least;
    return dropped;
}

double ukSubspaceRigidityOf(const ukComponent *component, int q, double tolerance, const double *springs,
                            const double *scratch)
{
    const size_t n = component->size, vectors = (size_t)q * n;
    const double *square = scratch + 3 * vectors + 6 * n;
    double most = 0;
    for (int i = 0; i < q; i++) {
        const double *u = scratch + (size_t)i * n;
        double soft = 0;
        if (square[i] > tolerance * tolerance) continue;
        for (size_t k = 0; k < n; k++) {
            const int row = component->plan->row[component->at + (int)k];
            const double own = component->unit[component->at + (int)k] * u[k];
            if (row >= 0) soft += springs[row] * own * own;
        }
        if (square[i] + soft > 0) most = fmax(most, square[i] / (square[i] + soft));
    }
    return most;
}

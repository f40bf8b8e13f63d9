#include "solvers/deficient.h"

#include "solvers/status.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PowerSteps = 12, JacobiSweeps = 40, Refinements = 6 };

/* Vectors of one part, by position from its first one on. u holds multipliers at the positions of rows, 0 at those of
 * bodies; z = (M^-1 A' u at the bodies, u at the rows) and w = (A' u, S u), so that z_i . w_j = u_i' K u_j with
 * K = A M^-1 A' + S is had without squaring A. */
typedef struct Part {
    const ukFactor *factor;
    const ukSymbolic *plan;
    const ukProblem *p;
    const double *softness;
    int first, last, at;
    size_t size;
} Part;

void ukDeficientFree(ukDeficient *d)
{
    free(d->memory);
    *d = (ukDeficient){0};
}

/* z and w of u */
static void react(const Part *part, const double *u, double *z, double *w)
{
    const ukSymbolic *plan = part->plan;
    const ukProblem *p = part->p;
    memcpy(z, u, part->size * sizeof *z);
    for (size_t k = 0; k < part->size; k++) {
        const int row = plan->row[part->at + (int)k];
        w[k] = row < 0 || !part->softness ? 0 : part->softness[row] * u[k];
    }
    const ukEntry *e = plan->entry + plan->front[part->first].entry;
    const ukEntry *end = plan->entry + plan->front[part->last].entry + plan->front[part->last].entries;
    for (; e < end; e++) {
        double *f = w + plan->body_at[e->body] - part->at;
        const double *A = p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride)
            for (int c = 0; c < 6; c++) f[c] += A[c] * u[plan->row_at[e->row + r] - part->at];
    }
    for (int f = part->first; f <= part->last; f++) {
        const int i = plan->front[f].body;
        if (i < 0) continue;
        const double *g = w + plan->front[f].at - part->at, *I = p->inverse_inertia + 9 * (size_t)i;
        double *x = z + plan->front[f].at - part->at;
        for (int c = 0; c < 3; c++) {
            x[c] = g[c] / p->mass[i];
            x[3 + c] = I[3 * c] * g[3] + I[3 * c + 1] * g[4] + I[3 * c + 2] * g[5];
        }
    }
}

/* y = (A M^-1 A' + S) u for z, w of react(); 0 at the bodies */
static void apply(const Part *part, const double *z, const double *w, double *y)
{
    const ukSymbolic *plan = part->plan;
    for (size_t k = 0; k < part->size; k++) y[k] = plan->row[part->at + (int)k] < 0 ? 0 : w[k];
    const ukEntry *e = plan->entry + plan->front[part->first].entry;
    const ukEntry *end = plan->entry + plan->front[part->last].entry + plan->front[part->last].entries;
    for (; e < end; e++) {
        const double *x = z + plan->body_at[e->body] - part->at, *A = part->p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride) {
            double sum = 0;
            for (int c = 0; c < 6; c++) sum += A[c] * x[c];
            y[plan->row_at[e->row + r] - part->at] += sum;
        }
    }
}

/* y = K~^-1 y; 0 at the bodies */
static void substitute(const Part *part, double *y)
{
    ukFactorSolve(part->factor, part->plan, part->first, part->last, y);
    for (size_t k = 0; k < part->size; k++) y[k] = part->plan->row[part->at + (int)k] < 0 ? 0 : -y[k];
}

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

static void add(size_t n, double s, const double *x, double *y)
{
    for (size_t k = 0; k < n; k++) y[k] += s * x[k];
}

static void scale(size_t n, double s, double *x)
{
    for (size_t k = 0; k < n; k++) x[k] *= s;
}

/* largest eigenvalue of K by power iteration from a rough start; u, z, w scratch */
static double largest(const Part *part, double *u, double *z, double *w)
{
    const size_t n = part->size;
    double value = 0;
    for (size_t k = 0; k < n; k++) u[k] = part->plan->row[part->at + (int)k] < 0 ? 0 : 1 + 0.5 * sin(1.0 + (double)k);
    for (int step = 0; step < PowerSteps; step++) {
        const double norm = sqrt(dot(n, u, u));
        if (!(norm > 0)) return 0;
        scale(n, 1 / norm, u);
        react(part, u, z, w);
        value = dot(n, z, w);
        apply(part, z, w, u);
    }
    return value;
}

/* vectors of one size, one after the other */
typedef struct Space {
    int q;
    size_t n;
    double *U, *Z, *W, *square; /* square (q): squared singular values u' K u */
} Space;

static void orthonormalize(Space *s)
{
    const size_t n = s->n;
    for (int i = 0; i < s->q; i++) {
        double *u = s->U + (size_t)i * n;
        scale(n, 1 / sqrt(dot(n, u, u)), u);
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j < i; j++) {
                const double *v = s->U + (size_t)j * n;
                add(n, -dot(n, v, u), v, u);
            }
        scale(n, 1 / sqrt(dot(n, u, u)), u);
    }
}

static void rotate(size_t n, double c, double s, double *x, double *y)
{
    for (size_t k = 0; k < n; k++) {
        const double t = x[k];
        x[k] = c * t - s * y[k];
        y[k] = s * t + c * y[k];
    }
}

/* Singular vectors of B within the space by one-sided Jacobi rotations. Vectors that both stay at or below `least` are
 * left as they are: they will be dropped together. */
static void diagonalize(const Part *part, Space *s, double least)
{
    const size_t n = s->n;
    for (int i = 0; i < s->q; i++) {
        react(part, s->U + (size_t)i * n, s->Z + (size_t)i * n, s->W + (size_t)i * n);
        s->square[i] = dot(n, s->Z + (size_t)i * n, s->W + (size_t)i * n);
    }
    bool done = false;
    for (int sweep = 0; sweep < JacobiSweeps && !done; sweep++) {
        done = true;
        for (int j = 1; j < s->q; j++)
            for (int i = 0; i < j; i++) {
                const size_t at = (size_t)i * n, to = (size_t)j * n;
                const double a = s->square[i], b = s->square[j], cross = dot(n, s->Z + at, s->W + to);
                if ((a <= least && b <= least) || !(fabs(cross) > 1e-13 * sqrt(a * b))) continue;
                const double zeta = (b - a) / (2 * cross);
                const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                const double c = 1 / sqrt(1 + t * t);
                rotate(n, c, c * t, s->U + at, s->U + to);
                rotate(n, c, c * t, s->Z + at, s->Z + to);
                rotate(n, c, c * t, s->W + at, s->W + to);
                s->square[i] = dot(n, s->Z + at, s->W + at);
                s->square[j] = dot(n, s->Z + to, s->W + to);
                done = false;
            }
    }
}

/* takes away from x what lies along the dropped vectors */
static void project(const Space *s, double least, double *x)
{
    for (int i = 0; i < s->q; i++) {
        const double *u = s->U + (size_t)i * s->n;
        if (s->square[i] <= least) add(s->n, -dot(s->n, u, x), u, x);
    }
}

int ukDeficientSolve(ukDeficient *d, const ukFactor *factor, const ukSymbolic *plan, const ukProblem *p,
                     const double *softness, int first, int last, const double *r, double tolerance, double *lambda,
                     int *dropped)
{
    const int at = plan->front[first].at, end = plan->front[last].at + plan->front[last].p;
    Part part = {factor, plan, p, softness, first, last, at, (size_t)(end - at)};
    Space s = {.n = part.size};
    int from = 0;
    while (from < factor->shifts && factor->shifted[from] < at) from++;
    while (from + s.q < factor->shifts && factor->shifted[from + s.q] < end) s.q++;

    const size_t n = s.n, q = (size_t)s.q, need = (3 * q + 7) * n + q;
    if (need > d->capacity) {
        free(d->memory);
        d->memory = malloc(need * sizeof *d->memory);
        d->capacity = d->memory ? need : 0;
        if (!d->memory) return ukErrorMemory;
    }
    s.U = d->memory, s.Z = s.U + q * n, s.W = s.Z + q * n;
    double *right = s.W + q * n, *l = right + n, *y = l + n, *e = y + n, *step = e + n, *z = step + n, *w = z + n;
    s.square = w + n;

    const double least = tolerance * tolerance * largest(&part, y, z, w);
    for (int i = 0; i < s.q; i++) {
        double *u = s.U + (size_t)i * n;
        memset(u, 0, n * sizeof *u);
        u[factor->shifted[from + i] - at] = 1;
        substitute(&part, u);
    }
    orthonormalize(&s);
    diagonalize(&part, &s, least);
    /* K u = sigma^2 u holds in the span of K~^-1 E for sigma = 0; otherwise one step of correction is due */
    for (int i = 0; i < s.q; i++) {
        double *u = s.U + (size_t)i * n;
        apply(&part, s.Z + (size_t)i * n, s.W + (size_t)i * n, y);
        add(n, -s.square[i], u, y);
        substitute(&part, y);
        add(n, -1, y, u);
    }
    orthonormalize(&s);
    diagonalize(&part, &s, least);

    for (size_t k = 0; k < n; k++) right[k] = plan->row[at + (int)k] < 0 ? 0 : r[plan->row[at + (int)k]];
    project(&s, least, right);
    memset(l, 0, n * sizeof *l);
    double before = INFINITY;
    for (int pass = 0; pass < Refinements; pass++) {
        react(&part, l, z, w);
        apply(&part, z, w, e);
        for (size_t k = 0; k < n; k++) e[k] = right[k] - e[k];
        project(&s, least, e);
        memcpy(step, e, n * sizeof *e);
        substitute(&part, step);
        /* what K~ has too much on the small singular vectors that are kept */
        react(&part, step, z, w);
        apply(&part, z, w, y);
        add(n, -1, y, e);
        for (int i = 0; i < s.q; i++) {
            const double *u = s.U + (size_t)i * n;
            if (s.square[i] > least) add(n, dot(n, u, e) / s.square[i], u, step);
        }
        project(&s, least, step);
        const double size = sqrt(dot(n, step, step));
        if (!(size < 0.5 * before)) break;
        add(n, 1, step, l);
        before = size;
        if (size <= DBL_EPSILON * sqrt(dot(n, l, l))) break;
    }
    *dropped = 0;
    for (int i = 0; i < s.q; i++) *dropped += s.square[i] <= least;
    for (size_t k = 0; k < n; k++)
        if (plan->row[at + (int)k] >= 0) lambda[plan->row[at + (int)k]] = l[k];
    return ukOk;
}

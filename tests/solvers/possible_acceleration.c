/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/possible_acceleration.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct Work {
    double *d, *y, *f, *unconstrained; /* (bodies x 6) */
    double *r, *s, *t, *k;             /* (rows) */
} Work;

static Work layout(const ukProblem *p, double *work)
{
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    double *rows = work + 4 * n;
    return (Work){work, work + n, work + 2 * n, work + 3 * n, rows, rows + m, rows + 2 * m, rows + 3 * m};
}

size_t ukPossibleWork(const ukProblem *p)
{
    return 24 * (size_t)p->bodies + 4 * (size_t)p->rows;
}

/* uniform on [-1, 1] (xorshift64*) */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-52 - 1;
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* x' M x; f is scratch */
static double norm2(const ukProblem *p, const double *x, double *f)
{
    ukProblemInertia(p, x, f);
    return dot(x, f, 6 * (size_t)p->bodies);
}

/* k = 1/diag(A M^-1 A'), 1 on zero rows: what scales the rows of the projection */
static void diagonal(const ukProblem *p, double *k)
{
    for (int j = 0; j < p->blocks; j++) {
        const ukBlock *b = p->block + j;
        const double *A = p->A + b->A;
        for (int i = b->row; i < b->row + b->rows; i++) {
            double sum = 0;
            for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
                if (p->body[s] < 0) continue;
                const double *J = p->inverse_inertia + 9 * (size_t)p->body[s];
                sum += dot(A, A, 3) / p->mass[p->body[s]];
                for (int c = 0; c < 3; c++) sum += A[3 + c] * dot(J + 3 * c, A + 3, 3);
            }
            k[i] = sum > 0 ? 1 / sum : 1;
        }
    }
}

/* r = A d; its square, each row in units of its own */
static double rowError(const ukProblem *p, const Work *w)
{
    double sum = 0;
    ukProblemApply(p, w->d, w->r);
    for (int i = 0; i < p->rows; i++) sum += w->k[i] * w->r[i] * w->r[i];
    return sum;
}

/* d := d - A_M^+ A d, as far as conjugate gradients on A M^-1 A' get */
static void project(const ukProblem *p, const Work *w)
{
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    double rr = rowError(p, w);
    const double begin = rr;
    for (size_t i = 0; i < m; i++) w->s[i] = w->k[i] * w->r[i];
    for (int pass = 0; pass < 4 * p->rows + 20 && rr > 1e-22 * begin; pass++) {
        memset(w->f, 0, n * sizeof *w->f);
        ukProblemApplyTransposed(p, w->s, w->f);
        ukProblemAccelerate(p, w->f, w->y);
        ukProblemApply(p, w->y, w->t);
        const double curvature = dot(w->s, w->t, m), before = rr;
        if (!(curvature > 0)) return; /* rounding is all that is left */
        const double alpha = rr / curvature;
        rr = 0;
        for (size_t i = 0; i < n; i++) w->d[i] -= alpha * w->y[i];
        for (size_t i = 0; i < m; i++) w->r[i] -= alpha * w->t[i], rr += w->k[i] * w->r[i] * w->r[i];
        for (size_t i = 0; i < m; i++) w->s[i] = w->k[i] * w->r[i] + rr / before * w->s[i];
    }
}

/* a random d with A d = 0; its length |d|_M, 0 where no other motion is possible, NaN where it was not found */
static double possible(const ukProblem *p, const Work *w, uint64_t *state)
{
    for (int i = 0; i < p->bodies; i++)
        for (size_t c = 0; c < 6; c++)
            w->d[6 * (size_t)i + c] =
                uniform(state) / sqrt(c < 3 ? p->mass[i] : p->inertia[9 * (size_t)i + 4 * (c - 3)]);
    const double begin = norm2(p, w->d, w->f);
    for (int pass = 0; pass < 8; pass++) {
        const double length2 = norm2(p, w->d, w->f);
        if (!(length2 > 1e-12 * begin)) return 0;
        if (rowError(p, w) <= 1e-28 * length2) return sqrt(length2);
        project(p, w);
    }
    const double length2 = norm2(p, w->d, w->f);
    return length2 <= 1e-12 * begin ? 0 : rowError(p, w) <= 1e-26 * length2 ? sqrt(length2) : NAN;
}

double ukPossibleExcess(const ukProblem *p, const double *qdd, unsigned seed, int trials, double *work)
{
    const size_t n = 6 * (size_t)p->bodies;
    const Work w = layout(p, work);
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15) ^ seed;
    memcpy(w.f, p->Q, n * sizeof *w.f);
    for (size_t i = 0; p->C && i < n; i++) w.f[i] += p->C[i];
    ukProblemAccelerate(p, w.f, w.unconstrained);
    const double size = sqrt(norm2(p, qdd, w.f)) + sqrt(norm2(p, w.unconstrained, w.f));
    for (size_t i = 0; i < n; i++) w.unconstrained[i] = qdd[i] - w.unconstrained[i];
    const double least = norm2(p, w.unconstrained, w.f);
    diagonal(p, w.k);

    double largest = 0;
    for (int trial = 0; trial < trials; trial++) {
        const double length = possible(p, &w, &state);
        if (isnan(length)) return NAN;
        if (length == 0) continue;
        for (size_t i = 0; i < n; i++) w.d[i] *= (size > 0 ? size : 1) / length;

        const double dd = norm2(p, w.d, w.f);
        for (size_t i = 0; i < n; i++) w.y[i] = w.unconstrained[i] + w.d[i];
        const double discrepancy = fabs(norm2(p, w.y, w.f) - least - dd) / dd;
        if (!(discrepancy <= largest)) largest = discrepancy;
        if (isnan(largest)) break;
    }
    return largest;
}

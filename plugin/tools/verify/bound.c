/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/verify/bound.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Iterations = 9 }; /* improvements; each gains some six digits */

typedef struct Work {
    const Island *island;
    Scale *scale;
    Real *l, *x;                   /* (rows), (bodies x 6) */
    double *unit;                  /* (rows) 1/sqrt(compliance + softness) of active rows, else 0 */
    double *step, *r, *p, *s, *Kr; /* (rows) of conjugate residuals, in unit rows */
    double *f;                     /* (bodies x 6) */
    double *inverse;               /* (bodies x 9) of the inertia, as doubles */
} Work;

static bool reserveBound(const Island *island, Bounder *bounder, Work *w)
{
    const size_t n = 6 * (size_t)island->bodies, m = (size_t)island->rows;
    const size_t bytes = (n + m) * sizeof(Real) + (6 * m + n + n / 6 * 9 + 1) * sizeof(double);
    if (bytes > bounder->capacity) {
        free(bounder->memory);
        bounder->capacity = 0;
        bounder->memory = malloc(bytes);
        if (!bounder->memory) return false;
        bounder->capacity = bytes;
    }
    w->l = bounder->memory;
    w->x = w->l + m;
    double *at = (double *)(w->x + n);
    double **rows[] = {&w->unit, &w->step, &w->r, &w->p, &w->s, &w->Kr};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++, at += m) *rows[k] = at;
    w->f = at;
    w->inverse = at + n;
    return true;
}

static Real lowerBound(const Island *i, int r)
{
    return i->bound_lower ? i->bound_lower[r] : -INFINITY;
}

static Real upperBound(const Island *i, int r)
{
    return i->bound_upper ? i->bound_upper[r] : INFINITY;
}

/* ---- multipliers within their bounds, and the accelerations that they make --------------------------------------- */

static int discRowCount(const Island *i, int r)
{
    return 1 + (i->disc ? i->disc[r] : 0);
}

/* |l / hi| of n rows from r on, l of the first */
static Real boundReach(const Island *island, const Real *l, int r, int n)
{
    Real size = 0;
    for (int i = 0; i < n; i++) size = hypotl(size, l[i] / upperBound(island, r + i));
    return size;
}

static void projectOntoBounds(const Work *w)
{
    const Island *island = w->island;
    for (int r = 0, n; r < island->rows; r += n) {
        n = discRowCount(island, r);
        if (n > 1) {
            const Real size = boundReach(island, w->l + r, r, n);
            for (int i = r; size > 1 && i < r + n; i++) w->l[i] /= size;
        } else {
            w->l[r] = fmaxl(lowerBound(island, r), fminl(upperBound(island, r), w->l[r]));
        }
    }
}

/* Solves M x = force + prescribed + J' l to rounding; scale->out is the residual M x - force - prescribed - J' l. */
static bool computeBoundAccelerations(const Work *w)
{
    const Island *island = w->island;
    memset(w->x, 0, 6 * (size_t)island->bodies * sizeof *w->x);
    for (int sweep = 0; sweep < 2; sweep++) {
        if (!scaleOf(island, w->l, w->x, w->scale)) return false;
        for (int i = 0; i < island->bodies; i++) {
            const Real *W = w->scale->inverse + 9 * (size_t)i, *f = w->scale->out + 6 * (size_t)i;
            Real *x = w->x + 6 * (size_t)i;
            for (int c = 0; c < 3; c++) {
                x[c] -= f[c] / island->mass[i];
                x[3 + c] -= W[3 * c] * f[3] + W[3 * c + 1] * f[4] + W[3 * c + 2] * f[5];
            }
        }
    }
    return scaleOf(island, w->l, w->x, w->scale);
}

/* ---- improvement ------------------------------------------------------------------------------------------------- */

/* Finds the active rows: those whose natural map l + u/D, u = b - J x - S l, is inside their bounds. Stores their u in
 * unit rows in w->r; the multipliers of the others become the bound that the map exceeds. Returns whether a u is not
 * zero. */
static bool findActiveRows(const Work *w)
{
    const Island *island = w->island;
    bool any = false;
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        for (int r = b->row, n; r < b->row + b->rows; r += n) {
            Real u[3], D[3], natural[3];
            n = discRowCount(island, r);
            for (int i = 0; i < n; i++) {
                u[i] = island->right_side[r + i] - residualRow(b, r + i, w->x) - island->softness[r + i] * w->l[r + i];
                D[i] = w->scale->compliance[r + i] + island->softness[r + i];
                natural[i] = D[i] > 0 ? w->l[r + i] + u[i] / D[i] : w->l[r + i];
            }
            const bool inside = n > 1 ? boundReach(island, natural, r, n) < 1
                                      : natural[0] > lowerBound(island, r) && natural[0] < upperBound(island, r);
            for (int i = 0; i < n; i++) {
                w->unit[r + i] = inside && D[i] > 0 ? (double)(1 / sqrtl(D[i])) : 0;
                w->r[r + i] = (double)u[i] * w->unit[r + i];
                any |= w->r[r + i] != 0;
            }
            if (n == 1 && !inside)
                w->l[r] = natural[0] > lowerBound(island, r) ? upperBound(island, r) : lowerBound(island, r);
        }
    }
    return any;
}

/* y = D^-1/2 (J M^-1 J' + S) D^-1/2 x */
static void applyScaledCompliance(const Work *w, const double *x, double *y)
{
    const Island *island = w->island;
    memset(w->f, 0, 6 * (size_t)island->bodies * sizeof *w->f);
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        const double *J = b->jacobian;
        for (int r = b->row; r < b->row + b->rows; r++) {
            const double l = x[r] * w->unit[r];
            for (int s = 0; s < b->slots; s++, J += 6) {
                double *f = b->body[s] < 0 ? NULL : w->f + 6 * (size_t)b->body[s];
                for (int c = 0; f && l != 0 && c < 6; c++) f[c] += J[c] * l;
            }
        }
    }
    for (int i = 0; i < island->bodies; i++) {
        const double *W = w->inverse + 9 * (size_t)i;
        double *f = w->f + 6 * (size_t)i;
        const double t[3] = {f[3], f[4], f[5]};
        for (int c = 0; c < 3; c++) {
            f[c] /= island->mass[i];
            f[3 + c] = W[3 * c] * t[0] + W[3 * c + 1] * t[1] + W[3 * c + 2] * t[2];
        }
    }
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        const double *J = b->jacobian;
        for (int r = b->row; r < b->row + b->rows; r++) {
            double sum = island->softness[r] * x[r] * w->unit[r];
            for (int s = 0; s < b->slots; s++, J += 6) {
                const double *f = b->body[s] < 0 ? NULL : w->f + 6 * (size_t)b->body[s];
                for (int c = 0; f && w->unit[r] != 0 && c < 6; c++) sum += J[c] * f[c];
            }
            y[r] = sum * w->unit[r];
        }
    }
}

static double dotOfDoubles(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* w->step nearly solves K step = r: conjugate residuals, whose |r| never grows, even where rows contradict. */
static void conjugateResiduals(const Work *w)
{
    const double enough = 1e-7;
    const int m = w->island->rows, most = 2 * m + 20 < 1500 ? 2 * m + 20 : 1500;
    memset(w->step, 0, (size_t)m * sizeof *w->step);
    memcpy(w->p, w->r, (size_t)m * sizeof *w->p);
    applyScaledCompliance(w, w->r, w->Kr);
    memcpy(w->s, w->Kr, (size_t)m * sizeof *w->s);
    const double goal = enough * enough * dotOfDoubles(w->r, w->r, m);
    double rKr = dotOfDoubles(w->r, w->Kr, m);
    for (int k = 0; k < most; k++) {
        const double ss = dotOfDoubles(w->s, w->s, m);
        if (!(ss > 0) || !(rKr > 0)) break;
        const double a = rKr / ss;
        for (int i = 0; i < m; i++) w->step[i] += a * w->p[i], w->r[i] -= a * w->s[i];
        if (dotOfDoubles(w->r, w->r, m) <= goal) break;
        applyScaledCompliance(w, w->r, w->Kr);
        const double next = dotOfDoubles(w->r, w->Kr, m), b = next / rKr;
        for (int i = 0; i < m; i++) w->p[i] = w->r[i] + b * w->p[i], w->s[i] = w->Kr[i] + b * w->s[i];
        rKr = next;
    }
}

/* ---- the gap ----------------------------------------------------------------------------------------------------- */

/* psi(u) - l u + S l^2/2 of one row; INFINITY: the row has no softness, and the bound in the direction of u is
 * infinite */
static Real boundGapOf(Real u, Real l, Real S, Real lo, Real hi)
{
    if (S > 0) {
        const Real best = fmaxl(lo, fminl(hi, u / S));
        return fmaxl(0, (best - l) * (u - S * (best + l) / 2));
    }
    if (u == 0) return 0;
    const Real bound = u > 0 ? hi : lo;
    return isinf(bound) ? INFINITY : fmaxl(0, (bound - l) * u);
}

/* Largest gap of a box row within `off` of u. The gap is convex in u, so its maximum is at an end. */
static Real boxGap(const Work *w, int r, Real u, Real off, double *shift)
{
    const Real l = w->l[r], S = w->island->softness[r], lo = lowerBound(w->island, r), hi = upperBound(w->island, r);
    const Real gap = fmaxl(boundGapOf(u - off, l, S, lo, hi), boundGapOf(u + off, l, S, lo, hi));
    if (!isinf(gap)) return gap;
    const Real size = w->scale->row[r], by = (fabsl(u) + off) / (size > 0 ? size : 1);
    if (by > *shift) *shift = (double)by;
    return 0;
}

/* Upper bound of the gap of an ellipse: psi(u) <= sum u^2 / (2 c) + t/2 with c = S + t/hi^2, for any t >= 0, and the
 * gap is then a sum of squares. The best t moves the maximizer u/c to the rim; this t does so if the rows are alike. */
static Real discGap(const Work *w, int r, int n, const Real *u, const Real *off)
{
    const Island *island = w->island;
    Real pull = 0, soft = 0, gap = 0, size = 0;
    for (int i = 0; i < n; i++) {
        const Real hi = upperBound(island, r + i);
        pull = hypotl(pull, hi * u[i]), soft = fmaxl(soft, island->softness[r + i] * hi * hi);
        size = hypotl(size, w->l[r + i] / hi);
    }
    const Real t = fmaxl(0, pull - soft);
    for (int i = 0; i < n; i++) {
        const Real hi = upperBound(island, r + i), c = island->softness[r + i] + t / (hi * hi);
        const Real beside = fabsl(u[i] - c * w->l[r + i]) + off[i] + 2 * LDBL_EPSILON * (fabsl(u[i]));
        gap += beside > 0 ? beside * beside / (2 * c) : 0;
    }
    return gap + t / 2 * (fmaxl(0, (1 - size) * (1 + size)) + 8 * LDBL_EPSILON);
}

static Real energyOfGaps(const Work *w, double *shift)
{
    const Island *island = w->island;
    Real sum = 0;
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        const Real rounding = LDBL_EPSILON * (6 * b->slots + 8);
        for (int r = b->row, n; r < b->row + b->rows; r += n) {
            Real u[3], off[3];
            n = discRowCount(island, r);
            for (int i = 0; i < n; i++) {
                u[i] = island->right_side[r + i] - residualRow(b, r + i, w->x);
                off[i] = rounding * w->scale->row[r + i];
            }
            sum += n > 1 ? discGap(w, r, n, u, off) : boxGap(w, r, u[0], off[0], shift);
        }
    }
    return sum;
}

/* |M x - force - prescribed - J' l|_{M^-1}, with its rounding error */
static Real residualNorm(const Work *w)
{
    Real sum = 0;
    const Real rounding = LDBL_EPSILON * (w->island->rows + 16);
    for (int i = 0; i < w->island->bodies; i++) {
        const Real *out = w->scale->out + 6 * (size_t)i, *size = w->scale->size + 6 * (size_t)i;
        const Real *W = w->scale->inverse + 9 * (size_t)i, trace = W[0] + W[4] + W[8];
        const Real *x = w->x + 6 * (size_t)i;
        const double *I = w->island->inertia + 9 * (size_t)i;
        Real f = 0, t = 0, spin = fabsl(x[3]) + fabsl(x[4]) + fabsl(x[5]);
        for (int c = 0; c < 3; c++) {
            f = hypotl(f, fabsl(out[c]) + rounding * (size[c] + w->island->mass[i] * fabsl(x[c])));
            t = hypotl(t, fabsl(out[3 + c]) + rounding * (size[3 + c] + (I[0] + I[4] + I[8]) * spin));
        }
        sum += f * f / w->island->mass[i] + t * t * trace;
    }
    return sqrtl(sum);
}

/* |acceleration - x|_M, and each body's part */
static void measureBodyDistances(const Work *w, Real beyond, Distance *to)
{
    Real whole = 0;
    for (int i = 0; i < w->island->bodies; i++) {
        const Real *x = w->x + 6 * (size_t)i, *W = w->scale->inverse + 9 * (size_t)i;
        const double *a = w->island->acceleration + 6 * (size_t)i, *I = w->island->inertia + 9 * (size_t)i;
        const Real m = w->island->mass[i];
        Real d[6];
        for (int c = 0; c < 6; c++) d[c] = a[c] - x[c];
        whole += m * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int c = 0; c < 3; c++) whole += d[3 + c] * (I[3 * c] * d[3] + I[3 * c + 1] * d[4] + I[3 * c + 2] * d[5]);
        const Real linear = hypotl(hypotl(d[0], d[1]), d[2]) + beyond / sqrtl(m);
        const Real angular = hypotl(hypotl(d[3], d[4]), d[5]) + beyond * sqrtl(W[0] + W[4] + W[8]);
        if (!(linear <= to->linear)) to->linear = (double)linear;
        if (!(angular <= to->angular)) to->angular = (double)angular;
    }
    whole = sqrtl(fmaxl(0, whole)) + beyond;
    to->excess = (double)(whole * whole);
}

bool boundOf(const Island *island, Scale *scale, Bounder *bounder, Distance *to)
{
    Work w = {.island = island, .scale = scale};
    *to = (Distance){.excess = INFINITY};
    if (!reserveBound(island, bounder, &w)) return false;
    for (int r = 0; r < island->rows; r++) w.l[r] = island->multiplier[r];
    for (int iteration = 0; iteration < Iterations; iteration++) {
        Distance now = {0};
        projectOntoBounds(&w);
        if (!computeBoundAccelerations(&w)) return false;
        for (size_t i = 0; i < 9 * (size_t)island->bodies; i++) w.inverse[i] = (double)scale->inverse[i];
        const Real gap = energyOfGaps(&w, &now.shift);
        measureBodyDistances(&w, residualNorm(&w) + sqrtl(2 * gap), &now);
        const bool better = now.excess < to->excess / 2;
        if (iteration == 0 || now.excess < to->excess) *to = now;
        if ((iteration > 1 && !better) || !findActiveRows(&w)) break;
        conjugateResiduals(&w);
        for (int r = 0; r < island->rows; r++) w.l[r] += (Real)w.step[r] * w.unit[r];
    }
    return true;
}

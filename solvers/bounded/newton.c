/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/newton.h"

#include "solvers/base/status.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const double foreseen = 1e-14; /* of a correction, relative to the multipliers */

enum { MaxSearch = 60, MaxCorrections = 4, Few = 8 };

void ukNewtonCarve(ukNewton *N, const ukProblem *p, ukArena *arena)
{
    const size_t m = (size_t)p->rows;
    double **rows[] = {&N->center, &N->trial, &N->at, &N->r, &N->step, &N->best, &N->pivot, &N->bend};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = ukArenaDoubles(arena, m);
    N->held = ukArenaBytes(arena, m);
}

/* The point of a disc nearest to t, outside it, in the metric of its rows' softness s: (s + bend) lambda = s t on the
 * circle. Newton's method on 1 / |lambda|, which is concave: from 0 without going beyond. Returns bend, by how much softer
 * its edge makes the disc across. */
static double ontoCircle(const ukBounded *B, int i, int n, const double *t, double *lambda)
{
    double bend = 0;
    for (int k = 0; k < MaxSearch; k++) {
        double square = 0, fall = 0;
        for (int c = 0; c < n; c++) {
            const double s = ukSoftened(B, i + c);
            lambda[c] = s * t[c] / (s + bend);
            square += lambda[c] * lambda[c], fall += lambda[c] * lambda[c] / (s + bend);
        }
        const double size = sqrt(square), more = (size / B->hi[i] - 1) * square / fall;
        for (int c = 0; c < n; c++) lambda[c] *= B->hi[i] / size;
        if (!(more > 4 * DBL_EPSILON * bend)) break;
        bend += more;
    }
    return bend;
}

/* softness of a disc across the unit vector u; three rows are equally soft (ukBoundedShift) */
static double across(const ukBounded *B, int i, int n, const double *u)
{
    const double s = ukSoftened(B, i);
    return n == 3 ? s : s + u[0] * u[0] * (ukSoftened(B, i + 1) - s);
}

/* of a disc's rows; returns whether they change sides */
static bool classifyDisc(ukNewton *N, ukBounded *B, int i, int n)
{
    double *at = N->at + i;
    const double *trial = N->trial + i;
    const unsigned char stick = ukDiscSize(trial, n) < B->hi[i], slide = !stick && B->hi[i] > 0;
    const bool changes = N->held[i] != stick || N->held[i + 1] != (stick || slide);
    N->bend[i] = slide ? ontoCircle(B, i, n, trial, at) : 0;
    for (int k = 0; k < n && !slide; k++) at[k] = stick * trial[k];
    ukDiscFrame(B, i, n, at, slide ? ukDiscSize(at, n) : 0); /* along the force, across it */
    for (int k = i; k < i + n; k++) {
        N->held[k] = stick || (slide && k > i);
        N->pivot[k] = slide ? across(B, i, n, B->turn + i) + N->bend[i] : ukSoftened(B, k);
    }
    return changes;
}

/* The set that `trial` stands for: held, pivot and, for discs, frames; `at`: multipliers at their bounds, trial
 * elsewhere. Returns the number of rows that change sides. */
static int classify(ukNewton *N, ukBounded *B)
{
    int changes = 0;
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (n > 1) {
            changes += classifyDisc(N, B, i, n);
            continue;
        }
        const double s = ukSoftened(B, i), t = N->trial[i], lo = B->lo[i], hi = B->hi[i];
        const unsigned char held = t > lo && t < hi && s > 0;
        const double at = held ? t : s > 0 ? ukClamp(t, lo, hi) : 0;
        changes += N->held[i] != held || (!held && N->at[i] != at);
        N->held[i] = held, N->at[i] = at, N->pivot[i] = s;
    }
    return changes;
}

/* b + shift center - A x, from w of ukBoundedEvaluate at multipliers `at` */
static double reach(const ukNewton *N, const ukBounded *B, int i)
{
    return B->softness[i] * N->at[i] - B->w[i] + B->shift[i] * N->center[i];
}

/* One solve on the set: at += step. Returns the largest of the step, relative to the multipliers. */
static double correct(ukNewton *N, ukBounded *B)
{
    ukBoundedEvaluate(B, N->at);
    for (int i = 0; i < B->m; i++) N->r[i] = reach(N, B, i) - ukSoftened(B, i) * N->at[i];
    for (int i = 0; B->cones && i < B->m; i++)
        if (B->kind[i] == ukRowDisc && !N->held[i] && N->held[i + 1]) {
            /* across the slip the disc's edge bends, which is part of the trial direction; the deviation so far is
             * measured from the frame's axis */
            const int n = ukDiscRows(B, i);
            for (int k = i; k < i + n; k++) N->r[k] -= N->bend[i] * N->at[k];
            const double along = ukDiscDot(B->turn + i, N->r + i, n);
            for (int k = i; k < i + n; k++) N->r[k] -= along * B->turn[k];
        }
    ukBoundedSolve(B, N->r, N->step);
    double most = 0, size = 0;
    for (int i = 0; i < B->m; i++) {
        N->at[i] += N->step[i];
        if (fabs(N->step[i]) > most) most = fabs(N->step[i]);
        if (fabs(N->at[i]) > size) size = fabs(N->at[i]);
    }
    return most > 0 ? most / size : 0;
}

/* The solution on the set. Two corrections as a rule, the second for the proximal term; another where the second one
 * and what it gained foretell that it will be felt. */
static void solve(ukNewton *N, ukBounded *B)
{
    double before = 1, now = correct(N, B);
    for (int e = 1; e < MaxCorrections && (e == 1 || now * now > foreseen * before); e++) {
        before = now;
        now = correct(N, B);
    }
}

/* a row that may, is held: its trial is inside */
static double justInside(double lo, double hi, double other)
{
    if (lo < 0 && hi > 0) return 0;
    return lo == hi ? other : lo < 0 ? fmax(lo, -1) / 2 : fmin(hi, 1) / 2;
}

static void begin(ukNewton *N, ukBounded *B, bool natural, const double *lambda)
{
    const bool cold = !natural && !ukBoundedLoaded(B, lambda);
    const size_t m = (size_t)B->m;
    memcpy(N->center, lambda, m * sizeof *lambda);
    memset(N->held, 2, m); /* no set yet */
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        const bool inside = n > 1 ? ukDiscSize(lambda + i, n) < B->hi[i] : lambda[i] > B->lo[i] && lambda[i] < B->hi[i];
        const double d = ukDiscScale(B, i, n);
        const double step = (inside && !natural) || !(d > 0) ? 0 : 1 / d;
        for (int k = i; k < i + n; k++) N->trial[k] = cold && k > i ? 0 : lambda[k] - step * B->w[k];
        if (cold && !inside) N->trial[i] = justInside(B->lo[i], B->hi[i], N->trial[i]);
    }
}

/* The solution on the set, and the next set: where t is then. Returns the number of rows that change sides. */
static int next(ukNewton *N, ukBounded *B)
{
    solve(N, B);
    ukBoundedEvaluate(B, N->at);
    for (int i = 0, n = 0; i < B->m; i += n) { /* of a disc the first row tells: the frame it slides in is not A's */
        n = ukDiscRows(B, i);
        for (int k = i; k < i + n; k++) {
            const double s = ukSoftened(B, k);
            N->trial[k] = N->held[i] || !(n > 1 || s > 0) ? N->at[k] : reach(N, B, k) / s;
        }
    }
    return classify(N, B);
}

int ukNewtonSolve(ukNewton *N, ukBounded *B, const ukNewtonChoice *choice, double *lambda, double *residual)
{
    const size_t m = (size_t)B->m;
    int status = ukOk, earlier = INT_MAX;
    *residual = ukBoundedResidual(B, lambda);
    if (*residual <= choice->tolerance) return ukOk;
    memcpy(N->best, lambda, m * sizeof *lambda);
    begin(N, B, choice->natural, lambda);
    classify(N, B);
    double before = INFINITY;
    for (int k = 0; k < choice->passes; k++) {
        status = ukBoundedFactor(B, N->held, N->pivot, NULL);
        if (status != ukOk) break;
        const int changes = next(N, B);
        memcpy(lambda, N->trial, m * sizeof *lambda);
        ukBoundedProject(B, lambda);
        /* as long as the set changes, the residual says nothing */
        const double now = changes > 0 ? INFINITY : ukBoundedResidual(B, lambda);
        if (now < *residual) *residual = now, memcpy(N->best, lambda, m * sizeof *lambda);
        if (*residual <= choice->tolerance) break;
        if (changes == 0 && !(now < 0.9 * before)) break; /* only rounding is left */
        before = now;
        /* sets that do not settle: another method's turn */
        if (changes > Few + B->m / 4) break;
        if (k > 1 && changes > Few + B->m / 50 && changes > 0.7 * earlier) break;
        earlier = changes;
        if (changes == 0) memcpy(N->center, lambda, m * sizeof *lambda);
    }
    memcpy(lambda, N->best, m * sizeof *lambda);
    return status;
}

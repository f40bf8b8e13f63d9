/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/newton.h"

#include "solvers/base/status.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* A further correction on the active set is made where its expected size, relative to the multipliers, is above
 * `noticeable`, and at most MaxCorrections in all. *Measured:* 1e-12 and 1e-16 take 1.00 and 1.01 of the passes; at
 * most two corrections, 1.2 on a pyramid of 20 at rest; at most eight, 1.00. */
static const double noticeable = 1e-14;
enum { MaxCorrections = 4 };

/* Newton iterations of projectOntoCircle, which end where the change is rounding, 4 DBL_EPSILON. *Measured:* quadratic
 * convergence takes fewer than ten, with which all passes are the same; with 64 DBL_EPSILON, 1.00. */
enum { MaxCircleIterations = 60 };

/* The iteration ends, and another method follows, if the active set does not settle: if more than few + m / 4 of the m
 * rows change, or from the second set on more than `few`, and more than 0.7 of the changes before. On one set it ends
 * if a factorization leaves more than 0.9 of the residual: only rounding is left. *Measured:* a pile of 200 takes 1.05
 * of the passes without the first two limits, a pyramid of 20 1.09 without the second. From the third set on, and for
 * more than few + m / 50 changes, the second limit takes 1.05 and 1.07 of the passes on a loaded truck (two-phase,
 * box), 1.01 on average elsewhere. 0.5 in place of 0.7 takes 1.08 on a pyramid of 8, elsewhere 0.97 to 1.01; 0.5 and
 * 0.99 in place of 0.9 change passes by 0.7 % at most. few = 4 or 16 and share = 2 or 8 take 1.00 (few = 4: a pyramid
 * of 20 1.03; 16: a loaded truck 1.02). */
static const struct {
    int few, share;
    double decrease, progress;
} settling = {.few = 8, .share = 4, .decrease = 0.7, .progress = 0.9};

void ukNewtonCarve(ukNewton *N, const ukProblem *p, ukArena *arena)
{
    const size_t m = (size_t)p->rows;
    UKODE_DOUBLES(arena, m, &N->center, &N->trial, &N->at, &N->r, &N->step, &N->best, &N->pivot, &N->bend);
    N->active = ukArenaBytes(arena, m);
}

/* Projection of t, outside the disc, in the metric of the softness s of its rows: (s + bend) lambda = s t with |lambda|
 * = radius. Newton's method on 1 / |lambda|, which is concave in bend: monotone from 0. Returns bend, the softness that
 * the circle's curvature adds across lambda. */
static double projectOntoCircle(const ukBounded *B, int i, int n, const double *t, double *lambda)
{
    double bend = 0;
    for (int k = 0; k < MaxCircleIterations; k++) {
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

/* softness of a disc orthogonally to the unit vector u; three rows have equal softness (ukBoundedShift) */
static double softnessAcross(const ukBounded *B, int i, int n, const double *u)
{
    const double s = ukSoftened(B, i);
    return n == 3 ? s : s + u[0] * u[0] * (ukSoftened(B, i + 1) - s);
}

/* classifyRows for one disc; returns whether its rows change */
static bool classifyDisc(ukNewton *N, ukBounded *B, int i, int n)
{
    double *at = N->at + i;
    const double *trial = N->trial + i;
    const unsigned char stick = ukDiscSize(trial, n) < B->hi[i], slide = !stick && B->hi[i] > 0;
    const bool changes = N->active[i] != stick || N->active[i + 1] != (stick || slide);
    N->bend[i] = slide ? projectOntoCircle(B, i, n, trial, at) : 0;
    for (int k = 0; k < n && !slide; k++) at[k] = stick * trial[k];
    ukDiscFrame(B, i, n, at, slide ? ukDiscSize(at, n) : 0); /* frame: along the force, across it */
    for (int k = i; k < i + n; k++) {
        N->active[k] = stick || (slide && k > i);
        N->pivot[k] = slide ? softnessAcross(B, i, n, B->turn + i) + N->bend[i] : ukSoftened(B, k);
    }
    return changes;
}

/* The active set at `trial`: active = strictly inside the bounds; also pivots, frames of discs, and at = P_C(trial).
 * Returns the number of rows that change. */
static int classifyRows(ukNewton *N, ukBounded *B)
{
    int changes = 0;
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (n > 1) {
            changes += classifyDisc(N, B, i, n);
            continue;
        }
        const double s = ukSoftened(B, i), t = N->trial[i], lo = B->lo[i], hi = B->hi[i];
        const unsigned char active = t > lo && t < hi && s > 0;
        const double at = active ? t : s > 0 ? ukClamp(t, lo, hi) : 0;
        changes += N->active[i] != active || (!active && N->at[i] != at);
        N->active[i] = active, N->at[i] = at, N->pivot[i] = s;
    }
    return changes;
}

/* s' t = b + shift center - A x, from w = A x + softness at - b */
static double proximalTarget(const ukNewton *N, const ukBounded *B, int i)
{
    return B->softness[i] * N->at[i] - B->w[i] + B->shift[i] * N->center[i];
}

/* Adds (K + softness + shift)^-1 residual on the active set to `at`. Returns the largest change relative to the largest
 * multiplier. */
static double correctOnActiveSet(ukNewton *N, ukBounded *B)
{
    ukBoundedEvaluate(B, N->at);
    for (int i = 0; i < B->m; i++) N->r[i] = proximalTarget(N, B, i) - ukSoftened(B, i) * N->at[i];
    for (int i = 0; B->cones && i < B->m; i++)
        if (B->kind[i] == ukRowDisc && !N->active[i] && N->active[i + 1]) {
            /* a sliding disc: (s + bend) at = s t, of which only the part orthogonal to its force is solved for */
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

/* Solves on the active set. Two corrections as a rule, the second for the proximal term; a further one if linear
 * convergence, now / before, predicts a correction above `noticeable`. */
static void solveOnActiveSet(ukNewton *N, ukBounded *B)
{
    double before = 1, now = correctOnActiveSet(N, B);
    for (int e = 1; e < MaxCorrections && (e == 1 || now * now > noticeable * before); e++) {
        before = now;
        now = correctOnActiveSet(N, B);
    }
}

/* A point strictly inside the bounds, or `other` if there is none. *Measured:* a tenth instead of half takes 0.93 on a
 * pyramid of 10 and 1.06 on a stack of 50 (two-phase law), 1.00 of all passes; 1e-3 or 1e3 instead of 1, 1.00. */
static double pointInside(double lo, double hi, double other)
{
    if (lo < 0 && hi > 0) return 0;
    return lo == hi ? other : lo < 0 ? fmax(lo, -1) / 2 : fmin(hi, 1) / 2;
}

/* Chooses the initial active set, as ukNewtonChoice.natural describes. */
static void chooseInitialSet(ukNewton *N, ukBounded *B, bool natural, const double *lambda)
{
    const bool cold = !natural && !ukBoundedLoaded(B, lambda);
    const size_t m = (size_t)B->m;
    memcpy(N->center, lambda, m * sizeof *lambda);
    memset(N->active, 2, m); /* there is no set yet */
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        const bool inside = n > 1 ? ukDiscSize(lambda + i, n) < B->hi[i] : lambda[i] > B->lo[i] && lambda[i] < B->hi[i];
        const double d = ukDiscScale(B, i, n);
        const double step = (inside && !natural) || !(d > 0) ? 0 : 1 / d;
        for (int k = i; k < i + n; k++) N->trial[k] = cold && k > i ? 0 : lambda[k] - step * B->w[k];
        if (cold && !inside) N->trial[i] = pointInside(B->lo[i], B->hi[i], N->trial[i]);
    }
}

/* Solves on the active set, computes t there, and the active set of that t. Returns the number of rows that change. */
static int updateActiveSet(ukNewton *N, ukBounded *B)
{
    solveOnActiveSet(N, B);
    ukBoundedEvaluate(B, N->at);
    for (int i = 0, n = 0; i < B->m;
         i += n) { /* a disc sticks if active[i]; active of its other rows is in its frame */
        n = ukDiscRows(B, i);
        for (int k = i; k < i + n; k++) {
            const double s = ukSoftened(B, k);
            N->trial[k] = N->active[i] || !(n > 1 || s > 0) ? N->at[k] : proximalTarget(N, B, k) / s;
        }
    }
    return classifyRows(N, B);
}

int ukNewtonSolve(ukNewton *N, ukBounded *B, const ukNewtonChoice *choice, double *lambda, double *residual)
{
    const size_t m = (size_t)B->m;
    int status = ukOk, earlier = INT_MAX;
    *residual = ukBoundedResidual(B, lambda);
    if (*residual <= choice->tolerance) return ukOk;
    memcpy(N->best, lambda, m * sizeof *lambda);
    chooseInitialSet(N, B, choice->natural, lambda);
    classifyRows(N, B);
    double before = INFINITY;
    for (int k = 0, passes = ukPassesLeft(B, choice->passes); k < passes; k++) {
        status = ukBoundedFactor(B, N->active, N->pivot, NULL);
        if (status != ukOk) break;
        const int changes = updateActiveSet(N, B);
        B->pivots += changes;
        memcpy(lambda, N->trial, m * sizeof *lambda);
        ukBoundedProject(B, lambda);
        /* while the set changes, the residual is not a measure of progress */
        const double now = changes > 0 ? INFINITY : ukBoundedResidual(B, lambda);
        if (now < *residual) *residual = now, memcpy(N->best, lambda, m * sizeof *lambda);
        if (*residual <= choice->tolerance) break;
        if (changes == 0 && !(now < settling.progress * before)) break;
        before = now;
        if (changes > settling.few + B->m / settling.share) break;
        if (k > 0 && changes > settling.few && changes > settling.decrease * earlier) break;
        earlier = changes;
        if (changes == 0) memcpy(N->center, lambda, m * sizeof *lambda);
    }
    memcpy(lambda, N->best, m * sizeof *lambda);
    return status;
}

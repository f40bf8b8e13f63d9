/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/check/scales.h: scales of the Gauss check: how easily bodies and rows are moved, and how large the forces are
 * whose rounding a residual may be. */
#ifndef UKODE_SOLVERS_CHECK_SCALES_H
#define UKODE_SOLVERS_CHECK_SCALES_H

#include <math.h>

#include "solvers/problem/block.h"
#include "solvers/problem/problem.h"

UKODE_INLINE double ukAbs3(const double *x)
{
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

UKODE_INLINE double ukDot3(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* norm of a 3 x 3 s.p.d. matrix, low by a factor 3 at most */
UKODE_INLINE double ukNorm3(const double *S)
{
    const double x = S[0] > S[4] ? S[0] : S[4]; /* fmax would be a call */
    return x > S[8] ? x : S[8];
}

/* A M^-1 A' of one row. Not a bound of it: a thin body is a hundred times as easy to turn about its axis as across it,
 * and a residual of the multipliers times that would reject what is right. */
UKODE_INLINE double ukScaleCompliance(const ukProblem *p, const ukBlock *b, const double *A)
{
    double k = 0;
    for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
        const int j = p->body[s];
        if (j < 0) continue;
        const double *J = p->inverse_inertia + 9 * (size_t)j, *t = A + 3;
        k += ukDot3(A, A) / p->mass[j] + t[0] * ukDot3(J, t) + t[1] * ukDot3(J + 3, t) + t[2] * ukDot3(J + 6, t);
    }
    return k;
}

/* A tenth of the least moment of inertia of the bodies with a mass (massless 0); 0 if none has one. Where the
 * auxiliary inertia of a body without mass is less, it is no scale: forces that cancel on such a body would excuse any
 * acceleration of it. */
double ukScaleLeast(const ukProblem *p, const unsigned char *massless);
/* 1 / sqrt(m) and sqrt(|I^-1|) of the body that is moved most easily, among those with mass; INFINITY: none has one. An
 * auxiliary mass is arbitrary: with a small one, any acceleration of its body would count as rounding. */
void ukScaleMobile(const ukProblem *p, const unsigned char *massless, double *root, double *turn);
/* The largest measure of Q and C of a body, in the metric of the Gaussian. */
double ukScaleBodies(const ukProblem *p);
/* The same of all forces present: also of rows, right-hand sides and forces at bounds of their own, such as those of
 * motors. INFINITY: no force acts but from rows without bounds, which may pull against each other; their right-hand
 * sides are then rounding. */
double ukScaleForces(const ukProblem *p, const double *lambda, const double *lo, const double *hi);

#endif

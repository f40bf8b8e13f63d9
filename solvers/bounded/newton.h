/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/newton.h: a proximal semismooth Newton method (primal-dual active set) for the bounded problem.
 *
 * With softness s' = softness + shift > 0 the multipliers are a function of the accelerations, and Gauss's principle
 * reads
 *
 *      min over x of F(x) = 1/2 |x - a|_M^2 + sum_i s'_i phi_i(t_i(x)),   t = (b + shift center - A x) / s',
 *      phi' = P_C,  lambda = P_C(t),
 *
 * strictly convex and once differentiable, quadratic for each active set. One factorization solves on the rows whose t
 * lies strictly inside its bounds; then center <- lambda, until the proximal term has no effect (proximal point
 * method). A set may recur: another method then follows. A line search, which would exclude that, takes six times the
 * factorizations in a pyramid at rest: with redundant contacts it stops at the first kink. */
#ifndef UKODE_SOLVERS_BOUNDED_NEWTON_H
#define UKODE_SOLVERS_BOUNDED_NEWTON_H

#include "solvers/bounded/bounded.h"

typedef struct ukNewton {
    double *center, *trial, *at, *r, *step, *best, *pivot; /* (m) */
    double *bend;                                          /* (m) curvature of a disc's edge, at its first row */
    unsigned char *active;                                 /* (m) */
} ukNewton;

typedef struct ukNewtonChoice {
    /* initial active set: by the natural map, lambda - w / d strictly inside the bounds; else lambda itself strictly
     * inside; from zero, all rows whose bounds let them move */
    bool natural;
    double tolerance;
    int passes; /* largest number of factorizations */
} ukNewtonChoice;

void ukNewtonCarve(ukNewton *N, const ukProblem *p, ukArena *arena);
/* lambda in C in, the best found out, with its residual. Ends at the tolerance, after `passes` factorizations, or
 * without progress. ukOk, or a status of ukKktFactorize (lambda is then still the best found). */
int ukNewtonSolve(ukNewton *N, ukBounded *B, const ukNewtonChoice *choice, double *lambda, double *residual);

#endif

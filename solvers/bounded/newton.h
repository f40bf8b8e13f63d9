/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/newton.h: a proximal semismooth Newton method (primal-dual active set) for the bounded problem.
 *
 * With softness s' = softness + shift > 0 the multipliers are a function of the accelerations, and Gauss's principle
 * reads
 *
 *      min over x of F(x) = 1/2 |x - a|_M^2 + sum_i s'_i phi_i(t_i(x)),   t = (b + shift center - A x) / s',
 *      phi' = P_C,  lambda = P_C(t),
 *
 * strictly convex and once differentiable, quadratic on each set of rows held. One pass solves on the rows whose t lies
 * strictly inside its bounds; then center <- lambda, until the proximal term has no effect. A set may come twice: the
 * passes are then another method's. Searches along the step, which rule that out, take six times the passes in a pyramid
 * at rest: redundant contacts let them stop at the first kink. */
#ifndef UKODE_SOLVERS_BOUNDED_NEWTON_H
#define UKODE_SOLVERS_BOUNDED_NEWTON_H

#include "solvers/bounded/bounded.h"

typedef struct ukNewton {
    double *center, *trial, *at, *r, *step, *best, *pivot; /* (m) */
    double *bend;                                          /* (m) of a disc's edge, at its first row */
    unsigned char *held;                                   /* (m) */
} ukNewton;

typedef struct ukNewtonChoice {
    /* begins on the rows whose lambda - w / d is inside their bounds; else where lambda itself is, that is enough, and
     * where there is none at all, on every row that its bounds let */
    bool natural;
    double tolerance;
    int passes; /* factorizations at most */
} ukNewtonChoice;

void ukNewtonCarve(ukNewton *N, const ukProblem *p, ukArena *arena);
/* lambda in: in C; out: the best found. *residual of it. Ends at the tolerance, after so many passes, or when nothing
 * gets better. ukOk, or a status of ukKktFactorize (lambda is then still the best found). */
int ukNewtonSolve(ukNewton *N, ukBounded *B, const ukNewtonChoice *choice, double *lambda, double *residual);

#endif

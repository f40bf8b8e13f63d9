/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/root.h: a root of a function whose values are expensive, within a bracket. Inverse quadratic
 * interpolation through the bracket's ends and the point that last was one of them, where Chandrupatla's criterion
 * (1997: A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function) admits it, otherwise
 * the secant or the middle of the bracket. */
#ifndef UKODE_BRIDGE_INTEGRATE_ROOT_H
#define UKODE_BRIDGE_INTEGRATE_ROOT_H

#include <stdbool.h>

/* f(lo) >= 0 > f(hi), 0 <= lo < hi */
typedef struct ukRoot {
    double lo, at_lo, hi, at_hi;
    double left, at_left; /* the point that last was an end, and its value */
    double accepted;      /* hi is a root if f(hi) >= -accepted */
    double least;         /* or if hi - lo does not exceed this */
    bool three;           /* there is a third point */
    bool slow;            /* the last trial has not come four times closer than the one before it */
    double before;        /* |f| there */
} ukRoot;

/* A bracket [lo, hi] with its values. */
ukRoot ukRootOf(double lo, double at_lo, double hi, double at_hi, double accepted, double least);
bool ukRootFound(const ukRoot *root);
/* The next point at which to evaluate f, within the bracket: the estimate of f = -accepted / 2. */
double ukRootNext(const ukRoot *root);
/* Adds f(x) = y, lo < x < hi. */
void ukRootAdd(ukRoot *root, double x, double y);

#endif

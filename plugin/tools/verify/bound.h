/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/verify/bound.h: an upper bound of the distance between an island's accelerations and the exact ones.
 *
 * For the bounds used, the exact accelerations x* minimise a strictly convex function: half of Gauss's function plus
 * the support functions psi_i of the rows. For any multipliers l within the bounds, and
 * x = M^-1 (force + prescribed + J' l), the duality gap bounds the distance:
 *
 *      |x - x*|_M^2  <=  2 sum gap_i(l, x),    gap_i = psi_i(u) - l u + S l^2/2 >= 0,    u = b - J x,
 *      psi_i(u) = max over the bounds of  l u - S l^2/2
 *
 * so |acceleration - x*|_M <= |acceleration - x|_M + |x - x*|_M. Any l gives a bound, a good one a small bound: the
 * recorded multipliers are improved here by conjugate residuals on the active rows. The bound is rigorous whatever the
 * improvement, because its terms are evaluated in long double, rounding errors included. psi_i is infinite if u != 0,
 * the row has no softness and its bound in the direction of u is infinite: such a u counts as a change of b, and is
 * reported (`shift`). */
#ifndef UKODE_PLUGIN_TOOLS_VERIFY_BOUND_H
#define UKODE_PLUGIN_TOOLS_VERIFY_BOUND_H

#include "plugin/tools/verify/residual.h"

typedef struct Distance {
    double linear, angular; /* of the body that may be farthest off [m/s^2], [rad/s^2] */
    double excess; /* of Gauss's function over its minimum [N m/s^2]: the square of the distance in the metric of M */
    double
        shift; /* largest change of a right-hand side, relative to the magnitudes in its row, for which x* is exact */
} Distance;

/* Scratch of the bound; zeros at first. */
typedef struct Bounder {
    void *memory;
    size_t capacity;
} Bounder;

/* false: no memory. */
bool boundOf(const Island *island, Scale *scale, Bounder *bounder, Distance *distance);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/possible_acceleration.h: Udwadia 2000 [17], judged without the multipliers: random possible
 * accelerations beside the one to be tested. */
#ifndef UKODE_TESTS_POSSIBLE_ACCELERATION_H
#define UKODE_TESTS_POSSIBLE_ACCELERATION_H

#include "solvers/problem/problem.h"

/* Random d with A d = 0 and the excess G_ni(qdd + d) - G_ni(qdd), which is d' M d if qdd is the minimum; every row
 * counts as held. Returns the largest |excess - d' M d| / (d' M d) of `trials` d with |d|_M = |qdd|_M + |M^-1 (Q +
 * C)|_M; NaN where conjugate gradients, which take no factor from any solver, found no d. work (ukPossibleWork doubles)
 */
size_t ukPossibleWork(const ukProblem *p);
double ukPossibleExcess(const ukProblem *p, const double *qdd, unsigned seed, int trials, double *work);

#endif

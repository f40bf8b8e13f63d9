/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/compromise.h: the residual of the solution in the equations as stated, A qdd + S lambda = b. */
#ifndef UKODE_BRIDGE_ISLAND_COMPROMISE_H
#define UKODE_BRIDGE_ISLAND_COMPROMISE_H

#include "solvers/problem/problem.h"

/* The largest of `missed` (rows), A qdd + S lambda - b of the problem as stated, relative to the largest acceleration:
 * each row in the metric of the masses, |x| / sqrt((A M^-1 A')_ii), over the largest b so measured or the largest
 * impressed force |Q| in M^-1. Dimensionless, and the same in all units. Code that solves another problem than the one
 * stated stores the result in island->outcome->compromise; ukReport.compromise is the largest of a step. */
double ukCompromise(const ukProblem *p, const double *missed);

/* The largest acceleration in ukCompromise: the largest b plus the largest impressed force. */
double ukLargestAcceleration(const ukProblem *p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/compromise.h: the residual of the solution in the equations as stated, A qdd + S lambda = b. */
#ifndef UKODE_BRIDGE_ISLAND_COMPROMISE_H
#define UKODE_BRIDGE_ISLAND_COMPROMISE_H

#include "solvers/problem/problem.h"

/* The largest of `missed` (rows), A qdd + S lambda - b of the problem as stated, of the accelerations in play: each row
 * in the metric of the masses, |x| / sqrt((A M^-1 A')_ii), beside the largest b so measured and the largest impressed
 * force |Q| in M^-1. Dimensionless, and the same in all units. Whoever solves another problem than the one stated
 * leaves it in outcomes[island].compromise; ukReport.compromise is the largest of a step. */
double ukCompromise(const ukProblem *p, const double *missed);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/sweep.h: projected Gauss-Seidel sweeps, for a problem that may take no more factorizations. Each row,
 * or disc, in turn is solved alone. A sweep never increases the dual of Gauss's function,
 *
 *      D(lambda) = 1/2 lambda' (A M^-1 A' + softness) lambda + lambda' (A a - b)    over C,
 *
 * whose minimum is the solution, so that an iterate far from it cannot throw bodies apart. It converges slowly. */
#ifndef UKODE_SOLVERS_BOUNDED_SWEEP_H
#define UKODE_SOLVERS_BOUNDED_SWEEP_H

#include "solvers/bounded/bounded.h"

/* lambda (m): in and out, in C; other (m): another guess in C, overwritten. The sweeps start from the point with the
 * least D: lambda, the other guess, or the point of C nearest to zero. Returns the natural residual. */
double ukSweepSolve(ukBounded *B, int sweeps, double *other, double *lambda);

#endif

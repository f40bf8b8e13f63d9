/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/lagrange.h: reference solver after Sussman & Wisdom, SICM 1.10, the equations with multipliers. Dense,
 * full row rank only: it shows the cost and the restrictions that the others avoid. */
#ifndef UKODE_SOLVERS_PAPERS_LAGRANGE_H
#define UKODE_SOLVERS_PAPERS_LAGRANGE_H

#include "solvers/papers/dense.h"

size_t ukLagrangeScratch(int n, int m);

/* M qdd - A' lambda = Q + C together with A qdd = b, one linear system in qdd and lambda. Arguments and errors:
 * papers/dense.h; ukErrorSingular where the rows are dependent (contradictory rows are), m > n included. */
int ukLagrangeSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

#endif

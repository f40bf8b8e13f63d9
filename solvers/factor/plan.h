/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/plan.h: makes the plan of the factorization (symbolic.h) from the structure of a problem alone: groups
 * of blocks, elimination order (ordering.h), fronts. */
#ifndef UKODE_SOLVERS_FACTOR_PLAN_H
#define UKODE_SOLVERS_FACTOR_PLAN_H

#include "solvers/factor/symbolic.h"

/* Whether structure and `soft` are equal to those of the last plan. */
bool ukSymbolicFits(const ukSymbolic *plan, const ukProblem *p, const unsigned char *soft);
/* Plans for p, with the blocks with soft[block] != 0 (NULL: none) condensed; returns at once if the plan fits already.
 * Zero before first use. ukOk, ukErrorMemory (the plan is then empty). */
int ukSymbolicPlan(ukSymbolic *plan, const ukProblem *p, const unsigned char *soft);
/* Plans the same structure once more, with the blocks of these rows (count; negative: all blocks) after all their
 * bodies. */
int ukSymbolicDelay(ukSymbolic *plan, const ukProblem *p, const int *rows, int count);
/* Plans for p and these wishes (blocks; ukSymbolic.wish), with the result of the corresponding calls of the two
 * above. */
int ukSymbolicRenew(ukSymbolic *plan, const ukProblem *p, const unsigned char *wish);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/budget.h: the work of a step, counted in machine-independent units.
 *
 * Its unit is one evaluation of the world's equations: assembly and solution of every island once, each counted by its
 * share of the stepped bodies. A step by Euler takes one, by rk4 five and a few for the projection, a sub-step of the
 * adaptive integrator about seven. What costs more than an evaluation is counted as several: each repeated solve of an
 * island with bodies without mass or with softened rows is one more. The friction law of an island with bounded rows is
 * part of one evaluation. It is a bounded number of problems, at most 2 rounds + 5 (friction_law.c), each of at most
 * 152 factorizations (convex.c), which ukWorldSetPassLimit limits further. */
#ifndef UKODE_BRIDGE_ISLAND_BUDGET_H
#define UKODE_BRIDGE_ISLAND_BUDGET_H

#include "bridge/island/island.h"

/* The number of evaluations that a step of the world may take: the user's choice, or one that follows from the number
 * of bodies so that no step takes seconds. */
double ukBudgetOf(const ukIsland *island);

/* What helps if the budget is exhausted, for the end of the message. */
const char *ukBudgetRemedy(const ukIsland *island);

/* Counts evaluations of one island. ukOk, or ukErrorBudget with the error set: the budget of the step is exhausted. */
int ukBudgetSpend(ukIsland *island, double evaluations);

/* Counts a solve by a dense reference solver of so many multiply-adds, after the first evaluation of a step, and as a
 * hundredth of the budget at most: steps of few evaluations are possible in islands of any size. Errors:
 * ukBudgetSpend. */
int ukBudgetSpendDense(ukIsland *island, double products);

/* Converts multiply-adds outside an island's evaluation to evaluations of the island. */
double ukBudgetOfProducts(const ukIsland *island, double products);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/kkt/plans.h: the plans of a ukKkt for the last two structures, and the memory of their factors. */
#ifndef UKODE_SOLVERS_KKT_PLANS_H
#define UKODE_SOLVERS_KKT_PLANS_H

#include "solvers/problem/problem.h"

#include <stdbool.h>

typedef struct ukKkt ukKkt; /* owns plans, numerical factors and scratch; grows, never shrinks */

ukKkt *ukKktCreate(void); /* NULL: no memory */
void ukKktDestroy(ukKkt *kkt);

/* Orders and plans for the structure of `p` (bodies, blocks, their slots and row counts); returns at once if the
 * structure is that of the last call (compared, not trusted). Allocates only if the new structure is larger than any
 * before. soft (blocks; NULL: none): for these blocks the caller promises, in every factorization, a softness of at
 * least some 1e-10 of a row's own K_ii. Their rows, if they are on one or two bodies, are eliminated first, each on its
 * own softness (static condensation): the remaining system has 6 unknowns per body, however many rows a contact has and
 * however dependent they are. This loses log10(|1/softness| / |M|) digits. ukOk, ukErrorMemory. */
int ukKktPlan(ukKkt *kkt, const ukProblem *p, const unsigned char *soft);

/* ukKktPlanOf: the plans of the last two structures, the one in use first; bodies -1: none yet. ukKktRestorePlan:
 * restores a plan that another ukKkt's ukKktPlanOf returned, with structure and wishes (ukSymbolicRenew). ukOk,
 * ukErrorMemory. */
const struct ukSymbolic *ukKktPlanOf(const ukKkt *kkt, int which);
int ukKktRestorePlan(ukKkt *kkt, int which, const ukProblem *structure, const unsigned char *wish);

/* How the numbers of a factor are stored. */
typedef enum ukKktStorage {
    ukKktNothing, /* no factor */
    ukKktFronts,  /* fronts of the plan (solvers/factor/factor.h; unsymmetric.h) */
    ukKktPairs    /* contacts alone: one block per pair of bodies (solvers/factor/pairs.h) */
} ukKktStorage;

/* Rows whose pivot vanished before all of their bodies were eliminated may be independent: from now on the plan
 * eliminates them after these bodies (all: all rows). */
int ukKktDelayRows(ukKkt *kkt, const ukProblem *p, bool all);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/user_row.h: one-sided and bounded rows of user constraints in an island: the compliance of a row, its
 * state at the start of a step, and the force of a row whose multiplier is at a bound. */
#ifndef UKODE_BRIDGE_ISLAND_USER_ROW_H
#define UKODE_BRIDGE_ISLAND_USER_ROW_H

#include "bridge/island/island.h"

/* A M^-1 A' of a row with the coefficients J (6 per body) on `count` gathered bodies of the island (a body without mass
 * counts as fixed until it has its auxiliary mass); and A qdd - b of the row in the solved island. */
double ukRowCompliance(const ukIsland *island, const double *J, ukBody *const *body, int count);
double ukRowResidual(const ukIsland *island, const double *J, ukBody *const *body, int count, double b);

/* A M^-1 A' of row i of a constraint that was evaluated; the island's bodies are gathered. */
double ukUserRowCompliance(const ukIsland *island, const struct ukConstraint *c, int i);
/* A qdd - b of it; the island is solved. */
double ukUserRowResidual(const ukIsland *island, const struct ukConstraint *c, int i);

/* Sets ukRowBounds.start of row i, of a constraint that was evaluated, unless it is known already. */
void ukUserRowStart(const ukIsland *island, struct ukConstraint *c, int i);

/* The multiplier of a row in the mode ukRowFull. */
static inline double ukUserRowBound(const ukRowBounds *limit)
{
    return limit->side > 0 ? limit->hi : limit->lo;
}

/* Adds the forces of rows in the mode ukRowFull to the frames of the constraint's bodies. */
void ukUserRowApply(ukIsland *island, const struct ukConstraint *c);

/* force (6 per body of the constraint) += weight times A' lambda of its rows in the mode ukRowFull. */
void ukUserRowForces(const struct ukConstraint *c, double weight, double *force);

#endif

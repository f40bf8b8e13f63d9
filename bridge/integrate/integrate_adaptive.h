/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/integrate_adaptive.h: the embedded pair of orders 5 and 4 of Dormand & Prince (1980), whose last
 * stage is the next step's first, on the explicit acceleration (continuous form). The user's step is divided into
 * sub-steps, separately for each island.
 *
 * As a method for second-order equations (nystrom.h) its poses are those of the pair applied twice, except that of the
 * second stage, which has a term in h^2 (c_2^2/2 a_1) and so violates the constraints only by h^3, as the others do.
 * The order is preserved: b_2 = 0, sum b_i a_i2 = 0 and sum b_i c_i a_i2 = 0.
 *
 * The solution of order 5 is projected and continued; its distance from that of order 4 (measure.h) decides whether it
 * is accepted, and how long the next sub-step is. Where users' forces are stiff, an implicit method replaces the pair
 * (implicit.h). A sub-step is shortened, never accepted, if its rows cannot be solved, a number is not finite, or the
 * projection fails or changes the state too much. */
#ifndef UKODE_BRIDGE_INTEGRATE_INTEGRATE_ADAPTIVE_H
#define UKODE_BRIDGE_INTEGRATE_INTEGRATE_ADAPTIVE_H

#include "bridge/island/assemble.h"

/* Steps an island without laws, assembled at its start with context->rows.commit false, in sub-steps; arguments and
 * results are those of ukIntegrateRK4. ukErrorNotConverged: sub-steps became too small; ukErrorBudget: they took too
 * much work; the message gives the reason. */
int ukIntegrateAdaptive(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done);

/* Projects the frames' starts, at which the island is assembled, onto the constraints if they have a drift. */
int ukAdaptiveProjectStart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* One accepted sub-step of an island, of at most context->rows.h; *done: its length. */
int ukIntegrateAdaptivePart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done);

/* Discards the sub-step lengths that a failed step stored for the island's bodies. */
void ukAdaptiveUndo(const ukIsland *island);

#endif

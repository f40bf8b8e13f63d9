/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/integrate_rattle.h: RATTLE (Andersen 1983) for rigid bodies: a variational integrator in maximal
 * coordinates.
 *
 *   kick    v0' = v0 + h/2 M(q0)^-1 (F(q0, v0) + A(q0)' lambda)
 *   drift   (q1, v1') from (q0, v0'): free rigid bodies (free_motion.h), which keep their momenta
 *           lambda such that phi(q1) = 0; rows without position error: their mean rate over the drift is the target's
 *   kick    v1 = v1' + h/2 M(q1)^-1 (F(q1, v1) + A(q1)' mu),   mu such that A(q1) v1 = target
 *
 * It is of second order and symmetric in time, so energies of mechanisms oscillate in a band and do not drift. lambda
 * is found by Newton's method, starting from the last step's multipliers (rattle_pose.c), mu by an ordinary solve
 * (rattle_kick.c). Both are means over the step, which differ from the constraint force at its ends to first order; the
 * accelerations and multipliers at the end come from one more solve, by the solver of all other steps. */
#ifndef UKODE_BRIDGE_INTEGRATE_INTEGRATE_RATTLE_H
#define UKODE_BRIDGE_INTEGRATE_INTEGRATE_RATTLE_H

#include "bridge/island/assemble.h"

/* One RATTLE step of an island assembled at its start without commitment; arguments and results are those of
 * ukIntegrateRK4. Equations, forces and certificate are those of the accelerations at the end of the step.
 * ukErrorContradiction: user constraints and joints have no acceleration or velocity in common. ukErrorNotConverged: no
 * lambda puts the island onto its constraints; the message names the joint. */
int ukIntegrateRattle(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done);

/* The world's step: a start with a drift is projected first (tidy.h), and if a step has no solution, its halves,
 * quarters and so on are taken, which the report counts as sub-steps. */
int ukIntegrateRattleStep(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* The same for bridge/integrate/stick.h: the projection before the first part; a part, or the first half, quarter and
 * so on of it: *done [s]. */
int ukRattleTidy(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);
int ukIntegrateRattlePart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done);

#endif

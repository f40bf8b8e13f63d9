/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/stick.h: dry friction in the continuous form: transitions between sticking and sliding. A slide
 * (bridge/user/joint_law.h) slips, with friction prescribed against the slip, or sticks, by rows whose multipliers stay
 * within the bound. The modes change at events: a slip rate reaches zero, a multiplier reaches the bound. Likewise
 * motors of bounded force under the adaptive integrator (ukModalMotor): a row while they keep their speed, a force
 * while they are saturated. Switching functions (switching.h) change their sign at events, and switching times
 * (bridge/world/switches.h) are events at a known time. Between events the
 * equations are smooth, so the integrator keeps its order; a step that contains an event ends there, and the next step
 * starts from it. */
#ifndef UKODE_BRIDGE_INTEGRATE_STICK_H
#define UKODE_BRIDGE_INTEGRATE_STICK_H

#include "bridge/island/assemble.h"

/* An integrator that may advance by less than context->rows.h: *done [s]. */
typedef int ukIntegrateFn(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done);

/* Projects a start with a drift onto the constraints, if the integrator requires that before modes are chosen. */
typedef int ukTidyFn(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* Impacts within a step of an island assembled in the discrete form (ukImpactWithin). */
typedef int ukImpactFn(ukIsland *island, double h, bool rest, bool *any);

/* One step of an island with laws or such motors by `integrate`, from event to event (tidy NULL: without the
 * projection). The island is gathered and assembled; statuses are those of the integrator, ukNotContinuous also after
 * too many events. User functions receive the length of the sub-steps. */
int ukStickIntegrate(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, ukTidyFn *tidy,
                     ukIntegrateFn *integrate, ukImpactFn *impact);

/* Assembles the island again without the rows of stuck slides and motors: for impulses and projections, on which dry
 * friction and motors of bounded force have no effect. ukOk or a status of the assembly. */
int ukStickRelease(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* Decides the modes at the frames' states, for which the island is assembled. Slides that have just stuck lose their
 * remaining rate, and rows that close their gap have an impact (impact NULL: neither); chatter: without restitution
 * below 1. The island must then be assembled again. */
int ukStickDecide(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, ukImpactFn *impact,
                  bool chatter);

/* Chooses the modes at the assembled island's states, then (with `project`) projects onto the constraints, and
 * solves. */
int ukStickEvaluate(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool project);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/stick.h: dry friction in the continuous form: transitions between sticking and sliding. A slide
 * moves, with its friction prescribed against the sliding, or is stuck, held by rows whose multipliers stay within the
 * bound. The modes change at events: a rate reaches zero, the force needed reaches the bound. So do motors of bounded
 * force under the adaptive integrator (ukDrive): a row while they drive, a force while they do all they can. Switching
 * times (bridge/world/switches.h) are events of a known time. Between events the equations are smooth, so the integrator keeps its order; a step that meets an event ends there, and
 * the next step starts from it. */
#ifndef UKODE_BRIDGE_INTEGRATE_STICK_H
#define UKODE_BRIDGE_INTEGRATE_STICK_H

#include "bridge/island/assemble.h"

/* One that may do less than context->rows.h: *done [s]. */
typedef int ukIntegrateFn(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done);

/* Brings a start beside the constraints onto them, where the integrator wants that before it looks at modes. */
typedef int ukTidyFn(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* Inelastic impacts of an island assembled in the discrete form (ukImpactInelastic). */
typedef int ukImpactFn(ukIsland *island, double h, bool *any);

/* One step of an island with laws or such motors by `integrate`, event by event (tidy NULL: as it starts). The island is
 * gathered and assembled; statuses are those of the integrator, ukNotContinuous also after too many events. User
 * functions see the size of the part steps. */
int ukStickIntegrate(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, ukTidyFn *tidy,
                     ukIntegrateFn *integrate, ukImpactFn *impact);

/* The island assembled again without what dry friction and motors of bounded force hold: for impulses and projections,
 * in which neither has a part. ukOk or a status of the assembly. */
int ukStickRelease(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* Decides the modes at the frames' states, for which the island is assembled. What has just stuck loses the last of its
 * rate, what closes its gap the closing rate (impact NULL: nothing). The island is to be assembled again. */
int ukStickDecide(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, ukImpactFn *impact);

/* Modes at the assembled island's states, then (with `project`) onto the constraints, and solved there. */
int ukStickEvaluate(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool project);

#endif

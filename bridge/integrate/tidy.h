/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/tidy.h: projects an initial state that violates the constraints, as a program may set it, before a
 * step begins. */
#ifndef UKODE_BRIDGE_INTEGRATE_TIDY_H
#define UKODE_BRIDGE_INTEGRATE_TIDY_H

#include "bridge/island/assemble.h"

/* Projects the assembled island's poses onto the constraints if their drift exceeds rounding; with `rates` also if the
 * velocities violate the constraints. The frames' starts become the result, and the work is booked as stabilization.
 * Otherwise nothing is changed. ukOk (which does not imply that the projection converged: ukProjected), or a status of
 * the assembly or solver. */
int ukTidyStart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool rates);

#endif

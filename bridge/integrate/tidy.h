/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/tidy.h: projects a start that violates the constraints, as a program may set it, before a step
 * begins. */
#ifndef UKODE_BRIDGE_INTEGRATE_TIDY_H
#define UKODE_BRIDGE_INTEGRATE_TIDY_H

#include "bridge/island/assemble.h"

/* Of the assembled island: poses that are off by more than rounding, and with `rates` also velocities that are, onto the
 * constraints; the frames' starts are there, too, and the work is booked as stabilization. Otherwise nothing. ukOk (which
 * does not say that the projection came there: ukProjected), or a status of the assembly or solver. */
int ukTidyStart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool rates);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/nearest.h: projects poses onto the constraints where rows are dependent at the start and
 * independent at the end. A net that starts flat may leave its plane every way at first order; where to, only the
 * second order says, and the directions that say so are as weak as the net is near its plane. */
#ifndef UKODE_BRIDGE_INTEGRATE_NEAREST_H
#define UKODE_BRIDGE_INTEGRATE_NEAREST_H

#include "bridge/island/assemble.h"

/* Moves the poses of an island, assembled in the continuous form at the present state, onto its constraints by steps
 * that are short in the M-norm (Levenberg-Marquardt): rows are softened by a small fraction of their own compliance, so
 * that weaker directions are not used until they become strong enough. The island is assembled there. moved (6 per
 * moving body): the sum of the steps. ukOk or a status of assembly or solver; ukProjected returns whether the island
 * satisfies its constraints. */
int ukNearestPose(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *moved);

/* Softens the assembled island's rows by a similar fraction, for one solve that follows. */
void ukNearestSoften(ukIsland *island);

#endif

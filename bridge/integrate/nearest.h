/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/nearest.h: projects poses onto the constraints where rows are dependent at the start and
 * independent at the end. A net that starts flat may leave its plane every way at first order; where to, only the
 * second order says, and the directions that say so are as weak as the net is near its plane. */
#ifndef UKODE_BRIDGE_INTEGRATE_NEAREST_H
#define UKODE_BRIDGE_INTEGRATE_NEAREST_H

#include "bridge/island/assemble.h"

/* Moves the poses of an island, assembled in the continuous form where it stands, onto its constraints by steps that are
 * short in the M-norm (Levenberg and Marquardt's): rows are soft by a small part of their own compliance, so that what
 * is weaker than that waits until it is not. The island is assembled there. moved (6 a moving body): the sum of these
 * steps. ukOk or a status of assembly or solver; whether the island is on its constraints, ukProjected tells. */
int ukNearestPose(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *moved);

/* Makes the assembled island's rows soft by the same part, for one solve that follows. */
void ukNearestSoften(ukIsland *island);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/nearest.h: projects poses onto the constraints where rows are dependent at the start and independent
 * at the end. To first order a net that starts flat can leave its plane in every direction; only terms of second order
 * decide which directions are possible, and the singular values of these are small near the plane. */
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

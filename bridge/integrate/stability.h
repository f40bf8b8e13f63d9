/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/stability.h: whether dampers are too stiff for a step of RK4, which amplifies v' = -z v/h from
 * z = 2.785 on (Hairer & Wanner, Solving ODEs II, IV.2). */
#ifndef UKODE_BRIDGE_INTEGRATE_STABILITY_H
#define UKODE_BRIDGE_INTEGRATE_STABILITY_H

#include "bridge/island/island.h"

/* For an island after the stages of a step of RK4 of length h, whose rates are in the frames. The test goes by the
 * change of the acceleration in the first half of the step, d = a1 - a0, in which the stiffest damper prevails:
 *
 *      z = h d'D d / d'M d      D: the viscous friction and drag of joints, at the end of the step
 *
 * is a lower bound on the largest z of the dampers. For functions of the user's, D d = -2 M (a2 - a1)/h: the poses of
 * stages 1 and 2 are equal, and their velocities differ by h d/2. As such forces may have jumps, they are refused only
 * if the step also gained speed. gained: whether it did; before: |v|_M at its start. ukOk, or
 * ukErrorNotConverged with a message that names the joint. */
int ukStabilityOfDampers(const ukIsland *island, double h, double before, bool gained);

#endif

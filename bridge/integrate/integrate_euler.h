/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/integrate_euler.h: ODE's semi-implicit Euler step on the solved island. */
#ifndef UKODE_BRIDGE_INTEGRATE_INTEGRATE_EULER_H
#define UKODE_BRIDGE_INTEGRATE_INTEGRATE_EULER_H

#include "bridge/island/island.h"

/* Computes the frames' states after h: v += h qdd, the speed cap, and the pose by the new velocity, plus bodies.shift
 * if `shifted`, in the body's rotation mode; `mean`: by the mean of the initial and the new velocity. Kinematic bodies
 * keep their velocity. (state.R is not updated: ODE computes it from q.) */
void ukIntegrateEuler(ukIsland *island, double h, bool shifted, bool mean);

#endif

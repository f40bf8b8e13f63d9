/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/integrate_euler.h: ODE's semi-implicit Euler step on the solved island. */
#ifndef UKODE_BRIDGE_INTEGRATE_INTEGRATE_EULER_H
#define UKODE_BRIDGE_INTEGRATE_INTEGRATE_EULER_H

#include "bridge/island/island.h"

/* The frames' states after h: v += h qdd, the speed cap, and the pose with the new velocity, and bodies.shift
 * beside it if it is `shifted`, by the body's rotation mode; `mean`: with the mean of the start's velocity and the new
 * one. Kinematic bodies keep their velocity. (state.R is not
 * renewed: ODE makes it of q.) */
void ukIntegrateEuler(ukIsland *island, double h, bool shifted, bool mean);

#endif

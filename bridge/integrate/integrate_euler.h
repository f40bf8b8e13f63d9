/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/integrate_euler.h: ODE's semi-implicit Euler step on the solved island. */
#ifndef UKODE_BRIDGE_INTEGRATE_INTEGRATE_EULER_H
#define UKODE_BRIDGE_INTEGRATE_INTEGRATE_EULER_H

#include "bridge/island/island.h"

/* Computes the frames' states after rows->h: v += h qdd, the speed cap, and the pose by the new velocity, plus
 * bodies.shift if rows->split, in the body's rotation mode, about a finite rotation axis as ODE or, if rows->exact, by
 * the whole velocity; `mean`: by the mean of the initial and the new velocity. Kinematic bodies keep their velocity.
 * (state.R is not updated: ODE computes it from q.) */
void ukIntegrateEuler(ukIsland *island, const ukRowContext *rows, bool mean);

#endif

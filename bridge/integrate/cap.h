/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/cap.h: dBodySetMaxAngularSpeed in the continuous form. ODE reduces a spin to its cap at the end of a
 * step, in violation of the joints; in its next step these restore part of it, and it is reduced again. For h -> 0 this
 * converges to a velocity that the joints allow, with no spin beyond its cap. That velocity is computed here directly,
 * at the end of each of the user's steps and never in sub-steps, where a reduction would cause an error proportional to
 * the sub-step. */
#ifndef UKODE_BRIDGE_INTEGRATE_CAP_H
#define UKODE_BRIDGE_INTEGRATE_CAP_H

#include "bridge/island/assemble.h"

/* Caps the frames' spins of an island assembled at its frames' poses: spins beyond their caps are reduced, the part of
 * the reduction that violates the joints is projected out (in the metric of M), and so on until no spin exceeds its
 * cap, at most 1000 times. Spins that exceed their caps after that, and spins that the joints themselves drive beyond a
 * cap, by a motor for example, are reduced all the same, in violation of the joints and without an error. The
 * island's solution stays that of the end of the step before the reduction, like that of the Euler step. The ledger
 * books the reduction as damping. ukOk, ukErrorMemory or a status of the solver. */
int ukCapIsland(ukIsland *island);

/* Reduces the spin of v (6) to the body's cap, as ODE does; returns the cap [rad/s]. */
double ukFrameCap(const ukBody *body, double v[6]);

#endif

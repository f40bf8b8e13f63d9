/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/cap.h: dBodySetMaxAngularSpeed in the continuous form. ODE cuts a spin when a step ends, whatever joints
 * say to that; in its next step they give part of it back, and it is cut again. In ever shorter steps the two meet: a
 * velocity that the joints allow, with no spin beyond its cap. This goes there at once, at the end of each of the
 * user's steps and never in sub-steps, whose errors a cut would make as large as they are long. */
#ifndef UKODE_BRIDGE_INTEGRATE_CAP_H
#define UKODE_BRIDGE_INTEGRATE_CAP_H

#include "bridge/island/assemble.h"

/* Caps the frames' spins of an island assembled at its frames' poses: spins beyond their caps are reduced, the part of
 * the reduction that violates the joints is projected out (in the metric of M), and so on until no spin exceeds its
 * cap. Spins that the joints themselves drive beyond a cap, by a motor for example, are reduced all the same. The
 * island's solution stays that of the end of the step before the reduction, like that of the Euler step. The ledger
 * books the reduction as damping. ukOk, ukErrorMemory or a status of the solver. */
int ukCapIsland(ukIsland *island);

#endif

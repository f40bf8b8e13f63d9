/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/cap.h: dBodySetMaxAngularSpeed in the continuous form. ODE cuts a spin when a step ends, whatever joints
 * say to that; in its next step they give part of it back, and it is cut again. In ever shorter steps the two meet: a
 * velocity that the joints allow, with no spin beyond its cap. This goes there at once, at the end of each of the
 * user's steps and never in sub-steps, whose errors a cut would make as large as they are long. */
#ifndef UKODE_BRIDGE_INTEGRATE_CAP_H
#define UKODE_BRIDGE_INTEGRATE_CAP_H

#include "bridge/island/assemble.h"

/* The frames' velocities of an island that stands assembled at its frames' poses: spins beyond their caps are cut, what of the
 * cut the joints do not allow is projected out (in the metric of M), and so on until none is beyond. What the joints
 * themselves drive beyond a cap, such as a motor, is cut all the same. The solution of the island stays as it is: it
 * is that of the end, before the cut, as the Euler step's is. The ledger books it as damping. ukOk, ukErrorMemory or a
 * status of the solver. */
int ukCapIsland(ukIsland *island);

#endif

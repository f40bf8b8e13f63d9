/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/state.h: pose and velocity of a body. */
#ifndef UKODE_BRIDGE_WORLD_STATE_H
#define UKODE_BRIDGE_WORLD_STATE_H

#include "bridge/world/record.h"

/* State of one body at the start of the step (or of an integrator's stage). */
typedef struct ukState {
    double x[3], q[4]; /* centre of mass [m]; orientation w, x, y, z, body to world */
    double R[9];       /* of q, row-major 3 x 3 */
    double v[6];       /* [linear; angular], world frame */
} ukState;

/* State of a body as ODE holds it now (setters are noted at such moments). */
ukState ukStateOf(const ukBody *body);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/state.h: pose and velocity of a body, and points and axes fixed in it. */
#ifndef UKODE_BRIDGE_WORLD_STATE_H
#define UKODE_BRIDGE_WORLD_STATE_H

#include "bridge/base/vector.h"
#include "bridge/world/record.h"

/* State of one body at the start of the step (or of an integrator's stage). */
typedef struct ukState {
    double x[3], q[4]; /* centre of mass [m]; orientation w, x, y, z, body to world */
    double R[9];       /* of q, row-major 3 x 3 */
    double v[6];       /* [linear; angular], world frame */
} ukState;

/* State of a body as ODE stores it now (setters are noted at such moments). */
ukState ukStateOf(const ukBody *body);

/* Points and axes fixed in a body, at a state; s NULL: in the world. P = x + R anchor, or the anchor itself, and the
 * lever r = P - x, or zero. */
static inline void ukAnchor(const ukState *s, const double anchor[3], double P[3], double r[3])
{
    if (!s) {
        for (int i = 0; i < 3; i++) P[i] = anchor[i], r[i] = 0;
        return;
    }
    ukRotate(s->R, anchor, r);
    for (int i = 0; i < 3; i++) P[i] = s->x[i] + r[i];
}

/* R axis, or the axis itself */
static inline void ukAxis(const ukState *s, const double axis[3], double out[3])
{
    if (s) {
        ukRotate(s->R, axis, out);
    } else {
        for (int i = 0; i < 3; i++) out[i] = axis[i];
    }
}

#endif

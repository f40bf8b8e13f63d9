/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/turn.h: a vector rotated by a recorded unit quaternion. */
#ifndef UKODE_PLUGIN_TOOLS_FINDINGS_TURN_H
#define UKODE_PLUGIN_TOOLS_FINDINGS_TURN_H

#include <stdbool.h>

#include "bridge/base/vector.h"

/* out = q v q^-1, q = (w, x, y, z); back: q^-1 v q. `out` may be `v`. */
static inline void turnVector(const double q[4], bool back, const double v[3], double out[3])
{
    const double u[3] = {back ? -q[1] : q[1], back ? -q[2] : q[2], back ? -q[3] : q[3]};
    double once[3], twice[3];
    ukCross(u, v, once);
    ukCross(u, once, twice);
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * (q[0] * once[k] + twice[k]);
}

#endif

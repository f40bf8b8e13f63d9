/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/energy.h"

#include "bridge/base/vector.h"
#include "solvers/base/status.h"

void ukBodyEnergy(ukBody *b, const double g[3], dReal *kinetic, dReal *potential)
{
    bool kinematic;
    if (ukFrameConstants(b, &kinematic) != ukOk || kinematic) return;
    const double m = b->constant.mass;
    *kinetic += 0.5 * m * ukDot(b->linear, b->linear) + ukSpinEnergy(b->rotation, 4, b->constant.inertia, b->angular);
    if (dBodyGetGravityMode(b->handle)) *potential -= m * ukDot(g, b->position);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/energy.h"

#include "bridge/base/vector.h"
#include "solvers/base/status.h"

double ukSpinEnergy(const double *R, int stride, const double B[9], const double *w)
{
    double local[3], L[3];
    for (int i = 0; i < 3; i++) local[i] = R[i] * w[0] + R[stride + i] * w[1] + R[2 * stride + i] * w[2];
    ukRotate(B, local, L);
    return 0.5 * ukDot(local, L);
}

void ukBodyEnergy(ukBody *b, const double g[3], dReal *kinetic, dReal *potential)
{
    bool kinematic;
    if (ukFrameConstants(b, &kinematic) != ukOk || kinematic) return;
    const double m = b->constant.mass;
    *kinetic += 0.5 * m * ukDot(b->linear, b->linear) + ukSpinEnergy(b->rotation, 4, b->constant.inertia, b->angular);
    if (dBodyGetGravityMode(b->handle)) *potential -= m * ukDot(g, b->position);
}

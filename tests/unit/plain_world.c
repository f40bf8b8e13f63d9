/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/plain_world.h"

#include <ukode/ukode.h>

#include "tests/check.h"

dWorldID newWorld(double gravity)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -gravity);
    dWorldSetCFM(w, 0);
    return w;
}

dBodyID ball(dWorldID w, double m, double x, double y, double z)
{
    dMass mass;
    const dBodyID b = dBodyCreate(w);
    dMassSetSphereTotal(&mass, m, 0.1);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, y, z);
    return b;
}

void rk4(dWorldID w)
{
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
    CHECK(ukWorldSetStabilization(w, ukStabilizeProjection, 0, 0) == 0);
}

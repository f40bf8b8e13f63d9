/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/plain_world.h"

#include <math.h>
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

dBodyID box(dWorldID w, double m, double x, double y, double z)
{
    dMass mass;
    const dBodyID b = dBodyCreate(w);
    dMassSetBoxTotal(&mass, m, 0.4, 0.3, 0.2);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, y, z);
    return b;
}

void rk4(dWorldID w)
{
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
    CHECK(ukWorldSetStabilization(w, ukStabilizeProjection, 0, 0) == 0);
}

double apart(const double x[3], const double y[3])
{
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

double kineticEnergy(dBodyID body)
{
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dMass m;
    dVector3 l;
    dBodyGetMass(body, &m);
    dBodyVectorFromWorld(body, w[0], w[1], w[2], l);
    double sum = m.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) sum += l[i] * m.I[4 * i + k] * l[k];
    return sum / 2;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/bridge/analyze/equilibria.c: see equilibria.h */
#include "tests/bridge/analyze/equilibria.h"

#include <string.h>

#include "solvers/base/status.h"
#include "tests/check.h"

double uniform(unsigned long *state)
{
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

bool search(dWorldID world, ukEquilibrium *e)
{
    unsigned char before[16], after[16];
    ukWorldHash(world, before);
    if (!CHECK(ukWorldEquilibrium(world, 0, e) == ukOk)) puts(ukGetLastErrorMessage());
    ukWorldHash(world, after);
    if (!e->found) CHECK(memcmp(before, after, sizeof before) == 0);
    CHECK(!e->found || (e->residual <= 1e-12 && e->gap <= 1e-12));
    return e->found;
}

const ukCarried *carriedBy(const ukEquilibrium *e, dJointID joint)
{
    for (int i = 0; i < e->carriers; i++)
        if (e->carried[i].joint == joint) return e->carried + i;
    CHECK(e->carriers < 0);
    return e->carried;
}

dBodyID boxOfSides(dWorldID world, double mass, double a, double b, double c)
{
    dMass m;
    dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, mass, a, b, c);
    dBodySetMass(body, &m);
    return body;
}

dWorldID heavyWorld(void)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    return world;
}

void turnAbout(dBodyID body, double x, double y, double z, double angle)
{
    dQuaternion q;
    dQFromAxisAndAngle(q, x, y, z, angle);
    dBodySetQuaternion(body, q);
}

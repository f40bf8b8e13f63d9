/* SPDX-License-Identifier: BSD-3-Clause */
/* An ordinary ODE program of seven worlds whose gravity points along each axis, both ways, and nowhere. In each a body
 * lives through the first half, another through the second, with as many steps, and a third through all; shapes of all
 * kinds, on the bodies with offsets, and static ones. A fourth body of each world is disabled in between, moved, and
 * enabled again at the end; a fifth stays disabled. 20 steps. */
#include <ode/ode.h>

enum { Steps = 20 };

static const double gravity[7][3] = {{3, 0, 0}, {-3, 0, 0}, {0, 3, 0}, {0, -3, 0}, {0, 0, 3}, {0, 0, -3}, {0, 0, 0}};
static dSpaceID space;

static dBodyID make(dWorldID world, double x, double mass)
{
    const dBodyID b = dBodyCreate(world);
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, 0.3, 0.4, 0.5, 0.05, 0.02, 0.01);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, 0.5, 0.25);
    dBodySetAngularVel(b, 1, 2, 3);
    return b;
}

static void shape(dGeomID geom, dBodyID body)
{
    const dQuaternion turned = {0.8, 0, 0.6, 0};
    dGeomSetBody(geom, body);
    dGeomSetOffsetPosition(geom, 0.1, 0.2, 0.3);
    dGeomSetOffsetQuaternion(geom, turned);
}

int main(void)
{
    dInitODE2(0);
    space = dSimpleSpaceCreate(0);
    dWorldID world[7];
    dBodyID early[7], late[7], resting[7], asleep[7];
    for (int w = 0; w < 7; w++) {
        world[w] = dWorldCreate();
        dWorldSetGravity(world[w], gravity[w][0], gravity[w][1], gravity[w][2]);
        early[w] = make(world[w], 1, 2);
        make(world[w], 2, 3);
        resting[w] = make(world[w], 5, 1);
        asleep[w] = make(world[w], 6, 1);
    }
    const dBodyID shaped = make(world[5], 3, 1);
    shape(dCreateBox(space, 0.5, 0.25, 0.125), shaped);
    shape(dCreateSphere(space, 0.375), shaped);
    shape(dCreateCapsule(space, 0.25, 0.75), shaped);
    shape(dCreateCapsule(space, 0.25, 0.125), shaped); /* of another proportion */
    shape(dCreateCylinder(space, 0.125, 0.5), shaped);
    for (int k = 0; k < Steps; k++) {
        for (int w = 0; w < 7 && k == Steps / 2; w++) {
            dBodyDestroy(early[w]);
            late[w] = make(world[w], 4, 5);
            dBodySetLinearVel(late[w], 1, 1, 1);
        }
        for (int w = 0; w < 7; w++) {
            if (k == 4) dBodyDisable(resting[w]), dBodyDisable(asleep[w]);
            if (k == 12) dBodySetPosition(resting[w], 5, 2, 1);
            if (k == 16) dBodyEnable(resting[w]);
            dWorldStep(world[w], 0.0078125);
        }
    }
    return 0;
}

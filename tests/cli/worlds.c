/* SPDX-License-Identifier: BSD-3-Clause */
/* An ordinary ODE program of two worlds, a pendulum and a box that falls on a plane, of so many steps; prints where
 * both end, to the bit.
 *     worlds STEPS */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

static dWorldID world[2];
static dSpaceID space;
static dJointGroupID contacts;
static dBodyID body[2];

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact[4];
    (void)data;
    const int n = dCollide(a, b, 4, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = 0;
        contact[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world[1], contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void build(void)
{
    dMass mass;
    dMassSetBox(&mass, 1000, 0.2, 0.1, 0.3);
    for (int i = 0; i < 2; i++) {
        world[i] = dWorldCreate();
        dWorldSetGravity(world[i], 0, 0, -9.81);
        body[i] = dBodyCreate(world[i]);
        dBodySetMass(body[i], &mass);
        dBodySetPosition(body[i], 0.5, 0, 1);
        dBodySetAngularVel(body[i], 1, 2, 3);
    }
    const dJointID hinge = dJointCreateHinge(world[0], 0);
    dJointAttach(hinge, body[0], 0);
    dJointSetHingeAnchor(hinge, 0, 0, 1);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    space = dSimpleSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dCreatePlane(space, 0, 0, 1, 0);
    dGeomSetBody(dCreateBox(space, 0.2, 0.1, 0.3), body[1]);
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 100;
    dInitODE2(0);
    build();
    for (int i = 0; i < steps; i++) {
        dWorldStep(world[0], 0.01);
        dSpaceCollide(space, NULL, touch);
        dWorldStep(world[1], 0.01);
        dJointGroupEmpty(contacts);
    }
    for (int i = 0; i < 2; i++) {
        const dReal *const x = dBodyGetPosition(body[i]), *const q = dBodyGetQuaternion(body[i]);
        printf("%a %a %a %a %a %a %a\n", x[0], x[1], x[2], q[0], q[1], q[2], q[3]);
    }
    return 0;
}

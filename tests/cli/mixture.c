/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/cli/mixture.c: a short run with something of everything that a recording holds: shapes of each kind, contacts
 * with friction that come and go, joints of each type with stops, motors and feedback, two worlds, names, bodies that
 * are destroyed and pushed on the way. Usage: mixture STEPS */
#include <ode/ode.h>
#include <stdlib.h>

#include <ukode/ukode.h>

enum { Types = 8 };

static dWorldID world;
static dJointGroupID contacts;

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact[2];
    const int count = dCollide(a, b, 2, &contact[0].geom, sizeof contact[0]);
    (void)data;
    for (int i = 0; i < count; i++) {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1 | dContactBounce | dContactSoftCFM,
                                                  .mu = i % 2 ? 0.5 : dInfinity,
                                                  .bounce = 0.2,
                                                  .bounce_vel = 0.1,
                                                  .soft_cfm = 1e-4};
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static dBodyID put(dSpaceID space, dGeomID shape, double x, double y, double z)
{
    const dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetBox(&mass, 100, 0.2, 0.3, 0.2);
    dBodySetMass(body, &mass);
    if (shape) {
        dGeomSetBody(shape, body);
        dSpaceAdd(space, shape);
    }
    dBodySetPosition(body, x, y, z);
    return body;
}

static void pile(dSpaceID space)
{
    static const float vertex[4][3] = {{0, 0, 0.2F}, {0.2F, 0, -0.1F}, {-0.1F, 0.2F, -0.1F}, {-0.1F, -0.2F, -0.1F}};
    static const unsigned face[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    const dTriMeshDataID mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(mesh, vertex, sizeof vertex[0], 4, face, 12, sizeof face[0]);
    dCreatePlane(space, 0, 0, 1, 0);
    put(space, dCreateBox(0, 0.2, 0.3, 0.2), 0, 0, 0.1);
    put(space, dCreateSphere(0, 0.1), 1, 0, 0.2);
    put(space, dCreateCapsule(0, 0.1, 0.2), 2, 0, 0.25);
    put(space, dCreateCylinder(0, 0.1, 0.2), 3, 0, 0.5);
    put(space, dCreateTriMesh(0, mesh, 0, 0, 0), 4, 0, 0.5);
}

/* the joint of a type between two bodies at x */
static dJointID join(int type, dBodyID a, dBodyID b, double x)
{
    static dJointID (*const create[Types])(dWorldID, dJointGroupID) = {
        dJointCreateBall,   dJointCreateHinge, dJointCreateSlider, dJointCreateUniversal,
        dJointCreateHinge2, dJointCreatePR,    dJointCreatePiston, dJointCreateFixed};
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    const dJointID joint = create[type](world, 0);
    dJointAttach(joint, a, b);
    switch (type) {
    case 0: dJointSetBallAnchor(joint, x, 0, 5); break;
    case 1: dJointSetHingeAnchor(joint, x, 0, 5), dJointSetHingeAxis(joint, 0, 1, 0); break;
    case 2: dJointSetSliderAxis(joint, 1, 0, 0), dJointSetSliderParam(joint, dParamHiStop, 0.01); break;
    case 3: dJointSetUniversalAnchor(joint, x, 0, 5); break;
    case 4: dJointSetHinge2Anchor(joint, x, 0, 5), dJointSetHinge2Axes(joint, up, across); break;
    case 5: dJointSetPRAnchor(joint, x, 0, 5); break;
    case 6: dJointSetPistonAnchor(joint, x, 0, 5); break;
    default: dJointSetFixed(joint); break;
    }
    return joint;
}

/* a consistent mechanism, for analyses */
static void pendulum(dWorldID other)
{
    const dBodyID a = dBodyCreate(other), b = dBodyCreate(other);
    const dJointID hinge = dJointCreateHinge(other, 0), slider = dJointCreateSlider(other, 0);
    dWorldSetGravity(other, 0, 0, -9.81);
    dBodySetPosition(a, 0.5, 0, 0);
    dBodySetPosition(b, 1, 0, 0);
    dJointAttach(hinge, a, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointAttach(slider, b, a);
    dJointSetSliderAxis(slider, 1, 0, 0);
}

int main(int argc, char **argv)
{
    static dJointFeedback feedback;
    const int count = argc > 1 ? atoi(argv[1]) : 30;
    dInitODE2(0);
    world = dWorldCreate();
    contacts = dJointGroupCreate(0);
    const dSpaceID space = dHashSpaceCreate(0);
    const dWorldID other = dWorldCreate();
    pendulum(other);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 1e-5);
    pile(space);
    dBodyID last = put(space, 0, 0, 0, 5), first = last;
    for (int type = 0; type < Types; type++) {
        const dBodyID next = put(space, 0, type + 1, 0, 5);
        const dJointID joint = join(type, next, last, type + 0.5);
        if (type == 1) dJointSetHingeParam(joint, dParamVel, 1), dJointSetHingeParam(joint, dParamFMax, 2);
        if (type == 1) dJointSetFeedback(joint, &feedback), ukJointSetName(joint, "drive");
        last = next;
    }
    ukBodySetName(first, "base");
    const dJointID weld = dJointCreateFixed(world, 0);
    dJointAttach(weld, first, 0);
    dJointSetFixed(weld);
    for (int k = 0; k < count; k++) {
        if (k == count / 2) dBodyDestroy(put(0, 0, 9, 9, 9));
        if (k % 7 == 3) dBodyAddForce(last, 0, 1, 0);
        dSpaceCollide(space, 0, touch);
        dWorldStep(world, 0.02);
        if (k % 4 == 0) dWorldQuickStep(other, 0.02);
        dJointGroupEmpty(contacts);
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* One scene for every copy of ODE, of any version from 0.12 on and either precision: a chain of hinges with a motor and
 * a stop, a car of hinge2 on contacts, feedback. Prints poses, angles and forces.
 *
 * Usage: scene [STEPS]. With -DPLUGIN it is a plugin, whose function run(STEPS) does the same. With -DEMBEDDED ukode is
 * linked into it (ukode::embedded), and steps the world. */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef EMBEDDED
#include <ukode/ukode.h>
#endif

enum { Links = 6, Wheels = 4 };
#define R(x) ((dReal)(x))

int run(int steps);

static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static dBodyID link[Links], chassis, wheel[Wheels];
static dJointID hinge[Links], axle[Wheels];
static dJointFeedback feedback[Links + Wheels];

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact c[4];
    (void)data;
    if (dGeomGetBody(a) && dGeomGetBody(b)) return; /* the car with itself */
    memset(c, 0, sizeof c);
    const int n = dCollide(a, b, 4, &c[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
        c[i].surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1;
        c[i].surface.mu = R(0.8);
        c[i].surface.soft_erp = R(0.2);
        c[i].surface.soft_cfm = R(1e-3);
        dJointAttach(dJointCreateContact(world, group, &c[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static dBodyID body(double mass, double x, double y, double z)
{
    dMass m;
    const dBodyID b = dBodyCreate(world);
    dMassSetBoxTotal(&m, R(mass), R(1), R(0.4), R(0.3));
    dBodySetMass(b, &m);
    dBodySetPosition(b, R(x), R(y), R(z));
    return b;
}

static void chain(void)
{
    for (int i = 0; i < Links; i++) {
        link[i] = body(1, i + 0.5, 20, 10);
        hinge[i] = dJointCreateHinge(world, 0);
        dJointAttach(hinge[i], link[i], i ? link[i - 1] : 0);
        dJointSetHingeAnchor(hinge[i], R(i), R(20), R(10));
        dJointSetHingeAxis(hinge[i], 0, 1, R(0.1 * i));
        dJointSetFeedback(hinge[i], &feedback[i]);
    }
    dJointSetHingeParam(hinge[2], dParamVel, 1);
    dJointSetHingeParam(hinge[2], dParamFMax, 5);
    dJointSetHingeParam(hinge[3], dParamLoStop, R(-0.3));
    dJointSetHingeParam(hinge[3], dParamHiStop, R(0.3));
    dJointSetHingeParam(hinge[3], dParamStopERP, R(0.4));
}

static void car(void)
{
    dCreatePlane(space, 0, 0, 1, 0);
    chassis = body(10, 0, 0, 0.6);
    dGeomSetBody(dCreateBox(space, 2, 1, R(0.3)), chassis);
    for (int i = 0; i < Wheels; i++) {
        const double x = i & 1 ? 1 : -1, y = i & 2 ? 0.6 : -0.6;
        wheel[i] = body(1, x, y, 0.35);
        dGeomSetBody(dCreateSphere(space, R(0.3)), wheel[i]);
        axle[i] = dJointCreateHinge2(world, 0);
        dJointAttach(axle[i], chassis, wheel[i]);
        dJointSetHinge2Anchor(axle[i], R(x), R(y), R(0.35));
        dJointSetHinge2Axis1(axle[i], 0, 0, 1);
        dJointSetHinge2Axis2(axle[i], 0, 1, 0);
        dJointSetHinge2Param(axle[i], dParamSuspensionERP, R(0.4));
        dJointSetHinge2Param(axle[i], dParamSuspensionCFM, R(0.005));
        dJointSetHinge2Param(axle[i], dParamLoStop, R(i & 1 ? 0.1 : 0));
        dJointSetHinge2Param(axle[i], dParamHiStop, R(i & 1 ? 0.1 : 0));
        dJointSetHinge2Param(axle[i], dParamVel2, 3);
        dJointSetHinge2Param(axle[i], dParamFMax2, R(i & 1 ? 0 : 2));
        dJointSetFeedback(axle[i], &feedback[Links + i]);
    }
}

static void printBody(const char *what, int i, dBodyID b, double number)
{
    const dReal *const p = dBodyGetPosition(b), *const v = dBodyGetLinearVel(b);
    printf("%s %d %.12g %.12g %.12g velocity %.10g %.10g %.10g, %.8g\n", what, i, (double)p[0], (double)p[1],
           (double)p[2], (double)v[0], (double)v[1], (double)v[2], number);
}

int run(int steps)
{
    dInitODE2(0);
    world = dWorldCreate();
#ifdef EMBEDDED
    if (ukWorldEnable(world) != 0) {
        fprintf(stderr, "scene: %s\n", ukGetLastErrorMessage());
        return 1;
    }
#endif
    space = dSimpleSpaceCreate(0);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, R(-9.81));
    chain();
    car();
    for (int k = 0; k < steps; k++) {
        dSpaceCollide(space, 0, &touch);
        dWorldStep(world, R(0.01));
        dJointGroupEmpty(group);
    }
    for (int i = 0; i < Links; i++) {
        printBody("link", i, link[i], (double)feedback[i].t1[1]);
        printf("angle %.10g force %g\n", (double)dJointGetHingeAngle(hinge[i]),
               (double)dJointGetHingeParam(hinge[i], dParamFMax));
    }
    printBody("chassis", 0, chassis, 0);
    for (int i = 0; i < Wheels; i++) printBody("wheel", i, wheel[i], (double)feedback[Links + i].f2[2]);
    dJointGroupDestroy(group);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    fflush(stdout); /* of a C library that may be the plugin's alone */
    return 0;
}

#ifndef PLUGIN
int main(int argc, char **argv)
{
    return run(argc > 1 ? atoi(argv[1]) : 100);
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/preload/scene.h: ordinary ODE calls, shared by the programs of this folder, which know nothing of ukode. A
 * scene prints where its bodies end, in few enough digits that two exact steppers agree. */
#ifndef UKODE_TESTS_PRELOAD_SCENE_H
#define UKODE_TESTS_PRELOAD_SCENE_H

#include <ode/ode.h>
#include <stdio.h>

static inline dBodyID sceneBody(dWorldID world, dReal x, dReal y, dReal z)
{
    const dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 0.4, 0.5, 0.6);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    return body;
}

static inline dJointID sceneHinge(dWorldID world, dJointGroupID group, dBodyID a, dBodyID b, dReal x)
{
    const dJointID hinge = dJointCreateHinge(world, group);
    dJointAttach(hinge, a, b);
    dJointSetHingeAnchor(hinge, x, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return hinge;
}

static inline dWorldID sceneWorld(void)
{
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    return world;
}

static inline void sceneSteps(dWorldID world, int steps)
{
    for (int i = 0; i < steps; i++)
        if (dWorldStep(world, 0.01) != 1) printf("a step failed\n");
}

static inline void scenePrint(const char *what, dBodyID body)
{
    const dReal *x = dBodyGetPosition(body), *w = dBodyGetAngularVel(body);
    const double unsigned_zero = 1e-9; /* no "-0.0000" */
    printf("%s %.4f %.4f %.4f  %.4f %.4f %.4f\n", what, x[0] + unsigned_zero, x[1] + unsigned_zero,
           x[2] + unsigned_zero, w[0] + unsigned_zero, w[1] + unsigned_zero, w[2] + unsigned_zero);
}

/* a chain of hinged boxes, n of them, swinging */
static inline void sceneChain(const char *what, int n, int steps)
{
    const dWorldID world = sceneWorld();
    dBodyID previous = 0;
    for (int i = 0; i < n; i++) {
        const dBodyID body = sceneBody(world, i + 0.5, 0, 0);
        sceneHinge(world, 0, body, previous, i);
        previous = body;
    }
    sceneSteps(world, steps);
    scenePrint(what, previous);
    dWorldDestroy(world);
}

#endif

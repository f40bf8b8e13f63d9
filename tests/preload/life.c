/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects that end, and others at their addresses: joints, bodies, groups, worlds; grouped joints that outlive their
 * world. What is printed is the same natively and under ukode, unless something dead was stepped. */
#include <stdarg.h>

#include "tests/preload/scene.h"

static void quiet(int number, const char *format, va_list args)
{
    (void)number;
    (void)format;
    (void)args;
}

/* a joint of another type, on other bodies, at the address of one that was destroyed: a group's memory serves again */
static void reusedJoint(void)
{
    const dWorldID world = sceneWorld();
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID a = sceneBody(world, 0.5, 0, 0), b = sceneBody(world, 1.5, 0, 0);
    int same = 0;
    for (int round = 0; round < 20; round++) {
        const dJointID ball = dJointCreateBall(world, group);
        dJointAttach(ball, a, b);
        dJointSetBallAnchor(ball, 1, 0, 0);
        sceneSteps(world, 1);
        dJointGroupEmpty(group);
        const dJointID slider = dJointCreateSlider(world, group);
        same += slider == ball;
        dJointAttach(slider, b, 0);
        dJointSetSliderAxis(slider, 1, 0, 1);
        sceneSteps(world, 2);
        dJointGroupEmpty(group);
    }
    dJointGroupDestroy(group);
    printf("address of a joint reused: %s\n", same > 0 ? "yes" : "no");
    scenePrint("reused joint a", a);
    scenePrint("reused joint b", b);
    dWorldDestroy(world);
}

/* a body at the address of one that a joint held */
static void reusedBody(void)
{
    const dWorldID world = sceneWorld();
    int same = 0;
    dBodyID old = sceneBody(world, 0.5, 0, 0);
    for (int round = 0; round < 20; round++) {
        const dJointID hinge = sceneHinge(world, 0, old, 0, 0);
        sceneSteps(world, 3);
        dBodyDestroy(old); /* the joint lives on, detached */
        const dBodyID body = sceneBody(world, 0.5, 0, 0);
        same += body == old;
        sceneSteps(world, 2); /* falls freely */
        if (round % 2) dJointDestroy(hinge);
        old = body;
    }
    printf("address of a body reused: %s\n", same > 0 ? "yes" : "no");
    scenePrint("reused body", old);
    dWorldDestroy(world);
}

/* the classic loop: contacts made, one step, group emptied */
static void contactLoop(void)
{
    const dWorldID world = sceneWorld();
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID body = sceneBody(world, 0, 0, 0.5);
    for (int step = 0; step < 100; step++) {
        const dReal *x = dBodyGetPosition(body);
        for (int corner = 0; corner < 4 && x[2] < 0.3; corner++) {
            dContact contact = {.surface.mode = dContactSoftCFM, .surface.mu = 0, .surface.soft_cfm = 1e-4};
            contact.geom.pos[0] = x[0] + (corner & 1 ? 0.2 : -0.2);
            contact.geom.pos[1] = x[1] + (corner & 2 ? 0.25 : -0.25);
            contact.geom.pos[2] = x[2] - 0.3;
            contact.geom.normal[2] = 1;
            contact.geom.depth = 0.3 - x[2];
            dJointAttach(dJointCreateContact(world, group, &contact), body, 0);
        }
        if (dWorldStep(world, 0.01) != 1) printf("a step failed\n");
        dJointGroupEmpty(group);
    }
    scenePrint("contacts", body);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}

/* joints of a group whose world is gone; the group is emptied, or destroyed, afterwards, and used again */
static void groupOutlivesWorld(void)
{
    const dJointGroupID group = dJointGroupCreate(0);
    for (int round = 0; round < 4; round++) {
        const dWorldID world = sceneWorld();
        const dBodyID a = sceneBody(world, 0.5, 0, 0), b = sceneBody(world, 1.5, 0, 0);
        const dJointID first = sceneHinge(world, group, a, 0, 0);
        sceneHinge(world, group, b, a, 1);
        dJointDestroy(first); /* without effect */
        sceneSteps(world, 30);
        scenePrint("grouped", b);
        dWorldDestroy(world);
        printf("left of it: %d bodies\n", dJointGetNumBodies(first));
        if (round % 2) dJointGroupEmpty(group);
    }
    dJointGroupDestroy(group);
}

/* detached, attached the other way round, disabled */
static void reattached(void)
{
    const dWorldID world = sceneWorld();
    const dBodyID a = sceneBody(world, 0.5, 0, 0), b = sceneBody(world, 1.5, 0, 0);
    const dJointID hinge = sceneHinge(world, 0, a, 0, 0);
    sceneSteps(world, 10);
    dJointAttach(hinge, 0, 0);
    sceneSteps(world, 10);
    dJointAttach(hinge, 0, b);
    sceneSteps(world, 10);
    dJointAttach(hinge, b, a);
    sceneSteps(world, 10);
    dJointDisable(hinge);
    sceneSteps(world, 5);
    dJointEnable(hinge);
    dJointAttach(hinge, a, b);
    sceneSteps(world, 10);
    scenePrint("reattached a", a);
    scenePrint("reattached b", b);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE();
    dSetMessageHandler(quiet);
    reusedJoint();
    reusedBody();
    contactLoop();
    groupOutlivesWorld();
    reattached();
    for (int round = 0; round < 5; round++) sceneChain("world at a reused address", 2 + round, 30);
    dCloseODE();
    return 0;
}

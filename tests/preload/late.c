/* SPDX-License-Identifier: BSD-3-Clause */
/* A world that is destroyed after dCloseODE, from a destructor at exit, as C++ programs with static objects do. ODE
 * itself crashes there if the world was ever stepped by it. */
#include "tests/preload/scene.h"

static dWorldID world;
static dJointGroupID group;

__attribute__((destructor)) static void end(void)
{
    dWorldDestroy(world);
    dJointGroupDestroy(group);
}

int main(void)
{
    dInitODE();
    world = sceneWorld();
    group = dJointGroupCreate(0);
    const dBodyID a = sceneBody(world, 0.5, 0, 0), b = sceneBody(world, 1.5, 0, 0);
    sceneHinge(world, 0, a, 0, 0);
    sceneHinge(world, 0, b, a, 1);
    sceneSteps(world, 20);
    dCloseODE();
    return 0;
}

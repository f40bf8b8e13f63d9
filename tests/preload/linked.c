/* SPDX-License-Identifier: BSD-3-Clause */
/* A program linked with both libraries. With -lukode before -lode, a world is ukode's once it is enabled; the other way
 * round nothing is intercepted, and a world has to be handed over. The argument tells which. */
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/preload/scene.h"

static void intercepted(void)
{
    const dWorldID world = sceneWorld();
    const dBodyID body = sceneBody(world, 0.5, 0, 0);
    sceneHinge(world, 0, body, 0, 0);
    CHECK(!ukWorldIsEnabled(world)); /* merely linked */
    sceneSteps(world, 1);
    CHECK(ukWorldGetTime(world) == 0);
    CHECK(ukWorldEnable(world) == 0);
    sceneSteps(world, 3);
    CHECK_NEAR(ukWorldGetTime(world), 0.03, 1e-12);
    CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK_NEAR(ukWorldGetTime(world), 0.04, 1e-12);
    CHECK(ukWorldDisable(world) == 0);
    sceneSteps(world, 1);
    CHECK_NEAR(ukWorldGetTime(world), 0.04, 1e-12);
    dWorldDestroy(world);
    CHECK(ukWorldEnable(world) < 0);
}

static void handedOver(void)
{
    const dWorldID world = sceneWorld();
    const dBodyID a = sceneBody(world, 0.5, 0, 0), b = sceneBody(world, 1.5, 0, 0);
    sceneHinge(world, 0, a, 0, 0);
    const dJointID between = sceneHinge(world, 0, b, a, 1);
    CHECK(ukWorldEnable(world) < 0 && ukWorldStep(world, 0.01) == 0);
    CHECK(ukWorldAttach(world, (const dBodyID[]){a, b}, 2) == 0);
    for (int i = 0; i < 30; i++) CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK_NEAR(ukWorldGetTime(world), 0.3, 1e-12);
    dVector3 x, y;
    dJointGetHingeAnchor(between, x);
    dJointGetHingeAnchor2(between, y);
    CHECK_NEAR_ALL(x, y, 3, 1e-2); /* held together */
    CHECK(x[2] < -0.1);            /* and swinging */
    dJointDestroy(between);
    CHECK(ukWorldStep(world, 0.01) == 1); /* found out */
}

int main(int argc, char **argv)
{
    dInitODE();
    if (argc > 1 && strcmp(argv[1], "ode-first") == 0)
        handedOver();
    else
        intercepted();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels on hinges that turn for 2 s; the third one's hinge is made after the first second. What stops them, if
 * anything does, is not in this program. */
#include "scene.h"

static dBodyID wheel(dWorldID world, int i)
{
    const dBodyID body = sceneBody(world, 0, 2 * i, 0);
    sceneHinge(world, 0, body, 0, 0);
    dBodySetFiniteRotationMode(body, 1);
    dBodySetAngularVel(body, 0, 1, 0);
    return body;
}

int main(void)
{
    dInitODE2(0);
    const dWorldID world = sceneWorld();
    dBodyID body[3];
    for (int i = 0; i < 2; i++) body[i] = wheel(world, i);
    sceneSteps(world, 100);
    body[2] = wheel(world, 2);
    sceneSteps(world, 100);
    for (int i = 0; i < 3; i++) printf("%.4f\n", dBodyGetAngularVel(body[i])[1]);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

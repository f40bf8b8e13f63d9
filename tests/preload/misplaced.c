/* SPDX-License-Identifier: BSD-3-Clause */
/* A door on two hinges, the second of which was set up with the door a millimetre too high, and a handle on the door.
 */
#include "scene.h"

int main(void)
{
    dInitODE2(0);
    const dWorldID world = sceneWorld();
    const dBodyID door = sceneBody(world, 0, 0, 0), handle = sceneBody(world, 0.5, 0, 0);
    sceneHinge(world, 0, handle, door, 0.4);
    sceneHinge(world, 0, door, 0, -0.2);
    dBodySetPosition(door, 0, 0, 0.001);
    sceneHinge(world, 0, door, 0, -0.2);
    dBodySetPosition(door, 0, 0, 0);
    for (;;) sceneSteps(world, 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* misplaced FILE: a door on two hinges, the second of which was set up with the door a millimetre too high, and a
 * handle on the door. It never ends; FILE is made when it has stepped. */
#include "scene.h"

int main(int argc, char **argv)
{
    dInitODE2(0);
    const dWorldID world = sceneWorld();
    const dBodyID door = sceneBody(world, 0, 0, 0), handle = sceneBody(world, 0.5, 0, 0);
    sceneHinge(world, 0, handle, door, 0.4);
    sceneHinge(world, 0, door, 0, -0.2);
    dBodySetPosition(door, 0, 0, 0.001);
    sceneHinge(world, 0, door, 0, -0.2);
    dBodySetPosition(door, 0, 0, 0);
    sceneSteps(world, 1);
    if (argc < 2 || !fopen(argv[1], "w")) return 1;
    for (;;) sceneSteps(world, 1);
}

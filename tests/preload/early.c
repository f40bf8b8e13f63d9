/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared library whose constructor already simulates, before a preloaded library is initialised; see early_main.c. */
#include "tests/preload/scene.h"

dWorldID earlyWorld(void);

static dWorldID world;

__attribute__((constructor)) static void start(void)
{
    dInitODE();
    sceneChain("in a constructor", 3, 20);
    world = sceneWorld();
    sceneHinge(world, 0, sceneBody(world, 0.5, 0, 0), 0, 0);
}

dWorldID earlyWorld(void)
{
    return world;
}

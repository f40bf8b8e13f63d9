/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps the world that a constructor of its library made. */
#include "tests/preload/scene.h"

dWorldID earlyWorld(void);

int main(void)
{
    sceneSteps(earlyWorld(), 30);
    const dBodyID body = sceneBody(earlyWorld(), 1.5, 0, 0);
    sceneSteps(earlyWorld(), 10);
    scenePrint("falls", body);
    dWorldDestroy(earlyWorld());
    dCloseODE();
    return 0;
}

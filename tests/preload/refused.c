/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments that make ODE abort: under ukode the step returns 0 and nothing has moved. Only run preloaded. */
#include <math.h>

#include "tests/check.h"
#include "tests/preload/scene.h"

int main(void)
{
    dInitODE();
    const dWorldID world = sceneWorld();
    const dBodyID body = sceneBody(world, 0, 0, 1);
    const dReal wrong[] = {0, -0.01, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 5; i++) {
        CHECK(dWorldStep(world, wrong[i]) == 0);
        CHECK(dWorldQuickStep(world, wrong[i]) == 0);
    }
    CHECK(dWorldStep(NULL, 0.01) == 0);
    CHECK(dWorldQuickStep(NULL, 0.01) == 0);
    CHECK(dBodyGetPosition(body)[2] == 1 && dBodyGetLinearVel(body)[2] == 0);
    CHECK(dWorldStep(world, 0.01) == 1);
    CHECK(dBodyGetPosition(body)[2] < 1);
    dWorldDestroy(world);
    dCloseODE();
    return ukTestEnd();
}

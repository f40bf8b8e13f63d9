/* SPDX-License-Identifier: BSD-3-Clause */
// Moved callbacks that throw: the exception passes, and the next step works.
#include <ode/ode.h>

#include <cstdio>
#include <stdexcept>

static int calls;

static void moved(dBodyID)
{
    if (++calls % 3 == 1) throw std::runtime_error("thrown by a moved callback");
}

int main()
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -10);
    const dBodyID body = dBodyCreate(world);
    dBodySetMovedCallback(body, moved);
    int steps = 0, caught = 0;
    for (int i = 0; i < 10; i++) {
        try {
            steps += dWorldStep(world, 0.1);
        } catch (const std::exception &) {
            caught++;
        }
    }
    std::printf("%d steps, %d caught; z %.9g, v %.9g\n", steps, caught, dBodyGetPosition(body)[2],
                dBodyGetLinearVel(body)[2]);
    return 0; // after an exception ODE would abort in dWorldDestroy
}

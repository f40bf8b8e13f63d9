/* SPDX-License-Identifier: BSD-3-Clause */
/* An ordinary ODE program that takes two steps of each of many worlds, one after the other.
 *     worlds COUNT */
#include <ode/ode.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 1;
    dInitODE2(0);
    for (int i = 0; i < count; i++) {
        const dWorldID world = dWorldCreate();
        dWorldSetGravity(world, 0, 0, -9.81);
        dBodyCreate(world);
        for (int step = 0; step < 2; step++) dWorldStep(world, 0.01);
        dWorldDestroy(world);
    }
    dCloseODE();
    return 0;
}

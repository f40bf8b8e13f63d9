/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that crashes: first_step INIT STEPS. INIT: dInitODE, dInitODE2, or none, without which ODE's own stepper
 * crashes in the first step. After STEPS steps it aborts; without them it steps nothing, and after 1000 it ends
 * well. */
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int steps = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 1 && strcmp(argv[1], "dInitODE") == 0) dInitODE();
    if (argc > 1 && strcmp(argv[1], "dInitODE2") == 0) dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dBodyCreate(world);
    for (int i = 0; i < steps; i++) dWorldStep(world, 0.01);
    if (steps < 1000) abort();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* An ordinary ODE program whose steps need many evaluations of an integrator: three sliders in a row whose motors of
 * bounded force follow rates that change in each step, or a light rope with a heavy body at its end, for 100 STEPS.
 *     costly motors|rope [STEPS] */
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

static dBodyID boxAt(dWorldID world, double mass, double x, double z)
{
    const dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, 0.2, 0.1, 0.1);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, 0, z);
    return body;
}

static void motors(dWorldID world)
{
    dJointID j[3];
    dBodyID last = 0;
    for (int k = 0; k < 3; k++) {
        const dBodyID body = boxAt(world, 1, 0, k);
        j[k] = dJointCreateSlider(world, 0);
        dJointAttach(j[k], body, last);
        dJointSetSliderAxis(j[k], 1, 0, 0);
        dJointSetSliderParam(j[k], dParamFMax, 50);
        last = body;
    }
    for (int i = 0; i < 50; i++) {
        for (int k = 0; k < 3; k++) dJointSetSliderParam(j[k], dParamVel, 0.1 * sin((3 + k) * 0.01 * i));
        dWorldStep(world, 0.01);
    }
}

static void rope(dWorldID world, int steps)
{
    dBodyID last = 0;
    for (int i = 0; i <= 10; i++) {
        const dBodyID body = boxAt(world, i < 10 ? 0.05 : 200, 0.1 + 0.2 * i, 0);
        const dJointID j = dJointCreateBall(world, 0);
        dJointAttach(j, body, last);
        dJointSetBallAnchor(j, 0.2 * i, 0, 0);
        last = body;
    }
    for (int i = 0; i < steps; i++) dWorldStep(world, 0.01);
}

int main(int argc, char **argv)
{
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    if (argc > 1 && strcmp(argv[1], "rope") == 0)
        rope(world, argc > 2 ? atoi(argv[2]) : 100);
    else
        motors(world);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

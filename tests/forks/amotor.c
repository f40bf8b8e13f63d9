/* SPDX-License-Identifier: BSD-3-Clause */
/* A body on an angular motor that is attached as (body, 0) or (0, body). Usage: amotor first|second */
#include <ode/ode.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int second = argc > 1 && strcmp(argv[1], "second") == 0;
    dMass m;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, 1, 1, 2, 3);
    dBodySetMass(body, &m);
    const dJointID motor = dJointCreateAMotor(world, 0);
    dJointAttach(motor, second ? 0 : body, second ? body : 0);
    dJointSetAMotorNumAxes(motor, 1);
    dJointSetAMotorAxis(motor, 0, 0, 0, 1, 1);
    dJointSetAMotorParam(motor, dParamVel, 2);
    dJointSetAMotorParam(motor, dParamFMax, 3);
    for (int k = 0; k < 50; k++) dWorldStep(world, 0.01);
    const dReal *const q = dBodyGetQuaternion(body), *const w = dBodyGetAngularVel(body);
    printf("%.15g %.15g %.15g %.15g, %.15g %.15g %.15g\n", q[0], q[1], q[2], q[3], w[0], w[1], w[2]);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A body on an angular motor that is attached as (body, 0) or (0, body). Usage: amotor first|second user|euler */
#include <ode/ode.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int second = argc > 1 && strcmp(argv[1], "second") == 0;
    const bool euler = argc > 2 && strcmp(argv[2], "euler") == 0;
    dMass m;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, 1, 1, 2, 3);
    dBodySetMass(body, &m);
    dBodySetAngularVel(body, 0.3, -0.2, 0.5);
    const dJointID motor = dJointCreateAMotor(world, 0);
    dJointAttach(motor, second ? 0 : body, second ? body : 0);
    if (euler) {
        dJointSetAMotorMode(motor, dAMotorEuler);
        dJointSetAMotorAxis(motor, 0, 1, 0.6, 0.8, 0);
        dJointSetAMotorAxis(motor, 2, 2, -0.8, 0.6, 0);
        dJointSetAMotorParam(motor, dParamVel2, 0.7);
        dJointSetAMotorParam(motor, dParamFMax2, 2);
    } else {
        dJointSetAMotorNumAxes(motor, 1);
        dJointSetAMotorAxis(motor, 0, 0, 0, 1, 1);
    }
    dJointSetAMotorParam(motor, dParamVel, 2);
    dJointSetAMotorParam(motor, dParamFMax, 3);
    for (int k = 0; k < 50; k++) dWorldStep(world, 0.01);
    const dReal *const q = dBodyGetQuaternion(body), *const w = dBodyGetAngularVel(body);
    printf("%.15g %.15g %.15g %.15g, %.15g %.15g %.15g\n", q[0], q[1], q[2], q[3], w[0], w[1], w[2]);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

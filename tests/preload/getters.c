/* SPDX-License-Identifier: BSD-3-Clause */
/* Getters whose answer ODE's own step renews: the Euler angles of an AMotor, and a gear's running values. And callbacks
 * and auto-disable, which the stepper must serve. */
#include "tests/preload/scene.h"

static void printGear(dJointID gear)
{
    dVector3 c[2], n[2];
    dJointGetTransmissionContactPoint1(gear, c[0]);
    dJointGetTransmissionContactPoint2(gear, c[1]);
    dJointGetTransmissionAxis1(gear, n[0]);
    dJointGetTransmissionAxis2(gear, n[1]);
    printf("gear %.4f %.4f  %.4f %.4f %.4f", dJointGetTransmissionAngle1(gear), dJointGetTransmissionAngle2(gear),
           dJointGetTransmissionRadius1(gear), dJointGetTransmissionRadius2(gear), dJointGetTransmissionRatio(gear));
    for (int i = 0; i < 2; i++)
        printf("  %.4f %.4f %.4f  %.4f", c[i][0] + 1e-9, c[i][1] + 1e-9, c[i][2] + 1e-9, n[i][1]);
    printf("\n");
}

static void gears(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID wheel[2] = {sceneBody(world, 0, 0, 0), sceneBody(world, 3, 0, 0)};
    for (int i = 0; i < 2; i++) {
        const dJointID axle = dJointCreateHinge(world, 0);
        dJointAttach(axle, wheel[i], 0);
        dJointSetHingeAnchor(axle, 3 * i, 0, 0);
        dJointSetHingeAxis(axle, 0, 1, 0);
    }
    const dJointID gear = dJointCreateTransmission(world, 0);
    dJointAttach(gear, wheel[0], wheel[1]);
    dJointSetTransmissionMode(gear, dTransmissionParallelAxes);
    dJointSetTransmissionRatio(gear, 2);
    dJointSetTransmissionAnchor1(gear, 0, 0, 0);
    dJointSetTransmissionAnchor2(gear, 3, 0, 0);
    dJointSetTransmissionAxis(gear, 0, 1, 0);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 20; i++) {
            dBodyAddTorque(wheel[0], 0, 0.5, 0);
            sceneSteps(world, 1);
        }
        printGear(gear);
    }
    dJointSetTransmissionMode(gear, dTransmissionChainDrive);
    dJointSetTransmissionRadius1(gear, 1);
    dJointSetTransmissionRadius2(gear, 0.5);
    printGear(gear);
    dWorldDestroy(world);
}

static void euler(void)
{
    const dWorldID world = sceneWorld();
    const dBodyID a = sceneBody(world, 0, 0, 0), b = sceneBody(world, 1, 0, 0);
    const dJointID ball = dJointCreateBall(world, 0), motor = dJointCreateAMotor(world, 0);
    dJointAttach(ball, a, b);
    dJointSetBallAnchor(ball, 0.5, 0, 0);
    dJointAttach(motor, a, b);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    dBodySetAngularVel(b, 0.4, 0.3, -0.2);
    for (int round = 0; round < 5; round++) {
        sceneSteps(world, 5);
        printf("euler");
        for (int i = 0; i < 3; i++) printf(" %.4f", dJointGetAMotorAngle(motor, i));
        printf("\n");
    }
    dJointSetAMotorMode(motor, dAMotorUser);
    dJointSetAMotorAngle(motor, 1, 0.25);
    printf("user %.4f\n", dJointGetAMotorAngle(motor, 1));
    dWorldDestroy(world);
}

static int calls;

static void moved(dBodyID body)
{
    calls++;
    if (calls % 10 == 0) dBodyAddForce(body, 0, 0, 5); /* cleared again, as ODE does */
    if (calls == 40) dBodySetMovedCallback(body, 0);
}

static void callbacks(void)
{
    const dWorldID world = sceneWorld();
    const dBodyID body = sceneBody(world, 0, 0, 0);
    dBodySetMovedCallback(body, moved);
    sceneSteps(world, 60);
    printf("moved %d times\n", calls);
    scenePrint("moved", body);
    dWorldDestroy(world);
}

/* sleeps, is woken by its neighbour and by the user */
static void sleeping(void)
{
    const dWorldID world = dWorldCreate();
    dWorldSetAutoDisableFlag(world, 1);
    dWorldSetAutoDisableSteps(world, 8);
    const dBodyID a = sceneBody(world, 0.5, 0, 0), b = sceneBody(world, 1.5, 0, 0);
    sceneHinge(world, 0, a, 0, 0);
    sceneHinge(world, 0, b, a, 1);
    for (int step = 0; step < 60; step++) {
        if (step == 20) dBodySetAngularVel(b, 0, 0.5, 0);
        if (step == 25) dBodyEnable(b);
        if (step == 30) dBodySetAutoDisableAverageSamplesCount(a, 4);
        sceneSteps(world, 1);
        printf("%d%d ", dBodyIsEnabled(a), dBodyIsEnabled(b));
    }
    printf("\n");
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE();
    gears();
    euler();
    callbacks();
    sleeping();
    dCloseODE();
    return 0;
}

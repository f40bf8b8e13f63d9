/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/report/limits.c: stops and motors that cannot act, joints whose two forces are not collinear; and models that
 * look like them and are sound. */
#include <math.h>

#include "tests/report/model.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static dBodyID held(dBodyID body)
{
    const dJointID fixed = dJointCreateFixed(world, 0);
    dJointAttach(fixed, body, 0);
    dJointSetFixed(fixed);
    return body;
}

static dJointID wheel(dBodyID base, dBodyID body, double x, double y)
{
    const dVector3 z = {0, 0, 1}, axle = {0, 1, 0};
    const dJointID joint = dJointCreateHinge2(world, 0);
    dJointAttach(joint, base, body);
    dJointSetHinge2Anchor(joint, x, y, 0);
    dJointSetHinge2Axes(joint, z, axle);
    return joint;
}

static void stopOfAxle(void)
{
    const dJointID joint = wheel(held(box(100, 1, 1, 1, 0, 0, 0)), ball(1, 0.3, 0, 1, 0), 0, 1);
    dJointSetHinge2Param(joint, dParamLoStop2, -0.5);
    dJointSetHinge2Param(joint, dParamHiStop2, 0.5);
}

static void steeringStops(void)
{
    const dJointID joint = wheel(held(box(100, 1, 1, 1, 0, 0, 0)), ball(1, 0.3, 0, 1, 0), 0, 1);
    dJointSetHinge2Param(joint, dParamLoStop, -0.5);
    dJointSetHinge2Param(joint, dParamHiStop, 0.5);
}

static dJointID door(double lo, double hi)
{
    const dJointID joint = hinge(box(1, 1, 0.1, 2, 0.5, 0, 1), 0, 0, 0, 1, 0, 0, 1);
    dJointSetHingeParam(joint, dParamLoStop, lo);
    dJointSetHingeParam(joint, dParamHiStop, hi);
    dJointSetHingeParam(joint, dParamLoStop, lo);
    return joint;
}

static void stopsExchanged(void)
{
    door(0.5, -0.5);
}

static void motorOnALock(void)
{
    const dJointID joint = door(0, 0);
    dJointSetHingeParam(joint, dParamFMax, 10);
    dJointSetHingeParam(joint, dParamVel, 1);
}

static void brakeOnALock(void)
{
    dJointSetHingeParam(door(0, 0), dParamFMax, 10);
}

static void beyondHalfATurn(void)
{
    door(-4, 4);
}

static void gimbal(dBodyID a, dBodyID b, double stop1, double stop2)
{
    const dJointID joint = dJointCreateUniversal(world, 0);
    dJointAttach(joint, a, b);
    dJointSetUniversalAnchor(joint, 0, 0, 0);
    dJointSetUniversalAxis1(joint, 0, 0, 1);
    dJointSetUniversalAxis2(joint, 0, 1, 0);
    dJointSetUniversalParam(joint, dParamLoStop, -stop1);
    dJointSetUniversalParam(joint, dParamHiStop, stop1);
    dJointSetUniversalParam(joint, dParamLoStop2, -stop2);
    dJointSetUniversalParam(joint, dParamHiStop2, stop2);
}

static void gimbalOfTheWorld(void)
{
    gimbal(0, ball(1, 0.3, 0, 0, 0), 0.5, 1);
}

static void gimbalInTheWorld(void)
{
    gimbal(ball(1, 0.3, 0, 0, 0), 0, 0.5, 1);
}

static void sameStops(void)
{
    gimbal(0, ball(1, 0.3, 0, 0, 0), 0.5, 0.5);
}

static void linearMotorWithStops(void)
{
    const dJointID joint = dJointCreateLMotor(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(joint, ball(1, 0.3, 0, 0, 0), 0);
    dJointSetLMotorNumAxes(joint, 1);
    dJointSetLMotorAxis(joint, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(joint, dParamFMax, 1);
    dJointSetLMotorParam(joint, dParamHiStop, 1);
}

/* a bead along a rod that turns at 3 rad/s (two bodies, or towards the world) */
static void bead(dBodyID base)
{
    const dBodyID body = box(1, 0.2, 0.3, 0.6, 0, 0, 0);
    const dJointID joint = dJointCreatePU(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(joint, body, base);
    dJointSetPUAnchor(joint, 0, 0, 0);
    dJointSetPUAxis1(joint, 0, 0, 1);
    dJointSetPUAxis2(joint, 1, 0, 0);
    dJointSetPUAxis3(joint, 0, 1, 0);
    dBodySetAngularVel(body, 3, 0, 0);
    dBodySetLinearVel(body, 0, 0.2, 0);
}

static void beadInTheWorld(void)
{
    bead(0);
}

/* A car that turns over, its suspension without a spring; and one at rest that bobs on its springs. */
static dJointID suspension(double erp, double cfm)
{
    const dJointID joint = wheel(box(5, 1, 0.5, 0.3, 0, 0, 0), ball(2, 0.15, 0.4, 0.6, 0), 0.4, 0.6);
    dJointSetHinge2Param(joint, dParamLoStop, 0);
    dJointSetHinge2Param(joint, dParamHiStop, 0);
    dJointSetHinge2Param(joint, dParamSuspensionERP, erp);
    dJointSetHinge2Param(joint, dParamSuspensionCFM, cfm);
    return joint;
}

static void carThatTurnsOver(void)
{
    const dJointID joint = suspension(0, 1e9);
    dWorldSetGravity(world, 0, 0, 0);
    for (int k = 0; k < 2; k++) dBodySetAngularVel(dJointGetBody(joint, k), 0, 3, 0);
    dBodySetLinearVel(dJointGetBody(joint, 1), 0, 0, -1);
}

static void carThatBobs(void)
{
    const dJointID joint = suspension(0.9, 1e-3);
    held(dJointGetBody(joint, 0));
}

/* slides along a line that stands still */
static void beadOnAStillRod(void)
{
    bead(0);
    const dBodyID body = dJointGetBody(dBodyGetJoint(dGeomGetBody(dSpaceGetGeom(space, 0)), 0), 0);
    dBodySetAngularVel(body, 0, 0, 0);
}

static void gimbalOfTwo(void)
{
    gimbal(box(2, 1, 1, 1, 0, 0, 3), ball(1, 0.3, 0, 0, 0), 0.5, 1);
}

static void freeGimbal(void)
{
    gimbal(0, ball(1, 0.3, 0, 0, 0), dInfinity, dInfinity);
}

static void sledge(dBodyID a, dBodyID b)
{
    const dJointID joint = dJointCreatePU(world, 0);
    dJointAttach(joint, a, b);
    dJointSetPUAnchor(joint, 0, 0, 0);
    dJointSetPUAxis1(joint, 0, 0, 1);
    dJointSetPUAxis2(joint, 1, 0, 0);
    dJointSetPUAxis3(joint, 0, 1, 0);
    dJointSetPUParam(joint, dParamLoStop1, -0.5);
    dJointSetPUParam(joint, dParamHiStop1, 0.5);
    dJointSetPUParam(joint, dParamLoStop2, -1);
    dJointSetPUParam(joint, dParamHiStop2, 1);
}

static void sledgeOfTheWorld(void)
{
    sledge(0, ball(1, 0.3, 0, 0, 0));
}

static void sledgeInTheWorld(void)
{
    sledge(ball(1, 0.3, 0, 0, 0), 0);
}

/* ODE's own steps are judged by the feedback that the program asks for */
static void measuredBead(void)
{
    static dJointFeedback feedback;
    beadInTheWorld();
    dJointSetFeedback(dBodyGetJoint(dGeomGetBody(dSpaceGetGeom(space, 0)), 0), &feedback);
}

/* a bead on a rod that turns, by a joint whose rows are of one line */
static void beadOnAPiston(void)
{
    const dBodyID body = box(1, 0.2, 0.3, 0.6, 0, 0, 0);
    const dJointID joint = dJointCreatePiston(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(joint, body, box(5, 0.3, 0.3, 0.3, 0, 0, 0));
    dJointSetPistonAnchor(joint, 0, 0, 0);
    dJointSetPistonAxis(joint, 0, 1, 0);
    dBodySetAngularVel(body, 3, 0, 0);
    dBodySetLinearVel(body, 0, 0.2, 0);
}

/* the wheel of a car that yaws, on a suspension that holds */
static void carThatYaws(void)
{
    const dJointID joint = suspension(0.2, 1e-7);
    dWorldSetGravity(world, 0, 0, 0);
    for (int k = 0; k < 2; k++) dBodySetAngularVel(dJointGetBody(joint, k), 0, 0, 1);
    dBodySetLinearVel(dJointGetBody(joint, 1), -0.6, 0.4, 0);
}

/* as the car that turns over, without a spin */
static void carThatDrives(void)
{
    const dJointID joint = suspension(0.2, 1e-3);
    dWorldSetGravity(world, 0, 0, 0);
    for (int k = 0; k < 2; k++) dBodySetLinearVel(dJointGetBody(joint, k), 3, 0, 0);
}

const RuleModel limits_rules[] = {
    {{"gimbal_of_the_world_natively", "+swapped_stops", 0.01, 50, gimbalOfTheWorld, NULL}, ModelNative},
    {{"sledge_of_the_world", "+swapped_stops", 0.01, 50, sledgeOfTheWorld, NULL}, 0},
    {{"sledge_in_the_world", "!swapped_stops", 0.01, 50, sledgeInTheWorld, NULL}, 0},
    {{"gimbal_of_two", "!swapped_stops", 0.01, 50, gimbalOfTwo, NULL}, 0},
    {{"gimbal_without_stops", "!swapped_stops", 0.01, 50, freeGimbal, NULL}, 0},
    {{"bead_on_a_turning_rod_natively", "+forces_not_collinear", 0.01, 500, measuredBead, NULL}, ModelNative},
    {{"bead_on_a_piston", "!forces_not_collinear", 0.01, 200, beadOnAPiston, NULL}, 0},
    {{"car_that_yaws", "!forces_not_collinear", 0.01, 200, carThatYaws, NULL}, 0},
    {{"car_that_drives", "!forces_not_collinear", 0.01, 200, carThatDrives, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

const Model limits_models[] = {{"stop_of_an_axle", "+idle_stop", 0.01, 50, stopOfAxle, NULL},
                               {"stops_exchanged", "+idle_stop", 0.01, 50, stopsExchanged, NULL},
                               {"linear_motor_with_stops", "+idle_stop", 0.01, 50, linearMotorWithStops, NULL},
                               {"motor_on_a_lock", "+idle_motor", 0.01, 50, motorOnALock, NULL},
                               {"gimbal_of_the_world", "+swapped_stops", 0.01, 50, gimbalOfTheWorld, NULL},
                               {"bead_on_a_turning_rod", "+forces_not_collinear", 0.01, 500, beadInTheWorld, NULL},
                               {"car_that_turns_over", "+forces_not_collinear", 0.01, 500, carThatTurnsOver, NULL},
                               {"steering_stops", "!idle_stop", 0.01, 50, steeringStops, NULL},
                               {"stops_beyond_half_a_turn", "!idle_stop", 0.01, 50, beyondHalfATurn, NULL},
                               {"brake_on_a_lock", "!idle_motor", 0.01, 50, brakeOnALock, NULL},
                               {"gimbal_in_the_world", "!swapped_stops", 0.01, 50, gimbalInTheWorld, NULL},
                               {"gimbal_of_the_world_alike", "!swapped_stops", 0.01, 50, sameStops, NULL},
                               {"car_that_bobs", "!forces_not_collinear", 0.01, 300, carThatBobs, NULL},
                               {"bead_on_a_still_rod", "!forces_not_collinear", 0.01, 300, beadOnAStillRod, NULL},
                               {NULL, NULL, 0, 0, NULL, NULL}};

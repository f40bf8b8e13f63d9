/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints that the world's CFM opens, and joints that are open for another reason. */
#include "tests/report/model.h"

static dBodyID bar(double mass, double x)
{
    return box(mass, 1, 0.1, 0.1, x, 0, 3);
}

/* a bar on a hinge at its end */
static dJointID pendulum(double mass)
{
    return hinge(bar(mass, 0.5), 0, 0, 0, 3, 0, 1, 0);
}

static void softHinge(void)
{
    dWorldSetCFM(world, 0.1);
    pendulum(20);
}

/* balls have a CFM of their own, which they take from the world when they are made */
static void softChain(void)
{
    dWorldSetCFM(world, 0.01);
    dBodyID last = 0;
    for (int i = 0; i < 4; i++) {
        const dBodyID next = bar(5, 0.5 + i);
        ballJoint(next, last, i, 0, 3);
        last = next;
    }
}

static void softConsole(void)
{
    dWorldSetCFM(world, 0.05);
    const dJointID j = dJointCreateFixed(world, 0);
    dJointAttach(j, bar(10, 0.5), 0);
    dJointSetFixed(j);
}

static void softGimbal(void)
{
    dWorldSetCFM(world, 0.03);
    const dJointID j = dJointCreateUniversal(world, 0);
    dJointAttach(j, bar(10, 0.5), 0);
    dJointSetUniversalAnchor(j, 0, 0, 3);
    dJointSetUniversalAxis1(j, 0, 1, 0);
    dJointSetUniversalAxis2(j, 0, 0, 1);
}

/* a spring on purpose, in a world with another CFM */
static void softBall(void)
{
    const dJointID j = ballJoint(bar(20, 0.5), 0, 0, 0, 3);
    dJointSetBallParam(j, dParamCFM, 0.02);
}

static void softBallInSoftWorld(void)
{
    dWorldSetCFM(world, 0.015);
    softBall();
}

/* made before the world's CFM was set: it keeps the one before */
static void ballOfBefore(void)
{
    ballJoint(bar(20, 0.5), 0, 0, 0, 3);
    dWorldSetCFM(world, 0.1);
}

static void ordinaryCfm(void)
{
    dWorldSetCFM(world, 1e-5);
    pendulum(200);
}

static void lightLoad(void)
{
    dWorldSetCFM(world, 1e-2);
    pendulum(0.1);
}

static void withoutLoad(void)
{
    dWorldSetCFM(world, 0.1);
    dWorldSetGravity(world, 0, 0, 0);
    pendulum(20);
}

/* 0.5 m apart at the start, which no force has done */
static void openAtStart(void)
{
    dWorldSetCFM(world, 1e-3);
    dWorldSetGravity(world, 0, 0, 0);
    const dJointID j = pendulum(1);
    dBodySetPosition(dJointGetBody(j, 0), 0.5, 0, 3.5);
}

/* long steps of a fast rotation open it, with any CFM */
static void whirls(void)
{
    dWorldSetCFM(world, 3e-3);
    dWorldSetGravity(world, 0, 0, 0);
    const dBodyID body = bar(0.2, 0.5);
    hinge(body, 0, 0, 0, 3, 0, 0, 1);
    dBodySetAngularVel(body, 0, 0, 40);
    dBodySetLinearVel(body, 0, 20, 0);
}

/* a stop that is a spring */
static void softStop(void)
{
    const dJointID j = pendulum(20);
    dJointSetHingeParam(j, dParamLoStop, 0);
    dJointSetHingeParam(j, dParamHiStop, 0);
    dJointSetHingeParam(j, dParamStopCFM, 0.1);
}

const RuleModel cfm_models[] = {
    {{"soft_world_hinge", "+world_cfm", 0.01, 200, softHinge, NULL}, 0},
    {{"soft_world_hinge_natively", "+world_cfm", 0.01, 200, softHinge, NULL}, ModelNative},
    {{"soft_world_chain", "+world_cfm", 0.01, 200, softChain, NULL}, 0},
    {{"soft_world_console", "+world_cfm", 0.01, 200, softConsole, NULL}, 0},
    {{"soft_world_gimbal", "+world_cfm", 0.01, 200, softGimbal, NULL}, 0},
    {{"soft_ball", "!world_cfm", 0.01, 200, softBall, NULL}, 0},
    {{"soft_ball_in_soft_world", "!world_cfm", 0.01, 200, softBallInSoftWorld, NULL}, 0},
    {{"soft_ball_natively", "!world_cfm", 0.01, 200, softBall, NULL}, ModelNative},
    {{"ball_of_before", "!world_cfm", 0.01, 200, ballOfBefore, NULL}, 0},
    {{"ordinary_cfm", "!world_cfm", 0.01, 200, ordinaryCfm, NULL}, 0},
    {{"soft_world_light_load", "!world_cfm", 0.01, 200, lightLoad, NULL}, 0},
    {{"soft_world_without_load", "!world_cfm", 0.01, 100, withoutLoad, NULL}, 0},
    {{"soft_world_open_at_start", "!world_cfm", 0.01, 200, openAtStart, NULL}, 0},
    {{"soft_world_whirls", "!world_cfm", 0.02, 200, whirls, NULL}, 0},
    {{"soft_world_stop", "!world_cfm", 0.01, 200, softStop, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

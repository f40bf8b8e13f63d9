/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear motors of PR joints that drive another way than the one that is set, and others that do what they should. */
#include "tests/report/model.h"

/* An arm of 0.6 m on a base of 5 kg, which is held, with a PR joint: it slides along x by a motor, and turns about z.
 * The arm's centre is at `x`. */
static dJointID arm(bool base_first, double x, double spin, double speed, double force)
{
    const dBodyID a = box(1, 0.6, 0.2, 0.3, x, 0, 0), b = box(5, 0.6, 0.2, 0.3, 0, 0, 0);
    const dJointID fixed = dJointCreateFixed(world, 0), joint = dJointCreatePR(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(fixed, b, 0);
    dJointSetFixed(fixed);
    dJointAttach(joint, base_first ? b : a, base_first ? a : b);
    dJointSetPRAnchor(joint, 0, 0, 0);
    dJointSetPRAxis1(joint, 1, 0, 0);
    dJointSetPRAxis2(joint, 0, 0, 1);
    dJointSetPRParam(joint, dParamVel, speed);
    dJointSetPRParam(joint, dParamFMax, force);
    dBodySetAngularVel(a, 0, 0, spin);
    dBodySetLinearVel(a, 0, spin * x, 0);
    return joint;
}

static void turningArm(void)
{
    arm(true, 0.5, 3, 1, dInfinity);
}

static void turningArmBackwards(void)
{
    arm(true, 0.5, -3, -0.5, dInfinity);
}

/* it should not slide at all */
static void brakedArm(void)
{
    arm(true, 0.7, 4, 0, dInfinity);
}

static void armFirst(void)
{
    arm(false, 0.5, 3, 1, dInfinity);
}

static void armAtRest(void)
{
    arm(true, 0.5, 0, 1, dInfinity);
}

static void weakMotor(void)
{
    arm(true, 0.5, 3, 1, 5);
}

static dJointID servo;

static void servoArm(void)
{
    servo = arm(true, 0.5, 0, 1, dInfinity);
}

/* its speed is another one in each step */
static void drive(int step)
{
    (void)step;
    dJointSetPRParam(servo, dParamVel, 5 * (0.2 - dJointGetPRPosition(servo)));
}

static void armOfTheWorld(void)
{
    const dBodyID a = box(1, 0.6, 0.2, 0.3, 0.5, 0, 0);
    const dJointID joint = dJointCreatePR(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(joint, a, 0);
    dJointSetPRAnchor(joint, 0, 0, 0);
    dJointSetPRAxis1(joint, 1, 0, 0);
    dJointSetPRAxis2(joint, 0, 0, 1);
    dJointSetPRParam(joint, dParamVel, 1);
    dJointSetPRParam(joint, dParamFMax, dInfinity);
    dBodySetAngularVel(a, 0, 0, 3);
    dBodySetLinearVel(a, 0, 1.5, 0);
}

static void sliderThatTurns(void)
{
    const dBodyID a = box(1, 0.6, 0.2, 0.3, 0.5, 0, 0), b = box(5, 0.6, 0.2, 0.3, 0, 0, 0);
    const dJointID joint = dJointCreateSlider(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(joint, a, b);
    dJointSetSliderAxis(joint, 1, 0, 0);
    dJointSetSliderParam(joint, dParamVel, 1);
    dJointSetSliderParam(joint, dParamFMax, dInfinity);
    dBodySetAngularVel(a, 0, 0, 3);
    dBodySetAngularVel(b, 0, 0, 3);
}

const RuleModel slide_models[] = {
    {{"turning_arm", "+linear_motor", 0.01, 50, turningArm, NULL}, 0},
    {{"turning_arm_natively", "+linear_motor", 0.01, 50, turningArm, NULL}, ModelNative},
    {{"turning_arm_backwards", "+linear_motor", 0.01, 50, turningArmBackwards, NULL}, 0},
    {{"braked_arm", "+linear_motor", 0.01, 50, brakedArm, NULL}, 0},
    {{"arm_first", "!linear_motor", 0.01, 50, armFirst, NULL}, 0},
    {{"arm_that_does_not_turn", "!linear_motor", 0.01, 50, armAtRest, NULL}, 0},
    {{"turning_arm_weak_motor", "!linear_motor", 0.01, 50, weakMotor, NULL}, 0},
    {{"turning_arm_under_rk4", "!linear_motor", 0.01, 50, turningArm, NULL}, ModelRk4},
    {{"arm_with_a_servo", "!linear_motor", 0.01, 100, servoArm, drive}, 0},
    {{"arm_of_the_world", "!linear_motor", 0.01, 50, armOfTheWorld, NULL}, 0},
    {{"slider_that_turns", "!linear_motor", 0.01, 50, sliderThatTurns, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

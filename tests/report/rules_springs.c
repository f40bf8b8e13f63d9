/* SPDX-License-Identifier: BSD-3-Clause */
/* Springs made of ERP and CFM: those whose oscillation the time step damps, and others that look alike. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID body;
static dJointID joint;

/* both stops of axis 1 at `rest`, a spring and a damper there, in steps of h */
static void stopsAsSpring(void (*set)(dJointID, int, dReal), double h, double rest, double stiffness, double damping)
{
    set(joint, dParamLoStop, rest);
    set(joint, dParamHiStop, rest);
    set(joint, dParamStopERP, h * stiffness / (h * stiffness + damping));
    set(joint, dParamStopCFM, 1 / (h * stiffness + damping));
}

/* 1 kg on a slider along x, 0.1 m beside the spring's rest */
static void slide(dBodyID other, bool second, double h, double stiffness, double damping)
{
    dWorldSetGravity(world, 0, 0, 0);
    body = box(1, 0.2, 0.2, 0.2, 0, 0, 0);
    joint = dJointCreateSlider(world, 0);
    dJointAttach(joint, second ? other : body, second ? body : other);
    dJointSetSliderAxis(joint, 1, 0, 0);
    dBodySetPosition(body, 0.1, 0, 0);
    stopsAsSpring(dJointSetSliderParam, h, 0, stiffness, damping);
}

static void turn(double h, double rest, double stiffness, double damping)
{
    dWorldSetGravity(world, 0, 0, 0);
    body = box(1, 1, 0.1, 0.1, 0.5, 0, 0);
    joint = hinge(body, 0, 0, 0, 0, 0, 0, 1);
    stopsAsSpring(dJointSetHingeParam, h, rest, stiffness, damping);
}

static void undamped(void)
{
    slide(0, false, 0.01, 1000, 0);
}
static void undampedSecond(void)
{
    slide(0, true, 0.01, 1000, 0);
}
static void undampedPair(void)
{
    slide(box(2, 0.3, 0.3, 0.3, 3, 0, 0), false, 0.005, 1000, 0.1);
}
static void torsion(void)
{
    turn(0.01, 0.3, 100, 0.05);
}

static void withDamper(void)
{
    slide(0, false, 0.01, 1000, 10);
}
static void overdamped(void)
{
    slide(0, false, 0.01, 1000, 100);
}
static void atRest(void)
{
    turn(0.01, 0, 100, 0);
}
static void fineSteps(void)
{
    slide(0, false, 0.0002, 1000, 0);
}
static void stiffStop(void)
{
    slide(0, false, 0.01, 1e7, 0);
}
static void driven(void)
{
    slide(0, false, 0.005, 200, 0);
    dBodySetPosition(body, 0, 0, 0);
}
static void shake(int step)
{
    dBodyAddForce(body, 20 * sin(14 * 0.005 * step), 0, 0);
}
static void braked(void) /* by friction in a motor, long before the step's damping shows */
{
    slide(0, false, 0.002, 100, 0);
    const dJointID brake = dJointCreateLMotor(world, 0);
    dJointAttach(brake, body, 0);
    dJointSetLMotorNumAxes(brake, 1);
    dJointSetLMotorAxis(brake, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(brake, dParamFMax, 3);
}

const RuleModel spring_models[] = {
    {{"undamped_slider", "+spring_damped", 0.01, 300, undamped, NULL}, 0},
    {{"undamped_slider_natively", "+spring_damped", 0.01, 300, undamped, NULL}, ModelNative},
    {{"undamped_slider_second_body", "+spring_damped", 0.01, 300, undampedSecond, NULL}, 0},
    {{"undamped_slider_of_two", "+spring_damped", 0.005, 400, undampedPair, NULL}, 0},
    {{"undamped_hinge", "+spring_damped", 0.01, 300, torsion, NULL}, 0},
    {{"slider_with_damper", "!spring_damped", 0.01, 300, withDamper, NULL}, 0},
    {{"overdamped_slider", "!spring_damped", 0.01, 300, overdamped, NULL}, 0},
    {{"undamped_hinge_at_rest", "!spring_damped", 0.01, 300, atRest, NULL}, 0},
    {{"undamped_slider_in_fine_steps", "!spring_damped", 0.0002, 2000, fineSteps, NULL}, 0},
    {{"stop_that_corrects", "!spring_damped", 0.01, 300, stiffStop, NULL}, 0},
    {{"spring_that_is_driven", "!spring_damped", 0.005, 600, driven, shake}, 0},
    {{"spring_with_a_brake", "!spring_damped", 0.002, 1000, braked, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

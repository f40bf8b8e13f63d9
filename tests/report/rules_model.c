/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of the model and of its step: ERP, ratios of masses, gravity that the program adds a second time, rotations
 * per step, motors between stops that coincide, energy under ODE's own steps. Each rule with models that have the fault
 * and with others that look alike. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first, second;

static void pendulumOf(double mass)
{
    first = box(mass, 1, 0.1, 0.1, 0.5, 0, 0);
    hinge(first, 0, 0, 0, 0, 0, 1, 0);
}

/* ---- the world's ERP
 * --------------------------------------------------------------------------------------------------- */

static void erpOfJoint(void)
{
    pendulumOf(1);
    dWorldSetERP(world, 0.85);
}
static void erpOfContact(void)
{
    ground();
    ball(1, 0.3, 0, 0, 0.4);
    dWorldSetERP(world, 1);
}
static void erpAtItsLimit(void)
{
    pendulumOf(1);
    dWorldSetERP(world, 0.8);
}
static void erpWithoutRows(void)
{
    ball(1, 0.3, 0, 0, 0);
    dWorldSetERP(world, 0.95);
}
static void erpOfAStop(void)
{
    pendulumOf(1);
    const dJointID j = dBodyGetJoint(first, 0);
    dJointSetHingeParam(j, dParamHiStop, 0.5);
    dJointSetHingeParam(j, dParamStopERP, 1);
}
static void erpOfASurface(void)
{
    ground();
    ball(1, 0.3, 0, 0, 0.3);
    surface.surface.mode |= dContactSoftERP;
    surface.surface.soft_erp = 0.9;
}
static void erpOfAMechanism(void)
{
    first = ball(1, 0.3, 1, 0, 0);
    dJointSetBallParam(ballJoint(first, 0, 0, 0, 0), dParamERP, 0.9);
}

/* ---- ratios of masses
 * ---------------------------------------------------------------------------------------------------- */

static void linked(double mass, double other)
{
    first = ball(mass, 0.2, 1, 0, 0);
    second = ball(other, 0.2, 2, 0, 0);
    ballJoint(first, 0, 0, 0, 0);
    ballJoint(first, second, 1.5, 0, 0);
}
static void lightLink(void)
{
    linked(0.01, 200);
}
static void heavyLink(void)
{
    linked(2000, 0.1);
}
/* between two parts; its mass of 10 g is declared away */
static void terminal(void)
{
    int (*declare)(dBodyID, int);
    *(void **)&declare = dlsym(RTLD_DEFAULT, "ukBodySetMassless");
    pendulumOf(200);
    second = box(0.01, 0.1, 0.1, 0.1, 1, 0, 0);
    hinge(second, first, 1, 0, 0, 0, 1, 0);
    const dBodyID last = box(200, 1, 0.1, 0.1, 1.5, 0, 0);
    const dJointID joint = dJointCreateFixed(dBodyGetWorld(last), 0);
    dJointAttach(joint, second, last);
    dJointSetFixed(joint);
    if (declare) declare(second, 1);
}
static void lightUnderHeavy(void)
{
    ground();
    box(0.05, 1, 1, 0.1, 0, 0, 0.05);
    box(1000, 1, 1, 1, 0, 0, 0.6);
}
static void halfTheRatio(void)
{
    linked(0.04, 200);
}
static void lightBeside(void)
{
    ball(0.001, 0.2, 0, 0, 0);
    ball(1000, 0.2, 5, 0, 0);
}
static void lightOnTheWorld(void)
{
    pendulumOf(1e-4);
    ball(10, 0.2, 5, 0, 0);
}
static void lightOnKinematic(void)
{
    linked(0.01, 200);
    dBodySetKinematic(second);
}
static void gradual(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 3; i++) {
        const dBodyID b = ball(pow(100, i) * 0.01, 0.2, 0.5 + i, 0, 0);
        ballJoint(b, last, i, 0, 0);
        last = b;
    }
}

/* ---- gravity, a second time
 * ------------------------------------------------------------------------------------------------ */

static void falling(void)
{
    first = ball(2, 0.2, 0, 0, 0);
}
static void fallingPendulum(void)
{
    pendulumOf(2);
}
static void fallingPair(void)
{
    falling();
    second = box(0.5, 0.1, 0.1, 0.1, 3, 0, 0);
}
static void weightless(void)
{
    falling();
    dWorldSetGravity(world, 0, 0, 0);
}
static void weigh(dBodyID body, double factor, double sideways)
{
    dMass m;
    dBodyGetMass(body, &m);
    dBodyAddForce(body, sideways * m.mass, 0, -9.81 * factor * m.mass);
}
static void again(int step)
{
    (void)step;
    weigh(first, 1, 0);
}
static void againBoth(int step)
{
    again(step);
    weigh(second, 1, 0);
}
static void half(int step)
{
    (void)step;
    weigh(first, 0.5, 0);
}
static void hover(int step)
{
    (void)step;
    weigh(first, -1, 0);
}
static void aside(int step)
{
    (void)step;
    weigh(first, 0, 9.81);
}

/* ---- rotations per step
 * -------------------------------------------------------------------------------------------------- */

static void spun(double rate)
{
    weightless();
    first = box(2, 0.4, 0.3, 0.2, 2, 0, 0);
    dBodySetAngularVel(first, 0, 0, rate);
}
static void spins(void)
{
    spun(60);
}
static void spinsInFineSteps(void)
{
    spun(300);
}
static void spinsSlower(void)
{
    spun(40);
}
static void whirls(void)
{
    pendulumOf(1);
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetAngularVel(first, 0, 70, 0);
    dBodySetLinearVel(first, 0, 0, -35);
}
static void flies(void)
{
    weightless();
    dBodySetLinearVel(first, 500, 0, 0);
}

/* ---- motors between stops that coincide
 * ------------------------------------------------------------------------------------ */

static void motorOn(dJointID j, void (*set)(dJointID, int, dReal), double lo, double hi, double speed)
{
    set(j, dParamLoStop, lo);
    set(j, dParamHiStop, hi);
    set(j, dParamFMax, 10);
    set(j, dParamVel, speed);
}
static void hingeMotor(double lo, double hi, double speed)
{
    pendulumOf(1);
    motorOn(dBodyGetJoint(first, 0), dJointSetHingeParam, lo, hi, speed);
}
static void lockedSlider(void)
{
    weightless();
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, 0, first);
    dJointSetSliderAxis(j, 0, 0, 1);
    motorOn(j, dJointSetSliderParam, 0, 0, -1);
}
static void lockedHinge(void)
{
    hingeMotor(0, 0, 2);
}
static void lockedServo(void)
{
    hingeMotor(0, 0, 0);
}
static void narrow(void)
{
    hingeMotor(-0.01, 0.01, 2);
}

/* ---- energy under ODE's own steps
 * --------------------------------------------------------------------------------------- */

static void whip(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 4; i++) {
        const dBodyID link = box(1, 0.5, 0.05, 0.05, 0.25 + 0.5 * i, 0, 0);
        hinge(link, last, 0.5 * i, 0, 0, 0, 1, 0);
        last = link;
    }
}
static void swings(void)
{
    pendulumOf(1);
}
static void pushedNatively(void)
{
    weightless();
}
static void push(int step)
{
    dBodyAddForce(first, step < 50 ? 1 : -1, 0, 0);
}

const RuleModel model_models[] = {
    {{"erp_of_a_joint", "+erp", 0.01, 50, erpOfJoint, NULL}, 0},
    {{"erp_of_a_joint_natively", "+erp", 0.01, 50, erpOfJoint, NULL}, ModelNative},
    {{"erp_of_a_contact", "+erp", 0.01, 100, erpOfContact, NULL}, 0},
    {{"erp_at_its_limit", "!erp", 0.01, 50, erpAtItsLimit, NULL}, 0},
    {{"erp_without_rows", "!erp", 0.01, 50, erpWithoutRows, NULL}, 0},
    {{"erp_of_a_stop", "!erp", 0.01, 100, erpOfAStop, NULL}, 0},
    {{"erp_of_a_surface", "!erp", 0.01, 50, erpOfASurface, NULL}, 0},
    {{"erp_of_a_ball_joint", "!erp", 0.01, 50, erpOfAMechanism, NULL}, 0},
    {{"light_link", "+mass_ratio", 0.01, 50, lightLink, NULL}, 0},
    {{"heavy_link_natively", "+mass_ratio", 0.01, 50, heavyLink, NULL}, ModelNative},
    {{"light_under_heavy", "+mass_ratio", 0.01, 50, lightUnderHeavy, NULL}, 0},
    {{"terminal_without_mass", "!mass_ratio", 0.01, 50, terminal, NULL}, 0},
    {{"half_the_ratio", "!mass_ratio", 0.01, 50, halfTheRatio, NULL}, 0},
    {{"light_beside_heavy", "!mass_ratio", 0.01, 50, lightBeside, NULL}, 0},
    {{"light_on_the_world", "!mass_ratio", 0.01, 50, lightOnTheWorld, NULL}, 0},
    {{"light_on_a_kinematic", "!mass_ratio", 0.01, 50, lightOnKinematic, NULL}, 0},
    {{"gradual_masses", "!mass_ratio", 0.01, 50, gradual, NULL}, 0},
    {{"gravity_again", "+gravity_twice", 0.01, 100, falling, again}, 0},
    {{"gravity_again_for_both", "+gravity_twice", 0.01, 100, fallingPair, againBoth}, 0},
    {{"gravity_again_of_a_pendulum", "+gravity_twice", 0.01, 60, fallingPendulum, again}, 0},
    {{"gravity_by_the_program", "!gravity_twice", 0.01, 100, weightless, again}, 0},
    {{"gravity_and_a_half", "!gravity_twice", 0.01, 100, falling, half}, 0},
    {{"hovering", "!gravity_twice", 0.01, 100, falling, hover}, 0},
    {{"wind_of_one_g", "!gravity_twice", 0.01, 100, falling, aside}, 0},
    {{"only_gravity", "!gravity_twice", 0.01, 100, falling, NULL}, 0},
    {{"spins_fast", "+step_too_long", 0.01, 50, spins, NULL}, 0},
    {{"whirls_fast", "+step_too_long", 0.01, 50, whirls, NULL}, 0},
    {{"whirls_fast_natively", "+step_too_long", 0.01, 50, whirls, NULL}, ModelNative},
    {{"spins_fast_in_fine_steps", "!step_too_long", 0.001, 100, spinsInFineSteps, NULL}, 0},
    {{"spins_slower", "!step_too_long", 0.01, 50, spinsSlower, NULL}, 0},
    {{"flies_fast", "!step_too_long", 0.01, 50, flies, NULL}, 0},
    {{"locked_hinge_motor", "+idle_motor", 0.01, 50, lockedHinge, NULL}, 0},
    {{"locked_slider_motor", "+idle_motor", 0.01, 50, lockedSlider, NULL}, 0},
    {{"locked_hinge_motor_natively", "+idle_motor", 0.01, 50, lockedHinge, NULL}, ModelNative},
    {{"locked_motor_of_no_speed", "!idle_motor", 0.01, 50, lockedServo, NULL}, 0},
    {{"motor_between_narrow_stops", "!idle_motor", 0.01, 50, narrow, NULL}, 0},
    {{"whip_loses_energy_natively", "+energy", 0.02, 200, whip, NULL}, ModelNative},
    {{"swings_natively", "!energy", 0.001, 500, swings, NULL}, ModelNative},
    {{"pushed_natively", "!energy", 0.01, 100, pushedNatively, push}, ModelNative},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

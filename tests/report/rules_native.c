/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/report/rules_native.c: what is found in ODE's own steps, of which neither forces nor work are known: stops that
 * an angle passes at pi, energy that is lost beside springs and motors, poses that the program sets, a mu that is a
 * force; and models that look like them and are sound. */
#include <math.h>

#include "tests/report/model.h"

static dBodyID first, second;

static void weightless(void)
{
    dWorldSetGravity(world, 0, 0, 0);
}

/* ---- stops near pi ----------------------------------------------------------------------------------------------- */

static dJointID rotor(double lo, double hi, double speed)
{
    weightless();
    first = ball(1, 0.3, 0, 0, 0);
    const dJointID j = hinge(first, 0, 0, 0, 0, 0, 0, 1);
    dJointSetHingeParam(j, dParamLoStop, lo);
    dJointSetHingeParam(j, dParamHiStop, hi);
    dBodySetAngularVel(first, 0, 0, speed);
    return j;
}
static void passesHigh(void)
{
    rotor(-3.1, 3.1, 13.7);
}
static void passesLow(void)
{
    rotor(-3.12, 1, -9);
}
static void passesBouncing(void)
{
    dJointSetHingeParam(rotor(-1, 3.1, 13.7), dParamBounce, 0.5);
}
static void passesUniversal(void)
{
    weightless();
    first = ball(1, 0.3, 0, 0, 0);
    const dJointID j = dJointCreateUniversal(world, 0);
    dJointAttach(j, first, 0);
    dJointSetUniversalAnchor(j, 0, 0, 0);
    dJointSetUniversalAxis1(j, 0, 1, 0);
    dJointSetUniversalAxis2(j, 0, 0, 1);
    dJointSetUniversalParam(j, dParamLoStop2, -3.1);
    dJointSetUniversalParam(j, dParamHiStop2, 3.1);
    dBodySetAngularVel(first, 0, 0, 13.7);
}
static void passesAMotor(void)
{
    weightless();
    first = ball(1, 0.3, 0, 0, 0);
    second = ball(1e3, 0.5, 0, 0, 0);
    ballJoint(first, second, 0, 0, 0);
    const dJointID j = dJointCreateAMotor(world, 0);
    dJointAttach(j, second, first);
    dJointSetAMotorMode(j, dAMotorEuler);
    dJointSetAMotorAxis(j, 0, 1, 0, 0, 1);
    dJointSetAMotorAxis(j, 2, 2, 1, 0, 0);
    dJointSetAMotorParam(j, dParamLoStop, -3.1);
    dJointSetAMotorParam(j, dParamHiStop, 3.1);
    dBodySetAngularVel(first, 0, 0, 13.7);
}
static void reachesInTime(void)
{
    rotor(-3.1, 3.1, 1);
}
static void stopsEarlier(void)
{
    rotor(-2, 2, 13.7);
}
static void turnsFreely(void)
{
    rotor(-dInfinity, dInfinity, 13.7);
}
static void turnsFromItsStop(void)
{
    rotor(-3.1, dInfinity, 1); /* away from the only stop, less than a half turn */
}
/* (0, body): the stops act about the other axis */
static void turnsAboutTheOther(void)
{
    weightless();
    first = ball(1, 0.3, 0, 0, 0);
    const dJointID j = dJointCreateUniversal(world, 0);
    dJointAttach(j, 0, first);
    dJointSetUniversalAnchor(j, 0, 0, 0);
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    dJointSetUniversalParam(j, dParamLoStop, -0.5);
    dJointSetUniversalParam(j, dParamHiStop, 0.5);
    dBodySetAngularVel(first, 0, 0, 4);
}
/* beyond pi metres */
static void slidesFar(void)
{
    weightless();
    first = ball(1, 0.3, 0, 0, 0);
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, first, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamLoStop, -20);
    dJointSetSliderParam(j, dParamHiStop, 20);
    dBodySetLinearVel(first, 15, 0, 0);
}
static void setBack(int step)
{
    if (step == 50) dBodySetPosition(first, -5, 0, 0);
}

/* a cylinder upright between stops of Euler angles, which flip by pi when it has spun by a quarter of a turn */
static void flips(void)
{
    dMass m;
    weightless();
    first = dBodyCreate(world);
    dMassSetCylinderTotal(&m, 1, 2, 0.2, 1);
    dBodySetMass(first, &m);
    const dJointID j = dJointCreateAMotor(world, 0);
    dJointAttach(j, first, 0);
    dJointSetAMotorMode(j, dAMotorEuler);
    dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
    for (int group = 0; group <= 2 * dParamGroup; group += 2 * dParamGroup) {
        dJointSetAMotorParam(j, group + dParamLoStop, -0.3);
        dJointSetAMotorParam(j, group + dParamHiStop, 0.3);
    }
    ballJoint(first, 0, 0, -0.5, 0);
    dBodySetAngularVel(first, 0, 2, 0);
}
static void pushTop(int step)
{
    const dReal *x = dBodyGetPosition(first);
    if (step < 500) dBodyAddForceAtPos(first, 3, 0, 1, x[0], x[1] + 0.5, x[2]);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

static void doublePendulum(void)
{
    for (int i = 0; i < 2; i++) {
        const dBodyID link = box(1, 0.5, 0.05, 0.05, 0.25 + 0.5 * i, 0, 0);
        hinge(link, i ? first : 0, 0.5 * i, 0, 0, 0, 1, 0);
        first = link;
    }
}
static dJointID guide(double x)
{
    second = box(1, 0.2, 0.2, 0.2, x, 0, 0);
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, second, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    return j;
}
static void softStops(dJointID j)
{
    dJointSetSliderParam(j, dParamLoStop, 0);
    dJointSetSliderParam(j, dParamHiStop, 0);
    dJointSetSliderParam(j, dParamStopCFM, 1e-3);
}
static void pendulumBesideSpring(void)
{
    doublePendulum();
    softStops(guide(5));
}
static void pendulumBesideMotor(void)
{
    doublePendulum();
    const dJointID j = guide(5);
    dJointSetSliderParam(j, dParamVel, 0.1);
    dJointSetSliderParam(j, dParamFMax, 10);
}
static void pendulumBesideDamper(void)
{
    doublePendulum();
    const dJointID j = guide(5);
    softStops(j);
    dJointSetSliderParam(j, dParamStopERP, 0);
    dBodySetLinearVel(second, 1, 0, 0);
}
static void springThatSettles(void)
{
    softStops(guide(5));
    dBodySetPosition(second, 5.3, 0, 0);
}
static void thrownAtStop(void)
{
    rotor(-0.5, 0.5, 4);
}
static void thrownAtSpringyStop(void)
{
    dJointSetHingeParam(rotor(-0.5, 0.5, 4), dParamBounce, 0.9);
}
/* beside a motor that it is not joined to */
static void swingsBesideMotor(void)
{
    hinge(box(1, 0.5, 0.05, 0.05, 0.25, 0, 0), 0, 0, 0, 0, 0, 1, 0);
    const dJointID j = guide(5);
    dJointSetSliderParam(j, dParamVel, 1);
    dJointSetSliderParam(j, dParamFMax, 100);
}
static void joinedPair(void)
{
    weightless();
    first = box(2, 0.6, 0.2, 0.3, 0, 0, 0);
    second = box(1, 0.4, 0.2, 0.1, 0.5, 0, 0);
    hinge(first, second, 0.3, 0, 0, 0, 0.6, 0.8);
}
static void throwOne(int step)
{
    if (step == 20) dBodySetLinearVel(second, 0, 3, 1);
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

static void pairOnBall(void)
{
    weightless();
    first = box(1, 0.2, 0.2, 0.2, 0, 0, 5);
    second = box(1, 0.2, 0.2, 0.2, 1, 0, 5);
    ballJoint(first, second, 0.5, 0, 5);
}
static void hungUp(void)
{
    first = box(1, 0.6, 0.05, 0.05, 0.3, 0, 1);
    hinge(first, 0, 0, 0, 1, 0, 1, 0);
    second = first;
}
static void setAside(int step)
{
    const dReal *x = dBodyGetPosition(second);
    if (step == 50) dBodySetPosition(second, x[0], x[1] + 0.1, x[2]);
}
static void setAsideBoth(int step)
{
    setAside(step);
    const dReal *x = dBodyGetPosition(first);
    if (step == 50) dBodySetPosition(first, x[0], x[1] + 0.1, x[2]);
}
static void setAsideFarther(int step)
{
    const dReal *x = dBodyGetPosition(second);
    if (step == 50 || step == 300) dBodySetPosition(second, x[0], x[1], x[2] + 0.3);
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

static void slidingBox(double mu, int mode)
{
    ground();
    first = box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
    dBodySetLinearVel(first, 5, 0, 0);
    surface.surface.mode = mode;
    surface.surface.mu = mu;
}
static void halfANewton(void)
{
    slidingBox(0.5, 0);
}
static void twoNewtons(void)
{
    slidingBox(2, 0);
}
static void slidingSphere(void)
{
    weightless();
    dWorldSetERP(world, 0);
    dCreatePlane(space, 0, 0, 1, 0);
    first = ball(10, 1, 0, 0, 0.999);
    dBodySetLinearVel(first, 50, 0, 1e-4);
    surface.surface.mode = 0;
    surface.surface.mu = 5;
}
static void halfOfTheLoad(void)
{
    slidingBox(0.5, dContactApprox1);
}
static void endless(void)
{
    slidingBox(dInfinity, 0);
}

const RuleModel native_models[] = {
    {{"passes_its_high_stop", "+stop_passed", 0.01, 100, passesHigh, NULL}, ModelNative},
    {{"passes_its_low_stop", "+stop_passed", 0.01, 100, passesLow, NULL}, ModelNative},
    {{"passes_a_bouncing_stop", "+stop_passed", 0.01, 100, passesBouncing, NULL}, ModelNative},
    {{"passes_a_universal_stop", "+stop_passed", 0.01, 100, passesUniversal, NULL}, ModelNative},
    {{"passes_a_stop_of_an_amotor", "+stop_passed", 0.01, 100, passesAMotor, NULL}, ModelNative},
    {{"stops_near_pi_in_ukode", "!stop_passed", 0.01, 100, passesHigh, NULL}, 0},
    {{"reaches_its_stop_in_time", "!stop_passed", 0.01, 400, reachesInTime, NULL}, ModelNative},
    {{"stops_earlier", "!stop_passed", 0.01, 200, stopsEarlier, NULL}, ModelNative},
    {{"turns_without_stops", "!stop_passed", 0.01, 200, turnsFreely, NULL}, ModelNative},
    {{"turns_from_its_stop", "!stop_passed", 0.01, 250, turnsFromItsStop, NULL}, ModelNative},
    {{"turns_about_the_other_axis", "!stop_passed", 0.01, 400, turnsAboutTheOther, NULL}, ModelNative},
    {{"flips_between_its_stops", "!stop_passed", 0.002, 600, flips, pushTop}, ModelNative},
    {{"slides_beyond_pi", "!stop_passed", 0.01, 200, slidesFar, setBack}, ModelNative},
    {{"pendulum_beside_a_spring_natively", "+energy", 0.01, 1000, pendulumBesideSpring, NULL}, ModelNative},
    {{"pendulum_beside_a_motor_natively", "+energy", 0.01, 1000, pendulumBesideMotor, NULL}, ModelNative},
    {{"pendulum_beside_a_damper_natively", "+energy", 0.01, 1000, pendulumBesideDamper, NULL}, ModelNative},
    {{"spring_that_settles_natively", "!energy", 0.01, 300, springThatSettles, NULL}, ModelNative},
    {{"thrown_at_a_stop_natively", "!energy", 0.01, 400, thrownAtStop, NULL}, ModelNative},
    {{"thrown_at_a_springy_stop_natively", "!energy", 0.01, 400, thrownAtSpringyStop, NULL}, ModelNative},
    {{"swings_beside_a_motor_natively", "!energy", 0.002, 600, swingsBesideMotor, NULL}, ModelNative},
    {{"thrown_by_one_part_natively", "!energy", 0.01, 100, joinedPair, throwOne}, ModelNative},
    {{"set_aside_natively", "+moved_apart", 0.008, 350, pairOnBall, setAside}, ModelNative},
    {{"set_off_its_hinge_natively", "+moved_apart", 0.008, 350, hungUp, setAside}, ModelNative},
    {{"set_aside_twice_natively", "+moved_apart", 0.008, 350, pairOnBall, setAsideFarther}, ModelNative},
    {{"set_aside_together_natively", "!moved_apart", 0.008, 350, pairOnBall, setAsideBoth}, ModelNative},
    {{"set_aside_is_no_drift_natively", "!drift", 0.008, 350, pairOnBall, setAside}, ModelNative},
    {{"half_a_newton_natively", "+mu_is_force", 0.01, 200, halfANewton, NULL}, ModelNative},
    {{"two_newtons_natively", "+mu_is_force", 0.01, 200, twoNewtons, NULL}, ModelNative},
    {{"sphere_on_a_force_natively", "+mu_is_force", 0.002, 400, slidingSphere, NULL}, ModelNative},
    {{"half_of_the_load_natively", "!mu_is_force", 0.01, 200, halfOfTheLoad, NULL}, ModelNative},
    {{"endless_friction_natively", "!mu_is_force", 0.01, 200, endless, NULL}, ModelNative},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

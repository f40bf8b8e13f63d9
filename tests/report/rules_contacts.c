/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts, motors, masses and QuickStep: each rule with models that have the fault and with others that look alike. */
#include <math.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first, second;
static dJointID motor;

/* ---- mu as a force ------------------------------------------------------------------------------------------------------ */

static void slideOff(unsigned mode, double mu, double speed)
{
    ground();
    first = box(2, 0.4, 0.4, 0.2, 0, 0, 0.1);
    dBodySetLinearVel(first, speed, 0, 0);
    surface.surface.mode = (int)mode;
    surface.surface.mu = mu;
}
static void coefficientAsForce(void)
{
    slideOff(0, 0.5, 3);
}
static void newtons(void)
{
    slideOff(0, 1.5, 3);
}
/* pressed down in every second step only: friction acts without a normal force */
static void sphereWithoutLoad(void)
{
    dWorldSetERP(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    ground();
    first = ball(10, 1, 0, 0, 0.999);
    dBodySetLinearVel(first, 50, 0, 1e-4);
    surface.surface.mu = 5;
}
static void pressEverySecond(int step)
{
    if (step % 2) dBodyAddForce(first, 0, 0, -10);
}
static void onSlope(unsigned mode, double mu, double degrees)
{
    dMatrix3 R;
    const double a = degrees * 0.017453292519943295;
    dCreatePlane(space, sin(a), 0, cos(a), 0);
    first = box(2, 0.4, 0.4, 0.2, 0.1 * sin(a), 0, 0.1 * cos(a));
    dRFromAxisAndAngle(R, 0, 1, 0, a);
    dBodySetRotation(first, R);
    surface.surface.mode = (int)mode;
    surface.surface.mu = mu;
}
static void slopeAsForce(void)
{
    onSlope(0, 0.8, 20);
}
static void slopeThatSlides(void)
{
    onSlope(dContactApprox1, 0.2, 15);
}
static void steepSlope(void)
{
    onSlope(dContactApprox1, 0.3, 30);
}
static void slopeThatHolds(void)
{
    onSlope(dContactApprox1, 0.8, 15);
}
static void strongForce(void)
{
    slideOff(0, 5000, 0);
}
static void endlessFriction(void)
{
    slideOff(0, dInfinity, 3);
}
static void ice(void)
{
    slideOff(0, 0, 3);
}
static void coulomb(void)
{
    slideOff(dContactApprox1, 0.5, 3);
}
/* pulled over the ground at a steady speed */
static void dragged(void)
{
    slideOff(dContactApprox1, 0.4, 1);
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, first, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamVel, -1);
    dJointSetSliderParam(j, dParamFMax, 1000);
}

/* ---- motors -------------------------------------------------------------------------------------------------------------- */

static void arm(double limit, double speed)
{
    first = box(1, 1, 0.05, 0.05, 0.5, 0, 1);
    motor = hinge(first, 0, 0, 0, 1, 0, 1, 0);
    dJointSetHingeParam(motor, dParamVel, speed);
    dJointSetHingeParam(motor, dParamFMax, limit);
}
static void weakArm(void)
{
    arm(2, -2);
}
static void strongArm(void)
{
    arm(20, -2);
}
static void weakLift(void)
{
    first = box(10, 0.3, 0.3, 0.3, 0, 0, 1);
    motor = dJointCreateSlider(world, 0);
    dJointAttach(motor, first, 0);
    dJointSetSliderAxis(motor, 0, 0, 1);
    dJointSetSliderParam(motor, dParamVel, 1);
    dJointSetSliderParam(motor, dParamFMax, 60);
}
/* it does not lift the box from the ground, which does not push against the motor */
static void weakLiftOnGround(void)
{
    ground();
    weakLift();
    dBodySetPosition(first, 0, 0, 0.15);
}
/* it does not lift its platform off the foot that stands on the ground */
static void weakLiftOnFoot(void)
{
    ground();
    const dBodyID foot = box(5, 0.6, 0.6, 0.2, 0, 0, 0.1);
    first = box(10, 0.3, 0.3, 0.3, 0, 0, 0.35);
    motor = dJointCreateSlider(world, 0);
    dJointAttach(motor, first, foot);
    dJointSetSliderAxis(motor, 0, 0, 1);
    dJointSetSliderParam(motor, dParamVel, 1);
    dJointSetSliderParam(motor, dParamFMax, 60);
    collide_joined = true;
}
/* a motor presses the box against a wall, or two of them a box between them, which hangs */
static void finger(double x, double force)
{
    const dBodyID b = box(1, 0.1, 0.1, 0.1, x, 0, 1);
    motor = dJointCreateSlider(world, 0);
    dJointAttach(motor, b, 0);
    dJointSetSliderAxis(motor, 1, 0, 0);
    dJointSetSliderParam(motor, dParamVel, x < 0 ? 0.5 : -0.5);
    dJointSetSliderParam(motor, dParamFMax, force);
}
static void pressesOnWall(void)
{
    dCreatePlane(space, 1, 0, 0, 0);
    finger(0.1, 20);
}
static void gripper(void)
{
    box(0.2, 0.1, 0.1, 0.1, 0, 0, 1);
    finger(-0.15, 30);
    finger(0.15, 30);
}
static void weakPair(void)
{
    second = box(50, 0.3, 0.3, 0.3, 0, 0, 1);
    const dJointID f = dJointCreateFixed(world, 0);
    dJointAttach(f, second, 0);
    dJointSetFixed(f);
    first = box(1, 1, 0.05, 0.05, 0.5, 0, 1);
    motor = hinge(second, first, 0, 0, 1, 0, 1, 0);
    dJointSetHingeParam(motor, dParamVel, 3);
    dJointSetHingeParam(motor, dParamFMax, 1);
}
/* a driven ball that friction without bounds holds between floor and wall */
static void heldWheel(double radius, double mu, double speed)
{
    ground();
    dCreatePlane(space, -1, 0, 0, -radius - 0.05);
    first = ball(1, radius, 0, 0, radius);
    second = box(5, 0.1, 0.3, 0.1, 0, 0, radius);
    dGeomDestroy(dBodyGetFirstGeom(second));
    motor = hinge(first, second, 0, 0, radius, 0, 1, 0);
    dJointSetHingeParam(motor, dParamVel, speed);
    dJointSetHingeParam(motor, dParamFMax, 20);
    const dJointID guide = dJointCreateSlider(world, 0);
    dJointAttach(guide, second, 0);
    dJointSetSliderAxis(guide, 1, 0, 0);
    surface.surface.mu = mu;
    dWorldSetContactSurfaceLayer(world, 1e-3);
}
static void heldForEver(void)
{
    heldWheel(0.3, dInfinity, 10);
}
static void heldSmall(void)
{
    heldWheel(0.15, dInfinity, 20);
}
static void heldLarge(void)
{
    heldWheel(0.6, dInfinity, 5);
}
static void rollsFreely(void)
{
    heldWheel(0.3, 0, 10);
}
static void startsUp(void)
{
    arm(8, -1);
}

/* servos, whose target speed the program sets before each step; they start at their targets */
static double gain;
static void servoOf(double limit, double speed)
{
    arm(limit, 0);
    gain = speed;
}
static void weakServo(void)
{
    servoOf(2, 20);
}
static void weakerServo(void)
{
    servoOf(0.5, 5);
}
static void strongServo(void)
{
    servoOf(20, 20);
}
static void follow(int step)
{
    const double target = 0.8 * sin(0.005 * 1.7 * step);
    dJointSetHingeParam(motor, dParamVel, gain * (target - dJointGetHingeAngle(motor)));
}
static void weakSliderServo(void)
{
    weakLift();
    dWorldSetGravity(world, 0, 0, 0);
    dJointSetSliderParam(motor, dParamVel, 0);
    dJointSetSliderParam(motor, dParamFMax, 5);
}
static void followOnSlider(int step)
{
    const double target = sin(0.005 * 6 * step);
    dJointSetSliderParam(motor, dParamVel, 20 * (target - dJointGetSliderPosition(motor)));
}
/* dry friction of a pendulum, as ODE's manual makes it: a motor of speed 0 */
static void brakedPendulum(void)
{
    arm(0.1, 0);
}
static void wiper(int step)
{
    const double angle = dJointGetHingeAngle(motor);
    if (step == 0 || angle < -0.4) gain = 1;
    if (angle > 0.4) gain = -1;
    dJointSetHingeParam(motor, dParamVel, gain);
}

/* stops of a pendulum that swings by a right angle */
static void armWithin(double low, double high)
{
    arm(0, 0);
    dWorldSetGravity(world, 7, 0, -7);
    dJointSetHingeParam(motor, dParamLoStop, low);
    dJointSetHingeParam(motor, dParamHiStop, high);
}
static void degrees(void)
{
    armWithin(-45, 45);
}
static void rightAngle(void)
{
    armWithin(0, 90);
}
static void degreesOfUniversal(void)
{
    first = box(1, 0.1, 0.1, 1, 0, 0, -0.5);
    const dJointID j = dJointCreateUniversal(world, 0);
    dJointAttach(j, first, 0);
    dJointSetUniversalAnchor(j, 0, 0, 0);
    dJointSetUniversalAxis1(j, 1, 0, 0);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    dJointSetUniversalParam(j, dParamLoStop2, -30);
    dJointSetUniversalParam(j, dParamHiStop2, 30);
}
static void radians(void)
{
    armWithin(-0.8, 0.8);
}
static void fiveRadians(void)
{
    armWithin(-5, 5);
}
static void oneStop(void)
{
    arm(0, 0);
    dJointSetHingeParam(motor, dParamHiStop, 45);
}
static void winch(void)
{
    first = box(1, 0.2, 0.2, 0.2, 0, 0, 0);
    motor = hinge(first, 0, 0, 0, 0, 0, 1, 0);
    dJointSetHingeParam(motor, dParamLoStop, 0);
    dJointSetHingeParam(motor, dParamHiStop, 20);
    dJointSetHingeParam(motor, dParamVel, 4);
    dJointSetHingeParam(motor, dParamFMax, 10);
}
static void slider(void)
{
    weakLift();
    dJointSetSliderParam(motor, dParamLoStop, -45);
    dJointSetSliderParam(motor, dParamHiStop, 45);
}

/* ---- moments of inertia
 * ------------------------------------------------------------------------------------------------- */

static void rodWith(double x, double y, double z)
{
    dMass m;
    first = box(2, 1, 0.05, 0.05, 0.5, 0, 1);
    dMassSetParameters(&m, 2, 0, 0, 0, x, y, z, 0, 0, 0);
    dBodySetMass(first, &m);
    hinge(first, 0, 0, 0, 1, 0, 1, 0);
}
/* about its end, not about its centre */
static void aboutItsEnd(void)
{
    rodWith(0.0008, 2 / 3.0 + 4e-4, 2 / 3.0 + 4e-4);
}
static void aboutTwice(void)
{
    rodWith(0.0008, 0.6666 + 0.2, 0.6666 + 0.2);
}
static void cubeMoved(void)
{
    dMass m;
    dMassSetBoxTotal(&m, 1, 0.2, 0.2, 0.2);
    first = box(1, 0.2, 0.2, 0.2, 0, 0, 1);
    m.I[0] += 0.03, m.I[5] += 0.03;
    dBodySetMass(first, &m);
    ballJoint(first, 0, 0, 0, 1);
}
static void dumbBell(void)
{
    rodWith(0.0009, 0.5, 0.5);
}
static void pointMass(void)
{
    rodWith(0.0006, 0.05, 0.05);
}
static void withoutShape(void)
{
    rodWith(5, 6, 7);
    dGeomDestroy(dBodyGetFirstGeom(first));
}
static void hollowBall(void)
{
    dMass m;
    first = ball(1, 0.2, 0, 0, 1);
    dMassSetParameters(&m, 1, 0, 0, 0, 0.02666, 0.02666, 0.02666, 0, 0, 0);
    dBodySetMass(first, &m);
    ballJoint(first, 0, 0, 0, 1);
}
/* two weights on a bar that has no geom */
static void compound(void)
{
    dMass m, own;
    first = dBodyCreate(world);
    dMassSetZero(&m);
    for (int k = -1; k < 2; k += 2) {
        const dGeomID g = dCreateSphere(space, 0.1);
        dMassSetSphereTotal(&own, 1, 0.1);
        dMassTranslate(&own, 0.5 * k, 0, 0);
        dMassAdd(&m, &own);
        dGeomSetBody(g, first);
        dGeomSetOffsetPosition(g, 0.5 * k, 0, 0);
    }
    dBodySetMass(first, &m);
    dBodySetPosition(first, 0, 0, 1);
    ballJoint(first, 0, 0, 0, 1);
}

/* ---- QuickStep ----------------------------------------------------------------------------------------------------------- */

static void chainOfEight(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 8; i++) {
        const dBodyID link = box(1, 0.2, 0.05, 0.05, 0.1 + 0.2 * i, 0, 2);
        ballJoint(last, link, 0.2 * i, 0, 2);
        last = link;
    }
}
static void boxes(void)
{
    ground();
    for (int i = 0; i < 3; i++) box(1, 0.4, 0.4, 0.2, 0, 0, 0.1 + 0.2 * i);
}
static void thrown(void)
{
    first = box(1, 0.3, 0.2, 0.1, 0, 0, 3);
    dBodySetLinearVel(first, 2, 0, 4);
}

/* ---- friction directions that the program did not set ------------------------------------------------------------ */

static void onBelt(int mode, double motion1, double motion2, double mu2)
{
    ground();
    first = box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
    surface.surface.mode = dContactApprox1 | mode;
    surface.surface.motion1 = motion1, surface.surface.motion2 = motion2;
    surface.surface.mu2 = mu2;
    surface.fdir1[0] = 1;
}
static void belt(void)
{
    onBelt(dContactMotion1, 0.5, 0, 0);
}
static void beltAcross(void)
{
    onBelt(dContactMotion2, 0, 0.5, 0);
}
static void beltWithDirection(void)
{
    onBelt(dContactMotion1 | dContactFDir1, 0.5, 0, 0);
}
static void beltThatStands(void)
{
    onBelt(dContactMotion1, 0, 0, 0);
}
static void beltWithoutFriction(void)
{
    onBelt(dContactMotion1, 0.5, 0, 0);
    surface.surface.mu = 0;
}
static void motionWithoutMode(void)
{
    onBelt(0, 0.5, 0.5, 0.1);
    dBodySetLinearVel(first, 1, 0, 0);
}
static void skates(int mode, double mu2)
{
    onBelt(dContactMu2 | mode, 0, 0, mu2);
    dBodySetLinearVel(first, 2, 1, 0);
}
static void skatesUndirected(void)
{
    skates(0, 0.05);
}
static void skatesDirected(void)
{
    skates(dContactFDir1, 0.05);
}
static void skatesAlike(void)
{
    skates(0, 1);
}
/* different coefficients, and nothing slides */
static void standsOnSkates(void)
{
    onBelt(dContactMu2, 0, 0, 0.5);
}
static void wheelSlips(double slip2)
{
    ground();
    first = ball(1, 0.2, 0, 0, 0.2);
    dBodySetLinearVel(first, 2, 0, 0);
    surface.surface.mode = dContactApprox1 | dContactSlip1 | dContactSlip2;
    surface.surface.slip1 = 0.01, surface.surface.slip2 = slip2;
}
static void slipsUndirected(void)
{
    wheelSlips(0.5);
}
static void slipsAlike(void)
{
    wheelSlips(0.01);
}

const RuleModel contact_models[] = {
    {{"belt", "+friction_direction", 0.01, 100, belt, NULL}, 0},
    {{"belt_natively", "+friction_direction", 0.01, 100, belt, NULL}, ModelNative},
    {{"belt_across", "+friction_direction", 0.01, 100, beltAcross, NULL}, 0},
    {{"skates_undirected", "+friction_direction", 0.01, 100, skatesUndirected, NULL}, 0},
    {{"slips_undirected", "+friction_direction", 0.01, 100, slipsUndirected, NULL}, 0},
    {{"belt_with_direction", "!friction_direction", 0.01, 100, beltWithDirection, NULL}, 0},
    {{"belt_with_direction_natively", "!friction_direction", 0.01, 100, beltWithDirection, NULL}, ModelNative},
    {{"belt_that_stands", "!friction_direction", 0.01, 100, beltThatStands, NULL}, 0},
    {{"belt_without_friction", "!friction_direction", 0.01, 100, beltWithoutFriction, NULL}, 0},
    {{"motion_without_mode", "!friction_direction", 0.01, 100, motionWithoutMode, NULL}, 0},
    {{"skates_directed", "!friction_direction", 0.01, 100, skatesDirected, NULL}, 0},
    {{"skates_alike", "!friction_direction", 0.01, 100, skatesAlike, NULL}, 0},
    {{"stands_on_skates", "!friction_direction", 0.01, 100, standsOnSkates, NULL}, 0},
    {{"slips_alike", "!friction_direction", 0.01, 100, slipsAlike, NULL}, 0},
    {{"coefficient_as_a_force", "+mu_is_force", 0.01, 200, coefficientAsForce, NULL}, 0},
    {{"newtons_of_friction", "+mu_is_force", 0.01, 200, newtons, NULL}, 0},
    {{"friction_without_load", "+mu_is_force", 0.002, 400, sphereWithoutLoad, pressEverySecond}, 0},
    {{"slope_of_a_force", "+mu_is_force", 0.01, 100, slopeAsForce, NULL}, 0},
    {{"slope_of_a_coefficient", "!mu_is_force", 0.01, 100, slopeThatSlides, NULL}, 0},
    {{"force_that_holds", "!mu_is_force", 0.01, 200, strongForce, NULL}, 0},
    {{"endless_friction", "!mu_is_force", 0.01, 200, endlessFriction, NULL}, 0},
    {{"ice", "!mu_is_force", 0.01, 200, ice, NULL}, 0},
    {{"coulomb", "!mu_is_force", 0.01, 200, coulomb, NULL}, 0},
    {{"slope_that_slides", "+friction_limit", 0.01, 100, slopeThatSlides, NULL}, 0},
    {{"steep_slope", "+friction_limit", 0.01, 100, steepSlope, NULL}, 0},
    {{"dragged_over_the_ground", "+friction_limit", 0.01, 200, dragged, NULL}, 0},
    {{"no_ratio_without_load", "!friction_limit", 0.002, 400, sphereWithoutLoad, pressEverySecond}, 0},
    {{"no_ratio_of_a_force", "!friction_limit", 0.01, 200, newtons, NULL}, 0},
    {{"slope_that_holds", "!friction_limit", 0.01, 200, slopeThatHolds, NULL}, 0},
    {{"box_that_comes_to_rest", "!friction_limit", 0.01, 200, coulomb, NULL}, 0},
    {{"endless_friction_at_its_limit", "!friction_limit", 0.01, 200, endlessFriction, NULL}, 0},
    {{"weak_arm", "+motor_limit", 0.005, 400, weakArm, NULL}, 0},
    {{"weak_lift", "+motor_limit", 0.005, 200, weakLift, NULL}, 0},
    {{"weak_lift_on_the_ground", "+motor_limit", 0.005, 200, weakLiftOnGround, NULL}, 0},
    {{"weak_lift_on_its_foot", "+motor_limit", 0.005, 200, weakLiftOnFoot, NULL}, 0},
    {{"presses_on_a_wall", "+motor_limit", 0.005, 200, pressesOnWall, NULL}, 0},
    {{"gripper", "+motor_limit", 0.005, 200, gripper, NULL}, 0},
    {{"weak_arm_on_a_base", "+motor_limit", 0.005, 400, weakPair, NULL}, 0},
    {{"strong_arm", "!motor_limit", 0.005, 400, strongArm, NULL}, 0},
    {{"arm_that_starts_up", "!motor_limit", 0.005, 400, startsUp, NULL}, 0},
    {{"weak_servo", "+motor_limit", 0.005, 800, weakServo, follow}, 0},
    {{"weaker_servo", "+motor_limit", 0.005, 800, weakerServo, follow}, 0},
    {{"weak_servo_on_a_slider", "+motor_limit", 0.005, 800, weakSliderServo, followOnSlider}, 0},
    {{"strong_servo", "!motor_limit", 0.005, 800, strongServo, follow}, 0},
    {{"brake_that_slips", "!motor_limit", 0.005, 800, brakedPendulum, NULL}, 0},
    {{"wiper", "!motor_limit", 0.005, 800, strongServo, wiper}, 0},
    {{"held_wheel_is_not_weak", "!motor_limit", 0.01, 200, heldForEver, NULL}, 0},
    {{"small_held_wheel_is_not_weak", "!motor_limit", 0.01, 200, heldSmall, NULL}, 0},
    {{"large_held_wheel_is_not_weak", "!motor_limit", 0.01, 200, heldLarge, NULL}, 0},
    {{"held_wheel", "+wheel_locked", 0.01, 200, heldForEver, NULL}, 0},
    {{"small_held_wheel", "+wheel_locked", 0.01, 200, heldSmall, NULL}, 0},
    {{"large_held_wheel", "+wheel_locked", 0.01, 200, heldLarge, NULL}, 0},
    {{"weak_arm_is_not_held", "!wheel_locked", 0.005, 400, weakArm, NULL}, 0},
    {{"weak_lift_is_not_held", "!wheel_locked", 0.005, 200, weakLift, NULL}, 0},
    {{"wheel_on_ice", "!wheel_locked", 0.01, 200, rollsFreely, NULL}, 0},
    {{"strong_arm_is_not_held", "!wheel_locked", 0.005, 400, strongArm, NULL}, 0},
    {{"weak_arm_on_a_base_is_not_held", "!wheel_locked", 0.005, 400, weakPair, NULL}, 0},
    {{"stops_in_degrees", "+stops_in_degrees", 0.005, 200, degrees, NULL}, 0},
    {{"right_angle_in_degrees", "+stops_in_degrees", 0.005, 200, rightAngle, NULL}, ModelNative},
    {{"universal_in_degrees", "+stops_in_degrees", 0.005, 200, degreesOfUniversal, NULL}, 0},
    {{"stops_in_radians", "!stops_in_degrees", 0.005, 200, radians, NULL}, 0},
    {{"stops_of_five_radians", "!stops_in_degrees", 0.005, 200, fiveRadians, NULL}, 0},
    {{"one_distant_stop", "!stops_in_degrees", 0.005, 200, oneStop, NULL}, 0},
    {{"winch_of_three_turns", "!stops_in_degrees", 0.005, 300, winch, NULL}, 0},
    {{"slider_of_ninety_metres", "!stops_in_degrees", 0.005, 50, slider, NULL}, 0},
    {{"moments_about_the_end", "+inertia", 0.005, 50, aboutItsEnd, NULL}, 0},
    {{"moments_moved_twice", "+inertia", 0.005, 50, aboutTwice, NULL}, 0},
    {{"moments_of_a_moved_cube", "+inertia", 0.005, 50, cubeMoved, NULL}, 0},
    {{"dumb_bell", "!inertia", 0.005, 50, dumbBell, NULL}, 0},
    {{"mass_at_the_centre", "!inertia", 0.005, 50, pointMass, NULL}, 0},
    {{"body_without_shape", "!inertia", 0.005, 50, withoutShape, NULL}, 0},
    {{"hollow_ball", "!inertia", 0.005, 50, hollowBall, NULL}, 0},
    {{"two_weights", "!inertia", 0.005, 50, compound, NULL}, 0},
    {{"chain_by_quickstep", "+unconverged", 0.01, 50, chainOfEight, NULL}, ModelNative | ModelQuick},
    {{"boxes_by_quickstep", "+unconverged", 0.01, 50, boxes, NULL}, ModelNative | ModelQuick},
    {{"arm_by_quickstep", "+unconverged", 0.01, 50, strongArm, NULL}, ModelNative | ModelQuick},
    {{"chain_natively", "!unconverged", 0.01, 50, chainOfEight, NULL}, ModelNative},
    {{"boxes_natively", "!unconverged", 0.01, 50, boxes, NULL}, ModelNative},
    {{"chain_by_ukode_for_quickstep", "!unconverged", 0.01, 50, chainOfEight, NULL}, ModelQuick},
    {{"thrown_by_quickstep", "!unconverged", 0.01, 50, thrown, NULL}, ModelNative | ModelQuick},
    {{"thrown_natively", "!unconverged", 0.01, 50, thrown, NULL}, ModelNative},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

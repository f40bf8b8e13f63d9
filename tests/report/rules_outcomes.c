/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/report/rules_outcomes.c: steps that are refused, contacts that chatter, energy that ERP or the gyroscopic
 * torque gives, and poses and stops that a program sets: models with the fault and models that look like them. */
#include <math.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first, second;
static dJointID joint;

static void noGravity(void)
{
    dWorldSetGravity(world, 0, 0, 0);
}

/* ---- refused steps ---------------------------------------------------------------------------------------------------- */

static void falls(void)
{
    first = box(1, 0.3, 0.2, 0.1, 0, 0, 3);
}
static void pushWithNan(int step)
{
    if (step >= 20) dBodyAddForce(first, NAN, 0, 0);
}
static void spinWithInfinity(int step)
{
    if (step == 20) dBodySetAngularVel(first, 0, INFINITY, 0);
}
static void restsOnGround(void)
{
    ground();
    first = box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
}
static void directionOfNan(void)
{
    restsOnGround();
    surface.surface.mode = dContactFDir1;
    surface.fdir1[0] = NAN;
}
/* a rope of light links with a heavy end, under rk4: the step is too long */
static void heavyRope(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 12; i++) {
        const dBodyID link = box(0.05, 0.25, 0.05, 0.05, 0.125 + 0.25 * i, 0, 0);
        ballJoint(link, last, 0.25 * i, 0, 0);
        last = link;
    }
    ballJoint(last, ball(200, 0.25, 3.25, 0, 0), 3, 0, 0);
}
static void pushHard(int step)
{
    (void)step;
    dBodyAddForce(first, 1e6, 0, 0);
}
static void pushNothing(int step)
{
    (void)step;
    dBodyAddForce(first, 0, 0, 0);
}
static void directionOfZero(void)
{
    restsOnGround();
    surface.fdir1[0] = NAN; /* the mode does not use it */
}
static void lightRope(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 6; i++) {
        const dBodyID link = box(1, 0.25, 0.05, 0.05, 0.125 + 0.25 * i, 0, 0);
        ballJoint(link, last, 0.25 * i, 0, 0);
        last = link;
    }
}

/* two motors of infinite force about one axis, which contradict each other */
static void motorsAbout(double speed)
{
    first = box(1, 1, 0.1, 0.1, 0.5, 0, 0);
    for (int i = 0; i < 2; i++) {
        joint = hinge(first, 0, 0, 0, 0, 0, 1, 0);
        dJointSetHingeParam(joint, dParamVel, i ? speed : 1);
        dJointSetHingeParam(joint, dParamFMax, dInfinity);
    }
}
static void motorsAgree(void)
{
    motorsAbout(1);
}

/* ---- chatter ---------------------------------------------------------------------------------------------------------- */

static void chatters(void)
{
    restsOnGround();
    collide_each = 2;
}
static void ballChatters(void)
{
    ground();
    first = ball(2, 0.2, 0, 0, 0.2);
    collide_each = 2;
}
static void rowChatters(void)
{
    ground();
    for (int i = 0; i < 3; i++) box(1, 0.3, 0.3, 0.3, 0.5 * i, 0, 0.15);
    collide_each = 3;
}
static void bounces(void)
{
    ground();
    first = ball(1, 0.1, 0, 0, 1);
    surface.surface.mode = dContactBounce | dContactApprox1;
    surface.surface.bounce = 0.8;
    surface.surface.bounce_vel = 0.2;
}
static void rolls(void)
{
    ground();
    dWorldSetContactSurfaceLayer(world, 1e-3);
    first = ball(1, 0.1, 0, 0, 0.1);
    dBodySetLinearVel(first, 1, 0, 0);
    dBodySetAngularVel(first, 0, 10, 0);
    surface.surface.mode = dContactApprox1;
}
/* taken up and put down, again and again */
static void upAndDown(int step)
{
    dBodyAddForce(first, 0, 0, step % 100 < 50 ? 14 : 0);
}
static void sleeps(void)
{
    restsOnGround();
    dWorldSetAutoDisableFlag(world, 1);
    dWorldSetAutoDisableSteps(world, 5);
}
static void hopsBetweenWalls(void)
{
    noGravity();
    dCreatePlane(space, 1, 0, 0, -1);
    dCreatePlane(space, -1, 0, 0, -1);
    first = ball(1, 0.1, 0, 0, 0);
    dBodySetLinearVel(first, 5, 0, 0);
    surface.surface.mode = dContactBounce;
    surface.surface.bounce = 1;
}

/* ---- energy of ERP, and of the gyroscopic torque
 * ---------------------------------------------------------------------- */

static void chain(int count, double erp)
{
    dBodyID last = 0;
    for (int i = 0; i < count; i++) {
        const dBodyID link = box(1, 0.4, 0.05, 0.05, 0.2 + 0.4 * i, 0, 0);
        hinge(link, last, 0.4 * i, 0, 0, 0, 1, 0);
        last = link;
    }
    dWorldSetERP(world, erp);
    first = last;
}
/* an ERP that corrects more than the error */
static void overshoots(int count, double erp)
{
    noGravity();
    chain(count, erp);
    dBodySetLinearVel(first, 0, 0, 0.3);
}
static void twoOvershoot(void)
{
    overshoots(2, 2.2);
}
static void threeOvershoot(void)
{
    overshoots(3, 2.15);
}
static void fourOvershoot(void)
{
    overshoots(4, 2.1);
}
/* open at the start: ERP gives what it then takes, and the joint at the start is the fault */
static void closesOne(void)
{
    noGravity();
    first = box(1, 0.5, 0.05, 0.05, 0.25, 0, 0);
    ballJoint(first, 0, 0, 0, 0);
    dBodySetPosition(first, 0.35, 0, 0);
}
static void closesHinge(void)
{
    noGravity();
    first = box(1, 0.5, 0.05, 0.05, 0.25, 0, 0);
    second = box(2, 0.5, 0.1, 0.1, 0.75, 0, 0);
    hinge(first, second, 0.5, 0, 0, 0, 1, 0);
    dBodySetPosition(second, 0.9, 0, 0);
}
static void closedChain(void)
{
    chain(2, 0.2);
}
/* a motor that brings a joint back, not ERP */
static void bringsBack(void)
{
    noGravity();
    first = box(1, 0.2, 0.2, 0.2, 1, 0, 0);
    joint = dJointCreateSlider(world, 0);
    dJointAttach(joint, first, 0);
    dJointSetSliderAxis(joint, 1, 0, 0);
    dJointSetSliderParam(joint, dParamVel, -1);
    dJointSetSliderParam(joint, dParamFMax, 10);
}
/* tumbles about its middle axis; the discrete gyroscopic torque of a long step takes energy, or gives it */
static void tumbles(double rate)
{
    noGravity();
    first = box(2, 0.6, 0.3, 0.06, 0, 0, 0);
    dBodySetAngularVel(first, 0.05 * rate, rate, 0.02 * rate);
}
static void tumblesFast(void)
{
    tumbles(20);
}
static void tumblesFaster(void)
{
    tumbles(40);
}
static void plateTumbles(void)
{
    noGravity();
    first = box(1, 0.5, 0.4, 0.02, 0, 0, 0);
    dBodySetAngularVel(first, 15, 1, 15);
}
static void tumblesSlowly(void)
{
    tumbles(0.5);
}
static void modeOff(void)
{
    tumblesFast();
    dBodySetGyroscopicMode(first, 0);
}
static void aboutPrincipalAxis(void)
{
    noGravity();
    first = box(2, 0.6, 0.3, 0.06, 0, 0, 0);
    dBodySetAngularVel(first, 0, 0, 30);
}
static void ballSpins(void)
{
    noGravity();
    first = ball(2, 0.3, 0, 0, 0);
    dBodySetAngularVel(first, 10, 20, 30);
}
static void pendulum(void)
{
    first = box(1, 0.05, 0.05, 0.6, 0.2, 0, 0);
    hinge(first, 0, 0, 0, 0.3, 0, 1, 0);
}

/* without work by cause: of ODE's own steps */
static void pendulumThatWhips(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 3; i++) {
        const dBodyID link = box(1, 0.4, 0.05, 0.05, 0.2 + 0.4 * i, 0, 0);
        ballJoint(link, last, 0.4 * i, 0, 0);
        last = link;
    }
}
static void doublePendulum(void)
{
    first = box(1, 0.5, 0.05, 0.05, 0.25, 0, 0);
    hinge(first, 0, 0, 0, 0, 0, 1, 0);
    hinge(box(1, 0.5, 0.05, 0.05, 0.75, 0, 0), first, 0.5, 0, 0, 0, 1, 0);
}
static void driven(void)
{
    first = box(1, 0.5, 0.05, 0.05, 0.25, 0, 0);
    joint = hinge(first, 0, 0, 0, 0, 0, 1, 0);
    dJointSetHingeParam(joint, dParamVel, 5);
    dJointSetHingeParam(joint, dParamFMax, 20);
}
static void hangs(void)
{
    first = box(1, 0.05, 0.05, 0.6, 0, 0, -0.3);
    hinge(first, 0, 0, 0, 0, 0, 1, 0);
}

/* ---- stops, motors and poses that a program sets
 * ---------------------------------------------------------------------- */

static void stops(double lo, double hi, double speed, double force)
{
    first = box(1, 0.5, 0.05, 0.05, 0.25, 0, 0);
    joint = hinge(first, 0, 0, 0, 0, 0, 1, 0);
    dJointSetHingeParam(joint, dParamLoStop, lo);
    dJointSetHingeParam(joint, dParamHiStop, hi);
    dJointSetHingeParam(joint, dParamVel, speed);
    dJointSetHingeParam(joint, dParamFMax, force);
}
static void ordinaryStops(void)
{
    stops(-0.5, 0.5, 0, 0);
}
static void oneStop(void)
{
    stops(-dInfinity, 0.5, 0, 0);
}
static void lockOfStops(void)
{
    stops(0, 0, 0, 0);
}
static void lockWithSpeed(void)
{
    stops(0, 0, 1, 0);
}
static void motorWithStops(void)
{
    stops(-0.5, 0.5, 1, 10);
}

/* a car at rest on wheels without suspension: its anchors are apart by rounding */
static void carAtRest(void)
{
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    ground();
    first = box(100, 2, 1, 0.2, 0.1, 0.2, 0.7);
    for (int i = 0; i < 4; i++) {
        const double x = i % 2 ? 0.9 : -0.7, y = i / 2 ? 0.8 : -0.4;
        joint = dJointCreateHinge2(world, 0);
        dJointAttach(joint, first, ball(5, 0.3, x, y, 0.3));
        dJointSetHinge2Anchor(joint, x, y, 0.3);
        dJointSetHinge2Axes(joint, up, across);
        dJointSetHinge2Param(joint, dParamLoStop, 0);
        dJointSetHinge2Param(joint, dParamHiStop, 0);
    }
    surface.surface.mode = dContactApprox1;
}

static void pair(void)
{
    noGravity();
    first = box(1, 0.4, 0.3, 0.2, 0, 0, 0);
    second = box(1, 0.4, 0.3, 0.2, 1, 0, 0);
    ballJoint(first, second, 0.5, 0, 0);
}
static void pairAndFree(void)
{
    pair();
    first = box(1, 0.2, 0.2, 0.2, 5, 0, 0);
}
static void moveBoth(int step)
{
    if (step != 50) return;
    const dBodyID both[] = {first, second};
    for (int i = 0; i < 2; i++) {
        const dReal *x = dBodyGetPosition(both[i]);
        dBodySetPosition(both[i], x[0], x[1] + 2, x[2]);
    }
}
static void moveFree(int step)
{
    if (step == 50) dBodySetPosition(first, 5, 3, 0);
}
static void setSame(int step)
{
    const dReal *const x = dBodyGetPosition(second);
    if (step == 50) dBodySetPosition(second, x[0], x[1], x[2]);
}
static void setVelocity(int step)
{
    if (step == 50) dBodySetLinearVel(second, 0, 1, 0);
}
/* a limb is thrown: what its joint does not allow is lost in one step of any length */
static void throwLimb(int step)
{
    if (step == 20) dBodySetLinearVel(second, 0, 3, 1);
}
static void throwAgain(int step)
{
    if (step % 20 == 10) dBodySetLinearVel(second, 0, step % 40 == 10 ? 3 : -3, 1);
}
static void hingedPair(void)
{
    noGravity();
    first = box(1, 0.4, 0.3, 0.2, 0, 0, 0);
    second = box(1, 0.4, 0.3, 0.2, 1, 0, 0);
    hinge(first, second, 0.5, 0, 0, 0, 1, 0);
}
static void throwOnce(int step)
{
    if (step == 20) dBodySetLinearVel(first, 0.1, 0, 0);
}
static void setHair(int step)
{
    const dReal *const x = dBodyGetPosition(second);
    if (step == 50) dBodySetPosition(second, x[0], x[1] + 1e-4, x[2]);
}

const RuleModel outcome_models[] = {
    {{"force_of_nan", "+refused", 0.01, 40, falls, pushWithNan}, 0},
    {{"spin_of_infinity", "+refused", 0.01, 40, falls, spinWithInfinity}, 0},
    {{"direction_of_nan", "+refused", 0.01, 40, directionOfNan, NULL}, 0},
    {{"heavy_rope_under_rk4", "+refused", 0.02, 100, heavyRope, NULL}, ModelRk4},
    {{"hard_push", "!refused", 0.01, 40, falls, pushHard}, 0},
    {{"push_of_nothing", "!refused", 0.01, 40, falls, pushNothing}, 0},
    {{"unused_direction_of_nan", "!refused", 0.01, 40, directionOfZero, NULL}, 0},
    {{"light_rope_under_rk4", "!refused", 0.01, 100, lightRope, NULL}, ModelRk4},
    {{"hard_push_under_rk4", "!refused", 0.01, 40, falls, pushHard}, ModelRk4},
    {{"motors_that_agree", "!conflict", 0.01, 40, motorsAgree, NULL}, 0},
    {{"chatters_at_every_second_step", "+contact_flickers", 0.01, 200, chatters, NULL}, 0},
    {{"ball_chatters", "+contact_flickers", 0.01, 200, ballChatters, NULL}, 0},
    {{"row_chatters", "+contact_flickers", 0.01, 200, rowChatters, NULL}, 0},
    {{"bounces_on", "!contact_flickers", 0.01, 300, bounces, NULL}, 0},
    {{"rolls_on", "!contact_flickers", 0.01, 200, rolls, NULL}, 0},
    {{"up_and_down", "!contact_flickers", 0.01, 500, restsOnGround, upAndDown}, 0},
    {{"falls_asleep", "!contact_flickers", 0.01, 100, sleeps, NULL}, 0},
    {{"hops_between_walls", "!contact_flickers", 0.01, 200, hopsBetweenWalls, NULL}, 0},
    {{"two_overshoot", "+energy_stabilization", 0.02, 400, twoOvershoot, NULL}, 0},
    {{"three_overshoot", "+energy_stabilization", 0.02, 400, threeOvershoot, NULL}, 0},
    {{"four_overshoot", "+energy_stabilization", 0.02, 200, fourOvershoot, NULL}, 0},
    {{"open_ball_is_closed", "!energy_integration", 0.01, 100, closesOne, NULL}, 0},
    {{"open_hinge_is_closed", "!energy_integration", 0.01, 100, closesHinge, NULL}, 0},
    {{"closed_chain", "!energy_stabilization", 0.01, 100, closedChain, NULL}, 0},
    {{"motor_brings_back", "!energy_stabilization", 0.01, 100, bringsBack, NULL}, 0},
    {{"limb_is_thrown", "!energy_integration", 0.01, 60, pair, throwLimb}, 0},
    {{"limb_on_a_hinge_is_thrown", "!energy_integration", 0.01, 60, hingedPair, throwLimb}, 0},
    {{"limb_is_thrown_again", "!energy_integration", 0.01, 100, hingedPair, throwAgain}, 0},
    {{"whip_that_is_pushed_once", "+energy_integration", 0.02, 300, doublePendulum, throwOnce}, 0},
    {{"tumbles_fast", "+energy_gyroscopic", 0.02, 500, tumblesFast, NULL}, 0},
    {{"tumbles_faster", "+energy_gyroscopic", 0.01, 500, tumblesFaster, NULL}, 0},
    {{"plate_tumbles", "+energy_gyroscopic", 0.02, 500, plateTumbles, NULL}, 0},
    {{"tumbles_slowly", "!energy_gyroscopic", 0.01, 500, tumblesSlowly, NULL}, 0},
    {{"tumbles_without_gyroscopic_torque", "!energy_gyroscopic", 0.01, 300, modeOff, NULL}, 0},
    {{"about_a_principal_axis", "!energy_gyroscopic", 0.01, 300, aboutPrincipalAxis, NULL}, 0},
    {{"ball_spins_about_any_axis", "!energy_gyroscopic", 0.01, 300, ballSpins, NULL}, 0},
    {{"pendulum_without_gyroscopic_torque", "!energy_gyroscopic", 0.01, 300, pendulum, NULL}, 0},
    {{"whip_of_three_natively", "+energy", 0.02, 200, pendulumThatWhips, NULL}, ModelNative},
    {{"double_pendulum_natively", "+energy", 0.02, 300, doublePendulum, NULL}, ModelNative},
    {{"driven_natively", "!energy", 0.01, 200, driven, NULL}, ModelNative},
    {{"hangs_natively", "!energy", 0.01, 200, hangs, NULL}, ModelNative},
    {{"bounces_natively", "!energy", 0.01, 300, bounces, NULL}, ModelNative},
    {{"car_at_rest", "!forces_not_collinear", 0.01, 200, carAtRest, NULL}, 0},
    {{"car_at_rest_natively", "!forces_not_collinear", 0.01, 200, carAtRest, NULL}, ModelNative},
    {{"ordinary_stops", "!idle_stop", 0.01, 50, ordinaryStops, NULL}, 0},
    {{"one_stop", "!idle_stop", 0.01, 50, oneStop, NULL}, 0},
    {{"lock_of_stops", "!idle_stop", 0.01, 50, lockOfStops, NULL}, 0},
    {{"lock_with_a_speed", "!idle_motor", 0.01, 50, lockWithSpeed, NULL}, 0},
    {{"motor_with_stops", "!idle_motor", 0.01, 50, motorWithStops, NULL}, 0},
    {{"moves_both", "!moved_apart", 0.008, 100, pair, moveBoth}, 0},
    {{"moves_a_free_body", "!moved_apart", 0.008, 100, pairAndFree, moveFree}, 0},
    {{"sets_the_same_pose", "!moved_apart", 0.008, 100, pair, setSame}, 0},
    {{"sets_a_velocity", "!moved_apart", 0.008, 100, pair, setVelocity}, 0},
    {{"sets_a_hair_aside", "!moved_apart", 0.008, 100, pair, setHair}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

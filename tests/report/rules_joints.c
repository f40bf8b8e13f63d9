/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints at their start: stops that are violated, anchors that are open, axes that miss each other, Euler angles; each
 * rule with models that have the fault and with others that look alike. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first, second;

static dJointID slider(dBodyID a, dBodyID b, double lo, double hi)
{
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, a, b);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamLoStop, lo);
    dJointSetSliderParam(j, dParamHiStop, hi);
    return j;
}

static void weightless(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    first = box(1, 0.4, 0.3, 0.2, 0, 0, 0);
}

/* ---- stops at the start ------------------------------------------------------------------------------------------ */

static void hingeBeyond(void)
{
    weightless();
    const dJointID j = hinge(first, 0, 0, 0, 0, 0, 0, 1);
    dJointSetHingeParam(j, dParamLoStop, 0.3);
    dJointSetHingeParam(j, dParamHiStop, 1);
}

/* attached the other way round */
static void sliderBeyond(void)
{
    weightless();
    slider(0, first, -0.5, -0.1);
}

static void universalBeyond(void)
{
    weightless();
    const dJointID j = dJointCreateUniversal(world, 0);
    dJointAttach(j, first, 0);
    dJointSetUniversalAnchor(j, 0, 0, 0);
    dJointSetUniversalAxis1(j, 1, 0, 0);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    dJointSetUniversalParam(j, dParamLoStop2, -1);
    dJointSetUniversalParam(j, dParamHiStop2, -0.2);
    dJointSetUniversalParam(j, dParamLoStop, -1);
    dJointSetUniversalParam(j, dParamHiStop, 1);
}

/* within its stops, and fast: beyond them after one step (gazebo-classic#2257) */
static void fastWithin(void)
{
    weightless();
    const dJointID j = hinge(first, 0, 0, 0, 0, 0, 0, 1);
    dJointSetHingeParam(j, dParamLoStop, -1);
    dJointSetHingeParam(j, dParamHiStop, 0.05);
    dBodySetAngularVel(first, 0, 0, 10);
}

/* lo = hi, no ERP: a damper, at whatever place */
static void damper(void)
{
    weightless();
    const dJointID j = slider(first, 0, 0, 0);
    dJointSetSliderParam(j, dParamStopERP, 0);
    dJointSetSliderParam(j, dParamStopCFM, 20);
    dBodySetPosition(first, 0.2, 0, 0);
    dBodySetLinearVel(first, 1, 0, 0);
}

/* lo = hi with a CFM: a spring and damper of 100 N/m and 5 N s/m, let go 0.1 m from its rest */
static void springLetGo(void)
{
    const double h = 0.01, k = 100, d = 5;
    weightless();
    const dJointID j = slider(first, 0, 0, 0);
    dBodySetPosition(first, 0.1, 0, 0);
    dJointSetSliderParam(j, dParamStopERP, h * k / (h * k + d));
    dJointSetSliderParam(j, dParamStopCFM, 1 / (h * k + d));
}

static void lockedAtRest(void)
{
    weightless();
    slider(first, 0, 0, 0);
    dBodySetLinearVel(first, 3, 0, 0);
}

/* made while its body turns, in the fiftieth step */
static void turning(void)
{
    weightless();
    dBodySetAngularVel(first, 0, 0, 9);
}
static void hingeLater(int step)
{
    if (step != 50) return;
    const dJointID j = hinge(first, 0, 0, 0, 0, 0, 0, 1);
    dJointSetHingeParam(j, dParamLoStop, -3);
    dJointSetHingeParam(j, dParamHiStop, 0.04);
}

/* ---- axes that miss each other
 * --------------------------------------------------------------------------------------- */

static dBodyID light(double mass, double inertia, double x, double y, double z)
{
    dMass m;
    const dBodyID b = dBodyCreate(world);
    dMassSetParameters(&m, mass, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, y, z);
    return b;
}

static void onOneAxis(double cfm)
{
    dWorldSetERP(world, 0.8);
    dWorldSetCFM(world, cfm);
    first = light(0.2, 0.1, 0, 0.04, 1);
    second = light(5.8, 1, 0, 0, 1.15);
    const dBodyID third = light(0.2, 0.1, 0, -0.04, 1);
    hinge(first, third, 0, 0, 1, 1, 0, 0);
    hinge(second, third, 0, 0, 1, 1, 0, 0);
    hinge(second, first, 0, 0, 1, 1, 0, 0);
}
/* three hinges of one axis to the bit, which a world's CFM lets yield within the first step */
static void softTriangle(void)
{
    onOneAxis(0.005);
}
static void rigidTriangle(void)
{
    onOneAxis(0);
}
static void torn(int step)
{
    (void)step;
    dBodyAddTorque(second, 400, 400, 0);
    dBodyAddForce(second, 400, 0, 0);
    dBodyAddForce(first, -400, 0, 0);
    dBodyAddTorque(first, -400, -400, 0);
}

static void door(double off, double askew, double cfm)
{
    dWorldSetCFM(world, cfm);
    first = box(20, 1, 0.04, 2, 0.5, 0, 1);
    hinge(first, 0, 0, 0, 0.2, 0, 0, 1);
    hinge(first, 0, 0, off, 1.8, sin(askew), 0, cos(askew));
    dBodySetAngularVel(first, 0, 0, 3);
    dBodySetLinearVel(first, 0, 1.5, 0);
}
static void doorOff(void)
{
    door(0.002, 0, 1e-10);
}
static void doorAskew(void)
{
    door(0, 0.002, 1e-10);
}
/* the other hinge is attached as (0, body) */
static void doorBackwards(void)
{
    first = box(20, 1, 0.04, 2, 0.5, 0, 1);
    hinge(first, 0, 0, 0, 0.2, 0, 0, 1);
    hinge(0, first, 0, 0.0015, 1.8, 0, 0, 1);
}
static void doorThatFits(void)
{
    door(0, 0, 1e-10);
}
static void doorOnRubber(void)
{
    door(0.002, 0, 1e-3);
}
/* a frame of four bars: hinges far apart, which are meant to be */
static void parallelogram(void)
{
    const dBodyID left = box(1, 0.05, 0.05, 0.4, 0, 0, 0.2), right = box(1, 0.05, 0.05, 0.4, 1, 0, 0.2);
    first = box(1, 1, 0.05, 0.05, 0.5, 0, 0.4);
    hinge(left, 0, 0, 0, 0, 0, 1, 0);
    hinge(right, 0, 1, 0, 0, 0, 1, 0);
    hinge(first, left, 0, 0, 0.4, 0, 1, 0);
    hinge(first, right, 1, 0, 0.4, 0, 1, 0);
}

/* ---- anchors that are open
 * ------------------------------------------------------------------------------------------- */

static void twoLinks(void)
{
    weightless();
    second = box(1, 0.4, 0.3, 0.2, 1, 0, 0);
    ballJoint(first, second, 0.5, 0, 0);
}
static void openBall(void)
{
    twoLinks();
    dBodySetPosition(second, 1, 0.02, 0);
}
/* the fault is the ball's; the spring beside it is meant to give way */
static void openBesideSpring(void)
{
    openBall();
    const dBodyID own = first;
    weightless();
    dBodySetPosition(first, 0, 5, 0);
    const dJointID j = slider(first, 0, 0, 0);
    dJointSetSliderParam(j, dParamStopCFM, 0.1);
    first = own;
}
static void laterOpen(int step)
{
    if (step != 30) return;
    const dJointID j = ballJoint(first, 0, 0, 0, 0);
    dJointSetBallAnchor2(j, 0, 0, 0.01);
}
/* fits, and is open after one step only because its bodies turn far */
static void turnsFar(void)
{
    twoLinks();
    dBodySetAngularVel(first, 0, 0, 20);
    dBodySetAngularVel(second, 0, 0, -20);
}
/* a ball joint that is a spring under load from the first step on */
static void preloaded(void)
{
    first = box(1, 0.4, 0.3, 0.2, 0, 0, 1);
    const dJointID j = ballJoint(first, 0, 0, 0, 1);
    dJointSetBallParam(j, dParamCFM, 0.05);
    dBodySetPosition(first, 0, 0, 0.98);
}

/* ---- poses that the program sets
 * --------------------------------------------------------------------------------------- */

static void setAside(int step)
{
    const dReal *x = dBodyGetPosition(second);
    if (step == 50) dBodySetPosition(second, x[0], x[1] + 0.1, x[2]);
}
static void setAsideAgain(int step)
{
    const dReal *x = dBodyGetPosition(second);
    if (step % 60 == 50) dBodySetPosition(second, x[0], x[1] + 0.1, x[2]);
}
static void fixedLinks(void)
{
    weightless();
    second = box(1, 0.4, 0.3, 0.2, 1, 0, 0);
    const dJointID j = dJointCreateFixed(world, 0);
    dJointAttach(j, first, second);
    dJointSetFixed(j);
}
static void setTurned(int step)
{
    dMatrix3 R;
    dRFromAxisAndAngle(R, 1, 0, 0, 0.1);
    if (step == 50) dBodySetRotation(second, R);
}

/* ---- Euler angles ------------------------------------------------------------------------------------------------------ */

/* a cylinder on a ball joint whose upright axis a motor is to hold (ODE's list, January 2005) */
static void upright(int mode, int axis, double stop)
{
    dMass m;
    dWorldSetGravity(world, 0, 0, 0);
    first = dBodyCreate(world);
    dMassSetCylinderTotal(&m, 1, 2, 0.2, 1);
    dBodySetMass(first, &m);
    const dJointID j = dJointCreateAMotor(world, 0);
    dJointAttach(j, first, 0);
    dJointSetAMotorMode(j, mode);
    if (mode == dAMotorUser) dJointSetAMotorNumAxes(j, 2);
    dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, mode == dAMotorUser ? 1 : 2, mode == dAMotorUser ? 1 : 2, 0, 0, 1);
    const int last = mode == dAMotorUser ? dParamGroup : 2 * dParamGroup;
    dJointSetAMotorParam(j, dParamLoStop, -stop);
    dJointSetAMotorParam(j, dParamHiStop, stop);
    dJointSetAMotorParam(j, dParamLoStop + last, -stop);
    dJointSetAMotorParam(j, dParamHiStop + last, stop);
    ballJoint(first, 0, 0, -0.5, 0);
    dBodySetAngularVel(first, 0, axis == 1 ? 2 : 0, axis == 2 ? 0.2 : 0);
}
static void eulerSpins(void)
{
    upright(dAMotorEuler, 1, 0.01);
}
static void eulerWide(void)
{
    upright(dAMotorEuler, 1, 0.3);
}
static void eulerDriven(void)
{
    upright(dAMotorEuler, 1, dInfinity);
    for (int i = 0; i < 3; i += 2) dJointSetAMotorParam(dBodyGetJoint(first, 1), dParamFMax + i * dParamGroup, 5);
}
static void userSpins(void)
{
    upright(dAMotorUser, 1, 0.3);
}
static void eulerFree(void)
{
    upright(dAMotorEuler, 1, dInfinity);
}
static void eulerTurnsLittle(void)
{
    upright(dAMotorEuler, 2, 0.4);
}
/* a body turned by `angle` about axis 0 of its AMotor, from where that was set, with stops at -stop, stop */
static void turnedOnMotor(int mode, bool second, double angle, double stop, double rate)
{
    dMass m;
    dQuaternion q;
    dWorldSetGravity(world, 0, 0, 0);
    first = dBodyCreate(world);
    dMassSetBoxTotal(&m, 1, 0.2, 0.3, 0.4);
    dBodySetMass(first, &m);
    const dJointID j = dJointCreateAMotor(world, 0);
    dJointAttach(j, second ? 0 : first, second ? first : 0);
    dJointSetAMotorMode(j, mode);
    if (mode == dAMotorUser) dJointSetAMotorNumAxes(j, 1);
    dJointSetAMotorAxis(j, 0, mode == dAMotorUser ? 0 : 1, 1, 0, 0);
    if (mode == dAMotorEuler) dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(j, dParamLoStop, -stop);
    dJointSetAMotorParam(j, dParamHiStop, stop);
    if (mode == dAMotorUser) dJointSetAMotorAngle(j, 0, angle);
    dQFromAxisAndAngle(q, 1, 0, 0, angle);
    dBodySetQuaternion(first, q);
    dBodySetAngularVel(first, rate, 0, 0);
}
static void eulerBeyond(void)
{
    turnedOnMotor(dAMotorEuler, false, 0.5, 0.2, 0);
}
static void eulerBeyondSecond(void)
{
    turnedOnMotor(dAMotorEuler, true, 0.5, 0.2, 0);
}
static void userBeyond(void)
{
    turnedOnMotor(dAMotorUser, false, 0.5, 0.2, 0);
}
static void eulerWithin(void)
{
    turnedOnMotor(dAMotorEuler, false, 0.19, 0.2, 0);
}
static void eulerFastWithin(void)
{
    turnedOnMotor(dAMotorEuler, false, 0.19, 0.2, 20);
}
static void eulerTurnedFree(void)
{
    turnedOnMotor(dAMotorEuler, false, 0.5, dInfinity, 0);
}
static void userWithin(void)
{
    turnedOnMotor(dAMotorUser, false, 0.19, 0.2, 0);
}
static void nod(int step)
{
    dBodyAddTorque(first, 0, step < 300 ? 0.02 * cos(0.02 * step) : 0, 0);
}
static void pushedTop(int step)
{
    if (step < 100) dBodyAddForceAtRelPos(first, 3, 0, 1, 0, 0.5, 0);
}
static void hingeUpright(void)
{
    weightless();
    hinge(first, 0, 0, 0, 0, 0, 1, 0);
    dBodySetAngularVel(first, 0, 2, 0);
}

const RuleModel joint_models[] = {
    {{"stop_of_a_hinge", "+limit_at_start", 0.01, 100, hingeBeyond, NULL}, 0},
    {{"stop_of_a_slider_backwards", "+limit_at_start", 0.01, 100, sliderBeyond, NULL}, 0},
    {{"stop_of_a_universal_axis_2", "+limit_at_start", 0.01, 100, universalBeyond, NULL}, 0},
    {{"stop_of_a_hinge_natively", "+limit_at_start", 0.01, 100, hingeBeyond, NULL}, ModelNative},
    {{"euler_motor_beyond", "+limit_at_start", 0.01, 100, eulerBeyond, NULL}, 0},
    {{"euler_motor_beyond_second_body", "+limit_at_start", 0.01, 100, eulerBeyondSecond, NULL}, 0},
    {{"euler_motor_beyond_natively", "+limit_at_start", 0.01, 100, eulerBeyond, NULL}, ModelNative},
    {{"user_motor_beyond", "+limit_at_start", 0.01, 100, userBeyond, NULL}, 0},
    {{"euler_motor_within", "!limit_at_start", 0.01, 100, eulerWithin, NULL}, 0},
    {{"euler_motor_fast_within", "!limit_at_start", 0.01, 100, eulerFastWithin, NULL}, 0},
    {{"euler_motor_turned_free", "!limit_at_start", 0.01, 100, eulerTurnedFree, NULL}, 0},
    {{"user_motor_within", "!limit_at_start", 0.01, 100, userWithin, NULL}, 0},
    {{"fast_within_its_stops", "!limit_at_start", 0.01, 100, fastWithin, NULL}, 0},
    {{"damper_of_equal_stops", "!limit_at_start", 0.01, 100, damper, NULL}, 0},
    {{"spring_of_equal_stops", "!limit_at_start", 0.01, 100, springLetGo, NULL}, 0},
    {{"locked_slider_that_is_hit", "!limit_at_start", 0.01, 100, lockedAtRest, NULL}, 0},
    {{"stop_made_while_it_turns", "!limit_at_start", 0.01, 100, turning, hingeLater}, 0},
    {{"soft_hinges_stops", "!limit_at_start", 0.005, 200, softTriangle, torn}, 0},
    {{"door_off", "+joints_misfit", 0.01, 100, doorOff, NULL}, 0},
    {{"door_askew", "+joints_misfit", 0.01, 100, doorAskew, NULL}, 0},
    {{"door_attached_backwards", "+joints_misfit", 0.01, 100, doorBackwards, NULL}, 0},
    {{"soft_hinges_axes", "!joints_misfit", 0.005, 200, softTriangle, torn}, 0},
    {{"rigid_hinges_axes", "!joints_misfit", 0.005, 200, rigidTriangle, torn}, 0},
    {{"door_that_fits", "!joints_misfit", 0.01, 100, doorThatFits, NULL}, 0},
    {{"door_on_rubber", "!joints_misfit", 0.01, 100, doorOnRubber, NULL}, 0},
    {{"parallelogram", "!joints_misfit", 0.005, 100, parallelogram, NULL}, 0},
    {{"soft_hinges_turn_far", "!stiff_spring", 0.005, 200, softTriangle, torn}, 0},
    {{"soft_hinges_redundant", "!redundant_joints", 0.005, 200, softTriangle, torn}, 0},
    {{"open_ball", "+gap_at_start", 0.01, 50, openBall, NULL}, 0},
    {{"open_beside_a_spring", "+gap_at_start", 0.01, 50, openBesideSpring, NULL}, 0},
    {{"made_open_later", "+gap_at_start", 0.01, 100, twoLinks, laterOpen}, 0},
    {{"open_ball_natively", "+gap_at_start", 0.01, 50, openBall, NULL}, ModelNative},
    {{"turns_far_in_a_step", "!gap_at_start", 0.01, 50, turnsFar, NULL}, 0},
    {{"preloaded_spring", "!gap_at_start", 0.01, 50, preloaded, NULL}, 0},
    {{"set_aside_later", "!gap_at_start", 0.01, 150, twoLinks, setAside}, 0},
    {{"made_while_it_turns", "!gap_at_start", 0.01, 100, turning, hingeLater}, 0},
    {{"soft_hinges_gap", "!gap_at_start", 0.005, 200, softTriangle, torn}, 0},
    {{"set_aside", "!drift", 0.008, 350, twoLinks, setAside}, 0},
    {{"set_aside_again_and_again", "!drift", 0.008, 350, twoLinks, setAsideAgain}, 0},
    {{"set_turned", "!drift", 0.008, 350, fixedLinks, setTurned}, 0},
    {{"set_aside_is_told", "+moved_apart", 0.008, 350, twoLinks, setAside}, 0},
    {{"set_turned_is_told", "+moved_apart", 0.008, 350, fixedLinks, setTurned}, 0},
    {{"set_aside_often_is_told", "+moved_apart", 0.008, 350, twoLinks, setAsideAgain}, 0},
    {{"euler_angles_spin", "+amotor_singular", 0.01, 300, eulerSpins, pushedTop}, ModelNative},
    {{"euler_angles_driven", "+amotor_singular", 0.01, 300, eulerDriven, NULL}, 0},
    {{"euler_angles_held", "!amotor_singular", 0.01, 300, eulerSpins, pushedTop}, 0},
    {{"euler_angles_wide_stops", "!amotor_singular", 0.01, 300, eulerWide, pushedTop}, 0},
    {{"euler_angles_natively", "+amotor_singular", 0.01, 200, eulerWide, pushedTop}, ModelNative},
    {{"user_angles_spin", "!amotor_singular", 0.01, 300, userSpins, NULL}, 0},
    {{"euler_angles_without_stops", "!amotor_singular", 0.01, 300, eulerFree, NULL}, 0},
    {{"euler_angles_turn_little", "!amotor_singular", 0.01, 300, eulerTurnsLittle, NULL}, 0},
    {{"euler_angles_nod", "!amotor_singular", 0.01, 300, eulerTurnsLittle, nod}, 0},
    {{"hinge_spins", "!amotor_singular", 0.01, 300, hingeUpright, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

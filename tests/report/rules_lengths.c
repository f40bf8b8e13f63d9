/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/report/rules_lengths.c: steps that are long for the motion, motors of joints with several axes, bodies that
 * seem not to fit, chains that seem misaligned: models with the fault and models that look like them. */
#include <math.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first, second;

/* ---- rotation and way per step ----------------------------------------------------------------------------------- */

static void noGravity(void)
{
    dWorldSetGravity(world, 0, 0, 0);
}
/* no two of its moments are equal */
static void boxSpins(void)
{
    noGravity();
    dBodySetAngularVel(box(2, 0.6, 0.4, 0.2, 0, 0, 0), 60, 3, 0);
}
static void ballSpins(void)
{
    noGravity();
    dBodySetAngularVel(ball(2, 0.2, 0, 0, 0), 40, 50, 60);
}
static dBodyID disc(double px)
{
    dMass m;
    const dBodyID b = dBodyCreate(world);
    dMassSetCylinderTotal(&m, 3, 1, 0.2, 0.05);
    dBodySetMass(b, &m);
    dBodySetPosition(b, px, 0, 1);
    return b;
}
/* on an axle through its centre */
static void rotor(void)
{
    first = disc(0);
    const dJointID axle = hinge(first, 0, 0, 0, 1, 1, 0, 0);
    dJointSetHingeParam(axle, dParamVel, 90);
    dJointSetHingeParam(axle, dParamFMax, 5);
}
/* on an axle beside its centre */
static void eccentric(void)
{
    first = disc(0);
    dBodySetAngularVel(first, 70, 0, 0);
    dBodySetLinearVel(first, 0, -7, 0); /* of the centre about the axle */
    hinge(first, 0, 0, 0, 0.9, 1, 0, 0);
}
/* an axle that turns itself: a gyroscope */
static void gyroscope(void)
{
    noGravity();
    first = disc(0);
    second = box(0.5, 0.3, 0.02, 0.02, 0, 0, 1);
    hinge(first, second, 0, 0, 1, 1, 0, 0);
    hinge(second, 0, 0, 0, 1, 0, 0, 1);
    dBodySetAngularVel(first, 80, 0, 4);
    dBodySetAngularVel(second, 0, 0, 4);
}
/* an AMotor at its singularity throws its body: no shorter step of the model's own motion is needed */
static void singularMotor(void)
{
    noGravity();
    first = box(1, 0.3, 0.2, 0.1, 0, 0, 1);
    ballJoint(first, 0, 0, 0, 0.9);
    const dJointID j = dJointCreateAMotor(world, 0);
    dJointAttach(j, first, 0);
    dJointSetAMotorMode(j, dAMotorEuler);
    dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(j, dParamLoStop, 0);
    dJointSetAMotorParam(j, dParamHiStop, 0);
    dJointSetAMotorParam(j, dParamLoStop3, 0);
    dJointSetAMotorParam(j, dParamHiStop3, 0);
    dBodySetAngularVel(first, 0, 2, 0);
}

/* a bar of 1 m, thrown along its length or across it, beside a box that rests */
static void bar(double length_wise, double across)
{
    ground();
    box(1, 0.4, 0.4, 0.2, 5, 5, 0.1);
    first = box(1, 1, 0.05, 0.05, 0, 0, 5);
    dBodySetLinearVel(first, length_wise, across, 0);
}
static void barEndFirst(void)
{
    bar(20, 0);
}
static void barAcross(void)
{
    bar(0, 20);
}
static void barTooFast(void)
{
    bar(120, 0);
}
/* a capsule, turned by its geometry's own offset: z is its length, here along x of the body */
static void capsule(double vx, double vy)
{
    dMass m;
    dMatrix3 R;
    ground();
    box(1, 0.4, 0.4, 0.2, 5, 5, 0.1);
    first = dBodyCreate(world);
    dMassSetCapsuleTotal(&m, 1, 1, 0.05, 1);
    dBodySetMass(first, &m);
    dBodySetPosition(first, 0, 0, 5);
    const dGeomID g = dCreateCapsule(space, 0.05, 1);
    dGeomSetBody(g, first);
    dRFromAxisAndAngle(R, 0, 1, 0, 1.5707963267948966);
    dGeomSetOffsetRotation(g, R);
    dBodySetLinearVel(first, vx, vy, 0);
}
static void capsuleEndFirst(void)
{
    capsule(30, 0);
}
static void capsuleAcross(void)
{
    capsule(0, 30);
}

/* ---- motors of several axes -------------------------------------------------------------------------------------- */

/* the steering's motor is strong, the wheel's drives against a brake of `load` */
static dJointID wheel;
static void driven(double force)
{
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    noGravity();
    first = box(100, 2, 1, 0.5, 0, 0, 1);
    second = ball(5, 0.3, 0.8, 0.6, 0.8);
    wheel = dJointCreateHinge2(world, 0);
    dJointAttach(wheel, first, second);
    dJointSetHinge2Anchor(wheel, 0.8, 0.6, 0.8);
    dJointSetHinge2Axes(wheel, up, across);
    dJointSetHinge2Param(wheel, dParamFMax1, 1000);
    dJointSetHinge2Param(wheel, dParamFMax2, force);
    dJointSetHinge2Param(wheel, dParamVel2, 20);
}
static void weakWheel(void)
{
    driven(2);
}
static void strongWheel(void)
{
    driven(60);
}
/* the brake is on the wheel, and a lock keeps the car from turning instead */
static void brake(int step)
{
    (void)step;
    const dReal *const w = dBodyGetAngularVel(second);
    dBodyAddTorque(second, 0, w[1] > 0 ? -fmin(3, 10 * w[1]) : 0, 0);
    dBodySetLinearVel(first, 0, 0, 0);
    dBodySetAngularVel(first, 0, 0, 0);
}

static void lift(int type, double force)
{
    first = box(10, 0.3, 0.3, 0.3, 0, 0, 1);
    dJointID j = 0;
    switch (type) {
    case 0:
        j = dJointCreatePiston(world, 0);
        dJointAttach(j, first, 0);
        dJointSetPistonAnchor(j, 0, 0, 1);
        dJointSetPistonAxis(j, 0, 0, 1);
        dJointSetPistonParam(j, dParamVel, 1);
        dJointSetPistonParam(j, dParamFMax, force);
        break;
    case 1:
        j = dJointCreatePR(world, 0);
        dJointAttach(j, first, 0);
        dJointSetPRAnchor(j, 0, 0, 1);
        dJointSetPRAxis1(j, 0, 0, 1);
        dJointSetPRAxis2(j, 1, 0, 0);
        dJointSetPRParam(j, dParamVel, 1);
        dJointSetPRParam(j, dParamFMax, force);
        break;
    default:
        j = dJointCreateLMotor(world, 0);
        dJointAttach(j, first, 0);
        dJointSetLMotorNumAxes(j, 1);
        dJointSetLMotorAxis(j, 0, 0, 0, 0, 1);
        dJointSetLMotorParam(j, dParamVel, 1);
        dJointSetLMotorParam(j, dParamFMax, force);
    }
}
static void weakPiston(void)
{
    lift(0, 60);
}
static void weakPR(void)
{
    lift(1, 60);
}
static void weakLMotor(void)
{
    lift(2, 60);
}
static void strongPiston(void)
{
    lift(0, 150);
}
static void strongPR(void)
{
    lift(1, 150);
}
static void strongLMotor(void)
{
    lift(2, 150);
}
/* ---- unlimited friction in corners: the body fits
 * --------------------------------------------------------------------- */

/* rolls at 3 m/s against a wall, or a step (ODE's manual: bodies get stuck between geoms) */
static void rollsAgainst(double mu)
{
    ground();
    dCreatePlane(space, -1, 0, 0, -1);
    first = ball(1, 0.3, 0, 0, 0.3);
    dBodySetLinearVel(first, 3, 0, 0);
    dBodySetAngularVel(first, 0, 10, 0);
    surface.surface.mu = mu;
    dWorldSetContactSurfaceLayer(world, 1e-3);
}
static void rollsAgainstWall(void)
{
    rollsAgainst(dInfinity);
}
static void rollsAgainstStep(void)
{
    ground();
    dGeomSetPosition(dCreateBox(space, 20, 10, 0.06), 10.7, 0, 0.03);
    first = ball(1, 0.3, 0, 0, 0.3);
    dBodySetLinearVel(first, 3, 0, 0);
    dBodySetAngularVel(first, 0, 10, 0);
    surface.surface.mu = dInfinity;
}
static void dropsIntoV(void)
{
    dCreatePlane(space, 0.5, 0, 0.8660254037844386, 0);
    dCreatePlane(space, -0.5, 0, 0.8660254037844386, 0);
    first = ball(1, 0.3, 0, 0, 0.6);
    dBodySetAngularVel(first, 0, 20, 3);
    surface.surface.mu = dInfinity;
}
/* unlimited friction, and too narrow */
static void tooNarrow(void)
{
    ground();
    dCreatePlane(space, 1, 0, 0, -0.18);
    dCreatePlane(space, -1, 0, 0, -0.18);
    ball(1, 0.2, 0, 0, 0.2);
    surface.surface.mu = dInfinity;
}

/* ---- long chains ------------------------------------------------------------------------------------------------------ */

static void links(int count, double radius) /* radius 0: straight, hung up at one end; else a closed ring */
{
    dBodyID last = 0, begin = 0;
    for (int i = 0; i < count; i++) {
        const double a = 2 * 3.141592653589793 * i / count, b = 2 * 3.141592653589793 * (i + 1) / count;
        const double x0 = radius > 0 ? radius * cos(a) : 0.25 * i, z0 = radius > 0 ? radius * sin(a) : 0;
        const double x1 = radius > 0 ? radius * cos(b) : 0.25 * (i + 1), z1 = radius > 0 ? radius * sin(b) : 0;
        const dBodyID link = box(0.05, 0.25, 0.05, 0.05, 0.5 * (x0 + x1), 0, 0.5 * (z0 + z1));
        if (last || radius == 0) ballJoint(link, last, x0, 0, z0);
        if (!begin) begin = link;
        last = link;
    }
    if (radius > 0)
        ballJoint(last, begin, radius, 0, 0);
    else
        ballJoint(last, ball(200, 0.25, 0.25 * count + 0.25, 0, 0), 0.25 * count, 0, 0);
}
static void longChain(void)
{
    noGravity(); /* it stays straight: its pose is as nearly singular later as at the start */
    links(30, 0);
}
static void longRing(void)
{
    noGravity();
    links(30, 1.2);
}
static void chainOfHinges(void)
{
    dBodyID last = 0;
    noGravity();
    for (int i = 0; i < 28; i++) {
        const dBodyID link = box(0.05, 0.25, 0.05, 0.05, 0.125 + 0.25 * i, 0, 0);
        hinge(link, last, 0.25 * i, 0, 0, 0, 1, 0);
        last = link;
    }
}

const RuleModel length_models[] = {
    {{"box_spins", "+step_too_long", 0.01, 60, boxSpins, NULL}, 0},
    {{"eccentric_disc", "+step_too_long", 0.01, 60, eccentric, NULL}, 0},
    {{"gyroscope_on_a_turning_bar", "+step_too_long", 0.01, 60, gyroscope, NULL}, 0},
    {{"ball_spins", "!step_too_long", 0.01, 60, ballSpins, NULL}, 0},
    {{"rotor", "!step_too_long", 0.01, 200, rotor, NULL}, 0},
    {{"rotor_natively", "!step_too_long", 0.01, 200, rotor, NULL}, ModelNative},
    {{"thrown_by_a_singular_motor", "!step_too_long", 0.01, 300, singularMotor, NULL}, 0},
    {{"bar_across", "+step_too_long", 0.01, 20, barAcross, NULL}, 0},
    {{"bar_too_fast", "+step_too_long", 0.01, 20, barTooFast, NULL}, 0},
    {{"capsule_across", "+step_too_long", 0.01, 20, capsuleAcross, NULL}, 0},
    {{"bar_end_first", "!step_too_long", 0.01, 20, barEndFirst, NULL}, 0},
    {{"capsule_end_first", "!step_too_long", 0.01, 20, capsuleEndFirst, NULL}, 0},
    {{"weak_wheel_strong_steering", "+motor_limit", 0.005, 300, weakWheel, brake}, 0},
    {{"weak_piston", "+motor_limit", 0.005, 200, weakPiston, NULL}, 0},
    {{"weak_pr", "+motor_limit", 0.005, 200, weakPR, NULL}, 0},
    {{"weak_lmotor", "+motor_limit", 0.005, 200, weakLMotor, NULL}, 0},
    {{"strong_wheel", "!motor_limit", 0.005, 300, strongWheel, brake}, 0},
    {{"strong_piston", "!motor_limit", 0.005, 200, strongPiston, NULL}, 0},
    {{"strong_pr", "!motor_limit", 0.005, 200, strongPR, NULL}, 0},
    {{"strong_lmotor", "!motor_limit", 0.005, 200, strongLMotor, NULL}, 0},
    {{"too_narrow_for_a_ball", "+contact_conflict", 0.01, 40, tooNarrow, NULL}, 0},
    {{"rolls_against_a_wall", "!contact_conflict", 0.01, 100, rollsAgainstWall, NULL}, 0},
    {{"rolls_against_a_step", "!contact_conflict", 0.01, 100, rollsAgainstStep, NULL}, 0},
    {{"drops_into_a_v", "!contact_conflict", 0.01, 150, dropsIntoV, NULL}, 0},
    {{"long_chain", "!joints_misfit", 0.01, 40, longChain, NULL}, 0},
    {{"long_ring", "!joints_misfit", 0.01, 40, longRing, NULL}, 0},
    {{"long_chain_of_hinges", "!joints_misfit", 0.01, 40, chainOfHinges, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints whose two forces are not collinear: those whose net torque changes the motion, and cars with suspensions, in
 * which it does not. */
#include <math.h>

#include "tests/report/model.h"

static dBodyID chassis;
static dJointID wheels[4];

/* a chassis of 1 m on four wheels; ERP and CFM of the suspensions; two wheels steer, all are driven */
static void car(double mass, double erp, double cfm)
{
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    ground();
    surface.surface.mode = dContactApprox1;
    chassis = box(mass, 1, 0.5, 0.2, 0, 0, 0.3);
    for (int i = 0; i < 4; i++) {
        const double x = i < 2 ? 0.4 : -0.4, y = i % 2 ? 0.35 : -0.35;
        const dJointID j = wheels[i] = dJointCreateHinge2(world, 0);
        dJointAttach(j, chassis, ball(mass / 20, 0.15, x, y, 0.15));
        dJointSetHinge2Anchor(j, x, y, 0.15);
        dJointSetHinge2Axes(j, up, across);
        dJointSetHinge2Param(j, dParamLoStop, 0);
        dJointSetHinge2Param(j, dParamHiStop, 0);
        dJointSetHinge2Param(j, dParamSuspensionERP, erp);
        dJointSetHinge2Param(j, dParamSuspensionCFM, cfm);
        dJointSetHinge2Param(j, dParamFMax2, 0.3 * mass);
    }
}

/* the wheels' speed: up to 10 rad/s, then a stop */
static void drive(int step)
{
    for (int i = 0; i < 4; i++) dJointSetHinge2Param(wheels[i], dParamVel2, step < 400 ? fmin(0.05 * step, 10) : 0);
}

static void driveAndSteer(int step)
{
    drive(step);
    for (int i = 0; i < 2; i++) {
        const double angle = 0.5 * sin(0.02 * step);
        dJointSetHinge2Param(wheels[i], dParamLoStop, fmin(angle, dJointGetHinge2Param(wheels[i], dParamHiStop)));
        dJointSetHinge2Param(wheels[i], dParamHiStop, angle);
        dJointSetHinge2Param(wheels[i], dParamLoStop, angle);
    }
}

static void softCar(void)
{
    car(20, 0.4, 2e-3);
}

static void firmCar(void)
{
    car(20, 0.4, 3e-4);
}

/* ODE's demo_buggy: ERP 0.4, CFM 0.8 of a car of a kilogramme */
static void lightCar(void)
{
    car(1, 0.4, 0.02);
}

/* a car on a slope, which it climbs */
static void climbingCar(void)
{
    car(20, 0.4, 1e-3);
    dWorldSetGravity(world, 9.81 * sin(0.2), 0, -9.81 * cos(0.2));
}

/* over bumps, along which it pitches and jumps */
static void bumpyCar(void)
{
    car(20, 0.4, 1e-3);
    for (int i = 0; i < 12; i++) dGeomSetPosition(dCreateBox(space, 0.2, 5, 0.1), -1 - 0.7 * i, 0, 0);
}

/* ---- free in space ----------------------------------------------------------------------------------------------- */

static dJointID rod(dBodyID a, dBodyID b)
{
    const dJointID j = dJointCreatePU(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(j, a, b);
    dJointSetPUAnchor(j, 0, 0, 0);
    dJointSetPUAxis1(j, 0, 0, 1);
    dJointSetPUAxis2(j, 1, 0, 0);
    dJointSetPUAxis3(j, 0, 1, 0);
    return j;
}

/* two bodies that tumble and slide along one another */
static void tumblingPair(double slides)
{
    const dBodyID a = box(1, 0.2, 0.3, 0.6, 0, 0, 0), b = box(3, 0.4, 0.4, 0.4, 0, 0, 0);
    rod(a, b);
    dBodySetAngularVel(a, 3, 0, 0);
    dBodySetAngularVel(b, 3, 0, 0);
    dBodySetLinearVel(a, 0, slides, 0);
}

static void slidingPair(void)
{
    tumblingPair(0.3);
}

static void pairThatHardlySlides(void)
{
    tumblingPair(1e-5);
}

/* driven by a kinematic body, on which no torque has an effect */
static void beadOfAKinematicRod(void)
{
    const dBodyID a = box(1, 0.2, 0.3, 0.6, 0, 0, 0), b = box(3, 0.4, 0.4, 0.4, 0, 0, 0);
    dBodySetKinematic(a);
    rod(a, b);
    dBodySetAngularVel(a, 0.5, 0, 0);
    dBodySetAngularVel(b, 0.5, 0, 0);
    dBodySetLinearVel(b, 0, 0.3, 0);
}

/* a wheel on a spring of stiffness k, on a chassis that turns over in space */
static void turningChassis(double k)
{
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    const dBodyID base = box(5, 1, 0.5, 0.3, 0, 0, 0), wheel = ball(2, 0.15, 0.4, 0.4, 0);
    const dJointID j = dJointCreateHinge2(world, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dJointAttach(j, base, wheel);
    dJointSetHinge2Anchor(j, 0.4, 0.4, 0);
    dJointSetHinge2Axes(j, up, across);
    dJointSetHinge2Param(j, dParamLoStop, 0);
    dJointSetHinge2Param(j, dParamHiStop, 0);
    dJointSetHinge2Param(j, dParamSuspensionERP, 0.9);
    dJointSetHinge2Param(j, dParamSuspensionCFM, 0.9 / (0.01 * k));
    for (int i = 0; i < 2; i++) dBodySetAngularVel(dJointGetBody(j, i), 0, 3, 0);
    dBodySetLinearVel(base, 0, 0, 0.34);
    dBodySetLinearVel(wheel, 0, 0, -0.66);
}

static void softChassis(void)
{
    turningChassis(10);
}

static void stiffChassis(void)
{
    turningChassis(1e6);
}

const RuleModel couple_models[] = {
    {{"soft_car", "!forces_not_collinear", 0.01, 600, softCar, drive}, 0},
    {{"firm_car", "!forces_not_collinear", 0.01, 600, firmCar, drive}, 0},
    {{"light_car", "!forces_not_collinear", 0.01, 600, lightCar, drive}, 0},
    {{"steered_car", "!forces_not_collinear", 0.01, 600, softCar, driveAndSteer}, 0},
    {{"climbing_car", "!forces_not_collinear", 0.01, 600, climbingCar, drive}, 0},
    {{"bumpy_car", "!forces_not_collinear", 0.01, 600, bumpyCar, drive}, 0},
    {{"sliding_pair", "+forces_not_collinear", 0.01, 200, slidingPair, NULL}, 0},
    {{"pair_that_hardly_slides", "!forces_not_collinear", 0.01, 100, pairThatHardlySlides, NULL}, 0},
    {{"bead_of_a_kinematic_rod", "!forces_not_collinear", 0.01, 200, beadOfAKinematicRod, NULL}, 0},
    {{"chassis_on_soft_spring", "+forces_not_collinear", 0.01, 500, softChassis, NULL}, 0},
    {{"chassis_on_stiff_spring", "!forces_not_collinear", 0.01, 300, stiffChassis, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

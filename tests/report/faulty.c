/* SPDX-License-Identifier: BSD-3-Clause */
/* Models with one fault each. */
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first;

/* a door of 1 m, 2 m high, on two hinges whose axes are 1 mm apart: it cannot turn */
static void hingeOff(void)
{
    first = box(20, 1, 0.04, 2, 0.5, 0, 1);
    hinge(first, 0, 0, 0, 0.2, 0, 0, 1);
    hinge(first, 0, 0.001, 0, 1.8, 0, 0, 1);
    dBodySetAngularVel(first, 0, 0, 0.5);
}

static void twoHinges(void)
{
    first = box(20, 1, 0.04, 2, 0.5, 0, 1);
    hinge(first, 0, 0, 0, 0.2, 0, 0, 1);
    hinge(first, 0, 0, 0, 1.8, 0, 0, 1);
    dBodySetAngularVel(first, 0, 0, 1);
    dBodySetLinearVel(first, 0, 0.5, 0);
}

static void chain(int count)
{
    dBodyID last = 0;
    for (int i = 0; i < count; i++) {
        const dBodyID link = box(1, 0.2, 0.05, 0.05, 0.1 + 0.2 * i, 0, 2);
        ballJoint(last, link, 0.2 * i, 0, 2);
        last = link;
    }
}

static void strongErp(void)
{
    chain(4);
    dWorldSetERP(world, 1);
}

/* 1 kg at 0.5 m: 4.9 N m to lift, of which the motor has 2 */
static void weakMotor(void)
{
    const dJointID j = hinge(box(1, 1, 0.05, 0.05, 0.5, 0, 1), 0, 0, 0, 1, 0, 1, 0);
    dJointSetHingeParam(j, dParamVel, -2);
    dJointSetHingeParam(j, dParamFMax, 2);
}

static void massRatio(void)
{
    const dBodyID link = box(0.01, 0.3, 0.05, 0.05, 0.15, 0, 3);
    const dBodyID load = box(1000, 0.5, 0.5, 0.5, 0.3, 0, 2.7);
    ballJoint(link, 0, 0, 0, 3);
    ballJoint(link, load, 0.3, 0, 3);
}

/* k = 4.1 m / h^2: beyond what a force of the step's start can do */
static void springMass(void)
{
    first = ball(1, 0.1, 0.01, 0, 1);
    dWorldSetGravity(world, 0, 0, 0);
}
static void stiffSpring(int step)
{
    (void)step;
    dBodyAddForce(first, -4.1e4 * dBodyGetPosition(first)[0], 0, 0);
}

/* the program looks for collisions in every other step only */
static void flickers(void)
{
    ground();
    box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
    collide_each = 2;
}

static void thrown(void)
{
    first = ball(2, 0.1, 0, 0, 10);
    dBodySetLinearVel(first, 1, 0, 3);
}
static void weight(int step)
{
    (void)step;
    dBodyAddForce(first, 0, 0, -2 * 9.81);
}

/* Izz of a box in the wrong unit: no body has a moment that is more than the sum of the others */
static void wrongInertia(void)
{
    dMass m;
    const dBodyID b = box(1, 0.2, 0.2, 0.2, 0.5, 0, 1);
    dMassSetParameters(&m, 1, 0, 0, 0, 0.0067, 0.0067, 0.067, 0, 0, 0);
    dBodySetMass(b, &m);
    ballJoint(b, 0, 0, 0, 1);
}

/* the moments of a box of 2 m in one of 0.2 m */
static void inertiaOfAnother(void)
{
    dMass m;
    const dBodyID b = box(1, 0.2, 0.2, 0.2, 0.5, 0, 1);
    dMassSetBoxTotal(&m, 1, 2, 2, 2);
    dBodySetMass(b, &m);
    ballJoint(b, 0, 0, 0, 1);
}

static void frictionless(void)
{
    const double s = 0.2588190451025207, c = 0.9659258262890683; /* 15 degrees */
    dMatrix3 R;
    dCreatePlane(space, s, 0, c, 0);
    first = box(1, 0.4, 0.4, 0.2, 0.1 * s, 0, 0.1 * c);
    dRFromAxisAndAngle(R, 0, 1, 0, 0.2617993877991494);
    dBodySetRotation(first, R);
    surface.surface.mu = 0;
}

static void pendulum(void)
{
    hinge(box(1, 0.6, 0.05, 0.05, 0.3, 0, 1), 0, 0, 0, 1, 0, 1, 0);
}

/* made at 0, limits 0.5 to 1.5 */
static void limitAtStart(void)
{
    const dJointID j = hinge(box(1, 0.6, 0.05, 0.05, 0.3, 0, 1), 0, 0, 0, 1, 0, 0, 1);
    dJointSetHingeParam(j, dParamLoStop, 0.5);
    dJointSetHingeParam(j, dParamHiStop, 1.5);
}

/* a servo that shoots beyond its target in each step: its gain times the step is 2.5 */
static dJointID slider;
static void shakingServo(void)
{
    ground();
    surface.surface.mode = dContactApprox1;
    surface.surface.mu = 0.4;
    first = box(1, 0.4, 0.4, 0.2, 0.001, 0, 0.1);
    slider = dJointCreateLMotor(world, 0);
    dJointAttach(slider, first, 0);
    dJointSetLMotorNumAxes(slider, 1);
    dJointSetLMotorAxis(slider, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(slider, dParamFMax, 20);
}
static void shakingTarget(int step)
{
    (void)step;
    dJointSetLMotorParam(slider, dParamVel, -250 * dBodyGetPosition(first)[0]);
}

/* contacts as soft as a cushion of 1 kN/m under 10 kg */
static void sinks(void)
{
    const double h = 0.01, k = 1000, d = 200;
    ground();
    box(10, 0.4, 0.4, 0.2, 0, 0, 0.1);
    surface.surface.mode = dContactSoftERP | dContactSoftCFM;
    surface.surface.soft_erp = h * k / (h * k + d);
    surface.surface.soft_cfm = 4 / (h * k + d); /* four contacts share the load */
}

/* slides down 15 degrees, which mu = 0.2 cannot hold */
static void slides(void)
{
    frictionless();
    surface.surface.mode = dContactApprox1;
    surface.surface.mu = 0.2;
}

static void movedAfterwards(void)
{
    first = box(1, 0.6, 0.05, 0.05, 0.3, 0, 1);
    hinge(first, 0, 0, 0, 1, 0, 1, 0);
    dBodySetPosition(first, 0.3, 0, 1.01);
}

/* plane-2D joints hold the centre at z = 0, where the floor would be */
static void offThePlane(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    first = box(1, 0.4, 0.4, 1, 0, 0, 0.5);
    dJointAttach(dJointCreatePlane2D(world, 0), first, 0);
}

/* five links at a step that is too long for how they whip */
static void whip(void)
{
    chain(5);
}

const Model faulty_models[] = {
    {"hinge_1_mm_off", "joints_misfit", 0.01, 100, hingeOff, NULL},
    {"two_hinges_on_a_door", "redundant_joints", 0.01, 100, twoHinges, NULL},
    {"over_strong_erp", "erp", 0.01, 200, strongErp, NULL},
    {"motor_too_weak", "motor_limit", 0.005, 400, weakMotor, NULL},
    {"mass_ratio_1e5", "mass_ratio", 0.01, 200, massRatio, NULL},
    {"explicit_spring_too_stiff", "stiff_spring", 0.01, 60, springMass, stiffSpring},
    {"contact_that_flickers", "contact_flickers", 0.01, 200, flickers, NULL},
    {"gravity_twice", "gravity_twice", 0.01, 100, thrown, weight},
    {"wrong_inertia", "inertia", 0.005, 200, wrongInertia, NULL},
    {"inertia_of_another_shape", "inertia", 0.005, 200, inertiaOfAnother, NULL},
    {"friction_missing", "friction_missing", 0.01, 100, frictionless, NULL},
    {"step_too_long", "step_too_long", 0.2, 50, pendulum, NULL},
    {"limit_violated_at_start", "limit_at_start", 0.01, 100, limitAtStart, NULL},
    {"servo_of_too_high_gain", "jitter", 0.01, 200, shakingServo, shakingTarget},
    {"contact_that_sinks", "contact_sinks", 0.01, 200, sinks, NULL},
    {"friction_at_its_limit", "friction_limit", 0.01, 100, slides, NULL},
    {"moved_after_its_joint", "gap_at_start", 0.01, 100, movedAfterwards, NULL},
    {"slower_than_real_time", "slower_than_real_time", 2e-7, 400, pendulum, NULL},
    {"centre_off_its_plane", "gap_at_start", 0.01, 100, offThePlane, NULL},
    {"step_that_takes_energy", "energy_integration", 0.01, 300, whip, NULL},
    {NULL, NULL, 0, 0, NULL, NULL},
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Energy: what the time step takes where there are springs, too; drift; explosions; explicit springs. Each rule with
 * models that have the fault and with others that look alike. */
#include <math.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first, second;

static void chainOf(int count, double length)
{
    dBodyID last = 0;
    for (int i = 0; i < count; i++) {
        const dBodyID link = box(1, length, 0.05, 0.05, (i + 0.5) * length, 0, 0);
        hinge(link, last, i * length, 0, 0, 0, 1, 0);
        last = link;
    }
    first = last;
}

/* of `stiffness` [N/m] and `damping` [N s/m] by ERP and CFM, in steps of h, on a body far from all others */
static dJointID spring(double h, double stiffness, double damping)
{
    second = box(1, 0.2, 0.2, 0.2, 5, 0, 0);
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, second, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamLoStop, 0);
    dJointSetSliderParam(j, dParamHiStop, 0);
    dJointSetSliderParam(j, dParamStopERP, h * stiffness / (h * stiffness + damping));
    dJointSetSliderParam(j, dParamStopCFM, 1 / (h * stiffness + damping));
    return j;
}

/* a double pendulum whose steps are too long, while a spring is at rest elsewhere (gazebo-classic#1320) */
static void pendulumBesideSpring(void)
{
    chainOf(2, 0.5);
    spring(0.01, 200, 5);
}
static void chainBesideSoftJoint(void)
{
    chainOf(2, 0.5);
    const dBodyID b = box(1, 0.2, 0.2, 0.2, 5, 0, 0);
    const dJointID j = dJointCreateFixed(world, 0);
    dJointAttach(j, b, 0);
    dJointSetFixed(j);
    dJointSetFixedParam(j, dParamCFM, 1e-2);
}
/* an unbalanced rotor on springs, driven at 60 rad/s: the steps take as much as the motor gives */
static void rotorOnSprings(void)
{
    const double h = 0.005, k = 8000, d = 150;
    first = box(30, 0.5, 0.5, 0.5, 0, 0, 0);
    second = box(1.5, 0.1, 0.1, 0.1, 0.2, 0, 0);
    const dJointID axle = hinge(second, first, 0, 0, 0, 0, 1, 0);
    dJointSetHingeParam(axle, dParamVel, 60);
    dJointSetHingeParam(axle, dParamFMax, 40);
    const dJointID ball = ballJoint(first, 0, 0, 0, 0);
    dJointSetBallParam(ball, dParamERP, h * k / (h * k + d));
    dJointSetBallParam(ball, dParamCFM, 1 / (h * k + d));
}
static void springAlone(void)
{
    spring(0.005, 200, 5);
    dBodySetPosition(second, 5.1, 0, 0);
}
/* a load let go on its suspension, which its damper brings to rest */
static void suspension(void)
{
    const double h = 0.005, k = 4000, d = 300;
    first = box(50, 1, 0.5, 0.3, 0, 0, 0);
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, first, 0);
    dJointSetSliderAxis(j, 0, 0, 1);
    dJointSetSliderParam(j, dParamLoStop, 0);
    dJointSetSliderParam(j, dParamHiStop, 0);
    dJointSetSliderParam(j, dParamStopERP, h * k / (h * k + d));
    dJointSetSliderParam(j, dParamStopCFM, 1 / (h * k + d));
}
static void fineBesideSpring(void)
{
    chainOf(2, 0.5);
    spring(0.001, 200, 5);
}
static void damperStops(void)
{
    const dJointID j = spring(0.005, 1, 5);
    dJointSetSliderParam(j, dParamStopERP, 0);
    dJointSetSliderParam(j, dParamStopCFM, 0.2);
    dBodySetLinearVel(second, 2, 0, 0);
}
static void motorOnSpring(void)
{
    const dJointID j = spring(0.005, 400, 20);
    const dBodyID b = box(0.5, 0.2, 0.05, 0.05, 5, 0, 0.3);
    const dJointID k = hinge(b, second, 5, 0, 0.3, 0, 0, 1);
    (void)j;
    dJointSetHingeParam(k, dParamVel, 3);
    dJointSetHingeParam(k, dParamFMax, 5);
}

/* thrown against its joints at the start: the first step takes what they do not allow */
static void thrownAgainstJoint(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    first = box(1, 0.4, 0.1, 0.1, 0.2, 0, 0);
    ballJoint(first, 0, 0, 0, 0);
    dBodySetLinearVel(first, 1, 0.4, 0);
}
static void wheelInJam(void)
{
    ground();
    dCreatePlane(space, -1, 0, 0, -0.65);
    first = ball(1, 0.6, 0, 0, 0.6);
    second = box(5, 0.1, 0.3, 0.1, 0, 0, 0.6);
    dGeomDestroy(dBodyGetFirstGeom(second));
    const dJointID j = hinge(first, second, 0, 0, 0.6, 0, 1, 0), guide = dJointCreateSlider(world, 0);
    dJointSetHingeParam(j, dParamVel, 5);
    dJointSetHingeParam(j, dParamFMax, 20);
    dJointAttach(guide, second, 0);
    dJointSetSliderAxis(guide, 1, 0, 0);
    surface.surface.mu = dInfinity;
    dWorldSetContactSurfaceLayer(world, 1e-3);
}

/* a pile whose boxes drop by some centimetres: a step in which one lands is a step of the discrete form, among steps of
 * free flight by the chosen integrator */
static void pileOf(int columns, int rows, double gap)
{
    ground();
    surface.surface.mode |= dContactApprox1;
    for (int i = 0; i < columns * rows; i++) {
        const int row = i / columns;
        box(10, 0.5, 0.5, 0.5, (i % columns) * 0.55 + 0.05 * (row % 2), 0, 0.25 + gap + (0.5 + 2 * gap) * row);
    }
}
static void pile(void)
{
    pileOf(3, 4, 0.01);
}
static void tower(void)
{
    pileOf(1, 5, 0.02);
}
static void dropped(void)
{
    pileOf(1, 1, 0.05);
}
static void droppedFar(void)
{
    pileOf(1, 1, 1);
}
static void strikesItsStop(void)
{
    first = box(5, 0.2, 0.2, 0.2, 0, 0, 0);
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, first, 0);
    dJointSetSliderAxis(j, 0, 0, 1);
    dJointSetSliderParam(j, dParamLoStop, -0.1);
}
/* what lands elsewhere does not hide what the time step takes from a chain */
static void chainBesideAPile(void)
{
    ground();
    box(1, 0.2, 0.2, 0.2, 8, 0, 0.11);
    dBodyID last = 0;
    for (int i = 0; i < 5; i++) {
        const dBodyID link = box(1, 0.3, 0.05, 0.05, (i + 0.5) * 0.3, 0, 3);
        hinge(link, last, i * 0.3, 0, 3, 0, 1, 0);
        last = link;
    }
}

/* ---- drift ------------------------------------------------------------------------------------------------------------ */

static void whip(void)
{
    chainOf(5, 0.3);
}
static void whipBesideSpring(void)
{
    whip();
    spring(0.02, 200, 5);
}
static void softBall(void)
{
    first = box(5, 0.3, 0.3, 0.3, 0, 0, 0);
    const dJointID j = ballJoint(first, 0, 0, 0, 0.15);
    dJointSetBallParam(j, dParamCFM, 0.01);
    dJointSetBallParam(j, dParamERP, 0.2);
}
static void fineChain(void)
{
    chainOf(5, 0.3);
}

/* ---- explosions --------------------------------------------------------------------------------------------------------- */

/* a correction that overshoots by more each time */
static void overshoots(void)
{
    chainOf(3, 0.4);
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetLinearVel(first, 0, 0, 0.3);
    dWorldSetERP(world, 2.1);
}
static void overshootsBesideSpring(void)
{
    overshoots();
    spring(0.02, 200, 5);
}
static void rocket(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    first = ball(1, 0.2, 0, 0, 0);
}
static void thrust(int step)
{
    (void)step;
    dBodyAddForce(first, 50, 0, 0);
}
/* falls from its unstable rest, exponentially at first: its potential energy pays for that */
static void inverted(void)
{
    first = box(1, 0.05, 0.05, 1, 0, 0, 0.5);
    hinge(first, 0, 0, 0, 0, 0, 1, 0);
    dBodySetAngularVel(first, 0, 1e-6, 0);
}
static void spinUp(void)
{
    first = box(1, 0.8, 0.05, 0.05, 0, 0, 1);
    const dJointID j = hinge(first, 0, 0, 0, 1, 0, 1, 0);
    dJointSetHingeParam(j, dParamVel, 20);
    dJointSetHingeParam(j, dParamFMax, 2);
}
static void hit(int step)
{
    if (step == 40) dBodySetLinearVel(first, 30, 0, 0);
    if (step < 40) dBodyAddForce(first, 1e-3, 0, 0);
}
static void released(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    spring(0.005, 2000, 5);
    dBodySetPosition(second, 5.3, 0, 0);
}

/* the bodies of dJointAttach exchanged: contacts pull the box into the ground */
static void reversed(void)
{
    ground();
    first = box(1, 0.5, 0.5, 0.5, 0, 0, 0.249);
    attach_reversed = true;
}
static void reversedBall(void)
{
    ground();
    first = ball(1, 0.25, 0, 0, 0.249);
    attach_reversed = true;
}
/* the force grows with the square of the time: the energy with its sixth power */
static void pushHarder(int step)
{
    dBodyAddForce(first, 1e-3 * step * step, 0, 0);
}

/* a rolling ball that friction stops at a wall (ODE's FAQ: wheels that get stuck between geoms) */
static void stuck(double mu, double radius)
{
    dCreatePlane(space, -1, 0, 0, -1);
    ground();
    first = ball(1, radius, 0, 0, radius);
    dBodySetLinearVel(first, 3, 0, 0);
    dBodySetAngularVel(first, 0, 3 / radius, 0);
    surface.surface.mu = mu;
    dWorldSetContactSurfaceLayer(world, 1e-3);
}
static void stuckForEver(void)
{
    stuck(dInfinity, 0.3);
}
static void stuckSmall(void)
{
    stuck(dInfinity, 0.15);
}
static void stuckCoulomb(void)
{
    surface.surface.mode = dContactApprox1;
    stuck(5, 0.3);
}
static void openChain(void)
{
    chainOf(6, 1);
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetLinearVel(first, 0, 0, 0.1);
}
static void tearOpen(int step)
{
    const dReal *x = dBodyGetPosition(first);
    if (step == 30) dBodySetPosition(first, x[0], x[1] + 4, x[2]);
}
static void tearInTheMiddle(int step)
{
    const dJointID j = dBodyGetJoint(first, 0);
    const dBodyID b = dJointGetBody(j, 1) == first ? dJointGetBody(j, 0) : dJointGetBody(j, 1);
    const dReal *x = dBodyGetPosition(b);
    if (step == 30) dBodySetPosition(b, x[0], x[1], x[2] + 5);
}
static void wallDrop(void)
{
    ground();
    first = box(1, 0.4, 0.4, 0.2, 0, 0, 3);
}

/* ---- explicit springs
 * ------------------------------------------------------------------------------------------------- */

static double stiffness, damping;
static void massOnForce(double k, double c)
{
    dWorldSetGravity(world, 0, 0, 0);
    first = ball(1, 0.1, 0.01, 0, 1);
    second = ball(1, 0.1, 1, 0, 1);
    stiffness = k, damping = c;
}
static void pull(int step)
{
    (void)step;
    dBodyAddForce(first, -stiffness * dBodyGetPosition(first)[0] - damping * dBodyGetLinearVel(first)[0], 0, 0);
}
static void pullBoth(int step)
{
    (void)step;
    const double x = dBodyGetPosition(second)[0] - dBodyGetPosition(first)[0] - 0.98;
    dBodyAddForce(first, stiffness * x, 0, 0);
    dBodyAddForce(second, -stiffness * x, 0, 0);
}
static void tooStiff(void)
{
    massOnForce(4.1e4, 0);
}
static void tooStiffPair(void)
{
    massOnForce(2.1e4, 0);
}
static void farTooStiff(void)
{
    massOnForce(6e4, 0);
}
static void farTooStiffPair(void)
{
    massOnForce(3e4, 0);
}
static void tooDamped(void)
{
    massOnForce(1, 250);
    dBodySetLinearVel(first, 1, 0, 0);
}
static void mild(void)
{
    massOnForce(2e3, 0);
}
static void shaken(int step)
{
    dBodyAddForce(first, step % 2 ? 40 : -40, 0, 0);
}
static void heap(void)
{
    dMatrix3 R;
    dWorldSetERP(world, 0.8);
    dWorldSetCFM(world, 1e-5);
    ground();
    surface.surface.mode = dContactBounce;
    surface.surface.mu = 5000;
    surface.surface.bounce = 0.2;
    for (int i = 0; i < 7; i++) {
        first = box(40, 1, 0.2, 0.2, 0.05 * (i * 3 % 5 - 2), 0.05 * (i * 2 % 5 - 2), 0.2 + 0.3 * i);
        dRFromAxisAndAngle(R, 0, 0, 1, 2.3 * i);
        dBodySetRotation(first, R);
    }
}
static void pushOnce(int step)
{
    if (step == 100) dBodyAddForce(first, 2e4, 0, 2e4);
}
static void pushAlways(int step)
{
    if (step == 0) second = ball(1, 0.1, 30, 0, 5);
    dBodyAddForce(second, 2, 0, 9.81);
}
static void jointSpring(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    spring(0.01, 1e5, 1);
    dBodySetPosition(second, 5.05, 0, 0);
}
static void nudge(int step)
{
    dBodyAddForce(second, step % 3 ? 1 : -2, 0, 0);
}

/* ---- damping by shares of the velocity per step ------------------------------------------------------------------ */

static void dampedFall(double scale)
{
    first = box(1, 0.2, 0.2, 0.2, 0, 0, 0);
    dBodySetLinearDamping(first, scale);
}
static void fallWithoutMemory(void)
{
    dampedFall(1);
}
static void fallDampedByHalf(void)
{
    dampedFall(0.5);
}
static void fallDampedSlightly(void)
{
    dampedFall(0.02);
}
static void worldOfDampedBodies(void)
{
    dWorldSetLinearDamping(world, 0.8);
    for (int i = 0; i < 3; i++) box(1 + i, 0.2, 0.2, 0.2, i, 0, 0);
}
static void pendulumDamped(void)
{
    dWorldSetLinearDamping(world, 0.6);
    dWorldSetAngularDamping(world, 0.6);
    chainOf(2, 0.5);
}
static void restsDamped(void)
{
    ground();
    dBodySetLinearDamping(box(1, 0.4, 0.4, 0.2, 0, 0, 0.1), 1);
}
static void flightDamped(void)
{
    dampedFall(0.5);
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetLinearVel(first, 3, 0, 0);
}
/* by a torque, whose work is exact */
static void spinDamped(void)
{
    first = box(1, 0.2, 0.2, 0.2, 0, 0, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetAngularDamping(first, 0.9);
}
static void twist(int step)
{
    (void)step;
    dBodyAddTorque(first, 0, 0, 1);
}
/* its steps are too long, which slight damping does not explain */
static void pendulumDampedSlightly(void)
{
    dWorldSetLinearDamping(world, 0.001);
    dWorldSetAngularDamping(world, 0.001);
    chainOf(2, 0.5);
}

const RuleModel energy_models[] = {
    {{"fall_without_memory", "+damping_per_step", 0.01, 200, fallWithoutMemory, NULL}, 0},
    {{"fall_without_memory_no_step", "!energy_integration", 0.01, 200, fallWithoutMemory, NULL}, 0},
    {{"fall_damped_by_half", "+damping_per_step", 0.01, 200, fallDampedByHalf, NULL}, 0},
    {{"fall_damped_by_half_no_step", "!energy_integration", 0.01, 200, fallDampedByHalf, NULL}, 0},
    {{"world_of_damped_bodies", "+damping_per_step", 0.002, 500, worldOfDampedBodies, NULL}, 0},
    {{"world_of_damped_bodies_no_step", "!energy_integration", 0.002, 500, worldOfDampedBodies, NULL}, 0},
    {{"pendulum_damped", "+damping_per_step", 0.01, 300, pendulumDamped, NULL}, 0},
    {{"pendulum_damped_no_step", "!energy_integration", 0.01, 300, pendulumDamped, NULL}, 0},
    {{"spin_damped", "-", 0.01, 200, spinDamped, twist}, 0},
    {{"rests_damped", "-", 0.01, 200, restsDamped, NULL}, 0},
    {{"flight_damped", "-", 0.01, 200, flightDamped, NULL}, 0},
    {{"fall_damped_slightly", "-", 0.01, 200, fallDampedSlightly, NULL}, 0},
    {{"fall_damped_under_rk4", "!damping_per_step", 0.01, 200, fallDampedSlightly, NULL}, ModelRk4},
    {{"pendulum_damped_slightly", "+energy_integration", 0.01, 500, pendulumDampedSlightly, NULL}, 0},
    {{"pendulum_damped_slightly_no_damping", "!damping_per_step", 0.01, 500, pendulumDampedSlightly, NULL}, 0},
    {{"pendulum_beside_a_spring", "+energy_integration", 0.01, 500, pendulumBesideSpring, NULL}, 0},
    {{"chain_beside_a_soft_joint", "+energy_integration", 0.01, 500, chainBesideSoftJoint, NULL}, 0},
    {{"rotor_on_springs", "+energy_integration", 0.005, 1500, rotorOnSprings, NULL}, 0},
    {{"spring_alone", "!energy_integration", 0.005, 400, springAlone, NULL}, 0},
    {{"suspension_settles", "!energy_integration", 0.005, 400, suspension, NULL}, 0},
    {{"suspension_and_erp", "!energy_stabilization", 0.005, 400, suspension, NULL}, 0},
    {{"fine_steps_beside_a_spring", "!energy_integration", 0.001, 800, fineBesideSpring, NULL}, 0},
    {{"damper_stops", "!energy_integration", 0.005, 200, damperStops, NULL}, 0},
    {{"thrown_against_a_joint", "!energy_integration", 0.01, 100, thrownAgainstJoint, NULL}, 0},
    {{"wheel_in_a_jam", "!energy_integration", 0.01, 200, wheelInJam, NULL}, 0},
    {{"wheel_in_a_jam_and_erp", "!energy_stabilization", 0.01, 200, wheelInJam, NULL}, 0},
    {{"damper_and_erp", "!energy_stabilization", 0.005, 200, damperStops, NULL}, 0},
    {{"motor_on_a_spring", "!energy_integration", 0.005, 400, motorOnSpring, NULL}, 0},
    {{"pile_that_settles", "!energy_integration", 0.01, 300, pile, NULL}, 0},
    {{"pile_that_settles_under_rk4", "!energy_integration", 0.01, 300, pile, NULL}, ModelRk4},
    {{"tower_that_settles_under_rk4", "!energy_integration", 0.01, 300, tower, NULL}, ModelRk4},
    {{"box_dropped_under_rk4", "!energy_integration", 0.01, 100, dropped, NULL}, ModelRk4},
    {{"box_dropped_far_under_rk4", "!energy_integration", 0.01, 200, droppedFar, NULL}, ModelRk4},
    {{"strikes_its_stop", "!energy_integration", 0.01, 200, strikesItsStop, NULL}, 0},
    {{"strikes_its_stop_under_rk4", "!energy_integration", 0.01, 200, strikesItsStop, NULL}, ModelRk4},
    {{"chain_beside_a_pile", "+energy_integration", 0.02, 200, chainBesideAPile, NULL}, 0},
    {{"whip_drifts", "+drift", 0.02, 200, whip, NULL}, 0},
    {{"whip_beside_a_spring_drifts", "+drift", 0.02, 200, whipBesideSpring, NULL}, 0},
    {{"whip_drifts_natively", "+drift", 0.02, 200, whip, NULL}, ModelNative},
    {{"soft_ball_yields", "!drift", 0.01, 200, softBall, NULL}, 0},
    {{"chain_in_fine_steps", "!drift", 0.002, 400, fineChain, NULL}, 0},
    {{"erp_that_overshoots", "+explosion", 0.02, 400, overshoots, NULL}, 0},
    {{"erp_that_overshoots_natively", "+explosion", 0.02, 400, overshoots, NULL}, ModelNative},
    {{"erp_that_overshoots_beside_a_spring", "+explosion", 0.02, 400, overshootsBesideSpring, NULL}, 0},
    {{"rocket", "!explosion", 0.01, 400, rocket, thrust}, 0},
    {{"rocket_natively", "!explosion", 0.01, 400, rocket, thrust}, ModelNative},
    {{"inverted_pendulum", "!explosion", 0.01, 600, inverted, NULL}, 0},
    {{"inverted_pendulum_natively", "!explosion", 0.01, 600, inverted, NULL}, ModelNative},
    {{"motor_spins_up", "!explosion", 0.005, 400, spinUp, NULL}, ModelNative},
    {{"struck_after_creeping", "!explosion", 0.01, 100, rocket, hit}, ModelNative},
    {{"contacts_reversed", "+explosion", 0.01, 400, reversed, NULL}, 0},
    {{"contacts_of_a_ball_reversed", "+explosion", 0.01, 400, reversedBall, NULL}, 0},
    {{"contacts_reversed_natively", "+explosion", 0.01, 400, reversed, NULL}, ModelNative},
    {{"pushed_ever_harder", "!explosion", 0.01, 400, rocket, pushHarder}, 0},
    {{"spring_released", "!explosion", 0.005, 300, released, NULL}, ModelNative},
    {{"chain_torn_open", "+surge", 0.02, 60, openChain, tearOpen}, 0},
    {{"chain_torn_in_the_middle", "+surge", 0.02, 60, openChain, tearInTheMiddle}, 0},
    {{"chain_torn_open_in_larger_steps", "+surge", 0.05, 60, openChain, tearOpen}, 0},
    {{"stuck_at_a_wall", "!surge", 0.01, 100, stuckForEver, NULL}, 0},
    {{"small_ball_stuck_at_a_wall", "!surge", 0.01, 100, stuckSmall, NULL}, 0},
    {{"stopped_by_coulomb_friction", "!surge", 0.01, 100, stuckCoulomb, NULL}, 0},
    {{"box_that_lands", "!surge", 0.01, 150, wallDrop, NULL}, 0},
    {{"motor_is_no_surge", "!surge", 0.005, 200, spinUp, NULL}, 0},
    {{"explicit_spring", "+stiff_spring", 0.01, 60, tooStiff, pull}, 0},
    {{"explicit_spring_of_two", "+stiff_spring", 0.01, 60, tooStiffPair, pullBoth}, 0},
    {{"explicit_spring_to_infinity", "+explosion", 0.01, 400, farTooStiff, pull}, 0}, /* its energy overflows */
    {{"explicit_spring_of_two_to_infinity", "+explosion", 0.01, 400, farTooStiffPair, pullBoth}, 0},
    {{"explicit_damper_to_infinity", "+explosion", 0.01, 1000, tooDamped, pull}, 0},
    {{"explicit_damper", "+stiff_spring", 0.01, 60, tooDamped, pull}, 0},
    {{"explicit_spring_that_holds", "!stiff_spring", 0.01, 200, mild, pull}, 0},
    {{"shaken_by_its_program", "!stiff_spring", 0.01, 200, rocket, shaken}, 0},
    {{"heap_pushed_once", "!stiff_spring", 0.01, 400, heap, pushOnce}, 0},
    {{"heap_beside_what_is_pushed", "!stiff_spring", 0.01, 400, heap, pushAlways}, 0},
    {{"stiff_spring_in_a_joint", "!stiff_spring", 0.01, 200, jointSpring, nudge}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

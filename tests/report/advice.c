/* SPDX-License-Identifier: BSD-3-Clause */
/* Models whose findings another integrator or correction cures, and such that it does nothing for; run.sh has what the
 * report is to recommend. */
#include <math.h>
#include <stddef.h>

#include "tests/report/model.h"

/* CoppeliaSim's manual on mass ratios: a load of 100 kg on a rope of light links, let go level */
static void heavyRope(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 8; i++) {
        const dBodyID link = box(0.02, 0.25, 0.02, 0.02, 0.125 + 0.25 * i, 0, 5);
        ballJoint(last, link, 0.25 * i, 0, 5);
        last = link;
    }
    ballJoint(last, ball(100, 0.2, 2.2, 0, 5), 2, 0, 5);
}

/* the same over a floor on which something else lies: no contact is in the rope's island */
static void ropeBesideABall(void)
{
    heavyRope();
    dCreatePlane(space, 0, 0, 1, -20);
    ball(1, 0.1, 0, 5, -19.9);
}

/* ODE's list, May 2003 ("bendy wheels"): a wheel driven by a motor of finite force, on a spring */
static void bentWheel(void)
{
    dMass m;
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    const dBodyID car = box(1000, 4, 1.6, 1, 0, 0, 0), wheel = dBodyCreate(world);
    dMassSetCylinderTotal(&m, 20, 2, 0.3, 0.2);
    dBodySetMass(wheel, &m);
    dBodySetPosition(wheel, 1.5, 0.9, -0.5);
    dWorldSetGravity(world, 0, 0, 0);
    const dJointID j = dJointCreateHinge2(world, 0);
    dJointAttach(j, car, wheel);
    dJointSetHinge2Anchor(j, 1.5, 0.9, -0.5);
    dJointSetHinge2Axes(j, up, across);
    dJointSetHinge2Param(j, dParamLoStop, 0);
    dJointSetHinge2Param(j, dParamHiStop, 0);
    dJointSetHinge2Param(j, dParamSuspensionERP, 0.4);
    dJointSetHinge2Param(j, dParamSuspensionCFM, 1e-6);
    dJointSetHinge2Param(j, dParamVel2, 100);
    dJointSetHinge2Param(j, dParamFMax2, 1e4);
    dBodySetAngularVel(car, 0.5, 0, 1);
    dBodySetAngularVel(wheel, 0.5, 0, 1);
    dBodySetLinearVel(wheel, -0.9, 1.75, 0.45);
}

/* a closed track of eight links, held at one of them */
static void closedTrack(void)
{
    dBodyID link[8];
    dWorldSetERP(world, 0.95);
    for (int i = 0; i < 8; i++) {
        const double angle = M_PI * (i + 0.5) / 4;
        link[i] = box(1, 0.2, 0.1, 0.1, cos(angle), 0, 2 + sin(angle));
    }
    for (int i = 0; i < 8; i++)
        ballJoint(link[i], link[(i + 1) % 8], cos(M_PI * (i + 1) / 4), 0, 2 + sin(M_PI * (i + 1) / 4));
    hinge(link[0], 0, 1, 0, 2, 0, 1, 0);
}

static void openTrack(void)
{
    dBodyID last = 0;
    dWorldSetERP(world, 0.95);
    for (int i = 0; i < 4; i++) {
        const dBodyID link = box(1, 0.2, 0.05, 0.05, 0.1 + 0.2 * i, 0, 2);
        ballJoint(last, link, 0.2 * i, 0, 2);
        last = link;
    }
}

static void whip(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 5; i++) {
        const dBodyID link = box(1, 0.2, 0.05, 0.05, 0.1 + 0.2 * i, 0, 2);
        ballJoint(last, link, 0.2 * i, 0, 2);
        last = link;
    }
}

/* ---- explosions and surges, of bodies without shapes
 * -------------------------------------------------------------------- */

static dBodyID shapeless(double mass, double x, double y, double z, double px, double py, double pz)
{
    const dBodyID b = box(mass, x, y, z, px, py, pz);
    dGeomDestroy(dBodyGetFirstGeom(b));
    return b;
}

/* a correction that overshoots by more each time, whatever the step is */
static void overshoots(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 3; i++) {
        const dBodyID link = shapeless(1, 0.4, 0.05, 0.05, (i + 0.5) * 0.4, 0, 0);
        hinge(link, last, i * 0.4, 0, 0, 0, 1, 0);
        last = link;
    }
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetLinearVel(last, 0, 0, 0.3);
    dWorldSetERP(world, 2.1);
}

/* a body that slides out along an axis which turns: ODE's rows of a PU that is displaced push it along another line
 * than what holds it (gazebo-classic#2275; ODE's list, 2003) */
static void slidesOnATurningAxis(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    const dBodyID b = shapeless(1, 0.2, 0.3, 0.6, 0, 0, 0);
    const dJointID j = dJointCreatePU(world, 0);
    dJointAttach(j, b, 0);
    dJointSetPUAnchor(j, 0, 0, 0);
    dJointSetPUAxis1(j, 0, 0, 1);
    dJointSetPUAxis2(j, 1, 0, 0);
    dJointSetPUAxis3(j, 0, 1, 0);
    dBodySetAngularVel(b, 3, 0, 0);
    dBodySetLinearVel(b, 0, 0.2, 0);
}

static dBodyID pushed, rod;

/* a force that its program computes from the state, a spring of 400/s^2 that is too stiff for the step */
static void stiffSpring(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    pushed = shapeless(1, 0.2, 0.2, 0.2, 0.01, 0, 0);
}
static void pull(int step)
{
    (void)step;
    dBodyAddForce(pushed, -5e4 * dBodyGetPosition(pushed)[0], 0, 0);
}

/* set far from its joint in the middle of the run: the correction throws the rod */
static void thrownByItsJoint(void)
{
    dWorldSetGravity(world, 0, 0, 0);
    rod = shapeless(1, 1, 0.05, 0.05, 0.5, 0, 0);
    ballJoint(rod, 0, 0, 0, 0);
    dBodySetAngularVel(rod, 0, 0, 0.1);
    dBodySetLinearVel(rod, 0, 0.05, 0);
}
static void moveIt(int step)
{
    if (step == 30) dBodySetPosition(rod, 0.8, 0.4, 0);
}

/* in contact all the time, which every integrator leaves to the Euler step */
static void spinsOnTheGround(void)
{
    ground();
    dBodySetAngularVel(box(1, 0.4, 0.4, 0.2, 0, 0, 0.1), 0, 0, 80);
    surface.surface.mode = dContactApprox1;
    surface.surface.mu = 0.01;
}

/* ---- contacts that are lost, under settings that would be recommended against it
 * -------------------------------------- */

static void flicker(void)
{
    ground();
    box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
    collide_each = 2;
}
static void flickerWithLayer(void)
{
    flicker();
    dWorldSetContactSurfaceLayer(world, 1e-5);
}
static void flickerWithCfm(void)
{
    flicker();
    dWorldSetCFM(world, 1e-5);
}
static void flickerWithBounce(void)
{
    flicker();
    surface.surface.mode = dContactBounce;
    surface.surface.bounce = 0.3;
}
static void flickerWithStrongErp(void)
{
    flicker();
    dWorldSetERP(world, 0.7);
}
static void flickerWithBoundedVelocity(void)
{
    flickerWithStrongErp();
    dWorldSetContactMaxCorrectingVel(world, 1);
}

/* ---- work that hides all other
 * ------------------------------------------------------------------------------------------ */

/* a motor of infinite force pulls a brick through a slot that is 2 mm too narrow, against 2e8 N of friction; beside it
 * a ball falls and bounces */
static void pulledThroughASlot(void)
{
    ground();
    for (int side = -1; side <= 1; side += 2) dGeomSetPosition(dCreateBox(space, 1, 4, 1), side * 0.599, 0, 0.5);
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, box(1, 0.2, 0.1, 0.1, 0, 0, 0.5), 0);
    dJointSetSliderAxis(j, 0, 1, 0);
    dJointSetSliderParam(j, dParamVel, -1);
    dJointSetSliderParam(j, dParamFMax, dInfinity);
    ball(1, 0.1, 3, 0, 1);
    surface.surface.mode = dContactApprox1 | dContactBounce;
    surface.surface.bounce = 0.5;
    surface.surface.bounce_vel = 0.2;
}

/* a flywheel whose motor is at its limit: the body's cap of angular speed, its damping, or a load takes the work */
static dBodyID flywheel(double limit)
{
    const dBodyID wheel = shapeless(2, 1, 1, 0.1, 0, 0, 0);
    const dJointID j = hinge(wheel, 0, 0, 0, 0, 0, 0, 1);
    dJointSetHingeParam(j, dParamVel, 10);
    dJointSetHingeParam(j, dParamFMax, limit);
    return wheel;
}
static void cappedFlywheel(void)
{
    dBodySetMaxAngularSpeed(flywheel(2), 5);
}
static void cappedHigherFlywheel(void)
{
    dBodySetMaxAngularSpeed(flywheel(2), 11);
}
static void dampedFlywheel(void)
{
    dBodySetAngularDamping(flywheel(2), 0.02);
}
static dBodyID loaded;
static void loadedFlywheel(void)
{
    loaded = flywheel(2);
}
static void brakeFlywheel(int step)
{
    (void)step;
    dBodyAddTorque(loaded, 0, 0, -dBodyGetAngularVel(loaded)[2]);
}

const Model advice_models[] = {
    {"heavy_rope", NULL, 0.02, 60, heavyRope, NULL},
    {"heavy_rope_beside_a_ball", NULL, 0.02, 60, ropeBesideABall, NULL},
    {"bent_wheel", NULL, 0.01, 60, bentWheel, NULL},
    {"closed_track", NULL, 0.01, 60, closedTrack, NULL},
    {"overshoots_without_shapes", NULL, 0.02, 400, overshoots, NULL},
    {"slides_on_a_turning_axis", NULL, 0.01, 1000, slidesOnATurningAxis, NULL},
    {"stiff_force_of_the_program", NULL, 0.01, 100, stiffSpring, pull},
    {"thrown_by_its_joint", NULL, 0.01, 60, thrownByItsJoint, moveIt},
    {"open_track", NULL, 0.01, 60, openTrack, NULL},
    {"whip", NULL, 0.01, 300, whip, NULL},
    {"spins_on_the_ground", NULL, 0.01, 40, spinsOnTheGround, NULL},
    {"flicker", NULL, 0.01, 100, flicker, NULL},
    {"flicker_with_layer", NULL, 0.01, 100, flickerWithLayer, NULL},
    {"flicker_with_cfm", NULL, 0.01, 100, flickerWithCfm, NULL},
    {"flicker_with_bounce", NULL, 0.01, 100, flickerWithBounce, NULL},
    {"flicker_with_strong_erp", NULL, 0.01, 100, flickerWithStrongErp, NULL},
    {"flicker_with_bounded_velocity", NULL, 0.01, 100, flickerWithBoundedVelocity, NULL},
    {"capped_flywheel", NULL, 0.01, 400, cappedFlywheel, NULL},
    {"capped_higher_flywheel", NULL, 0.01, 400, cappedHigherFlywheel, NULL},
    {"damped_flywheel", NULL, 0.01, 400, dampedFlywheel, NULL},
    {"loaded_flywheel", NULL, 0.01, 400, loadedFlywheel, brakeFlywheel},
    {"pulled_through_a_slot", NULL, 0.01, 100, pulledThroughASlot, NULL},
    {NULL, NULL, 0, 0, NULL, NULL},
};

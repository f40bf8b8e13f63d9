/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program set, or forgot to set: models with such a fault, and models that look like them without having it. */
#include <dlfcn.h>
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first;
static dJointID driven;

/* 14 robots' feet, each with the moments of a box of 2 m */
static void copies(void)
{
    for (int i = 0; i < 14; i++) {
        dMass m;
        const dBodyID b = box(1, 0.2, 0.2, 0.2, i, 0, 3);
        dMassSetBoxTotal(&m, 1, 2, 2, 2);
        dBodySetMass(b, &m);
    }
}

/* ---- motors ------------------------------------------------------------------------------------------------------ */

static void arm(double speed, double force)
{
    driven = hinge(box(1, 0.6, 0.05, 0.05, 0, 0, 1), 0, 0, 0, 1, 0, 1, 0);
    dJointSetHingeParam(driven, dParamVel, speed);
    dJointSetHingeParam(driven, dParamFMax, force);
}
static dJointID rail(dBodyID body)
{
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, body, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    return j;
}
static void hingeWithoutForce(void)
{
    arm(2, 0);
}
static void sliderWithoutForce(void)
{
    driven = rail(box(1, 0.2, 0.2, 0.2, 0, 0, 1));
    dJointSetSliderParam(driven, dParamVel, -0.5);
}
/* the steering has a force, the wheel's motor has none */
static void wheelWithoutForce(void)
{
    const dBodyID car = box(100, 2, 1, 0.5, 0, 0, 1), wheel = ball(5, 0.3, 0.8, 0.6, 0.8);
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    dWorldSetGravity(world, 0, 0, 0);
    driven = dJointCreateHinge2(world, 0);
    dJointAttach(driven, car, wheel);
    dJointSetHinge2Anchor(driven, 0.8, 0.6, 0.8);
    dJointSetHinge2Axes(driven, up, across);
    dJointSetHinge2Param(driven, dParamFMax1, 100);
    dJointSetHinge2Param(driven, dParamVel2, 20);
}
static void neitherSpeedNorForce(void)
{
    arm(0, 0);
}
static void motorWithForce(void)
{
    arm(2, 5);
}
/* the force is set when the program wants it */
static void forceLater(int step)
{
    if (step == 30) dJointSetHingeParam(driven, dParamFMax, 5);
}
/* let go at its speed: it rolls on */
static void coasts(void)
{
    arm(2, 0);
    dBodySetAngularVel(dJointGetBody(driven, 0), 0, 2, 0);
}
/* closed stops take the motor's place */
static void lockedAxis(void)
{
    arm(2, 0);
    dJointSetHingeParam(driven, dParamLoStop, 0);
    dJointSetHingeParam(driven, dParamHiStop, 0);
}
static void infiniteForce(void)
{
    arm(1, dInfinity);
}

/* ---- contacts that contradict each other ------------------------------------------------------------------------- */

static void wall(double x, double y, double z, double px, double pz)
{
    dGeomSetPosition(dCreateBox(space, x, y, z), px, 0, pz);
}
/* a brick of 81 g, 0.2 m wide, between walls that are 0.19 m apart */
static void brickBetweenWalls(void)
{
    ground();
    wall(1, 2, 1, -0.595, 0.5);
    wall(1, 2, 1, 0.595, 0.5);
    box(0.081, 0.2, 0.1, 0.06, 0, 0, 0.03);
}
static void underTheCeiling(void)
{
    ground();
    dCreatePlane(space, 0, 0, -1, -0.39);
    ball(2, 0.2, 0, 0, 0.195);
}
/* the second body is moved by the program, and does not move */
static void besideKinematic(void)
{
    ground();
    wall(1, 2, 1, -0.595, 0.5);
    first = box(1, 0.2, 0.2, 0.2, 0.195, 0, 0.11);
    dBodySetKinematic(first);
    box(0.5, 0.2, 0.1, 0.06, 0, 0, 0.03);
}
static void loadOnASmallBody(void)
{
    ground();
    box(0.1, 0.4, 0.4, 0.2, 0, 0, 0.1);
    box(500, 0.4, 0.4, 0.2, 0, 0, 0.3);
}
static void hammer(void)
{
    ground();
    box(0.1, 0.4, 0.4, 0.1, 0, 0, 0.05);
    dBodySetLinearVel(box(50, 0.3, 0.3, 0.3, 0, 0, 0.27), 0, 0, -8);
    surface.surface.mode = dContactApprox1;
}
/* 300 kN on a plate, which presses a light body onto the ground */
static void press(void)
{
    ground();
    box(0.1, 0.4, 0.4, 0.1, 0, 0, 0.05);
    first = box(1, 0.5, 0.5, 0.1, 0, 0, 0.15);
}
static void pressing(int step)
{
    (void)step;
    dBodyAddForce(first, 0, 0, -3e5);
}
/* two jaws with 500 N hold a body of 50 g */
static void gripper(void)
{
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int side = -1; side <= 1; side += 2) {
        const dJointID j = rail(box(0.5, 0.1, 0.1, 0.1, side * 0.15, 0, 1));
        dJointSetSliderParam(j, dParamVel, side);
        dJointSetSliderParam(j, dParamFMax, 500);
    }
    box(0.05, 0.2, 0.1, 0.1, 0, 0, 1);
    surface.surface.mode = dContactApprox1;
}
/* a ball in a groove of 20 degrees, which makes its load on either side three times its weight */
static void groove(void)
{
    dCreatePlane(space, 0.984807753, 0, 0.173648178, 0);
    dCreatePlane(space, -0.984807753, 0, 0.173648178, 0);
    ball(1, 0.1, 0, 0, 0.1 / 0.173648178);
    surface.surface.mode = dContactApprox1;
}
/* a brick that fits, to the width of a hair */
static void brickThatFits(void)
{
    ground();
    wall(1, 2, 1, -0.60001, 0.5);
    wall(1, 2, 1, 0.60001, 0.5);
    box(0.081, 0.2, 0.1, 0.06, 0, 0, 0.03);
}
/* and one that is a few millionths of a millimetre too wide: it is pressed, but as by a load */
static void brickThatSticks(void)
{
    ground();
    wall(1, 2, 1, -0.599999999, 0.5);
    wall(1, 2, 1, 0.599999999, 0.5);
    box(0.081, 0.2, 0.1, 0.06, 0, 0, 0.03);
}

/* ---- gravity, and nothing that moves ----------------------------------------------------------------------------- */

static void noGravity(void)
{
    dWorldSetGravity(world, 0, 0, 0);
}
static void gravityForgotten(void)
{
    noGravity();
    ground();
    box(1, 0.4, 0.4, 0.2, 0, 0, 0.5);
}
static void robotWithoutGravity(void)
{
    noGravity();
    box(1, 0.4, 0.1, 0.1, 0, 0, 1);
    hinge(first = box(1, 0.4, 0.1, 0.1, 0.4, 0, 1), 0, 0.2, 0, 1, 0, 1, 0);
}
static void onTheGroundWithoutGravity(void)
{
    noGravity();
    ground();
    for (int i = 0; i < 3; i++) box(1, 0.4, 0.4, 0.2, i, 0, 0.1);
}
static void allDisabled(void)
{
    ground();
    dBodyDisable(box(1, 0.4, 0.4, 0.2, 0, 0, 1));
    dBodyDisable(ball(1, 0.2, 1, 0, 1));
}
static void gravityModeOff(void)
{
    dBodySetGravityMode(box(1, 0.4, 0.4, 0.2, 0, 0, 1), 0);
}
static void allKinematic(void)
{
    dBodySetKinematic(box(1, 0.4, 0.4, 0.2, 0, 0, 1));
}
static void boxThatRests(void)
{
    ground();
    box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
}
static void beamOnFixedJoint(void)
{
    const dJointID j = dJointCreateFixed(world, 0);
    first = box(1, 1, 0.1, 0.1, 0.5, 0, 1);
    dJointAttach(j, first, 0);
    dJointSetFixed(j);
}
static void noWeightOnFixedJoint(void)
{
    beamOnFixedJoint();
    dBodySetGravityMode(first, 0);
}
static void pushedOnFixedJoint(void)
{
    noGravity();
    beamOnFixedJoint();
}
static void push(int step)
{
    (void)step;
    dBodyAddForce(first, 0, 0, -5);
}
static void driftsInSpace(void)
{
    noGravity();
    dBodySetLinearVel(ball(1, 0.2, 0, 0, 0), 1, 0, 0);
}
static void kinematicThatMoves(void)
{
    allKinematic();
    first = box(1, 0.4, 0.4, 0.2, 2, 0, 1);
    dBodySetKinematic(first);
    dBodySetLinearVel(first, 0.3, 0, 0);
}
static void asleepAfterAWhile(void)
{
    ground();
    dWorldSetAutoDisableFlag(world, 1);
    dWorldSetAutoDisableSteps(world, 5);
    box(1, 0.4, 0.4, 0.2, 0, 0, 0.101);
}
static void motorHoldsStill(void)
{
    noGravity();
    arm(0, 10);
}
static void pushHeld(int step)
{
    (void)step;
    dBodyAddTorque(dJointGetBody(driven, 0), 0, 3, 0);
}

/* a force of the program, which a stop, dry friction or a user constraint holds alone: forces act, although nothing
 * moves */
static dBodyID pushed;
static dJointID pushedOnRail(void)
{
    noGravity();
    pushed = box(1, 0.4, 0.4, 0.2, 0, 0, 0);
    return rail(pushed);
}
static void pushedAgainstStop(void)
{
    dJointSetSliderParam(pushedOnRail(), dParamHiStop, 0);
}
static void pushedAgainstFriction(void)
{
    int (*friction)(dJointID, double, double);
    *(void **)&friction = dlsym(RTLD_DEFAULT, "ukJointSetCoulomb");
    friction(pushedOnRail(), 0.5, 0);
}
static int holdStill(const void *context, double *A, double *b, void *data)
{
    (void)context, (void)data;
    for (int i = 0; i < 6; i++) A[i] = i == 0;
    b[0] = 0;
    return 0;
}
static void pushedAgainstConstraint(void)
{
    void *(*constrain)(dWorldID, int, const dBodyID *, int, int (*)(const void *, double *, double *, void *), void *);
    *(void **)&constrain = dlsym(RTLD_DEFAULT, "ukConstraintCreate");
    noGravity();
    pushed = box(1, 0.4, 0.4, 0.2, 0, 0, 0);
    constrain(world, 1, &pushed, 1, holdStill, NULL);
}
static void pushAlong(int step)
{
    (void)step;
    dBodyAddForce(pushed, 2, 0, 0);
}
static void pushAcross(int step)
{
    (void)step;
    dBodyAddForce(pushed, 2, 0, 10);
}

/* above the ground, and moved by motors alone */
static void walkerWithoutGravity(void)
{
    noGravity();
    ground();
    const dBodyID body = box(1, 0.4, 0.1, 0.1, 0, 0, 1);
    driven = hinge(body, box(1, 0.4, 0.1, 0.1, 0.4, 0, 1), 0.2, 0, 1, 0, 1, 0);
    dJointSetHingeParam(driven, dParamVel, 1);
    dJointSetHingeParam(driven, dParamFMax, 5);
}
static void thrownWithoutGravity(void)
{
    noGravity();
    ground();
    dBodySetLinearVel(box(1, 0.4, 0.4, 0.2, 0, 0, 0.5), 1, 0, 2);
}
static void thrownAboveTheGround(void)
{
    ground();
    dBodySetLinearVel(box(1, 0.4, 0.4, 0.2, 0, 0, 1), 1, 0, 3);
}
static void spinsWithoutGravity(void)
{
    noGravity();
    dCreatePlane(space, 0, 1, 0, 0);
    dBodySetAngularVel(box(1, 0.4, 0.4, 0.2, 0, 2, 0), 0, 1, 0);
}
static void ballMeetsWall(void)
{
    noGravity();
    dCreatePlane(space, -1, 0, 0, -1);
    dBodySetLinearVel(ball(1, 0.1, 0.5, 0, 0), 3, 0, 0);
    surface.surface.mode = dContactBounce;
    surface.surface.bounce = 0.9;
}
static void billiards(void)
{
    noGravity();
    ballMeetsWall();
    dCreatePlane(space, 1, 0, 0, -1);
    dBodySetLinearVel(ball(1, 0.1, -0.5, 1, 0), 0, 0.5, 0);
}
static void hockeyInThePlane(void)
{
    noGravity();
    dCreatePlane(space, 0, 1, 0, -5);
    first = box(1, 0.2, 0.2, 0.2, 0, 0, 0);
    dJointAttach(dJointCreatePlane2D(world, 0), first, 0);
    dBodySetLinearVel(first, 1, 0.5, 0);
}
static void weightlessBesideBox(void)
{
    noGravity();
    ground();
    wall(1, 1, 1, 5, 5);
    dBodySetLinearVel(box(1, 0.2, 0.2, 0.2, 0, 0, 1), 1, 0, 0);
}

static void gravityAlong(double x, double y, double z)
{
    dWorldSetGravity(world, x, y, z);
    ground();
}
static void gravityAlongY(void)
{
    gravityAlong(0, -9.81, 0);
    box(1, 0.1, 0.1, 0.1, 0, 0, 0.05);
}
static void gravityAlongX(void)
{
    gravityAlong(9.81, 0, 0);
    ball(1, 0.05, 0, 0, 0.05);
    ball(1, 0.05, 0, 1, 0.05);
}
static void planeAcross(void)
{
    dCreatePlane(space, 0, 1, 0, 0);
    box(1, 0.1, 0.1, 0.1, 0, 0.05, 2);
}
static void ballThrownAtAWall(void)
{
    dCreatePlane(space, -1, 0, 0, -1);
    dBodySetLinearVel(ball(1, 0.05, 0.94, 0, 0), -2, 0, 1);
}
static void ballDroppedFarFromAWall(void)
{
    dCreatePlane(space, -1, 0, 0, -1);
    ball(1, 0.05, 0, 0, 0);
}
static void pendulumAtAWall(void)
{
    dCreatePlane(space, -1, 0, 0, -0.36);
    ballJoint(box(1, 0.6, 0.05, 0.05, 0.3, 0, 1), 0, 0, 0, 1);
}
static void slopeOf60(void)
{
    const double s = 0.8660254037844386, c = 0.5;
    dMatrix3 R;
    dCreatePlane(space, s, 0, c, 0);
    first = box(1, 0.2, 0.2, 0.2, 0.1 * s, 0, 0.1 * c);
    dRFromAxisAndAngle(R, 0, 1, 0, 1.0471975511965976);
    dBodySetRotation(first, R);
    surface.surface.mode = dContactApprox1;
    surface.surface.mu = 0.3;
}
static void wallAndFloor(void)
{
    ground();
    dCreatePlane(space, 1, 0, 0, 0);
    box(1, 0.1, 0.1, 0.1, 0.0501, 0, 3);
}

const Model settings_models[] = {
    {"copies_of_a_fault", "inertia", 0.01, 50, copies, NULL},
    {"hinge_motor_without_force", "motor_without_force", 0.005, 60, hingeWithoutForce, NULL},
    {"slider_motor_without_force", "motor_without_force", 0.005, 60, sliderWithoutForce, NULL},
    {"wheel_motor_without_force", "motor_without_force", 0.005, 60, wheelWithoutForce, NULL},
    {"neither_speed_nor_force", "!motor_without_force", 0.005, 60, neitherSpeedNorForce, NULL},
    {"motor_with_force", "!motor_without_force", 0.005, 60, motorWithForce, NULL},
    {"motor_switched_on_later", "!motor_without_force", 0.005, 60, hingeWithoutForce, forceLater},
    {"motor_that_lets_go", "!motor_without_force", 0.005, 60, coasts, NULL},
    {"motor_between_closed_stops", "!motor_without_force", 0.005, 60, lockedAxis, NULL},
    {"motor_of_infinite_force", "!motor_without_force", 0.005, 60, infiniteForce, NULL},
    {"brick_too_wide", "contact_conflict", 0.01, 40, brickBetweenWalls, NULL},
    {"ball_under_a_low_ceiling", "+contact_conflict", 0.01, 40, underTheCeiling, NULL},
    {"brick_beside_a_kinematic_body", "+contact_conflict", 0.01, 40, besideKinematic, NULL},
    {"load_on_a_small_body", "!contact_conflict", 0.01, 40, loadOnASmallBody, NULL},
    {"hammer", "!contact_conflict", 0.01, 40, hammer, NULL},
    {"press", "!contact_conflict", 0.01, 40, press, pressing},
    {"gripper", "!contact_conflict", 0.01, 40, gripper, NULL},
    {"ball_in_a_groove", "!contact_conflict", 0.01, 40, groove, NULL},
    {"brick_that_fits", "!contact_conflict", 0.01, 40, brickThatFits, NULL},
    {"brick_that_sticks", "!contact_conflict", 0.01, 40, brickThatSticks, NULL},
    {"gravity_forgotten", "nothing_moves", 0.01, 40, gravityForgotten, NULL},
    {"robot_without_gravity", "nothing_moves", 0.01, 40, robotWithoutGravity, NULL},
    {"on_the_ground_without_gravity", "nothing_moves", 0.01, 40, onTheGroundWithoutGravity, NULL},
    {"all_disabled", "nothing_moves", 0.01, 40, allDisabled, NULL},
    {"gravity_mode_off", "nothing_moves", 0.01, 40, gravityModeOff, NULL},
    {"all_kinematic", "nothing_moves", 0.01, 40, allKinematic, NULL},
    {"box_that_rests", NULL, 0.01, 40, boxThatRests, NULL},
    {"beam_on_a_fixed_joint", NULL, 0.01, 40, beamOnFixedJoint, NULL},
    {"no_weight_on_a_fixed_joint", NULL, 0.01, 40, noWeightOnFixedJoint, NULL},
    {"pushed_on_a_fixed_joint", NULL, 0.01, 40, pushedOnFixedJoint, push},
    {"drifts_in_space", NULL, 0.01, 40, driftsInSpace, NULL},
    {"kinematic_that_moves", NULL, 0.01, 40, kinematicThatMoves, NULL},
    {"asleep_after_a_while", "!nothing_moves", 0.01, 80, asleepAfterAWhile, NULL},
    {"motor_that_holds_still", "!nothing_moves", 0.01, 40, motorHoldsStill, pushHeld},
    {"pushed_against_a_stop", "!nothing_moves", 0.01, 40, pushedAgainstStop, pushAlong},
    {"pushed_against_friction", "!nothing_moves", 0.01, 40, pushedAgainstFriction, pushAcross},
    {"pushed_against_a_constraint", "!nothing_moves", 0.01, 40, pushedAgainstConstraint, pushAlong},
    {"walker_without_gravity", "gravity_zero", 0.01, 80, walkerWithoutGravity, NULL},
    {"thrown_without_gravity", "gravity_zero", 0.01, 40, thrownWithoutGravity, NULL},
    {"spins_without_gravity", "gravity_zero", 0.01, 40, spinsWithoutGravity, NULL},
    {"thrown_above_the_ground", "!gravity_zero", 0.01, 40, thrownAboveTheGround, NULL},
    {"ball_that_meets_a_wall", "!gravity_zero", 0.01, 80, ballMeetsWall, NULL},
    {"billiards", "!gravity_zero", 0.01, 40, billiards, NULL},
    {"hockey_in_the_plane", "!gravity_zero", 0.01, 40, hockeyInThePlane, NULL},
    {"weightless_beside_a_box", "!gravity_zero", 0.01, 40, weightlessBesideBox, NULL},
    {"weightless_without_ground", "!gravity_zero", 0.01, 40, driftsInSpace, NULL},
    {"gravity_along_y", "+gravity_direction", 0.01, 80, gravityAlongY, NULL},
    {"gravity_along_x", "+gravity_direction", 0.01, 80, gravityAlongX, NULL},
    {"plane_across", "+gravity_direction", 0.01, 80, planeAcross, NULL},
    {"falls_a_little_along_y", "!gravity_direction", 0.01, 20, gravityAlongY, NULL},
    {"ball_thrown_at_a_wall", "!gravity_direction", 0.01, 80, ballThrownAtAWall, NULL},
    {"ball_dropped_far_from_a_wall", "!gravity_direction", 0.01, 80, ballDroppedFarFromAWall, NULL},
    {"pendulum_at_a_wall", "!gravity_direction", 0.01, 80, pendulumAtAWall, NULL},
    {"slope_of_60_degrees", "!gravity_direction", 0.01, 150, slopeOf60, NULL},
    {"wall_and_floor", "!gravity_direction", 0.01, 80, wallAndFloor, NULL},
    {NULL, NULL, 0, 0, NULL, NULL},
};

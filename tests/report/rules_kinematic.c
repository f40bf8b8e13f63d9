/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinematic bodies that are moved by their poses, and others that move rightly. */
#include <math.h>

#include "tests/report/model.h"

static dBodyID moved, other;
static const double h = 0.01;

static dBodyID kinematic(double x, double y, double z, double px, double py, double pz)
{
    moved = box(10, x, y, z, px, py, pz);
    dBodySetKinematic(moved);
    return moved;
}

/* a box on a platform of 2 m */
static void platform(void)
{
    kinematic(2, 2, 0.2, 0, 0, 0.9);
    other = box(1, 0.3, 0.3, 0.3, 0, 0, 1.15);
}

static double lift(int step)
{
    return 0.9 + 0.3 * (1 - cos(0.02 * step));
}

static void slideByPosition(int step)
{
    dBodySetPosition(moved, 0.4 * h * step, 0, 0.9);
}

static void liftByPosition(int step)
{
    dBodySetPosition(moved, 0, 0, lift(step));
}

/* an arm on a joint whose other body is moved */
static void arm(void)
{
    kinematic(0.2, 0.2, 0.2, 0, 0, 2);
    other = box(1, 1, 0.1, 0.1, 0.5, 0, 2);
    ballJoint(moved, other, 0, 0, 2);
}

static void shakeByPosition(int step)
{
    dBodySetPosition(moved, 0.2 * sin(0.05 * step), 0, 2);
}

static void turntable(void)
{
    kinematic(2, 2, 0.2, 0, 0, 0.9);
    other = box(1, 0.3, 0.3, 0.3, 0.6, 0, 1.15);
}

static void turnByRotation(int step)
{
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0, 0, 1, 0.005 * step);
    dBodySetRotation(moved, R);
}

/* ---- look-alikes ------------------------------------------------------------------------------------------------- */

static void slideByVelocity(int step)
{
    (void)step;
    dBodySetLinearVel(moved, 0.4, 0, 0);
}

static void liftByVelocity(int step)
{
    dBodySetLinearVel(moved, 0, 0, (lift(step + 1) - lift(step)) / h);
}

/* both: the position is where the velocity has brought the body */
static void liftByBoth(int step)
{
    dBodySetPosition(moved, 0, 0, lift(step));
    dBodySetLinearVel(moved, 0, 0, (lift(step + 1) - lift(step)) / h);
}

static void turnByVelocity(int step)
{
    (void)step;
    dBodySetAngularVel(moved, 0, 0, 0.5);
}

/* so fast that a recording at 60 Hz shows only some of its poses */
static void shakeByVelocity(int step)
{
    const double w = 2 * 3.14159265358979 * 55, dt = 0.001;
    dBodySetLinearVel(moved, 0.002 * (sin(w * dt * (step + 1)) - sin(w * dt * step)) / dt, 0, 0);
}

static void spinByVelocity(int step)
{
    (void)step;
    dBodySetAngularVel(moved, 0, 0, 250);
}

/* back to the start once a second */
static void slideInCycles(int step)
{
    dBodySetLinearVel(moved, 0.4, 0, 0);
    if (step % 100 == 0) dBodySetPosition(moved, 0, 0, 0.9);
}

/* a conveyor belt: its surface moves, it does not */
static void convey(int step)
{
    (void)step;
    dBodySetPosition(moved, 0, 0, 0.9);
    dBodySetLinearVel(moved, 0.4, 0, 0);
}

static void resetOnce(int step)
{
    if (step == 100) {
        dBodySetPosition(moved, 1, 0, 0.9);
        dBodySetPosition(other, 1, 0, 1.15);
    }
}

/* a body that is no kinematic one, put back in every step */
static void heldBody(void)
{
    ground();
    other = moved = box(1, 0.3, 0.3, 0.3, 0, 0, 0.15);
}

static void holdByPosition(int step)
{
    dBodySetPosition(moved, 0.4 * h * step, 0, 0.15);
    dBodySetLinearVel(moved, 0, 0, 0);
}

/* a camera: it moves beside the others */
static void camera(void)
{
    platform();
    dBodySetPosition(other, 0, 0, -5);
    dBodySetGravityMode(other, 0);
}

const RuleModel kinematic_models[] = {
    {{"platform_slid_by_position", "+moved_without_velocity", 0.01, 200, platform, slideByPosition}, 0},
    {{"platform_slid_natively", "+moved_without_velocity", 0.01, 200, platform, slideByPosition}, ModelNative},
    {{"platform_lifted_by_position", "+moved_without_velocity", 0.01, 200, platform, liftByPosition}, 0},
    {{"arm_shaken_by_position", "+moved_without_velocity", 0.01, 200, arm, shakeByPosition}, 0},
    {{"turntable_by_rotation", "+moved_without_velocity", 0.01, 200, turntable, turnByRotation}, 0},
    {{"platform_slid_by_velocity", "!moved_without_velocity", 0.01, 200, platform, slideByVelocity}, 0},
    {{"platform_lifted_by_velocity", "!moved_without_velocity", 0.01, 400, platform, liftByVelocity}, 0},
    {{"platform_lifted_natively", "!moved_without_velocity", 0.01, 400, platform, liftByVelocity}, ModelNative},
    {{"platform_lifted_by_both", "!moved_without_velocity", 0.01, 400, platform, liftByBoth}, 0},
    {{"turntable_by_velocity", "!moved_without_velocity", 0.01, 200, turntable, turnByVelocity}, 0},
    {{"shaker_by_velocity", "!moved_without_velocity", 0.001, 2000, platform, shakeByVelocity}, 0},
    {{"spindle_by_velocity", "!moved_without_velocity", 0.01, 200, platform, spinByVelocity}, 0},
    {{"platform_in_cycles", "!moved_without_velocity", 0.01, 400, platform, slideInCycles}, 0},
    {{"conveyor_of_a_body", "!moved_without_velocity", 0.01, 200, platform, convey}, 0},
    {{"platform_reset_once", "!moved_without_velocity", 0.01, 200, platform, resetOnce}, 0},
    {{"body_put_back", "!moved_without_velocity", 0.01, 200, heldBody, holdByPosition}, 0},
    {{"camera_by_position", "!moved_without_velocity", 0.01, 200, camera, slideByPosition}, 0},
    {{"platform_at_rest", "!moved_without_velocity", 0.01, 200, platform, NULL}, 0},
    {{NULL, NULL, 0, 0, NULL, NULL}, 0},
};

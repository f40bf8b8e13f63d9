/* SPDX-License-Identifier: BSD-3-Clause */
/* demos/scenes_robot.c: bodies that move themselves: servo motors of bounded force, stops, contacts with the ground. A
 * servo is what programs make of ODE's motors: before each step its velocity is set to 10 times the angle's error. */
#include "demos/scenes.h"

#include <math.h>

enum { Ground = 1, Limb = 2 };

static const dReal gain = 10; /* [1/s] of a servo */

static void ground(dGeomID g)
{
    dGeomSetCategoryBits(g, Ground);
    dGeomSetCollideBits(g, Limb);
}

static Scene *onGround(int bodies, int joints, dReal mu)
{
    Scene *s = sceneNew(bodies, joints, 0.01);
    s->space = dHashSpaceCreate(0);
    s->contacts = dJointGroupCreate(0);
    s->mu = mu;
    ground(dCreatePlane(s->space, 0, 0, 1, 0));
    return s;
}

/* thirty bars across the way, from x on, a step apart, half sunk */
static void addBumps(Scene *s, dReal x, dReal step, dReal length, dReal width, dReal height)
{
    for (int k = 0; k < 30; k++) {
        const dGeomID bump = dCreateBox(s->space, length, width, height);
        dGeomSetPosition(bump, x + step * k, 0, 0);
        ground(bump);
    }
}

/* touches the ground, no other limb */
static void limb(dBodyID b)
{
    dGeomSetCategoryBits(dBodyGetFirstGeom(b), Limb);
    dGeomSetCollideBits(dBodyGetFirstGeom(b), Ground);
}

/* ---- snakes ------------------------------------------------------------------------------------------------------ */

static void driveSnake(Scene *s)
{
    for (int i = 0; i < s->joint_count; i++) {
        const dJointID j = s->joints[i];
        if (dJointGetType(j) != dJointTypeUniversal) continue;
        const dReal wave = 4 * s->time - 0.7 * i;
        dJointSetUniversalParam(j, dParamVel, gain * (0.25 * sin(wave) - dJointGetUniversalAngle1(j)));
        dJointSetUniversalParam(j, dParamVel2, gain * (0.5 * cos(wave) - dJointGetUniversalAngle2(j)));
    }
}

/* n boxes along x, `z` above the ground, between them universal joints about y and z */
static void addSnake(Scene *s, int n, dReal z)
{
    const dReal length = 0.3, width = 0.2;
    for (int i = 0; i < n; i++) {
        const dBodyID b = sceneAddBox(s, 1, 0.9 * length, width, width, length * i, 0, z);
        if (s->space) limb(b);
        if (i == 0) continue;
        const dJointID j = dJointCreateUniversal(s->world, 0);
        dJointAttach(j, s->bodies[i - 1], b);
        dJointSetUniversalAnchor(j, length * (i - 0.5), 0, z);
        dJointSetUniversalAxis2(j, 0, 0, 1); /* first: the other one is along it by default */
        dJointSetUniversalAxis1(j, 0, 1, 0);
        for (int axis = 0; axis < 2; axis++) {
            const int group = axis * dParamGroup;
            dJointSetUniversalParam(j, dParamFMax + group, 10);
            dJointSetUniversalParam(j, dParamLoStop + group, -1);
            dJointSetUniversalParam(j, dParamHiStop + group, 1);
        }
        s->joints[s->joint_count++] = j;
    }
    s->drive = driveSnake;
}

Scene *sceneSnake(int n)
{
    Scene *s = onGround(n, n, 0.8);
    addSnake(s, n, 0.1);
    return s;
}

Scene *sceneHangingSnake(int n)
{
    Scene *s = sceneNew(n, n, 0.01);
    addSnake(s, n, 0);
    sceneAddFixed(s, s->bodies[0], 0);
    return s;
}

static void driveSoftSnake(Scene *s)
{
    driveSnake(s);
    for (int i = 0; i < s->joint_count; i++)
        for (int parameter = dParamVel; parameter <= dParamVel2; parameter += dParamGroup) {
            const dReal velocity = dJointGetUniversalParam(s->joints[i], parameter);
            dJointSetUniversalParam(s->joints[i], parameter, velocity / gain * 0.2 / s->h);
        }
}

Scene *sceneSoftSnake(int n)
{
    Scene *s = onGround(n, n, 0.2);
    addSnake(s, n, 0.1);
    for (int i = 0; i < s->joint_count; i++) {
        dJointSetUniversalParam(s->joints[i], dParamFMax, 2);
        dJointSetUniversalParam(s->joints[i], dParamFMax2, 2);
    }
    s->drive = driveSoftSnake;
    return s;
}

/* ---- a walker ---------------------------------------------------------------------------------------------------- */

/* hips swing, knees lift the foot that comes forward */
static void driveWalker(Scene *s)
{
    for (int i = 0; i < s->joint_count; i++) {
        const int leg = i / 2, knee = i % 2;
        const dReal wave = s->gait.rate * s->time + (leg < 4 ? s->gait.phase[leg] : 0);
        const dReal angle = knee ? 0.5 + 0.3 * cos(wave) : -0.25 + 0.3 * sin(wave);
        dJointSetHingeParam(s->joints[i], dParamVel, gain * (angle - dJointGetHingeAngle(s->joints[i])));
    }
}

static dJointID addServo(Scene *s, dBodyID a, dBodyID b, dReal x, dReal y, dReal z)
{
    const dReal anchor[3] = {x, y, z};
    const dJointID j = sceneAddHinge(s, a, b, anchor, 0, 1, 0);
    dJointSetHingeParam(j, dParamFMax, 30);
    dJointSetHingeParam(j, dParamLoStop, -1.5);
    dJointSetHingeParam(j, dParamHiStop, 1.5);
    return j;
}

Scene *sceneWalker(int n)
{
    Scene *s = onGround(9 * n, 8 * n, 0.8);
    for (int k = 0; k < n; k++) {
        const dReal y0 = 1.5 * k;
        const dBodyID trunk = sceneAddBox(s, 6, 0.8, 0.3, 0.15, 0, y0, 0.6);
        limb(trunk);
        for (int leg = 0; leg < 4; leg++) {
            const dReal x = leg < 2 ? 0.35 : -0.35, y = y0 + (leg % 2 ? 0.2 : -0.2);
            const dBodyID thigh = sceneAddBox(s, 1, 0.08, 0.08, 0.28, x, y, 0.45);
            const dBodyID shank = sceneAddBox(s, 0.7, 0.06, 0.06, 0.3, x, y, 0.15);
            limb(thigh);
            limb(shank);
            addServo(s, thigh, trunk, x, y, 0.6);
            addServo(s, shank, thigh, x, y, 0.3);
        }
    }
    s->gait.rate = 8; /* a trot: legs across the trunk move together */
    s->gait.phase[1] = s->gait.phase[2] = M_PI;
    s->drive = driveWalker;
    return s;
}

/* ---- cars -------------------------------------------------------------------------------------------------------- */

static void driveCar(Scene *s)
{
    for (int i = 0; i < s->joint_count; i++) {
        const dJointID j = s->joints[i];
        if (i % 4 < 2) { /* the front wheels steer */
            const dReal error = 0.3 * sin(0.7 * s->time) - dJointGetHinge2Angle1(j);
            dJointSetHinge2Param(j, dParamVel, gain * error);
        }
        dJointSetHinge2Param(j, dParamVel2, fmin(4 * s->time, 12));
    }
}

static void addWheel(Scene *s, dBodyID chassis, dReal x, dReal y, int steers)
{
    const dReal radius = 0.3;
    dMass m;
    const dBodyID wheel = s->bodies[s->count++] = dBodyCreate(s->world);
    dMassSetSphereTotal(&m, 2, radius);
    dBodySetMass(wheel, &m);
    dBodySetPosition(wheel, x, y, radius);
    dGeomSetBody(dCreateSphere(s->space, radius), wheel);
    limb(wheel);
    const dJointID j = s->joints[s->joint_count++] = dJointCreateHinge2(s->world, 0);
    dJointAttach(j, chassis, wheel);
    dJointSetHinge2Anchor(j, x, y, radius);
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    dJointSetHinge2Axes(j, up, across);
    dJointSetHinge2Param(j, dParamSuspensionERP, 0.4);
    dJointSetHinge2Param(j, dParamSuspensionCFM, 1e-3);
    dJointSetHinge2Param(j, dParamLoStop, steers ? -0.6 : 0);
    dJointSetHinge2Param(j, dParamHiStop, steers ? 0.6 : 0);
    dJointSetHinge2Param(j, dParamFMax, steers ? 40 : 0);
    dJointSetHinge2Param(j, dParamFMax2, 15);
}

Scene *sceneCar(int n)
{
    Scene *s = onGround(5 * n, 4 * n, 1);
    for (int k = 0; k < n; k++) {
        const dReal y = 4 * k;
        const dBodyID chassis = sceneAddBox(s, 20, 2, 0.8, 0.3, 0, y, 0.5);
        limb(chassis);
        for (int i = 0; i < 4; i++) addWheel(s, chassis, i < 2 ? 0.8 : -0.8, y + (i % 2 ? 0.5 : -0.5), i < 2);
    }
    addBumps(s, 3, 1.7, 0.3, 4 * n + 40, 0.1);
    s->drive = driveCar;
    return s;
}

/* ---- bikes ------------------------------------------------------------------------------------------------------- */

enum { BikeJoints = 5 }; /* sliders of the forks, hinges of the wheels, the rider's */

/* The throttle is held until a bike rears up; the rider leans against it. */
static void driveBike(Scene *s)
{
    for (int i = 0; i < s->joint_count; i += BikeJoints) {
        const dReal *R = dBodyGetRotation(s->bodies[i / BikeJoints * 6]), pitch = atan2(-R[8], R[0]);
        dJointSetHingeParam(s->joints[i + 3], dParamVel, pitch < -0.3 ? 5 : fmin(10 * s->time, 20));
        dJointSetHingeParam(s->joints[i + 4], dParamVel, gain * (-pitch - dJointGetHingeAngle(s->joints[i + 4])));
    }
}

static void addFork(Scene *s, dBodyID frame, dReal x, dReal y, dReal radius)
{
    dMass m;
    const dBodyID fork = sceneAddBox(s, 1, 0.08, 0.08, 0.3, x, y, radius + 0.15);
    const dBodyID wheel = s->bodies[s->count++] = dBodyCreate(s->world);
    dMassSetSphereTotal(&m, 2, radius);
    dBodySetMass(wheel, &m);
    dBodySetPosition(wheel, x, y, radius);
    dGeomSetBody(dCreateSphere(s->space, radius), wheel);
    limb(fork);
    limb(wheel);
    const dJointID slider = sceneAddSlider(s, frame, fork, 0, 0, 1);
    dJointSetSliderParam(slider, dParamLoStop, 0); /* both stops at 0, and soft: a spring of 5 kN/m and 250 N s/m */
    dJointSetSliderParam(slider, dParamHiStop, 0);
    dJointSetSliderParam(slider, dParamStopERP, s->h * 5000 / (s->h * 5000 + 250));
    dJointSetSliderParam(slider, dParamStopCFM, 1 / (s->h * 5000 + 250));
    const dReal axle[3] = {x, y, radius};
    sceneAddHinge(s, fork, wheel, axle, 0, -1, 0);
}

Scene *sceneBike(int n)
{
    Scene *s = onGround(6 * n, BikeJoints * n, 1);
    for (int k = 0; k < n; k++) {
        const dReal y = 2 * k, saddle[3] = {-0.1, y, 0.95};
        const dBodyID frame = sceneAddBox(s, 12, 1, 0.15, 0.3, 0, y, 0.7);
        limb(frame);
        addFork(s, frame, 0.6, y, 0.3);
        addFork(s, frame, -0.6, y, 0.3);
        const dBodyID rider = sceneAddBox(s, 8, 0.3, 0.15, 0.5, -0.1, y, 1.2);
        limb(rider);
        dJointSetHingeParam(sceneAddHinge(s, rider, frame, saddle, 0, 1, 0), dParamFMax, 60);
        const dJointID front = s->joints[s->joint_count - 4], rear = s->joints[s->joint_count - 2];
        dJointSetHingeParam(front, dParamFMax, 0.2); /* its brake rubs */
        dJointSetHingeParam(rear, dParamFMax, 25);
    }
    addBumps(s, 4, 2.3, 0.4, 4 * n + 40, 0.12);
    s->drive = driveBike;
    return s;
}

/* ---- grippers ---------------------------------------------------------------------------------------------------- */

enum { GripperJoints = 3 }; /* the lift, and two fingers */

/* Half a second to close, then up by 0.3 m, and up and down there. */
static void driveGripper(Scene *s)
{
    const dReal aim = s->time < 0.5 ? 0 : fmin(0.3 * (s->time - 0.5), 0.3 + 0.05 * sin(6 * s->time));
    for (int i = 0; i < s->joint_count; i += GripperJoints) {
        dJointSetSliderParam(s->joints[i], dParamVel, gain * (aim - dJointGetSliderPosition(s->joints[i])));
        dJointSetSliderParam(s->joints[i + 1], dParamVel, 0.3);
        dJointSetSliderParam(s->joints[i + 2], dParamVel, -0.3);
    }
}

Scene *sceneGripper(int n)
{
    Scene *s = onGround(4 * n, GripperJoints * n, 0.8);
    for (int k = 0; k < n; k++) {
        const dReal y = k;
        const dBodyID hand = sceneAddBox(s, 2, 0.5, 0.1, 0.06, 0, y, 0.43);
        dJointSetSliderParam(sceneAddSlider(s, hand, 0, 0, 0, 1), dParamFMax, 300);
        for (int side = -1; side <= 1; side += 2) {
            const dBodyID finger = sceneAddBox(s, 0.5, 0.04, 0.1, 0.34, 0.15 * side, y, 0.22);
            limb(finger);
            dJointSetSliderParam(sceneAddSlider(s, finger, hand, 1, 0, 0), dParamFMax, 40);
        }
        limb(hand);
        const dGeomID held = dBodyGetFirstGeom(sceneAddBox(s, 1, 0.2, 0.2, 0.2, 0, y, 0.1));
        dGeomSetCategoryBits(held, Ground); /* fingers touch it, */
        dGeomSetCollideBits(held, Ground | Limb);
    }
    s->drive = driveGripper;
    return s;
}

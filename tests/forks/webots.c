/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps a world as Webots does: a step through a pointer to dWorldStep, then collision detection; two groups of contact
 * joints for each body, filled in turns and emptied only of bodies that are awake; soft contacts that bounce; a reset
 * of all poses. A car with suspended hinges and hinge2s, an arm with a stop beyond half a turn, a ball joint with an
 * Euler AMotor attached as (0, body), a box in water, boxes that fall asleep. Prints poses, velocities, feedback.
 *
 * Usage: webots STEPS [threads N | again | fail | quick | plain | axis2 | water | float]. again: resets the world after
 * the steps and repeats them; fail: a step of negative length in between, which leaves the world as it was; quick:
 * dWorldQuickStep in between; plain: without suspension axes; axis2: the second axis of a hinge2 has stops; water: the
 * box in water alone, thrown and turning, of which nothing is printed; float: the same, printed, where every other step
 * is dWorldQuickStep. With OWN_STEP it calls ukWorldStep. */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OWN_STEP
#include <ukode/ukode.h>
#define STEP ukWorldStep
#else
#define STEP dWorldStep
#endif

enum { Bodies = 12, MostContacts = 10 };

typedef int StepFunction(dWorldID, dReal);
void testImmerse(dBodyID body, dReal volume, dReal level);
void testDrain(void);
void dToggleODE_MT(int threads);
void dWorldStepAndSpaceCollide(dSpaceID space, void *data, dNearCallback *callback, dWorldID world, dReal h,
                               StepFunction *step, void (*update)(int));
void dJointSetHingeSuspensionAxis(dJointID joint, dReal x, dReal y, dReal z);
void dJointSetHinge2SuspensionAxis(dJointID joint, dReal x, dReal y, dReal z);

static const double h = 0.008;
static dWorldID world;
static dSpaceID space;
static dBodyID body[Bodies];
static int bodies, swapped;
static dJointGroupID contacts[2][Bodies];
static dJointID arm, motor, wheel[4];
static dJointFeedback feedback[6];

static int indexOf(dBodyID b)
{
    for (int i = 0; i < bodies; i++)
        if (body[i] == b) return i;
    return -1;
}

static void touch(void *data, dGeomID one, dGeomID two)
{
    dContact c[MostContacts];
    const dBodyID a = dGeomGetBody(one), b = dGeomGetBody(two);
    (void)data;
    if ((a && b && dAreConnectedExcluding(a, b, dJointTypeContact)) || (!a && !b)) return;
    if ((!a || !dBodyIsEnabled(a)) && (!b || !dBodyIsEnabled(b))) return; /* the sleepers' contacts are kept */
    memset(c, 0, sizeof c);
    const int n = dCollide(one, two, MostContacts, &c[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
        c[i].surface.mode = dContactBounce | dContactApprox1 | dContactSoftCFM | dContactSoftERP | dContactRolling;
        c[i].surface.mu = 1;
        c[i].surface.rho = 0.001;
        c[i].surface.bounce = 0.5;
        c[i].surface.bounce_vel = 0.01;
        c[i].surface.soft_cfm = 1e-3;
        c[i].surface.soft_erp = 0.2;
        dJointAttach(dJointCreateContact(world, contacts[swapped][indexOf(a ? a : b)], &c[i]), a, b);
    }
}

static dBodyID add(double mass, double x, double y, double z, double lx, double ly, double lz)
{
    dMass m;
    const dBodyID b = body[bodies++] = dBodyCreate(world);
    dMassSetBoxTotal(&m, mass, lx, ly, lz);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, y, z);
    dBodySetAutoDisableFlag(b, 0);
    return b;
}

static void car(const char *how)
{
    const int plain = strcmp(how, "plain") == 0;
    const dBodyID chassis = add(10, 0, 0, 0.6, 2, 1, 0.3);
    dGeomSetBody(dCreateBox(space, 2, 1, 0.3), chassis);
    for (int i = 0; i < 4; i++) {
        const double x = i & 1 ? 1 : -1, y = i & 2 ? 0.6 : -0.6;
        const dBodyID b = add(1, x, y, 0.35, 0.5, 0.2, 0.5);
        dGeomSetBody(dCreateSphere(space, 0.3), b);
        if (i & 1) { /* in front, steered */
            const dJointID j = wheel[i] = dJointCreateHinge2(world, 0);
            dJointAttach(j, chassis, b);
            dJointSetHinge2Anchor(j, x, y, 0.35);
            dJointSetHinge2Axis1(j, 0, 0, 1);
            dJointSetHinge2Axis2(j, 0, 1, 0);
            if (!plain) dJointSetHinge2SuspensionAxis(j, 0.2, 0, 1);
            dJointSetHinge2Param(j, dParamSuspensionERP, 0.4);
            dJointSetHinge2Param(j, dParamSuspensionCFM, 0.005);
            dJointSetHinge2Param(j, dParamLoStop, 0.1);
            dJointSetHinge2Param(j, dParamHiStop, 0.1);
            if (strcmp(how, "axis2") == 0) dJointSetHinge2Param(j, dParamHiStop2, 0.5);
        } else {
            const dJointID j = wheel[i] = dJointCreateHinge(world, 0);
            dJointAttach(j, chassis, b);
            dJointSetHingeAnchor(j, x, y, 0.35);
            dJointSetHingeAxis(j, 0, 1, 0);
            if (!plain) dJointSetHingeSuspensionAxis(j, 0, 0.1, 1);
            dJointSetHingeParam(j, dParamSuspensionERP, 0.3);
            dJointSetHingeParam(j, dParamSuspensionCFM, 0.004);
            dJointSetHingeParam(j, dParamVel, -3);
            dJointSetHingeParam(j, dParamFMax, 2);
        }
        dJointSetFeedback(wheel[i], &feedback[i]);
    }
}

static void machines(void)
{
    const dBodyID hand = add(1, 5.5, 0, 3, 1, 0.2, 0.2), head = add(1, 8, 0, 3.3, 0.2, 0.3, 0.6);
    arm = dJointCreateHinge(world, 0); /* its first body is the world; its default suspension is rigid */
    dJointAttach(arm, 0, hand);
    dJointSetHingeAnchor(arm, 5, 0, 3);
    dJointSetHingeAxis(arm, 0, 1, 0);
    dJointSetHingeParam(arm, dParamLoStop, -1);
    dJointSetHingeParam(arm, dParamHiStop, 3.4);
    dJointSetHingeParam(arm, dParamVel, 3);
    dJointSetHingeParam(arm, dParamFMax, 30);
    dJointSetFeedback(arm, &feedback[4]);
    const dJointID ball = dJointCreateBall(world, 0);
    dJointAttach(ball, 0, head);
    dJointSetBallAnchor(ball, 8, 0, 3);
    motor = dJointCreateAMotor(world, 0);
    dJointAttach(motor, 0, head);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    for (int i = 0; i < 3; i++) {
        dJointSetAMotorParam(motor, dParamFMax + dParamGroup * i, 1);
        dJointSetAMotorParam(motor, dParamVel + dParamGroup * i, 0.3 * (i - 1));
    }
    dJointSetFeedback(motor, &feedback[5]);
}

static void water(void)
{
    const dBodyID b = add(100, 12, 0, 4, 0.5, 0.4, 0.6);
    dBodySetLinearVel(b, 1.5, -0.7, 2);
    dBodySetAngularVel(b, 2, -3, 1);
    testImmerse(b, 0.15, 4);
}

static void scenery(const char *how)
{
    dCreatePlane(space, 0, 0, 1, 0);
    car(how);
    machines();
    testImmerse(add(100, 12, 0, 4, 0.5, 0.5, 0.5), 0.15, 4);
    for (int i = 0; i < 3; i++) {
        const dBodyID b = add(1, 16, 0, 0.3 + 0.55 * i, 0.5, 0.5, 0.5);
        dGeomSetBody(dCreateBox(space, 0.5, 0.5, 0.5), b);
        dBodySetAutoDisableFlag(b, 1);
        dBodySetAutoDisableTime(b, 0.2);
        dBodySetAutoDisableSteps(b, 0);
    }
}

static void build(const char *how)
{
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetERP(world, 0.2);
    dWorldSetCFM(world, 1e-5);
    if (strcmp(how, "water") == 0 || strcmp(how, "float") == 0)
        water();
    else
        scenery(how);
    for (int i = 0; i < bodies; i++)
        for (int k = 0; k < 2; k++) contacts[k][i] = dJointGroupCreate(0);
}

static void empty(int which, int all)
{
    for (int i = 0; i < bodies; i++)
        if (all || dBodyIsEnabled(body[i])) dJointGroupEmpty(contacts[which][i]);
}

/* Webots sets the poses of the start, stops all bodies, and forgets the contacts. */
static void reset(double start[Bodies][7])
{
    for (int i = 0; i < bodies; i++) {
        dBodySetPosition(body[i], start[i][0], start[i][1], start[i][2]);
        dBodySetQuaternion(body[i], &start[i][3]);
        dBodySetLinearVel(body[i], 0, 0, 0);
        dBodySetAngularVel(body[i], 0, 0, 0);
        dBodySetForce(body[i], 0, 0, 0);
        dBodySetTorque(body[i], 0, 0, 0);
        dBodyEnable(body[i]);
    }
    empty(0, 1);
    empty(1, 1);
    swapped = 0;
}

static void print(void)
{
    for (int i = 0; i < bodies; i++) {
        const dReal *const x = dBodyGetPosition(body[i]), *const v = dBodyGetLinearVel(body[i]);
        const dReal *const w = dBodyGetAngularVel(body[i]), *const F = dBodyGetForce(body[i]);
        printf("body %d %.15g %.15g %.15g velocity %.14g %.14g %.14g spin %.14g %.14g %.14g force %.9g, %d\n", i, x[0],
               x[1], x[2], v[0], v[1], v[2], w[0], w[1], w[2], F[2], dBodyIsEnabled(body[i]));
    }
    for (int i = 0; i < 6 && arm; i++)
        printf("feedback %d %.7g %.7g %.7g, %.7g\n", i, feedback[i].f1[0], feedback[i].f1[2], feedback[i].t1[1],
               feedback[i].t1[0]);
    if (arm)
        printf("angle %.10g motor %.9g, %.9g\n", dJointGetHingeAngle(arm), dJointGetAMotorAngle(motor, 0),
               dJointGetAMotorAngle(motor, 2));
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 200;
    const char *const how = argc > 2 ? argv[2] : "";
    double start[Bodies][7];
    dInitODE2(0);
    build(how);
    if (strcmp(how, "threads") == 0) dToggleODE_MT(atoi(argv[3]));
    for (int i = 0; i < bodies; i++) {
        memcpy(start[i], dBodyGetPosition(body[i]), 3 * sizeof(double));
        memcpy(start[i] + 3, dBodyGetQuaternion(body[i]), 4 * sizeof(double));
    }
    for (int run = 0; run < (strcmp(how, "again") == 0 ? 2 : 1); run++) {
        if (run > 0) reset(start);
        dSpaceCollide(space, NULL, touch);
        swapped = !swapped;
        for (int k = 0; k < steps; k++) {
            if (strcmp(how, "fail") == 0 && k % 50 == 20) dWorldStep(world, -h);
            const int quick = strcmp(how, "float") == 0 ? k % 2 : strcmp(how, "quick") == 0 && k % 50 == 20;
            dWorldStepAndSpaceCollide(space, NULL, touch, world, h, quick ? &dWorldQuickStep : &STEP, NULL);
            swapped = !swapped;
            empty(swapped, 0);
        }
        if (arm || strcmp(how, "float") == 0) print();
    }
    for (int i = 0; i < bodies; i++)
        for (int k = 0; k < 2; k++) dJointGroupDestroy(contacts[k][i]);
    testDrain();
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

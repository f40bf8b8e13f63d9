/* SPDX-License-Identifier: BSD-3-Clause */
/* A program for either precision of ODE (dIDESINGLE, dIDEDOUBLE), linked with ukode: mechanisms of every joint type in
 * both attachment orders, motors, stops, contacts, a user constraint and a joint law, all real arguments and answers of
 * ODE's functions that ukode interposes. Prints the state after each tenth of a second.
 *
 * Usage: single INTEGRATOR [JOINTS]: euler, rk4, adaptive, rattle; ode, exact. */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ukode/ukode.h>

#define R(x) ((dReal)(x))
enum { Mechanisms = 16, Orders = 2, Steps = 60 };

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static dBodyID body[Mechanisms * Orders * 2 + 2];
static dJointID joint[Mechanisms * Orders];
static dJointFeedback feedback[Mechanisms * Orders];
static int bodies, joints, failures;

static void require(int holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "single: %s: %s\n", what, ukGetLastErrorMessage());
    failures++;
}

static dBodyID makeBody(double x, double y, double z)
{
    dMass mass;
    const dBodyID b = dBodyCreate(world);
    dMassSetBox(&mass, R(300), R(0.3), R(0.2), R(0.1));
    dBodySetMass(b, &mass);
    dBodySetPosition(b, R(x), R(y), R(z));
    body[bodies++] = b;
    return b;
}

static void use(dJointID j, dBodyID a, dBodyID b, int order)
{
    joint[joints] = j;
    dJointAttach(j, order ? b : a, order ? a : b);
    dJointSetFeedback(j, &feedback[joints++]);
}

/* joints with one axis or more between a and b */
static void makeJoint(int kind, int order, dBodyID a, dBodyID b, double x, double y, double z)
{
    const dReal X = R(x + 0.2), Y = R(y), Z = R(z);
    const dVector3 up = {0, 0, 1}, along = {0, 1, 0};
    dJointID j;
    switch (kind) {
    case 0: use(j = dJointCreateBall(world, 0), a, b, order), dJointSetBallAnchor(j, X, Y, Z); return;
    case 1:
        use(j = dJointCreateHinge(world, 0), a, b, order);
        dJointSetHingeAnchor(j, X, Y, Z), dJointSetHingeAxis(j, 0, 1, R(0.2));
        dJointSetHingeParam(j, dParamLoStop, R(-0.3)), dJointSetHingeParam(j, dParamHiStop, R(0.4));
        return;
    case 2:
        use(j = dJointCreateSlider(world, 0), a, b, order), dJointSetSliderAxis(j, 1, R(0.1), 0);
        dJointSetSliderParam(j, dParamVel, R(0.3)), dJointSetSliderParam(j, dParamFMax, R(40));
        return;
    case 3:
        use(j = dJointCreateUniversal(world, 0), a, b, order), dJointSetUniversalAnchor(j, X, Y, Z);
        dJointSetUniversalAxis2(j, 0, 0, 1), dJointSetUniversalAxis1(j, 0, 1, 0);
        return;
    case 4:
        use(j = dJointCreateHinge2(world, 0), a, b, order), dJointSetHinge2Anchor(j, X, Y, Z);
        dJointSetHinge2Axes(j, up, along);
        dJointSetHinge2Param(j, dParamVel2, R(2)), dJointSetHinge2Param(j, dParamFMax2, R(0.5));
        return;
    case 5: use(j = dJointCreateFixed(world, 0), a, b, order), dJointSetFixed(j); return;
    case 6:
        use(j = dJointCreatePR(world, 0), a, b, order), dJointSetPRAnchor(j, X, Y, Z);
        dJointSetPRAxis1(j, 1, 0, 0), dJointSetPRAxis2(j, 0, 0, 1);
        return;
    case 7:
        use(j = dJointCreatePU(world, 0), a, b, order), dJointSetPUAnchor(j, X, Y, Z);
        dJointSetPUAxis2(j, 0, 0, 1), dJointSetPUAxis1(j, 0, 1, 0), dJointSetPUAxis3(j, 1, 0, 0);
        return;
    default: break;
    }
}

/* other joints between a and b; `ground`: of b and the world */
static void makeOther(int kind, int order, dBodyID a, dBodyID b, dJointID ground, double x, double y, double z)
{
    const dReal X = R(x + 0.2), Y = R(y), Z = R(z);
    dJointID j;
    switch (kind) {
    case 8:
        use(j = dJointCreatePiston(world, 0), a, b, order), dJointSetPistonAnchor(j, X, Y, Z);
        dJointSetPistonAxis(j, 1, 0, R(0.3));
        return;
    case 9: use(j = dJointCreateDBall(world, 0), a, b, order), dJointSetDBallAnchor1(j, X, Y, R(z + 0.1)); return;
    case 10:
        use(j = dJointCreateDHinge(world, 0), a, b, order), dJointSetDHingeAxis(j, 0, 1, 0);
        dJointSetDHingeAnchor1(j, R(x + 0.4), Y, R(z + 0.1)), dJointSetDHingeAnchor2(j, R(x), Y, R(z + 0.1));
        return;
    case 11:
        use(j = dJointCreateAMotor(world, 0), a, b, order), dJointSetAMotorNumAxes(j, 1);
        dJointSetAMotorAxis(j, 0, 0, 0, 1, 0), dJointSetAMotorAngle(j, 0, R(0.1));
        dJointSetAMotorParam(j, dParamVel, R(1)), dJointSetAMotorParam(j, dParamFMax, R(0.3));
        return;
    case 12:
        use(j = dJointCreateLMotor(world, 0), a, b, order), dJointSetLMotorNumAxes(j, 1);
        dJointSetLMotorAxis(j, 0, 0, 1, 0, 0);
        dJointSetLMotorParam(j, dParamVel, R(-0.2)), dJointSetLMotorParam(j, dParamFMax, R(20));
        return;
    case 13: /* a falls onto the plane */
        dBodySetPosition(a, X, R(y + 1), R(0.06));
        dGeomSetBody(dCreateBox(space, R(0.3), R(0.2), R(0.1)), a);
        use(j = dJointCreateUniversal(world, 0), b, 0, 0), dJointSetUniversalAnchor(j, R(x - 0.2), Y, Z);
        return;
    case 14: /* a viscous law */
        use(j = dJointCreateHinge(world, 0), a, b, order);
        dJointSetHingeAnchor(j, X, Y, Z), dJointSetHingeAxis(j, 0, 1, 0);
        require(ukJointSetViscous(j, 0.2) == ukOk, "ukJointSetViscous");
        return;
    case 15: /* gears that turn about parallel axes on the world */
        dJointDestroy(ground);
        for (int k = 0; k < 2; k++) {
            const dJointID shaft = dJointCreateHinge(world, 0);
            dJointAttach(shaft, k ? a : b, 0);
            dJointSetHingeAnchor(shaft, R(x + 0.4 * k), Y, Z), dJointSetHingeAxis(shaft, 0, 1, 0);
        }
        dBodySetAngularVel(a, 0, R(1), 0), dBodySetAngularVel(b, 0, R(-1), 0);
        use(j = dJointCreateTransmission(world, 0), a, b, order);
        dJointSetTransmissionMode(j, dTransmissionParallelAxes);
        dJointSetTransmissionAnchor1(j, R(x + 0.4 * !order), Y, Z),
            dJointSetTransmissionAnchor2(j, R(x + 0.4 * order), Y, Z);
        dJointSetTransmissionAxis(j, 0, 1, 0), dJointSetTransmissionRatio(j, R(1));
        return;
    default: break;
    }
}

/* a: hangs on b, which hangs on the world */
static void makeMechanism(int kind, int order)
{
    const double x = 0.01 * kind, y = 0.02 * order, z = 0.5;
    const dBodyID a = makeBody(x + 0.4, y, z), b = makeBody(x, y, z);
    const dJointID ground = dJointCreateBall(world, 0);
    dJointAttach(ground, b, 0);
    dJointSetBallAnchor(ground, R(x - 0.2), R(y), R(z));
    dBodySetAngularVel(a, R(0.1), R(0.2), R(0.3));
    makeJoint(kind, order, a, b, x, y, z);
    makeOther(kind, order, a, b, ground, x, y, z);
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact[4];
    (void)data;
    memset(contact, 0, sizeof contact);
    const int n = dCollide(a, b, 4, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = R(0.4);
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static int step(void)
{
    dSpaceCollide(space, NULL, touch);
    const int done = ukWorldStep(world, 0.005) == 1;
    dJointGroupEmpty(contacts);
    return done;
}

static void print(int number)
{
    for (int i = 0; i < bodies; i++) {
        const dReal *const x = dBodyGetPosition(body[i]), *const q = dBodyGetQuaternion(body[i]);
        const dReal *const v = dBodyGetLinearVel(body[i]), *const w = dBodyGetAngularVel(body[i]);
        printf("%d body %d: %.9g %.9g %.9g, %.9g %.9g %.9g %.9g, %.9g %.9g %.9g, %.9g %.9g %.9g\n", number, i,
               (double)x[0], (double)x[1], (double)x[2], (double)q[0], (double)q[1], (double)q[2], (double)q[3],
               (double)v[0], (double)v[1], (double)v[2], (double)w[0], (double)w[1], (double)w[2]);
    }
    for (int j = 0; j < joints; j++) {
        const dJointFeedback *const f = &feedback[j];
        printf("%d joint %d: %.9g %.9g %.9g, %.9g %.9g %.9g\n", number, j, (double)f->f1[0], (double)f->f1[1],
               (double)f->f1[2], (double)f->t2[0], (double)f->t2[1], (double)f->t2[2]);
    }
    dVector3 point = {0};
    const dJointID gear = joint[Orders * 15], motor = joint[Orders * 11];
    dJointGetTransmissionContactPoint1(gear, point);
    printf("%d gear: %.9g %.9g %.9g, %.9g; motor %.9g\n", number, (double)point[0], (double)point[1], (double)point[2],
           (double)dJointGetTransmissionRadius1(gear), (double)dJointGetAMotorAngle(motor, 0));
}

/* a body of its own, accelerated upwards at 1 m/s^2 */
static int rise(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context, (void)data;
    A[2] = 1;
    b[0] = 1;
    return 0;
}

static void build(void)
{
    world = dWorldCreate();
    space = dSimpleSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, R(-9.81));
    dWorldSetCFM(world, R(1e-10)); /* in single precision 1e-5 otherwise */
    dCreatePlane(space, 0, 0, 1, 0);
    for (int kind = 0; kind < Mechanisms; kind++)
        for (int order = 0; order < Orders; order++) makeMechanism(kind, order);
}

static void run(int from, int to, int print_them)
{
    for (int i = from; i < to; i++) {
        if (i == 30) dBodySetLinearVel(body[0], R(0.1), 0, R(0.2)); /* the program intervenes */
        if (i == 35) dBodyAddForce(body[1], 0, R(5), 0);
        require(step(), "a step");
        if (print_them && i % 20 == 19) print(i + 1);
    }
}

int main(int argc, char **argv)
{
    static unsigned char state[1 << 20];
    static const char *const names[] = {"euler", "rk4", "adaptive", "rattle"};
    unsigned char hash[2][16];
    int integrator = 0;
    while (integrator < 3 && strcmp(names[integrator], argc > 1 ? argv[1] : "euler") != 0) integrator++;
    dInitODE2(0);
    build();
    require(ukWorldSetIntegrator(world, (ukIntegrator)integrator) == ukOk, "ukWorldSetIntegrator");
    if (argc > 2 && strcmp(argv[2], "exact") == 0)
        require(ukWorldSetJointRule(world, ukJointRuleExact) == ukOk, "ukWorldSetJointRule");
    dBodyID lift = makeBody(0, -1, 0.5);
    require(ukConstraintCreate(world, 1, &lift, 1, rise, NULL) != 0, "ukConstraintCreate");
    run(0, 10, 0);
    const size_t size = ukWorldSave(world, state, sizeof state);
    require(size > 0 && size <= sizeof state, "ukWorldSave");
    run(10, Steps, 1);
    ukWorldHash(world, hash[0]);
    require(ukWorldRestore(world, state, size) == ukOk, "ukWorldRestore");
    run(10, Steps, 0);
    ukWorldHash(world, hash[1]);
    require(memcmp(hash[0], hash[1], sizeof hash[0]) == 0, "the state after a restored one");
    const pid_t child = fork();
    if (child == 0) { /* which goes on by itself */
        makeBody(1, 2, 3);
        _exit(step() ? 0 : 1);
    }
    int status = 1;
    require(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a step of a child");
    const dReal *const x = dBodyGetPosition(lift);
    require(fabs((double)x[2] - 0.5 - 0.5 * 0.3 * (0.3 + (integrator ? 0 : 0.005))) < 1e-6, "the accelerated body");
    dWorldDestroy(world);
    dCloseODE();
    return failures > 0;
}

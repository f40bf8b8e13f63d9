/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/replay/scene.c: an ordinary ODE program that does what a recording of inputs must see: bodies and joints made
 * and destroyed in flight, states, forces and masses set, motors that follow a plan, axes set where the bodies are by
 * then, contacts of a collision space, bodies that fall asleep, a moved callback that pushes, both steppers, and ODE's
 * random numbers. Prints where everything is in the end; or, asked to tell, each step as it is taken, some 500 a
 * second.
 *
 * Usage: scene STEPS [tell] */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { Boxes = 12 };

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static dBodyID box[Boxes];
static dJointID hinge, slider, amotor;

static void near(void *data, dGeomID a, dGeomID b)
{
    dContact contact[4];
    const int n = dCollide(a, b, 4, &contact[0].geom, sizeof *contact);
    (void)data;
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = i % 2 ? dContactApprox1 | dContactBounce : dContactApprox1 | dContactSlip1;
        contact[i].surface.mu = 0.5 + 0.1 * i;
        contact[i].surface.bounce = 0.2;
        contact[i].surface.bounce_vel = 0.1;
        contact[i].surface.slip1 = 1e-4;
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void moved(dBodyID body)
{
    const dReal *x = dBodyGetPosition(body);
    if (x[2] < 0.6) dBodyAddForce(box[1], 0, 0, 0.5);
    if (x[2] < 0.4) dBodySetLinearVel(box[2], 0, 0, 0.3);
}

static dBodyID make(double x, double y, double z)
{
    dMass mass;
    dMatrix3 R;
    const dBodyID body = dBodyCreate(world);
    const dGeomID geom = dCreateBox(space, 0.4, 0.5, 0.3);
    dMassSetBoxTotal(&mass, 1 + 0.1 * x * x, 0.4, 0.5, 0.3);
    dBodySetMass(body, &mass);
    dRFromEulerAngles(R, 0.3 * x, 0.2 * y, 0.1 + dRandReal());
    dBodySetRotation(body, R);
    dBodySetPosition(body, x, y, z);
    dGeomSetBody(geom, body);
    return body;
}

static void build(void)
{
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dCreatePlane(space, 0, 0, 1, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetAutoDisableFlag(world, 1);
    for (int i = 0; i < Boxes; i++) box[i] = make(0.9 * (i % 4), 0.9 * (i / 4 % 2), 0.6 + 0.4 * (i / 4));
    dBodySetMovedCallback(box[0], moved);
    dWorldSetERP(world, 0.3); /* joints copy it */
    hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, box[0], box[1]);
    dJointSetHingeAnchor(hinge, 0.45, 0, 0.6);
    dJointSetHingeAxis(hinge, 0.1, 1, 0.2);
    dJointSetHingeParam(hinge, dParamFMax, 2);
    slider = dJointCreateSlider(world, 0);
    dJointAttach(slider, 0, box[5]);
    dJointSetSliderAxis(slider, 0, 0.3, 1);
    dJointSetSliderParam(slider, dParamLoStop, -0.2);
    dJointSetSliderParam(slider, dParamHiStop, 0.2);
    amotor = dJointCreateAMotor(world, 0);
    dJointAttach(amotor, box[6], box[7]);
    dJointSetAMotorMode(amotor, dAMotorEuler);
    dJointSetAMotorAxis(amotor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(amotor, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(amotor, dParamFMax, 0.5);
    dWorldSetERP(world, 0.2);
}

/* what a program does between steps */
static void act(int step)
{
    dJointSetHingeParam(hinge, dParamVel, sin(0.05 * step));
    dJointSetAMotorParam(amotor, dParamVel2, 0.3 * cos(0.03 * step));
    if (step % 7 == 0) dBodyAddRelForceAtRelPos(box[3], 3 * dRandReal(), 0, 4, 0.1, 0, 0);
    if (step % 40 == 20) dJointSetSliderAxis(slider, 0.1, 0.2, 1);
    if (step == 60) dBodySetKinematic(box[4]);
    if (step == 90) dBodySetDynamic(box[4]);
    if (step % 50 == 30) {
        dBodyDestroy(box[8]);
        box[8] = make(0.2, 0.3, 2.5);
        dBodySetLinearDamping(box[8], 0.01);
    }
    if (step % 60 == 45) {
        dJointDestroy(hinge);
        hinge = dJointCreateHinge(world, 0);
        dJointAttach(hinge, box[1], box[0]);
        const dReal *x = dBodyGetPosition(box[1]);
        dJointSetHingeAnchor(hinge, x[0], x[1], x[2]);
        dJointSetHingeAxisOffset(hinge, 0, 1, 0, 0.2);
    }
    if (step % 80 == 70) dBodySetAngularVel(box[9], 1, 2, 3);
    if (step == 100) dWorldSetGravity(world, 0.5, 0, -9);
}

static void tell(int step)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    printf("%d\n", step);
    fflush(stdout);
    nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 200;
    dInitODE2(0);
    build();
    for (int i = 0; i < steps; i++) {
        act(i);
        dSpaceCollide(space, 0, near);
        if (i % 3 == 2)
            dWorldQuickStep(world, 0.01);
        else
            dWorldStep(world, 0.01);
        dJointGroupEmpty(contacts);
        if (argc > 2) tell(i + 1);
    }
    for (int i = 0; i < Boxes; i++) {
        const dReal *x = dBodyGetPosition(box[i]);
        printf("%.17g %.17g %.17g\n", x[0], x[1], x[2]);
    }
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

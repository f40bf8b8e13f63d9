/* SPDX-License-Identifier: BSD-3-Clause */
/* A pendulum with a motor, and a box that rests on the ground beside it.
 *
 *     swing STEPS [MICROSECONDS [crash|spawn|strong|keep]]
 *
 * STEPS of 1 ms, with a pause after each; at the end, crash: it aborts; spawn: a body more every 50 steps; strong: the
 * motor has a speed that its force cannot reach, which is a finding; keep: after steps 5 and 30 it saves its state,
 * after 20 and 45 it restores it, with ukode's functions where they are loaded. Prints the pendulum's position. */
#include <dlfcn.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact[4];
    (void)data;
    const int n = dCollide(a, b, 4, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static dBodyID makeBox(double x, double z, double size)
{
    dMass mass;
    const dBodyID body = dBodyCreate(world);
    dMassSetBox(&mass, 500, size, size, size);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, 0, z);
    dGeomSetBody(dCreateBox(space, size, size, size), body);
    return body;
}

/* ukWorldSave, ukWorldRestore */
static void keepState(int step)
{
    static unsigned char state[1 << 20];
    static size_t size;
    size_t (*save)(dWorldID, void *, size_t);
    int (*restore)(dWorldID, const void *, size_t);
    *(void **)&save = dlsym(RTLD_DEFAULT, "ukWorldSave");
    *(void **)&restore = dlsym(RTLD_DEFAULT, "ukWorldRestore");
    if (!save || !restore) return;
    if (step == 5 || step == 30) size = save(world, state, sizeof state);
    if (step == 20 || step == 45) printf("restored: %d\n", restore(world, state, size));
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 1000, pause = argc > 2 ? atoi(argv[2]) : 0;
    const char *const what = argc > 3 ? argv[3] : "";
    dInitODE2(0);
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dCreatePlane(space, 0, 0, 1, 0);
    const dBodyID bob = makeBox(1.5, 2, 0.2);
    makeBox(-1, 0.1, 0.2);
    const dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, bob, 0);
    dJointSetHingeAnchor(hinge, 0.5, 0, 2);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    if (strcmp(what, "strong") == 0) {
        dJointSetHingeParam(hinge, dParamVel, 5);
        dJointSetHingeParam(hinge, dParamFMax, 0.01);
    }
    for (int i = 0; i < steps; i++) {
        dSpaceCollide(space, NULL, touch);
        dWorldStep(world, 0.001);
        dJointGroupEmpty(contacts);
        if (strcmp(what, "keep") == 0) keepState(i + 1);
        if (strcmp(what, "spawn") == 0 && i % 50 == 49) makeBox(3 + 0.01 * i, 1, 0.1);
        if (pause > 0) usleep((useconds_t)pause);
    }
    const dReal *const p = dBodyGetPosition(bob);
    printf("%.17g %.17g\n", p[0], p[2]);
    if (strcmp(what, "crash") == 0) {
        fflush(stdout);
        abort();
    }
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Energy from nowhere is seen: joints that stood open, or beyond their stops, throw their bodies in a step that meets
 * all its equations. Energy that has a cause is none: motors, forces, springs, impacts, overlaps, joints just made. */
#include <math.h>

#include <ukode/ukode.h>

#include "bridge/island/stepper.h"
#include "bridge/world/registry.h"
#include "demos/scenes.h"
#include "plugin/summary/process.h"
#include "tests/check.h"

enum { Links = 6 };
static const double h = 0.02;

typedef struct Chain {
    dWorldID world;
    dBodyID link[Links];
    dJointID hinge[Links]; /* hinge[i] between link i - 1 (the world) and link i */
} Chain;

static void made(Chain *c, double erp, double cfm)
{
    dMass mass;
    c->world = dWorldCreate();
    dWorldSetERP(c->world, erp);
    dWorldSetCFM(c->world, cfm);
    dMassSetBoxTotal(&mass, 1, 1, 0.2, 0.2);
    for (int i = 0; i < Links; i++) {
        c->link[i] = dBodyCreate(c->world);
        dBodySetMass(c->link[i], &mass);
        dBodySetPosition(c->link[i], i + 0.5, 0, 0);
        dBodySetLinearVel(c->link[i], 0, 0.1, 0);
        c->hinge[i] = dJointCreateHinge(c->world, 0);
        dJointAttach(c->hinge[i], c->link[i], i > 0 ? c->link[i - 1] : 0);
        dJointSetHingeAnchor(c->hinge[i], i, 0, 0);
        dJointSetHingeAxis(c->hinge[i], 0, 0, 1);
        dJointSetHingeParam(c->hinge[i], dParamLoStop, -1);
        dJointSetHingeParam(c->hinge[i], dParamHiStop, 1);
    }
}

/* of so many steps: how many were surges; each is certified */
static int surges(dWorldID world, int steps)
{
    int count = 0;
    ukReport report;
    for (int i = 0; i < steps; i++) {
        CHECK(ukWorldStep(world, h) == 1);
        CHECK(ukWorldGetReport(world, &report) == 0 && report.ok);
        count += ukRegistryWorld(world)->stepper->surge.work > 0;
    }
    return count;
}

/* an error that nobody made at the joint: its bodies were moved apart */
static void open(void)
{
    Chain c;
    made(&c, 0.2, 0);
    CHECK(surges(c.world, 20) == 0);
    const dReal *x = dBodyGetPosition(c.link[3]);
    dBodySetPosition(c.link[3], x[0], x[1] + 2, x[2]);
    CHECK(surges(c.world, 1) == 1);
    const ukSurge *s = &ukRegistryWorld(c.world)->stepper->surge;
    ukReport report;
    CHECK(ukWorldGetReport(c.world, &report) == 0);
    CHECK(s->before > 0 && s->work > 8 * s->before); /* and most of what there is now */
    CHECK(s->work > 0.9 * report.kinetic_energy && s->work < 1.1 * report.kinetic_energy + s->before);
    dWorldDestroy(c.world);
}

static void beyondItsStop(void)
{
    Chain c;
    made(&c, 0.2, 0);
    CHECK(surges(c.world, 20) == 0);
    dQuaternion q;
    dQFromAxisAndAngle(q, 0, 0, 1, 2.5);
    dBodySetQuaternion(c.link[5], q);
    dBodySetPosition(c.link[5], 5 + 0.5 * cos(2.5), dBodyGetPosition(c.link[4])[1] + 0.5 * sin(2.5), 0);
    CHECK(surges(c.world, 1) == 1);
    dWorldDestroy(c.world);
}

/* A chain that is nearly straight is pushed at its end, along itself and at 0.5 m/s: it can follow only by bending out
 * of the line, which takes a thousand times the speed. */
static void jammed(void)
{
    Chain c;
    made(&c, 0.2, 0);
    dBodySetLinearVel(c.link[5], 0, 0.11, 0);
    CHECK(surges(c.world, 5) == 0);
    const dReal *x = dBodyGetPosition(c.link[5]);
    const dContact contact = {.geom = {.pos = {x[0] + 0.5, x[1], 0}, .normal = {-1, 0, 0}, .depth = 0.05}};
    dJointAttach(dJointCreateContact(c.world, 0, &contact), c.link[5], 0);
    CHECK(surges(c.world, 1) == 1);
    dWorldDestroy(c.world);
}

/* a joint that was made so, or set so: with the speed of its correction, as whoever made it wanted */
static void justMade(void)
{
    Chain c;
    made(&c, 0.2, 0);
    dBodySetPosition(c.link[3], 3.5, 2, 0);
    CHECK(surges(c.world, 40) == 0);
    dJointSetHingeParam(c.hinge[2], dParamLoStop, 0.9);
    CHECK(surges(c.world, 1) == 0);
    const dBodyID far = dBodyCreate(c.world);
    const dReal *x = dBodyGetPosition(c.link[5]);
    dBodySetPosition(far, x[0] + 1, x[1], x[2]);
    const dJointID ball = dJointCreateBall(c.world, 0);
    dJointAttach(ball, far, c.link[5]);
    dJointSetBallAnchor(ball, x[0], x[1], x[2]);
    dJointSetBallAnchor2(ball, x[0] + 3, x[1], x[2]);
    CHECK(surges(c.world, 20) == 0);
    dWorldDestroy(c.world);
}

/* a correction that overshoots by more each time: no step makes eight times of the energy, all of them 10^6 times */
static void growing(void)
{
    Chain c;
    made(&c, 2.1, 0);
    double most = 0;
    int count = 0;
    for (int i = 0; i < 400; i++) {
        CHECK(ukWorldStep(c.world, h) == 1);
        const ukSurge *const surge = &ukRegistryWorld(c.world)->stepper->surge;
        count += surge->work > 0;
        most = fmax(most, surge->work);
    }
    CHECK(count >= 2);
    ukReport report;
    CHECK(ukWorldGetReport(c.world, &report) == 0);
    CHECK(most > 0.01 * report.kinetic_energy);
    dWorldDestroy(c.world);
}

/* A ball that rolls against a wall, at which friction does not let it roll on: the forces are as large as one wants to
 * have them, the energy is less afterwards. */
static void stopped(double mu)
{
    const double r = 0.3, v = 3;
    dMass mass;
    const dWorldID world = dWorldCreate();
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID ball = dBodyCreate(world);
    dMassSetSphereTotal(&mass, 1, r);
    dBodySetMass(ball, &mass);
    dBodySetLinearVel(ball, v, 0, 0);
    dBodySetAngularVel(ball, 0, v / r, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < 100; i++) {
        const dReal *x = dBodyGetPosition(ball);
        dContact floor = {.surface = {.mu = mu}, .geom = {.pos = {x[0], x[1], x[2] - r}, .normal = {0, 0, 1}}};
        dContact wall = {.surface = {.mu = mu}, .geom = {.pos = {x[0] + r, x[1], x[2]}, .normal = {-1, 0, 0}}};
        floor.geom.depth = -x[2];
        wall.geom.depth = x[0] - 1;
        if (floor.geom.depth >= 0) dJointAttach(dJointCreateContact(world, group, &floor), ball, 0);
        if (wall.geom.depth >= 0) dJointAttach(dJointCreateContact(world, group, &wall), ball, 0);
        CHECK(surges(world, 1) == 0);
        dJointGroupEmpty(group);
    }
    CHECK(fabs(dBodyGetLinearVel(ball)[0]) < v);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}

static void pushed(void)
{
    Chain c;
    made(&c, 0.2, 0);
    CHECK(surges(c.world, 20) == 0);
    for (int i = 0; i < 20; i++) {
        dBodyAddForce(c.link[5], 0, 1e4 * (i % 5 == 0), 0);
        CHECK(surges(c.world, 1) == 0);
    }
    dJointSetHingeParam(c.hinge[0], dParamVel, 30);
    dJointSetHingeParam(c.hinge[0], dParamFMax, dInfinity);
    CHECK(surges(c.world, 50) == 0);
    dWorldDestroy(c.world);
}

/* a spring of 1e4 N/m, let go a metre from its rest */
static void sprung(void)
{
    const double k = 1e4, d = 10;
    Chain c;
    made(&c, h * k / (h * k + d), 1 / (h * k + d));
    CHECK(surges(c.world, 20) == 0);
    const dReal *x = dBodyGetPosition(c.link[3]);
    dBodySetPosition(c.link[3], x[0], x[1] + 1, x[2]);
    CHECK(surges(c.world, 100) == 0);
    dWorldDestroy(c.world);
}

/* two balls at rest, one within the other */
static void overlapping(void)
{
    dMass mass;
    const dWorldID world = dWorldCreate();
    dMassSetSphereTotal(&mass, 1, 0.5);
    const dBodyID a = dBodyCreate(world), b = dBodyCreate(world);
    dBodySetMass(a, &mass);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, 0, 0, 0.2);
    CHECK(surges(world, 20) == 0);
    const dJointGroupID group = dJointGroupCreate(0);
    const dContact contact = {.geom = {.normal = {0, 0, -1}, .depth = 0.8}};
    for (int i = 0; i < 20; i++) {
        dJointAttach(dJointCreateContact(world, group, &contact), a, b);
        CHECK(surges(world, 1) == 0);
        dJointGroupEmpty(group);
    }
    CHECK(dBodyGetLinearVel(b)[2] > 1); /* they did fly apart */
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}

/* mechanisms, at rest and swinging */
static void sound(void)
{
    Scene *const scene[] = {sceneFourBar(), sceneBricard(), sceneSliderCrank(),     sceneHingeChain(30), sceneNet(5, 0),
                            sceneDoor(2),   sceneTree(31),  sceneHeavyChain(10, 0), sceneRagdolls(2),    sceneStack(5)};
    for (int k = 0; k < (int)(sizeof scene / sizeof *scene); k++) {
        int count = 0;
        for (int i = 0; i < 500; i++) {
            CHECK(sceneStep(scene[k], scene[k]->h, ukWorldStep) == 1);
            count += ukRegistryWorld(scene[k]->world)->stepper->surge.work > 0;
        }
        CHECK(count == 0);
        sceneDestroy(scene[k]);
    }
}

int main(void)
{
    dInitODE2(0);
    ukProcessOpen("/dev/null", NULL);
    open();
    beyondItsStop();
    jammed();
    justMade();
    growing();
    stopped(dInfinity);
    stopped(1e5);
    stopped(2);
    pushed();
    sprung();
    overlapping();
    sound();
    ukProcessClose();
    dCloseODE();
    return ukTestEnd();
}

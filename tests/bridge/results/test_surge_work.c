/* SPDX-License-Identifier: BSD-3-Clause */
/* The work that a surge is judged by, from closed forms. A chain at rest, bent by so little that it must move very much
 * faster than the contact that shortens it: all that it has afterwards is the work of the contact. Its joints fit, so
 * that of a contact whose depth asks for the speed u and whose surface moves at v, u/(u + v) of the energy is the
 * correction's. Nothing of this depends on the unit of mass; a force that the first hinge bears alone counts only as
 * what it could have done. */
#include <math.h>

#include <ukode/ukode.h>

#include "bridge/island/stepper.h"
#include "bridge/world/registry.h"
#include "plugin/summary/process.h"
#include "tests/check.h"

enum { Links = 6 };
static const double h = 0.02, erp = 0.2, bend = 0.003, depth = 0.05;

typedef struct Chain {
    dWorldID world;
    dBodyID link[Links];
    double mass;
    double end[2], along[2][2]; /* x, y of its end; directions of the first and of the last link */
} Chain;

/* from the world at the origin along x, half of the links upwards and half downwards */
static void made(Chain *c, double mass)
{
    double x[2] = {0, 0};
    c->world = dWorldCreate();
    c->mass = mass;
    dWorldSetERP(c->world, erp);
    dWorldSetCFM(c->world, 0);
    for (int i = 0; i < Links; i++) {
        const double angle = i < Links / 2 ? bend : -bend, e[2] = {cos(angle), sin(angle)};
        dMass m;
        dMatrix3 R;
        dMassSetBoxTotal(&m, mass, 1, 0.2, 0.2);
        c->link[i] = dBodyCreate(c->world);
        dBodySetMass(c->link[i], &m);
        dRFromAxisAndAngle(R, 0, 0, 1, angle);
        dBodySetRotation(c->link[i], R);
        dBodySetPosition(c->link[i], x[0] + 0.5 * e[0], x[1] + 0.5 * e[1], 0);
        const dJointID hinge = dJointCreateHinge(c->world, 0);
        dJointAttach(hinge, c->link[i], i > 0 ? c->link[i - 1] : 0);
        dJointSetHingeAnchor(hinge, x[0], x[1], 0);
        dJointSetHingeAxis(hinge, 0, 0, 1);
        for (int k = 0; k < 2; k++) {
            x[k] += e[k];
            c->along[i == 0 ? 0 : 1][k] = e[k];
        }
    }
    c->end[0] = x[0], c->end[1] = x[1];
}

/* a step with a contact at the chain's end, whose normal has the angle `turn` to -x; the energy afterwards */
static double pushed(Chain *c, dSurfaceParameters surface, double turn, dJointFeedback *reaction)
{
    const dContact contact = {
        .surface = surface,
        .geom = {.pos = {c->end[0], c->end[1], 0}, .normal = {-cos(turn), sin(turn), 0}, .depth = depth},
        .fdir1 = {sin(turn), cos(turn), 0}};
    const dJointID joint = dJointCreateContact(c->world, 0, &contact);
    ukReport report;
    dJointAttach(joint, c->link[Links - 1], 0);
    if (reaction) dJointSetFeedback(joint, reaction);
    CHECK(ukWorldStep(c->world, h) == 1);
    CHECK(ukWorldGetReport(c->world, &report) == 0 && report.ok);
    return report.kinetic_energy;
}

static ukSurge surgeOf(const Chain *c)
{
    return ukRegistryWorld(c->world)->stepper->surge;
}

static void movingSurface(double motion, double mass)
{
    Chain c;
    const double u = erp * depth / h;
    made(&c, mass);
    const double energy = pushed(&c, (dSurfaceParameters){.mode = dContactMotionN, .motionN = motion}, 0, NULL);
    const ukSurge surge = surgeOf(&c);
    CHECK(energy > 500 * mass); /* as nothing that goes with 1 m/s has */
    CHECK_NEAR(surge.work, energy * u / (u + motion), 1e-6 * energy);
    CHECK(surge.before == 0);
    dWorldDestroy(c.world);
}

/* The first link is pushed along itself, or turned about itself: its hinge on the world bears that. Above an eighth of
 * the work of the correction, what this could have given a free body makes it no surge. */
static void borne(bool torque, double part, bool surge)
{
    Chain c;
    made(&c, 1);
    const double work = pushed(&c, (dSurfaceParameters){0}, 0, NULL), kick = part * work / 8;
    dWorldDestroy(c.world);
    made(&c, 1);
    const double inertia = torque ? (0.2 * 0.2 + 0.2 * 0.2) / 12 : 1, f = sqrt(2 * kick * inertia) / h;
    if (torque)
        dBodyAddTorque(c.link[0], f * c.along[0][0], f * c.along[0][1], 0);
    else
        dBodyAddForce(c.link[0], f * c.along[0][0], f * c.along[0][1], 0);
    CHECK_NEAR(pushed(&c, (dSurfaceParameters){0}, 0, NULL), work, 1e-6 * work);
    CHECK((surgeOf(&c).work > 0) == surge);
    dWorldDestroy(c.world);
}

/* Friction that slips a little, nearly as loaded as the normal: it corrects nothing, and is no part of what the
 * correction would take row by row. */
static void slipping(void)
{
    Chain c;
    dJointFeedback f;
    made(&c, 1);
    const double slip = 0.01 * h, turn = 0.1;
    const double energy = pushed(
        &c,
        (dSurfaceParameters){.mode = dContactFDir1 | dContactSlip1 | dContactApprox1, .mu = dInfinity, .slip1 = slip},
        turn, &f);
    const double normal = -cos(turn) * f.f1[0] + sin(turn) * f.f1[1];
    const double friction = sin(turn) * f.f1[0] + cos(turn) * f.f1[1], slid = slip * friction, u = erp * depth / h;
    const double lever = 0.5, inertia = (1 + 0.2 * 0.2) / 12, takes = 0.5 * u * u;
    CHECK(0.5 * h * normal * u > 1000 * takes); /* row by row it takes no more than that of the last link */
    CHECK(0.5 * h * normal * u < 1000 * (takes + 0.5 * slid * slid / (1 + lever * lever / inertia)));
    CHECK_NEAR(energy, 0.5 * h * (normal * u - slip / h * h * friction * friction), 1e-3 * energy);
    CHECK_NEAR(surgeOf(&c).work, energy, 1e-6 * energy);
    dWorldDestroy(c.world);
}

/* two balls at rest, one within the other: they come apart with the speed that they are asked for */
static void overlapping(double mass)
{
    dMass m;
    const dWorldID world = dWorldCreate();
    dWorldSetERP(world, erp);
    dWorldSetCFM(world, 0);
    dMassSetSphereTotal(&m, mass, 0.05);
    const dBodyID a = dBodyCreate(world), b = dBodyCreate(world);
    dBodySetMass(a, &m);
    dBodySetMass(b, &m);
    const dContact contact = {.geom = {.normal = {0, 0, -1}, .depth = 0.8}};
    dJointAttach(dJointCreateContact(world, 0, &contact), a, b);
    CHECK(ukWorldStep(world, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(b)[2] - dBodyGetLinearVel(a)[2], erp * 0.8 / h, 1e-9);
    CHECK(ukRegistryWorld(world)->stepper->surge.work == 0);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    ukProcessOpen("/dev/null", NULL);
    for (double mass = 1e-6; mass < 1e7; mass *= 1e3) {
        for (int k = 0; k < 5; k++) movingSurface(0.5 * k, mass);
        overlapping(mass);
    }
    for (int torque = 0; torque < 2; torque++) {
        borne(torque, 0.95, true);
        borne(torque, 1.05, false);
    }
    slipping();
    ukProcessClose();
    dCloseODE();
    return ukTestEnd();
}

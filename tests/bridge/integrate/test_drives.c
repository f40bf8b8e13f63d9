/* SPDX-License-Identifier: BSD-3-Clause */
/* Motors of bounded force under the adaptive integrator: they reach their bound and their speed within a step, at the
 * time of the closed form. */
#include <math.h>
#include <stdio.h>
#include <malloc.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

/* A bead of 2 kg on a rail along x with a motor, at a spring to the origin. */
typedef struct Bead {
    dWorldID world;
    dBodyID body;
    dJointID rail;
    dJointFeedback feedback;
    double spring;
    long substeps, discrete;
} Bead;

static const double mass = 2, tolerance = 1e-9;

static int pull(const struct ukConstraintContext *context, dReal *force, void *data)
{
    force[0] = -((const Bead *)data)->spring * context->bodies[0].position[0];
    return 0;
}

static void begin(Bead *bead, double x, double speed, double force, double spring)
{
    dMass m;
    *bead = (Bead){.world = dWorldCreate(), .spring = spring};
    bead->body = dBodyCreate(bead->world);
    dMassSetSphereTotal(&m, mass, 0.1);
    dBodySetMass(bead->body, &m);
    dBodySetPosition(bead->body, x, 0, 0);
    bead->rail = dJointCreateSlider(bead->world, 0);
    dJointAttach(bead->rail, bead->body, 0);
    dJointSetSliderAxis(bead->rail, 1, 0, 0);
    dJointSetSliderParam(bead->rail, dParamVel, speed);
    dJointSetSliderParam(bead->rail, dParamFMax, force);
    dJointSetFeedback(bead->rail, &bead->feedback);
    CHECK(ukWorldSetIntegrator(bead->world, ukIntegratorAdaptive) == 0);
    CHECK(ukWorldSetTolerance(bead->world, tolerance, 0) == 0);
    if (spring > 0) CHECK(ukForceCreate(bead->world, &bead->body, 1, pull, bead) != NULL);
}

static void step(Bead *bead, double h)
{
    ukReport r;
    if (!CHECK(ukWorldStep(bead->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK(ukWorldGetReport(bead->world, &r) == 0 && r.ok && r.fallbacks == 0);
    bead->substeps += r.substeps;
    bead->discrete += r.discrete_islands;
}

static double place(const Bead *bead)
{
    return dBodyGetPosition(bead->body)[0];
}

static double speed(const Bead *bead)
{
    return dBodyGetLinearVel(bead->body)[0];
}

/* From rest at F/m to the motor's speed at v m/F, in the middle of a step, and on at that speed without a force. */
static void reachesItsSpeed(void)
{
    const double F = 3, v = 1.7, until = v * mass / F;
    for (int sign = -1; sign <= 1; sign += 2) {
        Bead bead;
        begin(&bead, 0, sign * v, F, 0);
        for (int k = 1; k <= 20; k++) {
            step(&bead, 0.07);
            const double t = 0.07 * k, x = t < until ? 0.5 * F / mass * t * t : v * (t - 0.5 * until);
            CHECK_NEAR(place(&bead), sign * x, 10 * tolerance);
            CHECK_NEAR(speed(&bead), sign * fmin(F / mass * t, v), 10 * tolerance);
            const double mean = F * fmin(fmax((until - (t - 0.07)) / 0.07, 0), 1); /* over the step */
            CHECK_NEAR(bead.feedback.f1[0], sign * mean, 1e-9);
        }
        CHECK(bead.discrete == 0 && bead.substeps < 100);
        dWorldDestroy(bead.world);
    }
}

/* of a force that grows by `rate` until then, and stays */
static double impulseUntil(double t, double rate, double until)
{
    return t < until ? 0.5 * rate * t * t : rate * until * (t - 0.5 * until);
}

/* At speed against a spring until that pulls with F, then slower: x = F/k + v/w sin(w t), up to where v is back. */
static void losesItsSpeed(void)
{
    const double F = 3, v = 0.5, k = 8, w = sqrt(k / mass), until = F / (k * v);
    Bead bead;
    begin(&bead, 0, v, F, k);
    dBodySetLinearVel(bead.body, v, 0, 0);
    for (int i = 1; i <= 40; i++) {
        step(&bead, 0.08);
        const double t = 0.08 * i, past = w * (t - until);
        if (past > 6.2) break;
        CHECK_NEAR(place(&bead), past < 0 ? v * t : F / k + v / w * sin(past), 10 * tolerance);
        CHECK_NEAR(speed(&bead), past < 0 ? v : v * cos(past), 10 * tolerance);
        const double mean = (impulseUntil(t, k * v, until) - impulseUntil(t - 0.08, k * v, until)) / 0.08;
        CHECK_NEAR(bead.feedback.f1[0], mean, past < 0 ? 1e-7 : 1e-9);
    }
    CHECK(bead.discrete == 0);
    dWorldDestroy(bead.world);
}

/* A motor of speed 0 is dry friction: it takes 2 F/k from the swing each half period, and holds where k |x| <= F. */
static void comesToRest(void)
{
    const double F = 1, k = 50, half = 3.14159265358979323846 / sqrt(k / mass), from = 0.21;
    Bead bead;
    begin(&bead, from, 0, F, k);
    for (int i = 0; i < 6; i++) {
        for (int part = 0; part < 3; part++) step(&bead, half / 3);
        const int swings = i < 5 ? i + 1 : 5; /* at 0.01 it is held */
        CHECK_NEAR(place(&bead), (swings % 2 ? -1 : 1) * (from - 2 * F / k * swings), 10 * tolerance);
        CHECK_NEAR(speed(&bead), 0, 1e-7);
    }
    const double held = place(&bead);
    for (int i = 0; i < 20; i++) step(&bead, 0.1);
    CHECK(place(&bead) == held && fabs(speed(&bead)) < 1e-14);
    CHECK_NEAR(bead.feedback.f1[0], k * held, 1e-9);
    CHECK(bead.discrete == 0);
    dWorldDestroy(bead.world);
}

/* Motors in a chain: what they do is booked as theirs, and nothing is left over. */
static void booked(void)
{
    const dWorldID world = dWorldCreate();
    dBodyID last = NULL;
    ukLedger l;
    ukReport r;
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < 4; i++) {
        dMass m;
        const dBodyID body = dBodyCreate(world);
        const dJointID joint = dJointCreateHinge(world, 0);
        dMassSetBoxTotal(&m, 1, 0.5, 0.1, 0.1);
        dBodySetMass(body, &m);
        dBodySetPosition(body, 0.25 + 0.5 * i, 0, 0);
        dJointAttach(joint, body, last);
        dJointSetHingeAnchor(joint, 0.5 * i, 0, 0);
        dJointSetHingeAxis(joint, 0, 1, 0.1 * i);
        dJointSetHingeParam(joint, dParamVel, i == 2 ? 1 : 0);
        dJointSetHingeParam(joint, dParamFMax, 1.5 / (1 + i));
        last = body;
    }
    CHECK(ukWorldSetIntegrator(world, ukIntegratorAdaptive) == 0 && ukWorldSetTolerance(world, 1e-9, 0) == 0);
    CHECK(ukWorldSetLedger(world, 1) == 0);
    for (int k = 0; k < 200; k++) {
        if (!CHECK(ukWorldStep(world, 0.02) == 1)) printf("%s\n", ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(world, &r) == 0 && r.ok && r.discrete_islands == 0);
    }
    CHECK(ukWorldGetLedger(world, &l) == 0);
    CHECK_NEAR(l.residual, 0, 1e-10);
    CHECK_NEAR(l.integration, 0, 1e-6);
    CHECK(l.motors < -1 && fabs(l.ideal) < 1e-6 && l.applied == 0);
    dWorldDestroy(world);
}

/* A joint that has no rows, beside a motor: no motor of its own is counted, whatever the memory holds. */
static void besideNothing(void)
{
    mallopt(M_PERTURB, 0x5a);
    const dWorldID world = dWorldCreate();
    const dBodyID bead = dBodyCreate(world), other = dBodyCreate(world);
    const dJointID rail = dJointCreateSlider(world, NULL);
    ukReport r;
    dJointAttach(dJointCreateNull(world, NULL), bead, other);
    dJointAttach(rail, bead, NULL);
    dJointSetSliderAxis(rail, 1, 0, 0);
    dJointSetSliderParam(rail, dParamVel, 1);
    dJointSetSliderParam(rail, dParamFMax, 0.5);
    CHECK(ukWorldSetIntegrator(world, ukIntegratorAdaptive) == 0);
    for (int k = 0; k < 5; k++) {
        CHECK(ukWorldStep(world, 0.02) == 1);
        CHECK(ukWorldGetReport(world, &r) == 0 && r.ok && r.discrete_islands == 0);
    }
    dWorldDestroy(world);
    mallopt(M_PERTURB, 0);
}

int main(void)
{
    dInitODE2(0);
    reachesItsSpeed();
    losesItsSpeed();
    comesToRest();
    booked();
    besideNothing();
    dCloseODE();
    return ukTestEnd();
}

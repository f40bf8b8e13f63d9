/* SPDX-License-Identifier: BSD-3-Clause */
/* Chain drives with exact rows. A torque on the first wheel, whose other wheel a motor holds: the chain transmits it by
 * a pull, along its tight run, whatever the direction of the torque, under every integrator. Wheels on a free carrier
 * whose bearings earlier steps of Euler have opened: every integrator continues. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Integrators = 5 };

typedef struct Case {
    ukIntegrator integrator;
    double radius[2], torque, backlash;
    int swapped; /* bodies attached as (wheel 1, wheel 0) */
} Case;

typedef struct Drive {
    dWorldID world;
    dBodyID wheel[2];
    dJointID bearing[2], chain;
} Drive;

static const double apart = 0.8;

static dBodyID boxAt(dWorldID world, double x, double y, double z)
{
    dMass m;
    const dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, 1, 0.5, 0.4, 0.3);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

/* wheels about z at the height z, on bearings of the carrier or, if it is NULL, the world */
static Drive driveOf(dWorldID world, dBodyID carrier, double z, const double radius[2], int swapped)
{
    Drive d = {.world = world};
    for (int i = 0; i < 2; i++) {
        d.wheel[i] = boxAt(world, apart * i, 0, z);
        d.bearing[i] = dJointCreateHinge(world, 0);
        dJointAttach(d.bearing[i], d.wheel[i], carrier);
        dJointSetHingeAnchor(d.bearing[i], apart * i, 0, z);
        dJointSetHingeAxis(d.bearing[i], 0, 0, 1);
    }
    const int a = swapped, b = !swapped;
    d.chain = dJointCreateTransmission(world, 0);
    dJointAttach(d.chain, d.wheel[a], d.wheel[b]);
    dJointSetTransmissionMode(d.chain, dTransmissionChainDrive);
    dJointSetTransmissionAnchor1(d.chain, apart * a, 0, z);
    dJointSetTransmissionAnchor2(d.chain, apart * b, 0, z);
    dJointSetTransmissionAxis(d.chain, 0, 0, 1);
    dJointSetTransmissionRadius1(d.chain, radius[a]);
    dJointSetTransmissionRadius2(d.chain, radius[b]);
    return d;
}

/* The chain of tension T = |torque| / radius leaves the wheel at the angle asin((r1 - r0) / apart) to the line of
 * centres. In the second half the torque has the other direction. */
static void pull(const Case *c)
{
    enum { Steps = 60, Settled = 22 };
    const double slope = (c->radius[1] - c->radius[0]) / apart, tension = fabs(c->torque) / c->radius[0];
    const dWorldID w = dWorldCreate();
    const Drive d = driveOf(w, NULL, 0, c->radius, c->swapped);
    dJointFeedback chain, bearing;
    dJointSetFeedback(d.chain, &chain);
    dJointSetFeedback(d.bearing[0], &bearing);
    dJointSetTransmissionBacklash(d.chain, c->backlash);
    dJointSetTransmissionParam(d.chain, dParamERP, 0.5); /* beyond a backlash, too, the chain is soon tight */
    dJointSetHingeParam(d.bearing[1], dParamFMax, dInfinity);
    CHECK(ukWorldSetIntegrator(w, c->integrator) == 0);
    CHECK(ukWorldSetJointRule(w, ukJointRuleExact) == 0);
    for (int k = 0; k < Steps; k++) {
        const double torque = 2 * k < Steps ? c->torque : -c->torque;
        dBodyAddTorque(d.wheel[0], 0, 0, torque);
        if (!CHECK(ukWorldStep(w, 0.01) == 1)) printf("%s\n", ukGetLastErrorMessage());
        if (k % (Steps / 2) < Settled) continue;
        const dReal *f = c->swapped ? chain.f2 : chain.f1;
        const double way = torque > 0 ? 1 : -1;
        const double expected[3] = {tension * sqrt(1 - slope * slope), way * tension * slope, 0};
        const double back[3] = {-expected[0], -expected[1], 0};
        bool ok = CHECK_NEAR_ALL(f, expected, 3, 1e-5 * tension);
        ok &= CHECK_NEAR_ALL(bearing.f1, back, 3, 1e-5 * tension);
        if (!ok)
            printf("integrator %d, radii %g %g, torque %g, backlash %g, swapped %d, step %d: %g %g\n",
                   (int)c->integrator, c->radius[0], c->radius[1], torque, c->backlash, c->swapped, k, f[0], f[1]);
    }
    dWorldDestroy(w);
}

static void pulls(void)
{
    for (int k = 0; k < 8 * Integrators; k++) {
        Case c = {.integrator = (ukIntegrator)(k / 8),
                  .radius = {k & 1 ? 0.1 : 0.15, k & 1 ? 0.2 : 0.1},
                  .torque = k & 2 ? 1 : -1,
                  .swapped = k & 4 ? 1 : 0};
        pull(&c);
        c.backlash = 1e-5;
        if (c.integrator == ukIntegratorEuler) pull(&c);
    }
}

static void spin(Random *random, dBodyID body, double speed)
{
    double v[6];
    dQuaternion q;
    for (int i = 0; i < 6; i++) v[i] = speed * randomUniform(random, -1, 1);
    for (int i = 0; i < 4; i++) q[i] = randomUniform(random, -1, 1);
    dNormalize4(q);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, 2 * v[3], 2 * v[4], 2 * v[5]);
}

static void continues(ukIntegrator integrator, uint64_t seed)
{
    enum { Before = 3, Steps = 10 };
    static const double radius[2] = {0.15, 0.1};
    Random random = {seed};
    const double speed = seed % 2 ? 1 : 3;
    const dWorldID w = dWorldCreate();
    const dBodyID carrier = boxAt(w, 0, 0, 0);
    const Drive d = driveOf(w, carrier, 0.1, radius, seed % 4 > 1);
    spin(&random, carrier, speed);
    for (int i = 0; i < 2; i++) spin(&random, d.wheel[i], speed);
    for (int i = 0; i < 2; i++) { /* the bearings as the bodies are now */
        dJointAttach(d.bearing[i], d.wheel[i], carrier);
        dJointSetHingeAnchor(d.bearing[i], apart * i, 0, 0.1);
        dJointSetHingeAxis(d.bearing[i], 0, 0, 1);
    }
    dJointSetTransmissionAnchor1(d.chain, apart * (seed % 4 > 1), 0, 0.1);
    dJointSetTransmissionAnchor2(d.chain, apart * !(seed % 4 > 1), 0, 0.1);
    dJointSetTransmissionAxis(d.chain, 0, 0, 1);
    CHECK(ukWorldSetJointRule(w, seed % 8 > 3 ? ukJointRuleExact : ukJointRuleODE) == 0);
    for (int k = 0; k < Before; k++) CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    for (int k = 0; k < Steps; k++) {
        if (CHECK(ukWorldStep(w, 0.01) == 1)) continue;
        printf("integrator %d, seed %d, step %d: %s\n", (int)integrator, (int)seed, k, ukGetLastErrorMessage());
        break;
    }
    ukReport report;
    CHECK(ukWorldGetReport(w, &report) == 0 && report.ok && report.position_error < 1e-12);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    pulls();
    for (int i = ukIntegratorRK4; i <= ukIntegratorRadau; i++)
        for (uint64_t seed = 1; seed <= 40; seed++) continues((ukIntegrator)i, seed);
    dCloseODE();
    return ukTestEnd();
}

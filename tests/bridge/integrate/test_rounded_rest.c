/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms without a motion, held by redundant joints, without forces: the velocities that a program sets are removed,
 * and the remainders of this, which are rounding errors, are zero. Otherwise the accelerations that follow from them
 * contradict each other, and correct steps are rejected. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"

typedef enum Held { DoorWithMotor, CrossedHinges, ThreeBalls, TwoUniversals, Holdings } Held;

static void hold(dWorldID world, Held how, dBodyID a, dBodyID b)
{
    for (int k = 0; k < (how == ThreeBalls ? 3 : 2); k++) {
        dJointID j;
        switch (how) {
        case DoorWithMotor:
        case CrossedHinges:
            j = dJointCreateHinge(world, 0);
            dJointAttach(j, a, b);
            dJointSetHingeAnchor(j, 0.5, 0.3, k);
            dJointSetHingeAxis(j, how == CrossedHinges ? 0.1 : 0, how == CrossedHinges ? 0.3 * k : 0, 1);
            if (how == DoorWithMotor && k == 0) dJointSetHingeParam(j, dParamFMax, dInfinity);
            break;
        case ThreeBalls:
            j = dJointCreateBall(world, 0);
            dJointAttach(j, a, b);
            dJointSetBallAnchor(j, k == 1 ? 0.4 : 0, 0.3, 0.3 * k * (k - 1));
            break;
        default:
            j = dJointCreateUniversal(world, 0);
            dJointAttach(j, a, b);
            dJointSetUniversalAnchor(j, 0.5 * k, 0.3, 0.2 * k);
            dJointSetUniversalAxis1(j, 0, 0.2 * k, 1);
            dJointSetUniversalAxis2(j, 1, 0, 0);
        }
    }
}

static dBodyID makeBox(dWorldID world, double x, double y, double z)
{
    const dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, 1, 0.3, 0.5, 0.9);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

/* The body on the world, the other way round, or on another one that is fixed to the world. */
static void restsThere(Held how, int attachment, ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = makeBox(world, 0.1, 0.2, 0.3), base = attachment > 1 ? makeBox(world, 1, 1, 1) : 0;
    ukReport report;
    if (base) {
        const dJointID fixed = dJointCreateFixed(world, 0);
        dJointAttach(fixed, base, 0);
        dJointSetFixed(fixed);
    }
    hold(world, how, attachment == 1 ? 0 : body, attachment == 1 ? body : base);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukWorldSetGaussCheck(world, 1e-9, ukCheckStop) == 0);
    for (int i = 0; i < 20; i++) {
        if (i % 10 == 0) {
            dBodySetLinearVel(body, 1, 2, 0.5);
            dBodySetAngularVel(body, 0.4, 0.7, 2);
        }
        if (!CHECK(ukWorldStep(world, 0.01) == 1 && ukWorldGetReport(world, &report) == 0)) break;
        CHECK(report.ok && report.feasibility == 0);
        CHECK(dCalcVectorLength3(dBodyGetLinearVel(body)) == 0 && dCalcVectorLength3(dBodyGetAngularVel(body)) == 0);
    }
    dWorldDestroy(world);
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle,
                                               ukIntegratorRadau};
    dInitODE2(0);
    for (int how = 0; how < Holdings; how++)
        for (int attachment = 0; attachment < 3; attachment++)
            for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
                restsThere((Held)how, attachment, integrators[i]);
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that advance once a step: the phases of a gear, over turns, and the angles of an angular motor are those that
 * the bodies had turned by at the start of the last step, under every integrator, also where friction makes a step of
 * parts. What the bodies turn by is summed here from their poses. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01;
static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                           ukIntegratorRattle};
enum { Integrators = sizeof integrators / sizeof *integrators, Steps = 200 };

/* about z, since the angle at which it was last */
static double turned(dBodyID b, double last)
{
    const dReal *q = dBodyGetQuaternion(b);
    return last + remainder(2 * atan2(q[3], q[0]) - last, 2 * 3.14159265358979323846);
}

static dJointID axle(dWorldID w, dBodyID b, double x)
{
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, b, 0);
    dJointSetHingeAnchor(j, x, 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    return j;
}

/* two wheels of radii 0.4 and 0.6 that mesh, in uniform rotation; with friction the first is held at its speed */
static void gear(ukIntegrator integrator, bool friction)
{
    const double rate = 7;
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 1, 0, 0, 0), b = ball(w, 1, 1, 0, 0);
    const dJointID first = axle(w, a, 0), second = axle(w, b, 1), mesh = dJointCreateTransmission(w, 0);
    dJointAttach(mesh, a, b);
    dJointSetTransmissionAxis(mesh, 0, 0, 1);
    dJointSetTransmissionAnchor1(mesh, 0, 0, 0);
    dJointSetTransmissionAnchor2(mesh, 1, 0, 0);
    dJointSetTransmissionRatio(mesh, 1.5);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    dBodySetAngularVel(a, 0, 0, rate);
    dBodySetAngularVel(b, 0, 0, -rate / 1.5);
    if (friction) {
        dJointSetHingeParam(first, dParamVel, rate);
        dJointSetHingeParam(first, dParamFMax, dInfinity);
        CHECK(ukJointSetCoulomb(second, 0.1, 0.05) == 0);
        dBodyAddForce(b, 0, 1, 0);
    }
    double angle[2] = {0, 0}, before[2];
    for (int i = 0; i < Steps; i++) {
        CHECK(ukWorldStep(w, h) == 1);
        for (int k = 0; k < 2; k++) before[k] = angle[k], angle[k] = turned(k ? b : a, angle[k]);
        bool good = CHECK_NEAR(fabs(dJointGetTransmissionAngle1(mesh)), fabs(before[0]), 1e-9);
        good &= CHECK_NEAR(fabs(dJointGetTransmissionAngle2(mesh)), fabs(before[1]), 1e-9);
        if (!good) printf("integrator %d, friction %d, step %d\n", integrator, friction, i);
    }
    CHECK(fabs(angle[0]) > 8 && fabs(angle[1]) > 12);
    dWorldDestroy(w);
}

/* about the first axis of an angular motor in Euler mode, at half its speed beside another one */
static void motor(ukIntegrator integrator)
{
    const double rate = 0.8;
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    const dJointID j = dJointCreateAMotor(w, 0);
    dJointAttach(j, b, 0);
    dJointSetAMotorMode(j, dAMotorEuler);
    dJointSetAMotorAxis(j, 0, 1, 0, 0, 1);
    dJointSetAMotorAxis(j, 2, 2, 1, 0, 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    dBodySetAngularVel(b, 0, 0, rate);
    double angle = 0, before = 0;
    for (int i = 0; i < Steps; i++) {
        CHECK(ukWorldStep(w, h) == 1);
        before = angle, angle = turned(b, angle);
        if (!CHECK_NEAR(dJointGetAMotorAngle(j, 0), before, 1e-12)) printf("integrator %d, step %d\n", integrator, i);
    }
    CHECK_NEAR(angle, rate * h * Steps, 1e-3);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < Integrators; i++) {
        gear(integrators[i], false);
        gear(integrators[i], true);
        motor(integrators[i]);
    }
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What one step remembers for the next is saved: a fresh world restored in the middle of a run has the hash and the
 * powers of the first, and every later step gives the same bits. */
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

enum { Before = 60, After = 60 };
static const double h = 0.02;

/* Powers are those of the last step, which has the ledger of the step before. */
static void equal(const char *name, int step, dWorldID x, dWorldID y)
{
    unsigned char of_x[16], of_y[16];
    ukLedger power_x, power_y;
    CHECK(ukWorldHash(x, of_x) == 0 && ukWorldHash(y, of_y) == 0);
    CHECK(ukWorldGetPower(x, &power_x) == 0 && ukWorldGetPower(y, &power_y) == 0);
    if (!CHECK(memcmp(of_x, of_y, 16) == 0)) printf("%s: another motion %d steps after\n", name, step);
    if (!CHECK(memcmp(&power_x, &power_y, sizeof power_x) == 0)) printf("%s: other powers after %d\n", name, step);
    CHECK(power_x.time > 0);
}

static void continues(const char *name, dWorldID (*make)(void))
{
    const dWorldID first = make(), other = make();
    for (int i = 0; i < Before; i++)
        if (!CHECK(ukWorldStep(first, h) == 1)) printf("%s: %s\n", name, ukGetLastErrorMessage());
    const size_t size = ukWorldSave(first, NULL, 0);
    unsigned char *const saved = malloc(size);
    CHECK(saved && ukWorldSave(first, saved, size) == size && ukWorldRestore(other, saved, size) == 0);
    equal(name, 0, first, other);
    for (int i = 1; i <= After; i++) {
        CHECK(ukWorldStep(first, h) == 1 && ukWorldStep(other, h) == 1);
        equal(name, i, first, other);
    }
    free(saved);
    dWorldDestroy(first), dWorldDestroy(other);
}

static dWorldID world(ukIntegrator integrator)
{
    const dWorldID w = newWorld(9.81);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetLedger(w, 1) == 0);
    return w;
}

/* the size of sub-steps */
static dWorldID pendulum(void)
{
    const dWorldID w = world(ukIntegratorAdaptive);
    const dBodyID b[2] = {box(w, 1, 0.5, 0, 0), box(w, 2, 1.2, 0, 0)};
    for (int i = 0; i < 2; i++) {
        const dJointID j = dJointCreateHinge(w, NULL);
        dJointAttach(j, b[i], i > 0 ? b[0] : NULL);
        dJointSetHingeAnchor(j, i, 0, 0);
        dJointSetHingeAxis(j, 0, 1, 0);
    }
    return w;
}

/* and whether they are implicit: a pendulum on a stiff spring */
static dWorldID stiff(ukIntegrator integrator)
{
    const dWorldID w = world(integrator);
    const dJointID j = dJointCreateBall(w, NULL);
    dJointAttach(j, box(w, 1, 0.5, 0, 0), NULL);
    dJointSetBallAnchor(j, 0, 0, 0);
    dJointSetBallParam(j, dParamERP, 0.2);
    dJointSetBallParam(j, dParamCFM, 1e-4);
    return w;
}

static dWorldID stiffAdaptive(void)
{
    return stiff(ukIntegratorAdaptive);
}

static dWorldID stiffRadau(void)
{
    return stiff(ukIntegratorRadau);
}

/* whole turns of the wheels, which their poses do not tell */
static dWorldID gears(ukIntegrator integrator)
{
    const dWorldID w = world(integrator);
    const dBodyID wheel[2] = {ball(w, 1, 0, 0, 0), ball(w, 1, 0.9, 0, 0)};
    for (int i = 0; i < 2; i++) {
        const dJointID j = dJointCreateHinge(w, NULL);
        dJointAttach(j, wheel[i], NULL);
        dJointSetHingeAnchor(j, 0.9 * i, 0, 0);
        dJointSetHingeAxis(j, 0, 0, 1);
        dBodySetAngularVel(wheel[i], 0, 0, i ? -6 : 12);
    }
    const dJointID gear = dJointCreateTransmission(w, NULL);
    dJointAttach(gear, wheel[0], wheel[1]);
    dJointSetTransmissionMode(gear, dTransmissionParallelAxes);
    dJointSetTransmissionAxis(gear, 0, 0, 1);
    dJointSetTransmissionAnchor1(gear, 0, 0, 0);
    dJointSetTransmissionAnchor2(gear, 0.9, 0, 0);
    dJointSetTransmissionRatio(gear, 0.5);
    dBodyAddTorque(wheel[0], 0, 0, 0.02);
    return w;
}

static dWorldID gearsEuler(void)
{
    return gears(ukIntegratorEuler);
}

static dWorldID gearsRK4(void)
{
    return gears(ukIntegratorRK4);
}

static dWorldID gearsAdaptive(void)
{
    return gears(ukIntegratorAdaptive);
}

/* Wheels that nothing brakes keep their speeds, however often they have turned. */
static void turning(const char *name, dWorldID (*make)(void))
{
    const dWorldID w = make();
    CHECK(ukWorldStep(w, h) == 1);
    ukReport first, last;
    CHECK(ukWorldGetReport(w, &first) == 0);
    for (int i = 0; i < 150; i++) {
        CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &last) == 0);
        if (!CHECK_NEAR(last.kinetic_energy, first.kinetic_energy, 1e-9 * first.kinetic_energy) ||
            !CHECK(last.position_error < 1e-9)) {
            printf("%s: %d %.17g %.17g %g\n", name, i, first.kinetic_energy, last.kinetic_energy, last.position_error);
            break;
        }
    }
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    continues("pendulum", pendulum);
    continues("stiff spring", stiffAdaptive);
    continues("stiff spring, radau", stiffRadau);
    continues("gears", gearsEuler);
    turning("gears, rk4", gearsRK4);
    turning("gears, adaptive", gearsAdaptive);
    dCloseODE();
    return ukTestEnd();
}

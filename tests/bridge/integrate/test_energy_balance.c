/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that satisfy their rows and miss the energy balance: a wheel on an eccentric double hinge of a free chassis, at
 * 0.3 and 0.6 rad per step, without gravity, so that the kinetic energy is constant. RATTLE divides such steps, RK4
 * refuses them. Not judged are bodies on a moving kinematic body, whose rows do work, under a force that jumps, whose
 * work the stages do not show, and without gyroscopic torque, whose rotation is not that of a rigid body; nor bodies at
 * rest, whose velocities are rounding. A pendulum released from rest has the energy that gravity's work gives it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "bridge/island/stepper.h"
#include "bridge/world/registry.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01;

typedef struct Spinner {
    dWorldID world;
    dBodyID chassis, wheel;
} Spinner;

static Spinner makeSpinner(ukIntegrator integrator, double rate, bool reverse)
{
    const Spinner s = {.world = newWorld(0), .chassis = dBodyCreate(s.world), .wheel = dBodyCreate(s.world)};
    dMass m;
    CHECK(ukWorldSetIntegrator(s.world, integrator) == 0);
    dMassSetBoxTotal(&m, 1000, 4, 1.6, 1);
    dBodySetMass(s.chassis, &m);
    dMassSetCylinderTotal(&m, 20, 2, 0.3, 0.2);
    dBodySetMass(s.wheel, &m);
    dBodySetPosition(s.wheel, 1.5, 0.9, -0.5);
    const dJointID j = dJointCreateDHinge(s.world, 0);
    dJointAttach(j, reverse ? s.wheel : s.chassis, reverse ? s.chassis : s.wheel);
    dJointSetDHingeAnchor1(j, reverse ? 1 : 1.5, 0.9, -0.5);
    dJointSetDHingeAnchor2(j, reverse ? 1.5 : 1, 0.9, -0.5);
    dJointSetDHingeAxis(j, 0, 1, 0);
    dBodySetAngularVel(s.wheel, 0, rate, 0);
    dBodySetAngularVel(s.chassis, 0.1, 0.05, 0.2);
    return s;
}

static void checkRattle(double rate, bool reverse, bool restored)
{
    const Spinner s = makeSpinner(ukIntegratorRattle, rate, reverse);
    const double start = kineticEnergy(s.chassis) + kineticEnergy(s.wheel);
    double off = 0;
    for (int i = 0; i < 500; i++) {
        if (restored && i == 250) {
            const size_t size = ukWorldSave(s.world, NULL, 0);
            void *saved = malloc(size);
            if (CHECK(saved && ukWorldSave(s.world, saved, size) == size))
                CHECK(ukWorldRestore(s.world, saved, size) == 0);
            free(saved);
        }
        CHECK(ukWorldStep(s.world, h));
        off = fmax(off, fabs(kineticEnergy(s.chassis) + kineticEnergy(s.wheel) - start));
    }
    if (!CHECK(off < 0.06 * start)) printf("rate %g, reverse %d: %g of %g J\n", rate, reverse, off, start);
    dWorldDestroy(s.world);
}

static void checkRk4(double rate, bool reverse)
{
    const Spinner s = makeSpinner(ukIntegratorRK4, rate, reverse);
    double before = kineticEnergy(s.chassis) + kineticEnergy(s.wheel);
    int taken = 0;
    for (int i = 0; i < 100; i++) {
        taken += ukWorldStep(s.world, h);
        const double now = kineticEnergy(s.chassis) + kineticEnergy(s.wheel);
        CHECK(fabs(now - before) < 0.11 * before);
        before = now;
    }
    CHECK(rate < 50 ? taken == 100 : taken < 100);
    dWorldDestroy(s.world);
}

/* The error that a step reports is the change of the kinetic energy, which is constant; after a restore, too. */
static void checkReported(ukIntegrator integrator, double rate, bool reverse)
{
    const Spinner s = makeSpinner(integrator, rate, reverse);
    void *saved = NULL;
    size_t size = 0;
    for (int i = 0; i < 40; i++) {
        const double before = kineticEnergy(s.chassis) + kineticEnergy(s.wheel);
        if (i == 10) {
            size = ukWorldSave(s.world, NULL, 0);
            saved = malloc(size);
            CHECK(saved && ukWorldSave(s.world, saved, size) == size);
        }
        if (i == 20) CHECK(ukWorldRestore(s.world, saved, size) == 0);
        const double start = i == 20 ? kineticEnergy(s.chassis) + kineticEnergy(s.wheel) : before;
        CHECK(ukWorldStep(s.world, h));
        const ukEnergyError *const step = &ukRegistryWorld(s.world)->stepper->energy_error;
        const double change = kineticEnergy(s.chassis) + kineticEnergy(s.wheel) - start;
        if (i == 0) continue; /* it also removes the energy of velocities that violate the hinge */
        if (!CHECK_NEAR(step->error, change, 1e-9 * start) || !CHECK_NEAR(step->kinetic, start, 1e-9 * start))
            printf("integrator %d, rate %g: reports %g of %g J\n", (int)integrator, rate, step->error, step->kinetic);
    }
    free(saved);
    dWorldDestroy(s.world);
}

static int jump(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    force[0] = c->time > 0.105 ? 100 : 0;
    return 0;
}

typedef enum Case { NoGyroscopic, MovingBase, Jump, Rest, Drift, Pendulum, Cases } Case;

/* a pair on a ball joint, 0.5 rad per step */
static void makePair(dWorldID w)
{
    dBodyID body[2];
    for (int i = 0; i < 2; i++) {
        const dQuaternion q = {0.8, 0.6 - 0.6 * i, 0.6 * i, 0};
        dMass m;
        body[i] = dBodyCreate(w);
        dMassSetBoxTotal(&m, 2 + i, 1, 0.2, 0.1);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], 0.3 + i, 0.7, 0.9 - 0.1 * i);
        dBodySetQuaternion(body[i], q);
        dBodySetGyroscopicMode(body[i], 0);
        dBodySetAngularVel(body[i], 13, 26, 39);
    }
    const dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, body[0], body[1]);
    dJointSetBallAnchor(j, 0.8, 0.7, 0.85);
}

/* a chain at rest without weight, off its joints by little more than rounding, which a step of RATTLE corrects */
static void makeDrift(dWorldID w)
{
    static const double mass[] = {0.03, 11, 76};
    dBodyID before = 0;
    for (int i = 0; i < 3; i++) {
        const dBodyID body = dBodyCreate(w);
        const dQuaternion q = {0.8, 0.48, -0.36 * (i - 1), 0.36 * i};
        dMass m;
        dMassSetBoxTotal(&m, mass[i], 1, 0.3, 0.2);
        dBodySetMass(body, &m);
        dBodySetPosition(body, 3 + i, 0.2 * i, 0.7 - 0.5 * i);
        dBodySetQuaternion(body, q);
        dBodySetLinearVel(body, 1e-18, -1e-18, 0);
        const dJointID j = dJointCreateUniversal(w, 0);
        dJointAttach(j, body, before);
        dJointSetUniversalAnchor(j, 2.5 + i, 0.1, -0.1 * i);
        dJointSetUniversalAxis1(j, 1, 0, 0);
        dJointSetUniversalAxis2(j, 0, 1, 0);
        dBodySetPosition(body, 3 + i + 7e-12, 0.2 * i - 5e-12, 0.7 - 0.5 * i + 3e-12 * i);
        before = body;
    }
}

static void makeBody(dWorldID w, Case kind)
{
    const dBodyID body = dBodyCreate(w), base = kind == MovingBase ? dBodyCreate(w) : 0;
    dMass m;
    dMassSetBoxTotal(&m, 2, 1, 0.2, 0.1);
    dBodySetMass(body, &m);
    if (kind == Jump) {
        CHECK(ukForceCreate(w, &body, 1, jump, NULL) != NULL);
        return;
    }
    if (base) dBodySetKinematic(base), dBodySetLinearVel(base, 1, 0, 0), dBodySetAngularVel(base, 0, 0, 2);
    dBodySetPosition(body, kind == Rest ? 0 : 1, 0, kind == Rest ? -1 : 0);
    if (base) dBodySetLinearVel(body, 1, 2, 0);
    const dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, body, base);
    dJointSetBallAnchor(j, 0, 0, 0);
}

static void checkUndivided(ukIntegrator integrator, Case kind)
{
    const dWorldID w = newWorld(kind == Rest || kind == Pendulum ? -9.81 : 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    const double step = kind == Drift ? 1e-6 : h;
    if (kind == NoGyroscopic) {
        makePair(w);
    } else if (kind == Drift) {
        makeDrift(w);
    } else {
        makeBody(w, kind);
    }
    ukReport report;
    for (int i = 0; i < 100; i++) {
        if (!CHECK(ukWorldStep(w, step))) printf("case %d: %s\n", (int)kind, ukGetLastErrorMessage());
        ukWorldGetReport(w, &report);
        CHECK(report.substeps == 0);
    }
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int reverse = 0; reverse < 2; reverse++) {
        checkRattle(30, reverse, false);
        checkRattle(60, reverse, reverse);
        checkRk4(10, reverse);
        checkRk4(60, reverse);
        for (int fast = 0; fast < 2; fast++) {
            checkReported(ukIntegratorRK4, fast ? 30 : 10, reverse);
            checkReported(ukIntegratorRattle, fast ? 30 : 10, reverse);
        }
    }
    for (Case kind = 0; kind < Cases; kind++) {
        checkUndivided(ukIntegratorRattle, kind);
        checkUndivided(ukIntegratorRK4, kind);
    }
    dCloseODE();
    return ukTestEnd();
}

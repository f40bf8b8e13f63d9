/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: each cause against a closed form. */
#include <math.h>

#include "tests/check.h"
#include "tests/support/ledgers.h"
#include "tests/support/plain_world.h"

/* a free fall with a push: semi-implicit Euler falls too far by h/2 of the speed gained */
static void falling(void)
{
    const double h = 0.01, m = 2;
    const dWorldID w = ledgerWorld();
    const dBodyID b = box(w, m, 0, 0, 5);
    ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.outside, m * g * 5, 1e-12); /* the body was made since the reset */
    CHECK(ukWorldResetLedger(w) == 0);
    for (int i = 0; i < 100; i++) {
        dBodyAddForce(b, 3, 0, 0);
        ledgerSteps(w, 1, h);
    }
    l = ledgerOf(w);
    CHECK_NEAR(l.time, 1, 1e-12);
    CHECK_NEAR(l.kinetic, 0.5 * m * (g * g + 2.25), 1e-10);
    CHECK_NEAR(l.potential - l.potential_start, -m * g * 0.5 * g * (1 + h), 1e-9);
    CHECK_NEAR(l.applied, 3 * 1.5 / 2, 1e-10);
    CHECK_NEAR(l.integration, -m * g * 0.5 * g * h, 1e-9);
    CHECK_NEAR(l.outside, 0, 1e-12);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(ukWorldGetPower(w, &l) == 0); /* of the last step, at its mean velocities */
    CHECK_NEAR(l.time, h, 1e-15);
    CHECK_NEAR(l.applied, 3 * 1.5 * 0.995, 1e-10);
    CHECK_NEAR(l.kinetic, 2 * (g * g + 2.25) * 0.995, 1e-9);
    CHECK_NEAR(l.potential, -m * g * g, 1e-9);
    CHECK_NEAR(l.integration, -m * g * g * h / 2, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-9);
    dBodySetLinearVel(b, 0, 0, 0); /* the user's doing */
    l = ledgerOf(w);
    CHECK_NEAR(l.outside, -0.5 * m * (g * g + 2.25), 1e-10);
    CHECK_NEAR(l.residual, 0, 1e-11);
    dWorldDestroy(w);
}

/* A wheel that dry friction stops: all its energy is non-ideal, whichever the integrator. */
static void friction(ukIntegrator integrator)
{
    const dWorldID w = ledgerWorld();
    ukWorldSetIntegrator(w, integrator);
    const dBodyID b = box(w, 3, 0, 0, 0);
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    CHECK(ukJointSetCoulomb(j, 0.3, 0.02) == 0);
    dBodySetFiniteRotationMode(b, 1);
    dBodySetAngularVel(b, 0, 3, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    ukLedger l;
    double rate = 3;
    for (int i = 0; i < 50; i++) { /* torque mu arm m g; its power is all that the energy loses */
        ledgerSteps(w, 1, 0.001);
        const double now = dBodyGetAngularVel(b)[1];
        CHECK(ukWorldGetPower(w, &l) == 0);
        CHECK_NEAR(l.nonideal, -0.3 * 0.02 * 3 * g * (rate + now) / 2, 1e-9);
        CHECK_NEAR(l.nonideal, l.kinetic + l.potential, 1e-9);
        rate = now;
    }
    ledgerSteps(w, 100, 0.01);
    l = ledgerOf(w);
    CHECK_NEAR(l.kinetic, 0, 1e-15);
    CHECK_NEAR(l.nonideal, -l.kinetic_start, 1e-9);
    CHECK_NEAR(ledgerCauses(&l) - l.nonideal, 0, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dWorldDestroy(w);
}

/* An own law's power, measured by the law itself under RK4's weights, is what is booked and what is lost. */
static void wind(const struct ukNonIdealContext *context, dReal f[2][6], void *data)
{
    (void)data;
    for (int k = 0; k < 3; k++) f[0][3 + k] = -0.2 * context->rate[0] * fabs(context->rate[0]) * context->axis[0][k];
}

static void ownLaw(ukIntegrator integrator, double tolerance)
{
    const dWorldID w = ledgerWorld();
    ukWorldSetIntegrator(w, integrator);
    const dBodyID b = box(w, 3, 0.5, 0, 0);
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    CHECK(ukJointSetNonIdeal(j, wind, NULL) == 0);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 1000, 0.001);
    const ukLedger l = ledgerOf(w);
    const double lost = l.kinetic_start + l.potential_start - l.kinetic - l.potential;
    CHECK(lost > 0.1);
    CHECK_NEAR(-l.nonideal, lost, tolerance);
    CHECK_NEAR(l.ideal, 0, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-10);
    dWorldDestroy(w);
}

/* a block that slides on a plane by a contact joint, and stops */
static void contactFriction(void)
{
    const dWorldID w = ledgerWorld();
    const dBodyID b = box(w, 2, 0, 0, 0.1);
    const dJointGroupID group = dJointGroupCreate(0);
    dBodySetLinearVel(b, 1.5, 0, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 4; k++) {
            const dReal *x = dBodyGetPosition(b);
            dContact c = {
                .geom = {.normal = {0, 0, 1}, .pos = {x[0] + (k & 1 ? 0.2 : -0.2), x[1] + (k & 2 ? 0.15 : -0.15), 0}}};
            c.surface.mu = 0.3;
            c.surface.mode = dContactApprox1;
            dJointAttach(dJointCreateContact(w, group, &c), b, NULL);
        }
        ledgerSteps(w, 1, 0.01);
        dJointGroupEmpty(group);
    }
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.kinetic, 0, 1e-12);
    CHECK_NEAR(l.contact_friction, -0.5 * 2 * 1.5 * 1.5, 1e-8);
    CHECK_NEAR(l.contact_normal, 0, 1e-8);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dJointGroupDestroy(group);
    dWorldDestroy(w);
}

/* a motor of force F drives a slider: F x */
static void pushed(void)
{
    const double h = 0.01;
    dWorldID w = ledgerWorld();
    dBodyID b = box(w, 2, 0, 0, 0);
    dJointID j = dJointCreateSlider(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamVel, 100);
    dJointSetSliderParam(j, dParamFMax, 6);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 100, h);
    ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.motors, 6 * 0.5 * 3, 1e-9);
    CHECK_NEAR(l.kinetic, 9, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-11);
    dWorldDestroy(w);
}

/* a body carried by a kinematic one: the ideal force works */
static void carried(void)
{
    const double h = 0.01;
    dWorldID w = ledgerWorld();
    dBodyID b = box(w, 2, 0, 0, 0);
    const dBodyID car = box(w, 1, 0, 0, 1);
    dBodySetKinematic(car);
    dBodySetLinearVel(car, 0, 0, 2);
    dJointID j = dJointCreateFixed(w, NULL);
    dJointAttach(j, b, car);
    dJointSetFixed(j);
    dBodySetLinearVel(b, 0, 0, 2);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 50, h);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.ideal, 2 * g * 2 * 0.5, 1e-9); /* lifted by 1 m */
    CHECK_NEAR(l.potential - l.potential_start, l.ideal, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-10);
    dWorldDestroy(w);
}

/* damping, and the cap of the angular speed */
static void damped(void)
{
    const double h = 0.01;
    dWorldID w = ledgerWorld();
    dWorldSetGravity(w, 0, 0, 0);
    dBodyID b = box(w, 2, 0, 0, 0);
    dBodySetLinearVel(b, 3, 0, 0);
    dBodySetAngularVel(b, 0, 0, 8);
    dBodySetDamping(b, 0.1, 0.05);
    dBodySetMaxAngularSpeed(b, 5);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 10, h);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.damping, l.kinetic - l.kinetic_start, 1e-10);
    CHECK(l.damping < -5);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dWorldDestroy(w);
}

static void putToSleep(void)
{
    const double h = 0.01;
    dWorldID w = ledgerWorld();
    dWorldSetGravity(w, 0, 0, 0);
    dBodyID b = box(w, 2, 0, 0, 0);
    dJointID j = dJointCreateSlider(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetSliderAxis(j, 1, 0, 0);
    dBodySetAutoDisableDefaults(b);
    dBodySetAutoDisableFlag(b, 1);
    dBodySetLinearVel(b, 1e-3, 0, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 30, h);
    const ukLedger l = ledgerOf(w);
    CHECK(!dBodyIsEnabled(b));
    CHECK_NEAR(l.sleeping, -0.5 * 2 * 1e-6, 1e-18);
    CHECK_NEAR(l.residual, 0, 1e-18);
    dWorldDestroy(w);
}

/* A body that tilts is set upright by the plane's rows, which ask for rates and yet are no motor: what they take of its
 * turning is stabilization, or of the form that steps. */
static void tilting(ukIntegrator integrator)
{
    const dWorldID w = ledgerWorld();
    const dBodyID b = box(w, 2, 0, 0, 0);
    const dJointID plane = dJointCreatePlane2D(w, NULL);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    dJointAttach(plane, b, NULL);
    dBodySetAngularVel(b, 0.3, -0.2, 1);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 3, 0.01);
    const dReal *omega = dBodyGetAngularVel(b);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(omega[0], 0, 1e-14);
    CHECK(l.motors == 0);
    CHECK(l.stabilization + l.integration + l.outside < -1e-3); /* set by the program against the joint */
    CHECK_NEAR(l.residual, 0, 1e-14 * ledgerTurnover(&l));
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    falling();
    friction(ukIntegratorEuler);
    friction(ukIntegratorRK4);
    ownLaw(ukIntegratorEuler, 0.05);
    ownLaw(ukIntegratorRK4, 1e-10);
    contactFriction();
    pushed();
    carried();
    damped();
    putToSleep();
    tilting(ukIntegratorEuler);
    tilting(ukIntegratorRK4);
    dCloseODE();
    return ukTestEnd();
}

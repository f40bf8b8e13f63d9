/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: what users do: constraints, forces, callbacks that move or destroy, forces on bodies that wake; steps
 * that fail; mistaken arguments. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/ledgers.h"
#include "tests/support/plain_world.h"

/* two bodies on a spring of 50 N/m, unstretched at 0 m */
static int spring(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    for (int i = 0; i < 3; i++) {
        force[i] = 50 * (c->bodies[1].position[i] - c->bodies[0].position[i]);
        force[6 + i] = -force[i];
    }
    return 0;
}

/* body 0 goes up and down with z = 0.2 sin 3t */
static int lift(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[2] = 1;
    b[0] = -0.2 * 9 * sin(3 * c->time);
    return 0;
}

static int liftError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies[0].position[2] - 0.2 * sin(3 * c->time);
    psi[0] = c->bodies[0].velocity[2] - 0.2 * 3 * cos(3 * c->time);
    return 0;
}

static double stretched(dBodyID a, dBodyID b)
{
    const dReal *x = dBodyGetPosition(a), *y = dBodyGetPosition(b);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += 25 * (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

/* A lifted body carries another on a spring: the spring's work is what it stored, the lift's all the rest. */
static void users(ukIntegrator integrator, bool error, double tolerance)
{
    const dWorldID w = ledgerWorld();
    const dBodyID pair[2] = {box(w, 2, 0, 0, 0), box(w, 1, 0.1, 0.2, -0.3)};
    ukWorldSetIntegrator(w, integrator);
    CHECK(ukForceCreate(w, pair, 2, spring, NULL) != NULL);
    const ukConstraintID c = ukConstraintCreate(w, 1, pair, 1, lift, NULL);
    CHECK(c != NULL && (!error || ukConstraintSetError(c, liftError, NULL) == 0));
    dBodySetLinearVel(pair[0], 0, 0, 0.6);
    CHECK(ukWorldResetLedger(w) == 0);
    const double stored = stretched(pair[0], pair[1]);
    double lifting = 0, last = 0; /* by the trapezoidal rule of its own force, F z' */
    for (int i = 0; i < 1000; i++) {
        double F[6];
        ledgerSteps(w, 1, 0.001);
        CHECK(ukConstraintGetForce(c, F) == 0);
        const double power = F[2] * dBodyGetLinearVel(pair[0])[2];
        lifting += 0.001 * (i > 0 ? 0.5 * (power + last) : power);
        last = power;
    }
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(fabs(l.ideal) > 1 && fabs(l.applied) > 0.01);
    CHECK_NEAR(l.applied, stored - stretched(pair[0], pair[1]), tolerance);
    CHECK_NEAR(l.ideal, lifting, fmax(tolerance, 1e-5)); /* the rule's own error */
    CHECK_NEAR(l.integration + l.stabilization, 0, tolerance);
    dWorldDestroy(w);
}

static int push(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    for (int i = 0; i < c->count; i++) force[6 * i] = 3;
    return 0;
}

/* A force on an awake body and on one that sleeps, until a joint to an island further on wakes it within the step: what
 * it does there belongs to that island, which is gathered later. */
static void wokenByALaterIsland(void)
{
    const double h = 0.01, m = 2;
    const dWorldID w = ledgerWorld();
    const dBodyID c = box(w, 1, 2, 0, 0), b = box(w, m, 1, 0, 0), a = box(w, m, 0, 0, 3), pushed[2] = {a, b};
    const dJointID hinge = dJointCreateHinge(w, NULL); /* ODE walks the newest body first: a, then c, which wakes b */
    dJointAttach(hinge, c, b);
    dBodyDisable(b);
    CHECK(ukForceCreate(w, pushed, 2, push, NULL) != NULL);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 1, h);
    CHECK(dBodyIsEnabled(b));
    const ukLedger first = ledgerOf(w);
    CHECK_NEAR(first.applied, 0.5 * m * (3 * h / m) * (3 * h / m), 1e-15); /* on a alone */
    CHECK_NEAR(first.residual, 0, 1e-12 * ledgerTurnover(&first));
    for (int i = 0; i < 5; i++) {
        dBodyDisable(b); /* now there are frames of steps before */
        ledgerSteps(w, 1, h);
        const ukLedger l = ledgerOf(w);
        CHECK_NEAR(l.residual, 0, 1e-12 * ledgerTurnover(&l));
    }
    dWorldDestroy(w);
}

static void shake(dBodyID b)
{
    dBodySetLinearVel(b, 1, 2, 3);
}

static void failures(void)
{
    ukLedger l;
    dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    CHECK(ukWorldGetLedger(NULL, &l) < 0 && ukWorldGetLedger(w, NULL) < 0 && ukWorldResetLedger(NULL) < 0);
    CHECK(ukWorldSetLedger(NULL, 1) < 0 && ukWorldSetLedger(w, 1) == 0 && ukWorldSetLedger(w, 0) == 0);
    const dBodyID b = box(w, 2, 0, 0, 0);
    CHECK(ukWorldSetLedger(w, 1) == 0);
    ledgerSteps(w, 10, 0.01);
    const ukLedger before = ledgerOf(w);
    ukLedger power;
    CHECK(ukWorldGetPower(w, &power) == 0 && power.kinetic > 0);
    dBodyAddForce(b, NAN, 0, 0);
    CHECK(ukWorldStep(w, 0.01) == 0); /* a failed step books nothing */
    l = ledgerOf(w);
    CHECK(memcmp(&l, &before, sizeof l) == 0);
    CHECK(ukWorldGetPower(w, &l) == 0 && memcmp(&l, &power, sizeof l) == 0); /* of the last step that was taken */
    CHECK(ukWorldGetPower(NULL, &l) < 0 && ukWorldGetPower(w, NULL) < 0);
    dBodySetForce(b, 0, 0, 0);
    dBodySetMovedCallback(b, shake);
    ledgerSteps(w, 5, 0.01);
    l = ledgerOf(w);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(fabs(l.outside) > 1);
    dWorldDestroy(w);
}

/* A callback that destroys its own body, the only one that has a callback: what was its energy went to the outside. */
static void destroyedByItsCallback(void)
{
    const dWorldID w = ledgerWorld();
    const dBodyID b = box(w, 2, 0, 0, 5);
    box(w, 1, 3, 0, 0);
    dBodySetMovedCallback(b, dBodyDestroy);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 1, 0.01);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.outside, -2 * g * 5, 0.1);
    CHECK_NEAR(l.residual, 0, 1e-14 * ledgerTurnover(&l));
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    users(ukIntegratorEuler, true, 0.02);
    users(ukIntegratorEuler, false, 0.02);
    users(ukIntegratorRK4, true, 1e-10);
    users(ukIntegratorRK4, false, 1e-10);
    wokenByALaterIsland();
    failures();
    destroyedByItsCallback();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Quadratic drag and Stribeck's friction against closed forms and the equation of one coordinate. */
#include <math.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"

static const double g = 9.81, m = 2;

typedef struct Rig {
    dWorldID world;
    dBodyID body;
    dJointID joint;
} Rig;

/* a block of 2 kg on a slider along x, attached either way round */
static Rig rig(ukIntegrator integrator, bool swapped)
{
    Rig r = {.world = dWorldCreate()};
    dMass mass;
    dWorldSetGravity(r.world, 0, 0, -g);
    dWorldSetCFM(r.world, 0);
    CHECK(ukWorldSetIntegrator(r.world, integrator) == 0);
    r.body = dBodyCreate(r.world);
    dMassSetBoxTotal(&mass, m, 1, 1, 1);
    dBodySetMass(r.body, &mass);
    r.joint = dJointCreateSlider(r.world, 0);
    dJointAttach(r.joint, swapped ? 0 : r.body, swapped ? r.body : 0);
    dJointSetSliderAxis(r.joint, 1, 0, 0);
    return r;
}

/* v = v0/(1 + k |v0| t/m); Euler takes the start of the step */
static void quadratic(ukIntegrator integrator, bool swapped)
{
    const double k = 0.8, v0 = -3, h = 0.01;
    const Rig r = rig(integrator, swapped);
    CHECK(ukJointSetDrag(r.joint, k) == 0);
    dBodySetLinearVel(r.body, v0, 0, 0);
    CHECK(ukWorldResetLedger(r.world) == 0);
    double v = v0;
    for (int i = 1; i <= 100; i++) {
        CHECK(ukWorldStep(r.world, h) == 1);
        v -= h * k * fabs(v) * v / m;
        const double exact = v0 / (1 + k * fabs(v0) * i * h / m);
        if (integrator == ukIntegratorRK4)
            CHECK_NEAR(dBodyGetLinearVel(r.body)[0], exact, 1e-9);
        else
            CHECK_NEAR(dBodyGetLinearVel(r.body)[0], v, 1e-12);
    }
    ukLedger l;
    CHECK(ukWorldGetLedger(r.world, &l) == 0);
    CHECK_NEAR(l.nonideal + l.integration, l.kinetic - l.kinetic_start, 1e-11);
    CHECK_NEAR(l.integration, 0, 1e-7);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dWorldDestroy(r.world);
}

static const double mu = 0.2, mu_static = 0.5, speed = 0.1;

static double acceleration(double v)
{
    return -g * (mu + (mu_static - mu) * exp(-v * v / (speed * speed)));
}

/* slides on mu, is caught by mu_static as it slows down, and stays until that is overcome */
static void stribeck(ukIntegrator integrator, bool swapped)
{
    const double h = 0.001;
    const Rig r = rig(integrator, swapped);
    CHECK(ukJointSetCoulomb(r.joint, mu, 0) == 0 && ukJointSetStribeck(r.joint, mu_static, speed) == 0);
    double v = 0.5;
    dBodySetLinearVel(r.body, v, 0, 0);
    for (int i = 1; i <= 200; i++) { /* it stops after about 0.24 s */
        CHECK(ukWorldStep(r.world, h) == 1);
        if (integrator == ukIntegratorRK4) {
            const double a = acceleration(v), b = acceleration(v + h / 2 * a), c = acceleration(v + h / 2 * b);
            v += h / 6 * (a + 2 * b + 2 * c + acceleration(v + h * c));
        } else {
            v += h * acceleration(v);
        }
        /* Euler's active set stops at a tenth of the check's tolerance */
        CHECK_NEAR(dBodyGetLinearVel(r.body)[0], v, integrator == ukIntegratorRK4 ? 1e-12 : 1e-9);
    }
    for (int i = 0; i < 100; i++) CHECK(ukWorldStep(r.world, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(r.body)[0], 0, 1e-14);
    for (int i = 0; i < 100; i++) {
        dBodyAddForce(r.body, 0.999 * mu_static * m * g, 0, 0);
        CHECK(ukWorldStep(r.world, h) == 1);
    }
    CHECK_NEAR(dBodyGetLinearVel(r.body)[0], 0, 1e-14);
    dBodyAddForce(r.body, 1.001 * mu_static * m * g, 0, 0);
    CHECK(ukWorldStep(r.world, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(r.body)[0], h * 0.001 * mu_static * g, 1e-9);

    CHECK(ukJointSetStribeck(r.joint, 0, 0) == 0); /* mu again, at rest too */
    dBodySetLinearVel(r.body, 0, 0, 0);
    dBodyAddForce(r.body, 1.001 * mu * m * g, 0, 0);
    CHECK(ukWorldStep(r.world, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(r.body)[0], h * 0.001 * mu * g, 1e-9);
    dWorldDestroy(r.world);
}

/* On a belt (a kinematic body) of 0.05 m/s and a spring, w = 5/s. Coulomb's friction lets the block swing as fast as
 * the belt at most, by 2 * 0.05/w, and does no more; friction that falls with the rate feeds it: stick and slip. */
static int pull(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    force[0] = -50 * c->bodies[0].position[0];
    return 0;
}

static double swing(bool falling)
{
    const Rig r = rig(ukIntegratorRK4, false);
    const dBodyID belt = dBodyCreate(r.world);
    dBodySetKinematic(belt);
    dBodySetLinearVel(belt, 0.05, 0, 0);
    dJointAttach(r.joint, r.body, belt);
    dJointSetSliderAxis(r.joint, 1, 0, 0);
    CHECK(ukJointSetCoulomb(r.joint, mu, 0) == 0);
    if (falling) CHECK(ukJointSetStribeck(r.joint, mu_static, speed) == 0);
    CHECK(ukForceCreate(r.world, &r.body, 1, pull, NULL) != NULL);
    double least = 1, most = -1;
    for (int i = 0; i < 8000; i++) {
        CHECK(ukWorldStep(r.world, 0.002) == 1);
        const double x = dBodyGetPosition(r.body)[0];
        if (i < 6000) continue;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    if (!falling) CHECK_NEAR(0.5 * (most + least), mu * m * g / 50, 1e-4);
    dWorldDestroy(r.world);
    return most - least;
}

static void refused(void)
{
    const Rig r = rig(ukIntegratorEuler, false);
    const dJointID fixed = dJointCreateFixed(r.world, 0);
    CHECK(ukJointSetDrag(r.joint, -1) == ukErrorArgument && ukJointSetDrag(r.joint, NAN) == ukErrorArgument);
    CHECK(ukJointSetDrag(NULL, 1) == ukErrorHandle && ukJointSetStribeck(NULL, 1, 1) == ukErrorHandle);
    CHECK(ukJointSetDrag(fixed, 1) == ukErrorArgument);
    CHECK(ukJointSetStribeck(r.joint, 0.5, 0.1) == ukErrorArgument); /* of no dry friction */
    CHECK(ukJointSetCoulomb(r.joint, 0.3, 0) == 0);
    CHECK(ukJointSetStribeck(r.joint, 0.2, 0.1) == ukErrorArgument);
    CHECK(ukJointSetStribeck(r.joint, 0.5, 0) == ukErrorArgument);
    CHECK(ukJointSetStribeck(r.joint, INFINITY, 0.1) == ukErrorArgument);
    CHECK(ukJointSetStribeck(r.joint, 0.5, 0.1) == 0);
    dWorldDestroy(r.world);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < 4; k++) {
        quadratic(k & 1 ? ukIntegratorRK4 : ukIntegratorEuler, k & 2);
        stribeck(k & 1 ? ukIntegratorRK4 : ukIntegratorEuler, k & 2);
    }
    const double slipping = swing(true), still = swing(false);
    printf("block on a belt: swings by %.4f m with Stribeck's friction, %.5f m with Coulomb's\n", slipping, still);
    CHECK_NEAR(still, 0.02, 1e-4);
    CHECK(slipping > 0.1);
    refused();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A servo constraint whose actuator moves a joint with dry friction: held, with a load below and above the friction,
 * moved in both directions and reversed, in closed form at every step, under the integrators and both orders of
 * attachment; an arm that the servo holds, whose friction depends on the servo's row; a step that fails elsewhere. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

static const double h = 0.01, mass = 2, mu = 0.25, g = 9.81;

static int alongX(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context;
    A[0] = 1;
    b[0] = *(double *)data;
    return 0;
}

typedef struct Cart {
    dWorldID world;
    dBodyID body, other; /* the other one falls, in an island of its own, which is stepped after that of the cart */
    ukConstraintID servo;
    double acceleration;
} Cart;

static void makeCart(Cart *cart, ukIntegrator integrator, bool reversed)
{
    dMass m;
    cart->world = dWorldCreate();
    cart->acceleration = 0;
    dWorldSetGravity(cart->world, 0, 0, -g);
    dWorldSetCFM(cart->world, 0);
    cart->other = dBodyCreate(cart->world);
    dMassSetBoxTotal(&m, mass, 1, 1, 1);
    dBodySetMass(cart->body = dBodyCreate(cart->world), &m);
    const dJointID slider = dJointCreateSlider(cart->world, NULL);
    dJointAttach(slider, reversed ? NULL : cart->body, reversed ? cart->body : NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    CHECK(ukJointSetCoulomb(slider, mu, 0) == 0);
    CHECK(ukWorldSetIntegrator(cart->world, integrator) == 0);
    CHECK(ukWorldSetGaussCheck(cart->world, 1e-9, ukCheckStop) == 0);
    cart->servo = ukConstraintCreate(cart->world, 1, &cart->body, 1, alongX, &cart->acceleration);
    const ukActuator actuator = {.joint = slider, .cost = 1};
    CHECK(ukConstraintSetActuators(cart->servo, &actuator, 1) == ukOk);
}

/* Friction opposes the velocity after the step; at rest it exerts what the load takes, up to mu m g, and the actuator
 * the rest, which is least. */
static void followsProfile(ukIntegrator integrator, bool reversed)
{
    static const struct {
        double acceleration, load;
        int steps;
    } phase[] = {{0, 1, 5},    {0, 12, 5}, {0, -12, 5}, {3, 0, 20}, {0, 2, 5},
                 {-3, -7, 20}, {0, 0, 5},  {-2, 1, 30}, {4, 1, 30}};
    const double friction = mu * mass * g;
    double v = 0;
    Cart cart;
    makeCart(&cart, integrator, reversed);
    for (size_t k = 0; k < sizeof phase / sizeof *phase; k++)
        for (int i = 0; i < phase[k].steps; i++) {
            double u;
            const double load = phase[k].load;
            cart.acceleration = phase[k].acceleration;
            dBodyAddForce(cart.body, load, 0, 0);
            if (!CHECK(ukWorldStep(cart.world, h) == 1)) printf("%d: %s\n", integrator, ukGetLastErrorMessage());
            v += h * cart.acceleration;
            const bool rests = fabs(v) < 1e-9;
            const double opposes = rests ? -copysign(fmin(friction, fabs(load)), load) : -copysign(friction, v);
            if (rests && cart.acceleration != 0) continue; /* comes to rest within rounding: either is right */
            CHECK(ukConstraintGetActuatorForces(cart.servo, &u) == ukOk);
            CHECK_NEAR(u, mass * cart.acceleration - load - opposes, 1e-9);
            CHECK_NEAR(dBodyGetLinearVel(cart.body)[0], v, 1e-12);
        }
    dWorldDestroy(cart.world);
}

static int heightOfArm(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

/* The motor of a hinge with friction carries an arm; the joint's CFM lets it creep. */
static void carriesArm(ukIntegrator integrator, bool reversed)
{
    const dWorldID world = dWorldCreate();
    const dBodyID arm = dBodyCreate(world);
    const dJointID hinge = dJointCreateHinge(world, NULL);
    dWorldSetGravity(world, 0, 0, -g);
    dBodySetPosition(arm, 0.5, 0, 0);
    dJointAttach(hinge, reversed ? NULL : arm, reversed ? arm : NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    CHECK(ukJointSetCoulomb(hinge, 0.1, 0.05) == 0 && ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukWorldSetGaussCheck(world, 1e-9, ukCheckStop) == 0);
    const ukConstraintID servo = ukConstraintCreate(world, 1, &arm, 1, heightOfArm, NULL);
    const ukActuator actuator = {.joint = hinge, .cost = 1};
    CHECK(ukConstraintSetActuators(servo, &actuator, 1) == ukOk);
    for (int i = 0; i < 100; i++)
        if (!CHECK(ukWorldStep(world, h) == 1)) printf("%d: %s\n", integrator, ukGetLastErrorMessage());
    CHECK_NEAR(dBodyGetPosition(arm)[2], 0, 1e-6);
    double u;
    CHECK(ukConstraintGetActuatorForces(servo, &u) == ukOk);
    CHECK_NEAR(fabs(u), 0.5 * g, 0.1 * 0.05 * g + 1e-3); /* the load, and at most the friction more or less */
    dWorldDestroy(world);
}

/* ---- a step that fails in another island ------------------------------------------------------------------------- */

static int failing(const ukConstraintContext *context, double *force, void *data)
{
    (void)context, (void)force;
    return *(int *)data;
}

/* The forces of the actuators are part of what a failed step leaves unchanged. */
static void failsElsewhere(ukIntegrator integrator)
{
    Cart cart;
    int status = 0;
    double u[2];
    unsigned char hash[2][16];
    makeCart(&cart, integrator, false);
    CHECK(ukForceCreate(cart.world, &cart.other, 1, failing, &status) != NULL);
    cart.acceleration = 1;
    CHECK(ukWorldStep(cart.world, h) == 1);
    status = -1;
    for (int k = 0; k < 2; k++) {
        CHECK(ukConstraintGetActuatorForces(cart.servo, &u[k]) == ukOk && ukWorldHash(cart.world, hash[k]) == 0);
        if (k > 0) continue;
        cart.acceleration = 7;
        CHECK(ukWorldStep(cart.world, h) == 0 && ukGetLastError() == ukErrorCallback);
    }
    CHECK(u[0] == u[1] && memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
    dWorldDestroy(cart.world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    dInitODE2(0);
    for (int i = 0; i < 8; i++) {
        followsProfile(all[i / 2], i % 2);
        carriesArm(all[i / 2], i % 2);
        failsElsewhere(all[i / 2]);
    }
    dCloseODE();
    return ukTestEnd();
}

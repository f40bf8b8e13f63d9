/* SPDX-License-Identifier: BSD-3-Clause */
/* The impulse of a user constraint with a law holds that of the law, under every integrator: with gravity's it is the
 * change of the body's momentum. A body is kept from falling, and the law pushes it along. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double mass = 3, g = 9.81, push = -2, h = 0.01;

/* it does not accelerate along z */
static int level(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context, (void)data;
    A[2] = 1;
    b[0] = 0;
    return 0;
}

static int levelError(const ukConstraintContext *context, double *phi, double *psi, void *data)
{
    (void)data;
    phi[0] = context->bodies[0].position[2];
    psi[0] = context->bodies[0].velocity[2];
    return 0;
}

static void pushAlong(const ukConstraintContext *context, const double *ideal, double *force, void *data)
{
    (void)context, (void)ideal, (void)data;
    force[0] = push;
}

static void pushed(ukIntegrator integrator)
{
    const dWorldID world = newWorld(g);
    const dBodyID body = ball(world, mass, 0, 0, 0);
    const ukConstraintID c = ukConstraintCreate(world, 1, &body, 1, level, NULL);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && c != NULL);
    CHECK(ukConstraintSetError(c, levelError, NULL) == 0 && ukConstraintSetNonIdeal(c, pushAlong, NULL) == 0);
    dBodySetLinearVel(body, 1, 0, 0);
    for (int i = 0; i < 5; i++) {
        double impulse[6];
        const double before = dBodyGetLinearVel(body)[0];
        CHECK(ukWorldStep(world, h) == 1 && ukConstraintGetImpulse(c, impulse) == 0);
        CHECK_NEAR(impulse[0], mass * (dBodyGetLinearVel(body)[0] - before), 1e-12);
        CHECK_NEAR(impulse[0], h * push, 1e-12);
        CHECK_NEAR(impulse[2], h * mass * g, 1e-12);
    }
    dWorldDestroy(world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    dInitODE2(0);
    for (int i = 0; i < 4; i++) pushed(all[i]);
    dCloseODE();
    return ukTestEnd();
}

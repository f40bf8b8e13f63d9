/* SPDX-License-Identifier: BSD-3-Clause */
/* A body on a Plane2D joint with dry friction that starts to slide under a turning force: RK4 and adaptive refuse the
 * step, and their message recommends Euler and RATTLE, which take it. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

/* exceeds the friction of 2.943 N after 0.118 s, and turns by 3 rad/s */
static int turningForce(const ukConstraintContext *context, double *force, void *data)
{
    const double t = context->time, F = 2 + 8 * t;
    (void)data;
    force[0] = F * cos(3 * t);
    force[1] = F * sin(3 * t);
    return 0;
}

static dBodyID slidingBody(ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID plane = dJointCreatePlane2D(world, 0);
    dMass m;
    dMassSetSphereTotal(&m, 1, 0.3);
    dBodySetMass(body, &m);
    dJointAttach(plane, body, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    CHECK(ukJointSetCoulomb(plane, 0.3, 0.1) == 0 && ukForceCreate(world, &body, 1, turningForce, NULL));
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    return body;
}

/* A spent budget while the body slides: another integrator helps under RK4 and adaptive alone. */
static void spendWhileSliding(ukIntegrator integrator, const char *advice, const char *other)
{
    const dWorldID world = dBodyGetWorld(slidingBody(ukIntegratorRattle));
    for (int i = 0; i < 40; i++) CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukWorldSetBudget(world, 1) == 0);
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorBudget);
    CHECK(strstr(ukGetLastErrorMessage(), advice) && !strstr(ukGetLastErrorMessage(), other));
    dWorldDestroy(world);
}

/* Steps to 0.6 s, by `other` from the step on that the integrator refuses. */
static void slide(ukIntegrator integrator, ukIntegrator other, double end[2])
{
    const dBodyID body = slidingBody(integrator);
    const dWorldID world = dBodyGetWorld(body);
    int refused = 0;
    for (int i = 0; i < 60; i++) {
        if (ukWorldStep(world, 0.01) == 1) continue;
        const char *message = ukGetLastErrorMessage();
        CHECK(strstr(message, "plane2d joint 1") && strstr(message, "--integrator rattle or euler"));
        CHECK(!strstr(message, "adaptive") && !strstr(message, "budget (") && refused++ == 0);
        CHECK(ukWorldSetIntegrator(world, other) == 0 && ukWorldStep(world, 0.01) == 1);
    }
    CHECK(integrator == other || refused == 1);
    for (int k = 0; k < 2; k++) end[k] = dBodyGetPosition(body)[k];
    dWorldDestroy(world);
}

int main(void)
{
    double expected[2], end[2];
    dInitODE2(0);
    slide(ukIntegratorRattle, ukIntegratorRattle, expected);
    CHECK(fabs(expected[0] - 0.04687) < 1e-4 && fabs(expected[1] - 0.13529) < 1e-4); /* for h -> 0 */
    for (int refuses = 0; refuses < 2; refuses++)
        for (int takes = 0; takes < 2; takes++) {
            slide(refuses ? ukIntegratorRK4 : ukIntegratorAdaptive, takes ? ukIntegratorRattle : ukIntegratorEuler,
                  end);
            for (int k = 0; k < 2; k++) CHECK(fabs(end[k] - expected[k]) < 2e-3);
        }
    spendWhileSliding(ukIntegratorRattle, "a larger budget", "--integrator");
    spendWhileSliding(ukIntegratorRK4, "--integrator rattle or euler", "budget (");
    spendWhileSliding(ukIntegratorAdaptive, "--integrator rattle or euler", "budget (");
    dCloseODE();
    return ukTestEnd();
}

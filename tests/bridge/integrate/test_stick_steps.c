/* SPDX-License-Identifier: BSD-3-Clause */
/* A step in which dry friction changes its direction more often than is located is taken in the discrete form, from its
 * start and not from where its parts had come: it is Euler's step. */
#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81, m = 1;

/* a spring of 100 Hz along x */
static int spring(const struct ukConstraintContext *c, dReal *force, void *data)
{
    const double w = 2 * 3.14159265358979323846 * 100;
    (void)data;
    force[0] = -m * w * w * c->bodies[0].position[0];
    return 0;
}

typedef struct Rail {
    dWorldID world;
    dBodyID body;
} Rail;

static Rail railOf(ukIntegrator integrator)
{
    Rail r = {.world = newWorld(g)};
    r.body = ball(r.world, m, 0, 0, 0);
    const dJointID slider = dJointCreateSlider(r.world, 0);
    dJointAttach(slider, r.body, 0);
    dJointSetSliderAxis(slider, 1, 0, 0);
    CHECK(ukJointSetCoulomb(slider, 0.01, 0) == 0);
    CHECK(ukForceCreate(r.world, &r.body, 1, spring, NULL) != NULL);
    CHECK(ukWorldSetIntegrator(r.world, integrator) == 0 && ukWorldSetTolerance(r.world, 1e-6, 0) == 0);
    dBodySetPosition(r.body, 0.01, 0, 0);
    dBodySetLinearVel(r.body, 0.3, 0, 0);
    return r;
}

static void tooManyChanges(void)
{
    const double h = 0.5; /* a hundred reversals */
    const Rail way = railOf(ukIntegratorAdaptive), euler = railOf(ukIntegratorEuler);
    ukReport r;
    CHECK(ukWorldStep(way.world, h) == 1 && ukWorldStep(euler.world, h) == 1);
    CHECK(ukWorldGetReport(way.world, &r) == 0 && r.discrete_islands == 1);
    CHECK_NEAR_ALL(dBodyGetPosition(way.body), dBodyGetPosition(euler.body), 3, 1e-9);
    CHECK_NEAR_ALL(dBodyGetLinearVel(way.body), dBodyGetLinearVel(euler.body), 3, 1e-9);
    dWorldDestroy(way.world);
    dWorldDestroy(euler.world);
}

/* and with fewer it is not */
static void fewChanges(void)
{
    const Rail way = railOf(ukIntegratorAdaptive);
    ukReport r;
    for (int i = 0; i < 4; i++) {
        CHECK(ukWorldStep(way.world, 0.05) == 1);
        CHECK(ukWorldGetReport(way.world, &r) == 0 && r.discrete_islands == 0);
    }
    dWorldDestroy(way.world);
}

int main(void)
{
    dInitODE2(0);
    tooManyChanges();
    fewChanges();
    dCloseODE();
    return ukTestEnd();
}

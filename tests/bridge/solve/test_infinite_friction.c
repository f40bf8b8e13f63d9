/* SPDX-License-Identifier: BSD-3-Clause */
/* mu = dInfinity, as many programs have it, under each law of friction: nothing slides, what does not press holds
 * nothing, and every step is solved (docs/ode-differences.md). */
#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/corners.h"

#include <math.h>

typedef enum Law { TwoPhase, Coupled, Cone, Laws } Law;

static void step(dWorldID world, Law law)
{
    ukReport report;
    CHECK((law == Coupled ? dWorldQuickStep(world, 0.01) : dWorldStep(world, 0.01)) == 1);
    CHECK(ukWorldGetReport(world, &report) == 0 && report.ok && report.fallbacks == 0);
}

/* A pull along the plane, sixty times what presses: the block stays. Then it is lifted, and the pull along is free. */
static void pulledBlock(Law law)
{
    const dWorldID world = dWorldCreate();
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID block = dBodyCreate(world);
    const double half[3] = {0.2, 0.2, 0.1}, down = 9.81, along = 60 * down;
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 0.4, 0.4, 0.004);
    dBodySetMass(block, &mass);
    dBodySetPosition(block, 0, 0, 0.1);
    dWorldSetGravity(world, 0, 0, -down);
    ukWorldEnable(world);
    CHECK(ukWorldSetFriction(world, law == Cone ? ukFrictionCone : ukFrictionOde) == 0);
    const dReal *v = dBodyGetLinearVel(block), *w = dBodyGetAngularVel(block);
    for (int i = 0; i < 50; i++) {
        touchCorners(block, half, dInfinity, group);
        dBodyAddForceAtPos(block, 2 * along, 0, 0, 0, 0, 0); /* in the plane: no tilt */
        step(world, law);
        dJointGroupEmpty(group);
        CHECK(fabs(v[0]) + fabs(v[1]) + fabs(v[2]) <= 1e-6);
        CHECK(fabs(w[0]) + fabs(w[1]) + fabs(w[2]) <= 1e-6);
    }
    for (int i = 1; i <= 5; i++) {
        touchCorners(block, half, dInfinity, group);
        dBodyAddForce(block, 2 * 3, 0, 2 * (down + 5));
        step(world, law);
        dJointGroupEmpty(group);
        CHECK_NEAR(v[0], 0.03 * i, 2e-6);
        CHECK_NEAR(v[2], 0.05 * i, 2e-6);
    }
    dWorldDestroy(world);
    dJointGroupDestroy(group);
}

static void heap(const char *name, int n, Law law)
{
    Scene *s = sceneByName(name, n);
    CHECK(s != NULL);
    if (!s) return;
    s->mu = dInfinity;
    sceneCalm(s, 1e-3, 0);
    ukWorldEnable(s->world);
    ukWorldSetFriction(s->world, law == Cone ? ukFrictionCone : ukFrictionOde);
    for (int i = 0; i < 200; i++) {
        ukReport report;
        CHECK(sceneStep(s, 0.01, law == Coupled ? dWorldQuickStep : dWorldStep) == 1);
        ukWorldGetReport(s->world, &report);
        CHECK(report.ok && report.complementarity <= 1e-9 && report.fallbacks == 0);
    }
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    for (int law = TwoPhase; law < Laws; law++) {
        pulledBlock((Law)law);
        heap("pile", 12, (Law)law);
        heap("ragdolls", 2, (Law)law);
    }
    dCloseODE();
    return ukTestEnd();
}

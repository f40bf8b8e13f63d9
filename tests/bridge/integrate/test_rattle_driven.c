/* SPDX-License-Identifier: BSD-3-Clause */
/* RATTLE where rows ask for a velocity that is not zero: a user's constraint that depends on time, and a motor on a
 * base that moves by itself. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static void run(dWorldID w, double h, double time)
{
    for (int k = 0; k < (int)(time / h + 0.5); k++) {
        ukReport r;
        if (!CHECK(ukWorldStep(w, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.discrete_islands == 0 && r.velocity_error < 1e-9);
    }
}

/* x' - t y' = 2 t (Kalaba & Udwadia 1994) */
static int rows(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = 1;
    A[1] = -c->time;
    b[0] = c->bodies->velocity[1] + 2;
    return 0;
}

static int misses(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = NAN;
    psi[0] = c->bodies->velocity[0] - c->time * c->bodies->velocity[1] - 2 * c->time;
    return 0;
}

/* where the particle is after 2 s, and the force on it */
static void particle(ukIntegrator integrator, double h, double place[3], double force[6])
{
    const dWorldID w = dWorldCreate();
    const dBodyID b = box(w, 1.5, 0, 0, 0);
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, rows, NULL);
    CHECK(c && ukConstraintSetError(c, misses, NULL) == 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetTolerance(w, 1e-11, 0) == 0);
    dWorldSetGravity(w, 0, -0.3, 0);
    dBodySetLinearVel(b, 0, 1, 0.5);
    run(w, h, 2);
    for (int k = 0; k < 3; k++) place[k] = dBodyGetPosition(b)[k];
    CHECK(ukConstraintGetForce(c, force) == 0);
    dWorldDestroy(w);
}

static void dependsOnTime(void)
{
    double exact[3], force[6], place[2][3], by[2][6];
    particle(ukIntegratorAdaptive, 0.01, exact, force);
    particle(ukIntegratorRattle, 0.01, place[0], by[0]);
    particle(ukIntegratorRattle, 0.005, place[1], by[1]);
    CHECK(apart(place[0], exact) < 1e-3 && apart(by[0], force) < 0.03);
    CHECK_NEAR(apart(place[0], exact) / apart(place[1], exact), 4, 0.2);
}

/* A rod on a hinge to a base that goes at 0.5 m/s and turns at 2 rad/s; its motor adds 3 rad/s. Where it is at
 * `time`. */
static double driven(double h, double time)
{
    const dWorldID w = dWorldCreate();
    const dBodyID base = box(w, 1.5, 0, 0, 0), rod = box(w, 1.5, 1, 0, 0);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dBodySetKinematic(base);
    dBodySetLinearVel(base, 0.5, 0, 0);
    dBodySetAngularVel(base, 0, 0, 2);
    dBodySetLinearVel(rod, 0.5, 5, 0);
    dBodySetAngularVel(rod, 0, 0, 5);
    dJointAttach(hinge, rod, base);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeParam(hinge, dParamVel, 3);
    dJointSetHingeParam(hinge, dParamFMax, dInfinity);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    run(w, h, time);
    const double expected[3] = {0.5 * time + cos(5 * time), sin(5 * time), 0};
    CHECK_NEAR(dBodyGetAngularVel(rod)[2], 5, 1e-9);
    const double off = apart(dBodyGetPosition(rod), expected);
    dWorldDestroy(w);
    return off;
}

static void onABaseThatMoves(void)
{
    const double far = driven(0.01, 1), near = driven(0.005, 1);
    CHECK(far < 0.01);
    CHECK(near <= 0.27 * far);
}

int main(void)
{
    dInitODE2(0);
    dependsOnTime();
    onABaseThatMoves();
    dCloseODE();
    return ukTestEnd();
}

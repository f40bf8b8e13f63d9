/* SPDX-License-Identifier: BSD-3-Clause */
/* What turns under every continuous integrator. A spin beyond dBodySetMaxAngularSpeed is cut to it together with what
 * the body's joints couple it with: a pendulum keeps v = w x r, and chains of thin boxes keep their joints. A body without gyroscopic torque keeps its spin, so
 * that its orientation is the one rotation about it, to rounding. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"
#include "tests/support/random_world.h"
#include "ukode/ukode.h"

static const ukIntegrator integrators[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
enum { Integrators = sizeof integrators / sizeof *integrators };

/* about z, its centre 2 m from the axis */
static void cappedPendulum(ukIntegrator integrator, double cap)
{
    const double r = 2, spin = 5;
    const dWorldID w = dWorldCreate();
    dWorldSetCFM(w, 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    const dBodyID b = makeSphere(w, 1, 0.3);
    const dJointID hinge = makeHingeJoint(w, b, NULL);
    dBodySetPosition(b, r, 0, 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dBodySetMaxAngularSpeed(b, cap);
    dBodySetAngularVel(b, 0, 0, spin);
    dBodySetLinearVel(b, 0, r * spin, 0);
    for (int i = 0; i < 5; i++) {
        CHECK(ukWorldStep(w, 0.01) == 1);
        const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b), *s = dBodyGetAngularVel(b);
        const double coupled[3] = {-s[2] * x[1], s[2] * x[0], 0};
        if (!CHECK_NEAR(s[2], fmin(cap, spin), 1e-9) || !CHECK_NEAR_ALL(v, coupled, 3, 1e-8))
            printf("  integrator %d, cap %g, step %d\n", integrator, cap, i);
    }
    dWorldDestroy(w);
}

/* with unequal inertia, and a spin that is no principal axis */
static void withoutGyroscopicTorque(ukIntegrator integrator)
{
    const double h = 0.01, s[3] = {0.8, -1.1, 2.3}, speed = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    enum { Steps = 50 };
    const dWorldID w = dWorldCreate();
    const dBodyID b = dBodyCreate(w);
    dMass m;
    dMassSetBoxTotal(&m, 2, 1, 0.5, 0.2);
    dBodySetMass(b, &m);
    dBodySetGyroscopicMode(b, 0);
    dBodySetLinearVel(b, 1, 2, 3);
    dBodySetAngularVel(b, s[0], s[1], s[2]);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    for (int i = 0; i < Steps; i++) CHECK(ukWorldStep(w, h) == 1);
    dQuaternion q;
    dQFromAxisAndAngle(q, s[0], s[1], s[2], speed * h * Steps);
    const double x[3] = {h * Steps, 2 * h * Steps, 3 * h * Steps};
    if (!CHECK_NEAR_ALL(dBodyGetQuaternion(b), q, 4, 1e-12) || !CHECK_NEAR_ALL(dBodyGetAngularVel(b), s, 3, 1e-12) ||
        !CHECK_NEAR_ALL(dBodyGetPosition(b), x, 3, 1e-12))
        printf("  integrator %d\n", integrator);
    dWorldDestroy(w);
}

/* Chains of boxes with thin edges on the world, on balls or hinges beside the boxes: where the inertia about a spin is
 * much less than about others, the joints leave little of a cut, or turn it into another direction. */
static void cappedChain(ukIntegrator integrator, uint64_t seed, double *worst)
{
    enum { Most = 4, Steps = 3 };
    Random random = {seed + 20};
    const dWorldID w = dWorldCreate();
    const int bodies = 1 + randomBelow(&random, Most);
    dBodyID b[Most];
    for (int i = 0; i < bodies; i++) {
        double v[9], edge[3], q[4];
        for (int k = 0; k < 9; k++) v[k] = randomUniform(&random, -1, 1);
        for (int k = 0; k < 3; k++) edge[k] = randomUniform(&random, 0.05, 1.05);
        for (int k = 0; k < 4; k++) q[k] = randomUniform(&random, -1, 1);
        dMass m;
        dMassSetBoxTotal(&m, randomUniform(&random, 0.2, 1.8), edge[0], edge[1], edge[2]);
        b[i] = dBodyCreate(w);
        dBodySetMass(b[i], &m);
        dBodySetPosition(b[i], i, v[6], v[7]);
        dNormalize4(q);
        dBodySetQuaternion(b[i], q);
        dBodySetLinearVel(b[i], v[0], v[1], v[2]);
        dBodySetAngularVel(b[i], 3 * v[3], 3 * v[4], 3 * v[5]);
        const double at[3] = {i - 0.5 + 0.3 * v[8], randomUniform(&random, -1, 1), randomUniform(&random, -1, 1)};
        const dJointID j = seed % 2 ? dJointCreateBall(w, 0) : dJointCreateHinge(w, 0);
        dJointAttach(j, b[i], i > 0 ? b[i - 1] : NULL);
        if (seed % 2) dJointSetBallAnchor(j, at[0], at[1], at[2]);
        if (seed % 2) continue;
        dJointSetHingeAnchor(j, at[0], at[1], at[2]);
        dJointSetHingeAxis(j, v[3], v[4], v[5]);
    }
    const double cap = randomUniform(&random, 0.2, 1.2);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldProject(w) == 0);
    for (int i = 0; i < bodies; i++) dBodySetMaxAngularSpeed(b[i], cap);
    for (int step = 0; step < Steps; step++) {
        ukReport report;
        ukLedger power;
        ukWorldSetLedger(w, 1);
        CHECK(ukWorldStep(w, 0.005) == 1 && ukWorldGetPower(w, &power) == 0 && power.damping <= 1e-9);
        CHECK(ukWorldEvaluate(w) == 0 && ukWorldGetReport(w, &report) == 0);
        *worst = fmax(*worst, report.velocity_error);
        if (!CHECK(report.velocity_error < 1e-6))
            printf("  integrator %d, seed %d, step %d: %g\n", integrator, (int)seed, step, report.velocity_error);
        for (int i = 0; i < bodies; i++) {
            const dReal *s = dBodyGetAngularVel(b[i]);
            CHECK(sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) < cap * (1 + 1e-9));
        }
    }
    dWorldDestroy(w);
}

static void cappedChains(ukIntegrator integrator)
{
    double worst = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) cappedChain(integrator, seed, &worst);
    printf("integrator %d: chains at their caps move off their joints by at most %.1e\n", integrator, worst);
}

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < Integrators; i++) {
        cappedPendulum(integrators[i], 2);
        cappedPendulum(integrators[i], 8);
        withoutGyroscopicTorque(integrators[i]);
        cappedChains(integrators[i]);
    }
    dCloseODE();
    return ukTestEnd();
}

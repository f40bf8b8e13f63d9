/* SPDX-License-Identifier: BSD-3-Clause */
/* What turns under every continuous integrator. A spin beyond dBodySetMaxAngularSpeed is cut to it together with what
 * the body's joints couple it with: a pendulum keeps v = w x r. A body without gyroscopic torque keeps its spin, so
 * that its orientation is the one rotation about it, to rounding. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"
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

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < Integrators; i++) {
        cappedPendulum(integrators[i], 2);
        cappedPendulum(integrators[i], 8);
        withoutGyroscopicTorque(integrators[i]);
    }
    dCloseODE();
    return ukTestEnd();
}

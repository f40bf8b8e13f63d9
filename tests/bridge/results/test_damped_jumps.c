/* SPDX-License-Identifier: BSD-3-Clause */
/* Damping of a pendulum's linear and angular velocity at different rates leaves them apart at the end of a step. The
 * jump at the start of the next one, which makes the pivot hold again, belongs to the damping in the ledger: the program
 * did nothing. A velocity that it sets does belong to what is outside. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static dBodyID pendulum(dWorldID world)
{
    const dBodyID body = box(world, 2, 0, 0, -1);
    const dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dBodySetAngularVel(body, 0, 1, 0);
    dBodySetLinearVel(body, -1, 0, 0);
    return body;
}

static void damped(ukIntegrator integrator, double scale, bool set)
{
    const dWorldID world = newWorld(0);
    const dBodyID body = pendulum(world);
    ukLedger l;
    dBodySetLinearDampingThreshold(body, 0);
    dBodySetLinearDamping(body, scale);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukWorldResetLedger(world) == 0);
    for (int i = 0; i < 20; i++) CHECK(ukWorldStep(world, 0.01) == 1);
    if (set) dBodySetLinearVel(body, -4, 0, 0);
    if (set) CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(ukWorldGetLedger(world, &l) == 0);
    CHECK((l.damping < -0.05) == (scale > 0));
    CHECK((fabs(l.outside) > 0.1) == set);
    if (!set) CHECK_NEAR(l.outside, 0, 1e-12);
    if (!set) CHECK_NEAR(l.damping, l.kinetic - l.kinetic_start, 1e-6);
    dWorldDestroy(world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorRK4, ukIntegratorAdaptive};
    dInitODE2(0);
    for (int i = 0; i < 2; i++) {
        damped(all[i], 0.02, false);
        damped(all[i], 0, false);
        damped(all[i], 0, true);
    }
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A rod of two ball joints that were made apart: along the rod they ask for different velocities. That is no drift of
 * redundant rows: ODE's default CFM is not set aside, and the step satisfies the rows as they are stated,
 * A qdd + softness lambda = b. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

/* the largest residual of the rows, over the largest b */
static double residualOf(dWorldID world)
{
    ukEquations e;
    double worst = 0, largest = 0;
    if (!CHECK(ukWorldGetEquations(world, &e) == 0)) return NAN;
    for (int i = 0; i < e.m; i++) {
        double rest = e.softness[i] * e.lambda[i] - e.b[i];
        for (int j = 0; j < e.n; j++) rest += e.A[i * e.n + j] * e.qdd[j];
        worst = fmax(worst, fabs(rest)), largest = fmax(largest, fabs(e.b[i]));
    }
    return worst / largest;
}

static void rod(double gap, double h, double arm)
{
    const dWorldID world = newWorld(9.81);
    const dBodyID body = box(world, 1, 0, 0, 0);
    ukReport r;
    dWorldSetCFM(world, 1e-10);
    for (int k = 0; k < 2; k++) {
        const dJointID ball_joint = dJointCreateBall(world, NULL);
        dBodySetPosition(body, k ? gap : 0, 0, 0);
        dJointAttach(ball_joint, body, NULL);
        dJointSetBallAnchor(ball_joint, k ? arm : -arm, 0, 0);
    }
    dBodySetPosition(body, gap / 2, 0, 0);
    CHECK(ukWorldStep(world, h) == 1 && ukWorldGetReport(world, &r) == 0 && r.ok == 1);
    CHECK(r.cfm_islands == 0);
    CHECK_NEAR(residualOf(world), 0, 1e-8);
    dWorldDestroy(world);
}

int main(void)
{
    static const double gaps[] = {1e-5, 1e-4, 1e-3}, steps[] = {1e-3, 5e-3, 2e-2};
    dInitODE2(0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) rod(gaps[i], steps[k], 0.2);
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints that were made apart, of which redundant rows ask for different velocities: two ball joints of a rod, and a
 * loop of hinges. That is no drift of redundant rows: ODE's default CFM is not set aside, and the step satisfies the
 * rows as they are stated, A qdd + softness lambda = b. */
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

/* A planar loop of four hinges, whose rows are redundant up to `tilt`, a drift of its bodies. Where its last hinge was
 * made with a body turned by `turn`, the loop's rows ask for different angular velocities. */
static void loop(double turn, double tilt)
{
    static const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.6, 0.5}, {-0.4, 0.6}};
    const dWorldID world = newWorld(9.81);
    dBodyID body[4];
    dQuaternion q;
    ukReport r;
    dWorldSetCFM(world, 1e-10);
    for (int i = 0; i < 4; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 4];
        body[i] = box(world, 1 + i, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0);
    }
    for (int i = 0; i < 4; i++) {
        const double *b = corner[(i + 1) % 4];
        const dJointID hinge = dJointCreateHinge(world, NULL);
        dQFromAxisAndAngle(q, 1, 0.5, 0, i == 3 ? turn : 0);
        dBodySetQuaternion(body[0], q);
        dJointAttach(hinge, body[i], body[(i + 1) % 4]);
        dJointSetHingeAnchor(hinge, b[0], b[1], 0);
        dJointSetHingeAxis(hinge, 0, 0, 1);
    }
    for (int k = 0; k < 4; k++) {
        dQFromAxisAndAngle(q, 1, k, 0.3, tilt * (k - 1.5));
        dBodySetQuaternion(body[k], q);
    }
    CHECK(ukWorldStep(world, 1e-3) == 1 && ukWorldGetReport(world, &r) == 0 && r.ok == 1);
    CHECK(r.cfm_islands == (turn == 0) && r.rank == (turn == 0 ? r.rows - 3 : r.rows));
    if (turn != 0) CHECK_NEAR(residualOf(world), 0, 1e-8);
    dWorldDestroy(world);
}

int main(void)
{
    static const double gaps[] = {1e-5, 1e-4, 1e-3}, steps[] = {1e-3, 5e-3, 2e-2};
    dInitODE2(0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            rod(gaps[i], steps[k], 0.2);
            loop(gaps[i], 0.1 * gaps[k]);
        }
    for (int k = 0; k < 3; k++) loop(0, 0.1 * gaps[k]);
    dCloseODE();
    return ukTestEnd();
}

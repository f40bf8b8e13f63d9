/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of hinges and balls swings under friction: slides stick and set off again. The reference solvers take the
 * same rows for held. */
#include <ukode/ukode.h>

#include "tests/check.h"

#include <string.h>

static void chainUnder(ukSolver solver, double x[12])
{
    enum { Links = 4 };
    const dWorldID world = dWorldCreate();
    dBodyID link[Links];
    dMass mass;
    dWorldSetGravity(world, 0, 0, -9.81);
    CHECK(ukWorldSetSolver(world, solver) == 0);
    dMassSetBoxTotal(&mass, 1, 0.2, 0.05, 0.08);
    for (int i = 0; i < Links; i++) {
        link[i] = dBodyCreate(world);
        dBodySetMass(link[i], &mass);
        dBodySetPosition(link[i], 0.2 * i + 0.1, 0, 0);
        const dJointID joint = i % 2 ? dJointCreateBall(world, NULL) : dJointCreateHinge(world, NULL);
        dJointAttach(joint, link[i], i > 0 ? link[i - 1] : NULL);
        if (i % 2) {
            dJointSetBallAnchor(joint, 0.2 * i, 0, 0);
        } else {
            dJointSetHingeAnchor(joint, 0.2 * i, 0, 0);
            dJointSetHingeAxis(joint, 0.3, 1, 0);
        }
        CHECK(ukJointSetCoulomb(joint, 0.3, 0.05) == 0);
    }
    dBodySetAngularVel(link[3], 1, 2, 3);
    for (int i = 0; i < 300; i++) {
        ukReport report;
        if (i % 50 == 0) dBodyAddForce(link[3], 0, 20, 0);
        CHECK(ukWorldStep(world, 0.01) == 1);
        ukWorldGetReport(world, &report);
        CHECK(report.ok);
    }
    for (int i = 0; i < Links; i++) memcpy(x + 3 * i, dBodyGetPosition(link[i]), 3 * sizeof *x);
    dWorldDestroy(world);
}

static void referenceSolversAgree(void)
{
    static const ukSolver solvers[] = {ukSolverMInverse, ukSolverOneFour};
    double expected[12], x[12];
    chainUnder(ukSolverAuto, expected);
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        chainUnder(solvers[i], x);
        CHECK_NEAR_ALL(x, expected, 12, 1e-6);
    }
}

int main(void)
{
    dInitODE2(0);
    referenceSolversAgree();
    dCloseODE();
    return ukTestEnd();
}

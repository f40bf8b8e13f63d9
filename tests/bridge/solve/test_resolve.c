/* SPDX-License-Identifier: BSD-3-Clause */
/* ukCheckResolve: a step that the check rejects is the reference solver's, in the states that it leaves as in its
 * equations and its ledger. A tolerance that nothing meets rejects every step. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

enum { Links = 4 };

typedef struct Chain {
    dWorldID world;
    dBodyID link[Links];
} Chain;

/* hinges about skew axes, one at its stop */
static Chain make(ukSolver solver, ukCheckAction action, double tolerance)
{
    Chain c = {.world = dWorldCreate()};
    dMass m;
    dWorldSetGravity(c.world, 0, 0, -9.81);
    for (int i = 0; i < Links; i++) {
        c.link[i] = dBodyCreate(c.world);
        dMassSetBoxTotal(&m, 1 + i, 0.3, 0.1, 0.2);
        dBodySetMass(c.link[i], &m);
        dBodySetPosition(c.link[i], i + 0.5, 0, 0);
        const dJointID hinge = dJointCreateHinge(c.world, 0);
        dJointAttach(hinge, c.link[i], i > 0 ? c.link[i - 1] : 0);
        dJointSetHingeAnchor(hinge, i, 0, 0);
        dJointSetHingeAxis(hinge, 0.1 * i, 1, 0.3);
        if (i == 1) dJointSetHingeParam(hinge, dParamLoStop, 0);
        if (i == 1) dJointSetHingeParam(hinge, dParamHiStop, 0.1);
    }
    CHECK(ukWorldSetSolver(c.world, solver) == 0 && ukWorldSetGaussCheck(c.world, tolerance, action) == 0);
    CHECK(ukWorldSetLedger(c.world, 1) == 0);
    return c;
}

/* how many of the bodies' velocities are the same to the bit */
static int same(const Chain *x, const Chain *y)
{
    int count = 0;
    for (int i = 0; i < Links; i++) {
        count += memcmp(dBodyGetLinearVel(x->link[i]), dBodyGetLinearVel(y->link[i]), 3 * sizeof(dReal)) == 0;
        count += memcmp(dBodyGetAngularVel(x->link[i]), dBodyGetAngularVel(y->link[i]), 3 * sizeof(dReal)) == 0;
    }
    return count;
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    Chain again = make(ukSolverSparse, ukCheckResolve, 1e-300), first = make(ukSolverSparse, ukCheckResolve, 1e-9);
    Chain reference = make(ukSolverMInverse, ukCheckWarn, 1e-9);
    for (int i = 0; i < 50; i++) {
        ukEquations e;
        ukLedger l;
        double missed = 0;
        CHECK(ukWorldStep(again.world, 0.01) == 1 && ukWorldStep(first.world, 0.01) == 1 &&
              ukWorldStep(reference.world, 0.01) == 1);
        CHECK(same(&again, &reference) == 2 * Links);
        CHECK(ukWorldGetEquations(again.world, &e) == 0 && ukWorldGetLedger(again.world, &l) == 0);
        for (int k = 0; k < 6; k++)
            missed = fmax(missed, fabs(e.qdd[k] * 0.01 - (k < 3 ? dBodyGetLinearVel(e.bodies[0])[k]
                                                                : dBodyGetAngularVel(e.bodies[0])[k - 3])));
        CHECK(i > 0 || missed < 1e-15); /* from rest */
        CHECK_NEAR(l.residual, 0, 1e-11);
    }
    CHECK(same(&first, &reference) < 2 * Links); /* what is not rejected stays the working solver's */
    dWorldDestroy(again.world);
    dWorldDestroy(first.world);
    dWorldDestroy(reference.world);
    dCloseODE();
    return ukTestEnd();
}

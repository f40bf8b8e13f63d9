/* SPDX-License-Identifier: BSD-3-Clause */
/* A body joined to two kinematic bodies that move as its joints do not permit: every integrator other than Euler names
 * the contradiction. No message recommends another integrator or a shorter step, neither of which helps. */
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

enum { Types = 6, Motions = 3 };

static dJointID join(dWorldID world, int type, dBodyID a, dBodyID b, const double x[3])
{
    dJointID j;
    switch (type) {
    case 0: j = dJointCreateBall(world, 0); break;
    case 1: j = dJointCreateHinge(world, 0); break;
    case 2: j = dJointCreateSlider(world, 0); break;
    case 3: j = dJointCreateFixed(world, 0); break;
    case 4: j = dJointCreateUniversal(world, 0); break;
    default: j = dJointCreatePiston(world, 0);
    }
    dJointAttach(j, a, b);
    if (type == 0) dJointSetBallAnchor(j, x[0], x[1], x[2]);
    if (type == 1) dJointSetHingeAnchor(j, x[0], x[1], x[2]), dJointSetHingeAxis(j, 0, 0, 1);
    if (type == 2) dJointSetSliderAxis(j, 0, 0, 1);
    if (type == 3) dJointSetFixed(j);
    if (type == 4) {
        dJointSetUniversalAnchor(j, x[0], x[1], x[2]);
        dJointSetUniversalAxis1(j, 0, 0, 1);
        dJointSetUniversalAxis2(j, 0, 1, 0);
    }
    if (type == 5) dJointSetPistonAnchor(j, x[0], x[1], x[2]), dJointSetPistonAxis(j, 0, 0, 1);
    return j;
}

static void move(dBodyID left, dBodyID right, int motion)
{
    if (motion == 0) { /* apart */
        dBodySetLinearVel(left, -1, 0, 0);
        dBodySetLinearVel(right, 1, 0, 0);
    } else if (motion == 1) { /* rotations about different axes */
        dBodySetAngularVel(left, 0, 0, 1);
        dBodySetAngularVel(right, 0, 1, -1);
    } else { /* together, and one of them rotates */
        dBodySetLinearVel(left, 0.3, 0, 0.1);
        dBodySetLinearVel(right, 0.3, 0, 0.1);
        dBodySetAngularVel(right, 0.5, 0, 0);
    }
}

static void refuses(int type, int motion, ukIntegrator integrator)
{
    static const double at_left[3] = {-0.5, 0, 0.1}, at_right[3] = {0.5, 0.1, 0};
    const dWorldID world = dWorldCreate();
    const dBodyID left = dBodyCreate(world), body = dBodyCreate(world), right = dBodyCreate(world);
    dWorldSetGravity(world, 0, 0, -9.81);
    dBodySetPosition(left, -1, 0, 0);
    dBodySetPosition(right, 1, 0.2, 0);
    dBodySetKinematic(left);
    dBodySetKinematic(right);
    join(world, type, body, left, at_left);
    join(world, type, right, body, at_right);
    move(left, right, motion);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
    const char *message = ukGetLastErrorMessage();
    if (!CHECK(strstr(message, "contradicts other joints or constraints") && !strstr(message, "--integrator") &&
               !strstr(message, "shorter")))
        printf("  type %d, motion %d, integrator %d: %s\n", type, motion, (int)integrator, message);
    dWorldDestroy(world);
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle,
                                               ukIntegratorRadau};
    dInitODE2(0);
    for (int type = 0; type < Types; type++)
        for (int motion = 0; motion < Motions; motion++)
            for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) refuses(type, motion, integrators[i]);
    dCloseODE();
    return ukTestEnd();
}

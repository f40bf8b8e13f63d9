/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints that one step of Euler's method opens. A body on a pivot at distance l that turns at the rate x/h leaves it by
 * l sqrt((1 - cos a)^2 + (x - sin a)^2): its centre moves along the tangent by l x, and ODE turns it by a = 2
 * atan(x/2). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/results/opening.h"
#include "bridge/world/registry.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

typedef enum Pivot { ByBall, ByHinge, ByUniversal, ByRod, ByHinge2, BySuspension, ByMotor, Pivots } Pivot;

enum { SecondBody = 1, Kinematic = 2 };

static const double h = 0.01, l = 0.5;

static dJointID joined(dWorldID w, Pivot pivot, dBodyID body, dBodyID base, bool reversed)
{
    dJointID (*const make[])(dWorldID, dJointGroupID) = {dJointCreateBall,  dJointCreateHinge,  dJointCreateUniversal,
                                                         dJointCreateDBall, dJointCreateHinge2, dJointCreateHinge2,
                                                         dJointCreateHinge};
    const dJointID j = make[pivot](w, 0);
    dJointAttach(j, reversed ? base : body, reversed ? body : base);
    if (pivot == ByBall) dJointSetBallAnchor(j, 0, 0, 0);
    if (pivot == ByHinge || pivot == ByMotor) dJointSetHingeAnchor(j, 0, 0, 0), dJointSetHingeAxis(j, 0, 0, 1);
    if (pivot == ByMotor) dJointSetHingeParam(j, dParamFMax, 1e-9); /* RK4 leaves it to the discrete form */
    if (pivot == ByHinge2 || pivot == BySuspension) {
        const dVector3 x = {1, 0, 0}, z = {0, 0, 1};
        dJointSetHinge2Anchor(j, 0, 0, 0);
        dJointSetHinge2Axes(j, reversed ? x : z, reversed ? z : x); /* the base has the other axis */
        if (pivot == BySuspension) dJointSetHinge2Param(j, dParamSuspensionCFM, 1e-2);
    }
    if (pivot == ByUniversal) {
        dJointSetUniversalAnchor(j, 0, 0, 0);
        dJointSetUniversalAxis1(j, 0, 0, 1);
        dJointSetUniversalAxis2(j, 0, 1, 0);
    }
    if (pivot == ByRod) {
        dJointSetDBallAnchor1(j, reversed ? 0 : l, 0, 0);
        dJointSetDBallAnchor2(j, reversed ? l : 0, 0, 0);
    }
    return j;
}

/* What one step finds on a body that turns by x in it, about the world or a kinematic body. */
static ukOpening opened(Pivot pivot, double x, int how, double cfm, double away)
{
    const dWorldID w = newWorld(0);
    const dBodyID body = ball(w, 1, l, 0, 0);
    const dBodyID base = how & Kinematic ? ball(w, 1, 0, 0, 0) : NULL;
    ukOpening worst = {0};
    if (pivot == ByMotor) ukWorldSetIntegrator(w, ukIntegratorRK4);
    if (base) dBodySetKinematic(base);
    dWorldSetCFM(w, cfm);
    ukJointSetName(joined(w, pivot, body, base, how & SecondBody), "pivot");
    dBodySetAngularVel(body, 0, 0, x / h);
    dBodySetLinearVel(body, 0, l * x / h, 0);
    if (away > 0) dBodySetPosition(body, l + away, 0, 0);
    CHECK(ukWorldStep(w, h) == 1);
    const bool found = ukOpeningWorst(ukRegistryWorld(w), &worst);
    CHECK(found == (worst.ratio > 0));
    dWorldDestroy(w);
    return worst;
}

static void turns(Pivot pivot, int how)
{
    static const double x[] = {0.1, 0.3, 0.4, 0.5, 0.7, 1};
    for (unsigned i = 0; i < sizeof x / sizeof *x; i++) {
        const double s = x[i], a = 2 * atan(s / 2), off = sqrt(pow(1 - cos(a), 2) + pow(s - sin(a), 2));
        const ukOpening o = opened(pivot, s, how, 1e-10, 0);
        const double right = pivot == ByRod ? sqrt(1 + s * s) - 1 : off;
        if (right < 0.1)
            CHECK(o.ratio == 0);
        else if (!CHECK(fabs(o.ratio - right) < 1e-6 && fabs(o.length - l) < 1e-12 && strcmp(o.joint, "pivot") == 0))
            printf("%d %d %g: %g of %g, expected %g\n", (int)pivot, how, s, o.ratio, o.length, right);
        CHECK(opened(pivot, s, how, 1e-3, 0).ratio == 0); /* a spring is expected to open */
    }
    CHECK(opened(pivot, 0, how, 1e-10, 0.4).ratio == 0); /* moved apart by the program */
}

int main(void)
{
    dInitODE2(0);
    for (int pivot = 0; pivot < Pivots; pivot++)
        for (int how = 0; how < 4; how++) {
            const bool soft = pivot == BySuspension; /* its travel along z is that of the body alone */
            if ((pivot == ByHinge2 || soft) && (!(how & Kinematic) || (soft && how & SecondBody))) continue;
            turns((Pivot)pivot, how);
        }
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Under RK4 an island with a one-sided or bounded row that acts is stepped in the discrete form, with the bits of the
 * Euler step; the others stay with RK4; ukReport.discrete_islands counts them. */
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/corners.h"

static const double h = 0.01;

static dBodyID addBody(dWorldID w, double x, double z)
{
    dMass mass;
    const dBodyID b = dBodyCreate(w);
    dMassSetBoxTotal(&mass, 1, 0.4, 0.1, 0.2);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, 0, z);
    return b;
}

static dWorldID newWorld(ukIntegrator integrator)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -9.81);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    return w;
}

/* a body on a hinge about y at the origin, 1 m along x */
static dJointID addPendulum(dWorldID w)
{
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, addBody(w, 1, 0), 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return hinge;
}

static int step(dWorldID w)
{
    ukReport r;
    CHECK(ukWorldStep(w, h) == 1);
    CHECK(ukWorldGetReport(w, &r) == 0 && r.ok);
    return r.discrete_islands;
}

static bool sameBits(dBodyID a, dBodyID b)
{
    return memcmp(dBodyGetPosition(a), dBodyGetPosition(b), 3 * sizeof(dReal)) == 0 &&
           memcmp(dBodyGetQuaternion(a), dBodyGetQuaternion(b), 4 * sizeof(dReal)) == 0 &&
           memcmp(dBodyGetLinearVel(a), dBodyGetLinearVel(b), 3 * sizeof(dReal)) == 0 &&
           memcmp(dBodyGetAngularVel(a), dBodyGetAngularVel(b), 3 * sizeof(dReal)) == 0;
}

static void touch(dBodyID block, dJointGroupID group)
{
    static const double half[3] = {0.2, 0.05, 0.1};
    touchCorners(block, half, 0.3, group);
}

/* A pendulum and a sliding block in one world: each moves as it does alone, the one by RK4, the other by Euler steps.
 */
static void islandsApart(void)
{
    const dWorldID both = newWorld(ukIntegratorRK4), swing = newWorld(ukIntegratorRK4);
    const dWorldID slide = newWorld(ukIntegratorEuler);
    const dJointGroupID group[2] = {dJointGroupCreate(0), dJointGroupCreate(0)};
    const dBodyID pendulum[2] = {dJointGetBody(addPendulum(both), 0), dJointGetBody(addPendulum(swing), 0)};
    const dBodyID block[2] = {addBody(both, 5, 0.1), addBody(slide, 5, 0.1)};
    for (int i = 0; i < 2; i++) dBodySetLinearVel(block[i], 1, 0.5, 0);
    for (int k = 0; k < 100; k++) {
        for (int i = 0; i < 2; i++) touch(block[i], group[i]);
        CHECK(step(both) == 1);
        CHECK(step(swing) == 0);
        CHECK(step(slide) == 0); /* nothing else was asked for */
        for (int i = 0; i < 2; i++) dJointGroupEmpty(group[i]);
        CHECK(sameBits(pendulum[0], pendulum[1]) && sameBits(block[0], block[1]));
    }
    CHECK(dBodyGetLinearVel(block[0])[0] == 0 || fabs(dBodyGetLinearVel(block[0])[0]) < 1e-9); /* it slid to rest */
    for (int i = 0; i < 2; i++) dJointGroupDestroy(group[i]);
    dWorldDestroy(both);
    dWorldDestroy(swing);
    dWorldDestroy(slide);
}

/* the first body's state to all three: to itself, too, since quaternions are rounded on the way */
static void copyState(const dBodyID body[3])
{
    dVector3 x, v, w;
    dQuaternion q;
    dBodyCopyPosition(body[0], x);
    dBodyCopyQuaternion(body[0], q);
    memcpy(v, dBodyGetLinearVel(body[0]), sizeof v);
    memcpy(w, dBodyGetAngularVel(body[0]), sizeof w);
    for (int i = 0; i < 3; i++) {
        dBodySetPosition(body[i], x[0], x[1], x[2]);
        dBodySetQuaternion(body[i], q);
        dBodySetLinearVel(body[i], v[0], v[1], v[2]);
        dBodySetAngularVel(body[i], w[0], w[1], w[2]);
    }
}

/* A pendulum that falls on a stop and bounces: RK4's bits in the air; the discrete form is not needed, and the stop is
 * not passed. */
static void stop(void)
{
    const dWorldID w = newWorld(ukIntegratorRK4), euler = newWorld(ukIntegratorEuler), free = newWorld(ukIntegratorRK4);
    const dJointID hinge[3] = {addPendulum(w), addPendulum(euler), addPendulum(free)};
    dBodyID body[3];
    int discrete = 0, inside = 0;
    for (int i = 0; i < 3; i++) body[i] = dJointGetBody(hinge[i], 0);
    for (int i = 0; i < 2; i++) {
        dJointSetHingeParam(hinge[i], dParamLoStop, -0.8);
        dJointSetHingeParam(hinge[i], dParamHiStop, 0.8);
        dJointSetHingeParam(hinge[i], dParamBounce, 0.7);
    }
    for (int k = 0; k < 300; k++) {
        copyState(body);
        const double angle = dJointGetHingeAngle(hinge[0]);
        discrete += step(w);
        CHECK(step(euler) == 0 && step(free) == 0);
        const bool met = fabs(dJointGetHingeAngle(hinge[2])) >= 0.8 && fabs(angle) < 0.8 - 1e-9;
        if (fabs(dJointGetHingeAngle(hinge[2])) < 0.8 && fabs(angle) < 0.8 - 1e-9) CHECK(sameBits(body[0], body[2]));
        CHECK(fabs(dJointGetHingeAngle(hinge[0])) < 0.8 + 1e-9);
        inside += met; /* the stop was met on the way */
    }
    CHECK(discrete == 0 && inside > 2);
    dWorldDestroy(w);
    dWorldDestroy(euler);
    dWorldDestroy(free);
}

/* a motor on the pendulum's hinge: with a bounded torque it can slip, without it is a rigid row; a spring in the hinge
 * is the user's compliance */
static void motorsAndSprings(void)
{
    static const struct {
        int parameter[2];
        double value[2];
        int discrete;
    } cases[] = {{{dParamVel, dParamFMax}, {1, 2}, 1},
                 {{dParamVel, dParamFMax}, {1, dInfinity}, 0},
                 {{dParamVel, dParamFMax}, {1, 0}, 0},
                 {{dParamCFM, dParamERP}, {1e-3, 0.2}, 1},
                 {{dParamCFM, dParamERP}, {1e-10, 0.2}, 0}};
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dWorldID w = newWorld(ukIntegratorRK4);
        const dJointID hinge = addPendulum(w);
        for (int i = 0; i < 2; i++) dJointSetHingeParam(hinge, cases[k].parameter[i], cases[k].value[i]);
        if (cases[k].parameter[0] == dParamCFM) dWorldSetCFM(w, cases[k].value[0]);
        for (int i = 0; i < 10; i++) CHECK(step(w) == cases[k].discrete);
        dWorldDestroy(w);
    }
}

int main(void)
{
    dInitODE2(0);
    islandsApart();
    stop();
    motorsAndSprings();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Energies, powers and stops in closed form: what a report and a ledger say of motions that are known. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81, h = 0.01;

/* The report's energies are those of the bodies that are stepped: a disabled one does not count. */
static void energies(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID falls = ball(w, 2, 0, 0, 3), sleeps = ball(w, 5, 4, 0, 7);
    dBodySetLinearVel(sleeps, 1, 0, 0);
    dBodyDisable(sleeps);
    CHECK(ukWorldStep(w, h) == 1);
    ukReport r;
    CHECK(ukWorldGetReport(w, &r) == 0);
    const double v = g * h, z = 3 - v * h;
    CHECK_NEAR(r.kinetic_energy, v * v, 1e-12);
    CHECK_NEAR(r.potential_energy, 2 * g * z, 1e-11);
    CHECK(dBodyGetPosition(falls)[2] < 3);
    dWorldDestroy(w);
}

static int ramp(const struct ukConstraintContext *context, dReal *out, void *data)
{
    out[0] = *(const double *)data * context->time;
    return 0;
}

/* F = a t on a mass at rest: rk4's quadrature of F v is exact, a^2 h^4 / (8 m). */
static void stages(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 2, 0, 0, 0);
    static double a = 300;
    rk4(w);
    CHECK(ukWorldSetLedger(w, 1) == 0 && ukForceCreate(w, &b, 1, ramp, &a) != NULL);
    CHECK(ukWorldStep(w, 0.1) == 1);
    ukLedger l;
    CHECK(ukWorldGetLedger(w, &l) == 0);
    const double work = a * a * 1e-4 / 16;
    CHECK_NEAR(l.applied, work, 1e-13 * work);
    CHECK_NEAR(l.kinetic, work, 1e-13 * work);
    dWorldDestroy(w);
}

/* A body fixed on a platform that rises at u: its joint gives it the power m g u. */
static void carried(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID platform = ball(w, 1, 0, 0, 0), load = ball(w, 3, 0, 0, 0.5);
    dBodySetKinematic(platform);
    dBodySetLinearVel(platform, 0, 0, 2), dBodySetLinearVel(load, 0, 0, 2);
    const dJointID j = dJointCreateFixed(w, NULL);
    dJointAttach(j, load, platform);
    dJointSetFixed(j);
    CHECK(ukWorldSetLedger(w, 1) == 0);
    for (int i = 0; i < 5; i++) {
        ukLedger before, after, power;
        CHECK(ukWorldGetLedger(w, &before) == 0);
        CHECK(ukWorldStep(w, h) == 1 && ukWorldGetLedger(w, &after) == 0 && ukWorldGetPower(w, &power) == 0);
        CHECK_NEAR(power.potential, 3 * g * 2, 1e-9);
        CHECK_NEAR(power.ideal, 3 * g * 2, 1e-9);
        CHECK_NEAR((after.ideal - before.ideal) / h, 3 * g * 2, 1e-9);
    }
    dWorldDestroy(w);
}

/* A mass at u = 1 m/s, d beyond its stop. */
static dWorldID atStop(dBodyID *b, double d, double erp, double bounce, int side)
{
    const dWorldID w = newWorld(0);
    *b = ball(w, 1, 0, 0, 0);
    const dJointID j = dJointCreateSlider(w, NULL);
    dJointAttach(j, *b, NULL);
    dJointSetSliderAxis(j, 1, 0, 0);
    dBodySetPosition(*b, side * d, 0, 0);
    dBodySetLinearVel(*b, side, 0, 0);
    dJointSetSliderParam(j, side > 0 ? dParamHiStop : dParamLoStop, 0);
    dJointSetSliderParam(j, dParamStopERP, erp);
    dJointSetSliderParam(j, dParamBounce, bounce);
    return w;
}

/* The bounce is the target of the row: its velocity has no error. */
static void rebound(int side)
{
    dBodyID b;
    ukReport r;
    dWorldID w = atStop(&b, 0.01, 0, 0.5, side);
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0);
    CHECK_NEAR(dBodyGetLinearVel(b)[0], -0.5 * side, 1e-12);
    CHECK(r.velocity_error < 1e-12);
    dWorldDestroy(w);
    /* split: position errors go by the ERP, of which the bounce does its part, */
    w = atStop(&b, 0.01, 0.5, 0.25, side);
    CHECK(ukWorldSetStabilization(w, ukStabilizeSplit, 0, 0) == 0 && ukWorldStep(w, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(b)[0], -0.25 * side, 1e-12);
    CHECK_NEAR(dBodyGetPosition(b)[0], 0.005 * side, 1e-12);
    dWorldDestroy(w);
    /* or all of it */
    w = atStop(&b, 0.01, 0.5, 0.75, side);
    CHECK(ukWorldSetStabilization(w, ukStabilizeSplit, 0, 0) == 0 && ukWorldStep(w, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(b)[0], -0.75 * side, 1e-12);
    CHECK_NEAR(dBodyGetPosition(b)[0], 0.0025 * side, 1e-12);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    energies();
    stages();
    carried();
    rebound(1), rebound(-1);
    dCloseODE();
    return ukTestEnd();
}

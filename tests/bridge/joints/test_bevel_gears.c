/* SPDX-License-Identifier: BSD-3-Clause */
/* Bevel gears on bearings, whose axes meet at 60, 90 or 120 degrees and point either way, under every integrator: a
 * torque T on the first wheel turns it by T t^2 / (2 (I0 + I1 (R0/R1)^2)) and the second by R0/R1 of it, the way that
 * the wheels touch, wherever the world's origin is. ODE's rows do so for one of the four ways in which the axes point,
 * and only at right angles. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"

static const double radius[2] = {0.2, 0.3}, inertia[2] = {0.05, 0.02}, torque = 0.1, pi = 3.14159265358979323846;

typedef struct Case {
    double angle;     /* between the axes */
    double way[2];    /* in which the gear's axes point, of those of the bearings */
    double origin[3]; /* of the point of contact */
    int swapped;      /* bodies attached as (wheel 1, wheel 0) */
} Case;

typedef struct Gears {
    dWorldID world;
    dBodyID wheel[2];
    dJointID bearing[2];
} Gears;

static dBodyID wheelAt(dWorldID world, const double x[3], double moment)
{
    dMass m;
    const dBodyID body = dBodyCreate(world);
    dMassSetParameters(&m, 1, 0, 0, 0, moment, moment, moment, 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x[0], x[1], x[2]);
    return body;
}

/* The wheels touch at the origin of the case and roll along y. */
static Gears gearsOf(const Case *c, ukIntegrator integrator)
{
    const double n[2][3] = {{0, 0, 1}, {sin(c->angle), 0, cos(c->angle)}};
    const double arm[2][3] = {{-radius[0], 0, 0}, {radius[1] * cos(c->angle), 0, -radius[1] * sin(c->angle)}};
    Gears g = {.world = dWorldCreate()};
    ukWorldSetIntegrator(g.world, integrator);
    ukWorldSetJointRule(g.world, ukJointRuleExact);
    for (int i = 0; i < 2; i++) {
        const double x[3] = {c->origin[0] + arm[i][0], c->origin[1], c->origin[2] + arm[i][2]};
        g.wheel[i] = wheelAt(g.world, x, inertia[i]);
        g.bearing[i] = dJointCreateHinge(g.world, 0);
        dJointAttach(g.bearing[i], g.wheel[i], 0);
        dJointSetHingeAnchor(g.bearing[i], x[0], x[1], x[2]);
        dJointSetHingeAxis(g.bearing[i], n[i][0], n[i][1], n[i][2]);
    }
    const dJointID gear = dJointCreateTransmission(g.world, 0);
    const int a = c->swapped, b = !c->swapped;
    const dReal *x = dBodyGetPosition(g.wheel[a]), *y = dBodyGetPosition(g.wheel[b]);
    dJointAttach(gear, g.wheel[a], g.wheel[b]);
    dJointSetTransmissionMode(gear, dTransmissionIntersectingAxes);
    dJointSetTransmissionAnchor1(gear, x[0], x[1], x[2]);
    dJointSetTransmissionAnchor2(gear, y[0], y[1], y[2]);
    dJointSetTransmissionAxis1(gear, c->way[a] * n[a][0], c->way[a] * n[a][1], c->way[a] * n[a][2]);
    dJointSetTransmissionAxis2(gear, c->way[b] * n[b][0], c->way[b] * n[b][1], c->way[b] * n[b][2]);
    return g;
}

static void drive(const Case *c, ukIntegrator integrator)
{
    enum { Steps = 50 };
    static const double within[] = {2e-2, 1e-9, 1e-9, 3e-4}; /* Euler: half a step of the end's rate; RATTLE: (h w)^2 */
    static const double of_rate[] = {1e-4, 1e-9, 1e-9, 1e-9}; /* Euler: rows hold with their drift */
    const double h = 0.02, ratio = radius[0] / radius[1];
    const double rate = torque * Steps * h / (inertia[0] + inertia[1] * ratio * ratio), turn = rate * Steps * h / 2;
    const Gears g = gearsOf(c, integrator);
    bool ok = true;
    for (int k = 0; k < Steps && ok; k++) {
        dBodyAddTorque(g.wheel[0], 0, 0, torque);
        ok = CHECK(ukWorldStep(g.world, h) == 1);
        if (!ok) printf("%s\n", ukGetLastErrorMessage());
    }
    const double off = within[integrator] * turn;
    ok &= CHECK_NEAR(dJointGetHingeAngle(g.bearing[0]), turn, off);
    ok &= CHECK_NEAR(dJointGetHingeAngle(g.bearing[1]), -ratio * turn, off);
    ok &= CHECK_NEAR(dJointGetHingeAngleRate(g.bearing[0]), rate, of_rate[integrator] * rate);
    ok &= CHECK_NEAR(dJointGetHingeAngleRate(g.bearing[1]), -ratio * rate, of_rate[integrator] * rate);
    if (!ok)
        printf("integrator %d, %g degrees, axes %g %g, swapped %d\n", (int)integrator, c->angle * 180 / pi, c->way[0],
               c->way[1], c->swapped);
    dWorldDestroy(g.world);
}

int main(void)
{
    dInitODE2(0);
    for (int degrees = 60; degrees <= 120; degrees += 30)
        for (int k = 0; k < 8; k++) {
            const Case c = {.angle = degrees * pi / 180,
                            .way = {k & 1 ? -1 : 1, k & 2 ? -1 : 1},
                            .origin = {k & 1 ? 0 : 3, k & 2 ? 0 : -2, 1},
                            .swapped = k >> 2};
            for (int i = ukIntegratorEuler; i <= ukIntegratorRattle; i++) drive(&c, (ukIntegrator)i);
        }
    dCloseODE();
    return ukTestEnd();
}

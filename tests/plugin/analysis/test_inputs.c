/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs of linearizations and regulators against closed forms: a force between two bodies accelerates each by its own
 * mass, in opposite directions; the gains of a hanging pendulum are those of the cost in the header, whose Riccati
 * equation of two unknowns has a solution in closed form. */
#include <math.h>

#include <ukode/analysis.h>
#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

/* ---- a force between two bodies ---------------------------------------------------------------------------------- */

/* acceleration of body b along x by input 0 */
static double accelerationOf(const ukLinearization *l, dBodyID b)
{
    double sum = 0;
    for (int k = 0; k < l->bodies; k++)
        for (int j = 0; l->body[k] == b && j < l->velocities; j++)
            sum += l->Nv[j * 6 * l->bodies + 6 * k] * l->B[(l->positions + j) * l->inputs];
    return sum;
}

static void pushApart(double m1, double m2)
{
    const dWorldID world = newWorld(0);
    const dBodyID first = ball(world, m1, 0, 0, 0), second = ball(world, m2, 1, 0, 0);
    const dJointID slider = dJointCreateSlider(world, NULL);
    ukLinearization l;
    dJointAttach(slider, first, second);
    dJointSetSliderAxis(slider, 1, 0, 0);
    const ukSignal in = {.kind = ukSignalJointForce, .joint = slider};
    if (CHECK(ukWorldLinearize(world, &in, 1, NULL, 0, 0, &l) == 0)) {
        CHECK_NEAR(accelerationOf(&l, first), 1 / m1, 1e-9); /* as dJointAddSliderForce */
        CHECK_NEAR(accelerationOf(&l, second), -1 / m2, 1e-9);
    }
    dWorldDestroy(world);
}

/* ---- the weight of the inputs ------------------------------------------------------------------------------------ */

/* A' X + X A - X G X + Q = 0 with A = (0 1; -a 0), G = (0 0; 0 g), Q = (q 0; 0 1): the second row of X */
static void solveHanging(double a, double g, double q, double x[2])
{
    x[0] = (sqrt(a * a + g * q) - a) / g;
    x[1] = sqrt((1 + 2 * x[0]) / g);
}

static void regulateHanging(double effort)
{
    const double m = 2, arm = 0.7, gravity = 9.81;
    const dWorldID world = newWorld(gravity);
    const dBodyID body = ball(world, m, 0, 0, -arm);
    const dJointID hinge = dJointCreateHinge(world, NULL);
    ukRegulator r;
    dMass mass;
    dBodyGetMass(body, &mass);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    const ukSignal in = {.kind = ukSignalJointForce, .joint = hinge};
    if (CHECK(ukWorldRegulate(world, &in, 1, effort, 0, &r) == 0 && r.states == 2)) {
        const double inertia = mass.I[5] + m * arm * arm, length = sqrt(0.5 * (mass.I[0] + mass.I[5] + mass.I[10]) / m);
        const double rate2 = gravity / length, b2 = 1 / inertia, cost = effort * b2 / rate2;
        double x[2];
        solveHanging(m * gravity * arm / inertia, b2 / cost, rate2, x);
        for (int i = 0; i < 2; i++) CHECK_NEAR(fabs(r.K[i]) / (x[i] * sqrt(b2) / cost), 1, 1e-6);
    }
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    pushApart(1, 1);
    pushApart(2, 5);
    regulateHanging(1);
    regulateHanging(0.01);
    dCloseODE();
    return ukTestEnd();
}

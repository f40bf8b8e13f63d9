/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler steps with exact rows keep the angular momentum of bodies that joints hold together and nothing else holds: its
 * error is rounding, at any step size, with springs, motors and forces of the program's among them. ODE's gyroscopic
 * torque, which is that of the start of the step, loses most of it in some of these worlds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

enum { MostBodies = 4 };

static double uniform(double lo, double hi)
{
    return lo + (hi - lo) * rand() / RAND_MAX;
}

static dBodyID addBox(Stepped *s, int i, double spin)
{
    const double at[3] = {0.5 * i, uniform(-0.1, 0.1), uniform(-0.1, 0.1)};
    const double sides[3] = {uniform(0.2, 0.4), uniform(0.1, 0.3), uniform(0.05, 0.15)};
    const dBodyID body = steppedBox(s, uniform(1, 2), at, sides, false);
    dBodySetAngularVel(body, uniform(-spin, spin), uniform(-spin, spin), uniform(-spin, spin));
    return body;
}

/* a ball, a hinge with a motor, or a hinge2 with a spring, all of them between two bodies */
static void join(Stepped *s, dBodyID a, dBodyID b, double x)
{
    const int kind = rand() % 3;
    const dVector3 axis1 = {0, 0, 1}, axis2 = {0, 1, 0};
    dJointID j;
    if (kind == 0) {
        j = dJointCreateBall(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetBallAnchor(j, x, 0, 0);
    } else if (kind == 1) {
        j = dJointCreateHinge(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetHingeAnchor(j, x, 0, 0);
        dJointSetHingeAxis(j, uniform(-1, 1), uniform(-1, 1), 1);
        dJointSetHingeParam(j, dParamVel, uniform(-2, 2));
        dJointSetHingeParam(j, dParamFMax, rand() % 2 ? 0.5 : dInfinity);
    } else {
        j = dJointCreateHinge2(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetHinge2Anchor(j, x, 0, 0);
        dJointSetHinge2Axes(j, axis1, axis2);
        dJointSetHinge2Param(j, dParamSuspensionERP, 0.4);
        dJointSetHinge2Param(j, dParamSuspensionCFM, 0.01);
    }
}

/* the largest change of L over |L|, less the angular impulse of forces that the program adds */
static double lost(unsigned seed, ukJointRule rule, double h, double spin, bool forced)
{
    Stepped s = steppedBegin(Exact, h, 0);
    dBodyID body[MostBodies];
    double expected[3] = {0}, size = 0, worst = 0;
    srand(seed);
    ukWorldSetJointRule(s.world, rule);
    const int count = 2 + rand() % (MostBodies - 1);
    for (int i = 0; i < count; i++) {
        body[i] = addBox(&s, i, spin);
        if (i > 0) join(&s, body[i - 1], body[i], 0.5 * i - 0.25);
    }
    for (int i = 0; i < count; i++) addAngularMomentum(body[i], expected);
    size = sqrt(expected[0] * expected[0] + expected[1] * expected[1] + expected[2] * expected[2]);
    for (int k = 0; k < 300; k++) {
        double now[3] = {0};
        if (forced) dBodyAddTorque(body[0], 0.1, 0.2, -0.1), dBodyAddTorque(body[1], 0, -0.3, 0.2);
        if (!CHECK(steppedStep(&s) == 1)) break;
        for (int i = 0; forced && i < 3; i++) expected[i] += h * ((double[]){0.1, -0.1, 0.1})[i];
        for (int i = 0; i < count; i++) addAngularMomentum(body[i], now);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(now[i] - expected[i]) / size);
    }
    steppedEnd(&s);
    return worst;
}

static void keeps(void)
{
    static const double h[] = {0.01, 0.002};
    int lose = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        for (int i = 0; i < 2; i++) {
            const double worst = lost(seed, ukJointRuleExact, h[i], 5, seed % 2);
            if (!CHECK(worst < 1e-11)) printf("seed %u, h %g: %g\n", seed, h[i], worst);
        }
        lose += lost(seed, ukJointRuleODE, 0.01, 5, seed % 2) > 0.01;
    }
    CHECK(lose > 20); /* there is something to keep */
}

/* the same for a body that no joint holds; the largest change of L over |L| */
static double lostAlone(unsigned seed, ukJointRule rule)
{
    Stepped s = steppedBegin(Exact, 0.01, 9.81);
    double before[3] = {0}, worst = 0;
    srand(seed);
    ukWorldSetJointRule(s.world, rule);
    const dBodyID body = addBox(&s, 0, 5);
    dBodySetPosition(body, 0, 0, 0);
    addAngularMomentum(body, before);
    for (int k = 0; k < 300; k++) {
        double now[3] = {0};
        if (!CHECK(steppedStep(&s) == 1)) break;
        dBodySetPosition(body, 0, 0, 0); /* its own angular momentum, without that of the fall */
        addAngularMomentum(body, now);
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(now[i] - before[i]) /
                                    sqrt(before[0] * before[0] + before[1] * before[1] + before[2] * before[2]));
    }
    steppedEnd(&s);
    return worst;
}

static void alone(void)
{
    int lose = 0;
    for (unsigned seed = 1; seed <= 20; seed++) {
        CHECK(lostAlone(seed, ukJointRuleExact) < 1e-11);
        lose += lostAlone(seed, ukJointRuleODE) > 0.01;
    }
    CHECK(lose > 10);
}

/* bodies that turn by radians a step: the torques do not converge, ODE's stay, and the steps go on */
static void fast(void)
{
    for (unsigned seed = 1; seed <= 10; seed++) CHECK(lost(seed, ukJointRuleExact, 0.01, 300, false) < 10);
}

/* A body on a hinge to the world is held: its angular momentum is the hinge's affair, and its rate is what the motor
 * asks for, less what the world's CFM lets go. */
static void held(void)
{
    Stepped s = steppedBegin(Exact, 0.01, 0);
    const double at[3] = {0.3, 0.1, 0.2}, sides[3] = {0.5, 0.2, 0.1};
    const dBodyID body = steppedBox(&s, 1, at, sides, false);
    const dJointID j = dJointCreateHinge(s.world, 0);
    dJointAttach(j, body, 0);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0.2, 0.3, 1);
    dJointSetHingeParam(j, dParamVel, 4);
    dJointSetHingeParam(j, dParamFMax, dInfinity);
    for (int k = 0; k < 100; k++) CHECK(steppedStep(&s) == 1 && fabs(dJointGetHingeAngleRate(j) - 4) < 1e-8);
    steppedEnd(&s);
}

int main(void)
{
    dInitODE2(0);
    keeps();
    alone();
    fast();
    held();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of events within a step: evaluations of the equations that the integrators take to locate the instant at
 * which a ball hits a stop, a pendulum its stops, dry friction stops and starts, and motors of bounded force reach their
 * speed. The motion agrees with closed forms. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "ukode/ukode.h"

static const char *const integrator_name[] = {"euler", "rk4", "adaptive", "rattle", "radau"};
static const double plain[] = {1, 6.5, 8.5, 3.5, 8.5}; /* evaluations of a step without events, at most */

/* evaluations of the steps of a run */
typedef struct Cost {
    double all, most, events; /* of all steps; of the most expensive one; steps of more than twice `plain` */
    int steps, wrong;
} Cost;

static dBodyID boxAt(dWorldID world, double x, double z)
{
    const dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, 1, 0.2, 0.3, 0.4);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, 0, z);
    return body;
}

static dWorldID worldOf(int integrator, double gravity)
{
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -gravity);
    CHECK(ukWorldSetIntegrator(world, (ukIntegrator)integrator) == 0);
    return world;
}

static void stepCounted(dWorldID world, double h, int integrator, Cost *cost)
{
    ukReport r;
    cost->wrong += ukWorldStep(world, h) != 1 || ukWorldGetReport(world, &r) != 0 || r.discrete_islands > 0 || !r.ok;
    cost->steps++;
    cost->all += r.evaluations;
    cost->events += r.evaluations > 2 * plain[integrator];
    cost->most = fmax(cost->most, r.evaluations);
}

/* most: evaluations of a step with one event, in steps of the integrator; least: events that must have occurred */
static void checkCost(const char *what, int integrator, const Cost *cost, double most, int least)
{
    if (!CHECK(cost->wrong == 0 && cost->most <= most * plain[integrator] && cost->events >= least))
        printf("  %s, %s: %d wrong, %.3g evaluations at most, %.3g on average, %g steps with events\n", what,
               integrator_name[integrator], cost->wrong, cost->most, cost->all / cost->steps, cost->events);
}

/* A body on a vertical slider falls onto a stop of restitution 1, 10 times. */
static void bounces(int integrator)
{
    static const double g = 9.81, drop = 1, h = 0.01;
    const dWorldID world = worldOf(integrator, g);
    const dBodyID body = boxAt(world, 0, drop);
    const dJointID j = dJointCreateSlider(world, 0);
    const double fall = sqrt(2 * drop / g);
    Cost cost = {0};
    double off = 0;
    dJointAttach(j, body, 0);
    dJointSetSliderAxis(j, 0, 0, 1);
    dJointSetSliderParam(j, dParamLoStop, -drop);
    dJointSetSliderParam(j, dParamBounce, 1);
    for (int i = 1; i * h < 20 * fall; i++) {
        stepCounted(world, h, integrator, &cost);
        const double since = fmod(i * h + fall, 2 * fall), z = since * (fall - since / 2) * g;
        off = fmax(off, fabs(dBodyGetPosition(body)[2] - z));
    }
    checkCost("bounce", integrator, &cost, 7, 10);
    if (!CHECK(off < 1e-7)) printf("  bounce, %s: off by %g\n", integrator_name[integrator], off);
    dWorldDestroy(world);
}

/* A pendulum swings between two stops. */
static void strikes(int integrator)
{
    static const double h = 0.01;
    const dWorldID world = worldOf(integrator, 9.81);
    const dBodyID body = boxAt(world, 1, 0);
    const dJointID j = dJointCreateHinge(world, 0);
    Cost cost = {0};
    double passed = 0;
    dJointAttach(j, body, 0);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    dJointSetHingeParam(j, dParamLoStop, -1.2);
    dJointSetHingeParam(j, dParamHiStop, 1.2);
    dJointSetHingeParam(j, dParamBounce, 0.9);
    for (int i = 0; i < 300; i++) {
        stepCounted(world, h, integrator, &cost);
        passed = fmax(passed, fabs(dJointGetHingeAngle(j)) - 1.2);
    }
    checkCost("pendulum", integrator, &cost, 10, 3);
    CHECK(passed < 1e-9);
    dWorldDestroy(world);
}

/* A slider of 1 kg with 0.5 N of dry friction, pushed by 3 sin(3 t) N: it slips and sticks. While it slips one way from
 * t0 on, its velocity is the closed form of the piecewise constant force. */
static void sticks(int integrator)
{
    static const double h = 0.01, friction = 0.5;
    const dWorldID world = worldOf(integrator, 9.81);
    const dBodyID body = boxAt(world, 0, 0);
    const dJointID j = dJointCreateSlider(world, 0);
    Cost cost = {0};
    double v = 0, off = 0;
    dJointAttach(j, body, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    CHECK(ukJointSetCoulomb(j, friction / 9.81, 1) == 0);
    for (int i = 0; i < 700; i++) {
        const double push = 3 * sin(3 * i * h);
        dBodyAddForce(body, push, 0, 0);
        stepCounted(world, h, integrator, &cost);
        double left = h; /* with constant forces, from event to event */
        const double against = v != 0 ? copysign(friction, v) : fabs(push) > friction ? copysign(friction, push) : push;
        const double stop = v * (push - against) < 0 ? -v / (push - against) : INFINITY;
        if (stop < left) {
            left -= stop;
            v = fabs(push) > friction ? (push - copysign(friction, push)) * left : 0;
        } else {
            v += (push - against) * left;
        }
        off = fmax(off, fabs(dBodyGetLinearVel(body)[0] - v));
    }
    checkCost("stick", integrator, &cost, 10, 6);
    if (!CHECK(off < 1e-7)) printf("  stick, %s: off by %g\n", integrator_name[integrator], off);
    dWorldDestroy(world);
}

/* Motors of 50 N on sliders of 1 kg follow rates that change in each step, against a force: v(t) is the closed form. The
 * integrators that follow such motors within a step. */
static void chases(int integrator)
{
    static const double h = 0.01, most = 50;
    const dWorldID world = worldOf(integrator, 0);
    dBodyID body[3];
    dJointID j[3];
    Cost cost = {0};
    double off = 0;
    for (int k = 0; k < 3; k++) {
        body[k] = boxAt(world, 0, k);
        j[k] = dJointCreateSlider(world, 0);
        dJointAttach(j[k], body[k], k > 0 ? body[k - 1] : 0);
        dJointSetSliderAxis(j[k], 1, 0, 0);
        dJointSetSliderParam(j[k], dParamFMax, most);
    }
    for (int i = 0; i < 300; i++) {
        double rate = 0;
        for (int k = 0; k < 3; k++) dJointSetSliderParam(j[k], dParamVel, 0.1 * sin((3 + k) * i * h));
        stepCounted(world, h, integrator, &cost);
        for (int k = 0; k < 3; k++) {
            rate += 0.1 * sin((3 + k) * i * h);
            off = fmax(off, fabs(dBodyGetLinearVel(body[k])[0] - rate));
        }
    }
    checkCost("motors", integrator, &cost, 8.5, 250);
    if (!CHECK(off < 1e-9)) printf("  motors, %s: off by %g\n", integrator_name[integrator], off);
    dWorldDestroy(world);
}

/* A motor that pulls a cart inwards along a slider on a turntable, by slightly less than the centripetal force: the
 * rate of the slider hardly changes, although the acceleration along its axis is large. */
static void yieldsSlowly(int integrator, bool swapped)
{
    static const double h = 0.01, turn = 3, bound = 8.99;
    const dWorldID world = worldOf(integrator, 0);
    const dBodyID table = boxAt(world, 0, 0), cart = boxAt(world, 1, 0);
    const dJointID rail = dJointCreateSlider(world, 0);
    Cost cost = {0};
    dBodySetKinematic(table);
    dBodySetAngularVel(table, 0, 0, turn);
    dBodySetAngularVel(cart, 0, 0, turn);
    dBodySetLinearVel(cart, 0, turn, 0);
    dJointAttach(rail, swapped ? table : cart, swapped ? cart : table);
    dJointSetSliderAxis(rail, 1, 0, 0);
    dJointSetSliderParam(rail, dParamFMax, bound);
    for (int i = 0; i < 100; i++) stepCounted(world, h, integrator, &cost);
    const dReal *x = dBodyGetPosition(cart);
    const double rest = bound / (turn * turn);
    CHECK_NEAR(hypot(x[0], x[1]), rest + (1 - rest) * cosh(turn * 100 * h), 1e-7);
    checkCost("a motor that yields slowly", integrator, &cost, 8, 0);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int i = ukIntegratorRK4; i <= ukIntegratorRadau; i++) {
        bounces(i);
        strikes(i);
        sticks(i);
    }
    chases(ukIntegratorAdaptive);
    chases(ukIntegratorRadau);
    for (int swapped = 0; swapped < 2; swapped++) {
        yieldsSlowly(ukIntegratorAdaptive, swapped);
        yieldsSlowly(ukIntegratorRadau, swapped);
    }
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Models with nothing wrong. */
#include <stddef.h>

#include "tests/report/model.h"

static dBodyID first;

static void pendulum(void)
{
    hinge(box(1, 0.6, 0.05, 0.05, 0.3, 0, 1), 0, 0, 0, 1, 0, 1, 0);
}

static void doublePendulum(void)
{
    const dBodyID a = box(1, 0.5, 0.05, 0.05, 0.25, 0, 2), b = box(1, 0.5, 0.05, 0.05, 0.75, 0, 2);
    hinge(a, 0, 0, 0, 2, 0, 1, 0);
    hinge(a, b, 0.5, 0, 2, 0, 1, 0);
}

static void chain(void)
{
    dBodyID last = 0;
    for (int i = 0; i < 8; i++) {
        const dBodyID link = box(1, 0.2, 0.05, 0.05, 0.1 + 0.2 * i, 0, 2);
        ballJoint(last, link, 0.2 * i, 0, 2);
        last = link;
    }
}

/* crank, coupler, rocker: two hinges, a ball and a universal joint leave one motion, with no row too many */
static void fourBar(void)
{
    const dBodyID crank = box(1, 0.05, 0.05, 0.4, 0, 0, 0.2), coupler = box(1, 1, 0.05, 0.05, 0.5, 0, 0.4);
    const dBodyID rocker = box(1, 0.05, 0.05, 0.4, 1, 0, 0.2);
    hinge(crank, 0, 0, 0, 0, 0, 1, 0);
    hinge(rocker, 0, 1, 0, 0, 0, 1, 0);
    ballJoint(coupler, rocker, 1, 0, 0.4);
    const dJointID u = dJointCreateUniversal(world, 0);
    dJointAttach(u, crank, coupler);
    dJointSetUniversalAnchor(u, 0, 0, 0.4);
    dJointSetUniversalAxis2(u, 0, 0, 1);
    dJointSetUniversalAxis1(u, 0, 1, 0);
    dBodySetAngularVel(crank, 0, 1, 0);
    dBodySetLinearVel(crank, 0.2, 0, 0);
    dBodySetLinearVel(coupler, 0.4, 0, 0);
    dBodySetAngularVel(rocker, 0, 1, 0);
    dBodySetLinearVel(rocker, 0.2, 0, 0);
}

static void boxAtRest(void)
{
    ground();
    box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
}

static void stack(void)
{
    ground();
    for (int i = 0; i < 3; i++) box(1, 0.4, 0.4, 0.2, 0, 0, 0.1 + 0.2 * i);
}

static void ballThatFalls(void)
{
    ground();
    ball(1, 0.2, 0, 0, 1);
    surface.surface.mode = dContactBounce;
    surface.surface.bounce = 0.6;
    surface.surface.bounce_vel = 0.3;
}

static void thrown(void)
{
    first = box(1, 0.3, 0.2, 0.1, 0, 0, 3);
    dBodySetLinearVel(first, 2, 0, 4);
    dBodySetAngularVel(first, 3, 0.1, 0);
}

/* a wheel on the ground that a motor brings to its speed */
static void motor(void)
{
    const dJointID j = hinge(box(1, 0.8, 0.05, 0.05, 0, 0, 1), 0, 0, 0, 1, 0, 1, 0);
    dJointSetHingeParam(j, dParamVel, 2);
    dJointSetHingeParam(j, dParamFMax, 5);
}

/* a spring of ERP and CFM on a slider: 200 N/m, 5 N s/m */
static void softSpring(void)
{
    const double h = 0.005, k = 200, d = 5;
    const dJointID j = dJointCreateSlider(world, 0);
    dJointAttach(j, box(1, 0.2, 0.2, 0.2, 0, 0, 1), 0);
    dJointSetSliderAxis(j, 0, 0, 1);
    dJointSetSliderParam(j, dParamLoStop, 0);
    dJointSetSliderParam(j, dParamHiStop, 0);
    dJointSetSliderParam(j, dParamStopERP, h * k / (h * k + d));
    dJointSetSliderParam(j, dParamStopCFM, 1 / (h * k + d));
}

static void brake(void)
{
    ground();
    first = box(1, 0.4, 0.4, 0.2, 0, 0, 0.1);
    dBodySetLinearVel(first, 2, 0, 0);
    surface.surface.mode = dContactApprox1;
    surface.surface.mu = 0.5;
}

static void gyroscope(void)
{
    dMass m;
    first = ball(1, 0.1, 0.2, 0, 1);
    dMassSetCylinderTotal(&m, 1, 1, 0.12, 0.03);
    dBodySetMass(first, &m);
    dBodySetAngularVel(first, 60, 0, 0);
    ballJoint(first, 0, 0, 0, 1);
}

/* its program turns it: with a force now and then, with a torque that changes, and with speeds that it sets */
static void pushed(int step)
{
    if (step % 50 == 0) dBodyAddForceAtRelPos(first, 0, 0, 400, 0.25, 0, 0);
    dBodyAddTorque(first, 0, step % 200 < 100 ? 1.5 : -1, 0);
}
static void setInMotion(int step)
{
    if (step % 80 == 79) dBodySetAngularVel(first, 0, step % 160 < 80 ? 4 : -6, 0);
}
static void rod(void)
{
    first = box(1, 0.6, 0.05, 0.05, 0, 0, 1);
    hinge(first, 0, 0, 0, 1, 0, 1, 0);
}

const Model sound_models[] = {
    {"pendulum", NULL, 0.002, 800, pendulum, NULL},
    {"double_pendulum", NULL, 0.001, 1000, doublePendulum, NULL},
    {"chain", NULL, 0.001, 800, chain, NULL},
    {"four_bar", NULL, 0.001, 800, fourBar, NULL},
    {"box_at_rest", NULL, 0.01, 200, boxAtRest, NULL},
    {"stack", NULL, 0.01, 200, stack, NULL},
    {"ball_that_bounces", NULL, 0.005, 400, ballThatFalls, NULL},
    {"thrown_box", NULL, 0.005, 200, thrown, NULL},
    {"motor", NULL, 0.005, 400, motor, NULL},
    {"soft_spring", NULL, 0.005, 400, softSpring, NULL},
    {"braking_box", NULL, 0.01, 200, brake, NULL},
    {"gyroscope", NULL, 0.001, 800, gyroscope, NULL},
    {"pushed_by_its_program", NULL, 0.005, 800, rod, pushed},
    {"set_in_motion_by_its_program", NULL, 0.005, 800, rod, setInMotion},
    {NULL, NULL, 0, 0, NULL, NULL},
};

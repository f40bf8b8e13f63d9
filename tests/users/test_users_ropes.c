/* SPDX-License-Identifier: BSD-3-Clause */
/* Heavy ends of light ropes (CoppeliaSim's manual asks ODE's users to balance masses; game forums: wrecking balls
 * stretch their ropes): 20 links of 50 g or 1 g, 200 kg at the end, released level. The rope keeps its length and the
 * energy is 0. Steps too long for the links' swings are refused by name, and none of those that are taken gains energy.
 * Cylinders of an excavator (three loops with a row too many) move by the integrals of their velocities. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

static const double g = 9.81;

typedef enum Link { ByBall, ByHinge, ByUniversal, ByRod, Links } Link;

enum { Bodies = 21 };

typedef struct Rope {
    Stepped s;
    dBodyID body[Bodies];
    double length;
} Rope;

static void join(const Rope *rope, Link link, int i)
{
    const dWorldID w = rope->s.world;
    const dBodyID a = rope->body[i], b = i > 0 ? rope->body[i - 1] : 0;
    const double x = 0.25 * i;
    dJointID j;
    switch (link) {
    case ByBall:
        j = dJointCreateBall(w, 0);
        dJointAttach(j, a, b);
        dJointSetBallAnchor(j, x, 0, 0);
        break;
    case ByHinge:
        j = dJointCreateHinge(w, 0);
        dJointAttach(j, a, b);
        dJointSetHingeAnchor(j, x, 0, 0);
        dJointSetHingeAxis(j, 0, 1, 0);
        break;
    case ByUniversal:
        j = dJointCreateUniversal(w, 0);
        dJointAttach(j, a, b);
        dJointSetUniversalAnchor(j, x, 0, 0);
        dJointSetUniversalAxis2(j, 0, 0, 1);
        dJointSetUniversalAxis1(j, 0, 1, 0);
        break;
    default:
        j = dJointCreateDBall(w, 0);
        dJointAttach(j, a, b);
        dJointSetDBallAnchor1(j, x + 0.25, 0, 0);
        dJointSetDBallAnchor2(j, x, 0, 0);
    }
}

static Rope ropeOf(Link link, double mass, Stepper stepper, double h)
{
    static const double sides[3] = {0.25, 0.02, 0.02};
    Rope rope = {.s = steppedBegin(stepper, h, g), .length = link == ByRod ? 5.25 : 5.2};
    for (int i = 0; i < Bodies; i++) {
        const bool end = i == Bodies - 1;
        const double x[3] = {link == ByRod ? 0.25 * (i + 1) : end ? 5.2 : 0.125 + 0.25 * i, 0, 0};
        if (link == ByRod || end)
            rope.body[i] = steppedBall(&rope.s, end ? 200 : mass, x, link == ByRod ? 0.05 : 0.2, false);
        else
            rope.body[i] = steppedBox(&rope.s, mass, x, sides, false);
        join(&rope, link, i);
    }
    return rope;
}

static double energyOf(const Rope *rope)
{
    double sum = 0;
    for (int i = 0; i < Bodies; i++) {
        dMass m;
        dBodyGetMass(rope->body[i], &m);
        sum += kineticOf(rope->body[i]) + m.mass * g * dBodyGetPosition(rope->body[i])[2];
    }
    return sum;
}

typedef struct Case {
    Stepper stepper;
    double h, energy; /* J, of 200 g 5.2 = 10000 */
    int steps;
    bool all; /* of them are taken */
} Case;

static void falls(const Case *c, Link link, double mass)
{
    Rope rope = ropeOf(link, mass, c->stepper, c->h);
    double worst = 0, reach = 0;
    int taken = 0;
    for (int k = 0; k < c->steps; k++) {
        const dReal *x = dBodyGetPosition(rope.body[Bodies - 1]);
        if (steppedStep(&rope.s) != 1) break;
        taken++;
        worst = fmax(worst, fabs(energyOf(&rope)));
        reach = fmax(reach, sqrt(dCalcVectorLengthSquare3(x)));
    }
    bool ok = CHECK(worst < c->energy) && CHECK(reach < rope.length + 1e-9);
    if (c->all) ok &= CHECK(taken == c->steps);
    if (taken < c->steps) { /* the remedy that the message names first takes the step */
        const char *const message = ukGetLastErrorMessage(), *const first = strstr(message, "--integrator adaptive");
        ok &= CHECK(strstr(message, "joint") && first && strstr(first, "step"));
        ukWorldSetIntegrator(rope.s.world, ukIntegratorAdaptive);
        for (int k = 0; k < 5; k++) ok &= CHECK(steppedStep(&rope.s) == 1);
        ok &= CHECK(fabs(energyOf(&rope)) < c->energy);
    }
    if (!ok)
        printf("%s, link %d of %g kg, h %g: %d steps, %g J: %s\n", stepper_name[c->stepper], (int)link, mass, c->h,
               taken, worst, ukGetLastErrorMessage());
    steppedEnd(&rope.s);
}

/* ---- an excavator ------------------------------------------------------------------------------------------------ */

static dBodyID beam(Stepped *s, double m, double length, double x, double z, double angle)
{
    const double at[3] = {x, 0, z}, sides[3] = {length, 0.3, 0.3};
    dQuaternion q;
    const dBodyID body = steppedBox(s, m, at, sides, false);
    dQFromAxisAndAngle(q, 0, 1, 0, angle);
    dBodySetQuaternion(body, q);
    return body;
}

static void pin(Stepped *s, dBodyID a, dBodyID b, double x, double z)
{
    const dJointID j = dJointCreateHinge(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, 0, z);
    dJointSetHingeAxis(j, 0, 1, 0);
}

/* from (x0, z0) of `a` to (x1, z1) of `b`: barrel, rod and the slider that drives them apart */
static dJointID cylinder(Stepped *s, dBodyID a, double x0, double z0, dBodyID b, double x1, double z1)
{
    const double dx = x1 - x0, dz = z1 - z0, l = sqrt(dx * dx + dz * dz), angle = -atan2(dz, dx);
    const dBodyID barrel = beam(s, 80, 0.6 * l, x0 + 0.3 * dx, z0 + 0.3 * dz, angle);
    const dBodyID rod = beam(s, 40, 0.6 * l, x0 + 0.7 * dx, z0 + 0.7 * dz, angle);
    pin(s, barrel, a, x0, z0);
    pin(s, rod, b, x1, z1);
    const dJointID j = dJointCreateSlider(s->world, 0);
    dJointAttach(j, barrel, rod);
    dJointSetSliderAxis(j, dx / l, 0, dz / l);
    dJointSetSliderParam(j, dParamFMax, 3e5);
    return j;
}

static void digs(Stepper stepper, int steps)
{
    static const double pi = 3.14159265358979323846, most[3] = {0.1, 0.15, 0.1}, period[3] = {6, 4, 3};
    Stepped s = steppedBegin(stepper, 0.005, g);
    const dBodyID boom = beam(&s, 900, sqrt(20), 2, 2, -atan2(2, 4)), bucket = beam(&s, 300, 1, 6.3, 0.1, 0);
    const dBodyID stick = beam(&s, 500, sqrt(10.25), 5, 1.75, atan2(2.5, 2));
    pin(&s, boom, 0, 0, 1);
    pin(&s, stick, boom, 4, 3);
    pin(&s, bucket, stick, 6, 0.5);
    const dJointID j[3] = {cylinder(&s, 0, 0.5, 0.3, boom, 2, 1.8), cylinder(&s, boom, 2.2, 2.6, stick, 4.3, 3.2),
                           cylinder(&s, stick, 4.6, 2.6, bucket, 6.3, 0.7)};
    double way[3] = {0};
    bool ok = true;
    for (int k = 0; k < steps && ok; k++) {
        for (int i = 0; i < 3; i++) {
            const double v = most[i] * sin(2 * pi * (k + 1) * s.h / period[i]);
            dJointSetSliderParam(j[i], dParamVel, v);
            way[i] += s.h * v;
        }
        ok = CHECK(steppedStep(&s) == 1);
        for (int i = 0; i < 3; i++) ok &= CHECK_NEAR(fabs(dJointGetSliderPosition(j[i])), way[i], most[i] * s.h);
    }
    if (!ok) printf("excavator, %s\n", stepper_name[stepper]);
    steppedEnd(&s);
}

int main(void)
{
    static const Case cases[] = {
        {RK4, 0.01, 1, 60, false},       {RK4, 0.003, 1, 190, false},  {RK4, 0.001, 1e-3, 60, true},
        {Adaptive, 0.01, 1e-3, 3, true}, {Radau, 0.01, 1e-3, 3, true}, {Rattle, 0.003, 20, 60, true},
    };
    dInitODE2(0);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int link = 0; link < Links; link++) falls(&cases[i], (Link)link, 0.05);
    falls(&cases[0], ByBall, 0.001);
    const Case refused = {Rattle, 0.01, 30, 90, false};
    falls(&refused, ByBall, 0.001);
    const Case divided = {Rattle, 0.01, 30, 66, true}; /* step 64 has no solution in 64 parts */
    falls(&divided, ByUniversal, 0.05);
    for (int k = 0; k < Steppers; k++) digs((Stepper)k, stepperDivides((Stepper)k) ? 4 : 100);
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints that CFM makes soft, of reports, under every stepper: a washing machine on springs, whose unbalance has a
 * closed form; three hinges on one axis in a world with CFM (an evolved biped), whose momentum is that of what is
 * applied; and a chain in flight in a world with a CFM of 1e-5, which must cost what a rigid one costs. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

/* ---- a drum with an unbalance, on springs
 * ------------------------------------------------------------------------------ */

static const double stiffness = 8000, damping = 150, speed = 80; /* [N/m], [N s/m], [rad/s] */

/* tub, drum and washing; the drum's axle along y */
static dJointID machine(Stepped *s, dBodyID *tub)
{
    static const double at[3] = {0, 0, 1}, sides[3] = {0.5, 0.5, 0.5}, off[3] = {0.2, 0, 1};
    const double h = s->h;
    dMass m;
    *tub = steppedBox(s, 30, at, sides, false);
    const dBodyID drum = dBodyCreate(s->world), wash = steppedBall(s, 1.5, off, 0.05, false);
    dMassSetCylinderTotal(&m, 10, 2, 0.25, 0.4);
    dBodySetMass(drum, &m);
    dBodySetPosition(drum, 0, 0, 1);
    const dJointID fixed = dJointCreateFixed(s->world, 0), axle = dJointCreateHinge(s->world, 0);
    dJointAttach(fixed, wash, drum);
    dJointSetFixed(fixed);
    dJointAttach(axle, drum, *tub);
    dJointSetHingeAnchor(axle, 0, 0, 1);
    dJointSetHingeAxis(axle, 0, 1, 0);
    dJointSetHingeParam(axle, dParamFMax, 40);
    const dJointID springs = dJointCreateBall(s->world, 0), upright = dJointCreateAMotor(s->world, 0);
    dJointAttach(springs, *tub, 0);
    dJointSetBallAnchor(springs, 0, 0, 1);
    dJointSetBallParam(springs, dParamERP, h * stiffness / (h * stiffness + damping));
    dJointSetBallParam(springs, dParamCFM, 1 / (h * stiffness + damping));
    dJointAttach(upright, *tub, 0);
    dJointSetAMotorMode(upright, dAMotorEuler);
    dJointSetAMotorAxis(upright, 0, 0, 1, 0, 0);
    dJointSetAMotorAxis(upright, 2, 0, 0, 0, 1);
    for (int i = 0; i < 3; i++) {
        const int group = i * dParamGroup;
        dJointSetAMotorParam(upright, group + dParamLoStop, 0);
        dJointSetAMotorParam(upright, group + dParamHiStop, 0);
        dJointSetAMotorParam(upright, group + dParamStopERP, h * 2000 / (h * 2000 + 40));
        dJointSetAMotorParam(upright, group + dParamStopCFM, 1 / (h * 2000 + 40));
    }
    return axle;
}

/* m r w^2/|k - M w^2 + i w d| = 7.445 mm; Euler's steps are off by the order of h */
static void unbalance(Stepper stepper)
{
    const double h = 0.002, real = stiffness - 41.5 * speed * speed, imaginary = speed * damping;
    const double expected = 1.5 * 0.2 * speed * speed / sqrt(real * real + imaginary * imaginary);
    Stepped s = steppedBegin(stepper, h, 9.81);
    dBodyID tub;
    const dJointID axle = machine(&s, &tub);
    double lo = INFINITY, hi = -INFINITY;
    bool ok = true;
    for (int k = 0; k * h < 15 && ok; k++) {
        dJointSetHingeParam(axle, dParamVel, fmin(8 * k * h, speed));
        ok = CHECK(steppedStep(&s) == 1);
        const double x = dBodyGetPosition(tub)[0];
        if (k * h > 14) lo = fmin(lo, x), hi = fmax(hi, x);
    }
    ok &= CHECK_NEAR((hi - lo) / 2 / expected, 1, stepperDivides(stepper) ? 1e-3 : 0.08);
    ok &= CHECK_NEAR(dJointGetHingeAngleRate(axle), speed, 1e-6 * speed);
    if (!ok) printf("washing machine, %s: %g mm\n", stepper_name[stepper], 500 * (hi - lo));
    steppedEnd(&s);
}

/* ---- three hinges on one axis, that give way
 * ----------------------------------------------------------------------------- */

static dBodyID part(Stepped *s, double mass, double inertia, double y, double z)
{
    dMass m;
    const dBodyID body = dBodyCreate(s->world);
    dMassSetParameters(&m, mass, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetPosition(body, 0, y, z);
    return body;
}

static void stiffHinge(Stepped *s, dBodyID a, dBodyID b)
{
    const dJointID j = dJointCreateHinge(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, 0, 0, 1);
    dJointSetHingeAxis(j, 1, 0, 0);
    dJointSetHingeParam(j, dParamLoStop, 0);
    dJointSetHingeParam(j, dParamHiStop, 0);
    CHECK(dJointGetHingeAngle(j) == 0);
}

/* They are pushed against one another: what moves them as a whole is gravity. */
static void triangle(Stepper stepper)
{
    enum { Steps = 60 };
    Stepped s = steppedBegin(stepper, 0.005, 9.81);
    dWorldSetERP(s.world, 0.8);
    dWorldSetCFM(s.world, 0.005);
    const dBodyID body[3] = {part(&s, 0.2, 0.1, 0.04, 1), part(&s, 0.2, 0.1, -0.04, 1), part(&s, 5.8, 1, 0, 1.15)};
    static const double mass[3] = {0.2, 0.2, 5.8}, push = 40;
    double P[3] = {0};
    stiffHinge(&s, body[0], body[1]);
    stiffHinge(&s, body[2], body[1]);
    stiffHinge(&s, body[2], body[0]);
    bool ok = true;
    for (int k = 0; k < Steps && ok; k++) {
        for (int i = 0; i < 2; i++) {
            const dBodyID b = body[2 * i];
            const double sign = i ? 1 : -1;
            dBodyAddForce(b, sign * push, 0, 0);
            dBodyAddTorque(b, sign * push, sign * push, 0);
        }
        ok = CHECK(steppedStep(&s) == 1);
    }
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) P[c] += mass[i] * dBodyGetLinearVel(body[i])[c];
    ok &=
        CHECK_NEAR(P[0], 0, 1e-10) && CHECK_NEAR(P[1], 0, 1e-10) && CHECK_NEAR(P[2], -6.2 * 9.81 * Steps * s.h, 1e-10);
    if (!ok) printf("triangle, %s: %g %g %g\n", stepper_name[stepper], P[0], P[1], P[2]);
    steppedEnd(&s);
}

/* ---- a chain in flight, in a world with CFM
 * --------------------------------------------------------------------------- */

enum { Links = 17, Shots = 20 };

/* their places after 20 steps of 0.5 ms, twisted by torques in their hinges; evaluations of all steps */
static double fly(Stepper stepper, double cfm, double x[Links][3])
{
    static const double sides[3] = {0.08, 0.05, 0.05};
    Stepped s = steppedBegin(stepper, 5e-4, 9.81);
    dBodyID body[Links];
    dJointID joint[Links] = {0};
    double evaluations = 0;
    dWorldSetCFM(s.world, cfm);
    for (int i = 0; i < Links; i++) {
        const double at[3] = {0.1 * i, 0, 1};
        body[i] = steppedBox(&s, 0.08, at, sides, false);
        if (i == 0) continue;
        joint[i] = dJointCreateHinge(s.world, 0);
        dJointAttach(joint[i], body[i - 1], body[i]);
        dJointSetHingeAnchor(joint[i], 0.1 * i - 0.05, 0, 1);
        dJointSetHingeAxis(joint[i], 0, i % 2, 1 - i % 2);
    }
    for (int k = 0; k < Shots; k++) {
        ukReport report;
        for (int i = 1; i < Links; i++) dJointAddHingeTorque(joint[i], 0.05 * ((i % 3) - 1));
        if (!CHECK(steppedStep(&s) == 1 && ukWorldGetReport(s.world, &report) == 0)) break;
        evaluations += report.evaluations;
    }
    for (int i = 0; i < Links; i++)
        for (int c = 0; c < 3; c++) x[i][c] = dBodyGetPosition(body[i])[c];
    steppedEnd(&s);
    return evaluations;
}

/* Under adaptive the rows are rigid ones; the others step in the discrete form, where a body falls by g h^2 n (n +
 * 1)/2. */
static void chain(Stepper stepper)
{
    double soft[Links][3], rigid[Links][3], z = 0, apart = 0;
    const double h = 5e-4, least = fly(stepper, 1e-10, rigid), cost = fly(stepper, 1e-5, soft);
    const double fall = 9.81 * h * h * (stepperDivides(stepper) ? Shots * Shots : Shots * (Shots + 1)) / 2;
    for (int i = 0; i < Links; i++) {
        z += soft[i][2] / Links;
        for (int c = 0; c < 3; c++) apart = fmax(apart, fabs(soft[i][c] - rigid[i][c]));
    }
    bool ok = CHECK_NEAR(1 - z, fall, 1e-12) && CHECK(cost <= 2 * least);
    ok &= CHECK(apart < (stepperDivides(stepper) ? 1e-12 : stepper <= Exact ? 1e-6 : 1e-4));
    if (!ok) printf("chain, %s: %g apart, %g evaluations, rigid %g\n", stepper_name[stepper], apart, cost, least);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Steppers; k++) {
        unbalance((Stepper)k);
        triangle((Stepper)k);
        chain((Stepper)k);
    }
    dCloseODE();
    return ukTestEnd();
}

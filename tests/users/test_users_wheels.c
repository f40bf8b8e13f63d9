/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels that turn by a radian and more in a step, on every joint that has an anchor, as its first body or its second,
 * and of two bodies that a fixed joint holds together: their anchors stay together, and nothing gains energy. A motor
 * of finite force keeps RK4 and RATTLE in the discrete form. Derived from "bendy wheels" of the ODE list (May 2003). */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

typedef enum Mount { OnHinge, OnHinge2, OnUniversal, OnBall, OnLocks, OnPiston, OnPR, OnPU, Mounts } Mount;
typedef enum Rim { NoRim, FixedRim, SlidingRim, TurningRim, Rims } Rim; /* what holds a second disc to the wheel */

static const double hub[3] = {1.5, 0.9, -0.5}, spin = 100;

typedef struct Case {
    Mount kind;
    bool second; /* the wheel is the joint's second body */
    Rim rim;
    Stepper stepper;
    double h, mass, erp, force; /* mass: of the chassis; force: of the motor */
    ukStabilization stabilization;
} Case;

/* the axle along y, the other axis along x or y */
static dJointID mountSliding(const Stepped *s, const Case *c, dBodyID a, dBodyID b)
{
    const Mount kind = c->kind;
    const bool second = c->second;
    const double vel = second ? -spin : spin, force = c->force;
    dJointID j;
    if (kind == OnPiston) {
        j = dJointCreatePiston(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetPistonAnchor(j, hub[0], hub[1], hub[2]);
        dJointSetPistonAxis(j, 0, 1, 0);
        dJointSetPistonParam(j, dParamLoStop, -0.1);
        dJointSetPistonParam(j, dParamHiStop, 0.1);
        dJointSetPistonParam(j, dParamVel2, vel);
        dJointSetPistonParam(j, dParamFMax2, force);
        return j;
    }
    if (kind == OnPU) {
        j = dJointCreatePU(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetPUAnchor(j, hub[0], hub[1], hub[2]);
        dJointSetPUAxis1(j, 0, !second, second); /* that of the wheel is along y */
        dJointSetPUAxis2(j, 0, second, !second);
        dJointSetPUAxis3(j, 1, 0, 0);
        for (int i = 0; i < 3; i++) {
            if (i == second) continue;
            dJointSetPUParam(j, i * dParamGroup + dParamLoStop, 0);
            dJointSetPUParam(j, i * dParamGroup + dParamHiStop, 0);
        }
        dJointSetPUParam(j, second * dParamGroup + dParamVel, vel);
        dJointSetPUParam(j, second * dParamGroup + dParamFMax, force);
        return j;
    }
    j = dJointCreatePR(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetPRAxis1(j, 1, 0, 0);
    dJointSetPRAxis2(j, 0, 1, 0);
    dJointSetPRAnchor(j, hub[0], hub[1], hub[2]);
    dJointSetPRParam(j, dParamLoStop, 0);
    dJointSetPRParam(j, dParamHiStop, 0);
    dJointSetPRParam(j, dParamVel2, vel);
    dJointSetPRParam(j, dParamFMax2, force);
    return j;
}

/* a ball and an AMotor whose outer axes are y and x, of which the wheel does not carry the free one, y */
static dJointID mountLocked(const Stepped *s, const Case *c, dBodyID a, dBodyID b)
{
    const bool second = c->second;
    const int free = second ? 0 : 2;
    const dJointID ball = dJointCreateBall(s->world, 0), motor = dJointCreateAMotor(s->world, 0);
    dJointAttach(ball, a, b);
    dJointSetBallAnchor(ball, hub[0], hub[1], hub[2]);
    dJointAttach(motor, a, b);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, !second, second, 0);
    dJointSetAMotorAxis(motor, 2, 2, second, !second, 0);
    for (int i = 0; i < 3; i++) {
        if (i == free) continue;
        dJointSetAMotorParam(motor, i * dParamGroup + dParamLoStop, 0);
        dJointSetAMotorParam(motor, i * dParamGroup + dParamHiStop, 0);
    }
    dJointSetAMotorParam(motor, free * dParamGroup + dParamVel, second ? -spin : spin);
    dJointSetAMotorParam(motor, free * dParamGroup + dParamFMax, c->force);
    return ball;
}

/* the axle along y; b is the wheel if it is the second body */
static dJointID mount(const Stepped *s, const Case *c, dBodyID a, dBodyID b)
{
    const dVector3 y = {0, 1, 0}, z = {0, 0, 1};
    const bool second = c->second;
    const double vel = second ? -spin : spin, force = c->force;
    dJointID j, motor;
    switch (c->kind) {
    case OnHinge:
        j = dJointCreateHinge(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetHingeAnchor(j, hub[0], hub[1], hub[2]);
        dJointSetHingeAxis(j, 0, 1, 0);
        dJointSetHingeParam(j, dParamVel, vel);
        dJointSetHingeParam(j, dParamFMax, force);
        return j;
    case OnHinge2:
        j = dJointCreateHinge2(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetHinge2Anchor(j, hub[0], hub[1], hub[2]);
        dJointSetHinge2Axes(j, z, y);
        dJointSetHinge2Param(j, dParamLoStop, 0);
        dJointSetHinge2Param(j, dParamHiStop, 0);
        dJointSetHinge2Param(j, dParamVel2, vel);
        dJointSetHinge2Param(j, dParamFMax2, force);
        return j;
    case OnUniversal:
        j = dJointCreateUniversal(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetUniversalAnchor(j, hub[0], hub[1], hub[2]);
        dJointSetUniversalAxis1(j, 0, !second, second); /* that of the wheel is along y */
        dJointSetUniversalAxis2(j, 0, second, !second);
        dJointSetUniversalParam(j, second ? dParamLoStop : dParamLoStop2, 0);
        dJointSetUniversalParam(j, second ? dParamHiStop : dParamHiStop2, 0);
        dJointSetUniversalParam(j, second ? dParamVel2 : dParamVel, vel);
        dJointSetUniversalParam(j, second ? dParamFMax2 : dParamFMax, force);
        return j;
    case OnBall:
        j = dJointCreateBall(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetBallAnchor(j, hub[0], hub[1], hub[2]);
        motor = dJointCreateAMotor(s->world, 0);
        dJointAttach(motor, a, b);
        dJointSetAMotorNumAxes(motor, 1);
        dJointSetAMotorAxis(motor, 0, second ? 1 : 2, 0, 1, 0); /* of the chassis */
        dJointSetAMotorParam(motor, dParamVel, vel);
        dJointSetAMotorParam(motor, dParamFMax, force);
        return j;
    case OnLocks: return mountLocked(s, c, a, b);
    default: return mountSliding(s, c, a, b);
    }
}

static dBodyID disc(const Stepped *s, double mass)
{
    const dBodyID body = dBodyCreate(s->world);
    dMass m;
    dMassSetCylinderTotal(&m, mass, 2, 0.3, 0.2);
    dBodySetMass(body, &m);
    dBodySetPosition(body, hub[0], hub[1], hub[2]);
    dBodySetAngularVel(body, 0, spin, 0);
    return body;
}

/* of the wheel's centre from the hub, as the chassis carries it */
static double off(dBodyID chassis, dBodyID wheel)
{
    const dReal *const x = dBodyGetPosition(wheel);
    dVector3 p;
    dBodyGetRelPointPos(chassis, hub[0], hub[1], hub[2], p);
    return sqrt((p[0] - x[0]) * (p[0] - x[0]) + (p[1] - x[1]) * (p[1] - x[1]) + (p[2] - x[2]) * (p[2] - x[2]));
}

/* the speed of the wheel's centre relative to the chassis */
static double slip(dBodyID chassis, dBodyID wheel)
{
    const dReal *const x = dBodyGetPosition(wheel), *const v = dBodyGetLinearVel(wheel);
    dVector3 u;
    dBodyGetPointVel(chassis, x[0], x[1], x[2], u);
    return sqrt((u[0] - v[0]) * (u[0] - v[0]) + (u[1] - v[1]) * (u[1] - v[1]) + (u[2] - v[2]) * (u[2] - v[2]));
}

/* A joint of two bodies that turn together about y, both at the hub: lo = hi holds what is free across the axle. */
static void hold(const Stepped *s, Rim rim, dBodyID a, dBodyID b)
{
    dJointID j;
    if (rim == FixedRim) {
        j = dJointCreateFixed(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetFixed(j);
    } else if (rim == SlidingRim) {
        j = dJointCreateSlider(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetSliderAxis(j, 1, 0, 0);
        dJointSetSliderParam(j, dParamLoStop, 0);
        dJointSetSliderParam(j, dParamHiStop, 0);
    } else {
        j = dJointCreatePiston(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetPistonAnchor(j, hub[0], hub[1], hub[2]);
        dJointSetPistonAxis(j, 0, 0, 1);
        for (int i = 0; i < 2; i++) {
            dJointSetPistonParam(j, i * dParamGroup + dParamLoStop, 0);
            dJointSetPistonParam(j, i * dParamGroup + dParamHiStop, 0);
        }
    }
}

static void turns(const Case *c)
{
    static const double at[3] = {0}, sides[3] = {4, 1.6, 1};
    const bool second = c->second;
    Stepped s = steppedBegin(c->stepper, c->h, 0);
    dWorldSetERP(s.world, c->erp);
    CHECK(ukWorldSetStabilization(s.world, c->stabilization, 0, 0) == 0);
    const dBodyID chassis = steppedBox(&s, c->mass, at, sides, false), wheel = disc(&s, c->rim ? 12 : 20);
    mount(&s, c, second ? chassis : wheel, second ? wheel : chassis);
    dBodyID tyre = 0;
    if (c->rim) {
        tyre = disc(&s, 8);
        hold(&s, c->rim, second ? tyre : wheel, second ? wheel : tyre);
    }
    dBodySetAngularVel(chassis, 0.1, 0.05, 0.2);
    double gap = 0, fast = 0, least = INFINITY, most = 0, energy = 0;
    bool ok = true;
    for (int k = 0; k * c->h < 4 && ok; k++) {
        ok = CHECK(steppedStep(&s) == 1);
        energy = kineticOf(chassis) + kineticOf(wheel) + (c->rim ? kineticOf(tyre) : 0);
        least = fmin(least, energy);
        most = fmax(most, energy);
        gap = fmax(gap, off(chassis, wheel));
        fast = fmax(fast, slip(chassis, wheel));
        if (c->rim) gap = fmax(gap, off(chassis, tyre));
    }
    /* in the discrete form a stop acts from the step after the one in which it is reached */
    ok &= CHECK(gap < (c->kind == OnPiston ? 0.1 + 1.1 * c->h * fast : 1e-3));
    /* I spin^2/2 = 4500 J, and the motion of the chassis; the motor on a ball drives the wheel out of its plane */
    ok &= CHECK(least > 4400 && most < (c->kind == OnBall ? 7500 : 4600));
    if (!ok)
        printf("mount %d, second %d, rim %d, %s, h %g, mass %g, ERP %g, motor %g: gap %g, energy %g to %g\n",
               (int)c->kind, second, (int)c->rim, stepper_name[c->stepper], c->h, c->mass, c->erp, c->force, gap, least,
               most);
    steppedEnd(&s);
}

/* housings that the wheel carries, whose axle errors neither of the bodies' spins may carry along */
static void light(Case c)
{
    static const double masses[] = {3, 0.5, 0.05};
    for (size_t m = 0; m < sizeof masses / sizeof *masses; m++) {
        c.mass = masses[m];
        turns(&c);
        if (c.stepper != Exact) continue;
        for (int i = 1; i < 6; i++) { /* the discrete form corrects them by ERP, with a motor or without */
            Case other = c;
            other.erp = i & 1 ? 0.8 : 0.1;
            other.force = i < 2 ? 0 : i < 4 ? 5 : 1e4;
            turns(&other);
            if (i != 2) continue;
            other.stabilization = ukStabilizeSplit;
            turns(&other);
        }
    }
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Steppers; k++) {
        if (k == Euler) continue; /* with ODE's rows, pistons and PR joints gain 1e5 J and more, as under dWorldStep */
        for (int kind = 0; kind < Mounts; kind++)
            for (int rim = 0; rim < Rims; rim++)
                for (int i = 0; i < 4; i++) {
                    const ukStabilization of = k == Exact ? ukStabilizeErp : ukStabilizeProjection;
                    const Case c = {(Mount)kind, i & 1, (Rim)rim, (Stepper)k, i & 2 ? 0.02 : 0.01, 1000, 0.2, 1e4, of};
                    turns(&c);
                    if (k != Adaptive && k != Radau && rim == NoRim && kind != OnBall) light(c);
                }
    }
    dCloseODE();
    return ukTestEnd();
}

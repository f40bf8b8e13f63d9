/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms of reports, under every stepper: motors that hold still (gazebo-classic#2775), bodies that slide along
 * turning rods and suspensions of cars that turn over (the ODE list, 2003), wheels that bend out of their axes ("bendy
 * wheels", May 2003), cylinders kept upright by an AMotor (January 2005), springs made of ERP and CFM
 * (gazebo-classic#1320). */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

/* ---- a motor of velocity 0 holds an arm of 5 kg and 0.2 kg
 * ----------------------------------------------------------- */

/* torque of the joint on its body `arm`, about `x` */
static double torqueAbout(const dJointFeedback *f, bool first, dBodyID arm, const double x[3])
{
    const dReal *force = first ? f->f1 : f->f2, *torque = first ? f->t1 : f->t2, *p = dBodyGetPosition(arm);
    return torque[1] + (p[2] - x[2]) * force[0] - (p[0] - x[0]) * force[2];
}

static void holds(Stepper stepper, double inertia, bool swapped, double h)
{
    static const double at[3] = {0.5, 0, 0}, sides[3] = {1, 0.05, 0.05}, tip[3] = {1.1, 0, 0};
    static const double tip_sides[3] = {0.2, 0.05, 0.05}, pivot[3] = {0};
    Stepped s = steppedBegin(stepper, h, 9.81);
    dMass m;
    dJointFeedback feedback;
    const dBodyID base = dBodyCreate(s.world);
    dMassSetParameters(&m, 1, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(base, &m);
    const dBodyID arm = steppedBox(&s, 5, at, sides, false), end = steppedBox(&s, 0.2, tip, tip_sides, false);
    const dJointID fixed = dJointCreateFixed(s.world, 0);
    dJointAttach(fixed, base, 0);
    dJointSetFixed(fixed);
    dJointID hinge[2];
    for (int i = 0; i < 2; i++) {
        const dBodyID outer = i == 0 ? arm : end, inner = i == 0 ? base : arm;
        hinge[i] = dJointCreateHinge(s.world, 0);
        dJointAttach(hinge[i], swapped ? inner : outer, swapped ? outer : inner);
        dJointSetHingeAnchor(hinge[i], i, 0, 0);
        dJointSetHingeAxis(hinge[i], 0, 1, 0);
        dJointSetHingeParam(hinge[i], dParamFMax, 1e5);
    }
    dJointSetFeedback(hinge[0], &feedback);
    bool ok = true;
    for (int k = 0; k < 50 && ok; k++) ok = CHECK(steppedStep(&s) == 1);
    for (int i = 0; i < 2; i++)
        ok &= CHECK_NEAR(dJointGetHingeAngle(hinge[i]), 0, stepperDivides(stepper) ? 1e-12 : 1e-7);
    ok &= CHECK_NEAR(torqueAbout(&feedback, !swapped, arm, pivot), -9.81 * (5 * 0.5 + 0.2 * 1.1), 1e-4);
    if (!ok) printf("%s, inertia %g, swapped %d, h %g\n", stepper_name[stepper], inertia, swapped, h);
    steppedEnd(&s);
}

/* ---- bodies that slide along a rod that turns at 3 rad/s --------------------------------------------------------- */

typedef enum Rod { PUWorld, PUBody, PRWorld, SliderBase, PistonBase, Rods } Rod;

/* the joint along x, or along y of PU joints */
static void slideOn(Stepped *s, Rod rod, bool swapped, dBodyID body, dBodyID base)
{
    const dBodyID a = swapped ? base : body, b = swapped ? body : base;
    dJointID j;
    switch (rod) {
    case PUWorld:
    case PUBody:
        j = dJointCreatePU(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetPUAnchor(j, 0, 0, 0);
        dJointSetPUAxis1(j, 0, 0, 1);
        dJointSetPUAxis2(j, 1, 0, 0);
        dJointSetPUAxis3(j, 0, 1, 0);
        break;
    case PRWorld:
        j = dJointCreatePR(s->world, 0);
        dJointAttach(j, body, 0);
        dJointSetPRAnchor(j, 0, 0, 0);
        dJointSetPRAxis1(j, 1, 0, 0);
        dJointSetPRAxis2(j, 0, 0, 1);
        break;
    case SliderBase:
        j = dJointCreateSlider(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetSliderAxis(j, 1, 0, 0);
        break;
    default:
        j = dJointCreatePiston(s->world, 0);
        dJointAttach(j, a, b);
        dJointSetPistonAnchor(j, 0, 0, 0);
        dJointSetPistonAxis(j, 1, 0, 0);
    }
}

static dBodyID baseOf(Stepped *s, Rod rod)
{
    static const double at[3] = {0}, sides[3] = {0.3, 0.3, 0.3};
    if (rod == PUWorld || rod == PRWorld) return 0;
    const dBodyID base = steppedBox(s, rod == PUBody ? 1e3 : 1, at, sides, false);
    if (rod == PUBody) {
        const dJointID fixed = dJointCreateFixed(s->world, 0);
        dJointAttach(fixed, base, 0);
        dJointSetFixed(fixed);
        return base;
    }
    const dJointID hinge = dJointCreateHinge(s->world, 0);
    dJointAttach(hinge, base, 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dBodySetAngularVel(base, 0, 0, 3);
    return base;
}

/* r'' = w^2 r: energy and angular momentum about the rod's axis are those of the start */
static void slides(Rod rod, bool swapped, Stepper stepper, double h)
{
    static const double at[3] = {0}, sides[3] = {0.2, 0.3, 0.6};
    static const double within[Steppers] = {1e-2, 1e-2, 1e-5, 1e-7, 1e-3, 1e-7};
    const bool pu = rod <= PUBody, before = stepper == Euler && pu && !(rod == PUWorld && swapped);
    if (before) return; /* ODE's rows of a displaced PU: docs/ode-differences.md, test_joint_rule */
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID body = steppedBox(&s, 1, at, sides, false), base = baseOf(&s, rod);
    slideOn(&s, rod, swapped, body, base);
    dBodySetAngularVel(body, pu ? 3 : 0, 0, pu ? 0 : 3);
    dBodySetLinearVel(body, pu ? 0 : 0.2, pu ? 0.2 : 0, 0);
    double start[3] = {0}, now[3] = {0}, energy = kineticOf(body), after;
    addAngularMomentum(body, start);
    if (base && !pu) energy += kineticOf(base), addAngularMomentum(base, start);
    bool ok = true;
    for (int k = 0; k * h < 4 && ok; k++) ok = CHECK(steppedStep(&s) == 1);
    after = kineticOf(body);
    addAngularMomentum(body, now);
    if (base && !pu) after += kineticOf(base), addAngularMomentum(base, now);
    const int axis = pu ? 0 : 2;
    ok &= CHECK_NEAR(after / energy, 1, within[stepper]);
    ok &= CHECK_NEAR(now[axis] / start[axis], 1, within[stepper]);
    if (!ok) printf("rod %d, swapped %d, %s, h %g\n", (int)rod, swapped, stepper_name[stepper], h);
    steppedEnd(&s);
}

/* ---- a suspension that gives way while its car turns over at 3 rad/s
 * ------------------------------------------------- */

typedef struct Suspension {
    double stiffness; /* 0: none */
    bool held;        /* the car, by a hinge along y */
} Suspension;

typedef struct Kept {
    double momentum, energy; /* worst change of the one, most of the other, over what there was */
} Kept;

static void suspend(Stepped *s, const Suspension *p, const dBodyID body[2])
{
    const dVector3 z = {0, 0, 1}, y = {0, 1, 0};
    const dJointID j = dJointCreateHinge2(s->world, 0);
    dJointAttach(j, body[0], body[1]);
    dJointSetHinge2Anchor(j, 0.4, 0.4, 0);
    dJointSetHinge2Axes(j, z, y);
    dJointSetHinge2Param(j, dParamLoStop, 0);
    dJointSetHinge2Param(j, dParamHiStop, 0);
    dJointSetHinge2Param(j, dParamSuspensionERP, p->stiffness > 0);
    dJointSetHinge2Param(j, dParamSuspensionCFM, p->stiffness > 0 ? 1 / (s->h * p->stiffness) : 1e9);
    if (!p->held) return;
    const dJointID hinge = dJointCreateHinge(s->world, 0);
    dJointAttach(hinge, body[0], 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
}

static Kept turnsOver(const Suspension *p, Stepper stepper, double h)
{
    static const double at[2][3] = {{0, 0, 0}, {0.4, 0.4, 0}}, sides[3] = {1, 0.5, 0.3};
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID body[2] = {steppedBox(&s, 5, at[0], sides, false), steppedBall(&s, 2, at[1], 0.15, false)};
    double start[3] = {0}, energy = 0;
    Kept kept = {0};
    suspend(&s, p, body);
    for (int i = 0; i < 2; i++) {
        const double arm = at[i][0] - (p->held ? 0 : 2 * 0.4 / 7);
        dBodySetAngularVel(body[i], 0, 3, 0);
        dBodySetLinearVel(body[i], 0, 0, -3 * arm + 0.2 * i);
        energy += kineticOf(body[i]);
        addAngularMomentum(body[i], start);
    }
    for (int k = 0; k * h < 5; k++) {
        double now[3] = {0}, sum = 0;
        if (!CHECK(steppedStep(&s) == 1)) break;
        for (int i = 0; i < 2; i++) sum += kineticOf(body[i]), addAngularMomentum(body[i], now);
        kept.momentum = fmax(kept.momentum, fabs(now[1] / start[1] - 1));
        kept.energy = fmax(kept.energy, sum / energy);
    }
    steppedEnd(&s);
    return kept;
}

/* rk4 and RATTLE step springs and soft suspensions in the discrete form (docs/limits.md), which keeps the angular
 * momentum, too. */
static void suspensions(void)
{
    static const Suspension each[] = {{0, true}, {0, false}, {2000, false}, {200, false}};
    for (unsigned i = 0; i < sizeof each / sizeof *each; i++)
        for (int k = Exact; k < Steppers; k++) {
            const Kept kept = turnsOver(&each[i], (Stepper)k, 0.01);
            bool ok = CHECK(kept.energy <= 1 + 1e-9);
            ok &= CHECK(kept.momentum < 1e-9);
            if (!ok) printf("suspension %u, %s: %g, %g\n", i, stepper_name[k], kept.momentum, kept.energy);
        }
}

/* ---- a wheel at 100 rad/s on a car that rolls and yaws by 1 rad/s
 * ----------------------------------------------------- */

static dBodyID wheelOf(Stepped *s, dBodyID car, dJointID *joint)
{
    const dVector3 z = {0, 0, 1}, y = {0, 1, 0};
    dMass m;
    const dBodyID wheel = dBodyCreate(s->world);
    dMassSetCylinderTotal(&m, 20, 2, 0.3, 0.2);
    dBodySetMass(wheel, &m);
    dBodySetPosition(wheel, 1.5, 0.9, -0.5);
    const dJointID j = *joint = dJointCreateHinge2(s->world, 0);
    dJointAttach(j, car, wheel);
    dJointSetHinge2Anchor(j, 1.5, 0.9, -0.5);
    dJointSetHinge2Axes(j, z, y);
    dJointSetHinge2Param(j, dParamLoStop, 0);
    dJointSetHinge2Param(j, dParamHiStop, 0);
    dJointSetHinge2Param(j, dParamSuspensionERP, 0.4);
    dJointSetHinge2Param(j, dParamSuspensionCFM, 1e-6);
    dJointSetHinge2Param(j, dParamVel2, 100);
    dJointSetHinge2Param(j, dParamFMax2, 1e4);
    return wheel;
}

/* the largest angle of the wheel's axis from the car's y; negative: a step was refused */
static double bend(Stepper stepper, double h, bool gyroscopic)
{
    static const double at[3] = {0}, sides[3] = {4, 1.6, 1};
    Stepped s = steppedBegin(stepper, h, 0);
    dJointID joint;
    const dBodyID car = steppedBox(&s, 1000, at, sides, false), wheel = wheelOf(&s, car, &joint);
    dBodySetGyroscopicMode(wheel, gyroscopic);
    dBodySetAngularVel(car, 0.5, 0, 1);
    dBodySetAngularVel(wheel, 0.5, 0, 1);
    dBodySetLinearVel(wheel, -0.9, 1.75, 0.45);
    double worst = 0;
    for (int k = 0; k * h < 1.5 && worst >= 0; k++) {
        dVector3 axis, y;
        if (!CHECK(steppedStep(&s) == 1)) worst = -1;
        dJointGetHinge2Axis2(joint, axis);
        dBodyVectorToWorld(car, 0, 1, 0, y);
        worst = fmax(worst, acos(fmin(1, fabs(dCalcVectorDot3(axis, y)))));
    }
    steppedEnd(&s);
    return worst;
}

static void bends(void)
{
    for (int gyroscopic = 0; gyroscopic < 2; gyroscopic++) {
        CHECK(bend(Adaptive, 0.01, gyroscopic) < 1e-7 && bend(Radau, 0.01, gyroscopic) < 1e-7);
        for (int k = 0; k < Steppers; k++) {
            if (stepperDivides((Stepper)k)) continue;
            const double coarse = bend((Stepper)k, 0.002, gyroscopic), fine = bend((Stepper)k, 0.001, gyroscopic);
            if (!CHECK(coarse < 2e-3 && fine < coarse / 3)) printf("%s: bend %g, %g\n", stepper_name[k], coarse, fine);
        }
    }
}

/* ---- an AMotor keeps a cylinder upright while this turns
 * ---------------------------------------------------------------- */

typedef struct Upright {
    dBodyID body;
    dJointID motor;
} Upright;

static Upright uprightOf(Stepped *s, bool euler)
{
    dMass m;
    Upright u = {dBodyCreate(s->world), dJointCreateAMotor(s->world, 0)};
    dMassSetCylinderTotal(&m, 1, 2, 0.2, 1);
    dBodySetMass(u.body, &m);
    dJointAttach(u.motor, u.body, 0);
    dJointSetAMotorMode(u.motor, euler ? dAMotorEuler : dAMotorUser);
    if (!euler) dJointSetAMotorNumAxes(u.motor, 2);
    dJointSetAMotorAxis(u.motor, 0, euler, 1, 0, 0);
    dJointSetAMotorAxis(u.motor, euler ? 2 : 1, euler ? 2 : 0, 0, 0, 1);
    for (int i = 0; i < 2; i++) {
        const int group = i * (euler ? 2 : 1) * dParamGroup;
        dJointSetAMotorParam(u.motor, group + dParamLoStop, 0);
        dJointSetAMotorParam(u.motor, group + dParamHiStop, 0);
    }
    const dJointID ball = dJointCreateBall(s->world, 0);
    dJointAttach(ball, u.body, 0);
    dJointSetBallAnchor(ball, 0, -0.5, 0);
    dBodySetAngularVel(u.body, 0, 2, 0);
    return u;
}

/* Euler angles end at a quarter of a turn, after 0.78 s; angles of the program's own do not. */
static void upright(Stepper stepper, bool euler)
{
    Stepped s = steppedBegin(stepper, 0.01, 0);
    const Upright u = uprightOf(&s, euler);
    bool ok = true;
    for (int k = 0; k < (euler ? 60 : 300) && ok; k++) {
        const dReal *x = dBodyGetPosition(u.body), *R = dBodyGetRotation(u.body);
        if (k < 40) dBodyAddForceAtPos(u.body, 3, 0, 1, x[0], x[1] + 0.5, x[2]);
        if (!euler) {
            dJointSetAMotorAngle(u.motor, 0, atan2(R[9], R[5]));
            dJointSetAMotorAngle(u.motor, 1, -atan2(R[1], R[5]));
        }
        ok = CHECK(steppedStep(&s) == 1) && CHECK(acos(fmin(1, dBodyGetRotation(u.body)[5])) < 1e-3);
    }
    const dReal *w = dBodyGetAngularVel(u.body);
    ok &= CHECK_NEAR(w[0], 0, 1e-4) && CHECK_NEAR(w[1], 2, 1e-3) && CHECK_NEAR(w[2], 0, 1e-4);
    if (!ok) printf("upright, euler angles %d, %s\n", euler, stepper_name[stepper]);
    steppedEnd(&s);
}

/* ---- a spring made of ERP and CFM
 * ------------------------------------------------------------------------------------ */

/* m = 1, k = 1000, no damper, 0.1 m: x = 0.1 cos(w t) under adaptive; steps of Euler's damp it by 1/(1 + h^2 w^2) */
static void spring(Stepper stepper, double h)
{
    enum { Steps = 100 };
    static const double at[3] = {0}, sides[3] = {0.2, 0.2, 0.2};
    const double k = 1000, w = sqrt(k);
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID body = steppedBox(&s, 1, at, sides, false);
    const dJointID j = dJointCreateSlider(s.world, 0);
    dJointAttach(j, body, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    dBodySetPosition(body, 0.1, 0, 0);
    dJointSetSliderParam(j, dParamLoStop, 0);
    dJointSetSliderParam(j, dParamHiStop, 0);
    dJointSetSliderParam(j, dParamStopERP, 1);
    dJointSetSliderParam(j, dParamStopCFM, 1 / (h * k));
    bool ok = true;
    for (int i = 0; i < Steps && ok; i++) ok = CHECK(steppedStep(&s) == 1);
    const double x = dBodyGetPosition(body)[0], v = dBodyGetLinearVel(body)[0], energy = (v * v + k * x * x) / 2;
    if (stepperDivides(stepper))
        ok &= CHECK_NEAR(x, 0.1 * cos(w * Steps * h), 1e-5);
    else
        ok &= CHECK_NEAR(energy / (0.5 * k * 0.01) * pow(1 + h * h * w * w, Steps), 1, 1e-6);
    if (!ok) printf("spring, %s, h %g\n", stepper_name[stepper], h);
    steppedEnd(&s);
}

int main(void)
{
    static const double inertia[] = {1, 1e-4, 1e4};
    dInitODE2(0);
    for (int k = 0; k < Steppers; k++) {
        const Stepper stepper = (Stepper)k;
        for (int i = 0; i < 6; i++) holds(stepper, inertia[i % 3], i / 3, i % 2 ? 0.01 : 0.001);
        for (int rod = 0; rod < Rods; rod++)
            for (int i = 0; i < 2; i++) slides((Rod)rod, i, stepper, rod % 2 ? 0.01 : 0.005);
        for (int i = 0; i < 2; i++) upright(stepper, i), spring(stepper, i ? 0.01 : 0.003);
    }
    suspensions();
    bends();
    dCloseODE();
    return ukTestEnd();
}

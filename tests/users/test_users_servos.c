/* SPDX-License-Identifier: BSD-3-Clause */
/* Motors of unlimited force whose velocity the program sets in every step, as OpenRAVE and SimRobot control positions,
 * under every stepper: after a step the rate is the velocity, the joint has moved by h times it, the impulse is the
 * change of momentum, and the servo Vel = (target - x)/h rests at its target, with steps that are certified and are no
 * compromise: alone, under a load, and beside a second motor that agrees. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

/* along x; about z */
typedef enum Drive {
    DriveSlider,
    DriveLMotor,
    DrivePiston,
    DrivePR,
    DrivePU,
    Linear,
    DriveHinge = Linear,
    DriveAMotor,
    DriveUniversal1,
    DriveUniversal2,
    DriveHinge2Axis1,
    DriveHinge2Axis2,
    Drives
} Drive;

/* (body, 0), (0, body), (body, base), (base, body) */
typedef enum Order { BodyFirst, WorldFirst, BaseSecond, BaseFirst, Orders } Order;

static const double mass = 1, radius = 0.3;

/* sets Vel, or FMax, of the driven axis */
static void drive(dJointID j, Drive kind, int parameter, double value)
{
    switch (kind) {
    case DriveSlider: dJointSetSliderParam(j, parameter, value); break;
    case DriveLMotor: dJointSetLMotorParam(j, parameter, value); break;
    case DrivePiston: dJointSetPistonParam(j, parameter, value); break;
    case DrivePR: dJointSetPRParam(j, parameter, value); break;
    case DrivePU: dJointSetPUParam(j, parameter + 2 * dParamGroup, value); break;
    case DriveHinge: dJointSetHingeParam(j, parameter, value); break;
    case DriveAMotor: dJointSetAMotorParam(j, parameter, value); break;
    case DriveUniversal1: dJointSetUniversalParam(j, parameter, value); break;
    case DriveUniversal2: dJointSetUniversalParam(j, parameter + dParamGroup, value); break;
    case DriveHinge2Axis1: dJointSetHinge2Param(j, parameter, value); break;
    default: dJointSetHinge2Param(j, parameter + dParamGroup, value);
    }
}

static dJointID linear(dWorldID w, Drive kind, dBodyID a, dBodyID b)
{
    dJointID j;
    if (kind == DriveSlider) {
        dJointAttach(j = dJointCreateSlider(w, 0), a, b);
        dJointSetSliderAxis(j, 1, 0, 0);
    } else if (kind == DriveLMotor) {
        dJointAttach(j = dJointCreateLMotor(w, 0), a, b);
        dJointSetLMotorNumAxes(j, 1);
        dJointSetLMotorAxis(j, 0, 0, 1, 0, 0);
    } else if (kind == DrivePiston) {
        dJointAttach(j = dJointCreatePiston(w, 0), a, b);
        dJointSetPistonAnchor(j, 0, 0, 0);
        dJointSetPistonAxis(j, 1, 0, 0);
    } else if (kind == DrivePR) {
        dJointAttach(j = dJointCreatePR(w, 0), a, b);
        dJointSetPRAnchor(j, 0, 0, 0);
        dJointSetPRAxis1(j, 1, 0, 0);
        dJointSetPRAxis2(j, 0, 0, 1);
    } else {
        dJointAttach(j = dJointCreatePU(w, 0), a, b);
        dJointSetPUAnchor(j, 0, 0, 0);
        dJointSetPUAxis1(j, 0, 0, 1);
        dJointSetPUAxis2(j, 0, 1, 0);
        dJointSetPUAxis3(j, 1, 0, 0);
    }
    return j;
}

static dJointID angular(dWorldID w, Drive kind, dBodyID a, dBodyID b)
{
    static const dVector3 x = {1, 0, 0}, z = {0, 0, 1};
    dJointID j;
    if (kind == DriveHinge) {
        dJointAttach(j = dJointCreateHinge(w, 0), a, b);
        dJointSetHingeAnchor(j, 0, 0, 0);
        dJointSetHingeAxis(j, 0, 0, 1);
    } else if (kind == DriveAMotor) {
        dJointAttach(j = dJointCreateAMotor(w, 0), a, b);
        dJointSetAMotorNumAxes(j, 1);
        dJointSetAMotorAxis(j, 0, 0, 0, 0, 1);
    } else if (kind == DriveUniversal1 || kind == DriveUniversal2) {
        const bool first = kind == DriveUniversal1;
        dJointAttach(j = dJointCreateUniversal(w, 0), a, b);
        dJointSetUniversalAnchor(j, 0, 0, 0);
        dJointSetUniversalAxis1(j, !first, 0, first);
        dJointSetUniversalAxis2(j, first, 0, !first);
    } else {
        const bool first = kind == DriveHinge2Axis1;
        dJointAttach(j = dJointCreateHinge2(w, 0), a, b);
        dJointSetHinge2Anchor(j, 0, 0, 0);
        dJointSetHinge2Axes(j, first ? z : x, first ? x : z);
    }
    return j;
}

typedef struct Servo {
    Stepped s;
    Drive kind;
    dBodyID body;
    dJointID motor[2]; /* the second: NULL, or an LMotor or AMotor of the same axis */
    dJointFeedback feedback;
    double sign; /* of the motion for Vel > 0 */
} Servo;

static Servo servoOf(Drive kind, Order order, Stepper stepper, double h, bool two)
{
    static const double at[3] = {0}, sides[3] = {1, 1, 1};
    Servo v = {.s = steppedBegin(stepper, h, 0), .kind = kind, .sign = 1};
    v.body = steppedBall(&v.s, mass, at, radius, false);
    dBodyID base = 0;
    if (order >= BaseSecond) {
        base = steppedBox(&v.s, 50, at, sides, false);
        const dJointID fixed = dJointCreateFixed(v.s.world, 0);
        dJointAttach(fixed, base, 0);
        dJointSetFixed(fixed);
    }
    const bool swapped = order == WorldFirst || order == BaseFirst;
    const dBodyID a = swapped ? base : v.body, b = swapped ? v.body : base;
    v.motor[0] = kind < Linear ? linear(v.s.world, kind, a, b) : angular(v.s.world, kind, a, b);
    if (two) v.motor[1] = kind < Linear ? linear(v.s.world, DriveLMotor, a, b) : angular(v.s.world, DriveAMotor, a, b);
    return v;
}

static void setVelocity(const Servo *v, double velocity)
{
    drive(v->motor[0], v->kind, dParamVel, velocity);
    if (v->motor[1]) drive(v->motor[1], v->kind < Linear ? DriveLMotor : DriveAMotor, dParamVel, velocity);
}

static double placeOf(const Servo *v)
{
    const dReal *R = dBodyGetRotation(v->body);
    return v->sign * (v->kind < Linear ? dBodyGetPosition(v->body)[0] : atan2(R[4], R[0]));
}

static double rateOf(const Servo *v)
{
    return v->sign * (v->kind < Linear ? dBodyGetLinearVel(v->body)[0] : dBodyGetAngularVel(v->body)[2]);
}

/* a step that is certified and no compromise */
static bool servoStep(Servo *v)
{
    ukReport r;
    return CHECK(steppedStep(&v->s) == 1) && CHECK(ukWorldGetReport(v->s.world, &r) == 0) &&
           CHECK(r.ok && r.compromise < 1e-6);
}

/* of the first motor's mean force or torque on the body, `swapped`: its second one */
static double impulseOf(const Servo *v, bool swapped)
{
    const dJointFeedback *f = &v->feedback;
    const dReal *force = swapped ? f->f2 : f->f1, *torque = swapped ? f->t2 : f->t1;
    return v->sign * v->s.h * (v->kind < Linear ? force[0] : torque[2]);
}

/* Vel = 1 from rest; false: something is wrong */
static bool starts(Servo *v, double inertia, bool swapped)
{
    const double h = v->s.h, cfm = 1e-10, yields = 1e-9 + 4 * cfm * inertia / h; /* motor and base: CFM times force */
    const double turns = v->kind < Linear ? yields : yields + h * h * h;         /* a finite angle, from the rate */
    bool ok = true;
    setVelocity(v, 1);
    for (int k = 1; k <= 3 && ok; k++) {
        ok = servoStep(v);
        if (k == 1 && rateOf(v) < 0) v->sign = -1;
        ok &= CHECK_NEAR(rateOf(v), 1, yields) && CHECK_NEAR(placeOf(v), k * h, k * turns);
        if (!v->motor[1]) ok &= CHECK_NEAR(impulseOf(v, swapped), k == 1 ? inertia : 0, yields);
    }
    return ok;
}

/* `load`: force or torque of the program against the motor */
static void servo(Drive kind, Order order, Stepper stepper, double h, double load, bool two)
{
    const bool swapped = order == BaseFirst; /* ODE exchanges the bodies of (0, body) */
    const double inertia = kind < Linear ? mass : 0.4 * mass * radius * radius, target = 0.5;
    Servo v = servoOf(kind, order, stepper, h, two);
    /* and the parameter groups of a universal joint */
    if (order == WorldFirst && kind == DriveUniversal1) v.kind = DriveUniversal2;
    if (order == WorldFirst && kind == DriveUniversal2) v.kind = DriveUniversal1;
    for (int i = 0; i < 2 && v.motor[i]; i++)
        drive(v.motor[i], i ? (kind < Linear ? DriveLMotor : DriveAMotor) : v.kind, dParamFMax, dInfinity);
    dJointSetFeedback(v.motor[0], &v.feedback);
    bool ok = starts(&v, inertia, swapped);
    for (int k = 0; k < 60 && ok; k++) {
        if (kind < Linear)
            dBodyAddForce(v.body, v.sign * load, 0, 0);
        else
            dBodyAddTorque(v.body, 0, 0, v.sign * load);
        setVelocity(&v, fmax(-20, fmin(20, (target - placeOf(&v)) / h)));
        ok = servoStep(&v);
        if (k > 40) ok &= CHECK_NEAR(placeOf(&v), target, 1e-7) && CHECK_NEAR(rateOf(&v), 0, 1e-6);
    }
    if (!ok)
        printf("drive %d, order %d, %s, h %g, load %g, two %d: x %.12g, rate %g\n", (int)kind, (int)order,
               stepper_name[stepper], h, load, two, placeOf(&v), rateOf(&v));
    steppedEnd(&v.s);
}

int main(void)
{
    static const double h[] = {0.01, 0.002};
    dInitODE2(0);
    for (int kind = 0; kind < Drives; kind++)
        for (int order = kind >= DriveHinge2Axis1 ? BaseSecond : BodyFirst; order < Orders; order++)
            for (int k = 0; k < Steppers; k++)
                for (int i = 0; i < 2; i++) {
                    servo((Drive)kind, (Order)order, (Stepper)k, h[i], 0, false);
                    servo((Drive)kind, (Order)order, (Stepper)k, h[i], -3, false);
                    if (order % 2 == 0) servo((Drive)kind, (Order)order, (Stepper)k, h[i], -3, true);
                }
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* AMotors in Euler mode through the singular pose of their angles (the ODE list, January 2005): their stops act as
 * those of a gimbal without mass. Its outer angles 0 and 2 stay where they are locked or between their stops, and its
 * middle angle passes a right angle. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"
#include "tests/users/stepped.h"

static const double pi = 3.14159265358979323846;

/* (body, world), (world, body), (body, base), (base, body) */
typedef enum Order { BodyFirst, WorldFirst, BaseSecond, BaseFirst, Orders } Order;

/* A gimbal between a body and the world, or a base of equal mass, weightless. Axis 0 is x of the joint's first body,
 * axis 2 is z of its second one. */
typedef struct Gimbal {
    Stepped s;
    dBodyID body, base;
    dJointID motor;
    bool reversed; /* the body is the joint's second one */
    double energy; /* at the start */
} Gimbal;

static dBodyID freeBody(Stepped *s, const double inertia[3])
{
    const dBodyID body = dBodyCreate(s->world);
    dMass m;
    dMassSetParameters(&m, 1, 0, 0, 0, inertia[0], inertia[1], inertia[2], 0, 0, 0);
    dBodySetMass(body, &m);
    return body;
}

static void outerStops(Gimbal *g, double lo, double hi, bool two)
{
    for (int i = 0; i < (two ? 3 : 1); i += 2) {
        dJointSetAMotorParam(g->motor, i * dParamGroup + dParamLoStop, lo);
        dJointSetAMotorParam(g->motor, i * dParamGroup + dParamHiStop, hi);
    }
}

static Gimbal gimbalBegin(Stepper stepper, double h, Order order, const double inertia[3])
{
    Gimbal g = {.s = steppedBegin(stepper, h, 0), .reversed = order == WorldFirst || order == BaseFirst};
    g.body = freeBody(&g.s, inertia);
    if (order >= BaseSecond) g.base = freeBody(&g.s, inertia);
    g.motor = dJointCreateAMotor(g.s.world, 0);
    if (g.reversed)
        dJointAttach(g.motor, g.base, g.body);
    else
        dJointAttach(g.motor, g.body, g.base);
    dJointSetAMotorMode(g.motor, dAMotorEuler);
    dJointSetAMotorAxis(g.motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(g.motor, 2, 2, 0, 0, 1);
    return g;
}

static double energyOf(const Gimbal *g)
{
    return kineticOf(g->body) + (g->base ? kineticOf(g->base) : 0);
}

/* The rotation of the joint's first body relative to the second, whose columns are those of the body's axes. */
static void relative(const Gimbal *g, double R[3][3])
{
    static const dReal still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const dReal *const own = dBodyGetRotation(g->body), *const base = g->base ? dBodyGetRotation(g->base) : still;
    const dReal *const first = g->reversed ? base : own, *const second = g->reversed ? own : base;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            R[i][j] = 0;
            for (int c = 0; c < 3; c++) R[i][j] += second[4 * c + i] * first[4 * c + j];
        }
}

/* How far the body is outside of the stops -stop and stop of the outer angles, R = Rz(t2) Ry(t1) Rx(t0): for the better
 * of the two sets of angles that describe R the excess of an angle times the sine rho of the outer axes, since an angle
 * at distance rho from the pole is that of a rotation of rho; and that of the turn about the common axis, t2 - t0 or t2
 * + t0, which is bounded by 2 stop. */
static double outside(const Gimbal *g, double stop)
{
    double R[3][3], least = INFINITY;
    relative(g, R);
    const double rho = sqrt(R[0][0] * R[0][0] + R[1][0] * R[1][0]);
    const double t0 = atan2(R[2][1], R[2][2]), t2 = atan2(R[1][0], R[0][0]);
    const double turn = R[2][0] > 0 ? t2 + t0 : t2 - t0; /* x along z, or opposite */
    for (int other = 0; other < 2; other++) {
        const double a = fabs(remainder(t0 + other * pi, 2 * pi)), b = fabs(remainder(t2 + other * pi, 2 * pi));
        least = fmin(least, rho * fmax(fmax(a, b) - stop, 0));
    }
    return fmax(least, fabs(remainder(turn, 2 * pi)) - 2 * stop);
}

static bool sound(Gimbal *g, Stepper stepper, Order order, const char *what)
{
    if (CHECK(steppedStep(&g->s) == 1)) return true;
    printf("%s, %s, order %d, h %g: %s\n", what, stepper_name[stepper], (int)order, g->s.h, ukGetLastErrorMessage());
    return false;
}

/* Both outer angles are locked: the body turns about the middle axis at a constant rate, whatever torque acts across
 * it. */
static void locked(Stepper stepper, double h, Order order, double rate)
{
    static const double round[3] = {1, 1, 1};
    Gimbal g = gimbalBegin(stepper, h, order, round);
    double most = 0;
    outerStops(&g, 0, 0, true);
    dBodySetAngularVel(g.body, 0, rate, 0);
    if (g.base) dBodySetAngularVel(g.base, 0, -rate, 0);
    for (int k = 0; k < (int)(2.5 / h); k++) {
        dBodyAddTorque(g.body, 0.3, 0, -0.2);
        if (g.base) dBodyAddTorque(g.base, -0.3, 0, 0.2);
        if (!sound(&g, stepper, order, "locked")) break;
        const dReal *const w = dBodyGetAngularVel(g.body);
        most = fmax(most, fmax(fabs(w[1] - rate), hypot(w[0], w[2])));
    }
    if (!CHECK(most < 1e-3 * rate))
        printf("locked, %s, order %d, h %g, rate %g: off by %g\n", stepper_name[stepper], (int)order, h, rate, most);
    steppedEnd(&g.s);
}

/* Between its stops the body is thrown in any direction: it gains no energy, and the outer angles stay. */
static void between(Stepper stepper, double h, Order order, unsigned seed)
{
    static const double brick[3] = {0.7, 1, 0.8};
    Gimbal g = gimbalBegin(stepper, h, order, brick);
    srand(seed);
    const double stop = 0.1 + 0.5 * rand() / RAND_MAX;
    double most = 0, out = 0, w[3];
    outerStops(&g, -stop, stop, true);
    for (int c = 0; c < 3; c++) w[c] = (c == 1 ? 3 : 1) * (2.0 * rand() / RAND_MAX - 1);
    dBodySetAngularVel(g.body, w[0], w[1] + (w[1] > 0 ? 1 : -1), w[2]);
    g.energy = energyOf(&g);
    for (int k = 0; k < (int)(5 / h); k++) {
        if (!sound(&g, stepper, order, "between")) break;
        most = fmax(most, energyOf(&g) / g.energy);
        out = fmax(out, outside(&g, stop));
    }
    if (!CHECK(most < 1.05 && out < 6 * h))
        printf("between, %s, order %d, h %g, seed %u: energy %g, %g outside\n", stepper_name[stepper], (int)order, h,
               seed, most, out);
    steppedEnd(&g.s);
}

/* Away from the pole, a sphere bounces elastically off stops of all three angles. Under the integrators that follow
 * stops within a step it keeps its energy and never leaves the stops; so it does with a base, and both their angular
 * momentum. */
static void elastic(Stepper stepper, double h, Order order, unsigned seed)
{
    static const double round[3] = {1, 1, 1}, stop = 0.4;
    Gimbal g = gimbalBegin(stepper, h, order, round);
    srand(seed);
    double off = 0, out = 0, w[3];
    for (int i = 0; i < 3; i++) {
        dJointSetAMotorParam(g.motor, i * dParamGroup + dParamLoStop, -stop);
        dJointSetAMotorParam(g.motor, i * dParamGroup + dParamHiStop, stop);
        dJointSetAMotorParam(g.motor, i * dParamGroup + dParamBounce, 1);
    }
    for (int c = 0; c < 3; c++) w[c] = 4.0 * rand() / RAND_MAX - 2;
    dBodySetAngularVel(g.body, w[0], w[1], w[2]);
    g.energy = energyOf(&g);
    for (int k = 0; k < (int)(5 / h); k++) {
        double R[3][3], momentum[3] = {0};
        if (!sound(&g, stepper, order, "elastic")) break;
        relative(&g, R);
        off = fmax(off, fabs(energyOf(&g) / g.energy - 1));
        out = fmax(out, fmax(fabs(atan2(R[2][1], R[2][2])), fmax(fabs(asin(R[2][0])), fabs(atan2(R[1][0], R[0][0])))));
        addAngularMomentum(g.body, momentum);
        if (g.base) addAngularMomentum(g.base, momentum);
        for (int c = 0; c < 3 && g.base; c++) off = fmax(off, fabs(momentum[c] - w[c]));
    }
    if (!CHECK(off < 1e-6 && out < stop + 1e-6))
        printf("elastic, %s, order %d, h %g, seed %u: off by %g, angle %g\n", stepper_name[stepper], (int)order, h,
               seed, off, out);
    steppedEnd(&g.s);
}

/* The program of the report: a cylinder on a ball joint, pushed at its top for a second, whose AMotor keeps its axis
 * upright. It goes on turning about this axis. */
static void upright(Stepper stepper, double h, double spin)
{
    Stepped s = steppedBegin(stepper, h, 0);
    const dBodyID body = dBodyCreate(s.world);
    const dJointID motor = dJointCreateAMotor(s.world, 0), ball = dJointCreateBall(s.world, 0);
    dMass m;
    double tilt = 0, off = 0;
    dMassSetCylinderTotal(&m, 1, 2, 0.2, 1);
    dBodySetMass(body, &m);
    dJointAttach(motor, body, 0);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    for (int i = 0; i < 3; i += 2) {
        dJointSetAMotorParam(motor, i * dParamGroup + dParamLoStop, 0);
        dJointSetAMotorParam(motor, i * dParamGroup + dParamHiStop, 0);
    }
    dJointAttach(ball, body, 0);
    dJointSetBallAnchor(ball, 0, -0.5, 0);
    dBodySetAngularVel(body, 0, spin, 0);
    for (int k = 0; k < (int)(6 / h); k++) {
        const dReal *const x = dBodyGetPosition(body), *const w = dBodyGetAngularVel(body);
        if (k * h < 1) dBodyAddForceAtPos(body, 3, 0, 1, x[0], x[1] + 0.5, x[2]);
        if (!CHECK(steppedStep(&s) == 1)) break;
        tilt = fmax(tilt, acos(fmin(1, dBodyGetRotation(body)[5])));
        off = fmax(off, fmax(fabs(w[1] - spin), hypot(w[0], w[2])));
    }
    if (!CHECK(tilt < 1e-4 && off < 1e-4)) printf("upright, %s: tilt %g, rate %g\n", stepper_name[stepper], tilt, off);
    steppedEnd(&s);
}

int main(void)
{
    static const double h[] = {0.02, 0.005};
    dInitODE2(0);
    for (int k = 0; k < Steppers; k++)
        for (int i = 0; i < 2; i++) {
            upright((Stepper)k, h[i], 2);
            upright((Stepper)k, h[i], 2.85);
        }
    for (int k = 0; k < Steppers; k++)
        for (int order = 0; order < Orders; order++)
            for (int i = 0; i < 2; i++) {
                locked((Stepper)k, h[i], (Order)order, 2);
                locked((Stepper)k, h[i], (Order)order, 7);
                for (unsigned seed = 0; seed < 3; seed++) {
                    between((Stepper)k, h[i], (Order)order, seed);
                    if (k >= RK4) elastic((Stepper)k, h[i], (Order)order, seed);
                }
            }
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotational stops near pi and beyond hold a body that is thrown at them, under every integrator, in every order of
 * attachment: angles count their turns. ODE takes them from [-pi, pi], where a stop at 3.1 is passed and the one at
 * -3.1 throws the body (webots#3947, drcsim#322: a body of 0.8 J leaves with 141 J). The body is a ball of 1 kg that
 * turns at 13.7 rad/s: its first step beyond 3.1 is at 3.151 > pi. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static const double h = 0.01, pi = 3.14159265358979323846;

typedef enum Order { BallFirst, BaseFirst, BallWorld, WorldBall, Orders } Order;

typedef struct Scene {
    dWorldID world;
    dBodyID ball, base;
    dJointID joint;
} Scene;

static void attach(Scene *s, dJointID joint, Order order)
{
    const dBodyID base = order < BallWorld ? s->base : 0;
    const bool ball_first = order == BallFirst || order == BallWorld;
    dJointAttach(joint, ball_first ? s->ball : base, ball_first ? base : s->ball);
}

typedef void Build(Scene *s, Order order, double lo, double hi);

static void stops(Scene *s, void (*set)(dJointID, int, dReal), int group, double lo, double hi)
{
    set(s->joint, group * dParamGroup + dParamLoStop, lo);
    set(s->joint, group * dParamGroup + dParamHiStop, hi);
    set(s->joint, group * dParamGroup + dParamLoStop, lo);
}

static void hinge(Scene *s, Order order, double lo, double hi)
{
    s->joint = dJointCreateHinge(s->world, 0);
    attach(s, s->joint, order);
    dJointSetHingeAnchor(s->joint, 0, 0, 0);
    dJointSetHingeAxis(s->joint, 0, 0, 1);
    stops(s, dJointSetHingeParam, 0, lo, hi);
}

static void universal(Scene *s, Order order, double lo, double hi, bool second)
{
    s->joint = dJointCreateUniversal(s->world, 0);
    attach(s, s->joint, order);
    dJointSetUniversalAnchor(s->joint, 0, 0, 0);
    dJointSetUniversalAxis1(s->joint, 0, second, !second);
    dJointSetUniversalAxis2(s->joint, 0, !second, second);
    const int group = order == WorldBall ? !second : second; /* where ODE has the groups (docs/ode-differences.md) */
    stops(s, dJointSetUniversalParam, group, lo, hi);
}
static void universal1(Scene *s, Order order, double lo, double hi)
{
    universal(s, order, lo, hi, false);
}
static void universal2(Scene *s, Order order, double lo, double hi)
{
    universal(s, order, lo, hi, true);
}

static void hinge2(Scene *s, Order order, double lo, double hi)
{
    const dVector3 z = {0, 0, 1}, y = {0, 1, 0};
    s->joint = dJointCreateHinge2(s->world, 0);
    attach(s, s->joint, order);
    dJointSetHinge2Anchor(s->joint, 0, 0, 0);
    dJointSetHinge2Axes(s->joint, z, y);
    stops(s, dJointSetHinge2Param, 0, lo, hi);
}

static void pr(Scene *s, Order order, double lo, double hi)
{
    s->joint = dJointCreatePR(s->world, 0);
    attach(s, s->joint, order);
    dJointSetPRAnchor(s->joint, 0, 0, 0);
    dJointSetPRAxis1(s->joint, 1, 0, 0);
    dJointSetPRAxis2(s->joint, 0, 0, 1);
    stops(s, dJointSetPRParam, 1, lo, hi);
}

static void piston(Scene *s, Order order, double lo, double hi)
{
    s->joint = dJointCreatePiston(s->world, 0);
    attach(s, s->joint, order);
    dJointSetPistonAnchor(s->joint, 0, 0, 0);
    dJointSetPistonAxis(s->joint, 0, 0, 1);
    stops(s, dJointSetPistonParam, 1, lo, hi);
}

static void pu(Scene *s, Order order, double lo, double hi, bool second)
{
    s->joint = dJointCreatePU(s->world, 0);
    attach(s, s->joint, order);
    dJointSetPUAnchor(s->joint, 0, 0, 0);
    dJointSetPUAxis1(s->joint, 0, second, !second);
    dJointSetPUAxis2(s->joint, 0, !second, second);
    dJointSetPUAxis3(s->joint, 1, 0, 0);
    stops(s, dJointSetPUParam, order == WorldBall ? !second : second, lo, hi);
}
static void pu1(Scene *s, Order order, double lo, double hi)
{
    pu(s, order, lo, hi, false);
}
static void pu2(Scene *s, Order order, double lo, double hi)
{
    pu(s, order, lo, hi, true);
}

static void euler(Scene *s, Order order, double lo, double hi, int axis)
{
    const dJointID ball = dJointCreateBall(s->world, 0);
    attach(s, ball, order);
    dJointSetBallAnchor(ball, 0, 0, 0);
    s->joint = dJointCreateAMotor(s->world, 0);
    attach(s, s->joint, order);
    dJointSetAMotorMode(s->joint, dAMotorEuler);
    dJointSetAMotorAxis(s->joint, 0, 1, axis == 2, 0, axis == 0);
    dJointSetAMotorAxis(s->joint, 2, 2, axis == 0, 0, axis == 2);
    stops(s, dJointSetAMotorParam, axis, lo, hi);
}
static void euler0(Scene *s, Order order, double lo, double hi)
{
    euler(s, order, lo, hi, 0);
}
static void euler2(Scene *s, Order order, double lo, double hi)
{
    euler(s, order, lo, hi, 2);
}

static const struct {
    const char *name;
    Build *build;
    bool two; /* bodies: always */
} kinds[] = {{"hinge", hinge, false},
             {"universal 1", universal1, false},
             {"universal 2", universal2, false},
             {"hinge2", hinge2, true},
             {"PR", pr, false},
             {"piston", piston, false},
             {"PU 1", pu1, false},
             {"PU 2", pu2, false},
             {"AMotor 1", euler0, false},
             {"AMotor 3", euler2, false}};
enum { Kinds = sizeof kinds / sizeof *kinds };

static dBodyID heavy(dWorldID world, double mass, double radius)
{
    dMass m;
    const dBodyID body = dBodyCreate(world);
    dMassSetSphereTotal(&m, mass, radius);
    dBodySetMass(body, &m);
    return body;
}

static Scene sceneOf(int kind, Order order, ukIntegrator integrator, double lo, double hi)
{
    Scene s = {.world = dWorldCreate()};
    ukWorldEnable(s.world);
    ukWorldSetIntegrator(s.world, integrator);
    s.ball = heavy(s.world, 1, 0.3);
    s.base = heavy(s.world, 1e3, 1);
    const dJointID fixed = dJointCreateFixed(s.world, 0);
    dJointAttach(fixed, s.base, 0);
    dJointSetFixed(fixed);
    kinds[kind].build(&s, order, lo, hi);
    return s;
}

/* thrown about z: how far it turns, at most, and its largest speed on the way */
static double thrown(const Scene *s, double speed, int steps, double *fastest)
{
    double turned = 0, most = 0;
    *fastest = 0;
    dBodySetAngularVel(s->ball, 0, 0, speed);
    for (int i = 0; i < steps; i++) {
        if (!CHECK(dWorldStep(s->world, h) == 1)) break;
        const double w = dBodyGetAngularVel(s->ball)[2];
        turned += h * w;
        most = fmax(most, fabs(turned));
        *fastest = fmax(*fastest, fabs(w));
    }
    return most;
}

static void everyStopHolds(double hi, double speed)
{
    for (int k = 0; k < Kinds; k++)
        for (int order = 0; order < Orders; order++)
            for (int i = ukIntegratorEuler; i <= ukIntegratorRattle; i++) {
                if (kinds[k].two && order >= BallWorld) continue;
                double fastest;
                const Scene s = sceneOf(k, (Order)order, (ukIntegrator)i, -hi, hi);
                const double most = thrown(&s, speed, 100, &fastest);
                /* a step of Euler enters the stop, the others end there */
                const double step = 1.01 * h * fabs(speed);
                const double least = i == ukIntegratorEuler ? hi : hi - step;
                if (!CHECK(most > least && most < least + step && fastest < 1.0001 * fabs(speed)))
                    printf("%s, order %d, integrator %d, stop %g: %.4f rad, %.4g rad/s\n", kinds[k].name, order, i, hi,
                           most, fastest);
                dWorldDestroy(s.world);
            }
}

/* a turn and a half of a winch, from one stop to the other and back by a motor */
static void stopsAreReachedBothWays(void)
{
    Scene s = sceneOf(0, BallFirst, ukIntegratorEuler, -1, 10);
    dJointSetHingeParam(s.joint, dParamFMax, 50);
    double turned = 0;
    for (int way = 0; way < 3; way++) {
        dJointSetHingeParam(s.joint, dParamVel, way % 2 ? -8 : 8);
        for (int i = 0; i < 300; i++) {
            CHECK(dWorldStep(s.world, h) == 1);
            turned += h * dBodyGetAngularVel(s.ball)[2];
        }
        CHECK_NEAR(turned, way % 2 ? -1 : 10, 0.01);
    }
    dWorldDestroy(s.world);
}

static void setAngle(const Scene *s, double angle)
{
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0, 0, 1, angle);
    dBodySetRotation(s->ball, R);
    dBodySetAngularVel(s->ball, 0, 0, 0);
}

static double energyAfter(const Scene *s, int steps)
{
    double most = 0;
    for (int i = 0; i < steps; i++) {
        CHECK(dWorldStep(s->world, h) == 1);
        most = fmax(most, fabs(dBodyGetAngularVel(s->ball)[2]));
    }
    return most;
}

/* The program moves the body: within its stops nothing pushes it, whatever turn it was on; a correction of rounding
 * leaves it on its turn. */
static void movedByTheProgram(void)
{
    for (int k = 0; k < Kinds; k++) {
        Scene s = sceneOf(k, BallFirst, ukIntegratorEuler, -3.1, 3.1);
        const double sides[] = {3.05, -3.05, 3.0, 0, -3.09};
        for (int i = 0; i < 5; i++) {
            setAngle(&s, sides[i]);
            if (!CHECK(energyAfter(&s, 3) < 1e-12)) printf("%s to %g\n", kinds[k].name, sides[i]);
        }
        double fastest;
        setAngle(&s, 0);
        CHECK(thrown(&s, 13.7, 23, &fastest) > pi); /* beyond pi, on its way to the stop */
        dQuaternion q;
        memcpy(q, dBodyGetQuaternion(s.ball), sizeof q);
        for (int i = 0; i < 4; i++) q[i] *= 1 + 1e-9;
        dBodySetQuaternion(s.ball, q);
        if (!CHECK(energyAfter(&s, 50) < 14)) printf("%s normalized\n", kinds[k].name);
        dWorldDestroy(s.world);

        s = sceneOf(k, BallFirst, ukIntegratorEuler, 2, 5); /* of which -2.5 and 3.78 are one pose */
        setAngle(&s, 3.78);
        if (!CHECK(energyAfter(&s, 3) < 1e-12)) printf("%s on the other turn\n", kinds[k].name);
        dWorldDestroy(s.world);
    }
}

/* Fast: more than half a turn a step where that is followed exactly; else less, of which Euler, as in ODE, and RATTLE
 * make yet another turn of the pose: what counts is how far the body has come. */
static void veryFast(void)
{
    for (int i = ukIntegratorEuler; i <= ukIntegratorRattle; i++) {
        const bool exact = i == ukIntegratorRK4 || i == ukIntegratorAdaptive;
        const Scene s = sceneOf(0, BallFirst, (ukIntegrator)i, -100, 100);
        double turned = 0, most = 0, last = 0;
        dBodySetAngularVel(s.ball, 0, 0, exact ? 450 : 250);
        for (int n = 0; n < 100; n++) {
            CHECK(dWorldStep(s.world, h) == 1);
            const double angle = dJointGetHingeAngle(s.joint);
            turned += exact ? h * dBodyGetAngularVel(s.ball)[2] : remainder(angle - last, 2 * pi);
            last = angle;
            most = fmax(most, turned);
        }
        if (!CHECK(most >= (exact ? 100 - 4.6 : 100) && most < 100 + 4.6)) printf("integrator %d: %.4f\n", i, most);
        dWorldDestroy(s.world);
    }
}

/* saved beyond pi and restored in another world, it goes on with the same bits */
static void savedAndRestored(void)
{
    for (int k = 0; k < Kinds; k++) {
        Scene s = sceneOf(k, BallFirst, ukIntegratorEuler, -4, 4), t = sceneOf(k, BallFirst, ukIntegratorEuler, -4, 4);
        double fastest;
        thrown(&s, 13.7, 26, &fastest); /* at 3.56 */
        const size_t size = ukWorldSave(s.world, NULL, 0);
        void *const bytes = malloc(size);
        CHECK(bytes && ukWorldSave(s.world, bytes, size) == size);
        CHECK(ukWorldRestore(t.world, bytes, size) == 0);
        for (int i = 0; i < 50; i++) {
            CHECK(dWorldStep(s.world, h) == 1 && dWorldStep(t.world, h) == 1);
            if (!CHECK(memcmp(dBodyGetQuaternion(s.ball), dBodyGetQuaternion(t.ball), sizeof(dQuaternion)) == 0)) break;
        }
        CHECK(fabs(dBodyGetAngularVel(t.ball)[2]) < 13.7);
        free(bytes);
        dWorldDestroy(s.world);
        dWorldDestroy(t.world);
    }
}

/* axes set anew are the new zero */
static void setUpAnew(void)
{
    Scene s = sceneOf(0, BallFirst, ukIntegratorEuler, -10, 10);
    double fastest;
    thrown(&s, 13.7, 60, &fastest); /* at 8.2 */
    dJointSetHingeAxis(s.joint, 0, 0, 1);
    const double most = thrown(&s, 13.7, 200, &fastest);
    CHECK(most > 10 && most < 10.14);
    dWorldDestroy(s.world);
}

/* More than half a turn in a step, in the direction of the rate: in finite rotation mode Euler's method turns by h w.
 * At the stop the ball has turned by it, or by one step more. */
static void moreThanHalfATurn(void)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        const Scene s = sceneOf(0, BallFirst, ukIntegratorEuler, -50, 50);
        double fastest;
        dBodySetFiniteRotationMode(s.ball, 1);
        const double most = thrown(&s, sign * 450.0, 60, &fastest);
        if (!CHECK(most >= 50 && most < 54.5)) printf("turned by %.4f\n", most);
        CHECK(fabs(dBodyGetAngularVel(s.ball)[2]) < 450);
        dWorldDestroy(s.world);
    }
}

int main(void)
{
    dInitODE2(0);
    everyStopHolds(3.1, 13.7);
    everyStopHolds(3.1, -13.7);
    everyStopHolds(4, 13.7);
    everyStopHolds(7, 13.7);
    stopsAreReachedBothWays();
    movedByTheProgram();
    veryFast();
    moreThanHalfATurn();
    savedAndRestored();
    setUpAnew();
    dCloseODE();
    return ukTestEnd();
}

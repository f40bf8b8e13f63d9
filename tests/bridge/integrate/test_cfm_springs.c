/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints that their CFM and ERP make springs, under the adaptive integrator: closed forms of oscillators and motors
 * that give way, a suspension, the limit of ever shorter steps of ODE's own law, islands of many, and what stays
 * discrete. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

/* what a spring kp [N/m] and a damper kd [N s/m] are in steps of h (ODE's manual, "How To Use ERP and CFM") */
static double erpOf(double h, double kp, double kd)
{
    return h * kp / (h * kp + kd);
}

static double cfmOf(double h, double kp, double kd)
{
    return 1 / (h * kp + kd);
}

static dWorldID springWorld(ukIntegrator integrator, double tolerance, double gravity)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, gravity);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetTolerance(w, tolerance, 0) == 0);
    return w;
}

static long implicit; /* sub-steps by the implicit method */

/* one step; how many islands were discrete */
static int step(dWorldID w, double h, long *substeps)
{
    ukReport r;
    if (!CHECK(ukWorldStep(w, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK(ukWorldGetReport(w, &r) == 0 && r.ok);
    if (substeps) *substeps += r.substeps;
    implicit += r.implicit_substeps;
    CHECK(r.implicit_substeps <= r.substeps);
    return r.discrete_islands;
}

/* x of a body that is let go at x0 on a spring, w its undamped frequency and z the part of critical damping */
static double oscillation(double x0, double w, double z, double t)
{
    if (z < 1) {
        const double damped = w * sqrt(1 - z * z);
        return x0 * exp(-z * w * t) * (cos(damped * t) + z * w / damped * sin(damped * t));
    }
    if (z == 1) return x0 * (1 + w * t) * exp(-w * t);
    const double fast = -z * w - w * sqrt(z * z - 1), slow = w * w / fast;
    return x0 * (slow * exp(fast * t) - fast * exp(slow * t)) / (slow - fast);
}

/* along x on body 1, at the end of the step */
static double forceAtEnd(dJointID joint)
{
    dReal ideal[2][6];
    return ukJointGetForces(joint, ideal, NULL) == 0 ? ideal[0][0] : NAN;
}

/* A body of 2 kg whose anchor is drawn out of its ball joint; the largest error of its place in 1 s of steps of 20
 * ms. */
static double drawn(ukIntegrator integrator, double kp, double damping, double tolerance, long *substeps)
{
    static const double mass = 2, h = 0.02, x0 = 0.1, anchor[3] = {0.7, -1.3, 2.1};
    const double kd = 2 * damping * sqrt(kp * mass);
    const dWorldID w = springWorld(integrator, tolerance, 0);
    const dBodyID b = box(w, mass, anchor[0], anchor[1], anchor[2]);
    const dJointID ball = dJointCreateBall(w, 0);
    ukLedger l;
    dJointAttach(ball, b, 0);
    dJointSetBallAnchor(ball, anchor[0], anchor[1], anchor[2]);
    dJointSetBallParam(ball, dParamERP, erpOf(h, kp, kd));
    dJointSetBallParam(ball, dParamCFM, cfmOf(h, kp, kd));
    dBodySetPosition(b, anchor[0] + x0, anchor[1], anchor[2]);
    CHECK(ukWorldSetLedger(w, 1) == 0);
    double off = 0;
    for (int i = 1; i <= 50; i++) {
        CHECK(step(w, h, substeps) == 0);
        const double x = dBodyGetPosition(b)[0] - anchor[0], v = dBodyGetLinearVel(b)[0];
        off = fmax(off, fabs(x - oscillation(x0, sqrt(kp / mass), damping, h * i)));
        CHECK_NEAR(forceAtEnd(ball), -kp * x - kd * v, 1e-12 * kp * x0);
    }
    CHECK(ukWorldGetLedger(w, &l) == 0);
    CHECK_NEAR(l.residual, 0, 1e-12 * kp * x0 * x0);
    CHECK_NEAR(l.integration, 0, 40 * tolerance * kp * x0 * x0);
    CHECK_NEAR(l.applied, l.kinetic, 40 * tolerance * kp * x0 * x0); /* the spring's work */
    CHECK(l.ideal == 0 && l.motors == 0);
    dWorldDestroy(w);
    return off;
}

static void oscillators(void)
{
    static const struct {
        double kp, damping;
    } cases[] = {{50, 0}, {50, 1}, {2e4, 0.1}, {2e4, 1}, {2e4, 5}, {1e6, 0.3}, {1e6, 30}};
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
        for (double tolerance = 1e-5; tolerance > 1e-11; tolerance *= 0.1) {
            long substeps = 0;
            implicit = 0;
            const double off = drawn(ukIntegratorAdaptive, cases[k].kp, cases[k].damping, tolerance, &substeps);
            CHECK(k > 0 || implicit == 0); /* a soft spring without a damper needs the explicit pair alone */
            CHECK(off <= 10 * tolerance);
            CHECK(substeps < 30000);
        }
}

/* the named method: every sub-step of an island with springs is implicit, to the same tolerance */
static void radau(void)
{
    static const struct {
        double kp, damping;
    } cases[] = {{50, 0}, {2e4, 1}, {1e6, 30}};
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        long substeps = 0;
        implicit = 0;
        CHECK(drawn(ukIntegratorRadau, cases[k].kp, cases[k].damping, 1e-8, &substeps) <= 1e-7);
        CHECK(implicit == substeps && substeps >= 50 && substeps < 3000);
    }
}

static int pull(const ukConstraintContext *context, double *force, void *data)
{
    (void)data;
    for (int k = 0; k < 3; k++) force[k] = -400 * context->bodies[0].position[k] - 40 * context->bodies[0].velocity[k];
    return 0;
}

static dWorldID pendulum(ukIntegrator integrator, bool swapped, dJointID *hinge)
{
    const dWorldID w = springWorld(integrator, 1e-8, -9.81);
    const dBodyID bob = box(w, 1, 1, 0, 0), arm = box(w, 2, 0.5, 0, 0.2);
    for (int i = 0; i < 2; i++) {
        *hinge = dJointCreateHinge(w, 0);
        dJointAttach(*hinge, i == 0 ? arm : swapped ? bob : arm, i == 0 ? NULL : swapped ? arm : bob);
        dJointSetHingeAnchor(*hinge, i, 0, 0);
        dJointSetHingeAxis(*hinge, 0, 1, 0);
    }
    return w;
}

/* User forces are implicit, too; an island without forces is taken as by adaptive; joint laws beside forces are refused
 * and leave the world as it was. */
static void radauAlone(bool swapped, bool forced)
{
    unsigned char hash[2][16];
    double tip[2][3];
    for (int k = 0; k < 2; k++) {
        dJointID hinge;
        const dWorldID w = pendulum(k ? ukIntegratorRadau : ukIntegratorAdaptive, swapped, &hinge);
        const dBodyID bob = dJointGetBody(hinge, swapped ? 0 : 1);
        if (forced) CHECK(ukForceCreate(w, &bob, 1, pull, NULL) != NULL);
        long substeps = 0;
        implicit = 0;
        for (int i = 0; i < 10; i++) CHECK(step(w, 0.02, &substeps) == 0);
        if (k || !forced) CHECK(implicit == (forced ? substeps : 0));
        for (int c = 0; c < 3; c++) tip[k][c] = dBodyGetPosition(bob)[c];
        if (k && forced) {
            CHECK(ukJointSetCoulomb(hinge, 0.1, 0.1) == 0 && ukWorldHash(w, hash[0]) == ukOk);
            CHECK(ukWorldStep(w, 0.02) == 0 && ukGetLastError() == ukErrorUnsupported);
            CHECK(strstr(ukGetLastErrorMessage(), "radau") && ukWorldEnable(w) == 0);
            CHECK(dWorldStep(w, 0.02) == 0 && ukWorldHash(w, hash[1]) == ukOk); /* nor does ODE take it */
            CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
        }
        dWorldDestroy(w);
    }
    CHECK(apart(tip[0], tip[1]) <= (forced ? 1e-6 : 0));
}

/* A chassis on four wheels that stand fast: it sinks by m g / 4 kp, and each suspension bears a quarter. */
static void suspension(void)
{
    static const double mass = 400, g = 9.81, h = 0.01, kp = 2e5, kd = 4e3;
    const dWorldID w = springWorld(ukIntegratorAdaptive, 1e-8, -g);
    const dBodyID chassis = box(w, mass, 0, 0, 0.5);
    dJointFeedback feedback[4];
    for (int i = 0; i < 4; i++) {
        const double x = i < 2 ? 1.2 : -1.2, y = i % 2 ? 0.7 : -0.7;
        const dBodyID wheel = box(w, 15, x, y, 0.3);
        const dJointID stand = dJointCreateFixed(w, 0), hinge = dJointCreateHinge2(w, 0);
        const dReal up[3] = {0, 0, 1}, across[3] = {0, 1, 0};
        dJointAttach(stand, wheel, 0);
        dJointSetFixed(stand);
        dJointAttach(hinge, chassis, wheel);
        dJointSetHinge2Anchor(hinge, x, y, 0.3);
        dJointSetHinge2Axes(hinge, up, across);
        dJointSetHinge2Param(hinge, dParamSuspensionERP, erpOf(h, kp, kd));
        dJointSetHinge2Param(hinge, dParamSuspensionCFM, cfmOf(h, kp, kd));
        dJointSetHinge2Param(hinge, dParamLoStop, 0); /* it does not steer */
        dJointSetHinge2Param(hinge, dParamHiStop, 0);
        dJointSetFeedback(hinge, &feedback[i]);
    }
    for (int i = 0; i < 300; i++) CHECK(step(w, h, NULL) == 0);
    CHECK_NEAR(dBodyGetPosition(chassis)[2], 0.5 - mass * g / (4 * kp), 1e-9);
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += feedback[i].f1[2];
    CHECK_NEAR(feedback[0].f1[2], mass * g / 4, 1e-5);
    CHECK_NEAR(sum, mass * g, 1e-5);
    dWorldDestroy(w);
}

/* A motor whose row gives way is a damper towards its speed, kd = 1/CFM, and no stronger than its bound. */
static void motors(void)
{
    static const double mass = 2, kd = 300, h = 0.02, speed = 1.7, bounds[2] = {60, INFINITY};
    for (int k = 0; k < 2; k++) {
        const dWorldID w = springWorld(ukIntegratorAdaptive, 1e-9, 0);
        const dBodyID b = box(w, mass, 0, 0, 0);
        const dJointID rail = dJointCreateSlider(w, 0);
        dJointAttach(rail, b, 0);
        dJointSetSliderAxis(rail, 1, 0, 0);
        dJointSetSliderParam(rail, dParamVel, speed);
        dJointSetSliderParam(rail, dParamFMax, bounds[k] < INFINITY ? bounds[k] : dInfinity);
        dJointSetSliderParam(rail, dParamCFM, 1 / kd);
        /* F/m up to the time at which the damper asks for less */
        const double left = fmin(speed, bounds[k] / kd),
                     until = bounds[k] < INFINITY ? (speed - left) * mass / bounds[k] : 0;
        for (int i = 1; i <= 20; i++) {
            const double t = h * i, v = t < until ? bounds[k] / mass * t : speed - left * exp(-kd / mass * (t - until));
            CHECK(step(w, h, NULL) == 0);
            CHECK_NEAR(dBodyGetLinearVel(b)[0], v, 1e-7);
            CHECK_NEAR(forceAtEnd(rail), fmin(kd * (speed - dBodyGetLinearVel(b)[0]), bounds[k]), 1e-9);
        }
        dWorldDestroy(w);
    }
}

/* Three bodies that bend: fixed joints that give way, between one another and to the world. The last one's place. */
static void beam(ukIntegrator integrator, double h, double tolerance, double time, double place[3])
{
    static const double kp = 3e3, kd = 20;
    const dWorldID w = springWorld(integrator, tolerance, -9.81);
    dBodyID last = NULL;
    CHECK(ukWorldSetJointRule(w, ukJointRuleExact) == 0); /* one wrench, as in the continuous form */
    dWorldSetERP(w, erpOf(h, kp, kd));                    /* of the rows that hold the orientation */
    dWorldSetCFM(w, cfmOf(h, kp, kd));
    for (int i = 0; i < 3; i++) {
        const dBodyID b = box(w, 1 + i, 0.5 * (i + 1), 0, 0);
        const dJointID fixed = dJointCreateFixed(w, 0);
        dJointAttach(fixed, b, last);
        dJointSetFixed(fixed);
        last = b;
    }
    dBodySetAngularVel(last, 0, 0, 2);
    for (int i = 0; i < (int)(time / h + 0.5); i++) CHECK(step(w, h, NULL) == 0);
    for (int k = 0; k < 3; k++) place[k] = dBodyGetPosition(last)[k];
    dWorldDestroy(w);
}

/* ODE's law comes to the same spring in ever shorter steps, as the first order has it. The step that the user takes is
 * only what ERP and CFM are meant for. */
static void limitOfShortSteps(void)
{
    double exact[3], again[3], euler[2][3];
    beam(ukIntegratorAdaptive, 0.02, 1e-9, 0.6, exact);
    beam(ukIntegratorAdaptive, 0.005, 1e-9, 0.6, again);
    CHECK_NEAR_ALL(again, exact, 3, 1e-7);
    beam(ukIntegratorEuler, 1e-4, 0, 0.6, euler[0]);
    beam(ukIntegratorEuler, 2.5e-5, 0, 0.6, euler[1]);
    const double far = apart(euler[0], exact), near = apart(euler[1], exact);
    CHECK(near > 1e-8 && near < 1e-3);
    CHECK_NEAR(far / near, 4, 0.2);
}

/* A mat of `side` x `side` bodies at ball joints that give way, 6 rows a body in one island, hangs at two of its sides.
 * Steps of h, of springs that are the same in all; the last body's place after 0.2 s. */
static int mat(ukIntegrator integrator, int side, double damping, double h, double place[3], long *substeps)
{
    static const double mass = 0.5, kp = 1e4, time = 0.2;
    const double kd = 2 * damping * sqrt(kp * mass);
    const dWorldID w = springWorld(integrator, 1e-6, -9.81);
    dBodyID body[64];
    for (int i = 0; i < side * side; i++) {
        body[i] = box(w, mass, i % side, i / side, 0);
        for (int way = 0; way < 2; way++) {
            const int other = way ? i - side : i % side ? i - 1 : -1;
            const dJointID ball = dJointCreateBall(w, 0);
            dJointAttach(ball, body[i], other < 0 ? NULL : body[other]);
            dJointSetBallAnchor(ball, i % side - (way ? 0 : 0.5), i / side - (way ? 0.5 : 0), 0);
            dJointSetBallParam(ball, dParamERP, erpOf(h, kp, kd));
            dJointSetBallParam(ball, dParamCFM, cfmOf(h, kp, kd));
        }
    }
    int counted = 0;
    for (int i = 0; i < (int)(time / h + 0.5); i++) counted += step(w, h, substeps);
    for (int k = 0; k < 3; k++) place[k] = dBodyGetPosition(body[side * side - 1])[k];
    dWorldDestroy(w);
    return counted;
}

/* 96 rows of springs, and so stiff that an explicit method would take thousands of sub-steps; more than any method for
 * stiff forces is asked to couple are stepped in the discrete form. */
static void many(void)
{
    double exact[3], euler[2][3], place[3];
    long substeps = 0, stiff = 0;
    CHECK(mat(ukIntegratorAdaptive, 4, 0.5, 0.02, exact, &substeps) == 0);
    mat(ukIntegratorEuler, 4, 0.5, 4e-4, euler[0], NULL);
    mat(ukIntegratorEuler, 4, 0.5, 1e-4, euler[1], NULL);
    CHECK_NEAR(apart(euler[0], exact) / apart(euler[1], exact), 4, 0.2);
    CHECK(apart(euler[1], exact) < 1e-3 && substeps < 300);
    implicit = 0;
    CHECK(mat(ukIntegratorAdaptive, 4, 200, 0.02, exact, &stiff) == 0);
    CHECK(stiff < 300 && implicit > stiff / 2 && implicit < stiff);
    CHECK(mat(ukIntegratorAdaptive, 7, 0.5, 0.02, place, NULL) == 10);
}

/* What has no continuous form of its own: a stop that gives way, in the steps that it acts in; springs beside dry
 * friction; RK4 and RATTLE know no stiff forces. */
static void discrete(void)
{
    static const double h = 0.01;
    static const ukIntegrator others[] = {ukIntegratorRK4, ukIntegratorRattle};
    const dWorldID w = springWorld(ukIntegratorAdaptive, 1e-8, -9.81);
    const dJointID hinge = dJointCreateHinge(w, 0);
    int counted = 0;
    dJointAttach(hinge, box(w, 1, 1, 0, 0), 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamHiStop, 0.5);
    dJointSetHingeParam(hinge, dParamLoStop, -0.5);
    dJointSetHingeParam(hinge, dParamStopCFM, 1e-3);
    for (int i = 0; i < 100; i++) {
        const bool free = fabs(dJointGetHingeAngle(hinge)) < 0.4;
        const int found = step(w, h, NULL);
        if (free) CHECK(found == 0);
        counted += found;
    }
    CHECK(counted > 50 && fabs(dJointGetHingeAngle(hinge)) < 0.55);
    dWorldDestroy(w);
    for (int i = 0; i < 3; i++) {
        const dWorldID soft = springWorld(i < 2 ? others[i] : ukIntegratorAdaptive, 1e-8, -9.81);
        const dJointID slider = dJointCreateSlider(soft, 0);
        dJointAttach(slider, box(soft, 1, 0, 0, 0), 0);
        dWorldSetCFM(soft, 1e-3);
        if (i == 2) CHECK(ukJointSetCoulomb(slider, 0.3, 0.1) == 0);
        for (int k = 0; k < 10; k++) CHECK(step(soft, h, NULL) == 1);
        dWorldDestroy(soft);
    }
}

/* A body drawn out of an overdamped joint, which comes back at 0.25/s where its damper alone would stop it at 800/s, in
 * steps much longer than both; `driven`: with a wheel, whose motor's bound makes events of the step. Sub-steps of stiff
 * forces that Newton's first pass solves may grow, wherever they begin. */
static long relaxing(bool driven)
{
    const dWorldID w = springWorld(ukIntegratorAdaptive, 1e-6, 0);
    const dBodyID b = box(w, 1, 0, 0, 0), wheel = box(w, 1, 0, 0, 0.5);
    const dJointID ball = dJointCreateBall(w, 0), hinge = dJointCreateHinge(w, 0);
    long substeps = 0;
    dJointAttach(ball, b, 0);
    dJointSetBallAnchor(ball, 0, 0, 0);
    dJointSetBallParam(ball, dParamERP, erpOf(1, 200, 800));
    dJointSetBallParam(ball, dParamCFM, cfmOf(1, 200, 800));
    dJointAttach(hinge, b, wheel);
    dJointSetHingeAnchor(hinge, 0, 0, 0.5);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeParam(hinge, dParamVel, 5);
    dJointSetHingeParam(hinge, dParamFMax, driven ? 0.1 : 0);
    dBodySetPosition(b, 0.1, 0, 0);
    dBodySetPosition(wheel, 0.1, 0, 0.5);
    for (int i = 0; i < 5; i++) CHECK(step(w, 1, &substeps) == 0);
    dWorldDestroy(w);
    return substeps;
}

/* A pendulum of a metre on a joint that gives way like that, k N/m and k N s/m. */
static long hanging(double k, double tolerance)
{
    const dWorldID w = springWorld(ukIntegratorAdaptive, tolerance, -9.81);
    const dBodyID b = box(w, 1, 0.1, 0, -1 - 9.81 / k);
    const dJointID ball = dJointCreateBall(w, 0);
    long substeps = 0;
    dJointAttach(ball, b, 0);
    dJointSetBallAnchor(ball, 0, 0, 0);
    dJointSetBallParam(ball, dParamERP, erpOf(1, k, k));
    dJointSetBallParam(ball, dParamCFM, cfmOf(1, k, k));
    for (int i = 0; i < 5; i++) CHECK(step(w, 1, &substeps) == 0);
    dWorldDestroy(w);
    return substeps;
}

static void longSteps(void)
{
    CHECK(relaxing(false) < 100);
    CHECK(relaxing(true) < 200);
    for (double tolerance = 1e-5; tolerance < 0.02; tolerance *= 10)
        for (double k = 1e3; k < 2e6; k *= 10) CHECK(hanging(k, tolerance) < 120);
}

/* A ball and a motor made springs; what reads their forces: 0 nothing, 1 a dJointFeedback, 2 the energy ledger. */
static void readBy(int reader, unsigned char hash[16])
{
    static dJointFeedback feedback;
    const dWorldID w = springWorld(ukIntegratorAdaptive, 1e-8, -9.81);
    dWorldSetCFM(w, 1e-5); /* of the joints that are created after */
    const dBodyID b = dBodyCreate(w);
    const dJointID ball = dJointCreateBall(w, 0), motor = dJointCreateAMotor(w, 0);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 0.2, 0.3, 0.6);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, 8, 0, 3.3);
    dJointAttach(ball, 0, b);
    dJointSetBallAnchor(ball, 8, 0, 3);
    dJointAttach(motor, 0, b);
    dJointSetAMotorNumAxes(motor, 3);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 1, 0, 0, 1, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    for (int i = 0; i < 3; i++) {
        dJointSetAMotorParam(motor, dParamFMax + dParamGroup * i, 1);
        dJointSetAMotorParam(motor, dParamVel + dParamGroup * i, 0.3 * (i - 1));
    }
    if (reader == 1) dJointSetFeedback(ball, &feedback);
    if (reader == 2) CHECK(ukWorldSetLedger(w, 1) == 0);
    const long before = implicit;
    for (int k = 0; k < 3; k++) CHECK(step(w, 0.008, NULL) == 0);
    CHECK(implicit > before);
    if (reader == 2) CHECK(ukWorldSetLedger(w, 0) == 0);
    CHECK(ukWorldHash(w, hash) == ukOk);
    dWorldDestroy(w);
}

/* A sub-step that is refused begins again at its start; the implicit method linearizes its springs there whether or not
 * something needs the forces. */
static void readersChangeNothing(void)
{
    unsigned char hash[3][16];
    for (int reader = 0; reader < 3; reader++) readBy(reader, hash[reader]);
    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0 && memcmp(hash[0], hash[2], sizeof hash[0]) == 0);
}

int main(void)
{
    dInitODE2(0);
    oscillators();
    radau();
    for (int k = 0; k < 4; k++) radauAlone(k % 2, k / 2);
    suspension();
    motors();
    limitOfShortSteps();
    many();
    discrete();
    longSteps();
    readersChangeNothing();
    dCloseODE();
    return ukTestEnd();
}

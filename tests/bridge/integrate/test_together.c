/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and features together, each against a closed form or an invariant: the absolute tolerance of the adaptive
 * integrator; RK4 with split stabilization; split stabilization with a stop that bounces; projection beside motors; dry
 * friction on several axes, and forces that depend on time, where friction lets go within a step; steps after one that
 * failed. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81;

/* ---- tolerances -------------------------------------------------------------------------------------------------- */

static dJointID hinge(dWorldID w, dBodyID a, dBodyID b, double x, double y, double z)
{
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, y, z);
    dJointSetHingeAxis(j, 0, 1, 0);
    return j;
}

static int substeps(double relative, double absolute)
{
    const dWorldID w = newWorld(g);
    ukReport r;
    int sum = 0;
    hinge(w, ball(w, 1, 1, 0, 0), NULL, 0, 0, 0);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorAdaptive) == ukOk);
    CHECK(ukWorldSetTolerance(w, relative, absolute) == ukOk);
    for (int i = 0; i < 10; i++) CHECK(ukWorldStep(w, 0.1) == 1 && ukWorldGetReport(w, &r) == ukOk), sum += r.substeps;
    CHECK(ukWorldSetTolerance(w, 1e-13, 0) == ukOk); /* what was long enough is too long */
    CHECK(ukWorldStep(w, 0.1) == 1 && ukWorldGetReport(w, &r) == ukOk && (relative < 1e-11 || r.rejected > 0));
    dWorldDestroy(w);
    return sum;
}

/* an error of places that is small enough, over a length of one metre or so, counts as the relative one */
static void absoluteTolerance(void)
{
    const int fine = substeps(1e-12, 0), coarse = substeps(1e-12, 1e-5), relative = substeps(1e-5, 0);
    CHECK(fine > 4 * relative);
    CHECK(coarse < fine / 3 && coarse <= relative + 3 && coarse >= relative - 3);
}

/* ---- RK4 and split ----------------------------------------------------------------------------------------------- */

/* Islands without contacts and stops are projected under split as under projection: the same steps, to the bit, also
 * those that are refused. */
static void splitProjects(double h, double speed)
{
    dWorldID w[2];
    unsigned char hash[2][16];
    int refused = 0;
    for (int k = 0; k < 2; k++) {
        w[k] = newWorld(g);
        const dBodyID a = box(w[k], 1, 0.5, 0, 0), b = box(w[k], 0.2, 1.5, 0, 0);
        hinge(w[k], a, NULL, 0, 0, 0);
        const dJointID ball_joint = dJointCreateBall(w[k], NULL);
        dJointAttach(ball_joint, a, b);
        dJointSetBallAnchor(ball_joint, 1, 0, 0);
        dBodySetAngularVel(b, 0.3 * speed, speed, 0.1 * speed);
        CHECK(ukWorldSetIntegrator(w[k], ukIntegratorRK4) == ukOk);
        CHECK(ukWorldSetStabilization(w[k], k ? ukStabilizeSplit : ukStabilizeProjection, 0, 0) == ukOk);
    }
    for (int i = 0; i < 20; i++) {
        const int one = ukWorldStep(w[0], h), other = ukWorldStep(w[1], h);
        CHECK(one == other);
        refused += !one;
        for (int k = 0; k < 2; k++) CHECK(ukWorldHash(w[k], hash[k]) == ukOk);
        CHECK(memcmp(hash[0], hash[1], 16) == 0);
    }
    CHECK(h < 0.1 ? refused == 0 : refused > 0);
    for (int k = 0; k < 2; k++) dWorldDestroy(w[k]);
}

/* A slider falls onto a stop that returns e of the speed: it comes back to e^2 of the height, less what a step may
 * miss, and not higher, whatever corrects its position. */
static void splitBounces(ukStabilization kind, double e, double h)
{
    const dWorldID w = newWorld(g);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    const dJointID j = dJointCreateSlider(w, NULL);
    dWorldSetERP(w, 0.8);
    dJointAttach(j, b, NULL);
    dJointSetSliderAxis(j, 0, 0, 1);
    dJointSetSliderParam(j, dParamLoStop, -1);
    dJointSetSliderParam(j, dParamBounce, e);
    dJointSetSliderParam(j, dParamStopERP, 0.8);
    CHECK(ukWorldSetStabilization(w, kind, 0, 0) == ukOk);
    double highest = -INFINITY, lowest = 0;
    bool up = false;
    for (int i = 0; i * h < 0.9; i++) {
        CHECK(ukWorldStep(w, h) == 1);
        const double z = dBodyGetPosition(b)[2];
        up |= dBodyGetLinearVel(b)[2] > 0;
        lowest = fmin(lowest, z);
        if (up) highest = fmax(highest, z);
    }
    const double speed = sqrt(2 * g), apex = -1 + e * e;
    CHECK(lowest > -1 - 1.05 * speed * h);
    if (e > 0) CHECK(up && highest <= apex + 0.2 * speed * h && highest >= apex - 0.4 * speed * h);
    if (e == 0) CHECK_NEAR(dBodyGetPosition(b)[2], -1, 1e-3);
    dWorldDestroy(w);
}

/* ---- projection -------------------------------------------------------------------------------------------------- */

/* Two bodies are apart by d along an axis on which one is driven by a motor of any force: what is nearest in the metric
 * of the masses leaves their centre of mass where it was. A motor holds a rate, and no pose. */
static void motorsYield(ukIntegrator integrator)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 1, 0, 0, 0), b = ball(w, 3, 0, 0, 0);
    const dJointID j = dJointCreateSlider(w, NULL), joint = dJointCreateBall(w, NULL);
    dJointAttach(j, a, NULL);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamVel, 0);
    dJointSetSliderParam(j, dParamFMax, dInfinity);
    dJointAttach(joint, a, b);
    dJointSetBallAnchor(joint, 0, 0, 0);
    dBodySetPosition(b, 0.2, 0, 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    CHECK(ukWorldProject(w) == ukOk);
    CHECK_NEAR(dBodyGetPosition(a)[0], 0.15, 1e-9);
    CHECK_NEAR(dBodyGetPosition(b)[0], 0.15, 1e-9);
    dWorldDestroy(w);
}

/* ---- friction within a step -------------------------------------------------------------------------------------- */

/* m x'' = a t - mu m g after it lets go at t0 = mu m g / a */
static int ramp(const struct ukConstraintContext *context, dReal *force, void *data)
{
    force[0] = *(const double *)data * context->time;
    return 0;
}

static void letsGo(ukIntegrator integrator, double h)
{
    static double slope = 20;
    const double m = 2, mu = 0.3, t0 = mu * m * g / slope;
    const dWorldID w = newWorld(g);
    const dBodyID b = box(w, m, 0, 0, 0);
    const dJointID j = dJointCreateSlider(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetSliderAxis(j, 1, 0, 0);
    CHECK(ukJointSetCoulomb(j, mu, 0) == ukOk);
    CHECK(ukForceCreate(w, &b, 1, ramp, &slope) != NULL);
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    for (int i = 1; i <= 10; i++) {
        CHECK(ukWorldStep(w, h) == 1);
        const double past = fmax(0, i * h - t0);
        CHECK_NEAR(dBodyGetPosition(b)[0], slope * past * past * past / (6 * m), 1e-7);
        CHECK_NEAR(dBodyGetLinearVel(b)[0], slope * past * past / (2 * m), 1e-6);
    }
    dWorldDestroy(w);
}

/* v' = a - mu g v/|v| in a plane, by steps so small that their error is rounding */
static void slides(double v[2], const double a[2], double mu, double time)
{
    enum { Steps = 20000 };
    const double h = time / Steps;
    for (int i = 0; i < Steps; i++) {
        double k[4][2] = {{0}}, u[2];
        for (int s = 0; s < 4; s++) {
            const double weight = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
            for (int c = 0; c < 2; c++) u[c] = v[c] + (s > 0 ? weight * k[s - 1][c] : 0);
            for (int c = 0; c < 2; c++) k[s][c] = a[c] - mu * g * u[c] / hypot(u[0], u[1]);
        }
        for (int c = 0; c < 2; c++) v[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

/* a disc on a plane that is pushed across its motion: friction follows the sliding, within steps as well */
static void acrossItsMotion(ukIntegrator integrator, double h, double tolerance)
{
    const double m = 2, mu = 0.1, push[2] = {0, 0.9};
    const dWorldID w = newWorld(g);
    const dBodyID b = box(w, m, 0, 0, 0);
    const dJointID j = dJointCreatePlane2D(w, NULL);
    double v[2] = {1, 0};
    dJointAttach(j, b, NULL);
    dBodySetLinearVel(b, 1, 0, 0);
    CHECK(ukJointSetCoulomb(j, mu, 0) == ukOk);
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    for (double t = 0; t < 0.5 - 0.5 * h; t += h) {
        dBodyAddForce(b, 0, m * push[1], 0);
        CHECK(ukWorldStep(w, h) == 1);
    }
    slides(v, push, mu, 0.5);
    CHECK_NEAR(dBodyGetLinearVel(b)[0], v[0], tolerance);
    CHECK_NEAR(dBodyGetLinearVel(b)[1], v[1], tolerance);
    dWorldDestroy(w);
}

/* Friction of a ball joint depends on the size of its relative spin, and on no direction; Stribeck's as well. */
static double slowed(double x, double y, double z)
{
    const dWorldID w = newWorld(g);
    const dBodyID b = ball(w, 2, 0, 0, 0);
    const dJointID j = dJointCreateBall(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetBallAnchor(j, 0, 0, 0);
    dBodySetAngularVel(b, x, y, z);
    CHECK(ukJointSetCoulomb(j, 0.02, 0.1) == ukOk && ukJointSetStribeck(j, 0.08, 2) == ukOk);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(w, 0.001) == 1);
    const dReal *const s = dBodyGetAngularVel(b);
    const double left = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    dWorldDestroy(w);
    return left;
}

static int level(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[2] = A[12 + 6 + 2] = 1;
    b[0] = b[1] = 0;
    return 0;
}

/* each body of a constraint has the friction of its own load */
static void ownLoads(void)
{
    const double mu = 0.2, h = 0.01;
    const dWorldID w = newWorld(g);
    const dBodyID body[2] = {ball(w, 1, 0, 0, 0), ball(w, 3, 5, 0, 0)};
    for (int k = 0; k < 2; k++) dBodySetLinearVel(body[k], 1, 0, 0);
    const ukConstraintID c = ukConstraintCreate(w, 2, body, 2, level, NULL);
    CHECK(c != NULL && ukConstraintSetCoulomb(c, mu) == ukOk);
    for (int i = 1; i <= 3; i++) {
        CHECK(ukWorldStep(w, h) == 1);
        for (int k = 0; k < 2; k++) CHECK_NEAR(dBodyGetLinearVel(body[k])[0], 1 - mu * g * i * h, 1e-9);
    }
    dWorldDestroy(w);
}

/* a stop at the very place where its body is holds it */
static void atTheStop(void)
{
    for (int side = -1; side <= 1; side += 2) {
        const dWorldID w = newWorld(-side * g);
        const dBodyID b = ball(w, 1, 0, 0, 0);
        const dJointID j = dJointCreateSlider(w, NULL);
        dJointAttach(j, b, NULL);
        dJointSetSliderAxis(j, 0, 0, 1);
        dJointSetSliderParam(j, side < 0 ? dParamLoStop : dParamHiStop, 0);
        for (int i = 0; i < 3; i++) CHECK(ukWorldStep(w, 0.01) == 1);
        CHECK_NEAR(dBodyGetPosition(b)[2], 0, 1e-12);
        dWorldDestroy(w);
    }
}

/* ---- after a failure --------------------------------------------------------------------------------------------- */

typedef struct Failing {
    int calls, fails_at; /* 0: never */
} Failing;

static int sometimes(const struct ukConstraintContext *context, dReal *force, void *data)
{
    Failing *const f = data;
    force[2] = -3 * context->bodies[0].position[2] - context->bodies[0].velocity[2];
    return ++f->calls == f->fails_at;
}

static dWorldID failingWorld(ukIntegrator integrator, Failing *f)
{
    const dWorldID w = newWorld(g);
    const dBodyID a = box(w, 1, 0.5, 0, 0), b = box(w, 2, 1.5, 0.1, 0);
    const dJointID j = hinge(w, a, NULL, 0, 0, 0);
    hinge(w, a, b, 1, 0, 0);
    dBodySetAngularVel(b, 0, 2, 0);
    CHECK(ukJointSetCoulomb(j, 0.1, 0.1) == ukOk && ukJointSetViscous(j, 0.05) == ukOk);
    CHECK(ukForceCreate(w, &b, 1, sometimes, f) != NULL);
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk && ukWorldSetLedger(w, 1) == ukOk);
    return w;
}

/* what of a world is told: the hash of its state of motion, its time and its ledger */
typedef struct Seen {
    unsigned char hash[16];
    double time;
    ukLedger ledger;
} Seen;

static Seen look(dWorldID w)
{
    Seen seen = {.time = ukWorldGetTime(w)};
    CHECK(ukWorldHash(w, seen.hash) == ukOk && ukWorldGetLedger(w, &seen.ledger) == ukOk);
    return seen;
}

static bool same(const Seen *x, const Seen *y)
{
    return memcmp(x->hash, y->hash, sizeof x->hash) == 0 && x->time == y->time &&
           memcmp(&x->ledger, &y->ledger, sizeof x->ledger) == 0;
}

/* A step that a function fails leaves state, time and ledger as they were, and the steps after it are those of a world
 * in which none failed. */
static void goesOn(ukIntegrator integrator, int which, double h)
{
    Failing none = {0, 0}, f = {0, 0};
    const dWorldID x = failingWorld(integrator, &none), y = failingWorld(integrator, &f);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(x, h) == 1 && ukWorldStep(y, h) == 1);
    const Seen before = look(y);
    f = (Failing){0, which};
    if (ukWorldStep(y, h) == 1) { /* which is fewer calls than that */
        CHECK(which > 1 && f.calls < which);
        CHECK(ukWorldStep(x, h) == 1);
    } else {
        CHECK(ukGetLastError() == ukErrorCallback);
        const Seen after = look(y);
        if (!CHECK(same(&before, &after))) printf("integrator %d, call %d\n", integrator, which);
    }
    f.fails_at = 0;
    for (int i = 0; i < 5; i++) CHECK(ukWorldStep(x, h) == 1 && ukWorldStep(y, h) == 1);
    const Seen end = look(x), end_too = look(y);
    if (!CHECK(same(&end, &end_too))) printf("integrator %d, after call %d\n", integrator, which);
    dWorldDestroy(x), dWorldDestroy(y);
}

int main(void)
{
    dInitODE2(0);
    absoluteTolerance();
    splitProjects(0.01, 3);
    splitProjects(0.3, 40);
    splitProjects(1, 10);
    for (int k = 0; k < 3; k++) {
        splitBounces(ukStabilizeSplit, 0.5 * k, 0.01);
        splitBounces(ukStabilizeSplit, 0.5 * k, 0.007);
    }
    motorsYield(ukIntegratorRK4);
    motorsYield(ukIntegratorAdaptive);
    letsGo(ukIntegratorRK4, 0.05);
    letsGo(ukIntegratorRK4, 0.08);
    letsGo(ukIntegratorAdaptive, 0.08);
    acrossItsMotion(ukIntegratorRK4, 0.05, 1e-6);
    acrossItsMotion(ukIntegratorAdaptive, 0.1, 1e-7);
    acrossItsMotion(ukIntegratorEuler, 0.001, 2e-3);
    for (ukIntegrator i = ukIntegratorEuler; i <= ukIntegratorRattle; i++)
        for (int which = 1; which <= 9; which += 1 + (which > 4)) goesOn(i, which, 0.01);
    for (int which = 20; which <= 80; which += 20) goesOn(ukIntegratorAdaptive, which, 0.1);
    CHECK_NEAR(slowed(3, 0, 0), slowed(sqrt(3), -sqrt(3), sqrt(3)), 1e-9);
    CHECK(slowed(3, 0, 0) < 2.995);
    ownLoads();
    atTheStop();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The adaptive integrator: errors to a tolerance whatever the units, sub-steps that are cut and never accepted, stops
 * and dry friction inside a step, and steps that fail in words with the world as it was. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

typedef struct Sums {
    long substeps, rejected, discrete;
    double kinetic, gap;
} Sums;

static int run(dWorldID world, double h, int steps, Sums *sums)
{
    *sums = (Sums){0};
    for (int k = 0; k < steps; k++) {
        ukReport r;
        if (!CHECK(ukWorldStep(world, h) == 1)) printf("step %d: %s\n", k, ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(world, &r) == 0 && r.ok && r.fallbacks == 0);
        sums->substeps += r.substeps;
        sums->rejected += r.rejected;
        sums->discrete += r.discrete_islands;
        sums->kinetic = fmax(sums->kinetic, r.kinetic_energy);
        sums->gap = fmax(sums->gap, r.position_error);
    }
    return ukTestFailed == 0;
}

static void adaptive(dWorldID world, double relative)
{
    CHECK(ukWorldSetIntegrator(world, ukIntegratorAdaptive) == 0);
    CHECK(ukWorldSetTolerance(world, relative, 0) == 0);
}

static void arguments(void)
{
    const dWorldID world = dWorldCreate();
    CHECK(ukWorldSetTolerance(world, -1, 0) == ukErrorArgument);
    CHECK(ukWorldSetTolerance(world, 0, INFINITY) == ukErrorArgument);
    CHECK(ukWorldSetTolerance(world, NAN, 0) == ukErrorArgument);
    CHECK(ukWorldSetTolerance(world, 0, 1e-6) == 0);
    CHECK(ukWorldSetTolerance(NULL, 1e-6, 0) == ukErrorHandle);
    dWorldDestroy(world);
}

/* ten links of 0.1 kg with a ton at their end, which no fixed step of this size follows */
static void massRatio(void)
{
    Scene *s = sceneHeavyChain(10, 0);
    Sums sums;
    adaptive(s->world, 1e-8);
    const double start = sceneEnergy(s);
    run(s->world, 0.01, 30, &sums);
    CHECK_NEAR(fabs(sceneEnergy(s) - start) / sums.kinetic, 0, 1e-7);
    CHECK_NEAR(sums.gap, 0, 1e-12);
    CHECK(sums.substeps > 100 && sums.discrete == 0);
    sceneDestroy(s);
}

/* the energy's error follows the tolerance */
static void followsTheTolerance(void)
{
    static const double tolerance[] = {1e-4, 1e-7, 1e-10};
    double last = 1;
    long substeps = 0;
    for (int i = 0; i < 3; i++) {
        Scene *s = sceneBricard();
        Sums sums;
        adaptive(s->world, tolerance[i]);
        const double start = sceneEnergy(s);
        run(s->world, 0.1, 20, &sums);
        const double off = fabs(sceneEnergy(s) - start) / sums.kinetic;
        CHECK(off < 0.1 * last && off < 30 * tolerance[i] && sums.substeps > substeps);
        last = off;
        substeps = sums.substeps;
        sceneDestroy(s);
    }
}

/* However many sub-steps there are, their errors add up to the same. */
static void addsUp(void)
{
    static const double tolerance[] = {1e-8, 1e-10};
    double off[2];
    for (int i = 0; i < 2; i++) {
        Scene *s = sceneHeavyChain(2, 0);
        Sums sums;
        adaptive(s->world, tolerance[i]);
        const double start = sceneEnergy(s);
        run(s->world, 0.1, 20, &sums);
        off[i] = fabs(sceneEnergy(s) - start) / sums.kinetic;
        sceneDestroy(s);
    }
    CHECK(off[1] < 0.005 * off[0] && off[1] < 1e-10);
}

/* A chain of three in other units of length, mass and time. */
static void chainIn(double length, double mass, double time, Sums *sums, double place[3])
{
    const dWorldID world = dWorldCreate();
    dBodyID body[3];
    dMass m;
    dWorldSetGravity(world, 0, 3 * length / (time * time), -9.81 * length / (time * time));
    for (int i = 0; i < 3; i++) {
        const dJointID joint = dJointCreateHinge(world, 0);
        body[i] = dBodyCreate(world);
        dMassSetBoxTotal(&m, (i + 1) * mass, 0.5 * length, 0.1 * length, 0.2 * length);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], (0.25 + 0.5 * i) * length, 0, 0);
        dJointAttach(joint, body[i], i > 0 ? body[i - 1] : 0);
        dJointSetHingeAnchor(joint, 0.5 * i * length, 0, 0);
        dJointSetHingeAxis(joint, 0.2 * i, 1, 0.1);
    }
    adaptive(world, 1e-7);
    run(world, 0.05 * time, 40, sums);
    for (int k = 0; k < 3; k++) place[k] = dBodyGetPosition(body[2])[k] / length;
    dWorldDestroy(world);
}

static void withoutUnits(void)
{
    static const double unit[][3] = {{1e3, 1, 1}, {1e-3, 1, 1}, {1, 1e6, 1}, {1, 1e-6, 1}, {1, 1, 1e3}, {1, 1, 1e-3}};
    Sums as, sums;
    double at[3], place[3];
    chainIn(1, 1, 1, &as, at);
    for (int i = 0; i < 6; i++) {
        chainIn(unit[i][0], unit[i][1], unit[i][2], &sums, place);
        CHECK(sums.substeps == as.substeps && sums.rejected == as.rejected);
        CHECK_NEAR_ALL(place, at, 3, 1e-8);
    }
}

/* ---- a bead on a rail -------------------------------------------------------------------------------------------- */

static dBodyID beadOn(dWorldID world, dJointID *rail)
{
    const dBodyID bead = dBodyCreate(world);
    dMass m;
    dMassSetSphereTotal(&m, 2, 0.1);
    dBodySetMass(bead, &m);
    *rail = dJointCreateSlider(world, 0);
    dJointAttach(*rail, bead, 0);
    dJointSetSliderAxis(*rail, 1, 0, 0);
    return bead;
}

static int attract(const struct ukConstraintContext *context, dReal *force, void *data)
{
    const dReal x = context->bodies[0].position[0];
    (void)data;
    force[0] = -x / (fabs(x) * x * x);
    return 0;
}

/* It falls into a centre that attracts it with 1/x^2: there is no way on, and the joint is named. */
static void noWayOn(void)
{
    const dWorldID world = dWorldCreate();
    dJointID rail;
    dBodyID bead = beadOn(world, &rail);
    dBodySetPosition(bead, 0.5, 0, 0);
    adaptive(world, 1e-9);
    CHECK(ukForceCreate(world, &bead, 1, attract, NULL) != NULL);
    dReal x = 0.5, v = 0;
    int done = 1;
    for (int k = 0; k < 100 && done; k++) {
        x = dBodyGetPosition(bead)[0];
        v = dBodyGetLinearVel(bead)[0];
        done = ukWorldStep(world, 0.01);
    }
    CHECK(!done && ukGetLastError() == ukErrorNotConverged);
    CHECK(strstr(ukGetLastErrorMessage(), "slider joint 1") && strstr(ukGetLastErrorMessage(), "sub-steps of"));
    CHECK(dBodyGetPosition(bead)[0] == x && dBodyGetLinearVel(bead)[0] == v && x > 0);
    dWorldDestroy(world);
}

/* Dry friction brings it to rest at v^2 m/(2 mu N) and v m/(mu N), in the middle of a step, and holds it. */
static void comesToRest(void)
{
    const dWorldID world = dWorldCreate();
    dJointID rail;
    const dBodyID bead = beadOn(world, &rail);
    dWorldSetGravity(world, 0, 0, -9.81);
    dBodySetLinearVel(bead, 1.5, 0, 0);
    adaptive(world, 1e-9);
    CHECK(ukJointSetCoulomb(rail, 0.3, 1) == 0);
    Sums sums;
    run(world, 0.07, 20, &sums);
    CHECK_NEAR(dBodyGetPosition(bead)[0], 1.5 * 1.5 / (2 * 0.3 * 9.81), 1e-10);
    CHECK_NEAR(dBodyGetLinearVel(bead)[0], 0, 1e-12);
    CHECK(sums.discrete == 0);
    dWorldDestroy(world);
}

/* A stop that is reached within a step: the bead stops there, and rests. */
static void meetsAStop(void)
{
    const dWorldID world = dWorldCreate();
    dJointID rail;
    const dBodyID bead = beadOn(world, &rail);
    dBodySetLinearVel(bead, 1, 0, 0);
    dJointSetSliderParam(rail, dParamLoStop, -1);
    dJointSetSliderParam(rail, dParamHiStop, 0.2);
    adaptive(world, 1e-8);
    Sums sums;
    run(world, 0.03, 20, &sums);
    CHECK(sums.discrete == 0 && sums.substeps > 0);
    CHECK_NEAR(dBodyGetPosition(bead)[0], 0.2, 1e-10);
    CHECK_NEAR(dBodyGetLinearVel(bead)[0], 0, 1e-10);
    dWorldDestroy(world);
}

/* The ledger of sub-steps: what is left is the integrator's own error. */
static void booked(void)
{
    Scene *s = sceneFourBar();
    ukLedger l;
    Sums sums;
    adaptive(s->world, 1e-8);
    CHECK(ukWorldSetLedger(s->world, 1) == 0);
    run(s->world, 0.1, 20, &sums);
    CHECK(ukWorldGetLedger(s->world, &l) == 0);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK_NEAR(l.integration, 0, 1e-5);
    CHECK(sums.substeps > 25);
    sceneDestroy(s);
}

/* What is saved goes on as if nothing had been: the sub-steps that were chosen are part of it. */
static void goesOnFromASave(void)
{
    static char saved[1 << 20];
    Scene *s = sceneFourBar();
    dReal once[9], again[9];
    Sums first, second;
    adaptive(s->world, 1e-7);
    run(s->world, 0.1, 5, &first);
    const size_t size = ukWorldSave(s->world, saved, sizeof saved);
    CHECK(size > 0 && size <= sizeof saved);
    run(s->world, 0.1, 5, &first);
    sceneNote(s, once);
    CHECK(ukWorldSetTolerance(s->world, 1e-3, 0) == 0);
    run(s->world, 0.07, 3, &second);
    CHECK(ukWorldRestore(s->world, saved, size) == 0);
    run(s->world, 0.1, 5, &second);
    sceneNote(s, again);
    CHECK(memcmp(once, again, sizeof once) == 0);
    CHECK(first.substeps == second.substeps && first.rejected == second.rejected);
    sceneDestroy(s);
}

/* ---- stiff forces ------------------------------------------------------------------------------------------------ */

/* spring [N/m], damper [Ns/m] */
typedef struct Shock {
    double spring, damper;
    long calls;
} Shock;

static int shock(const struct ukConstraintContext *context, dReal *force, void *data)
{
    Shock *of = data;
    of->calls++;
    force[0] = -of->spring * context->bodies[0].position[0] - of->damper * context->bodies[0].velocity[0];
    return 0;
}

/* A bead at a damper whose rate is 20 000/s, and a spring that takes a second. Explicit sub-steps would be 6000 a
 * second; x = (l2 e^(l1 t) - l1 e^(l2 t)) / (l2 - l1). */
static void stiffBead(void)
{
    const dWorldID world = dWorldCreate();
    dJointID rail;
    dBodyID bead = beadOn(world, &rail);
    Shock of = {.spring = 4e4, .damper = 4e4};
    dBodySetPosition(bead, 1, 0, 0);
    adaptive(world, 1e-8);
    CHECK(ukForceCreate(world, &bead, 1, shock, &of) != NULL);
    Sums sums;
    run(world, 0.1, 20, &sums);
    const double half = 0.25 * of.damper, root = sqrt(half * half - 0.5 * of.spring);
    const double slow = -0.5 * of.spring / (half + root), fast = -half - root;
    CHECK_NEAR(dBodyGetPosition(bead)[0], (fast * exp(slow * 2) - slow * exp(fast * 2)) / (fast - slow), 1e-7);
    CHECK(sums.substeps < 400 && of.calls < 6000);
    ukWorldSetTolerance(world, 1e-4, 0);
    of.damper = 0, of.spring = 2; /* and when it is stiff no more, explicit sub-steps take over again */
    run(world, 0.2, 100, &sums);
    of.calls = 0;
    run(world, 0.2, 10, &sums);
    CHECK(of.calls <= 7 * (sums.substeps + sums.rejected) + 10);
    dWorldDestroy(world);
}

/* the bead of a pendulum on a spring of a rod's stiffness, drawn to the origin from a metre */
static int rod(const struct ukConstraintContext *context, dReal *force, void *data)
{
    const ukBodyState *b = context->bodies;
    double along = 0, length = 0;
    for (int k = 0; k < 3; k++) length += b->position[k] * b->position[k];
    length = sqrt(length);
    for (int k = 0; k < 3; k++) along += b->position[k] * b->velocity[k] / length;
    for (int k = 0; k < 3; k++) force[k] = -(1e8 * (length - 1) + 1e5 * along) * b->position[k] / length;
    ++*(long *)data;
    return 0;
}

/* It swings as one of a rod: from the horizontal, v^2 = 2 g z at every moment, to what the spring gives. */
static void stiffPendulum(void)
{
    const dWorldID world = dWorldCreate();
    dBodyID bead = dBodyCreate(world);
    dMass m;
    long calls = 0;
    dMassSetSphereTotal(&m, 1, 0.1);
    dBodySetMass(bead, &m);
    dBodySetPosition(bead, 1, 0, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    adaptive(world, 1e-7);
    CHECK(ukForceCreate(world, &bead, 1, rod, &calls) != NULL);
    for (int k = 0; k < 30; k++) {
        Sums sums;
        run(world, 0.1, 1, &sums);
        const dReal *x = dBodyGetPosition(bead), *v = dBodyGetLinearVel(bead);
        CHECK_NEAR(0.5 * (v[0] * v[0] + v[2] * v[2]) + 9.81 * x[2], 0, 2e-5);
        CHECK_NEAR(sqrt(x[0] * x[0] + x[2] * x[2]), 1, 1e-6);
    }
    CHECK(calls < 200000); /* explicit sub-steps: 100 000/s / 3.3 * 6 calls * 3 s = 545 000 */
    dWorldDestroy(world);
}

/* Two rods on hinges that set off faster than their largest angular speed, for 0.2 s; the most that they turn by. */
static Scene *cappedChain(ukIntegrator integrator, double h, double erp, double *most, int *substeps)
{
    Scene *s = sceneHingeChain(2);
    CHECK(ukWorldSetIntegrator(s->world, integrator) == 0);
    dWorldSetERP(s->world, erp);
    for (int i = 0; i < 2; i++) {
        const dReal *x = dBodyGetPosition(s->bodies[i]), rate = 3;
        dBodySetAngularVel(s->bodies[i], 0, rate, 0);
        dBodySetLinearVel(s->bodies[i], 0, 0, -rate * x[0]);
        dBodySetMaxAngularSpeed(s->bodies[i], 2.5);
    }
    CHECK(ukWorldResetLedger(s->world) == 0);
    *most = *substeps = 0;
    for (int k = 0; k < lround(0.2 / h); k++) {
        ukReport report;
        if (!CHECK(ukWorldStep(s->world, h) == 1)) printf("step %d: %s\n", k, ukGetLastErrorMessage());
        for (int i = 0; i < 2; i++) {
            const dReal *w = dBodyGetAngularVel(s->bodies[i]);
            *most = fmax(*most, sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
        }
        CHECK(ukWorldGetReport(s->world, &report) == 0);
        *substeps += report.substeps;
    }
    return s;
}

/* dBodySetMaxAngularSpeed: kept at the end of each of the user's steps, by velocities that the joints allow; what ODE's
 * steps come to as they get shorter. No sub-step is shorter for it. */
static void capped(void)
{
    static const ukIntegrator by[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    double most;
    int substeps;
    Scene *limit = cappedChain(ukIntegratorEuler, 1e-4, 0.8, &most, &substeps);
    const dReal *to = dBodyGetPosition(limit->bodies[1]);
    for (int i = 0; i < 3; i++) {
        Scene *s = cappedChain(by[i], 0.01, 0.2, &most, &substeps);
        const dReal *x = dBodyGetPosition(s->bodies[1]);
        dVector3 anchor, one, other;
        ukLedger ledger;
        CHECK(ukWorldGetLedger(s->world, &ledger) == 0);
        CHECK_NEAR(ledger.residual, 0, 1e-12);
        CHECK(ledger.damping < -0.01); /* of 0.2 J */
        CHECK(most <= 2.5 * (1 + 1e-15));
        CHECK(substeps < 60);
        CHECK(sceneGap(s) < 1e-12);
        dJointGetHingeAnchor(s->joints[1], anchor);
        dBodyGetPointVel(s->bodies[0], anchor[0], anchor[1], anchor[2], one);
        dBodyGetPointVel(s->bodies[1], anchor[0], anchor[1], anchor[2], other);
        for (int k = 0; k < 3; k++) CHECK_NEAR(one[k], other[k], 1e-9);
        for (int k = 0; k < 3; k++) CHECK_NEAR(x[k], to[k], 0.012);
        sceneDestroy(s);
    }
    sceneDestroy(limit);
}

/* What a joint itself drives beyond it is cut as ODE cuts it, and driven again. */
static void cappedMotor(void)
{
    dWorldID world = dWorldCreate();
    dBodyID bar = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, 1, 0.5, 0.1, 0.1);
    dBodySetMass(bar, &m);
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, bar, NULL);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeParam(hinge, dParamVel, 5);
    dJointSetHingeParam(hinge, dParamFMax, dInfinity);
    dBodySetMaxAngularSpeed(bar, 2);
    adaptive(world, 1e-8);
    for (int k = 0; k < 3; k++) {
        CHECK(ukWorldStep(world, 0.1) == 1);
        CHECK_NEAR(dBodyGetAngularVel(bar)[2], 2, 1e-14);
    }
    dWorldDestroy(world);
}

/* A net that starts flat: what its rows hold at second order, accelerations do not know. Poses take it out of its
 * plane, and it keeps its energy. */
static void startsFlat(int n, double h, int steps)
{
    Scene *s = sceneNet(n, 1);
    Sums sums;
    adaptive(s->world, 1e-8);
    const double start = sceneEnergy(s);
    run(s->world, h, steps, &sums);
    CHECK_NEAR(fabs(sceneEnergy(s) - start) / sums.kinetic, 0, 1e-6);
    CHECK_NEAR(sums.gap, 0, 1e-11);
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    capped();
    cappedMotor();
    arguments();
    massRatio();
    followsTheTolerance();
    addsUp();
    withoutUnits();
    noWayOn();
    startsFlat(3, 0.01, 20);
    startsFlat(5, 0.002, 100);
    comesToRest();
    meetsAStop();
    booked();
    goesOnFromASave();
    stiffBead();
    stiffPendulum();
    dCloseODE();
    return ukTestEnd();
}

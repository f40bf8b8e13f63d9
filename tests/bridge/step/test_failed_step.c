/* SPDX-License-Identifier: BSD-3-Clause */
/* A step that cannot be taken returns 0, says what it failed on, and leaves every bit of the world as it was; what is
 * no number never reaches ODE, which would abort. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/ode/ode.h"
#include "bridge/world/registry.h"
#include "demos/scenes.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/body_state.h"

/* all that ODE holds of a body, and what is kept for its auto-disable */
typedef struct Bits {
    BodyState state;
    int enabled, steps_left, counter;
    dReal time_left;
} Bits;

static Bits bitsOf(dBodyID b)
{
    Bits s;
    const ukBody *record = ukRegistryBody(b);
    memset(&s, 0, sizeof s); /* padding, too */
    s.state = bodyStateOf(b);
    s.enabled = dBodyIsEnabled(b);
    s.steps_left = record->sleep.steps_left;
    s.time_left = record->sleep.time_left;
    s.counter = (int)record->sleep.counter;
    return s;
}

static bool same(dBodyID b, const Bits *before)
{
    const Bits now = bitsOf(b);
    return memcmp(&now, before, sizeof now) == 0;
}

static double uniform(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

/* refused, with `what` in its words */
static void refused(dWorldID world, dReal h, int status, const char *what)
{
    CHECK(ukWorldStep(world, h) == 0);
    CHECK(ukGetLastError() == status);
    if (!CHECK(strstr(ukGetLastErrorMessage(), what) != NULL)) printf("    %s\n", ukGetLastErrorMessage());
}

/* ODE walks bodies newest first: what is made last is stepped first, and then an island fails that cannot be */
static void everyBit(void)
{
    for (int trial = 0; trial < 100; trial++) {
        const dWorldID world = dWorldCreate();
        const dBodyID bad = dBodyCreate(world), b = dBodyCreate(world);
        const dQuaternion q = {uniform(), uniform(), uniform(), uniform()};
        dWorldSetGravity(world, 0, 0, -9.81);
        dBodySetQuaternion(b, q);
        dBodySetLinearVel(b, uniform(), uniform(), uniform());
        dBodySetAngularVel(b, uniform(), uniform(), uniform());
        dBodyAddForce(b, uniform(), uniform(), uniform());
        dBodyAddTorque(b, uniform(), uniform(), uniform());
        dBodyAddForce(bad, NAN, 0, 0);
        const Bits before = bitsOf(b);
        for (int k = 0; k < 3; k++) refused(world, 0.01, ukErrorNotFinite, "body 1: its force is not finite");
        CHECK(same(b, &before));
        dBodySetForce(bad, 0, 0, 0);
        CHECK(ukWorldStep(world, 0.01) == 1 && !same(b, &before));
        dWorldDestroy(world);
    }
}

/* one body falls asleep in the step that fails, another one wakes up */
static void sleepers(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID bad = dBodyCreate(world), still = dBodyCreate(world), woken = dBodyCreate(world);
    const dBodyID awake = dBodyCreate(world);
    const dJointID hold = dJointCreateBall(world, 0), wake = dJointCreateBall(world, 0);
    dJointAttach(hold, still, 0);
    dJointAttach(wake, awake, woken);
    dBodySetAutoDisableFlag(still, 1);
    dBodySetAutoDisableSteps(still, 1);
    dBodySetAutoDisableTime(still, 0.004);
    dBodyEnable(still);
    dBodySetLinearVel(still, 1e-5, 2e-5, 3e-5);
    dBodyDisable(woken);
    dBodySetAngularVel(awake, 1, 2, 3);
    dBodyAddForce(bad, NAN, 0, 0);
    const Bits before[] = {bitsOf(still), bitsOf(woken), bitsOf(awake)};
    for (int k = 0; k < 3; k++) refused(world, 0.005, ukErrorNotFinite, "body 1");
    CHECK(same(still, &before[0]) && same(woken, &before[1]) && same(awake, &before[2]));
    dBodySetForce(bad, 0, 0, 0);
    CHECK(ukWorldStep(world, 0.005) == 1);
    CHECK(!dBodyIsEnabled(still) && dBodyIsEnabled(woken));
    dWorldDestroy(world);
}

/* a gear's phases and a motor's Euler angles advance with the step, or do not */
static void runningValues(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID bad = dBodyCreate(world), a = dBodyCreate(world), b = dBodyCreate(world);
    const dJointID motor = dJointCreateAMotor(world, 0), gear = dJointCreateTransmission(world, 0);
    dBodySetPosition(b, 2, 0, 0);
    dJointAttach(motor, a, b);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    dJointAttach(gear, a, b);
    dJointSetTransmissionAxis(gear, 0, 0, 1);
    dJointSetTransmissionAnchor1(gear, 0, 0, 0);
    dJointSetTransmissionAnchor2(gear, 2, 0, 0);
    dBodySetAngularVel(a, 0, 0, 1);
    dBodySetAngularVel(b, 0, 0, -1);
    for (int k = 0; k < 5; k++) CHECK(ukWorldStep(world, 0.01) == 1);
    const dReal angle = dJointGetAMotorAngle(motor, 2), phase = dJointGetTransmissionAngle1(gear);
    dBodyAddForce(bad, NAN, 0, 0);
    for (int k = 0; k < 3; k++) refused(world, 0.01, ukErrorNotFinite, "body 1");
    CHECK(dJointGetAMotorAngle(motor, 2) == angle && dJointGetTransmissionAngle1(gear) == phase);
    dBodySetForce(bad, 0, 0, 0);
    CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(dJointGetAMotorAngle(motor, 2) != angle && dJointGetTransmissionAngle1(gear) != phase);
    dWorldDestroy(world);
}

/* ---- the saved state ---- */

static int calls_left; /* of a user's function until it answers with an error; 0: it does not */

static int pull(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    for (int k = 0; k < 3; k++) force[k] = -30 * c->bodies[0].position[k] - c->bodies[0].velocity[k];
    return calls_left > 0 && --calls_left == 0 ? -1 : 0;
}

static int turnRow(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)data;
    A[5] = 1;
    b[0] = 0.2;
    return 0;
}

static dBodyID link(dWorldID world, dReal x)
{
    const dBodyID b = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 0.5, 0.2, 0.1);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, 0, 0);
    return b;
}

/* Three islands, the newest first: a swinging arm with friction, a reported force and an Euler motor, which drives a
 * body that a constraint turns; a body that hangs, whose joint reports to the same dJointFeedback; a body that a user's
 * force pulls, or one whose force is not finite. */
static dWorldID threeIslands(dJointFeedback *feedback, dBodyID *bad)
{
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    *bad = link(world, 5);
    CHECK(ukForceCreate(world, bad, 1, pull, NULL) != NULL);
    const dBodyID hung = link(world, 7), turned = link(world, 3), arm = link(world, 0.3);
    const dJointID ball = dJointCreateBall(world, 0);
    dJointAttach(ball, hung, 0);
    dJointSetBallAnchor(ball, 7.2, 0, 0.1);
    dJointSetFeedback(ball, feedback);
    CHECK(ukConstraintCreate(world, 1, &turned, 1, turnRow, NULL) != NULL);
    const dJointID hinge = dJointCreateHinge(world, 0), motor = dJointCreateAMotor(world, 0);
    dJointAttach(hinge, arm, 0);
    dJointSetHingeAnchor(hinge, 0.1, 0, 0.02);
    dJointSetHingeAxis(hinge, 0, 1, 0.1);
    dJointSetFeedback(hinge, feedback);
    CHECK(ukJointSetCoulomb(hinge, 0.2, 0.05) == 0);
    dJointAttach(motor, arm, turned);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    CHECK(ukWorldSetLedger(world, 1) == 0);
    return world;
}

/* fails as asked and changes no byte of the saved state, nor what a program reads in its dJointFeedback */
static void failsUnchanged(dWorldID world, const dJointFeedback *feedback, int calls)
{
    const size_t size = ukWorldSave(world, NULL, 0);
    unsigned char *before = malloc(size), *after = malloc(size);
    const dJointFeedback told = *feedback;
    ukLedger power[2];
    CHECK(size > 0 && ukWorldSave(world, before, size) == size && ukWorldGetPower(world, &power[0]) == 0);
    calls_left = calls;
    CHECK(ukWorldStep(world, 0.01) == 0 && calls_left == 0);
    CHECK(ukWorldSave(world, NULL, 0) == size && ukWorldSave(world, after, size) == size);
    CHECK(memcmp(before, after, size) == 0 && memcmp(&told, feedback, sizeof told) == 0);
    CHECK(ukWorldGetPower(world, &power[1]) == 0 && memcmp(&power[0], &power[1], sizeof *power) == 0);
    free(before);
    free(after);
}

static void savedState(void)
{
    for (int integrator = ukIntegratorEuler; integrator <= ukIntegratorRattle; integrator++)
        for (int way = 0; way < 2; way++) {
            dJointFeedback feedback;
            dBodyID bad;
            memset(&feedback, 0, sizeof feedback);
            const dWorldID world = threeIslands(&feedback, &bad);
            CHECK(ukWorldSetIntegrator(world, (ukIntegrator)integrator) == 0);
            dWorldSetERP(world, 0.3);
            for (int step = 0; step < 6; step++) { /* the first one, too */
                const int later = integrator == ukIntegratorEuler ? 0 : step % 2;
                if (way == 1) dBodyAddForce(bad, INFINITY, 0, 0);
                for (int k = 0; k < 2; k++) failsUnchanged(world, &feedback, way == 0 ? 1 + later : 0);
                dBodySetForce(bad, 0, 0, 0);
                CHECK(ukWorldStep(world, 0.01) == 1);
            }
            CHECK(feedback.f1[0] != 0);
            dWorldDestroy(world);
        }
}

static int fallbacks(dWorldID world)
{
    ukReport report;
    return ukWorldGetReport(world, &report) == 0 ? report.fallbacks : -1;
}

/* dWorldStep of an enabled world: 0, as when ODE has no memory, and never ODE's own step, which would abort */
static void interposed(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID bad = dBodyCreate(world), b = dBodyCreate(world);
    CHECK(ukWorldEnable(world) == 0);
    dBodyAddForce(bad, NAN, 0, 0);
    const Bits before = bitsOf(b);
    CHECK(dWorldStep(world, 0.01) == 0 && dWorldQuickStep(world, 0.01) == 0);
    CHECK(ukGetLastError() == ukErrorNotFinite && same(b, &before));
    dBodySetForce(bad, 0, 0, 0);
    dContact contact = {.surface.mu = NAN, .geom.normal = {0, 0, 1}};
    const dJointID touch = dJointCreateContact(world, 0, &contact);
    dJointAttach(touch, b, 0);
    CHECK(dWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorParameter);
    CHECK(strstr(ukGetLastErrorMessage(), "contact joint 1") != NULL);
    dJointDestroy(touch);
    CHECK(dWorldStep(world, 0) == 0 && ukGetLastError() == ukErrorStepsize);
    CHECK(dWorldStep(world, 0.01) == 1 && fallbacks(world) == 0);
    dWorldDestroy(world);
}

/* where the user asks for it, and where only ODE knows a joint, the step is ODE's own; but not with what it aborts on
 */
static void leftToOde(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID bad = dBodyCreate(world), b = dBodyCreate(world);
    const dJointID ball = dJointCreateBall(world, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dJointAttach(ball, b, 0);
    dJointSetBallAnchor(ball, 1, 0.3, 0);
    CHECK(ukWorldEnable(world) == 0);
    CHECK(ukWorldSetGaussCheck(world, 1e-300, ukCheckFallback) == 0);
    CHECK(dWorldStep(world, 0.01) == 1 && fallbacks(world) == 1);
    dBodyAddForce(bad, NAN, 0, 0);
    CHECK(dWorldStep(world, 0.01) == 0 && fallbacks(world) == 1);
    CHECK(strstr(ukGetLastErrorMessage(), "body 1: its force") != NULL);
    dBodySetForce(bad, 0, 0, 0);
    CHECK(ukWorldSetGaussCheck(world, 1e-300, ukCheckStop) == 0);
    CHECK(dWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorCheck && fallbacks(world) == 1);
    CHECK(ukWorldSetGaussCheck(world, 1e-10, ukCheckWarn) == 0);

    dContact contact = {.surface.mu = 1, .geom.normal = {0, 0, 1}};
    const dJointID unseen = ukOde.dJointCreateContact(world, 0, &contact);
    const dBodyID bodies[] = {bad, b};
    dJointAttach(unseen, b, 0);
    CHECK(ukWorldAttach(world, bodies, 2) == 0);
    CHECK(dWorldStep(world, 0.01) == 1 && fallbacks(world) == 2);
    dWorldDestroy(world);
}

static void overflows(dReal speed, dReal spin, dReal h, const char *what)
{
    const dWorldID world = dWorldCreate();
    dBodyCreate(world);
    const dBodyID b = dBodyCreate(world), first = dBodyCreate(world);
    dBodySetGyroscopicMode(b, 0);
    dBodySetLinearVel(first, 1, 0, 0);
    dBodySetLinearVel(b, speed, 0, 0);
    dBodySetAngularVel(b, spin, 0, 0);
    const Bits before = bitsOf(b), other = bitsOf(first);
    refused(world, h, ukErrorNotFinite, what);
    CHECK(same(b, &before) && same(first, &other));
    dBodySetLinearVel(b, 0, 0, 0);
    dBodySetAngularVel(b, 0, 0, 0);
    CHECK(ukWorldStep(world, 0.01) == 1);
    dWorldDestroy(world);
}

/* finite states, and forces, whose step is not */
static void overflow(void)
{
    overflows(1e308, 0, 10, "body 2: its new position");
    overflows(0, 1e200, 0.01, "body 2: its new orientation");
    overflows(0, 1e308, 10, "body 2: its new orientation");

    const dWorldID world = dWorldCreate();
    const dBodyID b = dBodyCreate(world);
    dBodySetLinearVel(b, 1.7e308, 0, 0);
    dBodyAddForce(b, 1e308, 0, 0);
    refused(world, 1, ukErrorNotFinite, "body 1: its new position");
    dBodySetForce(b, 0, 0, 0);
    dBodySetLinearVel(b, 1e300, 0, 0);
    dBodySetLinearDamping(b, 1e10);
    refused(world, 1e-3, ukErrorNotFinite, "body 1: its new velocity");
    dBodySetLinearDamping(b, 0);
    dBodySetLinearVel(b, 0, 0, 0);
    dBodySetMaxAngularSpeed(b, 10); /* of a spin whose square is no number */
    dBodySetGyroscopicMode(b, 0);
    dBodySetAngularVel(b, 3e200, 4e200, 0);
    CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK_NEAR(dBodyGetAngularVel(b)[0], 6, 1e-14);
    CHECK_NEAR(dBodyGetAngularVel(b)[1], 8, 1e-14);
    dWorldDestroy(world);
}

static int drag(const struct ukConstraintContext *context, dReal *force, void *data)
{
    const dReal *w = context->bodies[0].spin;
    (void)data;
    for (int i = 0; i < 3; i++) force[3 + i] = -0.5 * fabs(w[i]) * w[i];
    return 0;
}

/* a drag that is too strong for the step: the spin squares each time */
static void blowUp(void)
{
    for (int rk4 = 0; rk4 < 2; rk4++) {
        const dWorldID world = dWorldCreate();
        const dBodyID b = dBodyCreate(world);
        dBodySetGyroscopicMode(b, 0);
        dBodySetAngularVel(b, 100, 0, 0);
        CHECK(ukForceCreate(world, &b, 1, drag, NULL) != NULL);
        CHECK(ukWorldSetIntegrator(world, rk4 ? ukIntegratorRK4 : ukIntegratorEuler) == 0);
        Bits before = bitsOf(b);
        int steps = 0;
        for (; steps < 20 && ukWorldStep(world, 0.1) == 1; steps++) before = bitsOf(b);
        CHECK(steps < 20 && same(b, &before) && isfinite(dBodyGetAngularVel(b)[0]));
        if (rk4) /* told before it is infinite: a step makes the spin larger, against the drag */
            CHECK(ukGetLastError() == ukErrorNotConverged && strstr(ukGetLastErrorMessage(), "body 1") != NULL);
        else
            CHECK(ukGetLastError() == ukErrorNotFinite || ukGetLastError() == ukErrorCallback);
        dWorldDestroy(world);
    }
}

static int rail(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[0] = 1;
    b[0] = 0;
    return 0;
}

static int farAway(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = -1.7e308;
    psi[0] = context->bodies[0].velocity[0];
    return 0;
}

/* what ukWorldProject would write is looked at, too */
static void projected(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID b = dBodyCreate(world);
    const ukConstraintID constraint = ukConstraintCreate(world, 1, &b, 1, rail, NULL);
    CHECK(constraint && ukConstraintSetError(constraint, farAway, NULL) == 0);
    dBodySetPosition(b, 1e308, 0, 0);
    const Bits before = bitsOf(b);
    CHECK(ukWorldProject(world) == ukErrorNotFinite);
    CHECK(strstr(ukGetLastErrorMessage(), "body 1: its new position") != NULL);
    CHECK(same(b, &before));
    dWorldDestroy(world);
}

static struct {
    dWorldID world;
    dBodyID body;
    int calls, at;
} doomed;

static void destroy(void)
{
    if (++doomed.calls != doomed.at) return;
    if (doomed.body)
        dBodyDestroy(doomed.body);
    else
        dWorldDestroy(doomed.world);
}

static int destroyingForce(const struct ukConstraintContext *context, dReal *force, void *data)
{
    (void)context, (void)force, (void)data;
    destroy();
    return 0;
}

static void destroyingLaw(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    (void)context, (void)force, (void)data;
    destroy();
}

/* a force or a law that destroys its body, or the world, in the `at`-th call of a step */
static void destroyed(bool law, bool whole, bool rk4, bool ledger, int at)
{
    const dWorldID world = dWorldCreate();
    const dBodyID b = dBodyCreate(world), other = dBodyCreate(world);
    const dJointID hinge = dJointCreateHinge(world, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dJointAttach(hinge, b, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    ukWorldSetIntegrator(world, rk4 ? ukIntegratorRK4 : ukIntegratorEuler);
    ukWorldSetLedger(world, ledger);
    if (law)
        ukJointSetNonIdeal(hinge, destroyingLaw, NULL);
    else
        ukForceCreate(world, &b, 1, destroyingForce, NULL);
    doomed.world = world;
    doomed.body = whole ? NULL : b;
    doomed.calls = 0;
    doomed.at = at;
    const Bits before = bitsOf(other);
    refused(world, 0.01, ukErrorChanged, law ? "hinge joint 1" : "user force 1");
    CHECK(doomed.calls == at);
    if (whole) return;
    CHECK(same(other, &before));
    CHECK(ukWorldStep(world, 0.01) == 1);
    dWorldDestroy(world);
}

static void destroyedInside(void)
{
    for (int k = 0; k < 16; k++)
        for (int at = 1; at <= (k & 4 ? 4 : 1); at++) destroyed(k & 1, k & 2, k & 4, k & 8, at);
}

static dReal seen[3];

static void look(dBodyID b)
{
    memcpy(seen, dBodyGetForce(b), sizeof seen);
}

/* what a moved callback sees of a kinematic body's force: its weight, as ODE has it */
static void kinematicCallback(void)
{
    dReal native[3];
    for (int ours = 0; ours < 2; ours++) {
        const dWorldID world = dWorldCreate();
        const dBodyID b = dBodyCreate(world);
        dWorldSetGravity(world, 1, 2, -9.81);
        dBodyAddForce(b, 0.5, 0, 0);
        dBodySetKinematic(b);
        dBodySetMovedCallback(b, look);
        CHECK((ours ? ukWorldStep(world, 0.01) : dWorldStep(world, 0.01)) == 1);
        if (!ours) memcpy(native, seen, sizeof native);
        dWorldDestroy(world);
    }
    CHECK(native[2] == -9.81 && memcmp(native, seen, sizeof native) == 0);
}

/* Ten light links with a ton at their end, in steps too long for them: told, and never thrown about. */
static void tooLong(void)
{
    Scene *s = sceneHeavyChain(10, 0);
    int steps = 0;
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    while (steps < 100 && ukWorldStep(s->world, 0.01) == 1) steps++;
    CHECK(steps < 100 && ukGetLastError() == ukErrorNotConverged && strstr(ukGetLastErrorMessage(), "hinge joint"));
    if (!CHECK(sceneGap(s) < 1e-3 && sceneFastest(s) < 100)) printf("    gap %g m\n", sceneGap(s));
    sceneDestroy(s);
}

/* A net that starts flat: accelerations know nothing of the second order that opens it, and where its rows cease to
 * depend on one another is anywhere in a step. It is passed with the energy of its first fall, or told with the joint's
 * name, and nothing has moved then. */
static void startsFlat(int n, dReal h)
{
    Scene *s = sceneNet(n, 1);
    const double start = sceneEnergy(s);
    ukReport r;
    double kinetic = 0;
    int steps = 0;
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    Bits before = bitsOf(s->bodies[n * n / 2]);
    for (; steps < 10 && ukWorldStep(s->world, h) == 1; steps++) {
        CHECK(ukWorldGetReport(s->world, &r) == 0 && r.feasibility < 1e-6);
        kinetic = r.kinetic_energy;
        before = bitsOf(s->bodies[n * n / 2]);
    }
    if (steps < 10)
        CHECK(same(s->bodies[n * n / 2], &before) && strncmp(ukGetLastErrorMessage(), "ball joint ", 11) == 0);
    if (!CHECK(fabs(sceneEnergy(s) - start) <= 2e-3 * kinetic && sceneGap(s) < 1e-9))
        printf("    %d x %d, %g s: %d steps, %g of %g J, gap %g m\n", n, n, h, steps, sceneEnergy(s) - start, kinetic,
               sceneGap(s));
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    everyBit();
    sleepers();
    runningValues();
    savedState();
    interposed();
    leftToOde();
    overflow();
    blowUp();
    projected();
    tooLong();
    for (int n = 3; n <= 10; n++)
        for (int k = 0; k < 7; k++) startsFlat(n, ((const dReal[]){0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4})[k]);
    destroyedInside();
    kinematicCallback();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings of inputs that begin in the middle of a run, of runs that are restored to an earlier state, and of
 * callbacks that step the world from within a step of ODE's own: replayed, every step has the hash that was
 * recorded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/recording/sqlite.h"
#include "plugin/tools/replay/run.h"
#include "tests/check.h"
#include "tests/support/keep_scenes.h"
#include "tests/support/plain_world.h"

enum { Moments = 3, Recorded = 60, Skipped = 77 };

static unsigned int seed = 7;

static int below(int n)
{
    seed = seed * 1103515245u + 12345u;
    return (int)(seed >> 16) % n;
}

static void steps(Kept *k, int count)
{
    for (int i = 0; i < count; i++) keptStep(k);
}

static bool replayed(const char *path)
{
    const ukReplayOptions options = {.path = path, .to = HUGE_VAL};
    return ukReplayRun(&options) == 0;
}

/* recorded from a random moment on; `back`: and taken back on the way to an earlier state, of before the recording and
 * of within it */
static void scene(const char *name, const char *path, bool back)
{
    const ukRecordOptions options = {.inputs = 1};
    Kept *const k = keptMake(name);
    const dWorldID world = k->scene->world;
    steps(k, 1 + below(40));
    const size_t size = back ? ukWorldSave(world, NULL, 0) : 0;
    void *const saved = malloc(size + 1);
    const int number = k->step;
    if (!CHECK(saved && ukWorldSave(world, saved, size) >= size)) exit(1);
    steps(k, below(40));
    if (!CHECK(ukWorldRecord(world, path, &options) == ukOk)) printf("%s: %s\n", name, ukGetLastErrorMessage());
    steps(k, Recorded);
    for (int i = 0; back && i < 2; i++) {
        CHECK(ukWorldRestore(world, saved, size) == ukOk);
        k->step = number;
        steps(k, Recorded);
        if (i == 0) CHECK(ukWorldSave(world, saved, size) > 0);
    }
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    keptDestroy(k);
    free(saved);
    if (!CHECK(replayed(path))) printf("%s: the replay differs\n", name);
    unlink(path);
}

/* anchors and axes are set again, and joints attached anew, before the recording begins and in it */
static void changed(const char *path)
{
    const ukRecordOptions options = {.inputs = 1};
    Kept *const k = keptMake("motors");
    const dWorldID world = k->scene->world;
    for (int i = 0; i < 40; i++) {
        for (int n = 0; n < ukWorldGetJointCount(world); n++) {
            const dJointID j = ukWorldGetJoint(world, n);
            const dReal turn = 0.01 * (i + n);
            if (dJointGetType(j) == dJointTypeHinge) dJointSetHingeAxis(j, turn, 1, 0);
            if (dJointGetType(j) == dJointTypeHinge) dJointSetHingeParam(j, dParamFMax, 1 + turn);
            if (dJointGetType(j) == dJointTypeHinge && i % 10 == 9)
                dJointAttach(j, dJointGetBody(j, 0), dJointGetBody(j, 1));
        }
        keptStep(k);
        if (i == 20) CHECK(ukWorldRecord(world, path, &options) == ukOk);
    }
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    keptDestroy(k);
    CHECK(replayed(path));
    unlink(path);
}

/* ---- what a program did before ----------------------------------------------------------------------------------- */

static void record(dWorldID world, const char *path)
{
    const ukRecordOptions options = {.inputs = 1};
    if (!CHECK(ukWorldRecord(world, path, &options) == ukOk)) printf("%s\n", ukGetLastErrorMessage());
}

static void ended(dWorldID world, const char *path)
{
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    dWorldDestroy(world);
    CHECK(replayed(path));
    unlink(path);
}

/* anchors and axes that were set while joints were on bodies that are gone, and that they have kept */
static void formerBodies(const char *path)
{
    const dWorldID world = dWorldCreate();
    const dBodyID a = box(world, 1, 0, 0, 0), b = box(world, 1, 1, 0.3, 0), c = box(world, 1, 0.7, -0.2, 0.4);
    const dJointID slider = dJointCreateSlider(world, NULL), universal = dJointCreateUniversal(world, NULL);
    CHECK(ukWorldEnable(world) == ukOk);
    dWorldSetGravity(world, 0, 0, -9.81);
    dBodySetAngularVel(a, 0.3, 1, -0.4);
    dJointAttach(slider, a, b);
    dJointSetSliderAxis(slider, 1, 2, -0.5);
    dJointAttach(universal, b, a);
    dJointSetUniversalAnchor(universal, 0.5, 0.1, 0.2);
    dJointSetUniversalAxis1(universal, 1, 0.2, 0.3);
    dJointSetUniversalAxis2(universal, 0, -0.3, 0.2);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    dBodyDestroy(b);
    dJointSetSliderAxis(slider, 0, 1, 0); /* on no body: nothing */
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    dJointAttach(slider, a, c);
    dJointAttach(universal, c, 0);
    record(world, path);
    for (int i = 0; i < 20; i++) CHECK(dWorldStep(world, 0.01) == 1);
    ended(world, path);
}

/* auto-disable that has no steps left, but time, and goes on in the recording */
static void countdown(const char *path)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = box(world, 1, 0, 0, 0);
    CHECK(ukWorldEnable(world) == ukOk);
    dJointAttach(dJointCreateSlider(world, NULL), body, NULL);
    dBodySetAutoDisableFlag(body, 1);
    dBodySetAutoDisableSteps(body, 2);
    dBodySetAutoDisableTime(body, 0.205);
    dBodyEnable(body);
    for (int i = 0; i < 10; i++) CHECK(dWorldStep(world, 0.01) == 1);
    record(world, path);
    for (int i = 0; i < 20; i++) CHECK(dWorldStep(world, 0.01) == 1);
    CHECK(!dBodyIsEnabled(body));
    ended(world, path);
}

/* ---- rows of user constraints with bounds
 * ---------------------------------------------------------------------------- */

static int heightRow(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = A[6] = 1;
    return 0;
}

static int heightError(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[2];
    psi[0] = c->bodies->velocity[2];
    phi[1] = NAN;
    psi[1] = c->bodies->velocity[0] - 1;
    return 0;
}

/* a bead that falls onto a plane and is driven along it; bounds are set before the recording begins and in it */
static void bounds(const char *path, ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = box(world, 1, 0, 0, 0.1);
    CHECK(ukWorldEnable(world) == ukOk && ukWorldSetIntegrator(world, integrator) == 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    const ukConstraintID c = ukConstraintCreate(world, 2, &body, 1, heightRow, NULL);
    CHECK(ukConstraintSetError(c, heightError, NULL) == 0);
    CHECK(ukConstraintSetOneSided(c, 0) == 0 && ukConstraintSetBounds(c, 1, -2, 2) == 0);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    record(world, path);
    for (int i = 0; i < 40; i++) {
        if (i == 10) CHECK(ukConstraintSetBounds(c, 1, -0.5, 0.25) == 0);
        if (i == 20) CHECK(ukConstraintSetOneSided(c, 1) == 0);
        if (i == 30) CHECK(ukConstraintSetBounds(c, 0, -INFINITY, INFINITY) == 0);
        CHECK(dWorldStep(world, 0.01) == 1);
    }
    ended(world, path);
}

/* a spring whose damping the recording changes, by Radau's method */
static void spring(const char *path, bool swapped)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body[2] = {box(world, 1, 0, 0, 0), box(world, 1, 1, 0, 0)};
    const dJointID joint = dJointCreateBall(world, NULL);
    CHECK(ukWorldEnable(world) == ukOk && ukWorldSetIntegrator(world, ukIntegratorRadau) == 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dJointAttach(joint, body[swapped], body[!swapped]);
    dJointSetBallAnchor(joint, 0.5, 0, 0.3);
    dJointSetBallParam(joint, dParamCFM, 1e-3);
    dBodySetAngularVel(body[0], 1, 2, 3);
    for (int i = 0; i < 3; i++) CHECK(dWorldStep(world, 0.01) == 1);
    record(world, path);
    for (int i = 0; i < 10; i++) {
        if (i == 5) dJointSetBallParam(joint, dParamCFM, 1e-4);
        CHECK(dWorldStep(world, 0.01) == 1);
    }
    ended(world, path);
}

/* of two joints that would hold a body, one was disabled before the recording begins and one in it; contacts
 * likewise */
static void disabled(const char *path)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = box(world, 1, 0, 0, 0), other = ball(world, 1, 5, 0, 0);
    dJointID joint[2], contact[2];
    CHECK(ukWorldEnable(world) == ukOk);
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int k = 0; k < 2; k++) {
        joint[k] = dJointCreateBall(world, NULL);
        dJointAttach(joint[k], body, NULL);
        dJointSetBallAnchor(joint[k], k == 0 ? 1 : -1, 0, 0);
        const dContact c = {.geom = {.pos = {5, 0, -0.1}, .normal = {0, 0, 1}}};
        contact[k] = dJointCreateContact(world, NULL, &c);
        dJointAttach(contact[k], other, NULL);
    }
    dJointDisable(joint[0]);
    dJointDisable(contact[0]);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    record(world, path);
    for (int i = 0; i < 20; i++) {
        CHECK(dWorldStep(world, 0.01) == 1);
        if (i == 10) dJointDisable(joint[1]), dJointDisable(contact[1]);
    }
    CHECK(dBodyGetLinearVel(body)[2] < -0.5 && dBodyGetLinearVel(other)[2] < -0.5);
    ended(world, path);
}

/* woken and put to sleep again between two steps */
static void wokenAndAsleep(const char *path, bool by_flag)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = box(world, 1, 0, 0, 0);
    CHECK(ukWorldEnable(world) == ukOk);
    dWorldSetGravity(world, 0, 0, -9.81);
    dBodySetAutoDisableFlag(body, by_flag);
    record(world, path);
    CHECK(dWorldStep(world, 0.01) == 1);
    dBodyDisable(body);
    CHECK(dWorldStep(world, 0.01) == 1);
    if (by_flag)
        dBodySetAutoDisableFlag(body, 0);
    else
        dBodyEnable(body);
    CHECK(dBodyIsEnabled(body));
    dBodyDisable(body);
    for (int i = 0; i < 3; i++) CHECK(dWorldStep(world, 0.01) == 1);
    ended(world, path);
}

/* a joint is set between bodies of which another one goes meanwhile */
static void goneMeanwhile(const char *path)
{
    const dWorldID world = dWorldCreate();
    const dBodyID a = box(world, 1, 0, 0, 0), b = box(world, 1, 1, 0, 0);
    CHECK(ukWorldEnable(world) == ukOk);
    record(world, path);
    for (int i = 0; i < 3; i++) CHECK(dWorldStep(world, 0.01) == 1);
    const dJointID first = dJointCreateHinge(world, NULL), second = dJointCreateHinge(world, NULL);
    dBodySetPosition(a, 0.1, 0.2, 0.3);
    dJointAttach(first, a, 0);
    dJointSetHingeAnchor(first, 0.5, 0, 0);
    dBodyDestroy(b);
    dJointAttach(second, a, 0);
    dJointSetHingeAnchor(second, 0, 0.5, 0);
    dBodySetPosition(a, 0.1, 0.2, 0.2);
    for (int i = 0; i < 3; i++) CHECK(dWorldStep(world, 0.01) == 1);
    ended(world, path);
}

static dWorldID native;
static char state[4096];
static size_t state_size;

/* does within a step of ODE's own what belongs between steps */
static void meddle(dBodyID body)
{
    static bool within;
    const ukRecordOptions options = {.inputs = 1};
    if (dBodyGetPosition(body)[2] > -0.3 || within) return;
    CHECK(ukWorldSave(native, NULL, 0) == 0);
    CHECK(ukWorldRestore(native, state, state_size) == ukErrorChanged);
    CHECK(ukWorldEvaluate(native) == ukErrorChanged);
    CHECK(ukWorldRecord(native, "never.ukode", &options) == ukErrorChanged);
    CHECK(ukWorldRecord(native, NULL, NULL) == ukErrorChanged);
    within = true;
    CHECK(dWorldStep(native, 0.005) == 1);
    within = false;
    dBodyAddForce(body, 1, 0, 0);
}

static void withinNativeSteps(const char *path)
{
    const ukRecordOptions options = {.inputs = 1};
    native = dWorldCreate();
    dWorldSetGravity(native, 0, 0, -9.81);
    CHECK(ukWorldRecord(native, path, &options) == ukOk);
    for (int i = 0; i < 3; i++) {
        const dBodyID body = dBodyCreate(native);
        dBodySetPosition(body, i, 0, 0);
        dBodySetMovedCallback(body, meddle);
    }
    state_size = ukWorldSave(native, state, sizeof state);
    CHECK(state_size > 0 && state_size <= sizeof state);
    for (int i = 0; i < 40; i++) CHECK(dWorldStep(native, 0.01) == 1);
    CHECK(ukWorldRecord(native, NULL, NULL) == ukOk);
    dWorldDestroy(native);
    CHECK(replayed(path));
    unlink(path);
}

static int measuredRows(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)data;
    for (int i = 0; i < 9; i++) A[6 * i + 2] = 1, b[i] = i + context->time;
    return 0;
}

/* a weight that was set before the recording begins (more than 64 numbers), another one in it, and none */
static void weighted(const char *path)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    double full[81] = {0}, diagonal[9];
    for (int i = 0; i < 9; i++) {
        diagonal[i] = 1 + i;
        for (int k = 0; k < 9; k++) full[9 * i + k] = i == k ? 9 + i : 1;
    }
    ukWorldEnable(world);
    const ukConstraintID constraint = ukConstraintCreate(world, 9, &body, 1, measuredRows, NULL);
    CHECK(ukConstraintSetWeight(constraint, full, 1) == ukOk);
    record(world, path);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    CHECK(ukConstraintSetWeight(constraint, diagonal, 0) == ukOk);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    CHECK(dBodyGetLinearVel(body)[2] > 0.1);
    ended(world, path);
}

/* The first of two bodies in a row is accelerated by a joint and a body's actuator; others, and none, in the
 * recording. */
static int servoRow(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = 1, b[0] = sin(5 * context->time);
    return 0;
}

static void actuated(const char *path, ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body[2] = {box(world, 1, 0, 0, 0), box(world, 2, 1, 0, 0)};
    const dJointID slider = dJointCreateSlider(world, NULL);
    dJointAttach(slider, body[0], body[1]);
    dJointSetSliderAxis(slider, 1, 0, 0);
    ukWorldEnable(world);
    ukWorldSetIntegrator(world, integrator);
    const ukActuator actuator[2] = {{.joint = slider, .cost = 2}, {.body = body[0], .axis = 0, .cost = 0.5}};
    const ukConstraintID constraint = ukConstraintCreate(world, 1, body, 2, servoRow, NULL);
    CHECK(ukConstraintSetActuators(constraint, actuator, 2) == ukOk);
    record(world, path);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    CHECK(ukConstraintSetActuators(constraint, actuator + 1, 1) == ukOk);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    CHECK(ukConstraintSetActuators(constraint, actuator, 1) == ukOk);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    CHECK(ukConstraintSetActuators(constraint, NULL, 0) == ukOk);
    for (int i = 0; i < 5; i++) CHECK(dWorldStep(world, 0.01) == 1);
    ended(world, path);
}

int main(int argc, char **argv)
{
    char path[64];
    snprintf(path, sizeof path, "replay_middle.%ld.ukode", (long)getpid());
    dInitODE2(0);
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), Skipped;
    for (int i = 0; i < keptCount; i++) {
        if (argc > 1 && strcmp(argv[1], keptName[i]) != 0) continue;
        for (int m = 0; m < Moments; m++) scene(keptName[i], path, m == Moments - 1);
    }
    if (argc < 2) {
        changed(path);
        formerBodies(path);
        countdown(path);
        for (int i = ukIntegratorEuler; i <= ukIntegratorRattle; i++) bounds(path, (ukIntegrator)i);
        for (int swapped = 0; swapped < 2; swapped++) spring(path, swapped);
        disabled(path);
        wokenAndAsleep(path, false);
        wokenAndAsleep(path, true);
        goneMeanwhile(path);
        withinNativeSteps(path);
        weighted(path);
        for (int i = ukIntegratorEuler; i <= ukIntegratorAdaptive; i++) actuated(path, (ukIntegrator)i);
    }
    dCloseODE();
    return ukTestEnd();
}

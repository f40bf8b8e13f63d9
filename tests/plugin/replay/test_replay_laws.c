/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of contacts, which are made for each step, and of a stop, and weights of contradictory rows: a state that is restored goes on with the same bits,
 * and every step of a replay has the recorded hash. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/recording/sqlite.h"
#include "plugin/tools/replay/run.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

enum { Skipped = 77 };

typedef struct Scene {
    dWorldID world;
    dBodyID rolls, turns;
    dJointGroupID contacts;
    bool swapped;
} Scene;

/* a couple against the rolling, in proportion to the normal force */
static void rolling(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const int k = c->body[0] ? 0 : 1;
    const dReal *w = c->body[k]->spin, *n = c->stop[k];
    const double load = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    (void)data;
    for (int i = 0; i < 3; i++) force_and_torque[k][3 + i] = -0.01 * load * w[i] / (0.1 + fabs(w[i]));
}

/* friction of a thrust bearing, which is a stop */
static void thrust(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const double load = fabs(c->stop[0][2]) + fabs(c->stop[1][2]);
    (void)data;
    for (int i = 0; i < c->axes; i++)
        for (int k = 0; k < 3 && !c->is_translation[i]; k++) {
            force_and_torque[0][3 + k] = -0.002 * load * tanh(c->rate[i]) * c->axis[i][k];
            force_and_torque[1][3 + k] = -force_and_torque[0][3 + k];
        }
}

static Scene scene(ukIntegrator integrator, bool swapped)
{
    Scene s = {.world = newWorld(9.81), .contacts = dJointGroupCreate(0), .swapped = swapped};
    s.rolls = ball(s.world, 1, 0, 0, 0.1);
    s.turns = ball(s.world, 2, 1, 0, 0);
    const dJointID piston = dJointCreatePiston(s.world, NULL);
    dJointAttach(piston, swapped ? NULL : s.turns, swapped ? s.turns : NULL);
    dJointSetPistonAnchor(piston, 1, 0, 0);
    dJointSetPistonAxis(piston, 0, 0, 1);
    dJointSetPistonParam(piston, dParamLoStop, -0.1);
    dJointSetPistonParam(piston, dParamHiStop, 0.1);
    dBodySetAngularVel(s.turns, 0, 0, 9);
    dBodySetLinearVel(s.rolls, 1, 0.3, 0);
    CHECK(ukJointSetNonIdeal(piston, thrust, NULL) == 0);
    CHECK(ukWorldEnable(s.world) == 0 && ukWorldSetIntegrator(s.world, integrator) == 0);
    return s;
}

static void steps(const Scene *s, int count)
{
    for (int i = 0; i < count; i++) {
        const dReal *x = dBodyGetPosition(s->rolls);
        dContact c = {.surface.mu = 0.4, .geom = {.pos = {x[0], x[1], 0}, .depth = 0.1 - x[2]}};
        c.geom.normal[2] = s->swapped ? -1 : 1;
        const dJointID contact = dJointCreateContact(s->world, s->contacts, &c);
        dJointAttach(contact, s->swapped ? NULL : s->rolls, s->swapped ? s->rolls : NULL);
        CHECK(ukJointSetNonIdeal(contact, rolling, NULL) == 0);
        CHECK(dWorldStep(s->world, 0.01) == 1);
        dJointGroupEmpty(s->contacts);
    }
}

static void end(const Scene *s)
{
    dJointGroupDestroy(s->contacts);
    dWorldDestroy(s->world);
}

static void saved(ukIntegrator integrator, bool swapped)
{
    const Scene s = scene(integrator, swapped);
    unsigned char first[16], second[16];
    steps(&s, 20);
    const size_t size = ukWorldSave(s.world, NULL, 0);
    void *const bytes = malloc(size);
    if (!CHECK(bytes && ukWorldSave(s.world, bytes, size) == size)) exit(1);
    steps(&s, 30);
    CHECK(ukWorldHash(s.world, first) == 0 && fabs(dBodyGetAngularVel(s.turns)[2]) < 8.9);
    CHECK(ukWorldRestore(s.world, bytes, size) == 0);
    steps(&s, 30);
    CHECK(ukWorldHash(s.world, second) == 0 && memcmp(first, second, sizeof first) == 0);
    free(bytes);
    end(&s);
}

static void recorded(const char *path, ukIntegrator integrator, bool swapped)
{
    const ukRecordOptions options = {.inputs = 1};
    const Scene s = scene(integrator, swapped);
    steps(&s, 10);
    CHECK(ukWorldRecord(s.world, path, &options) == ukOk);
    steps(&s, 30);
    CHECK(ukWorldRecord(s.world, NULL, NULL) == ukOk);
    end(&s);
    const ukReplayOptions replay = {.path = path, .to = HUGE_VAL};
    CHECK(ukReplayRun(&replay) == 0);
    unlink(path);
}

/* two heights that are measured, of which the weights say what counts */
static int heights(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)data;
    A[2] = A[6 + 2] = 1;
    b[1] = 3;
    return 0;
}

/* Weights from before the recording, and those that it sees set, changed and removed. */
static void weighed(const char *path, ukIntegrator integrator)
{
    static const double before[2] = {1, 2}, changed[4] = {2, 0.5, 0.5, 1}, last[2] = {5, 1};
    const ukRecordOptions options = {.inputs = 1};
    const dWorldID world = newWorld(9.81);
    const dBodyID body[2] = {ball(world, 1, 0, 0, 0), ball(world, 1, 1, 0, 0)};
    ukConstraintID c[2];
    for (int k = 0; k < 2; k++) {
        c[k] = ukConstraintCreate(world, 2, &body[k], 1, heights, NULL);
        CHECK(ukConstraintSetWeight(c[k], before, 0) == ukOk);
    }
    CHECK(ukWorldEnable(world) == 0 && ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(dWorldStep(world, 0.01) == 1 && ukWorldRecord(world, path, &options) == ukOk);
    CHECK(dWorldStep(world, 0.01) == 1 && ukConstraintSetWeight(c[0], changed, 1) == ukOk);
    CHECK(dWorldStep(world, 0.01) == 1 && ukConstraintSetWeight(c[1], NULL, 0) == ukOk);
    CHECK(dWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
    CHECK(ukConstraintSetWeight(c[1], last, 0) == ukOk && dWorldStep(world, 0.01) == 1);
    CHECK_NEAR(dBodyGetLinearVel(body[0])[2], 0.01 * (2 * 2 + 2 * 3 * 1.5 / 4), 1e-12); /* twice each weight */
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    dWorldDestroy(world);
    const ukReplayOptions replay = {.path = path, .to = HUGE_VAL};
    CHECK(ukReplayRun(&replay) == 0);
    unlink(path);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    char path[40];
    snprintf(path, sizeof path, "replay_laws.%ld.ukode", (long)getpid());
    dInitODE2(0);
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), Skipped;
    for (int i = 0; i < 4; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            saved(all[i], swapped);
            recorded(path, all[i], swapped);
        }
    for (int i = 0; i < 4; i++) weighed(path, all[i]);
    dCloseODE();
    return ukTestEnd();
}

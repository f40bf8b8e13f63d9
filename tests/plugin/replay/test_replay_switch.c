/* SPDX-License-Identifier: BSD-3-Clause */
/* Switching times and switching functions in recordings of inputs: declared before the recording begins and in it, and
 * removed; a state restored in between. The replay divides the same steps: every step has the recorded hash. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/recording/sqlite.h"
#include "plugin/tools/replay/run.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

enum { Skipped = 77 };

static void driven(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const double torque = c->time < *(const double *)data ? 3 : -5 + c->rate[0];
    for (int k = 0; k < 3; k++)
        force_and_torque[0][3 + k] = torque * c->axis[0][k], force_and_torque[1][3 + k] = -torque * c->axis[0][k];
}

static int pushed(const ukConstraintContext *c, dReal *force, void *data)
{
    force[2] = c->time < *(const double *)data ? 20 : 4 * cos(c->time);
    return 0;
}

/* the height of the second body over what data has, */
static int height(const ukConstraintContext *c, double *value, void *data)
{
    *value = c->bodies->position[2] - *(const double *)data;
    return 0;
}

/* ... and a force that changes with its sign */
static int lifted(const ukConstraintContext *c, double *force, void *data)
{
    force[2] = ukSwitchGetSide(*(ukSwitchID *)data) > 0 ? -6 : 3 - c->bodies->velocity[2];
    return 0;
}

static void steps(dWorldID world, int count)
{
    for (int i = 0; i < count; i++) CHECK(dWorldStep(world, 0.02) == 1);
}

static void recorded(const char *path, ukIntegrator integrator, bool swapped)
{
    static double first = 0.0931, second = 0.2237;
    const ukRecordOptions options = {.inputs = 1};
    const dWorldID world = dWorldCreate();
    const dBodyID a = box(world, 1, 0.5, 0, 0), b = box(world, 1, 1.5, 0, 0);
    const dJointID hinge = dJointCreateHinge(world, NULL), second_hinge = dJointCreateHinge(world, NULL);
    const dReal declared[] = {second, 0.2311, first, 0.4};
    dWorldSetGravity(world, 0, 0, -9.81);
    dJointAttach(hinge, swapped ? NULL : a, swapped ? a : NULL);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointAttach(second_hinge, swapped ? b : a, swapped ? a : b);
    dJointSetHingeAnchor(second_hinge, 1, 0, 0);
    dJointSetHingeAxis(second_hinge, 0, 1, 0);
    CHECK(ukJointSetNonIdeal(second_hinge, driven, &second) == 0 && ukForceCreate(world, &b, 1, pushed, &first));
    CHECK(ukWorldEnable(world) == 0 && ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukWorldSetSwitch(world, first) == 0);
    static double level = -0.02, lower = -0.1;
    ukSwitchID side = ukSwitchCreate(world, &b, 1, height, &level);
    CHECK(ukForceCreate(world, &b, 1, lifted, &side) != NULL);
    steps(world, 2);
    CHECK(ukWorldRecord(world, path, &options) == ukOk);
    steps(world, 4);
    for (int i = 0; i < 4; i++) CHECK(ukWorldSetSwitch(world, declared[i]) == 0);
    const size_t size = ukWorldSave(world, NULL, 0);
    void *const saved = malloc(size);
    if (!CHECK(saved && ukWorldSave(world, saved, size) == size)) exit(1);
    steps(world, 7);
    CHECK(ukWorldGetSwitch(world, 0) == 0.4);
    CHECK(ukWorldRestore(world, saved, size) == 0 && ukWorldGetSwitch(world, 0) == second);
    steps(world, 9);
    CHECK(ukWorldSetSwitch(world, 0.303) == 0 && ukWorldClearSwitches(world) == 0);
    steps(world, 3);
    CHECK(ukSwitchGetSide(side) == -1);
    ukSwitchDestroy(side);
    side = ukSwitchCreate(world, &b, 1, height, &lower);
    steps(world, 5);
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    free(saved);
    dWorldDestroy(world);
    const ukReplayOptions replay = {.path = path, .to = HUGE_VAL};
    CHECK(ukReplayRun(&replay) == 0);
    unlink(path);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    char path[40];
    snprintf(path, sizeof path, "replay_switch.%ld.ukode", (long)getpid());
    dInitODE2(0);
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), Skipped;
    for (int i = 0; i < 4; i++)
        for (int swapped = 0; swapped < 2; swapped++) recorded(path, all[i], swapped);
    dCloseODE();
    return ukTestEnd();
}

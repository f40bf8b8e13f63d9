/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies without mass in recordings of inputs: declared before the recording begins and in it, and given their mass
 * back. Every step of the replay has the recorded hash. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/recording/sqlite.h"
#include "plugin/tools/replay/run.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

enum { Skipped = 77 };

static dBodyID terminal(dWorldID world, dBodyID a, dBodyID b, double x, bool swapped)
{
    const dBodyID t = ball(world, 1, x, 0, 0.1);
    const dJointID fixed = dJointCreateFixed(world, NULL), hinge = dJointCreateHinge(world, NULL);
    dJointAttach(fixed, swapped ? t : a, swapped ? a : t);
    dJointSetFixed(fixed);
    dJointAttach(hinge, swapped ? b : t, swapped ? t : b);
    dJointSetHingeAnchor(hinge, x, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return t;
}

static void steps(dWorldID world, int count)
{
    for (int i = 0; i < count; i++) CHECK(dWorldStep(world, 0.02) == 1);
}

static void recorded(const char *path, ukIntegrator integrator, bool swapped)
{
    const ukRecordOptions options = {.inputs = 1};
    const dWorldID world = newWorld(9.81);
    const dBodyID a = box(world, 1, 0.5, 0, 0), b = box(world, 1, 1.5, 0, 0), c = box(world, 1, 2.5, 0, 0);
    const dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, swapped ? NULL : a, swapped ? a : NULL);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    const dBodyID first = terminal(world, a, b, 1, swapped), second = terminal(world, b, c, 2, swapped);
    CHECK(ukWorldEnable(world) == 0 && ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukBodySetMassless(first, 1) == 0);
    steps(world, 2);
    CHECK(ukWorldRecord(world, path, &options) == ukOk);
    steps(world, 4);
    CHECK(ukBodySetMassless(second, 1) == 0);
    steps(world, 4);
    CHECK(ukBodySetMassless(first, 0) == 0);
    steps(world, 4);
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    dWorldDestroy(world);
    const ukReplayOptions replay = {.path = path, .to = HUGE_VAL};
    CHECK(ukReplayRun(&replay) == 0);
    unlink(path);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive};
    char path[40];
    snprintf(path, sizeof path, "replay_massless.%ld.ukode", (long)getpid());
    dInitODE2(0);
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), Skipped;
    for (int i = 0; i < 3; i++)
        for (int swapped = 0; swapped < 2; swapped++) recorded(path, all[i], swapped);
    dCloseODE();
    return ukTestEnd();
}

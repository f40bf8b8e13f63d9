/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording warns once where steps begin to meet their equations by a compromise, not at every step of it; and again
 * after steps without one. */
#include <stdio.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "plugin/formats/recording/reader.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static char path[64];

static double warnings(void)
{
    ukReader r;
    CHECK(ukReaderOpen(&r, path));
    sqlite3_stmt *const q =
        r.file ? ukReaderAsk(&r, "SELECT COUNT(*) FROM event WHERE text LIKE '%could not all be satisfied%'") : NULL;
    const double count = q && ukReaderNext(&r, q) ? ukReaderReal(q, 0) : -1;
    ukReaderDone(q);
    ukReaderClose(&r);
    return count;
}

/* Two equal joints, which a solver of full row rank has to soften, in three phases: both, one of them disabled,
 * both. */
int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "warned_once-%d.ukode", (int)getpid());
    const dWorldID w = newWorld(9.81);
    const dBodyID b = ball(w, 1, 0.5, 0, 0);
    dJointID j[2];
    for (int i = 0; i < 2; i++) {
        j[i] = dJointCreateBall(w, NULL);
        dJointAttach(j[i], b, NULL);
        dJointSetBallAnchor(j[i], 0, 0, 0);
    }
    CHECK(ukWorldSetSolver(w, ukSolverLagrange) == 0);
    CHECK(ukWorldRecord(w, path, &(ukRecordOptions){.every_step = 1}) == ukOk);
    int compromised = 0;
    for (int i = 0; i < 30; i++) {
        (i / 10 == 1 ? dJointDisable : dJointEnable)(j[1]);
        ukReport r;
        CHECK(ukWorldStep(w, 0.01) == 1 && ukWorldGetReport(w, &r) == 0);
        compromised += r.compromise > 0;
        CHECK((r.compromise > 0) == (i / 10 != 1));
    }
    CHECK(compromised == 20);
    dWorldDestroy(w);
    CHECK(warnings() == 2);
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}

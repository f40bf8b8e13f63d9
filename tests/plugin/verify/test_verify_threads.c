/* SPDX-License-Identifier: BSD-3-Clause */
/* Worlds of several threads in one recording, with inputs and certificates: whenever what there is goes into the file,
 * every step is there with all its rows, and its seal holds. */
#include <ukode/ukode.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "bridge/world/registry.h"
#include "plugin/formats/recording/recorder.h"
#include "plugin/tools/verify/file.h"
#include "tests/check.h"

enum { Threads = 4, Steps = 3000 };
static char path[64];
static atomic_int left; /* threads that still step */

static dBodyID pendulums(dWorldID world, int links)
{
    dBodyID before = NULL;
    for (int i = 0; i < links; i++) {
        const dBodyID body = dBodyCreate(world);
        const dJointID hinge = dJointCreateHinge(world, NULL);
        dMass mass;
        dMassSetBoxTotal(&mass, 1, 0.2, 0.1, 0.1);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, 0.2 * i + 0.1, 0, 0);
        dJointAttach(hinge, body, before);
        dJointSetHingeAnchor(hinge, 0.2 * i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        before = body;
    }
    return before;
}

static dWorldID recorded(int number, dBodyID *last)
{
    static const ukRecordOptions options = {.inputs = 1, .certificates = 1};
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    *last = pendulums(world, 2 + number);
    CHECK(ukWorldEnable(world) == 0);
    CHECK(ukWorldRecord(world, path, &options) == 0);
    return world;
}

typedef struct Part {
    dWorldID world;
    dBodyID last;
    int taken;
} Part;

static void *step(void *argument)
{
    Part *const part = argument;
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    for (int k = 0; k < Steps; k++) {
        dBodyAddForce(part->last, 0, k % 7, 0);
        part->taken += dWorldStep(part->world, 0.01);
    }
    left--;
    return NULL;
}

static void tell(void *context, long long number, const char *why)
{
    (void)context;
    printf("step %lld: %s\n", number, why);
}

static void judge(void)
{
    ukReader reader;
    Verdict verdict = {0};
    if (!CHECK(ukReaderOpen(&reader, path))) return;
    CHECK(verifyFile(&reader, 1e-9, tell, NULL, &verdict));
    CHECK(verdict.steps == Threads * Steps && verdict.verified == verdict.steps && verdict.tables);
    sqlite3_stmt *const inputs = ukReaderAsk(&reader, "SELECT count(*) FROM step JOIN input USING (step)");
    CHECK(inputs && ukReaderNext(&reader, inputs) && ukSql.column_int64(inputs, 0) == Threads * Steps);
    ukReaderDone(inputs);
    ukReaderClose(&reader);
}

/* a transaction ends as often as may be, between any two calls that put rows */
static void writeNow(const Part *part)
{
    ukRecorded r;
    ukRecorderLock();
    if (ukRecorderOf(ukRegistryWorld(part->world), &r)) ukQueueFlush(r.queue);
    ukRecorderUnlock();
}

int main(void)
{
    Part part[Threads] = {0};
    pthread_t thread[Threads];
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), 77;
    snprintf(path, sizeof path, "verify_threads_%d.ukode", (int)getpid());
    unlink(path);
    dInitODE2(0);
    for (int i = 0; i < Threads; i++) part[i].world = recorded(i, &part[i].last);
    left = Threads;
    for (int i = 0; i < Threads; i++) CHECK(pthread_create(&thread[i], NULL, step, &part[i]) == 0);
    while (left > 0) writeNow(&part[0]);
    for (int i = 0; i < Threads; i++) {
        pthread_join(thread[i], NULL);
        CHECK(part[i].taken == Steps);
        dWorldDestroy(part[i].world);
    }
    judge();
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/certified.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "bridge/island/stepper.h"
#include "bridge/world/registry.h"
#include "plugin/formats/recording/certificate.h"
#include "tests/check.h"

static int bodyKey(void *context, const ukBody *body)
{
    (void)context;
    return (int)body->serial;
}

static int jointKey(void *context, const ukJoint *joint)
{
    (void)context;
    return (int)joint->serial;
}

static const ukEquationKeys keys = {bodyKey, jointKey, NULL};

static void putStep(ukQueue *q, const Scene *s, long long step, ukEquationRow *row)
{
    ukWorld *const world = ukRegistryWorld(s->world);
    const double none[6] = {0};
    ukRows rows;
    CHECK(ukEquationsPut(q, step, world->stepper->islands, world->stepper->island_count, &keys, row) == 0);
    CHECK(ukRowsBegin(&rows, q, ukInsertBodyStep, (size_t)s->count * 16 * 8));
    for (int i = 0; i < s->count; i++) {
        ukRowsInt(&rows, step);
        ukRowsInt(&rows, i + 1);
        ukRowsReals(&rows, dBodyGetPosition(s->bodies[i]), 3);
        ukRowsReals(&rows, dBodyGetQuaternion(s->bodies[i]), 4);
        ukRowsReals(&rows, dBodyGetLinearVel(s->bodies[i]), 3);
        ukRowsReals(&rows, none, 3);
        ukRowsInt(&rows, 1);
    }
    ukRowsEnd(&rows);
    CHECK(ukRowsBegin(&rows, q, ukInsertStep, 8 * 64));
    ukRowsInt(&rows, step);
    ukRowsInt(&rows, 1);
    ukRowsInt(&rows, step);
    ukRowsReal(&rows, s->time);
    ukRowsReal(&rows, s->h);
    ukRowsInt(&rows, 1);
    ukRowsInt(&rows, 0);
    ukRowsReals(&rows, none, 2);
    for (int k = 0; k < 8; k++) ukRowsInt(&rows, k == 3 ? ukNullInt : k);
    ukRowsReals(&rows, none, 6);
    ukRowsReal(&rows, 0.125);
    ukRowsInt(&rows, 1);
    ukRowsInt(&rows, 0);
    ukRowsText(&rows, step % 2 ? "why not" : NULL);
    ukRowsReals(&rows, none, 5);
    ukRowsBlob(&rows, "0123456789abcdef", 16);
    ukRowsEnd(&rows);
}

/* Before the first step, and of a world whose last step is sealed by then. */
static void putEvent(ukQueue *q, long long key, long long step)
{
    ukQueuePut(q, ukInsertEvent, key, step, 1LL, 0.25, "warning", 1LL, ukNullInt, (double)NAN, "in words");
}

bool certifiedRecord(const char *path, const Case *c)
{
    char message[256];
    unlink(path);
    ukQueue *const q = ukQueueOpen(path, message, sizeof message);
    Scene *const s = sceneByName(c->scene, c->n);
    ukEquationRow row = {0};
    CHECK(q && s);
    if (!q || !s) return false;
    ukWorldEnable(s->world);
    ukWorldSetFriction(s->world, c->friction);
    CHECK(ukWorldSetIntegrator(s->world, c->integrator) == 0);
    if (c->split) CHECK(ukWorldSetStabilization(s->world, ukStabilizeSplit, 0, 0) == 0);
    if (c->prepare) c->prepare(s);
    ukQueuePut(q, ukInsertRun, 1LL, "a program", "its arguments", "/", "2026-01-01", "1", "2", "cc", "here", 60.0, 1LL,
               0LL, 1LL, NULL);
    for (int i = 0; i < s->count; i++)
        ukQueuePut(q, ukInsertBody, (long long)i + 1, 1LL, i == 0 ? "first" : NULL, 1.5, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0,
                   0LL, 1LL, ukNullInt);
    putEvent(q, 1, 0);
    for (long long step = 1; step <= c->steps; step++) {
        if (!CHECK(sceneStep(s, s->h, c->quick ? dWorldQuickStep : dWorldStep)))
            printf("%s: %s\n", c->scene, ukGetLastErrorMessage());
        putStep(q, s, step, &row);
        putEvent(q, 2 * step, step);
        if (step == c->steps / 2) ukQueueFlush(q);
        putEvent(q, 2 * step + 1, step / 2);
    }
    ukQueuePut(q, ukUpdateRunEnded, "2026-01-02");
    ukQueueClose(q);
    free(row.memory);
    sceneDestroy(s);
    return true;
}

/* A cap that is reached, finite rotations about an axis and about any, damping, a callback that moves what it is of. */
static void moved(dBodyID b)
{
    const dReal *const v = dBodyGetLinearVel(b);
    dBodySetLinearVel(b, 0.9 * v[0], 0.9 * v[1], 0.9 * v[2]);
    dBodySetMaxAngularSpeed(b, 30);
}

void whirl(Scene *s)
{
    for (int i = 0; i < s->count; i++) {
        dBodySetAngularVel(s->bodies[i], 3 + i, 20, -5);
        dBodySetMaxAngularSpeed(s->bodies[i], i % 2 ? 4 : 40);
        dBodySetFiniteRotationMode(s->bodies[i], i % 3 != 0);
        if (i % 3 == 2) dBodySetFiniteRotationAxis(s->bodies[i], 1, 2, i);
    }
    dBodySetMovedCallback(s->bodies[0], moved);
    dWorldSetDamping(s->world, 0.01, 0.02);
    dBodySetKinematic(s->bodies[s->count - 1]);
}

/* Joints that are off their places: there is something to correct. */
void disturb(Scene *s)
{
    for (int i = 0; i < s->count; i++) {
        const dReal *const x = dBodyGetPosition(s->bodies[i]);
        dBodySetPosition(s->bodies[i], x[0] + 0.001 * (i % 3), x[1] - 0.002 * (i % 2), x[2] + 0.001);
    }
}

long long certifiedNumber(ukReader *r, const char *sql)
{
    sqlite3_stmt *const query = ukReaderAsk(r, sql);
    const long long x = query && ukReaderNext(r, query) ? ukSql.column_int64(query, 0) : -1;
    ukReaderDone(query);
    return x;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Islands solved on several threads: the same bits as on one, and from run to run, whatever was in the memory; the
 * first island in order names the error; users' functions run on the caller's thread; a forked child has threads of its
 * own. Every run is a process of its own, so that addresses, which ODE's collision goes by, are the same. */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/base/pool.h"
#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/body_state.h"

typedef uint64_t Run(int threads);

/* what run(threads) returns in a child process whose fresh memory is full of `litter`; 0: it failed */
static uint64_t inChild(Run *run, int threads, int litter)
{
    int ends[2];
    uint64_t hash = 0;
    if (pipe(ends) != 0) return 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        mallopt(M_PERTURB, litter);
        hash = run(threads);
        fflush(stdout);
        _exit(write(ends[1], &hash, sizeof hash) == (ssize_t)sizeof hash && ukTestFailed == 0 ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &hash, sizeof hash) != (ssize_t)sizeof hash) hash = 0;
    close(ends[0]);
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? hash : 0;
}

static void same(const char *name, Run *run)
{
    const uint64_t one = inChild(run, 1, 0);
    printf("%s: %016llx\n", name, (unsigned long long)one);
    CHECK(one != 0);
    for (int threads = 2; threads <= 4; threads++)
        for (int again = 0; again < 2; again++) CHECK(inChild(run, threads, again ? 0x15 : 0x40) == one);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static uint64_t play(const char *name, int size, int steps, int threads)
{
    Scene *s = sceneByName(name, size);
    uint64_t hash = 0;
    ukReport r;
    CHECK(ukWorldSetThreads(s->world, threads) == 0);
    for (int k = 0; k < steps; k++) {
        CHECK(sceneStep(s, 0.01, ukWorldStep));
        for (int i = 0; i < s->count; i++) hash = hashBody(hash, s->bodies[i]);
        CHECK(ukWorldGetReport(s->world, &r) == 0);
        const dReal told[] = {r.gaussian,       r.feasibility, r.complementarity,
                              r.velocity_error, r.pivots,      r.factorizations};
        hash = hashBytes(hash, told, sizeof told);
    }
    sceneDestroy(s);
    return hash;
}

static uint64_t ragdolls(int threads)
{
    return play("ragdolls", 20, 120, threads);
}

static uint64_t pile(int threads)
{
    return play("pile", 60, 120, threads);
}

/* Chains of several lengths side by side, more than there are solvers; every fifth has a motor at its first joint. */
enum { Chains = 24, Links = 12 };

static dBodyID chain(dWorldID world, int number)
{
    dBodyID before = NULL, first = NULL;
    for (int k = 0; k < 3 + number % Links; k++) {
        dBodyID body = dBodyCreate(world);
        dMass mass;
        dMassSetBoxTotal(&mass, 1 + 0.1 * number, 0.2, 0.1, 0.1);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, 0.2 * k + 0.1, number, 0);
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, body, before);
        dJointSetHingeAnchor(hinge, 0.2 * k, number, 0);
        dJointSetHingeAxis(hinge, 0, k % 2, !(k % 2));
        if (k == 0 && number % 5 == 0) {
            dJointSetHingeParam(hinge, dParamVel, 1);
            dJointSetHingeParam(hinge, dParamFMax, 0.5);
        }
        if (!first) first = body;
        before = body;
    }
    return first;
}

typedef struct Noted {
    pthread_t thread;
    int calls;
    uint64_t hash;
} Noted;
static Noted noted;

/* sees the world as it is at its island's turn: those before it moved, those behind it not yet */
static void moved(dBodyID body)
{
    dWorldID world = dBodyGetWorld(body);
    noted.calls++;
    CHECK(pthread_equal(pthread_self(), noted.thread));
    dBodyID *all = dBodyGetData(body);
    for (int i = 0; i < Chains; i++) noted.hash = hashBody(noted.hash, all[i]);
    CHECK(world != NULL);
}

static int pull(const struct ukConstraintContext *context, dReal *force, void *data)
{
    Noted *n = data;
    n->calls++;
    CHECK(pthread_equal(pthread_self(), n->thread));
    for (int k = 0; k < 3; k++) force[k] = -context->bodies[0].velocity[k];
    return 0;
}

static uint64_t chains(int threads)
{
    static dBodyID first[Chains];
    dWorldID world = dWorldCreate();
    uint64_t hash = 0;
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < Chains; i++) first[i] = chain(world, i);
    noted = (Noted){.thread = pthread_self()};
    for (int i = 7; i < Chains; i += 9) {
        dBodySetData(first[i], first);
        dBodySetMovedCallback(first[i], moved);
    }
    CHECK(ukForceCreate(world, &first[11], 1, pull, &noted) != NULL);
    CHECK(ukJointSetViscous(dBodyGetJoint(first[3], 0), 0.1) == 0);
    CHECK(ukWorldSetThreads(world, threads) == 0 && ukWorldGetThreads(world) == threads);
    for (int k = 0; k < 200; k++) {
        CHECK(ukWorldStep(world, 0.01) == 1);
        for (int i = 0; i < Chains; i++) hash = hashBody(hash, first[i]);
    }
    CHECK(noted.calls == 200 * (2 + 1));
    hash ^= noted.hash;
    dWorldDestroy(world);
    return hash;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* Two islands fail in the same step, one by its state, one by its force, and neither is the first: everything stays as
 * it was and the error is that of the first of the two in ODE's order, whatever the threads; the next step goes on. */
static uint64_t failing(int threads)
{
    static dBodyID first[Chains];
    dWorldID world = dWorldCreate();
    uint64_t hash = 1;
    for (int i = 0; i < Chains; i++) first[i] = chain(world, i);
    ukWorldSetThreads(world, threads);
    for (int k = 0; k < 20; k++) {
        const bool fails = k % 4 == 3;
        if (fails) {
            dBodyAddForce(first[k % 11], 0, 1e308, 0), dBodyAddForce(first[k % 11], 0, 1e308, 0);
            dBodySetLinearVel(first[12], 0, NAN, 0);
        }
        uint64_t before = 1, after = 1;
        for (int i = 0; i < Chains; i++) before = hashBody(before, first[i]);
        const int done = ukWorldStep(world, 0.01);
        for (int i = 0; i < Chains; i++) after = hashBody(after, first[i]);
        CHECK(done == !fails);
        CHECK(!fails || before == after);
        for (const char *c = fails ? ukGetLastErrorMessage() : ""; *c; c++)
            hash = (hash ^ (uint64_t)*c) * 0x100000001b3u;
        for (int i = 0; i < Chains; i++) hash = hashBody(hash, first[i]);
        if (!fails) continue;
        dBodySetForce(first[k % 11], 0, 0, 0);
        dBodySetLinearVel(first[12], 0, 0, 0);
    }
    dWorldDestroy(world);
    return hash;
}

static void arguments(void)
{
    dWorldID world = dWorldCreate();
    CHECK(ukWorldGetThreads(world) == 1);
    CHECK(ukWorldSetThreads(world, 0) < 0 && ukWorldSetThreads(world, 65) < 0 && ukWorldSetThreads(NULL, 2) < 0);
    CHECK(ukWorldGetThreads(world) == 1);
    CHECK(ukWorldSetThreads(world, 64) == 0 && ukWorldGetThreads(world) == 64);
    dWorldDestroy(world);
}

/* ---- the pool ---------------------------------------------------------------------------------------------------- */

enum { Tasks = 100 };

typedef struct Count {
    atomic_int of[Tasks];
    bool nested;
} Count;

static void count(void *context, int k)
{
    Count *c = context;
    c->of[k]++;
    if (!c->nested) return;
    Count inner = {0};
    ukPoolRun(4, Tasks, count, &inner); /* the pool is taken: by the caller alone */
    for (int i = 0; i < Tasks; i++) CHECK(inner.of[i] == 1);
}

static void everyTaskOnce(void)
{
    for (int round = 0; round < ukTestRounds(200); round++)
        for (int threads = 1; threads <= 5; threads += 2) {
            Count c = {0};
            const int tasks = round % Tasks;
            ukPoolRun(threads, tasks, count, &c);
            for (int k = 0; k < Tasks; k++) CHECK(c.of[k] == (k < tasks));
        }
}

static uint64_t forked(int threads)
{
    Count c = {0};
    ukPoolRun(threads, Tasks, count, &c);
    for (int k = 0; k < Tasks; k++) CHECK(c.of[k] == 1);
    return 1;
}

int main(void)
{
    dInitODE2(0);
    same("ragdolls", ragdolls);
    same("pile", pile);
    same("chains", chains);
    same("failing", failing);
    arguments();
    everyTaskOnce();
    CHECK(inChild(forked, 3, 0) == 1); /* from a process that has threads */
    everyTaskOnce();
    dCloseODE();
    return ukTestEnd();
}

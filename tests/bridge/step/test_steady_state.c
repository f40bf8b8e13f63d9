/* SPDX-License-Identifier: BSD-3-Clause */
/* A step whose bodies, joints and rows stay within what an earlier step needed allocates nothing; the same inputs give
 * the same bits; and a failed allocation fails the step, with the world as it was. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/body_state.h"

/* Every allocation of the process is counted; the one of number `failing` (from 1) fails. The address sanitizer has an
 * allocator of its own: under it only the bits are compared. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define OWN_ALLOCATOR 0
#elif !defined(OWN_ALLOCATOR)
#define OWN_ALLOCATOR 1
#endif

static long allocations, failing;

#if OWN_ALLOCATOR
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int denied(void)
{
    if (++allocations != failing) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return denied() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return denied() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return denied() ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return denied() ? NULL : __libc_memalign(alignment, size);
}

#endif

static long counted; /* in the steps below */

static int step(dWorldID world, dReal h)
{
    const long before = allocations;
    const int done = ukWorldStep(world, h);
    counted += allocations - before;
    return done;
}

static uint64_t hashOf(const Scene *scene)
{
    uint64_t hash = hashStart;
    for (int i = 0; i < scene->count; i++) hash = hashBody(hash, scene->bodies[i]);
    return hash;
}

static ukStabilization stabilization = ukStabilizeProjection; /* the default */

static bool with_friction; /* dry and viscous in every joint, and a ledger */

static uint64_t run(const char *name, int n, int warm, int steps, ukIntegrator integrator, bool must_be_steady)
{
    Scene *scene = sceneByName(name, n);
    CHECK(ukWorldSetIntegrator(scene->world, integrator) == 0);
    CHECK(ukWorldSetStabilization(scene->world, stabilization, 0, 0) == 0);
    for (int i = 0; with_friction && i < scene->joint_count; i++)
        CHECK(ukJointSetCoulomb(scene->joints[i], 0.2, 0.01) == 0 && ukJointSetViscous(scene->joints[i], 0.01) == 0);
    if (with_friction) CHECK(ukWorldSetLedger(scene->world, 1) == 0);
    for (int i = 0; i < warm; i++) CHECK(sceneStep(scene, 0.002, step));
    counted = 0;
    for (int i = 0; i < steps; i++) CHECK(sceneStep(scene, 0.002, step));
    if (must_be_steady && !CHECK(counted == 0)) printf("%s: %ld allocations in %d steps\n", name, counted, steps);
    const uint64_t hash = hashOf(scene);
    sceneDestroy(scene);
    return hash;
}

/* Boxes that slide: friction that follows its normal force has a factorization of its own. */
static Scene *sliding(int n)
{
    Scene *scene = sceneByName("stack", n);
    CHECK(ukWorldSetFriction(scene->world, ukFrictionCone) == 0);
    scene->mu = 0.2; /* they do not tip over */
    for (int i = 0; i < n; i++) {
        const dReal *at = dBodyGetPosition(scene->bodies[i]);
        dBodySetPosition(scene->bodies[i], at[0], at[1], at[2] - 1e-4 * (i + 1)); /* they touch from the start */
        dBodySetLinearVel(scene->bodies[i], 2, 0.5, 0);
    }
    return scene;
}

static void slidesWithoutAllocating(void)
{
    Scene *scene = sliding(3);
    for (int i = 0; i < 20; i++) CHECK(sceneStep(scene, 0.002, step));
    counted = 0;
    for (int i = 0; i < 50; i++) CHECK(sceneStep(scene, 0.002, step));
    CHECK(counted == 0);
    for (int i = 0; i < scene->count; i++) CHECK(dBodyGetLinearVel(scene->bodies[i])[0] > 1); /* still */
    sceneDestroy(scene);
}

/* Boxes that are pushed out of one another beside their velocities. */
static Scene *pushed(int n)
{
    Scene *scene = sliding(n);
    CHECK(ukWorldSetStabilization(scene->world, ukStabilizeSplit, 0, 0) == 0);
    return scene;
}

static Scene *hinged(int n)
{
    Scene *scene = sceneByName("stack", n);
    for (int i = 0; i < scene->count; i++) dBodyAddForce(scene->bodies[i], 1, 2, 3);
    sceneAddHinge(scene, scene->bodies[0], 0, (dReal[]){0, 0, 0}, 0, 1, 0);
    return scene;
}

static long kth;
static bool reached;

static int stepFailing(dWorldID world, dReal h)
{
    failing = allocations + kth;
    const int done = ukWorldStep(world, h);
    reached = allocations >= failing;
    failing = 0;
    return done;
}

/* The k-th allocation of a world's first step fails, for every k until none is left to fail. */
static void everyAllocationFails(Scene *make(int n))
{
    int failures = 0;
    reached = true;
    for (kth = 1; kth < 1000 && reached; kth++) {
        Scene *scene = make(2);
        const uint64_t before = hashOf(scene);
        if (!sceneStep(scene, 0.01, stepFailing)) {
            failures++;
            CHECK(hashOf(scene) == before);
            CHECK(ukGetLastError() < 0);
            CHECK(sceneStep(scene, 0.01, ukWorldStep) == 1); /* memory is back */
        }
        sceneDestroy(scene);
    }
    CHECK(!reached && failures > 3);
    printf("%d allocations failed\n", failures);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    static const struct {
        const char *name;
        int n, warm, steps;
    } steady[] = {{"chain", 50, 3, 50},    {"loop", 30, 3, 50},    {"tree", 31, 3, 50},    {"hub", 40, 3, 50},
                  {"net", 5, 3, 50},       {"flat_net", 4, 3, 50}, {"four_bar", 0, 3, 50}, {"bricard", 0, 60, 100},
                  {"trap_door", 3, 3, 50}, {"heavy", 10, 3, 50}},
      contacts[] = {{"stack", 5, 20, 50}},
      same[] = {{"chain", 20, 0, 60}, {"loop", 20, 0, 60},    {"tree", 31, 0, 60},    {"hub", 20, 0, 60},
                {"net", 4, 0, 60},    {"flat_net", 4, 0, 60}, {"four_bar", 0, 0, 60}, {"bricard", 0, 0, 100},
                {"stack", 5, 0, 60},  {"pile", 10, 0, 60},    {"ragdolls", 2, 0, 60}};
    for (size_t i = 0; i < sizeof steady / sizeof *steady; i++)
        for (int k = 0; k < 2; k++)
            run(steady[i].name, steady[i].n, steady[i].warm, steady[i].steps, k ? ukIntegratorRK4 : ukIntegratorEuler,
                true);
    for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++)
        run(contacts[i].name, contacts[i].n, contacts[i].warm, contacts[i].steps, ukIntegratorEuler, true);
    stabilization = ukStabilizeSplit;
    run("loop", 30, 3, 50, ukIntegratorEuler, true);
    run("stack", 5, 20, 50, ukIntegratorEuler, true);
    run("ragdolls", 2, 300, 20, ukIntegratorEuler, true);
    CHECK(run("ragdolls", 2, 0, 60, ukIntegratorEuler, false) == run("ragdolls", 2, 0, 60, ukIntegratorEuler, false));
    stabilization = ukStabilizeProjection;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        for (int k = 0; k < 2; k++) {
            const ukIntegrator integrator = k ? ukIntegratorRK4 : ukIntegratorEuler;
            CHECK(run(same[i].name, same[i].n, 0, same[i].steps, integrator, false) ==
                  run(same[i].name, same[i].n, 0, same[i].steps, integrator, false));
        }
    slidesWithoutAllocating();
    if (OWN_ALLOCATOR) everyAllocationFails(hinged), everyAllocationFails(sliding), everyAllocationFails(pushed);
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A saved state goes on as if it had never stopped: 10 worlds, saved at 20 moments each, restored into themselves and
 * into worlds built again; the saved bytes 500 steps later are the same, every one of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/keep_scenes.h"

enum { Moments = 20, Further = 500 / UKODE_TEST_SHARE, Latest = 300 };

/* what a world saves */
typedef struct Bytes {
    unsigned char *at;
    size_t size;
} Bytes;

static Bytes save(const Kept *k)
{
    Bytes bytes = {.size = ukWorldSave(k->scene->world, NULL, 0)};
    bytes.at = malloc(bytes.size);
    CHECK(bytes.size > 0 && bytes.at && ukWorldSave(k->scene->world, bytes.at, bytes.size) == bytes.size);
    return bytes;
}

static bool same(Bytes x, Bytes y)
{
    return x.size == y.size && memcmp(x.at, y.at, x.size) == 0;
}

static void steps(Kept *k, int count)
{
    for (int i = 0; i < count; i++) keptStep(k);
}

/* further steps after a moment: what is saved then, by way of a restore or not */
static void scene(const char *name)
{
    unsigned int seed = 1;
    Kept *const run = keptMake(name);
    int at = 0;
    for (int m = 0; m < ukTestRounds(Moments); m++) {
        seed = seed * 1103515245u + 12345u;
        const int moment = at + (int)(seed >> 16) % (2 * Latest / Moments);
        steps(run, moment - at);
        at = moment;
        unsigned char before[16], after[16];
        const Bytes saved = save(run);
        const int number = run->step;
        CHECK(ukWorldHash(run->scene->world, before) == ukOk);
        steps(run, Further);
        const Bytes end = save(run);

        CHECK(ukWorldRestore(run->scene->world, saved.at, saved.size) == ukOk);
        run->step = number;
        const Bytes again = save(run);
        CHECK(same(again, saved));
        CHECK(ukWorldHash(run->scene->world, after) == ukOk && memcmp(before, after, 16) == 0);
        steps(run, Further);
        const Bytes same_end = save(run);
        if (!CHECK(same(same_end, end))) printf("%s: into itself, saved at %d\n", name, moment);

        Kept *const built = keptMake(name);
        if (m % 2) steps(built, m);
        if (!CHECK(ukWorldRestore(built->scene->world, saved.at, saved.size) == ukOk))
            printf("%s: %s\n", name, ukGetLastErrorMessage());
        built->step = number;
        const Bytes built_again = save(built);
        CHECK(same(built_again, saved));
        steps(built, Further);
        const Bytes built_end = save(built);
        if (!CHECK(same(built_end, end))) printf("%s: built again, saved at %d\n", name, moment);
        keptDestroy(built);

        CHECK(ukWorldRestore(run->scene->world, saved.at, saved.size) == ukOk);
        run->step = number;
        free(saved.at), free(end.at), free(again.at), free(same_end.at), free(built_again.at), free(built_end.at);
    }
    keptDestroy(run);
}

static void nothing(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    (void)context, (void)force, (void)data;
}

/* Every joint is there twice: rows wait for their bodies in the elimination, and that is remembered. */
static void addTwice(const Scene *s)
{
    dVector3 anchor, axis;
    for (int i = 0; i < s->joint_count; i++) {
        const dJointID joint = dJointCreateHinge(s->world, NULL);
        dJointGetHingeAnchor(s->joints[i], anchor);
        dJointGetHingeAxis(s->joints[i], axis);
        dJointAttach(joint, dJointGetBody(s->joints[i], 0), dJointGetBody(s->joints[i], 1));
        dJointSetHingeAnchor(joint, anchor[0], anchor[1], anchor[2]);
        dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    }
}

/* an island whose elimination is remembered, beside one that has a joint and no rows; and a layer as ODE takes it */
static Kept *makeOdd(void)
{
    Kept *const k = keptMake("rk4");
    const dWorldID world = k->scene->world;
    const dBodyID a = dBodyCreate(world), b = dBodyCreate(world);
    const dJointID none = dJointCreateNull(world, NULL);
    dJointAttach(none, a, b);
    addTwice(k->scene);
    CHECK(ukJointSetNonIdeal(none, nothing, NULL) == ukOk);
    dWorldSetContactSurfaceLayer(world, -0.001);
    return k;
}

static void odd(void)
{
    Kept *const run = makeOdd(), *const built = makeOdd();
    steps(run, 50);
    const Bytes saved = save(run);
    built->step = run->step;
    if (!CHECK(ukWorldRestore(built->scene->world, saved.at, saved.size) == ukOk))
        printf("%s\n", ukGetLastErrorMessage());
    steps(run, Further);
    steps(built, Further);
    const Bytes end = save(run), built_end = save(built);
    CHECK(same(end, built_end));
    free(saved.at), free(end.at), free(built_end.at);
    keptDestroy(run), keptDestroy(built);
}

int main(int argc, char **argv)
{
    dInitODE2(0);
    if (argc < 2 || strcmp(argv[1], "odd") == 0) odd();
    for (int i = 0; i < keptCount; i++)
        if (argc < 2 || strcmp(argv[1], keptName[i]) == 0) scene(keptName[i]);
    dCloseODE();
    return ukTestEnd();
}

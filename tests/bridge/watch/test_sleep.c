/* SPDX-License-Identifier: BSD-3-Clause */
/* Auto-disable against ODE's own, to the flag: twin worlds, the same velocities and the same calls; one steps natively,
 * on the other only the pass runs. Null joints make the bodies take part without moving them. */
#include <string.h>

#include "bridge/world/registry.h"
#include "bridge/world/sleep.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Bodies = 24, FirstPair = 16 }; /* the last ones are joined in pairs: the awake one wakes the other */

typedef struct Twin {
    dWorldID world;
    dBodyID body[Bodies];
} Twin;

static Twin build(void)
{
    Twin t = {.world = dWorldCreate()};
    dWorldSetAutoDisableSteps(t.world, 4);
    dWorldSetAutoDisableTime(t.world, 0.03);
    dWorldSetAutoDisableAverageSamplesCount(t.world, 3);
    dWorldSetAutoDisableFlag(t.world, 1);
    for (int i = 0; i < Bodies; i++) {
        t.body[i] = dBodyCreate(t.world);
        dBodySetGyroscopicMode(t.body[i], 0); /* its rounding would tell the twins apart */
        if (i == 0) continue;                 /* free bodies never sleep */
        if (i < FirstPair)
            dJointAttach(dJointCreateNull(t.world, 0), t.body[i], 0);
        else if (i % 2 == 1)
            dJointAttach(dJointCreateNull(t.world, 0), t.body[i], t.body[i - 1]);
    }
    return t;
}

/* one of the calls that touch the hidden counters, or none */
static void call(const Twin *t, int i, int what, double x)
{
    const dBodyID b = t->body[i];
    switch (what) {
    case 0:
    case 10:
    case 11:
    case 12: dBodyEnable(b); break;
    case 1: dBodySetAutoDisableSteps(b, (int)(6 * x)); break;
    case 2: dBodySetAutoDisableTime(b, 0.06 * x); break;
    case 3: dBodySetAutoDisableLinearThreshold(b, 0.02 * x); break;
    case 4: dBodySetAutoDisableAngularThreshold(b, 0.02 * x); break;
    case 5: dBodySetAutoDisableAverageSamplesCount(b, (unsigned int)(5 * x)); break;
    case 6: dBodySetAutoDisableFlag(b, x < 0.3 ? 0 : 1); break;
    case 7:
        dBodySetAutoDisableDefaults(b);
        dBodySetAutoDisableAverageSamplesCount(b, 2); /* ODE overruns its own buffer otherwise */
        break;
    case 8: dBodyDisable(b); break;
    default: break;
    }
}

static void setVelocity(const Twin *t, int i, const double v[6])
{
    dBodySetLinearVel(t->body[i], v[0], v[1], v[2]);
    dBodySetAngularVel(t->body[i], v[3], v[4], v[5]);
}

/* the state that a failed step must leave, without the memory kept for an undo */
typedef struct Sleep {
    int steps_left;
    dReal time_left, ring[8][6], v[6];
    unsigned int counter;
    bool ready, enabled;
} Sleep;

static Sleep sleepOf(dBodyID body)
{
    const ukBody *b = ukRegistryBody(body);
    Sleep s;
    memset(&s, 0, sizeof s); /* padding, too: compared as bytes */
    s.steps_left = b->sleep.steps_left;
    s.time_left = b->sleep.time_left;
    s.counter = b->sleep.counter;
    s.ready = b->sleep.ready;
    s.enabled = dBodyIsEnabled(body) != 0;
    for (unsigned int i = 0; i < b->sleep.capacity && i < 8; i++)
        memcpy(s.ring[i], b->sleep.buffer[i], sizeof s.ring[i]);
    memcpy(s.v, b->linear, 3 * sizeof *s.v);
    memcpy(s.v + 3, b->angular, 3 * sizeof *s.v);
    return s;
}

static void pass(ukWorld *world, double h)
{
    bool slept;
    CHECK(ukSleepUpdate(world, h, &slept) == 0);
}

/* the pass, taken back, and again: the same */
static void passWithUndo(const Twin *t, double h)
{
    ukWorld *world = ukRegistryWorld(t->world);
    Sleep before[Bodies];
    for (int i = 0; i < Bodies; i++) before[i] = sleepOf(t->body[i]);
    pass(world, h);
    ukSleepUndo(world);
    for (int i = 0; i < Bodies; i++) {
        const Sleep after = sleepOf(t->body[i]);
        /* a ring that the pass made is all zero after it; before it there was none: the same bytes */
        CHECK(memcmp(&after, &before[i], sizeof after) == 0);
    }
    pass(world, h);
}

static void wakePairs(const Twin *t)
{
    for (int i = FirstPair; i < Bodies; i += 2) {
        const dBodyID b[2] = {t->body[i], t->body[i + 1]};
        for (int k = 0; k < 2; k++)
            if (dBodyIsEnabled(b[1 - k]) && !dBodyIsEnabled(b[k])) ukSleepWake(ukRegistryBody(b[k]));
    }
}

static void againstOde(uint64_t seed)
{
    const double h = 0.01;
    Random random = {seed};
    const Twin native = build(), ours = build();
    int slept = 0, woke = 0;
    for (int step = 0; step < 400; step++) {
        for (int i = 0; i < Bodies; i++) {
            const int what = randomBelow(&random, 400);
            const double x = randomUniform(&random, 0, 1), size = randomUniform(&random, 0, 1) < 0.97 ? 0.003 : 0.08;
            double v[6];
            for (int k = 0; k < 6; k++) v[k] = randomUniform(&random, -size, size);
            call(&native, i, what, x);
            call(&ours, i, what, x);
            if (!dBodyIsEnabled(native.body[i])) continue;
            setVelocity(&native, i, v);
            setVelocity(&ours, i, v);
        }
        bool before[Bodies];
        for (int i = 0; i < Bodies; i++) before[i] = dBodyIsEnabled(native.body[i]) != 0;
        dWorldStep(native.world, h);
        if (step % 3 == 0)
            passWithUndo(&ours, h);
        else
            pass(ukRegistryWorld(ours.world), h);
        wakePairs(&ours);
        for (int i = 0; i < Bodies; i++) {
            const bool enabled = dBodyIsEnabled(native.body[i]) != 0;
            slept += before[i] && !enabled;
            woke += !before[i] && enabled;
            CHECK(dBodyIsEnabled(ours.body[i]) == dBodyIsEnabled(native.body[i]));
            CHECK_NEAR_ALL(dBodyGetLinearVel(ours.body[i]), dBodyGetLinearVel(native.body[i]), 3, 0);
            CHECK_NEAR_ALL(dBodyGetAngularVel(ours.body[i]), dBodyGetAngularVel(native.body[i]), 3, 0);
        }
    }
    CHECK(slept > 50);
    CHECK(woke > 5);
    dWorldDestroy(native.world);
    dWorldDestroy(ours.world);
}

/* A body that took some samples of its own count gets the world's, which is less, and rests from then on. It sleeps once
 * all samples of the new count are of a body at rest; if it took more than these, it starts again. (ODE with assertions
 * ends the program here.) */
static void fewerSamples(int from, int to, int taken, bool rested)
{
    const double v = rested ? 0 : 5;
    const dWorldID world = dWorldCreate();
    dWorldSetAutoDisableAverageSamplesCount(world, (unsigned int)to);
    dWorldSetAutoDisableSteps(world, 1);
    dWorldSetAutoDisableTime(world, 0);
    dWorldSetAutoDisableFlag(world, 1);
    const dBodyID body = dBodyCreate(world);
    dJointAttach(dJointCreateNull(world, 0), body, 0);
    dBodySetAutoDisableAverageSamplesCount(body, (unsigned int)from);
    for (int i = 0; i < taken; i++) {
        dBodySetLinearVel(body, v, 0, 0);
        pass(ukRegistryWorld(world), 0.01);
        CHECK(dBodyIsEnabled(body));
    }
    dBodySetAutoDisableDefaults(body);
    const int expected = rested && taken < to ? to - taken : to;
    int passes = 0;
    while (passes < 20 && dBodyIsEnabled(body)) {
        dBodySetLinearVel(body, 0, 0, 0);
        pass(ukRegistryWorld(world), 0.01);
        passes++;
    }
    CHECK(passes == expected);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int from = 2; from <= 6; from++)
        for (int to = 1; to < from; to++)
            for (int taken = 0; taken < from; taken++)
                fewerSamples(from, to, taken, false), fewerSamples(from, to, taken, true);
    for (uint64_t seed = 1; seed <= 20; seed++) againstOde(seed * 7919);
    dCloseODE();
    return ukTestEnd();
}

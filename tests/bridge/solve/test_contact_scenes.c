/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact scenes with dWorldStep's friction: two convex problems per step, so that every step must be solved and
 * certified. What rests stays where it is. bench/gate counts the passes. */
#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

#include <math.h>

typedef struct Run {
    const char *scene;
    int n, steps;
    double drift; /* [m], at most, horizontally; 0: not checked */
} Run;

static void run(const Run *r)
{
    Scene *s = sceneByName(r->scene, r->n);
    CHECK(s != NULL);
    if (!s) return;
    double worst = 0, drift = 0;
    dReal start[1024][2];
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 2; k++) start[i][k] = dBodyGetPosition(s->bodies[i])[k];
    for (int step = 0; step < r->steps; step++) {
        ukReport report;
        CHECK(sceneStep(s, 0.01, ukWorldStep));
        ukWorldGetReport(s->world, &report);
        CHECK(report.ok && report.fallbacks == 0);
        worst = fmax(worst, report.complementarity);
    }
    for (int i = 0; i < s->count; i++) {
        const dReal *x = dBodyGetPosition(s->bodies[i]);
        drift = fmax(drift, hypot(x[0] - start[i][0], x[1] - start[i][1]));
    }
    if (!(worst <= 1e-8) || (r->drift > 0 && drift > r->drift))
        printf("%s %d: residual %.2g, drift %.2g m\n", r->scene, r->n, worst, drift);
    CHECK(worst <= 1e-8);
    CHECK(r->drift == 0 || drift <= r->drift);
    sceneDestroy(s);
}

/* A hand lifts its box and keeps it: the box hangs where the hand is, and has not crept along the fingers. */
static void holds(SceneStepFn *step, ukFriction friction)
{
    Scene *s = sceneByName("gripper", 1);
    const dReal *hand = dBodyGetPosition(s->bodies[0]), *box = dBodyGetPosition(s->bodies[3]);
    dReal grasped = 0, slid = 0;
    ukWorldEnable(s->world);
    CHECK(ukWorldSetFriction(s->world, friction) == 0);
    for (int i = 0; i < 400; i++) {
        CHECK(sceneStep(s, 0.01, step) == 1);
        if (i == 100) grasped = hand[2] - box[2];
        if (i > 100) slid = fmax(slid, fabs(hand[2] - box[2] - grasped));
    }
    CHECK(box[2] > 0.3 && slid < 1e-6);
    CHECK(fabs(box[0]) < 1e-3 && fabs(box[1]) < 1e-6);
    sceneDestroy(s);
}

/* Under the cone a round may have bounds that the last forces are no start for: another is made from nothing. */
static void heapUnderCone(int n)
{
    Scene *s = sceneByName("pile", n);
    ukWorldEnable(s->world);
    CHECK(ukWorldSetFriction(s->world, ukFrictionCone) == 0);
    for (int i = 0; i < 100; i++) {
        ukReport report;
        CHECK(sceneStep(s, 0.01, ukWorldStep) == 1 && ukWorldGetReport(s->world, &report) == 0 && report.ok);
    }
    sceneDestroy(s);
}

/* A robot laid on the ground: its first step, without a warm start, is certified. */
static void laidDown(const char *scene, int n)
{
    Scene *s = sceneByName(scene, n);
    ukReport report;
    CHECK(sceneStep(s, 0.01, ukWorldStep) == 1 && ukWorldGetReport(s->world, &report) == 0 && report.ok);
    CHECK(report.rows > 250 && report.complementarity <= 1e-8);
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    const Run runs[] = {
        {"stack", 10, 1000, 1e-9}, {"stack", 50, 100, 1e-9}, {"pyramid", 10, 60, 1e-6},
        {"ragdolls", 20, 200, 0}, /* interior points of steps 73, 141 and 196 went in circles */
        {"pile", 60, 100, 0},      {"snake", 9, 200, 0},     {"hanging_snake", 9, 200, 0},
        {"walker", 2, 200, 0},     {"car", 1, 300, 0},       {"bike", 1, 300, 0},
        {"gripper", 1, 300, 0},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) run(&runs[i]);
    holds(dWorldStep, ukFrictionOde);
    holds(dWorldQuickStep, ukFrictionOde);
    holds(dWorldStep, ukFrictionCone);
    laidDown("snake", 18);
    heapUnderCone(35);
    heapUnderCone(40);
    dCloseODE();
    return ukTestEnd();
}

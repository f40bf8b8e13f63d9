/* SPDX-License-Identifier: BSD-3-Clause */
/* What falls comes to rest and stays: drift <= 1e-3 m in the last seconds, with every step solved, under each law of
 * friction. Large piles need a surface layer for their contacts, or the split correction; ragdolls damping or friction
 * in their joints for what hangs free (docs/contact.md). */
#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

#include <math.h>

typedef enum Law { TwoPhase, Coupled, Cone } Law;

typedef struct Run {
    const char *scene;
    int n;
    Law law;
    double layer, damping;
    double friction;   /* dry, in the joints, bearings of 2 cm radius */
    double fall, rest; /* the two parts of the run [s]: of the second the drift is judged */
    double fastest;    /* at the end, at most [m/s] */
    bool split;        /* positions corrected beside the velocities */
} Run;

enum { MaxBodies = 256 };

typedef struct Outcome {
    double residual, drift, fastest;
} Outcome;

static Outcome run(const Run *r)
{
    static const char *const laws[] = {"two-phase", "coupled", "cone"};
    const double h = 0.01;
    const int fall = (int)(r->fall / h + 0.5), steps = fall + (int)(r->rest / h + 0.5);
    Outcome o = {0, INFINITY, INFINITY};
    dReal from[3 * MaxBodies];
    Scene *s = sceneByName(r->scene, r->n);
    CHECK(s && s->count <= MaxBodies);
    if (!s) return o;
    sceneCalm(s, r->layer, r->damping);
    for (int i = 0; r->friction > 0 && i < s->joint_count; i++)
        CHECK(ukJointSetCoulomb(s->joints[i], r->friction, 0.02) == 0);
    ukWorldEnable(s->world);
    if (r->split) CHECK(ukWorldSetStabilization(s->world, ukStabilizeSplit, 0, 0) == 0);
    ukWorldSetFriction(s->world, r->law == Cone ? ukFrictionCone : ukFrictionOde);
    int failed = 0;
    for (int i = 0; i < steps; i++) {
        ukReport report = {0};
        if (i == fall) sceneNote(s, from);
        failed += !sceneStep(s, h, r->law == Coupled ? dWorldQuickStep : dWorldStep);
        ukWorldGetReport(s->world, &report);
        failed += !report.ok || report.fallbacks > 0;
        if (!(report.complementarity <= o.residual)) o.residual = report.complementarity;
    }
    CHECK(failed == 0);
    o.drift = sceneDrift(s, from);
    o.fastest = sceneFastest(s);
    printf("%s %d, %s%s: residual %.1e, drift %.1e m, fastest %.1e m/s\n", r->scene, r->n, laws[r->law],
           r->split ? ", split" : "", o.residual, o.drift, o.fastest);
    sceneDestroy(s);
    return o;
}

static void comesToRest(const Run *r)
{
    const Outcome o = run(r);
    CHECK(o.residual <= 1e-8);
    CHECK(o.drift <= 1e-3);
    CHECK(o.fastest <= r->fastest);
}

/* heads that touch nothing are pendulums without friction: the solver must not be what stops them */
static void swingsOn(const Run *r)
{
    const Outcome o = run(r);
    CHECK(o.residual <= 1e-8);
    CHECK(o.fastest > 0.1);
}

int main(void)
{
    dInitODE2(0);
    const Run rests[] = {
        {"stack", 10, TwoPhase, 0, 0, 0, 1, 2, 1e-6, false},
        {"stack", 10, Coupled, 0, 0, 0, 1, 2, 1e-6, false},
        {"stack", 10, Cone, 0, 0, 0, 1, 2, 1e-6, false},
        {"stack", 50, TwoPhase, 0, 0, 0, 1, 2, 1e-6, false},
        {"stack", 50, Coupled, 0, 0, 0, 1, 2, 1e-6, false},
        {"stack", 50, Cone, 0, 0, 0, 1, 2, 1e-6, false},
        {"pyramid", 10, TwoPhase, 0, 0, 0, 1, 2, 1e-6, false},
        {"pile", 40, TwoPhase, 0, 0, 0, 5, 2, 1e-6, false},
        {"pile", 80, TwoPhase, 1e-3, 0, 0, 5, 2, 1e-6, false}, /* without the layer boxes creep and jump */
        {"pile", 12, Coupled, 1e-3, 0, 0, 4, 2, 1e-6, false},
        {"pile", 12, Cone, 1e-3, 0, 0, 4, 2, 1e-6, false},
        {"ragdolls", 4, TwoPhase, 1e-3, 0.05, 0, 6, 2, 1e-3, false},
        {"ragdolls", 1, Coupled, 1e-3, 0.05, 0, 6, 2, 1e-3, false},
        {"ragdolls", 1, Cone, 1e-3, 0.05, 0, 6, 2, 1e-3, false},
        {"ragdolls", 2, TwoPhase, 1e-3, 0, 0.1, 6, 2, 1e-6, false},
        {"ragdolls", 1, Coupled, 1e-3, 0, 0.1, 4, 2, 1e-6, false},
        {"ragdolls", 1, Cone, 1e-3, 0, 0.1, 4, 2, 1e-6, false},
    };
    const Run splits[] = {{"pile", 80, TwoPhase, 0, 0, 0, 6, 2, 1e-6, true},
                          {"pyramid", 10, TwoPhase, 0, 0, 0, 1, 2, 1e-6, true},
                          {"stack", 10, Cone, 0, 0, 0, 1, 2, 1e-6, true},
                          {"pile", 12, Coupled, 0, 0, 0, 4, 2, 1e-6, true}};
    const Run undamped = {"ragdolls", 4, TwoPhase, 1e-3, 0, 0, 6, 2, 0, false};
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) comesToRest(&rests[i]);
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) comesToRest(&splits[i]);
    swingsOn(&undamped);
    dCloseODE();
    return ukTestEnd();
}

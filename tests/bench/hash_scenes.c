/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes of the states of scenes and random worlds under every integrator, friction law and solver, one line a case, to
 * show which cases a change of the code affects. hash_worlds.c covers equality rows only; here are bounded rows, too.
 * Usage: hash_scenes [CASE-PREFIX]
 *
 * Columns: case, hash of all states, steps taken, factorizations of all steps. Two builds of the same
 * compiler and C library that print the same lines have moved every world alike, to the last bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demos/scenes.h"
#include "tests/support/body_state.h"
#include "tests/support/random_world.h"
#include "ukode/ukode.h"

typedef struct Tally {
    uint64_t hash;
    int steps;
    long passes;
} Tally;

static void countStep(Tally *t, dWorldID world, int ok)
{
    ukReport report;
    t->hash = hashBytes(t->hash, &ok, sizeof ok);
    t->steps += ok != 0;
    if (ok && ukWorldGetReport(world, &report) == 0) t->passes += report.factorizations;
}

static void printTally(const char *name, const Tally *t)
{
    printf("%-44s %016llx %5d %7ld\n", name, (unsigned long long)t->hash, t->steps, t->passes);
    fflush(stdout);
}

typedef struct SceneCase {
    const char *scene;
    int n, steps;
    dReal h;
} SceneCase;

static void hashScene(const SceneCase *c, const char *kind, SceneStepFn *step, ukIntegrator integrator, ukSolver solver,
                      ukFriction friction, const char *prefix)
{
    char name[96];
    Tally t = {.hash = hashStart};
    snprintf(name, sizeof name, "%s:%d/%s", c->scene, c->n, kind);
    if (strncmp(name, prefix, strlen(prefix)) != 0) return;
    Scene *s = sceneByName(c->scene, c->n);
    if (!s) exit(1);
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, integrator);
    ukWorldSetSolver(s->world, solver);
    ukWorldSetFriction(s->world, friction);
    for (int i = 0; i < c->steps; i++) {
        const int ok = sceneStep(s, c->h, step);
        countStep(&t, s->world, ok);
        for (int b = 0; b < s->count; b++) t.hash = hashBody(t.hash, s->bodies[b]);
    }
    sceneDestroy(s);
    printTally(name, &t);
}

/* one step of the discrete form, by the law that the stepper has in ODE */
static int stepDirect(dWorldID world, dReal h)
{
    return ukWorldStep(world, h);
}

static void hashContactScenes(const char *prefix)
{
    static const SceneCase cases[] = {
        {"stack", 10, 200, 0.01}, {"stack", 20, 100, 0.01},   {"pyramid", 10, 80, 0.01}, {"pile", 40, 150, 0.01},
        {"pile", 120, 60, 0.01},  {"ragdolls", 3, 120, 0.01}, {"snake", 9, 150, 0.01},   {"snake", 18, 100, 0.01},
        {"walker", 1, 150, 0.01}, {"car", 1, 150, 0.01},      {"bike", 1, 100, 0.01},    {"gripper", 1, 100, 0.01},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        hashScene(&cases[k], "two-phase", stepDirect, ukIntegratorEuler, ukSolverAuto, ukFrictionOde, prefix);
        hashScene(&cases[k], "box", dWorldQuickStep, ukIntegratorEuler, ukSolverAuto, ukFrictionOde, prefix);
        hashScene(&cases[k], "cone", dWorldQuickStep, ukIntegratorEuler, ukSolverAuto, ukFrictionCone, prefix);
        hashScene(&cases[k], "adaptive", stepDirect, ukIntegratorAdaptive, ukSolverAuto, ukFrictionOde, prefix);
    }
}

static void hashMechanisms(const char *prefix)
{
    static const SceneCase cases[] = {
        {"chain", 30, 150, 0.002},       {"loop", 20, 100, 0.002},    {"tree", 31, 100, 0.002},
        {"hub", 20, 100, 0.002},         {"net", 5, 60, 0.002},       {"flat_net", 5, 60, 0.002},
        {"trap_door", 3, 100, 0.002},    {"four_bar", 0, 400, 0.005}, {"bricard", 0, 100, 0.005},
        {"hanging_snake", 9, 100, 0.01},
    };
    static const char *const integrators[] = {"euler", "rk4", "adaptive", "rattle"};
    static const char *const solvers[] = {"sparse", "m_inverse", "one_four", "dalembert", "gauss_qp", "lagrange"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int i = 0; i < 4; i++)
            hashScene(&cases[k], integrators[i], stepDirect, (ukIntegrator)i, ukSolverAuto, ukFrictionOde, prefix);
        for (int i = 0; cases[k].n < 10 && i < 6; i++)
            hashScene(&cases[k], solvers[i], stepDirect, ukIntegratorEuler, (ukSolver)(ukSolverSparse + i),
                      ukFrictionOde, prefix);
    }
}

static void hashRandomWorlds(const char *prefix)
{
    static const RandomWorldKind kinds[] = {
        {.cfm_lo = 1e-10, .cfm_hi = 1e-3},
        {.cfm_lo = 1e-10, .cfm_hi = 1e-8, .loops = 1},
        {.cfm_lo = 1e-10, .cfm_hi = 1e-3, .stops = 1, .bounded_motors = 1},
        {.cfm_lo = 1e-10, .cfm_hi = 1e-3, .stops = 1, .bounded_motors = 1, .contacts = 6, .friction = 1},
    };
    for (int kind = 0; kind < 4; kind++)
        for (int integrator = 0; integrator < 4; integrator++) {
            char name[64];
            Tally t = {.hash = hashStart};
            snprintf(name, sizeof name, "random:%d/integrator %d", kind, integrator);
            if (strncmp(name, prefix, strlen(prefix)) != 0) continue;
            for (uint64_t seed = 1; seed <= (integrator == 2 ? 40 : 150); seed++) {
                RandomWorldKind k = kinds[kind];
                RandomWorld w;
                k.types = randomEqualityTypes;
                randomWorldBuild(&w, seed, &k);
                ukWorldSetIntegrator(w.world, (ukIntegrator)integrator);
                for (int i = 0; i < 30; i++) {
                    const int ok = ukWorldStep(w.world, 0.005);
                    countStep(&t, w.world, ok);
                    for (int b = 0; b < w.bodies; b++) t.hash = hashBody(t.hash, w.body[b]);
                    if (!ok) break;
                }
                randomWorldDestroy(&w);
            }
            printTally(name, &t);
        }
}

int main(int argc, char **argv)
{
    const char *prefix = argc > 1 ? argv[1] : "";
    dInitODE2(0);
    hashContactScenes(prefix);
    hashMechanisms(prefix);
    hashRandomWorlds(prefix);
    dCloseODE();
    return 0;
}

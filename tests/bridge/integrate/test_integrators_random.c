/* SPDX-License-Identifier: BSD-3-Clause */
/* Random worlds, steps from 1e-5 to 1 s, each integrator: no abort, nothing written that is no number, and a step that
 * fails says why and leaves the world as it was. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Steps = 2, Most = 64 };

static int worlds;

static void note(const RandomWorld *w, dReal state[][13])
{
    for (int i = 0; i < w->bodies; i++) {
        memcpy(state[i], dBodyGetPosition(w->body[i]), 3 * sizeof(dReal));
        memcpy(state[i] + 3, dBodyGetQuaternion(w->body[i]), 4 * sizeof(dReal));
        memcpy(state[i] + 7, dBodyGetLinearVel(w->body[i]), 3 * sizeof(dReal));
        memcpy(state[i] + 10, dBodyGetAngularVel(w->body[i]), 3 * sizeof(dReal));
    }
}

/* a spring of 10^(seed mod 10) N/m and a damper of as many Ns/m between the first body and the second */
static int stiff(const struct ukConstraintContext *context, dReal *force, void *strength)
{
    const ukBodyState *b = context->bodies;
    for (int k = 0; k < 3; k++) {
        const double off = b[1].position[k] - b[0].position[k] + b[1].velocity[k] - b[0].velocity[k];
        force[k] = *(double *)strength * off;
        force[6 + k] = -force[k];
    }
    return 0;
}

/* 0, or the error of the step that failed */
static int stepOne(uint64_t seed, ukIntegrator integrator, double h)
{
    static dReal before[Most][13], after[Most][13];
    const RandomWorldKind kind = {
        .types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-3, .bounded_motors = seed % 3 == 0};
    RandomWorld w;
    int error = 0;
    randomWorldBuild(&w, seed, &kind);
    CHECK(w.bodies <= Most && ukWorldSetIntegrator(w.world, integrator) == 0);
    CHECK(ukWorldSetTolerance(w.world, 1e-5, 0) == 0);
    double strength = pow(10, (double)(seed % 10));
    if (seed % 2 == 0 && w.bodies > 1) CHECK(ukForceCreate(w.world, w.body, 2, stiff, &strength) != NULL);
    for (int k = 0; k < Steps && !error; k++) {
        note(&w, before);
        error = ukWorldStep(w.world, h) != 1 ? ukGetLastError() : 0;
        note(&w, after);
        if (error) {
            CHECK(error < 0 && strlen(ukGetLastErrorMessage()) > 10);
            if (integrator == ukIntegratorAdaptive) /* they are sound, whatever a stage makes of them */
                CHECK(error != ukErrorMass && error != ukErrorParameter);
            if (error == ukErrorBudget) CHECK(strstr(ukGetLastErrorMessage(), " joint ") && w.joints > 0);
            CHECK(memcmp(before, after, (size_t)w.bodies * sizeof *before) == 0);
        }
        for (int i = 0; i < w.bodies; i++)
            for (int c = 0; c < 13; c++) CHECK(isfinite(after[i][c]));
    }
    randomWorldDestroy(&w);
    return error;
}

/* test_integrators_random [WORLDS] */
int main(int argc, char **argv)
{
    static const ukIntegrator by[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    static const char *const name[] = {"Euler", "RK4", "adaptive", "RATTLE"};
    /* joints that contradict one another, or drive to infinity, and under RK4 stiff dampers that a step makes faster:
     * docs/accuracy.md; steps of up to a second that take more work than they may */
    static const double most[] = {0, 0.15, 0.06, 0.07}, most_spent[] = {0, 0, 0.06, 0};
    worlds = argc > 1 ? atoi(argv[1]) : 400 / (UKODE_TEST_SHARE > 1 ? 2 : 1);
    dInitODE2(0);
    for (int k = 0; k < 4; k++) {
        int failed = 0, spent = 0;
        for (int i = 0; i < worlds; i++) {
            const int error = stepOne((uint64_t)(i + 1), by[k], pow(10, -5 + 5.0 * i / worlds));
            failed += error != 0 && error != ukErrorBudget, spent += error == ukErrorBudget;
        }
        CHECK(failed <= most[k] * worlds && spent <= most_spent[k] * worlds);
        printf("%s: %d of %d worlds end in a message, %d where their budget does\n", name[k], failed, worlds, spent);
    }
    dCloseODE();
    return ukTestEnd();
}

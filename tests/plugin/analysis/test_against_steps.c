/* SPDX-License-Identifier: BSD-3-Clause */
/* A and B of random worlds with every joint type, loops, laws and motors against the steps that they take. */
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/against_steps.h"
#include "tests/support/random_world.h"

/* a torsion spring with a cubic part, and a force across the joint */
static void spring(const ukNonIdealContext *c, double f[2][6], void *data)
{
    (void)data;
    for (int i = 0; i < c->axes; i++)
        for (int k = 0; k < 3; k++) {
            const double x = (-0.4 * c->rate[i] - 0.2 * c->rate[i] * c->rate[i] * c->rate[i]) * c->axis[i][k];
            f[0][(c->is_translation[i] ? 0 : 3) + k] += x;
            f[1][(c->is_translation[i] ? 0 : 3) + k] -= x;
        }
    if (c->body[0])
        for (int k = 0; k < 3; k++) f[0][k] -= 0.7 * c->body[0]->position[k];
}

static void addLaws(RandomWorld *r, Random *random, bool dry)
{
    for (int k = 0; k < r->joints; k++) {
        const dJointID j = r->joint[k];
        if (randomUniform(random, 0, 1) < 0.2) ukJointSetViscous(j, randomUniform(random, 0, 0.5));
        if (randomUniform(random, 0, 1) < 0.2) ukJointSetDrag(j, randomUniform(random, 0, 0.5));
        if (randomUniform(random, 0, 1) < 0.2) ukJointSetNonIdeal(j, spring, NULL);
        if (dry && randomUniform(random, 0, 1) < 0.3)
            ukJointSetCoulomb(j, randomUniform(random, 0, 0.2), randomUniform(random, 0, 0.1));
    }
}

/* What ODE does to velocities at the end of each step, and what has no limit as steps get shorter. */
static void removeDamping(RandomWorld *r)
{
    for (int k = 0; k < r->bodies; k++) {
        dBodySetDampingDefaults(r->body[k]);
        dBodySetLinearDamping(r->body[k], 0);
        dBodySetAngularDamping(r->body[k], 0);
        dBodySetMaxAngularSpeed(r->body[k], dInfinity);
    }
}

/* 1: compared, 0: not linearized (a nearly singular pose) */
static int compare(uint64_t seed, bool verbose)
{
    RandomWorldKind of = {.cfm_lo = 1e-12, .cfm_hi = 1e-11, .bounded_motors = seed % 4 == 1};
    of.types = randomEqualityTypes & ~(1 << dJointTypeTransmission); /* whose wheels random joints do not hold */
    of.loops = seed % 3 == 0;
    RandomWorld r;
    Random random = {seed + 12345};
    randomWorldBuild(&r, seed, &of);
    removeDamping(&r);
    ukWorldEnable(r.world);
    ukWorldSetIntegrator(r.world, of.bounded_motors ? ukIntegratorAdaptive : ukIntegratorRK4);
    ukWorldSetTolerance(r.world, 1e-12, 1e-12);
    if (seed % 2) addLaws(&r, &random, seed % 8 == 3);
    const ukSignal in[2] = {
        {.kind = ukSignalBodyForce, .body = ukWorldGetBody(r.world, 0), .axis = (int)(seed % 6)},
        {.kind = ukSignalBodyForce, .body = ukWorldGetBody(r.world, 1), .axis = (int)((seed + 3) % 6)}};
    int taken = 0;
    bool ready = ukWorldProject(r.world) == ukOk;
    for (int k = 0; k < 20 && of.bounded_motors && ready; k++) /* motors reach their rate, or remain at their bound */
        ready = ukWorldStep(r.world, 0.01) == 1;
    if (ready) {
        /* Steps with motors of bounded force are differentiated by smaller changes, so the shortest are mostly
         * rounding; a motor may reach its rate, or its bound, within a longer one, whose linearization is another. */
        AgainstSteps a = againstSteps(r.world, in, 2, of.bounded_motors ? 0.1 : 0);
        if (of.bounded_motors && a.off > a.expected) a = againstSteps(r.world, in, 2, 0);
        ukLinearization l; /* one-sided derivatives differ near a switch, which is named */
        const bool switches = of.bounded_motors && a.status == ukOk &&
                              ukWorldLinearize(r.world, NULL, 0, NULL, 0, 0, &l) == ukOk &&
                              strstr(l.activity, "near switching");
        taken = a.status == ukOk && a.expected < 1e-2 && !switches;
        if (verbose && switches) printf("seed %d: %s", (int)seed, l.activity);
        if (taken && !CHECK(a.off <= a.expected))
            printf("seed %d: off by %.2g, expected within %.2g\n", (int)seed, a.off, a.expected);
        if (verbose && a.status != ukOk) printf("seed %d: %s\n", (int)seed, ukGetLastErrorMessage());
        if (verbose && a.status == ukOk) printf("seed %d: %.2g, within %.2g\n", (int)seed, a.off, a.expected);
    }
    randomWorldDestroy(&r);
    return taken;
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 40;
    ukLinearization l;
    int taken = 0;
    dInitODE2(0);
    const dWorldID probe = dWorldCreate();
    const int status = ukWorldLinearize(probe, NULL, 0, NULL, 0, 0, &l);
    dWorldDestroy(probe);
    if (status == ukErrorLapack) return 77;
    for (int seed = argc > 2 ? worlds : 1; seed <= worlds; seed++) taken += compare((uint64_t)seed, argc > 2);
    printf("%d of %d random worlds\n", taken, worlds);
    CHECK(argc > 2 || taken > worlds / 2);
    dCloseODE();
    return ukTestEnd();
}

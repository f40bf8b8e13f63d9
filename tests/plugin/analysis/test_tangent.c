/* SPDX-License-Identifier: BSD-3-Clause */
/* The tangent (plugin/analysis/tangent_columns.h) against differences of projected motions, of random mechanisms with
 * every joint type, loops, motors, springs, laws and motion: each entry within both error estimates. With an argument:
 * that many worlds. */
#include <stdlib.h>
#include <string.h>
#include <ukode/analysis.h>

#include "bridge/world/registry.h"
#include "demos/scenes.h"
#include "plugin/analysis/linearize.h"
#include "solvers/base/lapack.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

static double largestOf(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* A law of the program: damping of the relative motion, and a spring to the origin. */
static void damp(const ukNonIdealContext *c, double f[2][6], void *data)
{
    (void)data;
    for (int i = 0; i < c->axes; i++)
        for (int k = 0; k < 3; k++) {
            const double x = -(0.4 + 0.2 * c->rate[i] * c->rate[i]) * c->rate[i] * c->axis[i][k];
            f[0][(c->is_translation[i] ? 0 : 3) + k] += x;
            f[1][(c->is_translation[i] ? 0 : 3) + k] -= x;
        }
    for (int k = 0; k < 3 && c->body[0]; k++) f[0][k] -= 0.7 * c->body[0]->position[k];
}

/* Laws that are functions of the state. */
static void addLaws(const RandomWorld *r)
{
    for (int k = 0; k < r->joints; k++) {
        if (k % 3 == 0) ukJointSetViscous(r->joint[k], 0.3);
        if (k % 3 == 1) ukJointSetDrag(r->joint[k], 0.2);
        if (k % 3 != 1) ukJointSetNonIdeal(r->joint[k], damp, NULL);
    }
}

static bool compare(uint64_t seed)
{
    RandomWorldKind of = {.cfm_lo = 1e-12, .cfm_hi = 1e-11};
    of.types = randomEqualityTypes & ~(1 << dJointTypeTransmission);
    of.loops = seed % 3 == 0;
    RandomWorld r;
    randomWorldBuild(&r, seed, &of);
    if (seed % 2) addLaws(&r);
    ukWorldEnable(r.world);
    ukWorldSetIntegrator(r.world, ukIntegratorAdaptive);
    ukLinearization tangent, differences;
    const ukSignal in = {.kind = ukSignalBodyForce, .body = ukWorldGetBody(r.world, 0), .axis = (int)(seed % 6)};
    const ukLinearizeTask task[2] = {{.in = &in, .inputs = 1, .as = ukAnalysisLinearization},
                                     {.in = &in, .inputs = 1, .differences = true, .as = ukAnalysisRegulated}};
    const bool taken = ukWorldProject(r.world) == ukOk &&
                       ukLinearize(ukRegistryWorld(r.world), &task[0], &tangent) == ukOk &&
                       ukLinearize(ukRegistryWorld(r.world), &task[1], &differences) == ukOk &&
                       differences.error < 1e-6; /* else they are no reference */
    if (taken) {
        const int n = tangent.positions + tangent.velocities;
        dMass mass;
        dBodyGetMass(in.body, &mass);
        const double effect = largestOf(differences.B, n), free = 1 / sqrt(mass.mass);
        const double size[2] = {largestOf(differences.A, n * n), effect < 1e-10 * free ? free : effect};
        const double within = sqrt(n) * (tangent.error + differences.error);
        double off[2] = {0};
        for (int i = 0; i < n * n; i++) off[0] = fmax(off[0], fabs(tangent.A[i] - differences.A[i]));
        for (int i = 0; i < n; i++) off[1] = fmax(off[1], fabs(tangent.B[i] - differences.B[i]));
        if (!CHECK(off[0] <= within * size[0] && off[1] <= within * size[1]))
            printf("seed %d: off by %.2g and %.2g of the largest, errors %.2g and %.2g\n", (int)seed, off[0] / size[0],
                   size[1] > 0 ? off[1] / size[1] : 0, tangent.error, differences.error);
    }
    randomWorldDestroy(&r);
    return taken;
}

/* A four-bar that moves: one coordinate xi = sqrt(I) theta, whose acceleration is F = -3 g cos(theta) / sqrt(I). The
 * row of eta is dF/dxi less eta^2 |dN/dxi|^2, which is 2.5 eta^2 / I^2: cranks of 1 kg turn about their ends, the
 * coupler of 2 kg goes round with them (docs/analysis.md). */
static void checkFourBar(void)
{
    const double g = 9.81, inertia = 2 * (0.25 + (1 + 0.05 * 0.05) / 12) + 2;
    Scene *const s = sceneFourBar();
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
    for (int i = 1; i <= 40; i++) {
        ukLinearization l;
        CHECK(ukWorldStep(s->world, 0.01));
        if (i % 8 != 0 || !CHECK(ukWorldLinearize(s->world, NULL, 0, NULL, 0, 0, &l) == ukOk)) continue;
        const double theta = sceneFourBarAngle(s), eta = l.f[0];
        CHECK(l.positions == 1 && l.velocities == 1 && l.redundant == 3);
        CHECK_NEAR(fabs(l.f[1]), fabs(3 * g * cos(theta) / sqrt(inertia)), 1e-10);
        CHECK_NEAR(l.A[0], 0, 1e-10);
        CHECK_NEAR(l.A[1], 1, 1e-10);
        CHECK_NEAR(l.A[2], 3 * g * sin(theta) / inertia - 2.5 * eta * eta / (inertia * inertia), 1e-9);
        CHECK_NEAR(l.A[3], 0, 1e-10);
    }
    sceneDestroy(s);
}

/* A chain that swings, whose rows are factored by a sparse method: the tangent agrees with differences of motions, and
 * its reported error is of the size of rounding, so that it is not replaced by differences (1e-9). */
static void checkChain(void)
{
    enum { Rods = 12 };
    Scene *const s = sceneHingeChain(Rods);
    ukLinearization tangent, differences;
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
    for (int i = 0; i < 20; i++) CHECK(ukWorldStep(s->world, 0.01));
    const ukLinearizeTask task[2] = {{.as = ukAnalysisLinearization}, {.differences = true, .as = ukAnalysisRegulated}};
    CHECK(ukLinearize(ukRegistryWorld(s->world), &task[0], &tangent) == ukOk);
    CHECK(ukLinearize(ukRegistryWorld(s->world), &task[1], &differences) == ukOk);
    CHECK(tangent.positions == Rods && differences.positions == Rods);
    const double size = largestOf(differences.A, 4 * Rods * Rods);
    for (int i = 0; i < 4 * Rods * Rods; i++)
        CHECK_NEAR(tangent.A[i], differences.A[i], (tangent.error + differences.error) * size);
    if (!CHECK(tangent.error < 1e-12)) printf("chain: error %.2g\n", tangent.error);
    sceneDestroy(s);
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 40;
    int taken = 0;
    dInitODE2(0);
    if (!ukLapackReady()) return 77;
    checkFourBar();
    checkChain();
    for (uint64_t seed = 1; seed <= (uint64_t)worlds; seed++) taken += compare(seed);
    printf("%d of %d random worlds\n", taken, worlds);
    CHECK(taken > worlds / 2);
    dCloseODE();
    return ukTestEnd();
}

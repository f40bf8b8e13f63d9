/* SPDX-License-Identifier: BSD-3-Clause */
/* The work budget of a step: counted the same everywhere, kept by every integrator, refused by name with the world as
 * it was, saved with it. And worlds whose CFM only regularizes, which must not cost more than rigid ones. */
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"

enum { Links = 8 };

typedef struct Chain {
    dWorldID world;
    dBodyID body[Links];
    dJointID joint[Links];
} Chain;

/* links of 80 g and 8 cm in flight (from a snake with a world CFM of 1e-5) */
static Chain chainOf(ukIntegrator integrator, double cfm)
{
    Chain c = {.world = dWorldCreate()};
    dWorldSetGravity(c.world, 0, 0, -9.81);
    dWorldSetCFM(c.world, cfm);
    CHECK(ukWorldSetIntegrator(c.world, integrator) == 0);
    for (int i = 0; i < Links; i++) {
        dMass m;
        c.body[i] = dBodyCreate(c.world);
        dMassSetBoxTotal(&m, 0.08, 0.08, 0.05, 0.05);
        dBodySetMass(c.body[i], &m);
        dBodySetPosition(c.body[i], 0.1 * i, 0, 1);
        if (i == 0) continue;
        c.joint[i] = dJointCreateHinge(c.world, 0);
        dJointAttach(c.joint[i], c.body[i - 1], c.body[i]);
        dJointSetHingeAnchor(c.joint[i], 0.1 * i - 0.05, 0, 1);
        dJointSetHingeAxis(c.joint[i], 0, i % 2, 1 - i % 2);
    }
    return c;
}

static int stepChain(const Chain *c, double h)
{
    for (int i = 1; i < Links; i++) dJointAddHingeTorque(c->joint[i], 0.05 * ((i % 3) - 1));
    return ukWorldStep(c->world, h);
}

static double evaluationsOf(dWorldID world)
{
    ukReport r;
    CHECK(ukWorldGetReport(world, &r) == 0 && r.ok);
    return r.evaluations;
}

static void settings(void)
{
    const dWorldID w = dWorldCreate();
    CHECK(ukWorldGetBudget(w) == 0 && ukWorldGetBudget(NULL) == 0);
    CHECK(ukWorldSetBudget(w, 70) == 0 && ukWorldGetBudget(w) == 70);
    CHECK(ukWorldSetBudget(w, -1) == ukErrorArgument && ukWorldSetBudget(w, 1000000001) == ukErrorArgument);
    CHECK(ukWorldSetBudget(NULL, 1) == ukErrorHandle && ukWorldGetBudget(w) == 70);
    const size_t size = ukWorldSave(w, NULL, 0);
    void *saved = malloc(size);
    CHECK(ukWorldSave(w, saved, size) == size && ukWorldSetBudget(w, 0) == 0);
    CHECK(ukWorldRestore(w, saved, size) == 0 && ukWorldGetBudget(w) == 70);
    free(saved);
    dWorldDestroy(w);
}

/* An island counts by its share of the bodies: two chains in one world take what one takes. */
static void counts(void)
{
    const Chain euler = chainOf(ukIntegratorEuler, 1e-10), one = chainOf(ukIntegratorRK4, 1e-10);
    CHECK(stepChain(&euler, 0.001) == 1);
    CHECK_NEAR(evaluationsOf(euler.world), 1, 1e-12);
    CHECK(stepChain(&one, 0.001) == 1);
    const double rk4 = evaluationsOf(one.world);
    CHECK(rk4 >= 5 && rk4 < 20);
    dBodyID pair[2] = {dBodyCreate(euler.world), dBodyCreate(euler.world)};
    for (int i = 0; i < 2; i++) dBodySetPosition(pair[i], i, 5, 0);
    CHECK(stepChain(&euler, 0.001) == 1);
    CHECK_NEAR(evaluationsOf(euler.world), 1, 1e-12);
    dWorldDestroy(euler.world);
    dWorldDestroy(one.world);
}

/* Each integrator with what it took passes, and with a tenth less is refused, with no trace. */
static void refusal(void)
{
    for (int k = ukIntegratorEuler; k <= ukIntegratorRattle; k++) {
        const Chain c = chainOf((ukIntegrator)k, 1e-10), twin = chainOf((ukIntegrator)k, 1e-10);
        for (int i = 0; i < 5; i++) CHECK(stepChain(&c, 0.002) == 1 && stepChain(&twin, 0.002) == 1);
        const double took = (CHECK(stepChain(&twin, 0.002) == 1), evaluationsOf(twin.world));
        if (k == ukIntegratorEuler) {
            CHECK(ukWorldSetBudget(c.world, 1) == 0 && stepChain(&c, 0.002) == 1);
        } else {
            const size_t size = ukWorldSave(c.world, NULL, 0);
            unsigned char *before = malloc(size), *after = malloc(size);
            CHECK(ukWorldSetBudget(c.world, (int)(0.9 * took)) == 0);
            for (int i = 1; i < Links; i++) dJointAddHingeTorque(c.joint[i], 0.05 * ((i % 3) - 1));
            ukWorldSave(c.world, before, size);
            CHECK(ukWorldStep(c.world, 0.002) == 0 && ukGetLastError() == ukErrorBudget);
            CHECK(strstr(ukGetLastErrorMessage(), "budget") != NULL);
            if (k == ukIntegratorAdaptive)
                CHECK(strstr(ukGetLastErrorMessage(), "hinge joint") &&
                      strstr(ukGetLastErrorMessage(), "sub-steps of"));
            ukWorldSave(c.world, after, size);
            CHECK(memcmp(before, after, size) == 0);
            CHECK(ukWorldSetBudget(c.world, (int)ceil(took)) == 0 && ukWorldStep(c.world, 0.002) == 1);
            free(before);
            free(after);
        }
        CHECK_NEAR_ALL(dBodyGetPosition(c.body[3]), dBodyGetPosition(twin.body[3]), 3, 0);
        dWorldDestroy(c.world);
        dWorldDestroy(twin.world);
    }
}

static int jumps(const struct ukConstraintContext *c, dReal *force, void *data)
{
    unsigned bits;
    (void)data;
    memcpy(&bits, &c->bodies[0].position[0], sizeof bits); /* never the same, however near */
    force[0] = bits % 2 ? 1e6 : -1e6;
    return 0;
}

/* A force that no sub-step is short enough for: the default budget ends it, whatever the tolerance. */
static void endless(void)
{
    const Chain c = chainOf(ukIntegratorAdaptive, 1e-10);
    CHECK(ukForceCreate(c.world, &c.body[0], 1, jumps, NULL) != NULL);
    CHECK(ukWorldSetTolerance(c.world, 1e-12, 0) == 0);
    CHECK(ukWorldStep(c.world, 0.01) == 0);
    CHECK(ukGetLastError() == ukErrorBudget || ukGetLastError() == ukErrorNotConverged);
    dWorldDestroy(c.world);
}

/* The progress of a step counts from its start, whatever the time of the world. */
static void partOfStep(void)
{
    const double h = 0.01;
    const Chain c = chainOf(ukIntegratorAdaptive, 1e-10);
    double after = -1;
    CHECK(ukWorldSetTime(c.world, 1000) == 0 && ukWorldSetTolerance(c.world, 1e-12, 0) == 0);
    CHECK(ukWorldSetBudget(c.world, 30) == 0 && stepChain(&c, h) == 0 && ukGetLastError() == ukErrorBudget);
    const char *const spent = strstr(ukGetLastErrorMessage(), "is spent after ");
    CHECK(spent && sscanf(spent, "is spent after %lf s of the step", &after) == 1);
    CHECK(after >= 0 && after < h);
    dWorldDestroy(c.world);
}

/* A solve by a dense reference solver counts as several evaluations, except that of an Euler step. */
static void reference(void)
{
    const Chain sparse = chainOf(ukIntegratorAdaptive, 1e-10), dense = chainOf(ukIntegratorAdaptive, 1e-10);
    CHECK(ukWorldSetTolerance(sparse.world, 1e-12, 0) == 0 && ukWorldSetTolerance(dense.world, 1e-12, 0) == 0);
    CHECK(ukWorldSetSolver(dense.world, ukSolverGaussQP) == 0);
    CHECK(stepChain(&sparse, 0.01) == 1);
    const double once = evaluationsOf(sparse.world);
    CHECK(once > 50);
    CHECK(ukWorldSetBudget(dense.world, (int)(3 * once)) == 0 && stepChain(&dense, 0.01) == 0);
    CHECK(ukGetLastError() == ukErrorBudget && strstr(ukGetLastErrorMessage(), "budget"));
    CHECK(ukWorldSetBudget(dense.world, 0) == 0 && ukWorldStep(dense.world, 0.01) == 1);
    CHECK(evaluationsOf(dense.world) > 10 * once);
    CHECK(ukWorldSetIntegrator(dense.world, ukIntegratorEuler) == 0 && ukWorldSetBudget(dense.world, 1) == 0);
    CHECK(stepChain(&dense, 0.001) == 1);
    CHECK_NEAR(evaluationsOf(dense.world), 1, 1e-12);
    dWorldDestroy(sparse.world);
    dWorldDestroy(dense.world);
}

/* `copies` of a body that hangs from the world by a connector without mass */
static dWorldID hangers(int copies, ukIntegrator integrator, int threads)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -9.81);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetThreads(w, threads) == 0);
    for (int k = 0; k < copies; k++) {
        const dBodyID heavy = dBodyCreate(w), connector = dBodyCreate(w);
        dBodySetPosition(connector, k, 0.1, 0);
        dBodySetPosition(heavy, k + 0.5, 0, 0.2);
        CHECK(ukBodySetMassless(connector, 1) == 0);
        const dJointID hinge = dJointCreateHinge(w, 0), weld = dJointCreateFixed(w, 0);
        dJointAttach(hinge, connector, 0);
        dJointSetHingeAnchor(hinge, k, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        dJointAttach(weld, heavy, connector);
        dJointSetFixed(weld);
    }
    return w;
}

/* Two joints that weld one body to the world, for a solver of full row rank. */
static dWorldID doubled(void)
{
    const dWorldID w = dWorldCreate();
    const dBodyID b = dBodyCreate(w);
    dWorldSetGravity(w, 0, 0, -9.81);
    dWorldSetCFM(w, 0);
    CHECK(ukWorldSetSolver(w, ukSolverLagrange) == 0);
    for (int i = 0; i < 2; i++) {
        const dJointID weld = dJointCreateFixed(w, 0);
        dJointAttach(weld, b, 0);
        dJointSetFixed(weld);
    }
    return w;
}

/* A world whose step takes more than one evaluation: `twin` shows how many; with one less it is refused as it is.
 * Solves by a reference solver count as a part of the budget, which differs between the two. */
static void refusedBelow(dWorldID w, dWorldID twin, double roughly)
{
    if (roughly > 0) CHECK(ukWorldSetBudget(twin, 3) == 0);
    CHECK(ukWorldStep(twin, 0.01) == 1);
    const double took = evaluationsOf(twin);
    if (!CHECK(took > 1.5)) printf("    %g evaluations\n", took);
    const size_t size = ukWorldSave(w, NULL, 0);
    unsigned char *before = malloc(size), *after = malloc(size);
    CHECK(ukWorldSetBudget(w, (int)ceil(took) - 1) == 0);
    ukWorldSave(w, before, size);
    CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorBudget);
    CHECK(strstr(ukGetLastErrorMessage(), "budget") != NULL);
    ukWorldSave(w, after, size);
    CHECK(memcmp(before, after, size) == 0);
    CHECK(ukWorldSetBudget(w, (int)ceil(took)) == 0 && ukWorldStep(w, 0.01) == 1);
    CHECK_NEAR(evaluationsOf(w), took, roughly + 1e-9);
    free(before);
    free(after);
    dWorldDestroy(w);
    dWorldDestroy(twin);
}

/* Solves that are repeated count: of bodies without mass, in any number of threads, and with softened rows. */
static void repeated(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive};
    for (int k = 0; k < 3; k++)
        for (int threads = 1; threads < 3; threads++)
            refusedBelow(hangers(30, integrators[k], threads), hangers(30, integrators[k], 3 - threads), 0);
    refusedBelow(doubled(), doubled(), 0.1);
}

/* The world's CFM is a spring: a body of 2 kg at a fixed joint of CFM 1e-2 and ERP 0.2 sags by m g / kp. */
static void spring(void)
{
    const double h = 0.01, cfm = 1e-2, erp = 0.2, kp = erp / (h * cfm);
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -9.81);
    dWorldSetERP(w, erp);
    dWorldSetCFM(w, cfm);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorAdaptive) == 0);
    const dBodyID b = dBodyCreate(w);
    dMass m;
    dMassSetBoxTotal(&m, 2, 0.3, 0.3, 0.3);
    dBodySetMass(b, &m);
    const dJointID ball = dJointCreateBall(w, 0);
    dJointAttach(ball, b, 0);
    dJointSetBallAnchor(ball, 0, 0, 0);
    for (int i = 0; i < 400; i++) CHECK(ukWorldStep(w, h) == 1);
    CHECK_NEAR(dBodyGetPosition(b)[2], -2 * 9.81 / kp, 1e-6);
    dWorldDestroy(w);
}

/* A CFM of the world that only regularizes costs the adaptive integrator no more than rigid rows, and moves nothing. */
static void regularized(void)
{
    double work[2] = {0}, last[2][3];
    for (int k = 0; k < 2; k++) {
        const Chain c = chainOf(ukIntegratorAdaptive, k ? 1e-5 : 1e-10);
        for (int i = 0; i < 5; i++) {
            CHECK(stepChain(&c, 0.0005) == 1);
            work[k] += evaluationsOf(c.world);
        }
        memcpy(last[k], dBodyGetPosition(c.body[Links - 1]), sizeof last[k]);
        dWorldDestroy(c.world);
    }
    if (!CHECK(work[1] <= 1.1 * work[0])) printf("    %g evaluations, rigid %g\n", work[1], work[0]);
    for (int i = 0; i < 3; i++) CHECK_NEAR(last[1][i], last[0][i], 1e-9);
}

/* Rows that contradict one another are no rigid rows: the CFM lets them meet half-way. */
static void contradicting(void)
{
    const Chain c = {.world = dWorldCreate()};
    const dBodyID b = dBodyCreate(c.world);
    dWorldSetCFM(c.world, 1e-5);
    CHECK(ukWorldSetIntegrator(c.world, ukIntegratorAdaptive) == 0);
    for (int k = 0; k < 2; k++) {
        const dJointID ball = dJointCreateBall(c.world, 0);
        dBodySetPosition(b, 0, 0.02 * k, 0);
        dJointAttach(ball, b, 0);
        dJointSetBallAnchor(ball, 0, 0, 0.3);
    }
    dBodySetPosition(b, 0, 0, 0);
    for (int i = 0; i < 200; i++) CHECK(ukWorldStep(c.world, 0.01) == 1);
    CHECK_NEAR(dBodyGetPosition(b)[1], 0.01, 1e-3);
    dWorldDestroy(c.world);
}

int main(void)
{
    dInitODE2(0);
    settings();
    counts();
    refusal();
    reference();
    repeated();
    endless();
    partOfStep();
    spring();
    regularized();
    contradicting();
    dCloseODE();
    return ukTestEnd();
}

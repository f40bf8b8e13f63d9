/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's row on a body of random worlds, joints of every type, motors, stops and contacts about it: the step fails if
 * and only if the diagnosis finds the row in the span of the joints'. What it asks is large and random, so that the
 * joints never happen to agree. */
#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"
#include "tests/support/random_world.h"

static const double g = 9.81;

/* z'' = *data */
static int climb(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    A[2] = 1;
    b[0] = *(const double *)data;
    return 0;
}

static void contradiction(void)
{
    double up = 1, down = -1, same = 1;
    for (int solver = ukSolverAuto; solver <= ukSolverGaussQP; solver++) {
        const dWorldID w = newWorld(g);
        const dBodyID a = ball(w, 1, 0, 0, 0);
        CHECK(ukWorldSetSolver(w, (ukSolver)solver) == 0);
        CHECK(ukConstraintCreate(w, 1, &a, 1, climb, &up) != NULL);
        const ukConstraintID redundant = ukConstraintCreate(w, 1, &a, 1, climb, &same);
        rk4(w);
        CHECK(ukWorldStep(w, 0.01) == 1); /* redundant only */
        CHECK_NEAR(dBodyGetLinearVel(a)[2], 0.01, 1e-13);
        ukConstraintDestroy(redundant);
        CHECK(ukConstraintCreate(w, 1, &a, 1, climb, &down) != NULL);
        const double z = dBodyGetPosition(a)[2];
        CHECK(ukWorldStep(w, 0.01) == 0);
        CHECK(ukGetLastError() == ukErrorContradiction);
        CHECK(strstr(ukGetLastErrorMessage(), "user constraint") != NULL);
        CHECK(dBodyGetPosition(a)[2] == z && ukWorldGetTime(w) == 0.01);
        CHECK(ukWorldEvaluate(w) == ukErrorContradiction);
        CHECK(ukWorldSetIntegrator(w, ukIntegratorEuler) == 0);
        CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
        CHECK(ukWorldEnable(w) == 0 && dWorldStep(w, 0.01) == 0); /* ODE's own step would drop the constraints */
        CHECK(dBodyGetPosition(a)[2] == z && dBodyGetLinearVel(a)[2] != 0 && ukWorldGetTime(w) == 0.01);
        down = 1; /* redundant again */
        CHECK(ukWorldStep(w, 0.01) == 1);
        CHECK_NEAR(dBodyGetLinearVel(a)[2], 0.02, 1e-9);
        down = -1;
        dWorldDestroy(w);
    }
}

/* what a joint holds is not the user's to move, whatever softness the joint has by default */
static void againstJoint(void)
{
    for (int k = 0; k < 4; k++) {
        const dWorldID w = dWorldCreate();
        const dBodyID a = ball(w, 1, 0, 0, 0);
        const dJointID rail = dJointCreateSlider(w, 0);
        double up = 1;
        dWorldSetGravity(w, 0, 0, -g);
        if (k & 1) rk4(w);
        if (k & 2) dWorldSetCFM(w, 0);
        dJointAttach(rail, a, 0);
        dJointSetSliderAxis(rail, 1, 0, 0);
        const ukConstraintID c = ukConstraintCreate(w, 1, &a, 1, climb, &up);
        CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
        CHECK(dBodyGetPosition(a)[2] == 0 && dBodyGetLinearVel(a)[2] == 0);
        up = 0; /* which the joint says, too */
        CHECK(ukWorldStep(w, 0.01) == 1);
        ukConstraintDestroy(c);
        CHECK(ukWorldStep(w, 0.01) == 1);
        dWorldDestroy(w);
    }
}

/* the same in an island with a contact and a motor of finite force, which have no continuous form */
static void besideContacts(void)
{
    for (int k = 0; k < 3; k++) {
        const dWorldID w = newWorld(g);
        const dBodyID a = ball(w, 1, 0, 0, 0.1), b = ball(w, 1, 0.5, 0, 0.1);
        const dJointID motor = dJointCreateSlider(w, 0);
        double up = 1, down = k == 2 ? 1 : -1;
        dJointAttach(motor, a, b);
        dJointSetSliderAxis(motor, 1, 0, 0);
        dJointSetSliderParam(motor, dParamFMax, 1);
        dJointSetSliderParam(motor, dParamVel, 1);
        if (k == 1) rk4(w);
        CHECK(ukConstraintCreate(w, 1, &a, 1, climb, &up) && ukConstraintCreate(w, 1, &a, 1, climb, &down));
        dContact c = {.geom = {.normal = {0, 0, 1}, .pos = {0.5, 0, 0}}};
        c.surface.mu = dInfinity;
        dJointAttach(dJointCreateContact(w, 0, &c), b, 0);
        if (k == 2) { /* redundant, and the contact lets go */
            CHECK(ukWorldStep(w, 0.01) == 1);
            CHECK_NEAR(dBodyGetLinearVel(a)[2], 0.01, 1e-9);
        } else {
            CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
            CHECK(dBodyGetLinearVel(a)[2] == 0 && dBodyGetPosition(b)[0] == 0.5);
        }
        dWorldDestroy(w);
    }
}

/* says that it has a row, and writes none: 0 = *data */
static int noRow(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    (void)A;
    b[0] = *(const double *)data;
    return 0;
}

/* z = *data */
static int heightError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    phi[0] = c->bodies[0].position[2] - *(const double *)data;
    psi[0] = c->bodies[0].velocity[2];
    return 0;
}

static void emptyRow(void)
{
    for (int k = 0; k < 2; k++) {
        const dWorldID w = newWorld(g);
        const dBodyID a = ball(w, 1, 0, 0, 0);
        double b = 1;
        if (k) rk4(w);
        CHECK(ukConstraintCreate(w, 1, &a, 1, noRow, &b) != NULL);
        CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
        CHECK(strstr(ukGetLastErrorMessage(), "user constraint 1") != NULL && dBodyGetLinearVel(a)[2] == 0);
        b = 0; /* asks for nothing */
        CHECK(ukWorldStep(w, 0.01) == 1);
        CHECK_NEAR(dBodyGetLinearVel(a)[2], -0.01 * g, 1e-14);
        dWorldDestroy(w);
    }
}

/* A joint and a constraint, of which each would have its own height: refused, as under every integrator. Where the
 * constraint has the joint's height, or is as far away from it as the joint, both are corrected. A joint that is away
 * from where it belongs is no contradiction to a constraint that says the same of the acceleration alone. */
static void heights(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 1, 0, 0, 0);
    double level = 0.01, still = 0;
    dWorldSetERP(w, 0.5);
    dWorldSetCFM(w, 0);
    const dJointID rail = dJointCreateSlider(w, 0);
    dJointAttach(rail, a, 0);
    dJointSetSliderAxis(rail, 1, 0, 0);
    const ukConstraintID c = ukConstraintCreate(w, 1, &a, 1, climb, &still);
    CHECK(ukConstraintSetError(c, heightError, &level) == 0);
    CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorContradiction && dBodyGetPosition(a)[2] == 0);
    level = 0;
    dBodySetPosition(a, 0, 0, 0.02);
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK_NEAR(dBodyGetPosition(a)[2], 0.01, 1e-6);
    for (int k = 0; k < 2; k++) {
        if (k) rk4(w);
        level = INFINITY;
        CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorCallback);
        level = 0.01;
    }
    CHECK(ukWorldSetIntegrator(w, ukIntegratorEuler) == 0);
    CHECK(ukConstraintSetError(c, NULL, NULL) == 0);
    dBodySetPosition(a, 0, 0, 0.02);
    dBodySetLinearVel(a, 0, 0, 0);
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK_NEAR(dBodyGetPosition(a)[2], 0.015, 1e-6);
    dWorldDestroy(w);
}

/* ---- random worlds ----------------------------------------------------------------------------------------------- */

enum { Worlds = 250 };

/* data: (7) A, b */
static int row(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const double *x = data;
    (void)c;
    for (int i = 0; i < 6; i++) A[i] = x[i];
    b[0] = x[6];
    return 0;
}

static bool redundant(dWorldID world)
{
    ukDiagnosis d;
    int rows = 0;
    CHECK(ukWorldDiagnose(world, &d) == 0);
    for (int i = 0; i < d.count; i++)
        if (d.joints[i].constraint) rows = d.joints[i].redundant_rows;
    return rows > 0;
}

/* A row on a body of random worlds, joints of every type, motors, stops and contacts about it: the step fails if and
 * only if the diagnosis finds the row in the span of the joints'. What it asks is large and random, so that the joints
 * never happen to agree. */
static int contradictions(const RandomWorldKind *kind, ukIntegrator integrator)
{
    int found = 0;
    for (uint64_t seed = 1; seed <= Worlds; seed++) {
        RandomWorld w;
        Random r = {.state = seed * 13};
        double x[7];
        randomWorldBuild(&w, seed, kind);
        for (int i = 0; i < 7; i++) x[i] = randomUniform(&r, -1, 1);
        x[6] *= 1e4;
        dBodySetDynamic(w.body[0]);
        dBodyEnable(w.body[0]);
        CHECK(ukWorldSetIntegrator(w.world, integrator) == 0);
        CHECK(ukConstraintCreate(w.world, 1, &w.body[0], 1, row, x) != NULL);
        const bool expected = redundant(w.world);
        const double before = dBodyGetPosition(w.body[0])[0];
        const bool contradiction = ukWorldStep(w.world, 0.01) != 1 && ukGetLastError() == ukErrorContradiction;
        if (!CHECK(contradiction == expected)) printf("seed %d: %s\n", (int)seed, ukGetLastErrorMessage());
        CHECK(!contradiction || dBodyGetPosition(w.body[0])[0] == before);
        found += contradiction;
        randomWorldDestroy(&w);
    }
    return found;
}

int main(void)
{
    const int all = randomEqualityTypes;
    const RandomWorldKind kinds[] = {
        {.types = all, .cfm_lo = 1e-12, .cfm_hi = 1e-9},
        {.types = all, .cfm_lo = 1e-12, .cfm_hi = 1e-9, .stops = 1, .bounded_motors = 1},
        {.types = all, .cfm_lo = 1e-12, .cfm_hi = 1e-9, .bounded_motors = 1, .contacts = 8, .friction = 1},
    };
    dInitODE2(0);
    contradiction();
    againstJoint();
    besideContacts();
    emptyRow();
    heights();
    for (int k = 0; k < 3; k++) {
        const int euler = contradictions(&kinds[k], ukIntegratorEuler);
        const int rk4 = contradictions(&kinds[k], ukIntegratorRK4);
        const int rattle = contradictions(&kinds[k], ukIntegratorRattle);
        printf("kind %d: %d of %d worlds contradict (Euler), %d (RK4), %d (RATTLE)\n", k, euler, Worlds, rk4, rattle);
        CHECK(euler > 3 && euler < Worlds / 2 && rk4 == euler && rattle == euler);
    }
    dCloseODE();
    return ukTestEnd();
}

/* A user's row on a body of random worlds, joints of every type, motors, stops and contacts about it: the step fails if
 * and only if the diagnosis finds the row in the span of the joints'. What it asks is large and random, so that the
 * joints never happen to agree. */
#include <ukode/ukode.h>

#include "solvers/status.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

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
    for (int k = 0; k < 3; k++) {
        const int euler = contradictions(&kinds[k], ukIntegratorEuler);
        const int rk4 = contradictions(&kinds[k], ukIntegratorRK4);
        printf("kind %d: %d of %d worlds contradict (Euler), %d (RK4)\n", k, euler, Worlds, rk4);
        CHECK(euler > 3 && euler < Worlds / 2 && rk4 == euler);
    }
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ukWorldSetPassLimit: an island takes no more factorizations, its step says how inexact it is, heaps stay together
 * whatever the limit, and a limit that is not reached changes no bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

enum { Laws = 3 };

typedef struct Law {
    SceneStepFn *step;
    ukFriction friction;
} Law;

static const Law laws[Laws] = {
    {ukWorldStep, ukFrictionOde}, {dWorldQuickStep, ukFrictionOde}, {dWorldQuickStep, ukFrictionCone}};

static Scene *heap(const char *name, int n, const Law *law, int limit)
{
    Scene *const s = sceneByName(name, n);
    CHECK(ukWorldEnable(s->world) == ukOk && ukWorldSetFriction(s->world, law->friction) == ukOk);
    CHECK(ukWorldSetPassLimit(s->world, limit) == ukOk && ukWorldGetPassLimit(s->world) == limit);
    return s;
}

static double residualOf(dWorldID world, ukReport *r)
{
    CHECK(ukWorldGetReport(world, r) == ukOk);
    return fmax(r->feasibility, fmax(r->stationarity, r->complementarity));
}

/* All boxes of a pyramid that rests are one island: the limit holds for the step that follows exact ones. */
static void takesNoMore(const Law *law)
{
    static const int limits[] = {1, 2, 4, 8, 16};
    ukReport r;
    int inexact = 0; /* steps that need more */
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        for (int settling = 0; settling < 4; settling++) {
            Scene *const s = heap("pyramid", 8, law, 0);
            for (int i = 0; i < settling; i++) CHECK(sceneStep(s, 0.01, law->step) == 1);
            CHECK(ukWorldSetPassLimit(s->world, limits[k]) == ukOk);
            CHECK(sceneStep(s, 0.01, law->step) == 1);
            const double residual = residualOf(s->world, &r);
            CHECK(r.factorizations <= limits[k] && r.ok == (residual <= 1e-9));
            inexact += !r.ok;
            sceneDestroy(s);
        }
    if (inexact == 0) printf("no step needed more passes than it had\n");
}

static double fastest(const Scene *s)
{
    double most = 0;
    for (int i = 0; i < s->count; i++) {
        const dReal *v = dBodyGetLinearVel(s->bodies[i]);
        most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return most;
}

/* Without the sweeps, boxes fly off at 100 m/s and more under limits of 2 and 4. */
static void staysTogether(const Law *law)
{
    ukReport r;
    for (int limit = 1; limit <= 16; limit *= 2) {
        Scene *const s = heap("pyramid", 8, law, limit);
        for (int i = 0; i < 60; i++) {
            CHECK(sceneStep(s, 0.01, law->step) == 1);
            CHECK(residualOf(s->world, &r) <= 0.05);
        }
        if (!CHECK(fastest(s) < 0.5)) printf("limit %d: %g m/s\n", limit, fastest(s));
        sceneDestroy(s);
    }
}

/* The action of the check decides: here the step is refused, and nothing has moved. */
static void refusesOnDemand(const Law *law)
{
    unsigned char before[16], after[16];
    Scene *const s = heap("pyramid", 8, law, 1);
    CHECK(ukWorldSetGaussCheck(s->world, 1e-9, ukCheckStop) == ukOk);
    CHECK(ukWorldHash(s->world, before) == ukOk);
    CHECK(sceneStep(s, 0.01, ukWorldStep) == 0 && ukGetLastError() != ukOk);
    CHECK(ukWorldHash(s->world, after) == ukOk && memcmp(before, after, sizeof after) == 0);
    CHECK(ukWorldSetPassLimit(s->world, 0) == ukOk && sceneStep(s, 0.01, ukWorldStep) == 1);
    sceneDestroy(s);
}

static void changesNothingElse(const char *name, int n, const Law *law)
{
    unsigned char free_hash[16], limited_hash[16];
    Scene *const s = heap(name, n, law, 0), *const limited = heap(name, n, law, 100000);
    for (int i = 0; i < 60; i++) CHECK(sceneStep(s, 0.01, law->step) == 1 && sceneStep(limited, 0.01, law->step) == 1);
    CHECK(ukWorldHash(s->world, free_hash) == ukOk && ukWorldHash(limited->world, limited_hash) == ukOk);
    CHECK(memcmp(free_hash, limited_hash, sizeof free_hash) == 0);
    sceneDestroy(s), sceneDestroy(limited);
}

/* Inexact steps go on from a saved state as they went on without, with the split correction as well. */
static void goesOnAsSaved(const Law *law, ukStabilization kind)
{
    unsigned char on[16], again[16];
    Scene *const s = heap("pyramid", 6, law, 2);
    CHECK(ukWorldSetStabilization(s->world, kind, 0, 0) == ukOk);
    for (int i = 0; i < 10; i++) CHECK(sceneStep(s, 0.01, law->step) == 1);
    const size_t size = ukWorldSave(s->world, NULL, 0);
    unsigned char *const saved = malloc(size);
    CHECK(saved && ukWorldSave(s->world, saved, size) == size);
    for (int i = 0; i < 10; i++) CHECK(sceneStep(s, 0.01, law->step) == 1);
    CHECK(ukWorldHash(s->world, on) == ukOk && ukWorldRestore(s->world, saved, size) == ukOk);
    for (int i = 0; i < 10; i++) CHECK(sceneStep(s, 0.01, law->step) == 1);
    CHECK(ukWorldHash(s->world, again) == ukOk && memcmp(on, again, sizeof on) == 0);
    free(saved);
    sceneDestroy(s);
}

/* Equality rows are solved as without a limit, whatever the integrator. */
static void leavesJointsAlone(void)
{
    static const ukIntegrator by[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    ukReport r;
    for (int k = 0; k < 4; k++) {
        Scene *const s = heap("four_bar", 0, &laws[0], 1);
        CHECK(ukWorldSetIntegrator(s->world, by[k]) == ukOk);
        for (int i = 0; i < 20; i++) CHECK(sceneStep(s, 0.005, ukWorldStep) == 1);
        CHECK(residualOf(s->world, &r) <= 1e-9 && r.ok);
        sceneDestroy(s);
    }
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < Laws; k++) {
        takesNoMore(&laws[k]);
        staysTogether(&laws[k]);
        refusesOnDemand(&laws[k]);
        goesOnAsSaved(&laws[k], ukStabilizeProjection);
        goesOnAsSaved(&laws[k], ukStabilizeSplit);
        changesNothingElse("pile", 20, &laws[k]);
        changesNothingElse("walker", 1, &laws[k]);
    }
    leavesJointsAlone();
    dCloseODE();
    return ukTestEnd();
}

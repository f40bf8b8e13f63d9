/* SPDX-License-Identifier: BSD-3-Clause */
/* ukReport.pivots counts changes of the active set, rows that become free or meet a bound; ukReport.factorizations the
 * factorizations on the way. A homotopy changes one row at a time on one factor, so it has many pivots and counts as
 * one factorization; a step whose initial guess has the right set has no pivot. */
#include <math.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

static ukReport step(Scene *s)
{
    ukReport report = {0};
    CHECK(sceneStep(s, 0.01, ukWorldStep) == 1 && ukWorldGetReport(s->world, &report) == ukOk && report.ok);
    return report;
}

/* rows between their bounds, of those that have some: by the equations alone */
static int activeBounded(dWorldID world)
{
    ukEquations e;
    int count = 0;
    if (!CHECK(ukWorldGetEquations(world, &e) == ukOk)) return -1;
    for (int i = 0; i < e.m; i++)
        count += (isfinite(e.lo[i]) || isfinite(e.hi[i])) && e.lambda[i] > e.lo[i] && e.lambda[i] < e.hi[i];
    return count;
}

/* A snake with 17 motors on the ground, without a guess: the homotopies of the two phases change at least the rows by
 * which the set differs in the end from that of no contact and free motors. Measured: 147 changes, 2 factorizations. */
static void laidDown(void)
{
    Scene *s = sceneByName("snake", 18);
    const ukReport first = step(s);
    const int active = activeBounded(s->world);
    if (!CHECK(active > 17 && first.pivots >= active) || !CHECK(first.factorizations * 10 <= first.pivots))
        printf("%d active, %d pivots, %d factorizations\n", active, first.pivots, first.factorizations);
    CHECK(first.factorizations >= 1);
    sceneDestroy(s);
}

/* A stack at rest: the set of the last step is right, whatever solves it. Without bounded rows there is no set. */
static void atRest(const char *scene, bool bounded)
{
    Scene *s = sceneByName(scene, 5);
    for (int i = 0; i < 99; i++) step(s);
    const ukReport last = step(s);
    CHECK(last.pivots == 0 && (activeBounded(s->world) > 0) == bounded);
    CHECK(bounded || last.factorizations == 0);
    sceneDestroy(s);
}

/* With a dense solver the set is found as before, and counted. */
static void denseSolver(void)
{
    Scene *s = sceneByName("snake", 4), *dense = sceneByName("snake", 4);
    if (ukWorldSetSolver(dense->world, ukSolverMInverse) != ukErrorLapack) {
        const ukReport sparse = step(s), other = step(dense);
        CHECK(sparse.pivots > 0 && other.pivots == sparse.pivots && other.factorizations == sparse.factorizations);
    }
    sceneDestroy(dense);
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    laidDown();
    atRest("stack", true);
    atRest("chain", false);
    denseSolver();
    dCloseODE();
    return ukTestEnd();
}

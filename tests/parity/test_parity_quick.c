/* SPDX-License-Identifier: BSD-3-Clause */
/* A world stepped by dWorldQuickStep gets the law that QuickStep iterates towards: the friction bounds come from the
 * normal force of the same solution. Against 10 000 iterations of ODE's own, on random worlds with stops, bounded
 * motors and contacts whose CFM >= 1e-3 lets the iteration converge.
 *
 * ODE is its own measure of how far it got: a world is compared where 5 000 and 10 000 iterations agree to 1e-8; the
 * others are counted, and may be a quarter. The coupled law may have several solutions: a world that differs although
 * ukode's solution is certified (every row within its bounds, taken from its own normal force) is counted as such, and
 * there may be 2 % of them. Infinite friction is left out: ODE's QuickStep multiplies infinity by a zero normal force
 * there and drops the bound (docs/ode-differences.md). */
#include <stdio.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/parity/precision.h"
#include "tests/support/random_world.h"

static void quick(RandomWorld *w, uint64_t seed, const RandomWorldKind *kind, int iterations, double h)
{
    randomWorldBuild(w, seed, kind);
    if (iterations == 0)
        CHECK(ukWorldEnable(w->world) == 0);
    else
        dWorldSetQuickStepNumIterations(w->world, iterations);
    dWorldSetQuickStepW(w->world, 1.0);
    dWorldQuickStep(w->world, h);
}

static void sweep(const char *name, int worlds, uint64_t seed0, const RandomWorldKind *kind, double tolerance)
{
    int wrong = 0, unsettled = 0, other = 0;
    double worst = 0;
    for (int k = 0; k < worlds; k++) {
        const uint64_t seed = seed0 + (uint64_t)k;
        const double h = k % 2 == 0 ? 0.01 : 0.05;
        RandomWorld half, full, ours;
        const char *what;
        quick(&half, seed, kind, 5000, h);
        quick(&full, seed, kind, 10000, h);
        quick(&ours, seed, kind, 0, h);
        ukReport report;
        CHECK(ukWorldGetReport(ours.world, &report) == 0 && report.bodies > 0 && report.fallbacks == 0);
        const double e = randomWorldDifference(&full, &ours, &what);
        const bool settled = randomWorldDifference(&half, &full, &what) <= PARITY_AGREES;
        if (!settled)
            unsettled++;
        else if (!(e <= tolerance) && report.ok && kind->friction)
            other++;
        else if (!(e <= tolerance) && wrong++ < 10)
            printf("%s: seed %llu differs by %.2g, certificate %d: %.2g %.2g %.2g\n", name, (unsigned long long)seed, e,
                   report.ok, report.feasibility, report.stationarity, report.complementarity);
        else if (e <= tolerance && e > worst)
            worst = e;
        randomWorldDestroy(&half);
        randomWorldDestroy(&full);
        randomWorldDestroy(&ours);
    }
    printf("%s: %d worlds, %d differ, %d another solution, %d unsettled in ODE, worst of the others %.2g\n", name,
           worlds, wrong, other, unsettled, worst);
    CHECK(wrong == 0);
    CHECK(unsettled <= worlds / 4);
    CHECK(other <= worlds / 50);
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 300;
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    const RandomWorldKind plain = {
        .types = randomEqualityTypes, .cfm_lo = 1e-3, .cfm_hi = 1e-1, .stops = 1, .bounded_motors = 1, .contacts = 8};
    const RandomWorldKind friction = {.types = randomEqualityTypes,
                                      .cfm_lo = 1e-3,
                                      .cfm_hi = 1e-1,
                                      .stops = 1,
                                      .bounded_motors = 1,
                                      .contacts = 8,
                                      .friction = 1,
                                      .finite_mu = 1};
    sweep("stops, motors, contacts", worlds, 6000000, &plain, PARITY_BOUNDED);
    sweep("friction", worlds, 7000000, &friction, PARITY_BOUNDED);
    dCloseODE();
    return ukTestEnd();
}

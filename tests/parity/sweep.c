/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/parity/sweep.c: see sweep.h */
#include "tests/parity/sweep.h"

#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/parity/precision.h"

/* what a difference is measured by: of loops, by what its joints hold against each other */
static double scaleOf(const RandomWorld *w, const RandomWorldKind *kind, double h)
{
    return kind->loops ? fmax(1, h * randomWorldPush(w)) : 1;
}

/* change of ODE's own step when poses and velocities change by PARITY_NUDGE */
static double sensitivity(uint64_t seed, const RandomWorldKind *kind, double h)
{
    const dReal nudge = PARITY_NUDGE;
    RandomWorld x, y;
    const char *what;
    randomWorldBuild(&x, seed, kind);
    randomWorldBuild(&y, seed, kind);
    for (int i = 0; i < y.bodies; i++) {
        const dReal *v = dBodyGetLinearVel(y.body[i]), *w = dBodyGetAngularVel(y.body[i]);
        const dReal *p = dBodyGetPosition(y.body[i]);
        dBodySetLinearVel(y.body[i], v[0] + nudge, v[1] - nudge, v[2] + nudge);
        dBodySetAngularVel(y.body[i], w[0] - nudge, w[1] + nudge, w[2] - nudge);
        const dReal *q = dBodyGetQuaternion(y.body[i]);
        const dQuaternion turned = {q[0] + nudge, q[1] - nudge, q[2] + nudge * i, q[3] + nudge};
        dBodySetPosition(y.body[i], p[0] - nudge, p[1] + nudge, p[2] - nudge * i);
        dBodySetQuaternion(y.body[i], turned);
    }
    dWorldStep(x.world, h);
    dWorldStep(y.world, h);
    const double change = randomWorldDifference(&x, &y, &what) / scaleOf(&x, kind, h);
    randomWorldDestroy(&x);
    randomWorldDestroy(&y);
    return change;
}

/* difference of the working and a reference solver on the same world; INFINITY unless both are certified */
static double differenceTo(ukSolver solver, uint64_t seed, const RandomWorldKind *kind, double h)
{
    RandomWorld x, y;
    const char *what;
    randomWorldBuild(&x, seed, kind);
    randomWorldBuild(&y, seed, kind);
    ukWorldSetCfmRule(x.world, ukCfmOde);
    ukWorldSetCfmRule(y.world, ukCfmOde);
    ukWorldSetSolver(y.world, solver);
    CHECK(ukWorldStep(x.world, h) && ukWorldStep(y.world, h));
    ukReport working, reference;
    CHECK(ukWorldGetReport(x.world, &working) == 0 && ukWorldGetReport(y.world, &reference) == 0);
    const bool certified = working.ok && reference.ok;
    const double difference = certified ? randomWorldDifference(&x, &y, &what) / scaleOf(&x, kind, h) : INFINITY;
    randomWorldDestroy(&x);
    randomWorldDestroy(&y);
    return difference;
}

/* How near an independent, certified solution comes. Two are asked, since each has worlds where rounding takes it away:
 * A M^-1 A' squares the condition number, and the LU of the whole system splits forces that softness alone decides. */
static double disagreement(uint64_t seed, const RandomWorldKind *kind, double h)
{
    return fmin(differenceTo(ukSolverMInverse, seed, kind, h), differenceTo(ukSolverLagrange, seed, kind, h));
}

/* Rounding decides in ODE's step, and ukode's two independent solutions agree: on PARITY_AGREES, or a hundredth of the
 * distance from ODE. Of loops on a hundred times that: ODE's default CFM, 1e-9 of a row and more, leaves that of the
 * forces of dependent rows.
 */
static int roundingOfOde(uint64_t seed, const RandomWorldKind *kind, double h, double distance)
{
    const double agreed = fmax(kind->loops ? 100 * PARITY_AGREES : PARITY_AGREES, 0.01 * distance);
    return !(sensitivity(seed, kind, h) <= 0.1 * PARITY_AGREES) && disagreement(seed, kind, h) <= agreed;
}

static int all_worlds, all_ill;

void paritySweep(const char *name, int worlds, uint64_t seed0, const RandomWorldKind *kind, double tolerance)
{
    int wrong = 0, ill = 0;
    double worst = 0;
    for (int k = 0; k < worlds; k++) {
        const uint64_t seed = seed0 + (uint64_t)k;
        const double h = k % 3 == 0 ? 0.001 : k % 3 == 1 ? 0.01 : 0.05;
        RandomWorld native, ours;
        const char *what;
        randomWorldBuild(&native, seed, kind);
        randomWorldBuild(&ours, seed, kind);
        ukWorldSetCfmRule(ours.world, ukCfmOde);
        dWorldStep(native.world, h);
        const int ok = ukWorldStep(ours.world, h);
        ukReport report;
        ukWorldGetReport(ours.world, &report);
        const double e = randomWorldDifference(&native, &ours, &what) / scaleOf(&ours, kind, h);
        const int bad = !ok || !report.ok || report.fallbacks || !(e <= tolerance);
        if (bad && ok && report.ok && roundingOfOde(seed, kind, h, e)) {
            ill++;
        } else if (bad) {
            if (wrong++ < 10)
                printf(
                    "%s: seed %llu: %s differs by %.2g, ukode's solvers by %.2g, ODE's step changes by %.2g (step %d, "
                    "certificate %d: %.2g %.2g %.2g) %s\n",
                    name, (unsigned long long)seed, what, e, ok ? disagreement(seed, kind, h) : 0,
                    sensitivity(seed, kind, h), ok, report.ok, report.feasibility, report.stationarity,
                    report.complementarity, ok ? "" : ukGetLastErrorMessage());
        } else if (e > worst) {
            worst = e;
        }
        randomWorldDestroy(&native);
        randomWorldDestroy(&ours);
    }
    printf("%s: %d worlds, %d differ, %d ill-conditioned, worst of the others %.2g\n", name, worlds, wrong, ill, worst);
    CHECK(wrong == 0);
    all_worlds += worlds;
    all_ill += ill;
}

void parityEnd(void)
{
    printf("all: %d worlds, %d ill-conditioned\n", all_worlds, all_ill);
    CHECK(all_ill <= PARITY_ILL * all_worlds);
}

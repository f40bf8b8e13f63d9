/* tests/parity/sweep.c: see sweep.h */
#include "tests/parity/sweep.h"

#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"

/* change of ODE's own step when poses and velocities change by 1e-13 */
static double sensitivity(uint64_t seed, const RandomWorldKind *kind, double h)
{
    RandomWorld x, y;
    const char *what;
    randomWorldBuild(&x, seed, kind);
    randomWorldBuild(&y, seed, kind);
    for (int i = 0; i < y.bodies; i++) {
        const dReal *v = dBodyGetLinearVel(y.body[i]), *w = dBodyGetAngularVel(y.body[i]);
        const dReal *p = dBodyGetPosition(y.body[i]);
        dBodySetLinearVel(y.body[i], v[0] + 1e-13, v[1] - 1e-13, v[2] + 1e-13);
        dBodySetAngularVel(y.body[i], w[0] - 1e-13, w[1] + 1e-13, w[2] - 1e-13);
        const dReal *q = dBodyGetQuaternion(y.body[i]);
        const dQuaternion turned = {q[0] + 1e-13, q[1] - 1e-13, q[2] + 1e-13 * i, q[3] + 1e-13};
        dBodySetPosition(y.body[i], p[0] - 1e-13, p[1] + 1e-13, p[2] - 1e-13 * i);
        dBodySetQuaternion(y.body[i], turned);
    }
    dWorldStep(x.world, h);
    dWorldStep(y.world, h);
    const double change = randomWorldDifference(&x, &y, &what);
    randomWorldDestroy(&x);
    randomWorldDestroy(&y);
    return change;
}

/* difference of the working and the reference solver on the same world */
static double disagreement(uint64_t seed, const RandomWorldKind *kind, double h)
{
    RandomWorld x, y;
    const char *what;
    randomWorldBuild(&x, seed, kind);
    randomWorldBuild(&y, seed, kind);
    ukWorldSetSolver(y.world, ukSolverMInverse);
    CHECK(ukWorldStep(x.world, h) && ukWorldStep(y.world, h));
    const double difference = randomWorldDifference(&x, &y, &what);
    randomWorldDestroy(&x);
    randomWorldDestroy(&y);
    return difference;
}

static int illConditioned(uint64_t seed, const RandomWorldKind *kind, double h)
{
    return disagreement(seed, kind, h) > 1e-9 || sensitivity(seed, kind, h) > 1e-9;
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
        dWorldStep(native.world, h);
        const int ok = ukWorldStep(ours.world, h);
        ukReport report;
        ukWorldGetReport(ours.world, &report);
        const double e = randomWorldDifference(&native, &ours, &what);
        const int bad = !ok || !report.ok || report.fallbacks || !(e <= tolerance);
        if (bad && ok && illConditioned(seed, kind, h)) {
            ill++;
        } else if (bad) {
            if (wrong++ < 10)
                printf("%s: seed %llu: %s differs by %.2g (step %d, certificate %d: %.2g %.2g %.2g) %s\n", name,
                       (unsigned long long)seed, what, e, ok, report.ok, report.feasibility, report.stationarity,
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
    CHECK(all_ill <= all_worlds / 200);
}

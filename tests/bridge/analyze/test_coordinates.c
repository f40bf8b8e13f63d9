/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates on the constraints: their number, orthonormality, the point that they lead to, accelerations there; and
 * that an analysis leaves the world as it was. */
#include <string.h>
#include <ukode/ukode.h>

#include "bridge/analyze/coordinates.h"
#include "bridge/world/registry.h"
#include "plugin/analysis/preserve.h"
#include "tests/check.h"

static dBodyID rod(dWorldID w, double x, double z, double lx, double lz, double m)
{
    dBodyID b = dBodyCreate(w);
    dMass mass;
    dMassSetBoxTotal(&mass, m, lx, 0.05, lz);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, 0, z);
    return b;
}

static dJointID hinge(dWorldID w, dBodyID a, dBodyID b, double x, double z)
{
    dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, 0, z);
    dJointSetHingeAxis(j, 0, 1, 0);
    return j;
}

/* crank and rocker 1 m, coupler 2 m: 20 rows, rank 17 */
static dWorldID fourBar(void)
{
    dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -9.81);
    dBodyID a = rod(w, 0, -.5, .05, 1, 1), b = rod(w, 1, -1, 2, .05, 2), c = rod(w, 2, -.5, .05, 1, 1);
    hinge(w, a, 0, 0, 0);
    hinge(w, a, b, 0, -1);
    hinge(w, b, c, 2, -1);
    hinge(w, c, 0, 2, 0);
    ukWorldEnable(w);
    return w;
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void checkFourBar(void)
{
    dWorldID w = fourBar();
    ukPreserved kept;
    ukProbe probe;
    ukCoordinates c;
    CHECK(ukPreserveBegin(&kept, ukRegistryWorld(w)) == ukOk);
    CHECK(ukProbeBegin(&probe, ukRegistryWorld(w), ukProbeContinuous, 0.01, NULL, 0) == ukOk);
    CHECK(ukCoordinatesBegin(&c, &probe) == ukOk);
    CHECK(c.rows == 20 && c.rank == 17 && c.positions == 1 && c.velocities == 1);
    CHECK_NEAR(dot(c.Nq, c.MNq, c.n), 1, 1e-14);
    for (int i = 0; i < c.rows; i++) CHECK_NEAR(dot(c.A + i * c.n, c.Nq, c.n), 0, 1e-14);

    /* the restoring acceleration along the only motion: omega^2 = 9.81 (2/2 + 2) / (2 (I + 1/4) + 2) */
    double pull[2];
    for (int side = 0; side < 2; side++) {
        const double xi = side ? -1e-4 : 1e-4;
        CHECK(ukCoordinatesMove(&c, &probe, &xi, NULL) == ukOk);
        CHECK(ukProbeSolve(&probe, true) == ukOk);
        ukCoordinatesOfVelocity(&c, probe.s->bodies.qdd, &pull[side]);
        double dq[18], back;
        for (int k = 0; k < 3; k++) ukCoordinatesDifference(&c.state[k], &ukProbeFrame(&probe, k)->state, dq + 6 * k);
        ukCoordinatesOfPose(&c, dq, &back);
        CHECK_NEAR(back, xi, 1e-10);
    }
    const double inertia = (1 + .0025) / 12;
    CHECK_NEAR((pull[1] - pull[0]) / 2e-4, 9.81 * 3 / (2 * (inertia + .25) + 2), 1e-6);
    ukCoordinatesEnd(&c);
    ukProbeEnd(&probe);
    CHECK(ukPreserveEnd(&kept, ukOk) == ukOk);
    dWorldDestroy(w);
}

/* the world goes on with the same bits as one that was not analysed */
static void checkPreserved(ukIntegrator integrator)
{
    unsigned char hash[2][16];
    for (int analysed = 0; analysed < 2; analysed++) {
        dWorldID w = fourBar();
        ukReport before, after;
        ukWorldSetIntegrator(w, integrator);
        dBodySetAngularVel(ukWorldGetBody(w, 0), 0, 0.3, 0);
        for (int i = 0; i < 20; i++) ukWorldStep(w, 0.01);
        if (analysed) {
            ukPreserved kept;
            ukProbe probe;
            ukCoordinates c;
            unsigned char now[2][16];
            ukWorldHash(w, now[0]);
            ukWorldGetReport(w, &before);
            CHECK(ukPreserveBegin(&kept, ukRegistryWorld(w)) == ukOk);
            CHECK(ukProbeBegin(&probe, ukRegistryWorld(w), ukProbeContinuous, 0.01, NULL, 0) == ukOk);
            CHECK(ukCoordinatesBegin(&c, &probe) == ukOk);
            const double xi = 0.1;
            CHECK(ukCoordinatesMove(&c, &probe, &xi, &xi) == ukOk);
            CHECK(ukProbeSolve(&probe, true) == ukOk);
            ukCoordinatesEnd(&c);
            ukProbeEnd(&probe);
            ukWorldStep(w, 0.01);
            CHECK(ukPreserveEnd(&kept, ukOk) == ukOk);
            ukWorldHash(w, now[1]);
            ukWorldGetReport(w, &after);
            CHECK(memcmp(now[0], now[1], 16) == 0);
            CHECK(memcmp(&before, &after, sizeof before) == 0);
        }
        for (int i = 0; i < 20; i++) ukWorldStep(w, 0.01);
        ukWorldHash(w, hash[analysed]);
        dWorldDestroy(w);
    }
    CHECK(memcmp(hash[0], hash[1], 16) == 0);
}

static void checkRefused(void)
{
    dWorldID w = fourBar();
    ukProbe probe;
    ukCoordinates c;
    dBodySetPosition(ukWorldGetBody(w, 1), 1, 0, -0.8); /* its joints are apart */
    CHECK(ukProbeBegin(&probe, ukRegistryWorld(w), ukProbeContinuous, 0.01, NULL, 0) == ukOk);
    CHECK(ukCoordinatesBegin(&c, &probe) == ukErrorNotConverged);
    CHECK(strstr(ukGetLastErrorMessage(), "violates its constraints"));
    ukCoordinatesEnd(&c);
    ukProbeEnd(&probe);
    dWorldDestroy(w);
}

/* A chain of rods along half a circle, its joints open by 8 mm each along it, as Euler's drift leaves them: the
 * projection moves its end by 0.8 m, and full Newton steps overshoot. Both attachment orders. */
static void checkOpenChain(bool swapped)
{
    enum { Rods = 100 };
    static const double pi = 3.14159265358979323846, open = 8e-3;
    const dWorldID w = dWorldCreate();
    dBodyID last = 0;
    double x = 0, z = 0;
    ukWorldEnable(w);
    for (int i = 0; i < Rods; i++) {
        const double slope = pi * i / Rods;
        const dBodyID b = rod(w, x + 0.5 * cos(slope), z + 0.5 * sin(slope), 1, 0.05, 1);
        dQuaternion q;
        dQFromAxisAndAngle(q, 0, 1, 0, -slope);
        dBodySetQuaternion(b, q);
        hinge(w, swapped ? last : b, swapped ? b : last, x, z);
        x += cos(slope), z += sin(slope), last = b;
    }
    for (int i = 0; i < Rods; i++) { /* each joint opens: the bodies after it move on */
        const dBodyID b = ukWorldGetBody(w, i);
        const dReal *const at = dBodyGetPosition(b);
        double moved[2] = {0};
        for (int k = 0; k <= i; k++) moved[0] += open * cos(pi * k / Rods), moved[1] += open * sin(pi * k / Rods);
        dBodySetPosition(b, at[0] + moved[0], 0, at[2] + moved[1]);
    }
    ukProbe probe;
    ukCoordinates c;
    CHECK(ukProbeBegin(&probe, ukRegistryWorld(w), ukProbeContinuous, 0.01, NULL, 0) == ukOk);
    if (!CHECK(ukCoordinatesBegin(&c, &probe) == ukOk)) printf("  %s\n", ukGetLastErrorMessage());
    CHECK(c.positions == Rods && c.moved > 0.1);
    for (int k = 0; k < probe.s->island_count; k++) CHECK(ukProbeDrift(&probe, &probe.s->islands[k]) < 1e-10);
    ukCoordinatesEnd(&c);
    ukProbeEnd(&probe);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    checkOpenChain(false);
    checkOpenChain(true);
    checkFourBar();
    checkPreserved(ukIntegratorEuler);
    checkPreserved(ukIntegratorRK4);
    checkPreserved(ukIntegratorAdaptive);
    checkPreserved(ukIntegratorRattle);
    checkRefused();
    return ukTestEnd();
}

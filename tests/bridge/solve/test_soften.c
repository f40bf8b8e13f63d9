/* SPDX-License-Identifier: BSD-3-Clause */
/* What the chosen solver cannot take as it is stated is solved with the smallest softening that makes it solvable, and
 * told; nobody else takes the step. The solver of full row rank only, on closed loops with rows too many. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"

typedef struct FourBar {
    dWorldID world;
    dBodyID bar[3];
} FourBar;

/* Four parallel hinges: 3 of 20 rows too many. The last one was attached to a bar `gap` off: the rows across the plane
 * contradict one another by that. */
static FourBar make(ukSolver solver, ukIntegrator integrator, double gap, double mu)
{
    static const double at[4][3] = {{0, 0, 0}, {-0.5, 0, 0.8}, {1, 0, 1.2}, {1.5, 0, 0}};
    FourBar f = {.world = dWorldCreate()};
    dMass m;
    dWorldSetGravity(f.world, 0, 0, -9.81);
    dWorldSetCFM(f.world, 0);
    for (int i = 0; i < 3; i++) {
        f.bar[i] = dBodyCreate(f.world);
        dMassSetBoxTotal(&m, 1 + i, 0.1, 0.1, 1);
        dBodySetMass(f.bar[i], &m);
        dBodySetPosition(f.bar[i], (at[i][0] + at[i + 1][0]) / 2, 0, (at[i][2] + at[i + 1][2]) / 2);
    }
    for (int i = 0; i < 4; i++) {
        const dJointID hinge = dJointCreateHinge(f.world, 0);
        const dReal *x = dBodyGetPosition(f.bar[2]);
        if (i == 3) dBodySetPosition(f.bar[2], x[0], gap, x[2]);
        dJointAttach(hinge, i < 3 ? f.bar[i] : 0, i > 0 ? f.bar[i - 1] : 0);
        dJointSetHingeAnchor(hinge, at[i][0], at[i][1], at[i][2]);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        if (i == 3) dBodySetPosition(f.bar[2], x[0], 0, x[2]);
        if (mu > 0) CHECK(ukJointSetCoulomb(hinge, mu, 0.05) == 0);
    }
    dBodySetAngularVel(f.bar[0], 0, 1, 0);
    CHECK(ukWorldSetSolver(f.world, solver) == 0 && ukWorldSetIntegrator(f.world, integrator) == 0);
    const bool rk4 = integrator == ukIntegratorRK4;
    CHECK(ukWorldSetStabilization(f.world, rk4 ? ukStabilizeProjection : ukStabilizeErp, 0, 0) == 0);
    return f;
}

/* beside the working solver; where rows contradict one another, beside a CFM that lets them */
static void solved(ukIntegrator integrator, double gap, double mu, double compromise, double tolerance)
{
    FourBar a = make(ukSolverSparse, integrator, gap, mu), b = make(ukSolverLagrange, integrator, gap, mu);
    ukReport report;
    double most = 0;
    if (gap > 0) dWorldSetCFM(a.world, 1e-9);
    for (int i = 0; i < 100; i++) {
        CHECK(ukWorldStep(a.world, 0.005) == 1);
        if (!CHECK(ukWorldStep(b.world, 0.005) == 1)) printf("    %s\n", ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(b.world, &report) == 0);
        CHECK(report.ok && report.fallbacks == 0 && report.rank == -1);
        CHECK(report.compromise > 0);
        most = fmax(most, report.compromise);
    }
    if (!CHECK(most <= compromise)) printf("    compromise %g\n", most);
    for (int i = 0; i < 3; i++) CHECK_NEAR_ALL(dBodyGetPosition(b.bar[i]), dBodyGetPosition(a.bar[i]), 3, tolerance);
    CHECK(dBodyGetPosition(b.bar[1])[2] < 0.9); /* it has fallen */
    dWorldDestroy(a.world);
    dWorldDestroy(b.world);
}

/* The drift that the rows contradict one another by leaves singular values of rounding's size, across which CFM 0 would
 * ask for any motion: without what they contradict each solver gives the same, and says how far it is from that. */
static void everySolver(double gap)
{
    FourBar f[6];
    for (int k = 0; k < 6; k++) f[k] = make((ukSolver)(ukSolverSparse + k), ukIntegratorEuler, gap, 0);
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 6; k++) {
            ukReport report;
            CHECK(ukWorldStep(f[k].world, 0.005) == 1 && ukWorldGetReport(f[k].world, &report) == 0 && report.ok);
            CHECK(gap == 0 || (report.compromise > 0.1 * gap && report.compromise < 10 * gap));
            CHECK_NEAR_ALL(dBodyGetLinearVel(f[k].bar[1]), dBodyGetLinearVel(f[0].bar[1]), 3, 1e-8);
        }
    CHECK(dBodyGetPosition(f[0].bar[1])[2] < 0.9);
    for (int k = 0; k < 6; k++) dWorldDestroy(f[k].world);
}

/* under preload it is dWorldStep that is asked: ODE's own, with CFM 0, would abort or tear the loop apart */
static void interposed(void)
{
    FourBar a = make(ukSolverLagrange, ukIntegratorEuler, 0, 0), b = make(ukSolverLagrange, ukIntegratorEuler, 0, 0);
    ukReport report;
    CHECK(ukWorldEnable(b.world) == 0);
    for (int i = 0; i < 20; i++) {
        CHECK(ukWorldStep(a.world, 0.005) == 1 && dWorldStep(b.world, 0.005) == 1);
        CHECK(memcmp(dBodyGetPosition(a.bar[1]), dBodyGetPosition(b.bar[1]), 3 * sizeof(dReal)) == 0);
    }
    CHECK(ukWorldGetReport(b.world, &report) == 0 && report.fallbacks == 0);
    dWorldDestroy(a.world);
    dWorldDestroy(b.world);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    solved(ukIntegratorEuler, 0, 0, 1e-13, 1e-12);
    solved(ukIntegratorRK4, 0, 0, 1e-13, 1e-12);
    solved(ukIntegratorEuler, 0, 0.1, 1e-8, 1e-9);
    solved(ukIntegratorRK4, 0, 0.1, 1e-8, 1e-9);
    solved(ukIntegratorEuler, 1e-6, 0, 1e-5, 5e-3);
    solved(ukIntegratorEuler, 1e-9, 0, 1e-8, 1e-5);
    everySolver(0);
    everySolver(1e-9);
    everySolver(1e-6);
    everySolver(1e-3);
    interposed();
    dCloseODE();
    return ukTestEnd();
}

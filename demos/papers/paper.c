/* SPDX-License-Identifier: BSD-3-Clause */
#include "demos/papers/paper.h"

static int failures;

static void must(int status)
{
    if (status == 0) return;
    printf("ukode: %s\n", ukGetLastErrorMessage());
    exit(1);
}

dWorldID paperWorld(double gx, double gy, double gz)
{
    dInitODE2(0);
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, gx, gy, gz);
    must(ukWorldSetIntegrator(w, ukIntegratorRK4));
    must(ukWorldSetStabilization(w, ukStabilizeProjection, 0, 0));
    return w;
}

dBodyID paperBody(dWorldID w, double mass, double ixx, double iyy, double izz, double x, double y, double z)
{
    dMass m;
    const dBodyID body = dBodyCreate(w);
    dMassSetParameters(&m, mass, 0, 0, 0, ixx, iyy, izz, 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

ukConstraintID paperConstraint(dWorldID w, int rows, dBodyID body, ukConstraintFn *fn, ukErrorFn *error, void *data)
{
    return paperJoin(w, rows, &body, 1, fn, error, data);
}

ukConstraintID paperJoin(dWorldID w, int rows, const dBodyID *bodies, int count, ukConstraintFn *fn, ukErrorFn *error,
                         void *data)
{
    const ukConstraintID c = ukConstraintCreate(w, rows, bodies, count, fn, data);
    must(c ? ukConstraintSetError(c, error, data) : ukGetLastError());
    return c;
}

void paperApply(dWorldID w, const dBodyID *bodies, int count, ukForceFn *fn, void *data)
{
    must(ukForceCreate(w, bodies, count, fn, data) ? 0 : ukGetLastError());
}

void paperRun(dWorldID w, double h, double time)
{
    if (ukWorldGetTime(w) == 0) must(ukWorldResetLedger(w));
    while (ukWorldGetTime(w) < time - 0.5 * h) must(ukWorldStep(w, h) ? 0 : ukGetLastError());
}

void paperClose(dWorldID w)
{
    ukLedger l;
    must(ukWorldGetLedger(w, &l));
    const double start = l.kinetic_start + l.potential_start, now = l.kinetic + l.potential;
    const double all = fabs(l.kinetic_start) + fabs(l.potential_start) + fabs(l.kinetic) + fabs(l.potential) +
                       fabs(l.applied) + fabs(l.ideal) + fabs(l.nonideal);
    const double off = fmax(fmax(fabs(l.residual), fabs(l.outside)), fabs(l.stabilization) + fabs(l.integration));
    const int good = off <= 1e-9 * all;
    failures += !good;
    printf("  energy %.6g -> %.6g J: applied %.6g, constraints %.6g, friction and laws %.6g,\n"
           "  projection %.1e, integration %.1e; residual %.1e%s\n",
           start, now, l.applied, fabs(l.ideal) < 1e-12 * all ? 0 : l.ideal, l.nonideal, l.stabilization, l.integration,
           l.residual, good ? "" : "  TOO MUCH");
    dWorldDestroy(w);
}

void paperForce(ukConstraintID constraint, double *x)
{
    double force[12]; /* of two bodies at most */
    must(ukConstraintGetForce(constraint, force));
    for (int i = 0; i < 3; i++) x[i] = force[i];
}

void paperIntegrate(double *y, int n, double h, double time, PaperRates *rates, void *data)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const long steps = lround(time / h);
    for (long s = 0; s < steps; s++) {
        double k[12] = {0}, at[12], sum[12] = {0};
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < n; i++) at[i] = y[i] + node[stage] * h * k[i];
            rates(at, k, data);
            for (int i = 0; i < n; i++) sum[i] += weight[stage] * k[i];
        }
        for (int i = 0; i < n; i++) y[i] += h * sum[i];
    }
}

void paperCompare(const char *what, double value, double expected, double tolerance)
{
    const double off = fabs(value - expected);
    const int good = off <= tolerance;
    failures += !good;
    printf("  %-34s %20.14g %20.14g  off by %.1e%s\n", what, value, expected, off, good ? "" : "  TOO MUCH");
}

int paperEnd(void)
{
    dCloseODE();
    return failures != 0;
}

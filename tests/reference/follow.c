/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/follow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static ukIntegrator integrator = ukIntegratorRK4;

static void tell(const FollowProblem *p, const FollowLimit *limit, double rk4, double euler, const Follow *run)
{
    const double error[Ways] = {rk4, euler, TABLE_NONE, TABLE_NONE};
    const double spent[Ways] = {run[0].microseconds, run[1].microseconds, TABLE_NONE, TABLE_NONE};
    if (limit->what) tableRow(p->name, limit->what, limit->tolerance, p->h, error, spent);
}

static void judge(const FollowProblem *p, const FollowLimit *limit, double error)
{
    if (!limit->what) return;
    refCheck(error <= limit->tolerance, limit->what);
    if (!refTabulates()) printf("%s: %s off by %.2e (± %.0e)\n", p->name, limit->what, error, limit->tolerance);
}

void followProblem(const FollowProblem *p, Follow (*run)(double h, const void *argument), const void *argument)
{
    Follow f[2] = {run(p->h, argument)};
    judge(p, &p->state, f[0].state);
    judge(p, &p->force, f[0].force);
    judge(p, &p->other, f[0].other);
    if (!refTabulates()) return;
    integrator = ukIntegratorEuler;
    f[1] = run(p->h, argument);
    integrator = ukIntegratorRK4;
    tell(p, &p->state, f[0].state, f[1].state, f);
    tell(p, &p->force, f[0].force, f[1].force, f);
    tell(p, &p->other, f[0].other, f[1].other, f);
}

RefWorld *followWorld(double h, double g)
{
    RefWorld *w = refWorld(ByUkode, h);
    dWorldSetGravity(w->id, 0, 0, -g);
    refCheck(ukWorldSetIntegrator(w->id, integrator) == 0, "integrator");
    refCheck(ukWorldSetStabilization(w->id, ukStabilizeProjection, 0, 0) == 0, "projection");
    return w;
}

void followStart(dBodyID body, const double *x, const double *v, const double *q, const double *w)
{
    dBodySetPosition(body, x[0], x[1], x[2]);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    if (q) dBodySetQuaternion(body, (const dQuaternion){q[0], q[1], q[2], q[3]});
    if (w) dBodySetAngularVel(body, w[0], w[1], w[2]);
}

bool followTable(RefWorld *w, const char *csv, int columns, void (*compare)(const double *row, Follow *follow),
                 Follow *follow)
{
    int rows, steps = 0;
    double *table = refTable(csv, columns, &rows);
    refCheck(ukWorldEvaluate(w->id) == 0, "forces at the start");
    for (int i = 0; i < rows; i++) {
        const double *row = table + i * columns;
        while (ukWorldGetTime(w->id) < row[0] - 0.5 * w->h) {
            const double before = ukWorldGetTime(w->id), t0 = tableSeconds();
            refStep(w);
            follow->microseconds += 1e6 * (tableSeconds() - t0);
            steps++;
            if (!(ukWorldGetTime(w->id) > before)) {
                free(table);
                return false;
            }
        }
        compare(row, follow);
    }
    free(table);
    follow->microseconds /= steps > 0 ? steps : 1;
    return rows > 0;
}

double followWorst(double largest, const double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++) largest = refMax(fabs(x[i] - y[i]), largest);
    return largest;
}

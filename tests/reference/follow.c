/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/follow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static ukIntegrator integrator = ukIntegratorRK4;

enum { Ours = ByEuler + 1 };

static void tell(const FollowProblem *p, const FollowLimit *limit, const double error_by[Ours], const Follow *run)
{
    double error[Ways], spent[Ways];
    for (int way = 0; way < Ways; way++) {
        error[way] = way < Ours ? error_by[way] : TABLE_NONE;
        spent[way] = way < Ours ? run[way].microseconds : TABLE_NONE;
    }
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
    static const ukIntegrator by[Ours] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle, ukIntegratorEuler};
    Follow f[Ours] = {run(p->h, argument)};
    judge(p, &p->state, f[0].state);
    judge(p, &p->force, f[0].force);
    judge(p, &p->other, f[0].other);
    if (!refTabulates()) return;
    for (int way = ByAdaptive; way < Ours; way++) {
        integrator = by[way];
        f[way] = run(p->h, argument);
    }
    integrator = ukIntegratorRK4;
    double state[Ours], force[Ours], other[Ours];
    for (int way = 0; way < Ours; way++)
        state[way] = f[way].state, force[way] = f[way].force, other[way] = f[way].other;
    tell(p, &p->state, state, f);
    tell(p, &p->force, force, f);
    tell(p, &p->other, other, f);
}

RefWorld *followWorld(double h, double g)
{
    RefWorld *w = refWorld(ByUkode, h);
    dWorldSetGravity(w->id, 0, 0, -g);
    refCheck(ukWorldSetIntegrator(w->id, integrator) == 0, "integrator");
    refCheck(ukWorldSetTolerance(w->id, 1e-10, 0) == 0, "tolerance");
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

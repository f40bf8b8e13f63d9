/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar loops of hinges, each with three rows too many. Beside its constraints, all three are seen, and ODE's default
 * CFM, which would hold them with forces of drift over CFM, is set aside. On its constraints a loop keeps its CFM: it
 * lets go of what depends. This rests on the thresholds of bridge/solve/closure.c: the counts tell when one is 100
 * times off and it matters. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Most = 8 };

typedef struct Loop {
    dWorldID world;
    dBodyID body[Most];
    int bodies, rows;
} Loop;

static double decade(Random *r, double lo, double hi)
{
    return pow(10, randomUniform(r, lo, hi));
}

/* spread: of shapes, masses and inertias, decades */
static Loop make(Random *r, double spread)
{
    Loop l = {.world = dWorldCreate(), .bodies = 3 + randomBelow(r, Most - 3)};
    const int n = l.bodies;
    dVector3 corner[Most];
    dWorldSetGravity(l.world, 0, -9.81, 0);
    for (int i = 0; i < n; i++) {
        const double angle = 6.283185307179586 * (i + randomUniform(r, -0.3, 0.3)) / n,
                     reach = decade(r, -spread / 2, spread / 2);
        corner[i][0] = reach * cos(angle), corner[i][1] = reach * sin(angle), corner[i][2] = 0;
    }
    for (int i = 0; i < n; i++) {
        dMass m;
        const dReal *a = corner[i], *b = corner[(i + 1) % n];
        l.body[i] = dBodyCreate(l.world);
        dMassSetBoxTotal(&m, decade(r, -spread, spread), decade(r, -spread, spread / 2), decade(r, -spread, spread / 2),
                         decade(r, -spread, spread / 2));
        dBodySetMass(l.body[i], &m);
        dBodySetPosition(l.body[i], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, randomUniform(r, -0.5, 0.5));
    }
    for (int i = 0; i < n; i++) {
        const dJointID j = dJointCreateHinge(l.world, NULL);
        dJointAttach(j, l.body[i], l.body[(i + 1) % n]);
        dJointSetHingeAnchor(j, corner[(i + 1) % n][0], corner[(i + 1) % n][1], 0);
        dJointSetHingeAxis(j, 0, 0, 1);
        l.rows += 5;
    }
    return l;
}

static void disturb(const Loop *l, Random *r, double drift)
{
    for (int i = 0; i < l->bodies; i++) {
        const dReal *x = dBodyGetPosition(l->body[i]);
        dQuaternion q;
        dBodySetPosition(l->body[i], x[0] + randomUniform(r, -drift, drift), x[1] + randomUniform(r, -drift, drift),
                         x[2] + randomUniform(r, -drift, drift));
        dQFromAxisAndAngle(q, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1),
                           randomUniform(r, -drift, drift));
        dBodySetQuaternion(l->body[i], q);
    }
}

/* in how many of `count` loops CFM was set aside; the rank says the same */
static int aside(Random *r, int count, double spread, double drift_lo, double drift_hi)
{
    int sum = 0;
    for (int k = 0; k < count; k++) {
        Loop l = make(r, spread);
        ukReport told;
        disturb(&l, r, drift_hi > 0 ? pow(10, randomUniform(r, log10(drift_lo), log10(drift_hi))) : 0);
        CHECK(ukWorldStep(l.world, 0.01) == 1 && ukWorldGetReport(l.world, &told) == 0 && told.ok);
        CHECK(told.cfm_islands ? told.rank < l.rows : told.rank == l.rows);
        if (spread < 1) CHECK(!told.cfm_islands || told.rank == l.rows - 3);
        sum += told.cfm_islands;
        dWorldDestroy(l.world);
    }
    printf("loops of spread %g, drift %g ... %g: CFM set aside in %d of %d\n", spread, drift_lo, drift_hi, sum, count);
    return sum;
}

int main(void)
{
    dInitODE2(0);
    Random random = {20};
    CHECK(aside(&random, 500, 0.5, 0, 0) == 0);
    CHECK(aside(&random, 500, 0.5, 1e-6, 1e-4) == 500);
    CHECK(aside(&random, 500, 2, 0, 0) == 0);
    const int between = aside(&random, 1000, 2, 1e-7, 1e-6); /* where CFM lets go of some motions, and not of others */
    CHECK(between >= 920 && between <= 970);
    dCloseODE();
    return ukTestEnd();
}

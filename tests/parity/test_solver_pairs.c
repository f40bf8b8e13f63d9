/* SPDX-License-Identifier: BSD-3-Clause */
/* One truth between the solvers: in every certified step of a random world the working solver and the dense ones, two
 * at a time, give the same motion to 1e-8: trees, loops, loops with nothing but ODE's default CFM, which ukode may set
 * aside, stops, motors, contacts. Every step is certified, too. The full run has 25 000 worlds (test_solver_pairs
 * 5000). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Solvers = 6 };
static const ukSolver solver[Solvers] = {ukSolverSparse,    ukSolverMInverse, ukSolverOneFour,
                                         ukSolverDAlembert, ukSolverGaussQP,  ukSolverLagrange};

static void widen(double *most, const dReal *x, const dReal *y, int n)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(x[k] - y[k]) <= *most)) *most = fabs(x[k] - y[k]);
}

/* of poses and velocities, of what the joints hold against each other in a step */
static double apart(const RandomWorld *x, const RandomWorld *y, double h)
{
    double most = 0;
    for (int i = 0; i < x->bodies; i++) {
        widen(&most, dBodyGetLinearVel(x->body[i]), dBodyGetLinearVel(y->body[i]), 3);
        widen(&most, dBodyGetAngularVel(x->body[i]), dBodyGetAngularVel(y->body[i]), 3);
        widen(&most, dBodyGetPosition(x->body[i]), dBodyGetPosition(y->body[i]), 3);
        widen(&most, dBodyGetQuaternion(x->body[i]), dBodyGetQuaternion(y->body[i]), 4);
    }
    return most / fmax(1, h * randomWorldPush(x));
}

typedef struct Tally {
    int worlds, pairs, aside, refused, differ;
    double worst;
} Tally;

static void compare(uint64_t seed, const RandomWorldKind *kind, double h, Tally *t)
{
    RandomWorld w[Solvers];
    ukReport r[Solvers];
    bool good[Solvers];
    for (int k = 0; k < Solvers; k++) {
        randomWorldBuild(&w[k], seed, kind);
        CHECK(ukWorldSetSolver(w[k].world, solver[k]) == 0);
        good[k] = ukWorldStep(w[k].world, h) == 1 && ukWorldGetReport(w[k].world, &r[k]) == 0 && r[k].ok;
        t->refused += !good[k];
        for (int j = 0; j < k; j++) {
            if (!good[j] || !good[k]) continue;
            const double e = apart(&w[j], &w[k], h);
            t->pairs++;
            t->worst = fmax(t->worst, e);
            CHECK(r[j].cfm_islands == r[k].cfm_islands);
            if (e <= 1e-8 || t->differ++ >= 10) continue;
            printf("seed %llu: solvers %d and %d apart by %.2g, rank %d and %d of %d\n", (unsigned long long)seed, j, k,
                   e, r[j].rank, r[k].rank, r[k].rows);
        }
    }
    t->worlds++;
    t->aside += good[0] && r[0].cfm_islands > 0;
    for (int k = 0; k < Solvers; k++) randomWorldDestroy(&w[k]);
}

static void sweep(const char *name, int worlds, uint64_t seed0, const RandomWorldKind *kind)
{
    Tally t = {0};
    for (int k = 0; k < worlds; k++)
        compare(seed0 + (uint64_t)k, kind, k % 3 == 0 ? 0.001 : k % 3 == 1 ? 0.01 : 0.05, &t);
    printf("%s: %d worlds, CFM set aside in %d, %d steps refused or not certified, %d pairs, %d differ, worst %.2g\n",
           name, t.worlds, t.aside, t.refused, t.pairs, t.differ, t.worst);
    CHECK(t.differ == 0 && t.refused == 0);
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 200;
    const int hinge_like = 1 << dJointTypeHinge | 1 << dJointTypeBall | 1 << dJointTypeUniversal;
    const RandomWorldKind any = {.types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-2},
                          closed = {.types = randomEqualityTypes, .cfm_lo = 1e-10, .cfm_hi = 1e-10, .loops = 1},
                          hinges = {.types = hinge_like, .cfm_lo = 1e-10, .cfm_hi = 1e-10, .loops = 1},
                          stops = {.types = randomEqualityTypes,
                                   .cfm_lo = 1e-10,
                                   .cfm_hi = 1e-10,
                                   .loops = 1,
                                   .stops = 1,
                                   .bounded_motors = 1},
                          bounded = {.types = randomEqualityTypes,
                                     .cfm_lo = 1e-3,
                                     .cfm_hi = 1e-1,
                                     .stops = 1,
                                     .bounded_motors = 1,
                                     .contacts = 8,
                                     .friction = 1};
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    sweep("any CFM", worlds, 11000000, &any);
    sweep("loops, default CFM", worlds, 12000000, &closed);
    sweep("loops of hinges, balls, universals", worlds, 13000000, &hinges);
    sweep("loops with stops and motors, default CFM", worlds, 15000000, &stops);
    sweep("stops, motors, contacts", worlds, 14000000, &bounded);
    dCloseODE();
    return ukTestEnd();
}

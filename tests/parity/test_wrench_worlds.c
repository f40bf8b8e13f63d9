/* SPDX-License-Identifier: BSD-3-Clause */
/* Random worlds of all joint types, with stops, motors, contacts and friction in joints, displaced and stepped under
 * every integrator (Euler with exact rows): each row of the equations between two bodies is a single wrench,
 *   sum of linear parts = 0,   sum of x_i x linear_i + angular_i = 0,
 * and so are the forces of a joint that ukJointGetForces tells, at the state that they belong to. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/base/vector.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Steps = 3 };

/* What of the forces on two bodies is left as one force and one torque about the origin, relative to their parts;
 * `least`: of these, where they are a difference of larger ones. */
static double leftover(const dBodyID body[2], const double (*f)[6], double *least)
{
    double sum[6] = {0}, size = *least, worst = 0;
    for (int k = 0; k < 2; k++) {
        const dReal *at = dBodyGetPosition(body[k]);
        const double x[3] = {at[0], at[1], at[2]};
        double moment[3];
        ukCross(x, f[k], moment);
        for (int i = 0; i < 3; i++) {
            sum[i] += f[k][i];
            sum[3 + i] += moment[i] + f[k][3 + i];
            size = fmax(size, fmax(fabs(f[k][i]), fmax(fabs(moment[i]), fabs(f[k][3 + i]))));
        }
    }
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(sum[i]));
    *least = size;
    return size > 0 ? worst / size : 0;
}

/* rows of the equations at the present state */
static int judgeRows(dWorldID world, uint64_t seed, double *worst)
{
    ukEquations e;
    int rows = 0;
    if (!CHECK(ukWorldGetEquations(world, &e) == 0)) return 0;
    for (int i = 0; i < e.m; i++) {
        dBodyID body[2];
        double f[2][6];
        int count = 0, parts = 0;
        for (int k = 0; k < e.n / 6; k++) {
            const double *part = e.A + (size_t)i * (size_t)e.n + 6 * k;
            double size = 0;
            for (int c = 0; c < 6; c++) size = fmax(size, fabs(part[c]));
            if (size == 0) continue;
            if (count < 2) {
                body[count] = e.bodies[k];
                memcpy(f[count++], part, sizeof f[0]);
            }
            parts++;
        }
        if (parts != 2) continue; /* held by the world, or by a kinematic body */
        double size = 0;
        const double off = leftover(body, (const double(*)[6])f, &size);
        *worst = fmax(*worst, off);
        if (!CHECK(off < 1e-12)) printf("seed %d, row %d: %.3g\n", (int)seed, i, off);
        rows++;
    }
    return rows;
}

/* what joints bore at the present state */
static int judgeForces(const RandomWorld *w, uint64_t seed, double *worst)
{
    int joints = 0;
    for (int k = 0; k < w->joints; k++) {
        const dJointID j = w->joint[k];
        const dBodyID body[2] = {dJointGetBody(j, 0), dJointGetBody(j, 1)};
        double ideal[2][6], nonideal[2][6];
        if (!body[0] || !body[1] || dJointGetType(j) == dJointTypePlane2D) continue;
        if (dBodyIsKinematic(body[0]) || dBodyIsKinematic(body[1])) continue;
        if (ukJointGetForces(j, ideal, nonideal) != 0) continue;
        double size = 0;
        const double off = leftover(body, (const double(*)[6])ideal, &size);
        const double of_law = leftover(body, (const double(*)[6])nonideal, &size);
        *worst = fmax(*worst, fmax(off, of_law));
        if (!CHECK(off < 1e-12 && of_law < 1e-12))
            printf("seed %d, joint %d of type %d: %.3g, %.3g\n", (int)seed, k, dJointGetType(j), off, of_law);
        joints++;
    }
    return joints;
}

static void disturb(Random *r, const RandomWorld *w, double far)
{
    for (int b = 0; b < w->bodies; b++) {
        const dReal *x = dBodyGetPosition(w->body[b]), *now = dBodyGetQuaternion(w->body[b]);
        const double q[4] = {now[0], now[1], now[2], now[3]};
        double turn[4] = {1}, turned[4];
        for (int i = 0; i < 3; i++) turn[1 + i] = randomUniform(r, -far, far);
        ukQuaternionMultiply(turn, q, turned);
        const dQuaternion next = {turned[0], turned[1], turned[2], turned[3]};
        dBodySetPosition(w->body[b], x[0] + randomUniform(r, -far, far), x[1] + randomUniform(r, -far, far),
                         x[2] + randomUniform(r, -far, far));
        dBodySetQuaternion(w->body[b], next);
    }
}

static void everyWorld(ukIntegrator integrator, const char *name, int worlds)
{
    double of_rows = 0, of_forces = 0;
    int rows = 0, joints = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)worlds; seed++) {
        const RandomWorldKind kind = {.types = randomEqualityTypes & ~(1 << dJointTypePlane2D), /* to the world */
                                      .cfm_lo = 1e-10,
                                      .cfm_hi = seed % 3 ? 1e-9 : 1e-2,
                                      .stops = seed % 2,
                                      .bounded_motors = seed % 5 == 0,
                                      .contacts = seed % 4 == 0 ? 3 : 0,
                                      .finite_mu = 1};
        RandomWorld w;
        Random r = {seed + 77};
        randomWorldBuild(&w, seed, &kind);
        ukWorldSetIntegrator(w.world, integrator);
        ukWorldSetTolerance(w.world, 1e-4, 0);
        if (integrator == ukIntegratorEuler) CHECK(ukWorldSetJointRule(w.world, ukJointRuleExact) == 0);
        if (seed % 3 == 1)
            for (int k = 0; k < w.joints; k++) ukJointSetCoulomb(w.joint[k], 0.2, 0.1);
        for (int i = 0; i < Steps; i++) {
            disturb(&r, &w, i == 0 ? 0.05 : 0.3);
            if (ukWorldEvaluate(w.world) == 0) {
                rows += judgeRows(w.world, seed, &of_rows);
                joints += judgeForces(&w, seed, &of_forces);
            }
            if (!ukWorldStep(w.world, 1e-3)) break;
        }
        randomWorldDestroy(&w);
    }
    printf("%-8s %d rows: worst %.2g; %d joints: worst %.2g\n", name, rows, of_rows, joints, of_forces);
    CHECK(rows > (integrator == ukIntegratorRattle ? 50 : 2000) && joints > 10);
}

int main(int argc, char **argv)
{
    const int worlds = argc > 1 ? atoi(argv[1]) : 150;
    dInitODE2(0);
    everyWorld(ukIntegratorEuler, "euler", worlds);
    everyWorld(ukIntegratorRK4, "rk4", worlds);
    everyWorld(ukIntegratorAdaptive, "adaptive", worlds);
    everyWorld(ukIntegratorRattle, "rattle", worlds);
    everyWorld(ukIntegratorRadau, "radau", worlds);
    dCloseODE();
    return ukTestEnd();
}

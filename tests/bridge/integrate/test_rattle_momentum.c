/* SPDX-License-Identifier: BSD-3-Clause */
/* Random worlds under RATTLE, joints of every type that acts between two bodies, starts beside the constraints
 * included: groups that are joined to nothing else keep their linear and angular momentum to rounding.
 * `test_rattle_momentum 2000` takes so many worlds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

enum { Steps = 8 };

/* No force but those of the joints; and what of a body keeps no momentum is switched off. */
static void isolate(const RandomWorld *w)
{
    dWorldSetGravity(w->world, 0, 0, 0);
    for (int i = 0; i < w->bodies; i++) {
        const dBodyID b = w->body[i];
        dBodySetForce(b, 0, 0, 0);
        dBodySetTorque(b, 0, 0, 0);
        dBodySetGyroscopicMode(b, 1);
        dBodySetLinearDamping(b, 0);
        dBodySetAngularDamping(b, 0);
        dBodySetMaxAngularSpeed(b, dInfinity);
        dBodySetFiniteRotationMode(b, 0);
    }
}

static int number(const RandomWorld *w, dBodyID b)
{
    for (int i = 0; i < w->bodies; i++)
        if (w->body[i] == b) return i;
    return -1;
}

/* group[i]: the first body of the group of body i; -1: it is joined to what does not move, or by a joint whose two
 * forces are not on one line (linear motors along fixed axes, gears). */
static void findGroups(const RandomWorld *w, int group[MaxWorldBodies])
{
    bool tied[MaxWorldBodies];
    for (int i = 0; i < w->bodies; i++) group[i] = i, tied[i] = dBodyIsKinematic(w->body[i]);
    for (int pass = 0; pass < w->bodies; pass++)
        for (int j = 0; j < w->joints; j++) {
            const dJointType type = dJointGetType(w->joint[j]);
            const int a = number(w, dJointGetBody(w->joint[j], 0)), b = number(w, dJointGetBody(w->joint[j], 1));
            const bool other = type == dJointTypePlane2D || type == dJointTypeLMotor || type == dJointTypeTransmission;
            if (type == dJointTypeNull) continue;
            if (a < 0 || b < 0 || other || tied[a] || tied[b]) {
                if (a >= 0) tied[a] = true;
                if (b >= 0) tied[b] = true;
                continue;
            }
            group[a] = group[b] = group[a] < group[b] ? group[a] : group[b];
        }
    for (int i = 0; i < w->bodies; i++)
        if (tied[i]) group[i] = -1;
}

/* P and L about the origin, and the sums of the sizes of what is added up */
typedef struct Momenta {
    double P[3], L[3], of_P, of_L;
} Momenta;

static Momenta momenta(const RandomWorld *w, const int *group, int which)
{
    Momenta sum = {0};
    for (int i = 0; i < w->bodies; i++) {
        const dReal *x = dBodyGetPosition(w->body[i]), *v = dBodyGetLinearVel(w->body[i]),
                    *s = dBodyGetAngularVel(w->body[i]);
        dMass m;
        dVector3 spin, turned = {0}, own;
        if (group[i] != which) continue;
        dBodyGetMass(w->body[i], &m);
        dBodyVectorFromWorld(w->body[i], s[0], s[1], s[2], spin);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) turned[r] += m.I[4 * r + c] * spin[c];
        dBodyVectorToWorld(w->body[i], turned[0], turned[1], turned[2], own);
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            sum.P[k] += m.mass * v[k];
            sum.L[k] += m.mass * (x[p] * v[q] - x[q] * v[p]) + own[k];
            sum.of_P += m.mass * fabs(v[k]);
            sum.of_L += m.mass * (fabs(x[p] * v[q]) + fabs(x[q] * v[p])) + fabs(own[k]);
        }
    }
    return sum;
}

static double apart3(const double x[3], const double y[3])
{
    return fmax(fabs(x[0] - y[0]), fmax(fabs(x[1] - y[1]), fabs(x[2] - y[2])));
}

/* One world; how many of its groups were measured. */
static int keeps(uint64_t seed, double h, double worst[2])
{
    const RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = 1e-12, .cfm_hi = 1e-9};
    RandomWorld w;
    int group[MaxWorldBodies], measured = 0;
    Momenta before[MaxWorldBodies];
    bool good = true;
    randomWorldBuild(&w, seed, &kind);
    isolate(&w);
    findGroups(&w, group);
    CHECK(ukWorldSetIntegrator(w.world, ukIntegratorRattle) == 0);
    for (int i = 0; i < w.bodies; i++) before[i] = momenta(&w, group, i);
    for (int k = 0; k < Steps && good; k++) {
        ukReport r;
        good = ukWorldStep(w.world, h) == 1 && ukWorldGetReport(w.world, &r) == 0 && r.discrete_islands == 0;
    }
    for (int i = 0; i < w.bodies && good; i++) {
        const Momenta now = momenta(&w, group, i);
        if (group[i] != i) continue;
        const double P = apart3(now.P, before[i].P) / fmax(now.of_P, before[i].of_P),
                     L = apart3(now.L, before[i].L) / fmax(now.of_L, before[i].of_L);
        if (!CHECK(P <= 1e-12 && L <= 1e-12)) printf("seed %d, body %d: %g, %g\n", (int)seed, i, P, L);
        worst[0] = fmax(worst[0], P);
        worst[1] = fmax(worst[1], L);
        measured++;
    }
    randomWorldDestroy(&w);
    return measured;
}

int main(int count, char **arguments)
{
    const int worlds = count > 1 ? atoi(arguments[1]) : 200;
    double worst[2] = {0};
    int measured = 0;
    dInitODE2(0);
    for (int i = 0; i < worlds; i++) measured += keeps((uint64_t)(i + 1), pow(10, -4 + 2.5 * i / worlds), worst);
    printf("%d groups of %d worlds: linear momentum to %.2g, angular to %.2g\n", measured, worlds, worst[0], worst[1]);
    CHECK(measured > worlds / 4);
    dCloseODE();
    return ukTestEnd();
}

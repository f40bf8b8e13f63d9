/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems of two bodies, with a joint or none, in which rows of a user constraint are equalities, one-sided or
 * of bounded force, beside joint laws: accelerations under every integrator against an enumeration of all active sets
 * in long double, which is independent of the solvers; a saved state continues with the same bits. Fixed seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"
#include "tests/support/solve_real.h"

enum { Bodies = 2, N = 6 * Bodies, Rows = 4, Most = 5 + Rows };

typedef long double Real;
typedef enum Kind { Equality, OneSided, Bounded, Kinds } Kind;
typedef enum At { Holds, Low, High, Ats } At;

static const double h = 0.01;

typedef struct System {
    int rows, joints; /* of the constraint; of the joint */
    dBodyID body[Bodies];
    double A[Rows * N], b[Rows], most[Rows]; /* bodies as in `body` */
    Kind kind[Rows];
} System;

static int systemRows(const ukConstraintContext *context, double *A, double *b, void *data)
{
    const System *s = data;
    memcpy(A, s->A, (size_t)(s->rows * 6 * context->count) * sizeof *A);
    memcpy(b, s->b, (size_t)s->rows * sizeof *b);
    return 0;
}

static dBodyID brick(dWorldID world, Random *r)
{
    dMass mass;
    dQuaternion q;
    const dBodyID body = dBodyCreate(world);
    for (int i = 0; i < 4; i++) q[i] = randomUniform(r, -1, 1);
    dMassSetBoxTotal(&mass, randomUniform(r, 0.5, 3), randomUniform(r, 0.5, 1), randomUniform(r, 0.5, 1), 1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1));
    dBodySetQuaternion(body, q);
    return body;
}

/* a torque of a joint's law that depends on the ideal force; C may be any force */
static void resist(const ukNonIdealContext *c, double force_and_torque[2][6], void *data)
{
    (void)data;
    for (int k = 0; k < 6; k++) {
        force_and_torque[0][k] = 0.3 * c->ideal[0][5 - k] + 0.2;
        force_and_torque[1][k] = -force_and_torque[0][k];
    }
}

static ukConstraintID draw(Random *r, dWorldID world, System *s)
{
    const int type = randomBelow(r, 3), reversed = randomBelow(r, 2);
    *s = (System){.rows = 1 + randomBelow(r, Rows), .joints = type == 0 ? 0 : type == 1 ? 3 : 5};
    for (int i = 0; i < Bodies; i++) s->body[i] = brick(world, r);
    if (type > 0) {
        const dJointID joint = type == 1 ? dJointCreateBall(world, NULL) : dJointCreateHinge(world, NULL);
        dJointAttach(joint, s->body[reversed], s->body[!reversed]);
        if (type == 2) dJointSetHingeAxis(joint, 1, 2, 3);
        if (randomBelow(r, 2)) CHECK(ukJointSetNonIdeal(joint, resist, NULL) == ukOk);
    }
    for (int i = 0; i < s->rows * N; i++) s->A[i] = randomUniform(r, -1, 1);
    const ukConstraintID c = ukConstraintCreate(world, s->rows, s->body, Bodies, systemRows, s);
    for (int i = 0; i < s->rows; i++) {
        s->b[i] = randomUniform(r, -5, 5);
        s->most[i] = exp(randomUniform(r, -3, 3));
        s->kind[i] = (Kind)randomBelow(r, Kinds);
        if (s->kind[i] == OneSided) CHECK(ukConstraintSetOneSided(c, i) == ukOk);
        if (s->kind[i] == Bounded) CHECK(ukConstraintSetBounds(c, i, -s->most[i], 0.5 * s->most[i]) == ukOk);
    }
    return c;
}

/* qdd of M qdd = M a + C + A'lambda for given states of the rows; whether it satisfies their conditions */
static bool solves(const ukEquations *e, const System *s, const At *at, Real *qdd)
{
    Real K[(N + Most) * (N + Most)] = {0}, f[N + Most] = {0}, x[N + Most], A[Rows][N];
    int held = s->joints, of[Most];
    const int turn = e->bodies[0] == s->body[0] ? 0 : 6;
    for (int i = 0; i < s->rows; i++) {
        for (int c = 0; c < N; c++) A[i][c] = s->A[i * N + (c + turn) % N];
        if (at[i] == Holds) of[held++] = i;
    }
    const int all = N + held;
    for (int i = 0; i < N; i++) {
        f[i] = e->C[i];
        for (int j = 0; j < N; j++) K[i * all + j] = e->M[i * N + j], f[i] += (Real)e->M[i * N + j] * e->a[j];
        for (int k = 0; k < s->rows; k++)
            if (at[k] != Holds && s->kind[k] == Bounded)
                f[i] += A[k][i] * (at[k] == Low ? -s->most[k] : 0.5 * s->most[k]);
        for (int j = 0; j < held; j++) {
            const Real coefficient = j < s->joints ? e->A[j * N + i] : A[of[j]][i];
            K[i * all + N + j] = -coefficient;
            K[(N + j) * all + i] = coefficient;
        }
    }
    for (int j = 0; j < held; j++) f[N + j] = j < s->joints ? e->b[j] : s->b[of[j]];
    solveLongDouble(all, K, f, x);
    for (int j = s->joints; j < held; j++) {
        const int k = of[j];
        const Real lambda = x[N + j];
        if (s->kind[k] == OneSided && lambda < 0) return false;
        if (s->kind[k] == Bounded && (lambda < -s->most[k] || lambda > 0.5 * s->most[k])) return false;
    }
    for (int k = 0; k < s->rows; k++) {
        Real w = -s->b[k];
        for (int c = 0; c < N; c++) w += A[k][c] * x[c];
        if ((at[k] == Low && w < 0) || (at[k] == High && w > 0)) return false;
    }
    memcpy(qdd, x, N * sizeof *qdd);
    return true;
}

static double worst;
static int states[Ats];

/* the accelerations of the one active set whose conditions hold, against those of the last solve */
static void compare(const ukEquations *e, const System *s, int seed)
{
    int sets = 1;
    for (int i = 0; i < s->rows; i++) sets *= Ats;
    for (int set = 0; set < sets; set++) {
        At at[Rows];
        Real qdd[N];
        bool possible = true;
        for (int i = 0, rest = set; i < s->rows; i++, rest /= Ats) {
            at[i] = (At)(rest % Ats);
            if (at[i] != Holds && s->kind[i] == Equality) possible = false;
            if (at[i] == High && s->kind[i] == OneSided) possible = false;
        }
        if (!possible || !solves(e, s, at, qdd)) continue;
        double size = 1, off = 0;
        for (int i = 0; i < N; i++) {
            size = fmax(size, fabs((double)qdd[i]));
            off = fmax(off, fabs((double)qdd[i] - e->qdd[i]));
        }
        for (int i = 0; i < s->rows; i++) states[at[i]]++;
        worst = fmax(worst, off / size);
        if (!CHECK(off <= 1e-9 * size)) printf("seed %d: off by %g\n", seed, off / size);
        return;
    }
    if (!CHECK(false)) printf("seed %d: no set of %d\n", seed, sets);
}

static void compareSystem(uint64_t seed, ukIntegrator integrator)
{
    Random r = {.state = seed * 9176 + 3};
    const dWorldID world = dWorldCreate();
    System s;
    ukEquations e;
    ukReport report;
    unsigned char hash[2][16];
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 0);
    const ukConstraintID c = draw(&r, world, &s);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukWorldSetGaussCheck(world, 1e-9, ukCheckStop) == 0);
    const int done = integrator == ukIntegratorEuler ? ukWorldStep(world, h) == 1 : ukWorldEvaluate(world) == ukOk;
    if (!CHECK(done)) printf("seed %d: %s\n", (int)seed, ukGetLastErrorMessage());
    CHECK(ukWorldGetEquations(world, &e) == ukOk && ukWorldGetReport(world, &report) == ukOk && report.ok == 1);
    compare(&e, &s, (int)seed);
    const size_t size = ukWorldSave(world, NULL, 0);
    void *const saved = malloc(size);
    CHECK(saved && ukWorldSave(world, saved, size) == size);
    for (int k = 0; k < 2; k++) {
        if (k > 0) CHECK(ukConstraintSetBounds(c, 0, -1, 1) == ukOk && ukWorldRestore(world, saved, size) == ukOk);
        for (int i = 0; i < 3; i++)
            if (!CHECK(ukWorldStep(world, h) == 1)) printf("seed %d: %s\n", (int)seed, ukGetLastErrorMessage());
        CHECK(ukWorldHash(world, hash[k]) == 0);
    }
    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
    free(saved);
    dWorldDestroy(world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    dInitODE2(0);
    for (uint64_t seed = 1; seed <= (uint64_t)ukTestRounds(400); seed++) compareSystem(seed, all[seed % 4]);
    printf("%d rows hold, %d at the lower bound or open, %d at the upper one; largest difference %.2g\n", states[Holds],
           states[Low], states[High], worst);
    CHECK(states[Holds] > 20 && states[Low] > 10 && states[High] > 5);
    dCloseODE();
    return ukTestEnd();
}

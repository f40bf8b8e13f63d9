/* SPDX-License-Identifier: BSD-3-Clause */
/* Weighted user constraints (Udwadia, Kalaba & Hee-Chang 1997 [37], [38]): 1000 random systems of contradictory rows,
 * with and without rigid joints, against the formula in long double; every integrator, both orders of attachment, saved
 * and restored states; positions in the metric of W; what is refused. Fixed seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"
#include "tests/support/solve_real.h"

enum { Most = 24 };

typedef long double Real;

typedef struct Measured {
    int rows, count;
    double A[6 * 12], b[6], W[36];
} Measured;

static int measure(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    const Measured *m = data;
    memcpy(A, m->A, (size_t)(m->rows * 6 * context->count) * sizeof *A);
    memcpy(b, m->b, (size_t)m->rows * sizeof *b);
    return 0;
}

static dBodyID brick(dWorldID world, Random *r)
{
    dMass mass;
    dMassSetBoxTotal(&mass, randomUniform(r, 0.5, 3), randomUniform(r, 0.5, 1), randomUniform(r, 0.5, 1),
                     randomUniform(r, 0.5, 1));
    const dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, randomUniform(r, -1, 1), randomUniform(r, -1, 1), randomUniform(r, -1, 1));
    return body;
}

/* W := B B' + a little, or a diagonal over four decades */
static int drawWeight(Random *r, Measured *m)
{
    const int full = randomBelow(r, 2);
    double B[36];
    memset(m->W, 0, sizeof m->W);
    for (int i = 0; i < 36; i++) B[i] = randomUniform(r, -1, 1);
    for (int i = 0; i < m->rows; i++) {
        if (!full) m->W[i] = pow(10, randomUniform(r, -2, 2));
        for (int j = 0; full && j < m->rows; j++) {
            for (int k = 0; k < m->rows; k++) m->W[i * m->rows + j] += B[i * 6 + k] * B[j * 6 + k];
            if (i == j) m->W[i * m->rows + i] += 0.1;
        }
    }
    for (int i = 0; full && i < m->rows; i++)
        for (int j = 0; j < i; j++) m->W[i * m->rows + j] = m->W[j * m->rows + i];
    return full;
}

/* Least (A_w x - r)' W (A_w x - r) over A_h x = b_h: A_w x + W^-1 s = r, A_w's + A_h'mu = 0, A_h x = b_h; then least
 * Gauss's function among those with the same A_w x and A_h x. */
static void formula(const ukEquations *e, const Measured *m, const double *W, int held, const double *Ah,
                    const double *bh, Real *qdd)
{
    const int n = e->n, rows = m->rows, all = n + rows + held;
    Real *K = calloc((size_t)(all * all), sizeof *K), *f = calloc((size_t)all, sizeof *f);
    Real *x = calloc((size_t)all, sizeof *x), Aw[6 * Most] = {0}, inverse[36], side[6];
    const int swapped = m->count < 0; /* columns in the other order */
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < n; c++) Aw[i * n + (swapped ? (c + 6) % 12 : c)] = m->A[i * n + c];
    for (int j = 0; j < rows; j++) {
        Real copy[36], unit[6] = {0}, column[6];
        for (int i = 0; i < rows * rows; i++) copy[i] = W[i];
        unit[j] = 1;
        solveLongDouble(rows, copy, unit, column);
        for (int i = 0; i < rows; i++) inverse[i * rows + j] = column[i];
    }
    for (int pass = 0; pass < 2; pass++) { /* unknowns x, multipliers of the weighted rows, of the rigid ones */
        memset(K, 0, (size_t)(all * all) * sizeof *K);
        memset(f, 0, (size_t)all * sizeof *f);
        for (int i = 0; pass && i < n; i++)
            for (int j = 0; j < n; j++) {
                K[i * all + j] = e->M[i * n + j];
                f[i] += (Real)e->M[i * n + j] * e->a[j];
            }
        for (int i = 0; i < rows; i++) {
            for (int c = 0; c < n; c++) K[(n + i) * all + c] = K[c * all + n + i] = Aw[i * n + c];
            for (int j = 0; !pass && j < rows; j++) K[(n + i) * all + n + j] = inverse[i * rows + j];
            f[n + i] = pass ? side[i] : (Real)m->b[i];
        }
        for (int i = 0; i < held; i++) {
            for (int c = 0; c < n; c++) K[(n + rows + i) * all + c] = K[c * all + n + rows + i] = Ah[i * n + c];
            f[n + rows + i] = bh[i];
        }
        solveLongDouble(all, K, f, x);
        for (int i = 0; i < rows; i++) {
            side[i] = 0;
            for (int c = 0; c < n; c++) side[i] += Aw[i * n + c] * x[c];
        }
    }
    memcpy(qdd, x, (size_t)n * sizeof *qdd);
    free(K), free(f), free(x);
}

static double worst;

static void compareFormula(uint64_t seed, ukIntegrator integrator)
{
    Random r = {.state = seed * 7919 + 3};
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 0);
    Measured m = {.rows = 2 + randomBelow(&r, 5), .count = 1 + randomBelow(&r, 2)};
    dBodyID body[2] = {brick(world, &r), NULL};
    if (m.count == 2) body[1] = brick(world, &r);
    const int joined = m.count == 2 && randomBelow(&r, 2), reversed = randomBelow(&r, 2);
    if (joined) {
        const dJointID joint = dJointCreateBall(world, NULL);
        dJointAttach(joint, body[reversed], body[!reversed]);
        dJointSetBallAnchor(joint, 0.3, 0.2, 0.1);
    }
    const int n = 6 * m.count, rank = 1 + randomBelow(&r, m.rows);
    double basis[6 * 12];
    for (int i = 0; i < 6 * 12; i++) basis[i] = randomUniform(&r, -1, 1);
    for (int i = 0; i < m.rows; i++) { /* rows of low rank: they contradict each other */
        m.b[i] = randomUniform(&r, -5, 5);
        for (int k = 0; k < rank; k++) {
            const double x = randomUniform(&r, -1, 1);
            for (int c = 0; c < n; c++) m.A[i * n + c] += x * basis[k * n + c];
        }
    }
    const ukConstraintID constraint = ukConstraintCreate(world, m.rows, body, m.count, measure, &m);
    const int full = drawWeight(&r, &m);
    CHECK(ukConstraintSetWeight(constraint, m.W, full) == ukOk);
    double W[36], size = 0, off = 0;
    CHECK(ukConstraintGetWeight(constraint, W) == 1);
    for (int i = 0; i < m.rows * m.rows; i++)
        CHECK(W[i] == (full ? m.W[i] : i % (m.rows + 1) == 0 ? m.W[i / (m.rows + 1)] : 0));
    ukWorldSetIntegrator(world, integrator);
    const int done = integrator == ukIntegratorEuler ? ukWorldStep(world, 0.01) == 1 : ukWorldEvaluate(world) == ukOk;
    if (!CHECK(done)) printf("seed %d: %s\n", (int)seed, ukGetLastErrorMessage());
    ukEquations e;
    ukReport report;
    CHECK(ukWorldGetEquations(world, &e) == ukOk && ukWorldGetReport(world, &report) == ukOk && report.ok == 1);
    if (e.bodies[0] != body[0]) m.count = -m.count; /* columns in the other order */
    int held = 0;
    double Ah[3 * 12], bh[3];
    for (int i = 0; i < e.m && joined && held < 3; i++, held++) { /* the joint's rows come first */
        memcpy(Ah + held * n, e.A + i * n, (size_t)n * sizeof *Ah);
        bh[held] = e.b[i];
    }
    Real qdd[12];
    formula(&e, &m, W, held, Ah, bh, qdd);
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs((double)qdd[i]));
        off = fmax(off, fabs((double)qdd[i] - e.qdd[i]));
    }
    worst = fmax(worst, off / size);
    if (!CHECK(off <= 1e-10 * size))
        printf("seed %d: off by %g (rows %d, rank %d, held %d)\n", (int)seed, off / size, m.rows, rank, held);
    dWorldDestroy(world);
}

/* ---- motion: two rulers measure the height of a block, and disagree ---------------------------------------------- */

typedef struct Rulers {
    double height[2];
} Rulers;

static int rulers(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[2] = A[8] = 1;
    return 0;
}

static int rulerErrors(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    const Rulers *r = data;
    for (int i = 0; i < 2; i++) {
        phi[i] = context->bodies[0].position[2] - r->height[i];
        psi[i] = context->bodies[0].velocity[2];
    }
    return 0;
}

static void rulersAgree(ukIntegrator integrator)
{
    Rulers r = {{1, 2}};
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -10);
    const dBodyID body = dBodyCreate(world);
    const ukConstraintID constraint = ukConstraintCreate(world, 2, &body, 1, rulers, &r);
    const double weight[2] = {3, 1}, full[4] = {3, 1, 1, 2};
    ukConstraintSetError(constraint, rulerErrors, &r);
    ukWorldSetIntegrator(world, integrator);
    dBodySetPosition(body, 0, 0, 1.3);
    CHECK(ukConstraintSetWeight(constraint, weight, 0) == ukOk);
    ukReport report;
    for (int i = 0; i < 300; i++) {
        CHECK(ukWorldStep(world, 0.01) == 1 && ukWorldGetReport(world, &report) == ukOk);
        CHECK_NEAR(report.velocity_error, fabs(dBodyGetLinearVel(body)[2]), 1e-9); /* A v, with a target of 0 */
    }
    CHECK_NEAR(dBodyGetPosition(body)[2], (3 * 1 + 1 * 2) / 4.0, 1e-9);
    CHECK(ukWorldGetReport(world, &report) == ukOk && report.ok == 1);
    dReal force[6];
    CHECK(ukConstraintGetForce(constraint, force) == ukOk);
    CHECK_NEAR(force[2], 10, 1e-6);

    /* saved and restored: the same bits, with the weight; another one takes effect */
    const size_t size = ukWorldSave(world, NULL, 0);
    void *saved = malloc(size);
    unsigned char hash[2][16];
    CHECK(ukWorldSave(world, saved, size) == size);
    CHECK(ukConstraintSetWeight(constraint, full, 1) == ukOk);
    for (int i = 0; i < 300; i++) CHECK(ukWorldStep(world, 0.01) == 1);
    /* (1 1) W (1 1)' z = (1 1) W (1 2)' */
    CHECK_NEAR(dBodyGetPosition(body)[2], (3 * 1 + 1 * 2 + 1 * 1 + 2 * 2) / 7.0, 1e-9);
    for (int k = 0; k < 2; k++) {
        double W[4] = {7, 7, 7, 7};
        CHECK(ukConstraintSetWeight(constraint, k == 0 ? full : NULL, 1) == ukOk);
        CHECK(ukWorldRestore(world, saved, size) == ukOk);
        CHECK(ukConstraintGetWeight(constraint, W) == 1 && W[0] == 3 && W[1] == 0 && W[3] == 1);
        for (int i = 0; i < 20; i++) CHECK(ukWorldStep(world, 0.01) == 1);
        ukWorldHash(world, hash[k]);
    }
    CHECK(memcmp(hash[0], hash[1], 16) == 0);
    free(saved);
    dWorldDestroy(world);
}

/* Two rates along z, of 2 t and 7 t m/s, which contradict each other. */
static int twoRates(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[2] = A[8] = 1;
    b[0] = 2, b[1] = 7;
    return 0;
}

static int twoRateErrors(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = phi[1] = NAN;
    psi[0] = context->bodies->velocity[2] - 2 * context->time;
    psi[1] = context->bodies->velocity[2] - 7 * context->time;
    return 0;
}

/* The body has the mean rate, by the weights 1 and 4: 6 t; in the discrete form, which has the errors of a step's
 * start, one step late. No velocity is missing. */
static void meanRate(ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const ukConstraintID c = ukConstraintCreate(world, 2, &body, 1, twoRates, NULL);
    const double weights[2] = {1, 4}, h = 0.01;
    CHECK(ukConstraintSetError(c, twoRateErrors, NULL) == ukOk && ukConstraintSetWeight(c, weights, 0) == ukOk);
    CHECK(ukWorldSetIntegrator(world, integrator) == ukOk);
    for (int i = 1; i <= 50; i++) {
        CHECK(ukWorldStep(world, h) == 1);
        CHECK_NEAR(dBodyGetLinearVel(body)[2], 6 * (i - (integrator == ukIntegratorEuler)) * h, 1e-9);
        ukReport report;
        CHECK(ukWorldGetReport(world, &report) == ukOk && report.ok == 1 && report.compromise < 1e-9);
        CHECK(report.velocity_error < 1e-9);
    }
    dWorldDestroy(world);
}

/* Two measured heights of a skate, which a third row, rigid and nonholonomic, keeps from rising at a rate. */
static int skate(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int skateErrors(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = NAN;
    psi[0] = context->bodies->velocity[2];
    return 0;
}

/* Rates that are held leave the pose free: the projection of poses takes the body to the weighted mean of the heights,
 * the projection of velocities keeps its rate zero. */
static void rateBeside(ukIntegrator integrator, bool rigid_first)
{
    Rulers r = {{1, 2}};
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const double weights[2] = {3, 1};
    ukConstraintID rigid = NULL;
    if (rigid_first) rigid = ukConstraintCreate(world, 1, &body, 1, skate, NULL);
    const ukConstraintID c = ukConstraintCreate(world, 2, &body, 1, rulers, &r);
    if (!rigid_first) rigid = ukConstraintCreate(world, 1, &body, 1, skate, NULL);
    CHECK(ukConstraintSetError(c, rulerErrors, &r) == ukOk && ukConstraintSetWeight(c, weights, 0) == ukOk);
    CHECK(ukConstraintSetError(rigid, skateErrors, NULL) == ukOk && ukWorldSetIntegrator(world, integrator) == ukOk);
    dBodySetPosition(body, 0, 0, 1.3);
    for (int i = 0; i < 3; i++)
        if (!CHECK(ukWorldStep(world, 0.01) == 1)) printf("%s\n", ukGetLastErrorMessage());
    CHECK_NEAR(dBodyGetPosition(body)[2], 1.25, 1e-9);
    CHECK_NEAR(dBodyGetLinearVel(body)[2], 0, 1e-12);
    dWorldDestroy(world);
}

static int contradictory(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[2] = A[8] = 1;
    b[1] = 5;
    return 0;
}

static void refused(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const ukConstraintID constraint = ukConstraintCreate(world, 2, &body, 1, contradictory, NULL);
    const double wrong[][4] = {{1, 2, 2, 1}, {1, 0.5, 0.4, 1}, {-1, 0, 0, 1}, {0, 0, 0, 1}, {NAN, 0, 0, 1}},
                 good[2] = {1, 4};
    double W[4] = {7, 7, 7, 7};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(ukConstraintSetWeight(constraint, wrong[i], 1) == ukErrorArgument);
    CHECK(ukConstraintGetWeight(constraint, W) == 0 && W[0] == 0 && W[3] == 0);
    CHECK(ukConstraintSetWeight(NULL, good, 0) == ukErrorHandle && ukConstraintGetWeight(NULL, W) == 0);
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
    CHECK(ukConstraintSetWeight(constraint, good, 0) == ukOk && ukWorldStep(world, 0.01) == 1);
    CHECK_NEAR(dBodyGetLinearVel(body)[2], 0.01 * 4, 1e-12);
    CHECK(ukConstraintSetWeight(constraint, wrong[0], 1) == ukErrorArgument &&
          ukConstraintGetWeight(constraint, W) == 1);
    CHECK(ukWorldSetStabilization(world, ukStabilizeSplit, 0, 0) == ukOk);
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorUnsupported);
    CHECK(strstr(ukGetLastErrorMessage(), "weight") != NULL);
    ukWorldSetStabilization(world, ukStabilizeProjection, 0, 0);
    CHECK(ukConstraintSetWeight(constraint, NULL, 0) == ukOk && ukConstraintGetWeight(constraint, NULL) == 0);
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorContradiction);
    dWorldDestroy(world);
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                               ukIntegratorRattle};
    dInitODE2(0);
    for (uint64_t seed = 1; seed <= (uint64_t)ukTestRounds(1000); seed++) compareFormula(seed, integrators[seed % 4]);
    for (int k = 0; k < 4; k++) rulersAgree(integrators[k]);
    for (int k = 0; k < 4; k++) meanRate(integrators[k]);
    for (int k = 1; k < 3; k++) rateBeside(integrators[k], true), rateBeside(integrators[k], false);
    refused();
    printf("largest difference %.2g\n", worst);
    dCloseODE();
    return ukTestEnd();
}

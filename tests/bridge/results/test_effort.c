/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss's function by joint, against its definition from the equations of the step in long double: G_ni = (Qc - C)'
 * M^-1 (Qc - C) and G_i = Qc' M^-1 Qc (Udwadia 2000 [15], [16], [18]), in random worlds with laws under every
 * integrator; and the shares of joints, contacts and user constraints add up to both. Closed forms; what a getter
 * answers without a step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"
#include "tests/support/random_world.h"

enum { Worlds = 60 };

static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                           ukIntegratorRattle};

static void addLaws(const RandomWorld *w, uint64_t seed)
{
    Random r = {.state = seed * 77 + 5};
    for (int i = 0; i < w->joints; i++) {
        if (randomBelow(&r, 2)) ukJointSetCoulomb(w->joint[i], randomUniform(&r, 0, 0.6), 0.1);
        if (randomBelow(&r, 2)) ukJointSetViscous(w->joint[i], randomUniform(&r, 0, 1));
    }
}

/* x' M^-1 y of the world's equations; M has a block of 6 per body: mass, inertia */
static long double inverseMass(const ukEquations *e, const long double *x, const long double *y)
{
    const int n = e->n;
    long double sum = 0;
    for (int k = 0; k < n; k += 6) {
        const dReal *M = e->M + k * n + k;
        long double I[9], z[3];
        for (int c = 0; c < 3; c++) sum += x[k + c] * y[k + c] / (long double)M[0];
        for (int c = 0; c < 9; c++) I[c] = (long double)M[(3 + c / 3) * n + 3 + c % 3];
        const long double det = I[0] * (I[4] * I[8] - I[5] * I[7]) - I[1] * (I[3] * I[8] - I[5] * I[6]) +
                                I[2] * (I[3] * I[7] - I[4] * I[6]);
        for (int c = 0; c < 3; c++) { /* Cramer's rule */
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            z[c] = 0;
            for (int r = 0; r < 3; r++) {
                const int s = (r + 1) % 3, t = (r + 2) % 3;
                z[c] += y[k + 3 + r] * (I[3 * s + p] * I[3 * t + q] - I[3 * s + q] * I[3 * t + p]) / det;
            }
        }
        for (int c = 0; c < 3; c++) sum += x[k + 3 + c] * z[c];
    }
    return sum;
}

static void expected(const ukEquations *e, long double *Gi, long double *Gni)
{
    long double *Qc = malloc(2 * (size_t)(e->n + 1) * sizeof *Qc), *rest = Qc + e->n;
    for (int i = 0; i < e->n; i++) {
        Qc[i] = (long double)e->Qi[i] + (long double)e->Qni[i];
        rest[i] = Qc[i] - (long double)e->C[i];
    }
    *Gi = inverseMass(e, Qc, Qc);
    *Gni = inverseMass(e, rest, rest);
    free(Qc);
}

/* sums over the world's joints, contacts and `constraint` */
static void sums(const RandomWorld *w, ukConstraintID constraint, double *Gi, double *Gni)
{
    *Gi = *Gni = 0;
    for (int i = 0; i < w->joints + w->contacts; i++) {
        dReal i_share, ni_share;
        const dJointID joint = i < w->joints ? w->joint[i] : NULL;
        if (!joint) continue;
        CHECK(ukJointGetGaussian(joint, &i_share, &ni_share) == ukOk);
        *Gi += i_share, *Gni += ni_share;
    }
    dReal i_share, ni_share;
    CHECK(ukConstraintGetGaussian(constraint, &i_share, &ni_share) == ukOk);
    *Gi += i_share, *Gni += ni_share;
}

static int level(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[2] = 1, A[8] = -1; /* two bodies rise alike */
    b[0] = 0.1 * context->count;
    return 0;
}

static int worlds_with_laws;

static void compare(uint64_t seed, ukIntegrator integrator, ukJointRule rule)
{
    const RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = 1e-16, .cfm_hi = 1e-15};
    RandomWorld w;
    randomWorldBuild(&w, seed, &kind);
    ukWorldSetIntegrator(w.world, integrator);
    ukWorldSetJointRule(w.world, rule);
    if (seed % 3) addLaws(&w, seed);
    const dBodyID two[2] = {w.body[0], w.body[1]};
    const ukConstraintID constraint = dBodyIsKinematic(two[0]) || dBodyIsKinematic(two[1])
                                          ? NULL
                                          : ukConstraintCreate(w.world, 1, two, 2, level, NULL);
    for (int step = 0; constraint && step < 3; step++) {
        ukReport report;
        ukEquations e;
        long double Gi, Gni;
        double sum_i, sum_ni, largest = 0;
        if (ukWorldStep(w.world, 0.005) != 1) break; /* some seeds have rows that contradict this constraint */
        CHECK(ukWorldGetReport(w.world, &report) == ukOk && ukWorldGetEquations(w.world, &e) == ukOk);
        expected(&e, &Gi, &Gni);
        const double size = report.gaussian + report.Gni + 1e-12;
        if (!CHECK(fabs(report.gaussian - (double)Gi) <= 1e-9 * size && fabs(report.Gni - (double)Gni) <= 1e-9 * size))
            printf("seed %d: %.17g %.17g, expected %.17Lg %.17Lg\n", (int)seed, report.gaussian, report.Gni, Gi, Gni);
        sums(&w, constraint, &sum_i, &sum_ni);
        if (!CHECK(fabs(sum_i - (double)Gi) <= 1e-7 * size && fabs(sum_ni - (double)Gni) <= 1e-7 * size))
            printf("seed %d, integrator %d: shares %.17g %.17g, expected %.17Lg %.17Lg\n", (int)seed, (int)integrator,
                   sum_i, sum_ni, Gi, Gni);
        for (int i = 0; i < e.n; i++) largest = fmax(largest, fabs(e.C[i]));
        worlds_with_laws += largest > 0;
        if (largest == 0) CHECK_NEAR(report.Gni, report.gaussian, 1e-12 * size);
    }
    randomWorldDestroy(&w);
}

/* A block that is pulled over a slider with friction: Qi = -m g in the normal direction, C = -mu m g along it. */
static void closedForm(ukIntegrator integrator, int reversed)
{
    const double m = 2, g = 10, mu = 0.3;
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    dWorldSetCFM(world, 0);
    dMass mass;
    dMassSetBoxTotal(&mass, m, 1, 1, 1);
    const dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetLinearVel(body, 1, 0, 0);
    const dJointID slider = dJointCreateSlider(world, NULL);
    dJointAttach(slider, reversed ? NULL : body, reversed ? body : NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    ukWorldSetIntegrator(world, integrator);
    ukJointSetCoulomb(slider, mu, 0);
    dReal Gi = -1, Gni = -1;
    CHECK(ukJointGetGaussian(slider, &Gi, &Gni) == ukErrorArgument && Gi == 0 && Gni == 0); /* no step yet */
    CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(ukJointGetGaussian(slider, &Gi, &Gni) == ukOk);
    CHECK_NEAR(Gni, m * g * g, 1e-9);
    CHECK_NEAR(Gi, m * g * g * (1 + mu * mu), 1e-9);
    CHECK(ukJointGetGaussian(slider, NULL, NULL) == ukOk);

    const size_t size = ukWorldSave(world, NULL, 0);
    void *saved = malloc(size);
    CHECK(size > 0 && ukWorldSave(world, saved, size) == size && ukWorldRestore(world, saved, size) == ukOk);
    CHECK(ukJointGetGaussian(slider, &Gi, &Gni) == ukErrorArgument && Gi == 0); /* as ukWorldGetEquations */
    free(saved);
    CHECK(ukWorldStep(world, 0.01) == 1 && ukJointGetGaussian(slider, &Gi, NULL) == ukOk && Gi > 0);
    const dJointID later = dJointCreateHinge(world, NULL);
    dJointAttach(later, body, NULL);
    CHECK(ukJointGetGaussian(later, &Gi, &Gni) == ukOk && Gi == 0 && Gni == 0); /* was in no step */
    dJointDestroy(slider);
    CHECK(ukJointGetGaussian(slider, &Gi, &Gni) == ukErrorHandle);
    dWorldDestroy(world);
}

/* Friction of a joint without rows, between two of four pendulums: its share is the sum of its forces times the
 * accelerations that the constraints cause, whatever friction there is in other islands. */
static void withoutRows(void)
{
    const dWorldID world = newWorld(10);
    dBodyID body[4];
    dJointID hinge[4];
    for (int k = 0; k < 4; k++) {
        body[k] = box(world, 1 + k, 0, 3 * k, -0.5 - k);
        hinge[k] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[k], body[k], NULL);
        dJointSetHingeAnchor(hinge[k], 0.2, 3 * k, 0);
        dJointSetHingeAxis(hinge[k], 0, 1, 0);
        if (k == 0 || k == 3) CHECK(ukJointSetViscous(hinge[k], 2) == 0); /* islands before and after */
    }
    const dJointID motor = dJointCreateAMotor(world, NULL);
    dJointAttach(motor, body[1], body[2]);
    dJointSetAMotorNumAxes(motor, 1);
    dJointSetAMotorAxis(motor, 0, 0, 0, 1, 0);
    dBodySetAngularVel(body[1], 0, 2, 0);
    dBodySetLinearVel(body[1], -3, 0, 0.4);
    ukReport report;
    ukEquations e;
    double forces[2][6], nonideal[2][6], sum = 0, part, law;
    CHECK(ukJointSetViscous(motor, 3) == 0 && ukWorldStep(world, 0.001) == 1);
    CHECK(ukWorldGetReport(world, &report) == 0);
    CHECK(ukJointGetForces(motor, forces, nonideal) == 0 && fabs(nonideal[0][4]) > 1);
    CHECK(ukWorldGetEquations(world, &e) == 0);
    for (int k = 0; k < 2; k++) {
        int at = 0;
        while (e.bodies[at / 6] != body[k + 1]) at += 6;
        double own = 0;
        for (int c = 0; c < 6; c++) own += nonideal[k][c] * (e.qdd[at + c] - e.a[at + c]);
        CHECK(fabs(own) > 1e-3);
        sum += own;
    }
    CHECK(ukJointGetGaussian(motor, &law, NULL) == 0);
    CHECK_NEAR(law, sum, 1e-9 * fabs(sum));
    for (int k = 0; k < 4; k++) CHECK(ukJointGetGaussian(hinge[k], &part, NULL) == 0), law += part;
    CHECK_NEAR(law, report.gaussian, 1e-9 * report.gaussian);
    dWorldDestroy(world);
}

/* What was made since the step has no share, whatever was destroyed; it may have its address. */
static void made(void)
{
    const dWorldID world = newWorld(10);
    const dBodyID body = box(world, 1, 0, 0, 0), other = box(world, 1, 2, 0, 0), two[2] = {body, other};
    for (int k = 0; k < 20; k++) {
        double Gi = -1, Gni = -1;
        dJointID joint = dJointCreateBall(world, NULL);
        dJointAttach(joint, body, NULL);
        dJointSetBallAnchor(joint, 0.3, 0, 0);
        ukConstraintID constraint = ukConstraintCreate(world, 1, two, 2, level, NULL);
        CHECK(ukWorldStep(world, 0.001) == 1);
        CHECK(ukJointGetGaussian(joint, &Gi, NULL) == 0 && Gi > 0);
        CHECK(ukConstraintGetGaussian(constraint, &Gi, NULL) == 0 && Gi != 0);
        dJointDestroy(joint);
        ukConstraintDestroy(constraint);
        joint = dJointCreateBall(world, NULL);
        constraint = ukConstraintCreate(world, 1, two, 2, level, NULL);
        CHECK(ukJointGetGaussian(joint, &Gi, &Gni) == 0 && Gi == 0 && Gni == 0);
        Gi = Gni = -1;
        CHECK(ukConstraintGetGaussian(constraint, &Gi, &Gni) == 0 && Gi == 0 && Gni == 0);
        dJointDestroy(joint);
        ukConstraintDestroy(constraint);
    }
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    withoutRows();
    made();
    for (int k = 0; k < 4; k++) {
        for (uint64_t seed = 1; seed <= Worlds; seed++) compare(seed, integrators[k], ukJointRuleODE);
        closedForm(integrators[k], 0);
        closedForm(integrators[k], 1);
    }
    for (uint64_t seed = 1; seed <= Worlds; seed++) compare(seed, ukIntegratorEuler, ukJointRuleExact);
    CHECK(worlds_with_laws > 200);
    printf("%d steps with laws\n", worlds_with_laws);
    dCloseODE();
    return ukTestEnd();
}

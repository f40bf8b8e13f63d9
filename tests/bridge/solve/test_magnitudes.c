/* SPDX-License-Identifier: BSD-3-Clause */
/* Magnitudes from one end of double to the other: a certificate is never smaller than the truth, which is recomputed in
 * long double; what overflows is refused by name; what underflows is no reason to reject. Inertias that are none. */
#include <float.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

typedef long double Wide;

static double magnitude(Random *r, double reach)
{
    return pow(10, randomUniform(r, -reach, reach));
}

static double part(Random *r)
{
    return randomUniform(r, -1, 1);
}

/* the acceleration scale of each column: all forces on the body, over its mass and inertia */
static void sizesOf(const ukEquations *e, Wide *size)
{
    for (int b = 0; b < e->n; b += 6) {
        const dReal *M = e->M + (size_t)b * (size_t)e->n + b;
        Wide force[2] = {0, 0}, now[2] = {0, 0}, most = 0, least = 1e4000L;
        for (int k = 0; k < 6; k++) {
            Wide f = fabsl((Wide)e->C[b + k]);
            for (int q = 0; q < 6; q++) f += fabsl((Wide)M[(size_t)k * (size_t)e->n + (size_t)q] * e->a[b + q]);
            for (int i = 0; i < e->m; i++)
                f += fabsl((Wide)e->A[(size_t)i * (size_t)e->n + (size_t)(b + k)] * e->lambda[i]);
            force[k / 3] += f;
            now[k / 3] += fabsl((Wide)e->qdd[b + k]);
        }
        for (size_t k = 3; k < 6; k++) {
            const Wide I = M[k * (size_t)e->n + k];
            most = I > most ? I : most, least = I < least ? I : least;
        }
        const Wide root = sqrtl((Wide)M[0]);
        const Wide whole = force[0] / root + force[1] / sqrtl(least) + now[0] * root + now[1] * sqrtl(most);
        for (int k = 0; k < 6; k++) size[b + k] = k < 3 ? whole / root : whole / sqrtl(least);
    }
}

/* largest scaled residual of the equalities */
static Wide truth(const ukEquations *e)
{
    Wide size[64], worst = 0;
    sizesOf(e, size);
    for (int i = 0; i < e->m; i++) {
        Wide off = (Wide)e->softness[i] * e->lambda[i] - e->b[i];
        Wide scale = fabsl((Wide)e->softness[i] * e->lambda[i]) + fabsl((Wide)e->b[i]);
        if (e->lo[i] > -INFINITY || e->hi[i] < INFINITY) continue;
        for (int k = 0; k < e->n; k++) {
            const Wide A = e->A[(size_t)i * (size_t)e->n + (size_t)k];
            off += A * e->qdd[k];
            scale += fabsl(A) * size[k];
        }
        scale += DBL_MIN;
        if (!(fabsl(off) / scale <= worst)) worst = fabsl(off) / scale;
    }
    return worst;
}

static dWorldID worldOf(Random *r, double reach)
{
    const dWorldID w = dWorldCreate();
    const double mass = magnitude(r, reach), length = magnitude(r, reach), force = magnitude(r, reach),
                 speed = magnitude(r, reach);
    const int bodies = 1 + randomBelow(r, 4);
    dBodyID last = NULL;
    CHECK(ukWorldSetIntegrator(w, (ukIntegrator)randomBelow(r, 4)) == 0 && ukWorldSetBudget(w, 1000) == 0);
    for (int i = 0; i < bodies; i++) {
        const dBodyID b = dBodyCreate(w);
        dMass m;
        memset(&m, 0, sizeof m);
        m.mass = mass * (1 + 0.5 * part(r));
        for (int k = 0; k < 3; k++) m.I[5 * k] = m.mass * length * length * (0.3 + 0.1 * part(r));
        const double volume = m.I[0] * m.I[5] * m.I[10];
        if (volume > 1e-290 && volume < 1e290) dBodySetMass(b, &m); /* ODE inverts it */
        dBodySetPosition(b, length * (i + 0.5), 0.1 * length * part(r), 0.1 * length * part(r));
        dBodySetLinearVel(b, speed * part(r), speed * part(r), speed * part(r));
        dBodySetAngularVel(b, speed / length * part(r), speed / length * part(r), 0);
        dBodyAddForce(b, force * part(r), force * part(r), force * part(r));
        const dJointID j = randomBelow(r, 2) ? dJointCreateBall(w, 0) : dJointCreateHinge(w, 0);
        dJointAttach(j, b, last);
        if (dJointGetType(j) == dJointTypeBall) {
            dJointSetBallAnchor(j, length * i, 0, 0);
        } else {
            dJointSetHingeAnchor(j, length * i, 0, 0);
            dJointSetHingeAxis(j, 0, 1, 0.2);
        }
        last = b;
    }
    return w;
}

static void sweep(void)
{
    static const double reach[] = {3, 10, 20, 30, 60, 150};
    int certified = 0;
    for (int k = 0; k < 6; k++)
        for (int seed = 0; seed < 60; seed++) {
            Random r = {(uint64_t)(1000 * k + seed) * 0x9E3779B97F4A7C15u + 5};
            const dWorldID w = worldOf(&r, reach[k]);
            ukReport report;
            ukEquations e;
            if (ukWorldStep(w, 0.01) == 1 && ukWorldGetReport(w, &report) == 0 && report.ok) {
                CHECK(ukWorldGetEquations(w, &e) == 0);
                /* the same residual: within rounding, and the scales' bounds of a diagonal by its largest */
                if (!CHECK(truth(&e) <= 3 * (Wide)report.feasibility + 1e-15L))
                    printf("    reach %g seed %d: %Lg, certified as %g\n", reach[k], seed, truth(&e),
                           report.feasibility);
                certified++;
            }
            dWorldDestroy(w);
        }
    CHECK(certified > 100);
}

/* A servo by velocity ends in denormal rates: its row is met to the last bit that there is (from robots controlled by
 * position; Vel = 0.9 (target - angle)/h). */
static void denormal(void)
{
    const dWorldID w = dWorldCreate();
    const dBodyID b = dBodyCreate(w);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, b, 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeParam(hinge, dParamFMax, dInfinity);
    for (int i = 0; i < 40; i++) {
        ukReport r;
        dBodySetAngularVel(b, 0, 0, 3e-300 * pow(10, -i / 2.));
        CHECK(ukWorldStep(w, 0.01) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok && r.feasibility < 1e-12);
    }
    dWorldDestroy(w);
}

static void refusedMass(const dMass *m, const char *what)
{
    for (int k = ukIntegratorEuler; k <= ukIntegratorRattle; k++) {
        const dWorldID w = dWorldCreate();
        const dBodyID b = dBodyCreate(w);
        CHECK(ukWorldSetIntegrator(w, (ukIntegrator)k) == 0);
        dBodySetMass(b, m);
        dBodySetAngularVel(b, 3, 2, 1);
        CHECK(ukWorldStep(w, 0.01) == 0 && ukGetLastError() == ukErrorMass);
        if (!CHECK(strstr(ukGetLastErrorMessage(), what) != NULL)) printf("    %s\n", ukGetLastErrorMessage());
        dWorldDestroy(w);
    }
}

static void inertias(void)
{
    dMass m;
    for (int k = 0; k < 3; k++) { /* each pair, above and below the diagonal */
        static const int above[] = {1, 2, 6}, below[] = {4, 8, 9};
        dMassSetBoxTotal(&m, 1, 1, 0.6, 0.4);
        m.I[above[k]] = 0.02;
        refusedMass(&m, "body 1: its inertia is not symmetric");
        dMassSetBoxTotal(&m, 1, 1, 0.6, 0.4);
        m.I[below[k]] = 0.02;
        refusedMass(&m, "body 1: its inertia is not symmetric");
    }
    /* rounding of a rotated inertia is no asymmetry; what is certified is symmetric */
    const dWorldID w = dWorldCreate();
    const dBodyID b = dBodyCreate(w);
    ukEquations e;
    dMassSetBoxTotal(&m, 1, 1, 0.6, 0.4);
    m.I[1] = 0.01, m.I[4] = 0.01 * (1 + 1e-12);
    dBodySetMass(b, &m);
    dBodySetAngularVel(b, 3, 2, 1);
    CHECK(ukWorldStep(w, 0.01) == 1 && ukWorldGetEquations(w, &e) == 0);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) CHECK(e.M[6 * i + k] == e.M[6 * k + i]);
    dWorldDestroy(w);
    /* small and large bodies, whose determinants neither underflow nor overflow */
    for (int k = -1; k <= 1; k += 2) {
        const double scale = pow(10, 100 * k);
        const dWorldID far = dWorldCreate();
        const dBodyID body = dBodyCreate(far);
        memset(&m, 0, sizeof m);
        m.mass = scale;
        for (int c = 0; c < 3; c++) m.I[5 * c] = scale * (1 + c);
        dBodySetMass(body, &m);
        dBodyAddTorque(body, scale, 2 * scale, 3 * scale);
        CHECK(ukWorldStep(far, 0.01) == 1);
        for (int c = 0; c < 3; c++) CHECK_NEAR(dBodyGetAngularVel(body)[c], 0.01, 1e-15);
        dWorldDestroy(far);
    }
}

/* Rows whose squares overflow: no diagnosis, which must return all the same, and no step that is marked as good. */
static void overflow(void)
{
    static const double far[] = {1e160, 1e200, 1e308};
    for (int i = 0; i < 3; i++) {
        const dWorldID w = dWorldCreate();
        dBodyID b[2];
        ukDiagnosis d;
        ukReport r;
        for (int k = 0; k < 2; k++) {
            b[k] = dBodyCreate(w);
            dBodySetPosition(b[k], k, 0, 0);
            const dJointID ball = dJointCreateBall(w, 0);
            dJointAttach(ball, b[k], k ? b[k - 1] : 0);
            dJointSetBallAnchor(ball, k ? far[i] : 0, 0, 0);
        }
        CHECK(ukWorldDiagnose(w, &d) == ukErrorNotFinite);
        CHECK(strstr(ukGetLastErrorMessage(), "joint") != NULL);
        CHECK(ukWorldStep(w, 0.01) == 0 || ukWorldGetReport(w, &r) != 0 || !r.ok);
        dWorldDestroy(w);
    }
}

int main(void)
{
    dInitODE2(0);
    sweep();
    denormal();
    inertias();
    overflow();
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ukWorldGetMobility: in random worlds the basis is orthonormal in M, satisfies A v = 0, and P = basis' basis M is the
 * projector I - A_M^+ A of libukode-formulas (2004 [17]); mechanisms whose motions are known, in words; both orders of
 * attachment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/formulas.h>
#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

/* rigid rows of the equations at the present state, M and A */
static void compareProjector(const RandomWorld *w, int *compared)
{
    ukEquations e;
    ukMobility m;
    CHECK(ukWorldEvaluate(w->world) == ukOk && ukWorldGetEquations(w->world, &e) == ukOk);
    const size_t n = (size_t)e.n;
    double *M = malloc((2 * n * n + (size_t)e.m * n + 1) * sizeof *M), *P = M + n * n, *A = P + n * n;
    size_t rows = 0;
    memcpy(M, e.M, n * n * sizeof *M);
    for (int i = 0; i < e.m; i++) /* rows whose CFM makes them springs yield */
        if (e.softness[i] < 1e-9) memcpy(A + n * rows++, e.A + n * (size_t)i, n * sizeof *A);
    ukDiagnosis rank;
    CHECK(ukWorldDiagnose(w->world, &rank) == ukOk && rank.rows == (int)rows);
    CHECK(ukWorldGetMobility(w->world, &m) == ukOk && m.n == (int)n && m.count == m.n - rank.rank);
    const size_t d = (size_t)m.count;
    for (int pass = 0; pass < 2; pass++) {
        const dReal *v = pass ? m.motion : m.basis;
        for (size_t i = 0; i < d; i++) {
            for (size_t r = 0; r < rows; r++) {
                double rate = 0, size = 0;
                for (size_t c = 0; c < n; c++)
                    rate += A[r * n + c] * v[i * n + c], size += fabs(A[r * n + c] * v[i * n + c]);
                CHECK(fabs(rate) <= 1e-9 * (1 + size));
            }
            for (size_t k = 0; k < d; k++) {
                double product = 0;
                for (size_t r = 0; r < n; r++)
                    for (size_t c = 0; c < n; c++) product += v[i * n + r] * M[r * n + c] * v[k * n + c];
                if (pass == 0 || i == k) CHECK_NEAR(product, i == k, 1e-9);
            }
            CHECK(m.words[i][0] != 0);
        }
    }
    const double zero = 0;
    const ukFormulaSystem s = {.n = (int)n, .m = (int)rows, .M = M, .A = rows ? A : &zero, .b = M, .Q = M};
    if (rows > 0) {
        double worst = 0, size = 0;
        CHECK(ukFormulaMInverse(&s, NULL, P) == 0);
        for (size_t r = 0; r < n; r++)
            for (size_t c = 0; c < n; c++) {
                double own = 0;
                for (size_t i = 0; i < d; i++)
                    for (size_t k = 0; k < n; k++) own += m.basis[i * n + r] * m.basis[i * n + k] * M[k * n + c];
                worst = fmax(worst, fabs(own - P[r * n + c]));
                size = fmax(size, fabs(P[r * n + c]));
            }
        if (!CHECK(worst <= 1e-7 * (1 + size))) printf("projector off by %g of %g\n", worst, size);
        ++*compared;
    }
    free(M);
}

static dBodyID box(dWorldID world, double x, double y, double z)
{
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 1, 0.5, 0.3);
    const dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    return body;
}

static dJointID hinge(dWorldID world, dBodyID a, dBodyID b, double x, double y, double z)
{
    const dJointID joint = dJointCreateHinge(world, NULL);
    dJointAttach(joint, a, b);
    dJointSetHingeAnchor(joint, x, y, z);
    dJointSetHingeAxis(joint, 0, 0, 1);
    return joint;
}

static void says(const ukMobility *m, int i, const char *words)
{
    if (!CHECK(i < m->count && strcmp(m->words[i], words) == 0))
        printf("'%s', expected '%s'\n", i < m->count ? m->words[i] : "(none)", words);
}

/* Two hinges: each alone, with the other at rest. */
static void doublePendulum(int reversed)
{
    const dWorldID world = dWorldCreate();
    const dBodyID a = box(world, 0.5, 0, 0), b = box(world, 1.5, 0, 0);
    hinge(world, reversed ? NULL : a, reversed ? a : NULL, 0, 0, 0);
    hinge(world, reversed ? b : a, reversed ? a : b, 1, 0, 0);
    ukMobility m;
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 2 && m.n == 12);
    says(&m, 0, "hinge 1");
    says(&m, 1, "hinge 2");
    for (int i = 0; i < 8; i++) { /* has no rows: moves nothing and is not named */
        const dJointID off = dJointCreateBall(world, NULL);
        dJointAttach(off, a, b);
        dJointDisable(off);
    }
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 2);
    says(&m, 1, "hinge 2");
    /* hinge 1 alone: both turn alike; hinge 2 alone: a rests */
    const int column = m.bodies[0] == a ? 0 : 6;
    CHECK_NEAR(m.motion[column + 5], m.motion[6 - column + 5], 1e-12);
    for (int c = 0; c < 6; c++) CHECK_NEAR(m.motion[12 + column + c], 0, 1e-12);
    dWorldDestroy(world);
}

/* Slider-crank: one motion, of all three joints that are not at a dead centre. */
static void sliderCrank(int reversed)
{
    const dWorldID world = dWorldCreate();
    const dBodyID crank = box(world, 0.5, 0.5, 0), rod = box(world, 1.5, 0.5, 0), piston = box(world, 2, 0, 0);
    ukJointSetName(hinge(world, reversed ? NULL : crank, reversed ? crank : NULL, 0, 0, 0), "shaft");
    hinge(world, reversed ? rod : crank, reversed ? crank : rod, 1, 1, 0);
    hinge(world, reversed ? piston : rod, reversed ? rod : piston, 2, 0, 0);
    const dJointID slider = dJointCreateSlider(world, NULL);
    dJointAttach(slider, reversed ? NULL : piston, reversed ? piston : NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    ukMobility m;
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 1);
    says(&m, 0, "shaft, hinge 2, hinge 3 and slider 4 together");
    dWorldDestroy(world);
}

static int geared(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[0] = 1, A[11] = -0.2; /* the rack follows the pinion */
    return 0;
}

/* A rack and a pinion by a user constraint; then a body in the air, a sleeping one, and nothing that can move. */
static void rackAndPinion(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID both[2] = {box(world, 0, 1, 0), box(world, 0, 0, 0)};
    const dJointID slider = dJointCreateSlider(world, NULL);
    dJointAttach(slider, both[0], NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    hinge(world, both[1], NULL, 0, 0, 0);
    CHECK(ukConstraintCreate(world, 1, both, 2, geared, NULL) != NULL);
    ukMobility m;
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 1 && m.n == 12);
    says(&m, 0, "slider 1 and hinge 2 together");
    const dBodyID loose = box(world, 5, 0, 0), asleep = box(world, 7, 0, 0);
    ukBodySetName(loose, "brick");
    dBodyDisable(asleep);
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 7 && m.n == 18);
    int along = 0;
    for (int i = 0; i < m.count; i++) along += strcmp(m.words[i], "brick along z") == 0;
    CHECK(along == 1);
    const dJointID fixed = dJointCreateFixed(world, NULL);
    dJointAttach(fixed, loose, NULL);
    dJointSetFixed(fixed);
    const dJointID locked = dJointCreateFixed(world, NULL);
    dJointAttach(locked, both[1], NULL);
    dJointSetFixed(locked);
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 0 && m.n == 18);
    dWorldDestroy(world);
}

/* A ball joint has three coordinates; a stop and a motor of bounded force do not count. */
static void axesOfOneJoint(void)
{
    const dWorldID world = dWorldCreate();
    const dBodyID a = box(world, 0.5, 0, 0), b = box(world, 1.5, 0, 0);
    const dJointID universal = dJointCreateUniversal(world, NULL);
    dJointAttach(universal, a, NULL);
    dJointSetUniversalAnchor(universal, 0, 0, 0);
    dJointSetUniversalAxis1(universal, 0, 1, 0);
    dJointSetUniversalAxis2(universal, 0, 0, 1);
    const dJointID joint = hinge(world, a, b, 1, 0, 0);
    dJointSetHingeParam(joint, dParamFMax, 3);
    ukMobility m;
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 3);
    says(&m, 0, "universal 1 axis 1");
    says(&m, 1, "universal 1 axis 2");
    says(&m, 2, "hinge 2");
    dJointSetHingeParam(joint, dParamFMax, dInfinity); /* holds */
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 2);
    dWorldDestroy(world);
    const dWorldID empty = dWorldCreate();
    ukWorldEnable(empty);
    CHECK(ukWorldGetMobility(empty, &m) == ukOk && m.count == 0 && m.n == 0);
    dWorldDestroy(empty);
}

/* the height of both, in columns of 6 */
static int bothLevel(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[1] = 1, A[7] = -1;
    b[0] = 0;
    return 0;
}

/* A servo removes the mobility along its own row, whichever direction its actuators act in: bodies that can move along x
 * and y keep their difference of y, with an actuator along x and y. */
static void servo(int reversed)
{
    const dWorldID world = dWorldCreate();
    const dBodyID a = box(world, 0, 0, 0), b = box(world, 3, 0, 0), two[2] = {reversed ? b : a, reversed ? a : b};
    for (int k = 0; k < 2; k++) {
        const dJointID plane = dJointCreatePlane2D(world, NULL);
        dJointAttach(plane, two[k], NULL);
    }
    ukMobility m;
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 6);
    const ukConstraintID c = ukConstraintCreate(world, 1, two, 2, bothLevel, NULL);
    const ukActuator push[] = {{.body = a, .axis = 1, .cost = 1}, {.body = a, .axis = 5, .cost = 0.01}};
    CHECK(c != NULL && ukConstraintSetActuators(c, push, 2) == ukOk);
    CHECK(ukWorldGetMobility(world, &m) == ukOk && m.count == 5);
    for (int i = 0; i < m.count; i++) CHECK_NEAR(m.basis[12 * i + 1], m.basis[12 * i + 7], 1e-12);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    servo(0);
    servo(1);
    const RandomWorldKind kind = {.types = randomEqualityTypes, .cfm_lo = 1e-16, .cfm_hi = 1e-15};
    int compared = 0;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        RandomWorld w;
        randomWorldBuild(&w, seed, &kind);
        ukWorldSetIntegrator(w.world, ukIntegratorRK4);
        if (ukWorldEvaluate(w.world) == ukOk) compareProjector(&w, &compared);
        randomWorldDestroy(&w);
    }
    CHECK(compared > 60);
    for (int reversed = 0; reversed < 2; reversed++) {
        doublePendulum(reversed);
        sliderCrank(reversed);
    }
    rackAndPinion();
    axesOfOneJoint();
    dCloseODE();
    return ukTestEnd();
}

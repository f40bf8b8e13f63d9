/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes of mechanisms with references of their own: Bricard's loop at its equilibrium against differences of its
 * acceleration at poses that are assembled; a governor, a four-bar and a slider-crank that move, and a body
 * that spins against closed forms. */
#include <math.h>
#include <string.h>
#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/modes_by_differences.h"

static const double g = 9.81;

static bool good(int status)
{
    if (status != ukOk) printf("  %s\n", ukGetLastErrorMessage());
    return CHECK(status == ukOk);
}

/* The largest errors of a reference over its largest eigenvalue: by the tangent, and by differences of motions from the
 * tangent. */
static double by_tangent, by_differences;

static void report(const char *reference)
{
    printf("%-20s %8.2g %8.2g\n", reference, by_tangent, by_differences);
    by_tangent = by_differences = 0;
}

/* `off` is the tangent's error. */
static void compareMethods(dWorldID w, double off)
{
    const ukMode *modes;
    int count;
    by_tangent = fmax(by_tangent, off);
    if (!CHECK(ukWorldModes(w, &modes, &count, NULL) == ukOk)) return;
    const double apart = modesByDifferences(w, modes, count);
    if (!CHECK(apart <= 1e-8)) printf("  by differences of motions: off by %.2g\n", apart);
    by_differences = fmax(by_differences, apart);
}

/* ---- Bricard ----------------------------------------------------------------------------------------------------- */

/* The acceleration -dV/ds along the path of one freedom, s its length in the M-norm, where the bodies at rest are
 * displaced by xi Nq and put onto the joints. */
static double accelerationAt(Scene *s, const ukLinearization *l, double xi)
{
    double square = 0, along = 0;
    ukEquations e;
    void *const kept = malloc(ukWorldSave(s->world, NULL, 0));
    const size_t size = ukWorldSave(s->world, kept, ukWorldSave(s->world, NULL, 0));
    for (int k = 0; k < l->bodies; k++) {
        const double *const N = l->Nq + 6 * k;
        const dReal *const x = dBodyGetPosition(l->body[k]);
        const double size3 = sqrt(N[3] * N[3] + N[4] * N[4] + N[5] * N[5]);
        dQuaternion turn, q;
        dBodySetPosition(l->body[k], x[0] + xi * N[0], x[1] + xi * N[1], x[2] + xi * N[2]);
        dQFromAxisAndAngle(turn, N[3], N[4], N[5], xi * size3);
        dQMultiply0(q, turn, dBodyGetQuaternion(l->body[k]));
        dBodySetQuaternion(l->body[k], q);
    }
    CHECK(ukWorldProject(s->world) == ukOk);
    CHECK(ukWorldEvaluate(s->world) == ukOk && ukWorldGetEquations(s->world, &e) == ukOk && e.n == 6 * l->bodies);
    for (int i = 0; i < e.n; i++)
        for (int j = 0; j < e.n; j++) {
            CHECK(e.bodies[j / 6] == l->body[j / 6]);
            square += e.qdd[i] * e.M[i * e.n + j] * e.qdd[j];
            along += l->Nq[i] * e.M[i * e.n + j] * e.qdd[j];
        }
    CHECK(ukWorldRestore(s->world, kept, size) == ukOk);
    free(kept);
    return copysign(sqrt(square), along);
}

static void checkBricard(void)
{
    Scene *const s = sceneBricard();
    ukEquilibrium e;
    ukLinearization l;
    const ukMode *modes;
    int count, zero;
    enum { Levels = 4 };
    double curvature[Levels];
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
    dWorldSetGravity(s->world, 0, 0, -g);
    for (int i = 0; i < 20; i++) CHECK(ukWorldStep(s->world, 0.01)); /* off the unstable pose */
    if (!good(ukWorldEquilibrium(s->world, 0, &e)) || !CHECK(e.found && e.stable && e.freedoms == 1)) return;
    if (!good(ukWorldLinearize(s->world, NULL, 0, NULL, 0, 0, &l)) || !CHECK(l.positions == 1)) return;
    double *const Nq = malloc(6 * (size_t)l.bodies * sizeof *Nq);
    dBodyID *const body = malloc((size_t)l.bodies * sizeof *body);
    memcpy(Nq, l.Nq, 6 * (size_t)l.bodies * sizeof *Nq);
    memcpy(body, l.body, (size_t)l.bodies * sizeof *body);
    l.Nq = Nq, l.body = body;
    for (int level = 0; level < Levels; level++) {
        const double x = ldexp(0.04, -level);
        curvature[level] = (accelerationAt(s, &l, -x) - accelerationAt(s, &l, x)) / (2 * x);
    }
    for (int order = 1; order < Levels; order++) /* extrapolated, to order 8 */
        for (int level = Levels - 1; level >= order; level--)
            curvature[level] += (curvature[level] - curvature[level - 1]) / (pow(4, order) - 1);
    const double square = curvature[Levels - 1];
    if (good(ukWorldModes(s->world, &modes, &count, &zero)) && CHECK(count == 1 && zero == 0)) {
        CHECK_NEAR(modes[0].frequency, sqrt(square), 1e-11 * sqrt(square));
        CHECK_NEAR(modes[0].growth, 0, 1e-9);
        compareMethods(s->world, fabs(modes[0].frequency / sqrt(square) - 1));
    }
    free(Nq);
    free(body);
    sceneDestroy(s);
}

/* ---- a governor -------------------------------------------------------------------------------------------------- */

/* Two arms on hinges at a spindle that turns, driven by a motor or freely. */
static void checkGovernor(double rate, bool driven, bool swapped)
{
    const double half = 0.5, mass = 2, axial = 0.02, across = 0.3; /* of an arm: its centre from the hinge, inertias */
    const double J = across + mass * half * half, difference = J - axial;
    const double lean = acos(mass * g * half / (rate * rate * difference));
    const dWorldID w = dWorldCreate();
    dMass m;
    ukWorldEnable(w);
    dWorldSetGravity(w, 0, 0, -g);
    const dBodyID spindle = dBodyCreate(w);
    dMassSetParameters(&m, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    dBodySetMass(spindle, &m);
    dBodySetAngularVel(spindle, 0, 0, rate);
    const dJointID bearing = dJointCreateHinge(w, 0);
    dJointAttach(bearing, swapped ? 0 : spindle, swapped ? spindle : 0);
    dJointSetHingeAnchor(bearing, 0, 0, 0);
    dJointSetHingeAxis(bearing, 0, 0, 1);
    dJointSetHingeParam(bearing, dParamFMax, driven ? dInfinity : 0);
    dJointSetHingeParam(bearing, dParamVel, swapped ? -rate : rate);
    for (int k = 0; k < 2; k++) { /* an arm along its -z, turned outwards about y */
        const double side = k == 0 ? 1 : -1;
        const dBodyID arm = dBodyCreate(w);
        dQuaternion q;
        dMassSetParameters(&m, mass, 0, 0, 0, across, across, axial, 0, 0, 0);
        dBodySetMass(arm, &m);
        dQFromAxisAndAngle(q, 0, 1, 0, -side * lean);
        dBodySetQuaternion(arm, q);
        dBodySetPosition(arm, side * half * sin(lean), 0, -half * cos(lean));
        dBodySetAngularVel(arm, 0, 0, rate);
        dBodySetLinearVel(arm, 0, rate * side * half * sin(lean), 0);
        const dJointID pivot = dJointCreateHinge(w, 0);
        dJointAttach(pivot, swapped ? spindle : arm, swapped ? arm : spindle);
        dJointSetHingeAnchor(pivot, 0, 0, 0);
        dJointSetHingeAxis(pivot, 0, 1, 0);
    }
    const ukMode *modes;
    int count, zero;
    /* both arms against each other, and together, which a free spindle's angular momentum stiffens */
    const double moment = 1 + 2 * (J * sin(lean) * sin(lean) + axial * cos(lean) * cos(lean));
    const double slope = 4 * difference * sin(lean) * cos(lean);
    const double apart = rate * rate * difference / J * sin(lean) * sin(lean);
    const double together = driven ? apart : apart + rate * rate * slope * slope / (2 * moment * J);
    if (good(ukWorldModes(w, &modes, &count, &zero)) && CHECK(count == 2 && zero == 1)) {
        CHECK_NEAR(modes[0].frequency, sqrt(apart), 1e-10 * sqrt(apart));
        CHECK_NEAR(modes[1].frequency, sqrt(together), 1e-10 * sqrt(together));
        for (int i = 0; i < 2; i++) CHECK_NEAR(modes[i].growth, 0, 1e-9);
        compareMethods(w, fmax(fabs(modes[0].frequency - sqrt(apart)), fabs(modes[1].frequency - sqrt(together))) /
                              sqrt(together));
    }
    dWorldDestroy(w);
}

/* ---- motions of one degree of freedom ---------------------------------------------------------------------------- */

/* A four-bar that swings: with the coordinate xi = sqrt(I) theta along its path xi'' = F(xi), and the eigenvalues are
 * those of dF/dxi = 3 g sin(theta) / I, at any speed. */
static void checkMovingFourBar(void)
{
    const double inertia = 2 * (0.25 + (1 + 0.05 * 0.05) / 12) + 2;
    Scene *const s = sceneFourBar();
    const ukMode *modes;
    int count, zero;
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
    for (int i = 1; i <= 40; i++) {
        CHECK(ukWorldStep(s->world, 0.01));
        if (i % 8 != 0 || !good(ukWorldModes(s->world, &modes, &count, &zero))) continue;
        const double square = 3 * g * sin(sceneFourBarAngle(s)) / inertia;
        CHECK(zero == 0 && count == (square > 0 ? 2 : 1));
        const double found = square > 0 ? modes[0].growth * modes[0].growth : -modes[0].frequency * modes[0].frequency;
        CHECK_NEAR(found, square, 1e-9 * fabs(square) + 1e-9);
        compareMethods(s->world, 0.5 * fabs(found / square - 1));
    }
    sceneDestroy(s);
}

/* A slider-crank that turns, weights across its rail: with x = int sqrt(M) d(theta) along its path x'' = -V' / sqrt(M),
 * and the eigenvalues are those of -V'' / M + V' M' / (2 M^2). */
static double crankInertia(double theta)
{
    const double r = 0.1, l = 0.3, sine = -r / l * sin(theta), cosine = sqrt(1 - sine * sine); /* of the rod */
    const double turn = -r * cos(theta) / (l * cosine);
    const double x = -r * sin(theta) - 0.5 * l * sine * turn, y = r * cos(theta) + 0.5 * l * cosine * turn;
    const double piston = -r * sin(theta) - l * sine * turn;
    const double crank = (r * r + 0.02 * 0.02) / 12 + r * r / 4, rod = (l * l + 0.02 * 0.02) / 12;
    return crank + x * x + y * y + rod * turn * turn + 2 * piston * piston;
}

static void checkMovingSliderCrank(void)
{
    Scene *const s = sceneSliderCrank();
    const ukMode *modes;
    int count, zero;
    ukWorldEnable(s->world);
    ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
    dWorldSetGravity(s->world, 0, -g, 0);
    for (int i = 1; i <= 40; i++) {
        CHECK(ukWorldStep(s->world, 0.01));
        if (i % 8 != 0 || !good(ukWorldModes(s->world, &modes, &count, &zero))) continue;
        const dReal *const R = dBodyGetRotation(s->bodies[0]);
        const double theta = atan2(R[4], R[0]), M = crankInertia(theta);
        double slope[3]; /* of M: central differences, extrapolated */
        for (int k = 0; k < 3; k++) {
            const double e = 0.02 / (1 << k);
            slope[k] = (crankInertia(theta + e) - crankInertia(theta - e)) / (2 * e);
        }
        const double coarse = (4 * slope[1] - slope[0]) / 3, fine = (4 * slope[2] - slope[1]) / 3;
        const double rise = g * 0.1,
                     square = rise * sin(theta) / M + rise * cos(theta) * (16 * fine - coarse) / 15 / (2 * M * M);
        CHECK(zero == 0 && count == (square > 0 ? 2 : 1));
        const double found = square > 0 ? modes[0].growth * modes[0].growth : -modes[0].frequency * modes[0].frequency;
        CHECK_NEAR(found, square, 1e-9 * fabs(square));
        compareMethods(s->world, 0.5 * fabs(found / square - 1));
    }
    sceneDestroy(s);
}

/* The largest difference, over |lambda|, of the eigenvalues whose square is `square`, as many as expected. The others
 * are those of a body that drifts, twice +- i n in a Jordan block, which rounding splits by its square root. */
static double spinError(const ukMode *modes, int count, double square)
{
    double off = 0;
    int matches = 0;
    for (int i = 0; i < count; i++) {
        const double real = modes[i].growth, imag = modes[i].frequency;
        if (fabs(real * real - imag * imag - square) >= 1e-9 * fabs(square) || fabs(real * imag) >= 1e-9) continue;
        matches++;
        off = fmax(off, 0.5 * hypot(real * real - imag * imag - square, 2 * real * imag) / fabs(square));
    }
    CHECK(matches == (square > 0 ? 2 : 1));
    return off;
}

/* The modes of a body that drifts, seen from coordinates that turn at the rate n: +- i n in Jordan blocks of size two,
 * which rounding e splits by sqrt(e), and another one of a tilted axis. The mean of the cluster, as the coefficients of
 * the characteristic polynomial, is moved by e alone (Golub & Van Loan, section 7.2.5). */
static void checkCluster(const ukMode *modes, int count, double n)
{
    static const double apart = 1e-5;
    double frequency = 0, growth = 0, widest = 0;
    int members = 0;
    for (int i = 0; i < count; i++) {
        const double off = hypot(modes[i].growth, modes[i].frequency - n);
        if (off > apart * n) continue;
        members++;
        frequency += modes[i].frequency - n;
        growth += modes[i].growth;
        widest = fmax(widest, off);
    }
    CHECK(members == 3);
    CHECK(fabs(frequency) < 1e-12 * n * members && fabs(growth) < 1e-12 * n * members && widest < 1e-6 * n);
}

/* A free body that spins about a principal axis (Euler): its other two rates obey I1 w1' = (I2 - I3) n w2 and so on, so
 * that lambda^2 = (I2 - I3) (I3 - I1) n^2 / (I1 I2) in the body. */
static void checkSpinning(int axis)
{
    const double I[3] = {1, 2, 3.5}, n = 4;
    const double a = I[(axis + 1) % 3], b = I[(axis + 2) % 3], c = I[axis],
                 square = (b - c) * (c - a) / (a * b) * n * n;
    const dWorldID w = dWorldCreate();
    const dBodyID body = dBodyCreate(w);
    const ukModesTask task = {.differences = true};
    dMass m;
    const ukMode *modes;
    int count;
    ukWorldEnable(w);
    dMassSetParameters(&m, 2, 0, 0, 0, I[0], I[1], I[2], 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetAngularVel(body, axis == 0 ? n : 0, axis == 1 ? n : 0, axis == 2 ? n : 0);
    if (good(ukWorldModes(w, &modes, &count, NULL))) {
        by_tangent = fmax(by_tangent, spinError(modes, count, square));
        checkCluster(modes, count, n);
    }
    if (good(ukModesFind(ukRegistryWorld(w), &task, &modes, &count, NULL, NULL)))
        by_differences = fmax(by_differences, spinError(modes, count, square));
    CHECK(by_tangent < 1e-11 && by_differences < 1e-8);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    ukLinearization l;
    Scene *const s = sceneFourBar();
    const int status = ukWorldLinearize(s->world, NULL, 0, NULL, 0, 0, &l);
    sceneDestroy(s);
    if (status == ukErrorLapack) return 77;
    checkBricard();
    report("Bricard's loop");
    for (int i = 0; i < 4; i++) checkGovernor(8, i < 2, i % 2 == 1);
    report("governor");
    checkMovingFourBar();
    report("moving four-bar");
    checkMovingSliderCrank();
    report("slider-crank");
    for (int axis = 0; axis < 3; axis++) checkSpinning(axis);
    report("spinning body");
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes of motion against closed forms: pendula, loops with redundant rows, tops, springs, followers, wheels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ukode/analysis.h>

#include "tests/check.h"
#include "tests/support/modes_by_differences.h"
#include "tests/support/rolling_disc.h"

static const double g = 9.81;
/* The largest errors of a reference over its largest eigenvalue: by the tangent, and by differences of motions from the
 * tangent. */
static double by_tangent, by_differences;

static void report(const char *reference)
{
    printf("%-20s %8.2g %8.2g\n", reference, by_tangent, by_differences);
    by_tangent = by_differences = 0;
}

/* The modes of w by differences of motions, to 1e-8 of the largest. */
static void compareMethods(dWorldID w, const ukMode *modes, int count)
{
    const double apart = modesByDifferences(w, modes, count);
    if (!CHECK(apart <= 1e-8)) printf("  by differences of motions: off by %.2g\n", apart);
    by_differences = fmax(by_differences, apart);
}

static dBodyID body(dWorldID w, double x, double y, double z, double m, double Ix, double Iy, double Iz)
{
    dBodyID b = dBodyCreate(w);
    dMass mass;
    dMassSetZero(&mass);
    dMassSetParameters(&mass, m, 0, 0, 0, Ix, Iy, Iz, 0, 0, 0);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, y, z);
    return b;
}

static dJointID hinge(dWorldID w, dBodyID a, dBodyID b, double x, double z)
{
    dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, 0, z);
    dJointSetHingeAxis(j, 0, 1, 0);
    return j;
}

static dWorldID world(void)
{
    dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    ukWorldEnable(w);
    return w;
}

/* modes of w, which are `expected`, to 1e-11 of the largest; by differences of motions to 1e-8 */
static const ukMode *modesOf(dWorldID w, int expected, int expected_zero)
{
    const ukMode *modes = NULL;
    int count = -1, zero = -1;
    unsigned char before[16], after[16];
    ukWorldHash(w, before);
    int status = ukWorldModes(w, &modes, &count, &zero);
    if (status == ukOk && count == expected && ukWorldGetBodyCount(w) <= 8) {
        compareMethods(w, modes, count);
        status = ukWorldModes(w, &modes, &count, &zero);
    }
    ukWorldHash(w, after);
    CHECK(memcmp(before, after, 16) == 0);
    if (!CHECK(status == ukOk)) printf("  %s\n", ukGetLastErrorMessage());
    CHECK(zero == expected_zero);
    if (zero != expected_zero || count != expected) {
        printf("  %d modes, %d zero\n", count, zero);
        for (int i = 0; i < count; i++) printf("  %.12g %.12g\n", modes[i].growth, modes[i].frequency);
    }
    return CHECK(count == expected) ? modes : NULL;
}

static void checkMode(const ukMode *mode, double growth, double frequency, double largest)
{
    CHECK_NEAR(mode->frequency, frequency, 1e-11 * largest);
    CHECK_NEAR(mode->growth, growth, 1e-11 * largest);
    by_tangent = fmax(by_tangent, hypot(mode->frequency - frequency, mode->growth - growth) / largest);
}

/* rods of length 1 and mass 1, hanging, both ways of attachment */
static void checkDoublePendulum(bool reverse)
{
    dWorldID w = world();
    const double I = 1.0 / 12;
    dBodyID a = body(w, 0, 0, -.5, 1, I, I, .01), b = body(w, 0, 0, -1.5, 1, I, I, .01);
    hinge(w, reverse ? 0 : a, reverse ? a : 0, 0, 0);
    hinge(w, reverse ? b : a, reverse ? a : b, 0, -1);
    const double m11 = I + .25 + 1, m12 = .5, m22 = I + .25, k1 = g * 1.5, k2 = g * .5;
    const double A = m11 * m22 - m12 * m12, B = -(m11 * k2 + m22 * k1), C = k1 * k2, D = sqrt(B * B - 4 * A * C);
    const double low = sqrt((-B - D) / (2 * A)), high = sqrt((-B + D) / (2 * A));
    const ukMode *m = modesOf(w, 2, 0);
    if (m) {
        checkMode(&m[0], 0, low, high);
        checkMode(&m[1], 0, high, high);
        CHECK(!m[0].unstable && !m[1].unstable);
        CHECK_NEAR(m[0].damping, 0, 1e-8);
        double most = 0;
        for (int i = 0; i < 12; i++) most = fmax(most, fabs(m[1].shape[i]));
        CHECK_NEAR(most, 1, 1e-12);
        for (int i = 0; i < 12; i++) CHECK_NEAR(m[1].shape_imag[i], 0, 1e-8);
        CHECK_NEAR(m[1].shape[0], 0.5 * -m[1].shape[4], 1e-9); /* the first rod turns about its hinge */
    }
    dWorldDestroy(w);
}

/* crank and rocker 1 m, coupler 2 m: 20 rows, rank 17 */
static void checkFourBar(void)
{
    dWorldID w = world();
    const double I = 1.0 / 12;
    dBodyID a = body(w, 0, 0, -.5, 1, I, I, .01), b = body(w, 1, 0, -1, 2, .01, .7, .7),
            c = body(w, 2, 0, -.5, 1, I, I, .01);
    hinge(w, a, 0, 0, 0);
    hinge(w, a, b, 0, -1);
    hinge(w, b, c, 2, -1);
    hinge(w, c, 0, 2, 0);
    const double omega = sqrt(g * (2 * .5 + 2) / (2 * (I + .25) + 2));
    const ukMode *m = modesOf(w, 1, 0);
    if (m) checkMode(m, 0, omega, omega);
    ukLinearization l;
    CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk);
    CHECK(l.rank == 17 && l.redundant == 3 && l.positions == 1 && l.velocities == 1 && l.error < 1e-8);
    dWorldDestroy(w);
}

/* a door on three hinges, inclined by alpha: 15 rows, rank 5 */
static void checkDoor(void)
{
    dWorldID w = dWorldCreate();
    const double alpha = 0.3, m = 20, width = 0.9, Iz = 2;
    ukWorldEnable(w);
    dWorldSetGravity(w, g * sin(alpha), 0, -g * cos(alpha));
    dBodyID d = body(w, width / 2, 0, 1, m, 5, 6, Iz);
    for (int i = 0; i < 3; i++) {
        dJointID j = dJointCreateHinge(w, 0);
        dJointAttach(j, d, 0);
        dJointSetHingeAnchor(j, 0, 0, 0.2 + 0.8 * i);
        dJointSetHingeAxis(j, 0, 0, 1);
    }
    const double omega = sqrt(m * g * sin(alpha) * width / 2 / (Iz + m * width * width / 4));
    const ukMode *modes = modesOf(w, 1, 0);
    if (modes) checkMode(modes, 0, omega, omega);
    dWorldDestroy(w);
}

/* a sleeping top, spin n about the vertical: with complex tilt t'' (I + m l^2) - i Iz n t' - m g l t = 0, seen from the
 * world: lambda = i Iz n / (2 J) +- sqrt(m g l / J - (Iz n / 2 J)^2) */
static void checkTop(double n)
{
    dWorldID w = world();
    const double m = 0.5, l = 0.1, I = 1e-3, Iz = 8e-4, J = I + m * l * l;
    dBodyID b = body(w, 0, 0, l, m, I, I, Iz);
    dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, b, 0);
    dJointSetBallAnchor(j, 0, 0, 0);
    dBodySetAngularVel(b, 0, 0, n);
    const double half = Iz * n / (2 * J), square = m * g * l / J - half * half;
    const ukMode *modes = modesOf(w, 2, 1); /* and the turn about its axis */
    if (modes && square > 0) {
        const double size = hypot(half, sqrt(square));
        checkMode(&modes[0], modes[0].growth > 0 ? sqrt(square) : -sqrt(square), half, size);
        CHECK_NEAR(modes[0].growth + modes[1].growth, 0, 1e-7 * size);
        CHECK(modes[0].unstable != modes[1].unstable);
    } else if (modes) {
        const double high = half + sqrt(-square);
        checkMode(&modes[0], 0, half - sqrt(-square), high);
        checkMode(&modes[1], 0, high, high);
        CHECK(!modes[0].unstable && !modes[1].unstable);
    }
    dWorldDestroy(w);
}

/* the same top hanging: lambda = i (Iz n / (2 J) +- sqrt((Iz n / 2 J)^2 + m g l / J)) */
static void checkHangingTop(double n)
{
    dWorldID w = world();
    const double m = 0.5, l = 0.1, I = 1e-3, Iz = 8e-4, J = I + m * l * l;
    dBodyID b = body(w, 0, 0, -l, m, I, I, Iz);
    dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, 0, b);
    dJointSetBallAnchor(j, 0, 0, 0);
    dBodySetAngularVel(b, 0, 0, n);
    const double half = Iz * n / (2 * J), root = sqrt(half * half + m * g * l / J), high = half + root;
    const ukMode *modes = modesOf(w, 2, 1);
    if (modes) {
        checkMode(&modes[0], 0, root - half, high);
        checkMode(&modes[1], 0, high, high);
        CHECK(!modes[0].unstable && !modes[1].unstable);
    }
    dWorldDestroy(w);
}

/* a spring-damper of a user's between two bodies along z */
typedef struct Spring {
    double k, c, length;
} Spring;

static int springForce(const ukConstraintContext *c, dReal *force, void *data)
{
    const Spring *s = data;
    const ukBodyState *a = &c->bodies[0], *b = c->count > 1 ? &c->bodies[1] : NULL;
    const double x = a->position[2] - (b ? b->position[2] : 0) - s->length;
    const double v = a->velocity[2] - (b ? b->velocity[2] : 0);
    force[2] = -s->k * x - s->c * v;
    if (b) force[8] = -force[2];
    return 0;
}

/* The shape (b, w) of a mode s of two masses under springs: (mb s^2 + c s + kb) b = (c s + kb) w, complex. */
static double shapeError(const ukMode *m, double mb, double c, double kb)
{
    const double re = m->growth, im = m->frequency;
    const double right[2] = {c * re + kb, c * im},
                 left[2] = {mb * (re * re - im * im) + right[0], 2 * mb * re * im + right[1]};
    const double b[2] = {m->shape[2], m->shape_imag[2]}, w[2] = {m->shape[8], m->shape_imag[8]};
    const double off[2] = {left[0] * b[0] - left[1] * b[1] - right[0] * w[0] + right[1] * w[1],
                           left[0] * b[1] + left[1] * b[0] - right[0] * w[1] - right[1] * w[0]};
    return hypot(off[0], off[1]) / (hypot(left[0], left[1]) * hypot(b[0], b[1]));
}

/* bounce of a quarter car's body, hop of its wheel, with damping */
static void checkQuarterCar(void)
{
    dWorldID w = world();
    const double mb = 300, mw = 40, kb = 20000, kw = 180000, c = 1500;
    dBodyID car = body(w, 0, 0, 1, mb, 50, 50, 50), wheel = body(w, 0, 0, .3, mw, 2, 2, 2);
    Spring tyre = {kw, 0, .3 + (mb + mw) * g / kw}, spring = {kb, c, .7 + mb * g / kb};
    for (int i = 0; i < 2; i++) {
        dJointID j = dJointCreateSlider(w, 0);
        dJointAttach(j, i ? wheel : car, 0);
        dJointSetSliderAxis(j, 0, 0, 1);
    }
    const dBodyID both[2] = {car, wheel};
    ukForceCreate(w, both, 2, springForce, &spring);
    ukForceCreate(w, &wheel, 1, springForce, &tyre);
    const ukMode *m = modesOf(w, 2, 0);
    for (int i = 0; m && i < 2;
         i++) { /* det [mb s^2 + c s + kb, -(c s + kb); -(c s + kb), mw s^2 + c s + kb + kw] = 0 */
        const double re = m[i].growth, im = m[i].frequency, largest = hypot(m[1].growth, m[1].frequency);
        double value[2] = {1, 0}, sum[2] = {0}, slope[2] = {0};
        const double p[5] = {kb * kw, c * kw, mb * (kb + kw) + mw * kb, c * (mb + mw), mb * mw};
        double before[2] = {0};
        for (int k = 0; k < 5; k++) {
            sum[0] += p[k] * value[0], sum[1] += p[k] * value[1];
            if (k > 0) slope[0] += k * p[k] * before[0], slope[1] += k * p[k] * before[1];
            before[0] = value[0], before[1] = value[1];
            const double x = value[0] * re - value[1] * im;
            value[1] = value[0] * im + value[1] * re;
            value[0] = x;
        }
        const double off =
            hypot(sum[0], sum[1]) / hypot(slope[0], slope[1]) / largest; /* about the distance to the root */
        CHECK_NEAR(off, 0, 1e-11);
        by_tangent = fmax(by_tangent, off);
        CHECK(m[i].damping > 0.1 && m[i].damping < 1);
        CHECK_NEAR(shapeError(&m[i], mb, c, kb), 0, 1e-8);
        CHECK(fabs(m[i].shape_imag[2]) + fabs(m[i].shape_imag[8]) > 0.01); /* not in phase */
    }
    dWorldDestroy(w);
}

/* Ziegler's column: two rods with rotational springs c, end load P that follows the second one; masses 2 m at the
 * middle hinge and m at the end; flutter beyond P l / c = 7/2 - sqrt 2 */
typedef struct Ziegler {
    double P, c;
} Ziegler;

static double tilt(const ukBodyState *s)
{
    return 2 * atan2(s->orientation[2], s->orientation[0]); /* about y */
}

static int zieglerForce(const ukConstraintContext *c, dReal *force, void *data)
{
    const Ziegler *z = data;
    const double one = tilt(&c->bodies[0]), two = tilt(&c->bodies[1]), bent = two - one;
    force[4] = -z->c * one + z->c * bent;
    force[10] = -z->c * bent;
    force[6] = -z->P * sin(two); /* at its centre of mass, which is the end */
    force[8] = -z->P * cos(two);
    return 0;
}

static void checkZiegler(double load, bool flutters)
{
    dWorldID w = dWorldCreate();
    ukWorldEnable(w);
    const double small = 1e-9;
    Ziegler z = {load, 1};
    dBodyID a = body(w, 0, 0, 1, 2, small, small, small), b = body(w, 0, 0, 2, 1, small, small, small);
    hinge(w, a, 0, 0, 0);
    hinge(w, a, b, 0, 1);
    const dBodyID both[2] = {a, b};
    ukForceCreate(w, both, 2, zieglerForce, &z);
    const ukMode *m = modesOf(w, 2, 0);
    if (m) CHECK(m[0].unstable + m[1].unstable == flutters);
    /* M = [3 + I, 1; 1, 1 + I], K = [2 - P, P - 1; -1, 1]: E s^4 + B s^2 + 1 = 0 */
    const double E = (3 + small) * (1 + small) - 1, B = 3 + small + (2 - load) * (2 + small), D = B * B - 4 * E;
    if (m && D > 0) {
        const double high = sqrt((B + sqrt(D)) / (2 * E));
        checkMode(&m[0], 0, sqrt((B - sqrt(D)) / (2 * E)), high);
        checkMode(&m[1], 0, high, high);
    } else if (m) { /* lambda^2 = (-B +- i sqrt(-D)) / (2 E) */
        const double size = sqrt(hypot(B, sqrt(-D)) / (2 * E)), angle = 0.5 * atan2(sqrt(-D), -B);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(m[i].frequency, size * sin(angle), 1e-11 * size);
            CHECK_NEAR(fabs(m[i].growth), size * cos(angle), 1e-11 * size);
            by_tangent = fmax(by_tangent, fabs(m[i].frequency / size - sin(angle)));
        }
    }
    dWorldDestroy(w);
}

static void checkDisc(double speed)
{
    dWorldID w = world();
    double R = 0.3;
    const double m = 2, I = 0.25 * m * R * R, C = 0.5 * m * R * R; /* about a diameter, the axle */
    dBodyID disc = body(w, 0, 0, R, m, I, C, I);
    rollingDisc(w, disc, &R);
    dBodySetLinearVel(disc, speed, 0, 0);
    dBodySetAngularVel(disc, 0, speed / R, 0);
    /* lean: (I + m R^2) t'' = m g R t - (C + m R^2) n s,  I s' = C n t', s: rate of yaw
       lambda^2 = (m g R - (C + m R^2) C n^2 / I) / (I + m R^2) */
    const double n = speed / R, square = (m * g * R - (C + m * R * R) * C * n * n / I) / (I + m * R * R);
    const double size = sqrt(fabs(square));
    const ukMode *modes = NULL;
    int count = 0, zero = 0;
    CHECK(ukWorldModes(w, &modes, &count, &zero) == ukOk);
    if (square < 0) {
        if (CHECK(count == 1)) checkMode(modes, 0, size, size);
    } else if (CHECK(count == 2)) {
        CHECK_NEAR(modes[0].growth + modes[1].growth, 0, 1e-11 * size);
        checkMode(&modes[0], copysign(size, modes[0].growth), 0, size);
    }
    compareMethods(w, modes, count);
    dWorldDestroy(w);
}

/* a chain of n rods: M t'' + K t = 0 of the angles; the largest eigenvalue by iteration */
static void checkChain(int n)
{
    dWorldID w = world();
    const double I = 1.0 / 12;
    dBodyID last = 0;
    for (int i = 0; i < n; i++) {
        dBodyID b = body(w, 0, 0, -.5 - i, 1, I, I, .01);
        hinge(w, b, last, 0, -i);
        last = b;
    }
    const ukMode *m = modesOf(w, n, 0);
    /* det(K - omega^2 M) = 0: M_ij = (n - max(i, j) - 1/2) off the diagonal, M_ii = n - i - 1 + 1/3, K_ii = g (n - i -
     * 1/2) */
    for (int k = 0; m && k < n; k++) {
        double *a = calloc((size_t)(n * n), sizeof *a);
        double next[2];
        for (int side = 0; side < 2; side++) { /* the determinant changes sign about each */
            const double at = m[k].frequency + (side ? 1 : -1) * 1e-12 * m[n - 1].frequency, s = at * at;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    const int far = i > j ? i : j;
                    a[i * n + j] = -s * (i == j ? n - i - 1 + 1.0 / 3 : n - far - 0.5);
                    if (i == j) a[i * n + j] += g * (n - i - 0.5);
                }
            double sign = 1;
            for (int c = 0; c < n; c++) {
                int pivot = c;
                for (int i = c + 1; i < n; i++)
                    if (fabs(a[i * n + c]) > fabs(a[pivot * n + c])) pivot = i;
                if (pivot != c) sign = -sign;
                for (int j = 0; j < n; j++) {
                    const double x = a[c * n + j];
                    a[c * n + j] = a[pivot * n + j], a[pivot * n + j] = x;
                }
                if (a[c * n + c] < 0) sign = -sign;
                for (int i = c + 1; i < n; i++) {
                    const double f = a[i * n + c] / a[c * n + c];
                    for (int j = c; j < n; j++) a[i * n + j] -= f * a[c * n + j];
                }
            }
            next[side] = sign;
        }
        CHECK(next[0] * next[1] < 0);
        free(a);
    }
    dWorldDestroy(w);
}

/* rigid motions are counted apart: a free body; a cart with viscous friction, which comes to rest anywhere */
static void checkRigid(void)
{
    dWorldID w = world();
    body(w, 0, 0, 0, 1, 1, 2, 3);
    modesOf(w, 0, 6);
    dWorldDestroy(w);

    w = world();
    dBodyID cart = body(w, 0, 0, 0, 2, 1, 1, 1);
    dJointID j = dJointCreateSlider(w, 0);
    dJointAttach(j, cart, 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    ukJointSetViscous(j, 3);
    const ukMode *m = modesOf(w, 1, 1);
    if (m) checkMode(m, -1.5, 0, 1.5);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    checkDoublePendulum(false);
    checkDoublePendulum(true);
    report("double pendulum");
    checkFourBar();
    report("four-bar at rest");
    checkDoor();
    report("door");
    checkTop(20);
    checkTop(150);
    report("sleeping top");
    checkHangingTop(30);
    checkHangingTop(300);
    report("gyroscopic pendulum");
    checkQuarterCar();
    report("quarter car");
    checkZiegler(1.5, false);
    checkZiegler(2, false);
    checkZiegler(2.2, true);
    report("Ziegler's column");
    checkDisc(0.5);
    checkDisc(2);
    report("rolling disc");
    checkChain(2);
    checkChain(8);
    report("chain of 8");
    checkChain(60); /* a large world: sparse factorizations */
    checkRigid();
    return ukTestEnd();
}

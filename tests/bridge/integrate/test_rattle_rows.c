/* SPDX-License-Identifier: BSD-3-Clause */
/* User constraints under RATTLE whose rows have no position error: accelerations alone, velocities, both beside
 * positions; several rows, several constraints, joints and laws on one body. Motions have closed forms, errors are of
 * second order, and forces are those at the end of the step. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81;

/* ---- one body, a closed form ------------------------------------------------------------------------------------- */

typedef struct Case {
    const char *name;
    int rows;
    ukConstraintFn *fn;
    ukErrorFn *error;
    double gravity, place[3], velocity[3], spin;
    void (*expected)(double t, double place[3]);
    double time;
} Case;

/* x'' = -4 x */
static int oscillates(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = 1;
    b[0] = -4 * c->bodies->position[0];
    return 0;
}
static void oscillation(double t, double place[3])
{
    place[0] = cos(2 * t);
}

/* x'' = 3 cos 3t */
static int isDriven(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = 1;
    b[0] = 3 * cos(3 * c->time);
    return 0;
}
static void drive(double t, double place[3])
{
    place[0] = 1 + (1 - cos(3 * t)) / 3;
}

/* x'' = -x' */
static int isDamped(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = 1;
    b[0] = -c->bodies->velocity[0];
    return 0;
}
static void damping(double t, double place[3])
{
    place[0] = 2 - exp(-t);
}

/* two of them, with levers: 2 x'' + y'' = -8 x + 3 cos 3t,  y'' = 3 cos 3t */
static int couples(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = 2;
    A[1] = A[6 + 1] = 1;
    b[1] = 3 * cos(3 * c->time);
    b[0] = -8 * c->bodies->position[0] + b[1];
    return 0;
}
static void couple(double t, double place[3])
{
    place[0] = cos(2 * t);
    place[1] = (1 - cos(3 * t)) / 3;
}

/* z = -0.2 by positions, x' = cos t by velocities alone */
static int isMixed(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[2] = A[6] = 1;
    b[1] = -sin(c->time);
    return 0;
}
static int misses(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[2] + 0.2;
    psi[0] = c->bodies->velocity[2];
    phi[1] = NAN;
    psi[1] = c->bodies->velocity[0] - cos(c->time);
    return 0;
}
static void mixture(double t, double place[3])
{
    place[0] = sin(t);
    place[1] = t;
    place[2] = -0.2;
}

/* |v| = 3, which is not linear in the velocity: sin of the slope is -tanh(g t/3) */
static int keepsSpeed(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    for (int k = 0; k < 3; k++) A[k] = c->bodies->velocity[k];
    b[0] = 0;
    return 0;
}
static int speedError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const dReal *v = c->bodies->velocity;
    (void)data;
    phi[0] = NAN;
    psi[0] = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 9);
    return 0;
}
static void constantSpeed(double t, double place[3])
{
    place[0] = 9 / g * atan(sinh(g * t / 3));
    place[2] = -9 / g * log(cosh(g * t / 3));
}

/* A knife edge on an incline that turns at 1.3 rad/s about y (Neimark & Fufaev 1972), as the tutorial's skate: the edge
 * blocks the body's x. */
static int skate(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const ukBodyState *s = c->bodies;
    const double w = s->orientation[0], x = s->orientation[1], y = s->orientation[2], z = s->orientation[3];
    const double e[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    (void)data;
    b[0] = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        A[i] = e[i];
        b[0] -= (s->spin[j] * e[k] - s->spin[k] * e[j]) * s->velocity[i];
    }
    return 0;
}

static void cycloid(double t, double place[3])
{
    const double k = g / (2 * 1.3 * 1.3), a = 1.3 * t;
    place[2] = -k * sin(a) * sin(a);
    place[0] = -k * (a - 0.5 * sin(2 * a));
}
static double missedBy(const Case *k, double h)
{
    const dWorldID w = newWorld(k->gravity);
    const dBodyID b = dBodyCreate(w);
    dMass m;
    double expected[3] = {k->place[0], k->place[1], k->place[2]};
    dMassSetParameters(&m, 2, 0, 0, 0, 0.1, 0.1, 0.1, 0, 0, 0);
    dBodySetMass(b, &m);
    dBodySetPosition(b, k->place[0], k->place[1], k->place[2]);
    dBodySetLinearVel(b, k->velocity[0], k->velocity[1], k->velocity[2]);
    dBodySetAngularVel(b, 0, k->spin, 0);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    const ukConstraintID c = ukConstraintCreate(w, k->rows, &b, 1, k->fn, NULL);
    CHECK(c != NULL);
    if (k->error) CHECK(ukConstraintSetError(c, k->error, NULL) == 0);
    for (int i = 0; i < (int)(k->time / h + 0.5); i++) {
        ukReport r;
        if (!CHECK(ukWorldStep(w, h) == 1)) printf("%s: %s\n", k->name, ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.discrete_islands == 0 && r.velocity_error < 1e-9);
    }
    k->expected(k->time, expected);
    const double off = apart(dBodyGetPosition(b), expected);
    dWorldDestroy(w);
    return off;
}

static void closedForms(void)
{
    static const Case cases[] = {
        {"x'' = -4 x", 1, oscillates, NULL, 0, {1}, {0}, 0, oscillation, 5},
        {"x'' = 3 cos 3t", 1, isDriven, NULL, 0, {1}, {0}, 0, drive, 5},
        {"x'' = -x'", 1, isDamped, NULL, 0, {1}, {1}, 0, damping, 5},
        {"two rows", 2, couples, NULL, 0, {1}, {0}, 0, couple, 5},
        {"position and velocity", 2, isMixed, misses, g, {0, 0, -0.2}, {1, 1, 0}, 0, mixture, 3},
        {"|v| = 3", 1, keepsSpeed, speedError, g, {0}, {3}, 0, constantSpeed, 1},
        {"|v| = 3, accelerations alone", 1, keepsSpeed, NULL, g, {0}, {3}, 0, constantSpeed, 1},
        {"skate", 1, skate, NULL, g, {0}, {0}, 1.3, cycloid, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double far = missedBy(&cases[i], 0.01), near = missedBy(&cases[i], 0.005);
        if (!CHECK(far < 2e-3 && near < 0.27 * far + 1e-12)) printf("%s: %g, %g\n", cases[i].name, far, near);
    }
}

/* ---- several bodies, joints and laws ----------------------------------------------------------------------------- */

/* x1'' - x2'' = 2, however the bodies are joined to others */
static int departs(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    (void)data;
    A[0] = 1;
    A[6] = -1;
    b[0] = 2;
    return 0;
}

/* Two bodies that push each other off: 2 kg and 3 kg move by 6/5 and -4/5 of t^2/2, and their centre stays. */
static void pushesApart(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 2, 0, 0, 0), b = ball(w, 3, 1, 0.5, 0), both[] = {a, b};
    double force[12];
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    const ukConstraintID c = ukConstraintCreate(w, 1, both, 2, departs, NULL);
    for (int i = 0; i < 100; i++) CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK_NEAR(dBodyGetPosition(a)[0], 0.6, 1e-12);
    CHECK_NEAR(dBodyGetPosition(b)[0], 1 - 0.4, 1e-12);
    CHECK(ukConstraintGetForce(c, force) == 0);
    CHECK_NEAR(force[0], 2.4, 1e-12);
    CHECK_NEAR(force[6], -2.4, 1e-12);
    dWorldDestroy(w);
}

static int rises(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    A[2] = 1;
    b[0] = *(const double *)data;
    return 0;
}

/* z'' = 1, by as many constraints as say so: half a metre in a second, and m (g + 1) in each step, the first one too */
static void rise(void)
{
    for (int count = 1; count <= 3; count++) {
        const dWorldID w = newWorld(g);
        const dBodyID b = ball(w, 2, 0, 0, 0);
        double up = 1, force[6];
        ukConstraintID c[3];
        CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
        for (int i = 0; i < count; i++) c[i] = ukConstraintCreate(w, 1, &b, 1, rises, &up);
        for (int i = 0; i < 100; i++) {
            double sum = 0;
            CHECK(ukWorldStep(w, 0.01) == 1);
            for (int k = 0; k < count; k++) sum += ukConstraintGetForce(c[k], force) == 0 ? force[2] : NAN;
            CHECK_NEAR(sum, 2 * (g + 1), 1e-11);
        }
        CHECK_NEAR(dBodyGetPosition(b)[2], 0.5, 1e-12);
        CHECK_NEAR(dBodyGetLinearVel(b)[2], 1, 1e-12);
        dWorldDestroy(w);
    }
}

/* On a rail along x with a damper of 0.7 Ns/m, x'' = -4 x by one constraint; a second body hangs by a ball joint, held
 * to x'' = -4 x and z'' = 0 by constraints of its own: what the first constraint bears is m x'' + 0.7 x' at the end of
 * every step. reverse: the rail is attached as (0, body). */
static double onARail(double h, bool reverse)
{
    const dWorldID w = newWorld(g);
    const dBodyID a = ball(w, 2, 1, 0, 0), b = ball(w, 3, 1, 0, -0.5);
    const dJointID rail = dJointCreateSlider(w, 0), joint = dJointCreateBall(w, 0);
    dJointAttach(rail, reverse ? 0 : a, reverse ? a : 0);
    dJointSetSliderAxis(rail, 1, 0, 0);
    dJointAttach(joint, a, b);
    dJointSetBallAnchor(joint, 1, 0, -0.25);
    CHECK(ukJointSetViscous(rail, 0.7) == 0 && ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    double still = 0, force[6], answer[6], most = 0;
    const ukConstraintID c = ukConstraintCreate(w, 1, &a, 1, oscillates, NULL);
    CHECK(ukConstraintCreate(w, 1, &b, 1, oscillates, NULL) && ukConstraintCreate(w, 1, &b, 1, rises, &still));
    for (int i = 0; i < (int)(1 / h + 0.5); i++) {
        ukReport r;
        if (!CHECK(ukWorldStep(w, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.position_error < 1e-12);
        CHECK(ukConstraintGetForce(c, force) == 0 && ukConstraintGetNonIdealForce(c, answer) == 0);
        const double x = dBodyGetPosition(a)[0], v = dBodyGetLinearVel(a)[0];
        CHECK_NEAR(force[0], -8 * x, 1e-9);
        CHECK_NEAR(answer[0], 0.7 * v, 1e-9);
        most = fmax(most, fabs(x - cos(2 * (i + 1) * h)));
    }
    CHECK_NEAR(dBodyGetPosition(b)[2], -0.5, 1e-12);
    dWorldDestroy(w);
    return most;
}

int main(void)
{
    dInitODE2(0);
    closedForms();
    pushesApart();
    rise();
    for (int reverse = 0; reverse < 2; reverse++) {
        const double far = onARail(0.01, reverse), near = onARail(0.005, reverse);
        CHECK(far < 1e-3 && near < 0.27 * far);
    }
    dCloseODE();
    return ukTestEnd();
}

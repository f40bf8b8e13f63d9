/* SPDX-License-Identifier: BSD-3-Clause */
/* User constraints and forces in real worlds: handles, islands, sleep, kinematic bodies, life and death, ODE's joints
 * beside them, both integrators, and what a function may do wrong. */
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81;

/* |x_0 - x_1| = *data for two bodies, |x_0| = *data for one */
static void between(const struct ukConstraintContext *c, double d[3], double v[3])
{
    for (int i = 0; i < 3; i++) {
        d[i] = c->bodies[0].position[i] - (c->count > 1 ? c->bodies[1].position[i] : 0);
        v[i] = c->bodies[0].velocity[i] - (c->count > 1 ? c->bodies[1].velocity[i] : 0);
    }
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static int rod(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    double d[3], v[3];
    const double l = *(const double *)data;
    between(c, d, v);
    for (int i = 0; i < 3; i++) {
        A[i] = d[i] / l;
        if (c->count > 1) A[6 + i] = -d[i] / l;
    }
    *b = -dot(v, v) / l;
    return 0;
}

static int rodError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    double d[3], v[3];
    const double l = *(const double *)data;
    between(c, d, v);
    *phi = (dot(d, d) / l - l) / 2;
    *psi = dot(d, v) / l;
    return 0;
}

static double length = 1;

static ukConstraintID addRod(dWorldID w, dBodyID a, dBodyID b)
{
    const dBodyID bodies[2] = {a, b};
    const ukConstraintID c = ukConstraintCreate(w, 1, bodies, b ? 2 : 1, rod, &length);
    CHECK(c != NULL);
    CHECK(ukConstraintSetError(c, rodError, &length) == 0);
    return c;
}

static int nothing(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)c, (void)force, (void)data;
    return 0;
}

static void handles(void)
{
    const dWorldID w = newWorld(g), other = newWorld(g);
    const dBodyID a = ball(w, 1, 1, 0, 0), far = ball(other, 1, 0, 0, 0);
    const dBodyID twice[2] = {a, a}, mixed[2] = {a, far}, null[1] = {0};
    double force[6];
    CHECK(!ukConstraintCreate(0, 1, &a, 1, rod, &length) && ukGetLastError() == ukErrorHandle);
    CHECK(!ukConstraintCreate(w, 0, &a, 1, rod, &length) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukConstraintCreate(w, 1 << 30, &a, 1, rod, &length) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukConstraintCreate(w, 1, &a, 0, rod, &length) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukConstraintCreate(w, 1, NULL, 1, rod, &length) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukConstraintCreate(w, 1, &a, 1, NULL, &length) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukConstraintCreate(w, 1, twice, 2, rod, &length) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukConstraintCreate(w, 1, mixed, 2, rod, &length) && ukGetLastError() == ukErrorHandle);
    CHECK(!ukConstraintCreate(w, 1, null, 1, rod, &length) && ukGetLastError() == ukErrorHandle);
    CHECK(!ukForceCreate(w, &a, 1, NULL, NULL) && ukGetLastError() == ukErrorArgument);

    const ukConstraintID c = addRod(w, a, 0);
    CHECK(ukConstraintGetForce(c, NULL) == ukErrorArgument);
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK(ukConstraintGetForce(c, force) == 0);
    ukConstraintDestroy(c);
    CHECK(ukConstraintGetForce(c, force) == ukErrorHandle);
    CHECK(ukConstraintSetError(c, NULL, NULL) == ukErrorHandle);
    CHECK(ukConstraintGetForce(NULL, force) == ukErrorHandle);
    ukConstraintDestroy(c);
    ukConstraintDestroy(NULL);
    ukForceDestroy(NULL);

    /* nor does a handle ever name what was made later, or is of the other kind */
    const ukForceID push = ukForceCreate(w, &a, 1, nothing, NULL);
    for (int i = 0; i < 20; i++) {
        const ukConstraintID next = addRod(w, a, 0);
        CHECK(next != c && ukConstraintGetForce(c, force) == ukErrorHandle && ukConstraintGetForce(next, force) == 0);
        ukConstraintDestroy(next);
    }
    CHECK(ukConstraintGetForce((ukConstraintID)(void *)push, force) == ukErrorHandle);
    ukForceDestroy(push);

    /* a body's death makes it inactive; the world steps on without it */
    const dBodyID b = ball(w, 1, 2, 0, 0);
    const ukConstraintID pair = addRod(w, a, b);
    CHECK(ukWorldStep(w, 0.01) == 1);
    dBodyDestroy(b);
    CHECK(ukConstraintGetForce(pair, force) == ukErrorHandle);
    const double v = dBodyGetLinearVel(a)[2];
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK_NEAR(dBodyGetLinearVel(a)[2], v - 0.01 * g, 1e-14);
    ukConstraintDestroy(pair);

    /* it dies with its world */
    const ukConstraintID last = addRod(w, a, 0);
    dWorldDestroy(w);
    CHECK(ukConstraintGetForce(last, force) == ukErrorHandle);
    dWorldDestroy(other);
}

/* an ODE ball joint and a rod of one body and of the other: a double pendulum, whose energy and lengths hold */
static void mixedWithJoints(void)
{
    double off[2];
    for (int k = 0; k < 2; k++) {
        const dWorldID w = newWorld(g);
        const double h = k == 0 ? 0.01 : 0.005;
        const dBodyID a = ball(w, 1, 1, 0, 0), b = ball(w, 2, 2, 0, 0);
        const dJointID joint = dJointCreateBall(w, 0);
        dJointFeedback feedback;
        dJointSetFeedback(joint, &feedback);
        dJointAttach(joint, a, 0);
        dJointSetBallAnchor(joint, 0, 0, 0);
        const ukConstraintID c = addRod(w, b, a);
        rk4(w);
        ukReport r;
        double gap = 0, force[12];
        off[k] = 0;
        for (int i = 0; i < (int)(1 / h + 0.5); i++) {
            if (!CHECK(ukWorldStep(w, h) == 1)) break;
            CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.rows == 4 && r.joints == 2 && r.discrete_islands == 0);
            gap = fmax(gap, r.position_error);
            off[k] = fmax(off[k], fabs(r.kinetic_energy + r.potential_energy));
        }
        CHECK(gap < 1e-12);
        CHECK(ukConstraintGetForce(c, force) == 0);
        for (int i = 0; i < 3; i++) CHECK_NEAR(force[i], -force[6 + i], 1e-12);
        for (int i = 3; i < 6; i++) CHECK(force[i] == 0 && force[6 + i] == 0);
        dWorldDestroy(w);
    }
    printf("double pendulum, joint and rod, RK4: energy off by %.2e J (h 0.01), %.2e J (h 0.005)\n", off[0], off[1]);
    CHECK(off[0] < 2e-4 && off[0] / off[1] > 10);
}

/* at rest at the lowest point the force is the weight; Euler corrects an error by ERP, as with ODE's joints */
static void controlForce(void)
{
    for (int k = 0; k < 2; k++) {
        const dWorldID w = newWorld(g);
        const ukConstraintID c = addRod(w, ball(w, 2, 0, 0, -1), 0);
        double force[6];
        ukEquations e;
        if (k) rk4(w);
        CHECK(ukWorldStep(w, 0.01) == 1);
        CHECK(ukConstraintGetForce(c, force) == 0);
        CHECK_NEAR(force[2], 2 * g, 1e-12);
        CHECK(ukWorldGetEquations(w, &e) == 0 && e.n == 6 && e.m == 1);
        CHECK_NEAR_ALL(e.Qi, force, 6, 1e-12);
        dWorldDestroy(w);
    }
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 1, 0, 0, -1.001);
    addRod(w, a, 0);
    dWorldSetERP(w, 0.3);
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK_NEAR(dBodyGetPosition(a)[2], -1.001 + 0.3 * 0.001, 1e-6);
    dWorldDestroy(w);
}

static void islandsAndSleep(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID a = ball(w, 1, 0, 0, 0), b = ball(w, 1, 1, 0, 0), c = ball(w, 1, 5, 0, 0);
    ukReport r;
    dBodyDisable(b);
    dBodyDisable(c);
    const ukConstraintID rod_ab = addRod(w, a, b);
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK(dBodyIsEnabled(b) && !dBodyIsEnabled(c));
    CHECK(ukWorldGetReport(w, &r) == 0 && r.bodies == 2);
    CHECK_NEAR(dBodyGetLinearVel(b)[2], -0.01 * g, 1e-14);
    ukConstraintDestroy(rod_ab);
    /* a failing step puts those to sleep again that it woke */
    length = NAN;
    dBodyDisable(b);
    addRod(w, a, b);
    const double z = dBodyGetPosition(a)[2];
    CHECK(ukWorldStep(w, 0.01) == 0);
    CHECK(!dBodyIsEnabled(b) && dBodyGetPosition(a)[2] == z);
    length = 1;
    dWorldDestroy(w);
}

/* A kinematic body moves as it moves, the other follows; its columns are ignored. */
static void kinematic(void)
{
    for (int k = 0; k < 2; k++) {
        const dWorldID w = newWorld(0);
        const dBodyID cart = ball(w, 1, 0, 0, 0), a = ball(w, 1, 0, 0, -1);
        dBodySetKinematic(cart);
        dBodySetLinearVel(cart, 0.5, 0, 0);
        addRod(w, a, cart);
        if (k) rk4(w);
        for (int i = 0; i < 200; i++) CHECK(ukWorldStep(w, 0.01) == 1);
        const dReal *x = dBodyGetPosition(cart), *y = dBodyGetPosition(a);
        CHECK_NEAR(x[0], 1, 1e-12);
        const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
        CHECK_NEAR(sqrt(dot(d, d)), 1, k ? 1e-12 : 1e-4);
        /* in the cart's frame the pendulum turns at the constant rate of its start: 0.5 rad/s */
        if (k) CHECK_NEAR(atan2(d[0], -d[2]), -1, 1e-9);
        dWorldDestroy(w);
    }
}

static int spring(const struct ukConstraintContext *c, dReal *force, void *data)
{
    int *calls = data;
    ++*calls;
    force[0] = -100 * c->bodies[0].position[0];
    return 0;
}

/* x'' = -100 x: a force evaluated at every stage keeps RK4's order; frozen over the step, the amplitude grows at the
 * rate h w^2 / 4 */
static void springs(void)
{
    const double h = 0.01, end = 5, omega = 10;
    double amplitude[2];
    int calls = 0;
    for (int frozen = 0; frozen < 2; frozen++) {
        const dWorldID w = newWorld(0);
        const dBodyID a = ball(w, 1, 1, 0, 0);
        rk4(w);
        if (!frozen) CHECK(ukForceCreate(w, &a, 1, spring, &calls) != NULL);
        for (int i = 0; i < (int)(end / h + 0.5); i++) {
            if (frozen) dBodyAddForce(a, -100 * dBodyGetPosition(a)[0], 0, 0);
            CHECK(ukWorldStep(w, h) == 1);
        }
        const double x = dBodyGetPosition(a)[0], v = dBodyGetLinearVel(a)[0] / omega;
        amplitude[frozen] = sqrt(x * x + v * v);
        if (!frozen) CHECK_NEAR(x, cos(omega * end), 1e-4);
        dWorldDestroy(w);
    }
    printf("spring, 5 s, h 0.01, w 10: amplitude %.9f, with the force frozen over a step %.4f\n", amplitude[0],
           amplitude[1]);
    CHECK_NEAR(amplitude[0], 1, 1e-4);
    CHECK_NEAR(log(amplitude[1]) / end, h * omega * omega / 4, 0.01 * h * omega * omega / 4);
    CHECK(calls >= 4 * 500);
}

/* a force between an awake and a sleeping body does not wake it, and sees it where it is */
static int pull(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    CHECK_NEAR(c->bodies[1].mass, 3, 1e-15);
    for (int i = 0; i < 3; i++) force[i] = c->bodies[1].position[i] - c->bodies[0].position[i];
    for (int i = 0; i < 3; i++) force[6 + i] = -force[i];
    return 0;
}

static void forceOnSleeping(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID pair[2] = {ball(w, 1, 0, 0, 0), ball(w, 3, 1, 0, 0)};
    dBodyDisable(pair[1]);
    const ukForceID f = ukForceCreate(w, pair, 2, pull, NULL);
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK(!dBodyIsEnabled(pair[1]) && dBodyGetPosition(pair[1])[0] == 1);
    CHECK_NEAR(dBodyGetLinearVel(pair[0])[0], 0.01, 1e-15);
    dBodyEnable(pair[1]);
    CHECK(ukWorldStep(w, 0.01) == 1);
    CHECK(dBodyGetLinearVel(pair[1])[0] < 0);
    ukForceDestroy(f);
    dWorldDestroy(w);
}

static int watch(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)force;
    *(double *)data = c->bodies[1].position[0];
    return 0;
}

/* what its function sees of a body that sleeps until a later island wakes it is what ODE holds of it */
static void forceOnWoken(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID c = ball(w, 1, 6, 0, 0), b = ball(w, 1, 5, 0, 0), a = ball(w, 1, 0, 0, 0), watched[2] = {a, b};
    double seen = 0;
    dJointAttach(dJointCreateBall(w, 0), c, b);
    CHECK(ukForceCreate(w, watched, 2, watch, &seen) != NULL);
    CHECK(ukWorldStep(w, 0.01) == 1);
    for (int i = 0; i < 3; i++) {
        dBodyDisable(b);
        dBodySetPosition(b, 5 + i, 0, 0);
        dBodySetPosition(c, 6 + i, 0, 0);
        CHECK(ukWorldStep(w, 0.01) == 1);
        CHECK(dBodyIsEnabled(b) && seen == 5 + i);
    }
    dWorldDestroy(w);
}

/* many bodies and rows in one block: the sum of all velocities stands still, one row a pair keeps x apart */
enum { Many = 40 };
static int flock(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    (void)b;
    for (int k = 0; k + 1 < c->count; k++) {
        A[k * 6 * c->count + 6 * k] = 1;
        A[k * 6 * c->count + 6 * (k + 1)] = -1;
    }
    for (int k = 0; k < c->count; k++) A[(c->count - 1) * 6 * c->count + 6 * k + 2] = 1;
    return 0;
}

static void wide(void)
{
    const dWorldID w = newWorld(g);
    dBodyID body[Many];
    for (int i = 0; i < Many; i++) body[i] = ball(w, 1, i, 0, 0);
    CHECK(ukConstraintCreate(w, Many, body, Many, flock, NULL) != NULL);
    dBodyAddForce(body[0], Many, 0, 0);
    CHECK(ukWorldStep(w, 0.01) == 1);
    for (int i = 0; i < Many; i++) {
        CHECK_NEAR(dBodyGetLinearVel(body[i])[0], 0.01, 1e-13);
        CHECK_NEAR(dBodyGetLinearVel(body[i])[2], 0, 1e-13);
    }
    dWorldDestroy(w);
}

/* ---- what a function may do wrong -------------------------------------------------------------------------------- */

typedef enum Wrong {
    ReturnsError,
    WritesNaN,
    WritesInfinity,
    WritesBeyondA,
    WritesBeyondB,
    WritesManyRows,
    FreesItself,
    FreesBody,
    FreesWorld,
    FreesForeignBody,
    StepsWorld,
    Wrongs
} Wrong;

typedef struct Misuse {
    Wrong wrong;
    int good; /* calls that are answered well */
    dWorldID world;
    dBodyID body, foreign;
    ukConstraintID constraint;
    ukForceID force;
} Misuse;

static void doWrong(Misuse *m, dReal *first, size_t count)
{
    switch (m->wrong) {
    case WritesNaN: first[0] = NAN; break;
    case WritesInfinity: first[0] = INFINITY; break;
    case WritesBeyondA: first[count] = 1; break;
    case WritesManyRows:
        for (size_t i = 0; i < 6 * count; i++) first[i] = 1;
        break;
    case FreesItself:
        if (m->constraint) ukConstraintDestroy(m->constraint);
        if (m->force) ukForceDestroy(m->force);
        first[1] = 1; /* still its own for the call */
        break;
    case FreesBody: dBodyDestroy(m->body); break;
    case FreesWorld: dWorldDestroy(m->world); break;
    case FreesForeignBody: dBodyDestroy(m->foreign); break;
    case StepsWorld:
        CHECK(ukWorldStep(m->world, 0.01) == 0 && ukGetLastError() == ukErrorChanged);
        CHECK(ukWorldProject(m->world) == ukErrorChanged);
        break;
    default: break;
    }
}

static int wrongRow(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    Misuse *m = data;
    CHECK(c->count == 1);
    A[2] = 1;
    if (m->good-- > 0) return 0;
    if (m->wrong == WritesBeyondB)
        b[1] = 1;
    else
        doWrong(m, A, 6);
    return m->wrong == ReturnsError;
}

static int wrongForce(const struct ukConstraintContext *c, dReal *force, void *data)
{
    Misuse *m = data;
    CHECK(c->count == 1);
    if (m->good-- > 0) return 0;
    doWrong(m, force, 6);
    return m->wrong == ReturnsError ? -7 : 0;
}

static void misuse(Wrong wrong, bool force, bool continuous)
{
    /* RK4: the third stage, when the state lies between */
    Misuse m = {.wrong = wrong, .good = continuous ? 3 : 0, .world = newWorld(g)};
    const bool frees = wrong >= FreesItself && wrong <= FreesForeignBody;
    m.body = ball(m.world, 1, 0, 0, 0);
    m.foreign = ball(m.world, 1, 3, 0, 0);
    const dBodyID witness = ball(m.world, 1, 1, 0, 0);
    dBodySetLinearVel(witness, 1, 2, 3);
    dBodyAddForce(witness, 1, 1, 1);
    if (continuous) rk4(m.world);
    if (force)
        m.force = ukForceCreate(m.world, &m.body, 1, wrongForce, &m);
    else
        m.constraint = ukConstraintCreate(m.world, 1, &m.body, 1, wrongRow, &m);
    const int done = ukWorldStep(m.world, 0.01);
    if (wrong == StepsWorld || (force && wrong == WritesBeyondB)) {
        CHECK(done == 1);
        dWorldDestroy(m.world);
        return;
    }
    if (!CHECK(done == 0)) printf("misuse %d went through\n", wrong);
    CHECK(ukGetLastError() == (frees ? ukErrorChanged : ukErrorCallback));
    CHECK(strstr(ukGetLastErrorMessage(), force ? "user force 1" : "user constraint 1") != NULL);
    if (wrong == FreesWorld) return;
    CHECK(ukWorldGetTime(m.world) == 0);
    CHECK(dBodyGetPosition(witness)[0] == 1 && dBodyGetLinearVel(witness)[2] == 3 && dBodyGetForce(witness)[0] == 1);
    if (wrong != FreesBody) CHECK(dBodyGetPosition(m.body)[2] == 0 && dBodyGetLinearVel(m.body)[2] == 0);
    m.good = 1 << 20;
    CHECK(ukWorldStep(m.world, 0.01) == 1);
    dWorldDestroy(m.world);
}

int main(void)
{
    dInitODE2(0);
    handles();
    controlForce();
    mixedWithJoints();
    islandsAndSleep();
    kinematic();
    springs();
    forceOnSleeping();
    forceOnWoken();
    wide();
    for (int wrong = 0; wrong < Wrongs; wrong++)
        for (int k = 0; k < 4; k++) misuse((Wrong)wrong, k & 1, k & 2);
    dCloseODE();
    return ukTestEnd();
}

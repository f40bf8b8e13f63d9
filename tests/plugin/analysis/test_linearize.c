/* SPDX-License-Identifier: BSD-3-Clause */
/* ukWorldLinearize: inputs and outputs against closed forms; the matrices of random mechanisms against independent
 * finer differences, within the reported error; one step of each integrator against steps that are taken; the world
 * afterwards; refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ukode/analysis.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

static const double g = 9.81;

static dBodyID body(dWorldID w, double x, double y, double z, double m, double I)
{
    dBodyID b = dBodyCreate(w);
    dMass mass;
    dMassSetZero(&mass);
    dMassSetParameters(&mass, m, 0, 0, 0, I, I, I, 0, 0, 0);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, y, z);
    return b;
}

static dWorldID world(void)
{
    dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    ukWorldEnable(w);
    return w;
}

static bool linearized(int status)
{
    if (status != ukOk) printf("  %s\n", ukGetLastErrorMessage());
    return CHECK(status == ukOk);
}

/* ---- a cart with an inverted pendulum ---------------------------------------------------------------------------- */

typedef struct CartPole {
    dWorldID w;
    dBodyID cart, pole;
    dJointID slider, pivot;
} CartPole;

enum { CartMass = 2, PoleMass = 1 }; /* the pole: half length 0.5 m, I = 1/12 */

static CartPole cartPole(bool reverse)
{
    CartPole c = {.w = world()};
    c.cart = body(c.w, 0, 0, 0, CartMass, 1);
    c.pole = body(c.w, 0, 0, 0.5, PoleMass, 1.0 / 12);
    c.slider = dJointCreateSlider(c.w, 0);
    dJointAttach(c.slider, reverse ? 0 : c.cart, reverse ? c.cart : 0);
    dJointSetSliderAxis(c.slider, 1, 0, 0);
    c.pivot = dJointCreateHinge(c.w, 0);
    dJointAttach(c.pivot, reverse ? c.cart : c.pole, reverse ? c.pole : c.cart);
    dJointSetHingeAnchor(c.pivot, 0, 0, 0);
    dJointSetHingeAxis(c.pivot, 0, 1, 0);
    return c;
}

/* From the force on the cart to its position and the pole's angle, transfer matrices at s: C (s - A)^-1 B, which do
 * not depend on coordinates. M [x''; t''] = [F; m g l t], M = [M + m, m l; m l, I + m l^2] */
static void checkCartPole(bool reverse)
{
    CartPole c = cartPole(reverse);
    const ukSignal in[2] = {{.kind = ukSignalBodyForce, .body = c.cart, .axis = 0},
                            {.kind = ukSignalJointForce, .joint = c.slider}};
    const ukSignal out[5] = {{.kind = ukSignalBodyPosition, .body = c.cart, .axis = 0},
                             {.kind = ukSignalBodyPosition, .body = c.pole, .axis = 4},
                             {.kind = ukSignalJointPosition, .joint = c.pivot},
                             {.kind = ukSignalJointRate, .joint = c.pivot},
                             {.kind = ukSignalReaction, .joint = c.slider, .axis = 2}};
    ukLinearization l;
    if (!linearized(ukWorldLinearize(c.w, in, 2, out, 5, 0, &l))) return;
    CHECK(l.positions == 2 && l.velocities == 2 && l.redundant == 0 && !l.discrete && l.error < 1e-9);
    for (int i = 0; i < 4; i++) CHECK_NEAR(l.f[i], 0, 1e-12);
    const double m = PoleMass, a = CartMass + m, b = m * .5, d = 1.0 / 12 + m * .25, det = a * d - b * b;
    /* Markov parameters: C B, C A B, C A A B ... of (cart, pole): 0, M^-1 e, 0, M^-1 K M^-1 e */
    const double first[2] = {d / det, -b / det}, k = m * g * .5;
    const double second[2] = {-b / det * k * first[1], a / det * k * first[1]};
    const double sign[2] = {1, reverse ? -1 : 1};
    double x[4], y[4];
    for (int input = 0; input < 2; input++) {
        for (int i = 0; i < 4; i++) x[i] = l.B[2 * i + input];
        for (int power = 0; power < 4; power++) {
            for (int o = 0; o < 4; o++) {
                double value = 0;
                for (int i = 0; i < 4; i++) value += l.C[4 * o + i] * x[i];
                const int what = o == 0 ? 0 : 1;
                const double turn = o < 2 ? 1 : reverse ? -1 : 1;
                const double *const want = (o == 3 ? power : power - 1) == 0 ? first : second;
                const bool odd = o == 3 ? power % 2 == 0 : power % 2 == 1;
                CHECK_NEAR(value, odd ? sign[input] * turn * want[what] : 0, 1e-9 * 30);
            }
            for (int i = 0; i < 4; i++) {
                y[i] = 0;
                for (int j = 0; j < 4; j++) y[i] += l.A[4 * i + j] * x[j];
            }
            memcpy(x, y, sizeof x);
        }
    }
    for (int i = 0; i < 4; i++) CHECK_NEAR(l.C[4 * 4 + i], 0, 1e-9); /* the load of the rail is of second order */
    CHECK_NEAR(l.D[8], 0, 1e-9);
    dWorldDestroy(c.w);
}

/* The reaction of a joint contains the forces of its laws: of a rail with viscous friction -c times the velocity, along
 * the rail, on the cart in either order of attachment. */
static void checkResistance(bool reverse)
{
    const double resistance = 3;
    CartPole c = cartPole(reverse);
    const ukSignal out[2] = {{.kind = ukSignalBodyVelocity, .body = c.cart},
                             {.kind = ukSignalReaction, .joint = c.slider}};
    ukLinearization l;
    CHECK(ukJointSetViscous(c.slider, resistance) == ukOk);
    if (linearized(ukWorldLinearize(c.w, NULL, 0, out, 2, 0, &l)) && CHECK(l.positions == 2 && l.velocities == 2)) {
        double most = 0;
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(l.C[4 + i], -resistance * l.C[i], 1e-9);
            most = fmax(most, fabs(l.C[i]));
        }
        CHECK(most > 0.1);
    }
    dWorldDestroy(c.w);
}

/* A motor within its bound is a constraint: the cart's position follows its velocity, the pole feels none of it; a
 * motor at its bound is a force, and its velocity changes nothing. */
static void checkMotor(void)
{
    CartPole c = cartPole(false);
    const ukSignal in = {.kind = ukSignalMotorVelocity, .joint = c.slider};
    const ukSignal out[3] = {{.kind = ukSignalBodyPosition, .body = c.cart},
                             {.kind = ukSignalBodyVelocity, .body = c.cart},
                             {.kind = ukSignalReaction, .joint = c.slider, .axis = 0}};
    ukLinearization l;
    CHECK(ukWorldLinearize(c.w, &in, 1, NULL, 0, 0, &l) == ukErrorArgument); /* no motor yet */
    CHECK(strstr(ukGetLastErrorMessage(), "dParamFMax"));
    dJointSetSliderParam(c.slider, dParamFMax, 100);
    if (linearized(ukWorldLinearize(c.w, &in, 1, out, 3, 0, &l))) {
        CHECK(l.positions == 2 && l.velocities == 1);
        double rate = 0;
        for (int i = 0; i < 2; i++) rate += l.C[i] * l.B[i];
        CHECK_NEAR(fabs(rate), 1, 1e-10);
        CHECK_NEAR(fabs(l.D[1]), 1, 1e-10);
        CHECK_NEAR(l.B[2], 0, 1e-9);
        CHECK(strstr(l.activity, "within its bound"));
        CHECK_NEAR(dJointGetSliderParam(c.slider, dParamVel), 0, 0);
    }
    dJointSetSliderParam(c.slider, dParamVel, 5);
    if (linearized(ukWorldLinearize(c.w, &in, 1, out, 3, 0, &l))) {
        CHECK(l.positions == 2 && l.velocities == 2);
        for (int i = 0; i < 4; i++) CHECK_NEAR(l.B[i], 0, 1e-12);
        CHECK(strstr(l.activity, "at its bound"));
        CHECK_NEAR(dJointGetSliderParam(c.slider, dParamVel), 5, 0);
    }
    dWorldDestroy(c.w);
}

/* ---- random mechanisms ------------------------------------------------------------------------------------------- */

/* velocities (n) and accelerations (n) of the world's bodies in the order of `l`, projected, from the public functions
 */
static bool evaluated(dWorldID w, const ukLinearization *l, double *v, double *a)
{
    ukEquations e;
    if (ukWorldProject(w) != ukOk || ukWorldEvaluate(w) != ukOk || ukWorldGetEquations(w, &e) != ukOk) return false;
    if (e.n != 6 * l->bodies) return false;
    for (int k = 0; k < l->bodies; k++) {
        if (e.bodies[k] != l->body[k]) return false;
        memcpy(v + 6 * k, dBodyGetLinearVel(e.bodies[k]), 3 * sizeof *v);
        memcpy(v + 6 * k + 3, dBodyGetAngularVel(e.bodies[k]), 3 * sizeof *v);
    }
    memcpy(a, e.qdd, (size_t)e.n * sizeof *a);
    return true;
}

static void moveBodies(const ukLinearization *l, const double *direction, double amount)
{
    const int n = 6 * l->bodies;
    for (int k = 0; k < l->bodies; k++) {
        double d[6] = {0}, dv[6] = {0};
        for (int c = 0; c < 6; c++) {
            for (int j = 0; j < l->positions; j++) d[c] += amount * direction[j] * l->Nq[j * n + 6 * k + c];
            for (int j = 0; j < l->velocities; j++)
                dv[c] += amount * direction[l->positions + j] * l->Nv[j * n + 6 * k + c];
        }
        const dBodyID b = l->body[k];
        const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b), *s = dBodyGetAngularVel(b);
        const double angle = sqrt(d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
        dBodySetPosition(b, x[0] + d[0], x[1] + d[1], x[2] + d[2]);
        if (angle > 0) {
            dQuaternion turn, q;
            dQFromAxisAndAngle(turn, d[3], d[4], d[5], angle);
            dQMultiply0(q, turn, dBodyGetQuaternion(b));
            dBodySetQuaternion(b, q);
        }
        dBodySetLinearVel(b, v[0] + dv[0], v[1] + dv[1], v[2] + dv[2]);
        dBodySetAngularVel(b, s[0] + dv[3], s[1] + dv[4], s[2] + dv[5]);
    }
}

/* N' M x for the equations of the last evaluation */
static double along(const double *N, const double *M, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += N[i] * M[i * n + j] * x[j];
    return sum;
}

/* A of one random world along one random direction; false: it cannot be linearized */
static bool checkRandom(uint64_t seed)
{
    static const RandomWorldKind kind = {.cfm_lo = 1e-12, .cfm_hi = 1e-11};
    RandomWorldKind of = kind;
    of.types = randomEqualityTypes & ~(1 << dJointTypeTransmission);
    of.loops = seed % 3 == 0;
    RandomWorld r;
    randomWorldBuild(&r, seed, &of);
    ukWorldEnable(r.world);
    ukWorldSetIntegrator(r.world, ukIntegratorAdaptive);
    ukLinearization l;
    bool taken = ukWorldProject(r.world) == ukOk && ukWorldLinearize(r.world, NULL, 0, NULL, 0, 0, &l) == ukOk;
    if (taken) {
        const int n = 6 * l.bodies, p = l.positions, states = p + l.velocities;
        const size_t size = ukWorldSave(r.world, NULL, 0);
        double *v[2], *a[2], *M = calloc((size_t)(n * n), sizeof *M), *d = calloc((size_t)states + 1, sizeof *d);
        for (int i = 0; i < 2; i++) v[i] = calloc((size_t)n, sizeof **v), a[i] = calloc((size_t)n, sizeof **a);
        void *saved = malloc(size);
        Random random = {seed + 77};
        for (int i = 0; i < states; i++) d[i] = randomUniform(&random, -1, 1) / sqrt(states);
        ukEquations e;
        ukWorldEvaluate(r.world);
        ukWorldGetEquations(r.world, &e);
        memcpy(M, e.M, (size_t)(n * n) * sizeof *M);
        ukWorldSave(r.world, saved, size);
        const double step = 1e-5;
        for (int side = 0; side < 2 && taken; side++) {
            moveBodies(&l, d, side ? step : -step);
            taken = evaluated(r.world, &l, v[side], a[side]);
            ukWorldRestore(r.world, saved, size);
        }
        double largest = 0;
        for (int i = 0; i < states * states; i++) largest = fmax(largest, fabs(l.A[i]));
        for (int i = 0; i < n && taken; i++) a[1][i] = (a[1][i] - a[0][i]) / (2 * step);
        for (int i = p; i < states && taken; i++) {
            double expected = along(l.Nv + (i - p) * n, M, a[1], n), found = 0;
            for (int j = 0; j < states; j++) found += l.A[i * states + j] * d[j];
            /* these differences have errors of step^2 and of rounding over step, relative to the same entries */
            CHECK_NEAR(found, expected, (sqrt(states) * l.error + 3e-7) * largest);
            if (fabs(found - expected) > 3e-7 * largest) printf("  seed %d error %g\n", (int)seed, l.error);
        }
        free(saved);
        for (int i = 0; i < 2; i++) free(v[i]), free(a[i]);
        free(M);
        free(d);
    }
    randomWorldDestroy(&r);
    return taken;
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* a hanging double pendulum with a spring of a joint law, at rest; a motion of it is followed for a step */
static dWorldID pendulum(bool reverse, ukIntegrator integrator)
{
    dWorldID w = world();
    dBodyID last = 0;
    for (int i = 0; i < 2; i++) {
        dBodyID b = body(w, 0, 0, -.5 - i, 1, 1.0 / 12);
        dJointID j = dJointCreateHinge(w, 0);
        dJointAttach(j, reverse ? last : b, reverse ? b : last);
        dJointSetHingeAnchor(j, 0, 0, -i);
        dJointSetHingeAxis(j, 0, 1, 0);
        ukJointSetViscous(j, 0.1);
        last = b;
    }
    ukWorldSetIntegrator(w, integrator);
    return w;
}

static void checkStep(bool reverse, ukIntegrator integrator, int rule)
{
    dWorldID w = pendulum(reverse, integrator);
    if (rule) ukWorldSetJointRule(w, ukJointRuleExact);
    const double h = 0.01;
    ukLinearization l;
    if (linearized(ukWorldLinearize(w, NULL, 0, NULL, 0, h, &l)) && CHECK(l.positions == 2 && l.velocities == 2)) {
        CHECK(l.discrete && l.error < 1e-7);
        for (int i = 0; i < 4; i++) CHECK_NEAR(l.f[i], 0, 1e-12);
        const double d[4] = {.6, -.3, .2, .5}, step = 1e-5;
        double end[2][12];
        for (int side = 0; side < 2; side++) { /* the step that the world takes from there */
            dWorldID x = pendulum(reverse, integrator);
            if (rule) ukWorldSetJointRule(x, ukJointRuleExact);
            ukLinearization here = l;
            dBodyID of[2] = {ukWorldGetBody(x, 0), ukWorldGetBody(x, 1)}, same[2];
            for (int k = 0; k < 2; k++) same[k] = l.body[k] == ukWorldGetBody(w, 0) ? of[0] : of[1];
            here.body = same;
            moveBodies(&here, d, side ? step : -step);
            ukWorldSetStabilization(x, ukStabilizeProjection, 0, 0);
            ukWorldProject(x);
            CHECK(ukWorldStep(x, h));
            for (int k = 0; k < 2; k++) {
                memcpy(end[side] + 6 * k, dBodyGetLinearVel(same[k]), 3 * sizeof(double));
                memcpy(end[side] + 6 * k + 3, dBodyGetAngularVel(same[k]), 3 * sizeof(double));
            }
            dWorldDestroy(x);
        }
        for (int i = 2; i < 4; i++) {
            double found = 0, expected = 0;
            for (int j = 0; j < 4; j++) found += l.A[4 * i + j] * d[j];
            for (int k = 0; k < 12; k++) { /* M = 1 (linear), 1/12 */
                const double mass = k % 6 < 3 ? 1 : 1.0 / 12;
                expected += l.Nv[(i - 2) * 12 + k] * mass * (end[1][k] - end[0][k]) / (2 * step);
            }
            CHECK_NEAR(found, expected, 1e-7);
        }
    }
    dWorldDestroy(w);
}

/* a four-bar that swings through a pose: over a short step of any integrator A is 1 + h times the continuous one. Euler
 * leaves velocities that met the rows of the step's start, by which alone the inertial terms would be missing. */
static void checkMovingStep(ukIntegrator integrator)
{
    dWorldID w = world();
    dBodyID a = body(w, 0, 0, -.5, 1, .1), b = body(w, 1, 0, -1, 2, .7), c = body(w, 2, 0, -.8, 1, .1);
    const double x[4] = {0, 0, 2, 2}, z[4] = {0, -1, -1, -.6};
    const dBodyID of[4][2] = {{a, 0}, {a, b}, {b, c}, {c, 0}};
    for (int i = 0; i < 4; i++) {
        dJointID j = dJointCreateHinge(w, 0);
        dJointAttach(j, of[i][0], of[i][1]);
        dJointSetHingeAnchor(j, x[i], 0, z[i]);
        dJointSetHingeAxis(j, 0, 1, 0);
    }
    ukWorldSetIntegrator(w, integrator);
    dBodySetAngularVel(a, 0, 4, 0);
    CHECK(ukWorldProject(w) == ukOk);
    ukLinearization l;
    const double h = 1e-4;
    if (linearized(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l)) && CHECK(l.positions == 1 && l.velocities == 1)) {
        const double A[4] = {l.A[0], l.A[1], l.A[2], l.A[3]}, f = l.f[1];
        const double size = fabs(A[2]);
        CHECK(size > 1);
        if (linearized(ukWorldLinearize(w, NULL, 0, NULL, 0, h, &l)) && CHECK(l.positions == 1 && l.velocities == 1)) {
            CHECK_NEAR((l.A[0] - 1) / h, A[0], 1e-2 * size);
            CHECK_NEAR(l.A[1] / h, A[1], 1e-2);
            CHECK_NEAR(l.A[2] / h, A[2], 1e-2 * size);
            CHECK_NEAR((l.A[3] - 1) / h, A[3], 1e-2 * size);
            CHECK_NEAR(fabs(l.f[1]) / h, fabs(f), 1e-2 * size);
        }
    }
    dWorldDestroy(w);
}

/* Bodies that auto-disable has put to sleep take part, also if they slept in the steps before. */
static void checkAsleep(ukIntegrator integrator, double stepsize)
{
    const dWorldID w = pendulum(false, integrator);
    const dBodyID last = ukWorldGetBody(w, 1);
    dJointDestroy(ukWorldGetJoint(w, 1)); /* an island of its own */
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, last, 0);
    dJointSetHingeAnchor(hinge, 0, 0, -1);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dBodySetAutoDisableFlag(last, 1);
    dBodyDisable(last);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(w, 0.01) == 1);
    for (int i = 0; i < 2; i++) {
        ukLinearization l;
        if (linearized(ukWorldLinearize(w, NULL, 0, NULL, 0, stepsize, &l))) CHECK(l.bodies == 2 && l.positions == 2);
        CHECK(!dBodyIsEnabled(last) && dBodyGetAutoDisableFlag(last));
    }
    dWorldDestroy(w);
}

/* ---- what is left behind ----------------------------------------------------------------------------------------- */

static dWorldID busy(ukIntegrator integrator)
{
    dWorldID w = pendulum(false, integrator);
    ukJointSetCoulomb(ukWorldGetJoint(w, 0), 0.05, 0.1);
    dJointSetHingeParam(ukWorldGetJoint(w, 1), dParamVel, 0.4);
    dJointSetHingeParam(ukWorldGetJoint(w, 1), dParamFMax, 0.5);
    dBodySetAutoDisableFlag(ukWorldGetBody(w, 0), 1);
    dBodySetAngularVel(ukWorldGetBody(w, 0), 0, 0.3, 0);
    dBodySetLinearVel(ukWorldGetBody(w, 0), -0.15, 0, 0);
    ukWorldSetLedger(w, 1);
    return w;
}

static void checkLeft(ukIntegrator integrator, double stepsize)
{
    unsigned char hash[2][16];
    dJointFeedback feedback[2];
    ukLedger ledger[2];
    memset(feedback, 0, sizeof feedback);
    for (int asked = 0; asked < 2; asked++) {
        dWorldID w = busy(integrator);
        dJointSetFeedback(ukWorldGetJoint(w, 0), &feedback[asked]);
        for (int i = 0; i < 40; i++) {
            CHECK(ukWorldStep(w, 0.01));
            if (!asked || i % 10 != 3) continue;
            unsigned char now[2][16];
            ukReport before, after;
            const dJointFeedback reaction = feedback[1];
            const ukMode *modes;
            int count;
            ukLinearization l;
            const ukSignal in = {.kind = ukSignalJointForce, .joint = ukWorldGetJoint(w, 0)};
            const ukSignal out = {.kind = ukSignalReaction, .joint = ukWorldGetJoint(w, 0)};
            ukWorldHash(w, now[0]);
            ukWorldGetReport(w, &before);
            linearized(ukWorldLinearize(w, &in, 1, &out, 1, stepsize, &l));
            if (stepsize == 0) CHECK(ukWorldModes(w, &modes, &count, NULL) == ukOk);
            ukWorldHash(w, now[1]);
            ukWorldGetReport(w, &after);
            CHECK(memcmp(now[0], now[1], 16) == 0);
            CHECK(memcmp(&before, &after, sizeof before) == 0);
            CHECK(memcmp(&reaction, &feedback[1], sizeof reaction) == 0);
        }
        ukWorldHash(w, hash[asked]);
        ukWorldGetLedger(w, &ledger[asked]);
        dWorldDestroy(w);
    }
    CHECK(memcmp(hash[0], hash[1], 16) == 0);
    CHECK(memcmp(&feedback[0], &feedback[1], sizeof feedback[0]) == 0);
    CHECK(memcmp(&ledger[0], &ledger[1], sizeof ledger[0]) == 0);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static int contradictory(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c;
    (void)data;
    A[0] = A[6] = 1;
    b[0] = 1, b[1] = -1;
    return 0;
}

static void refused(dWorldID w, const ukSignal *in, const ukSignal *out, double h, int status, const char *why)
{
    ukLinearization l;
    unsigned char hash[2][16];
    ukWorldHash(w, hash[0]);
    const int got = ukWorldLinearize(w, in, in != NULL, out, out != NULL, h, &l);
    ukWorldHash(w, hash[1]);
    if (!CHECK(got == status)) printf("  %d, not %d: %s\n", got, status, ukGetLastErrorMessage());
    if (!CHECK(strstr(ukGetLastErrorMessage(), why))) printf("  '%s': %s\n", why, ukGetLastErrorMessage());
    CHECK(memcmp(hash[0], hash[1], 16) == 0);
    CHECK(l.A == NULL && l.positions == 0);
}

static void checkRefusals(void)
{
    CartPole c = cartPole(false), other = cartPole(false);
    ukSignal s = {.kind = ukSignalJointForce, .joint = other.pivot};
    refused(c.w, &s, NULL, 0, ukErrorHandle, "no such joint");
    s.joint = c.pivot, s.axis = 1;
    refused(c.w, &s, NULL, 0, ukErrorArgument, "no such axis");
    s.kind = ukSignalJointRate;
    refused(c.w, &s, NULL, 0, ukErrorArgument, "it is an output");
    s.axis = 0;
    refused(c.w, NULL, &s, -1, ukErrorArgument, "stepsize");
    s.kind = ukSignalBodyForce, s.body = NULL;
    refused(c.w, &s, NULL, 0, ukErrorHandle, "no such body");

    dBodySetPosition(c.pole, 0, 0, 0.8);
    refused(c.w, NULL, NULL, 0, ukErrorNotConverged, "violates its constraints");
    dBodySetPosition(c.pole, 0, 0, 0.5);
    dBodySetLinearVel(c.pole, NAN, 0, 0);
    ukLinearization l;
    CHECK(ukWorldLinearize(c.w, NULL, 0, NULL, 0, 0, &l) == ukErrorNotFinite);
    dBodySetLinearVel(c.pole, 0, 0, 0);
    ukConstraintCreate(c.w, 2, &c.cart, 1, contradictory, NULL);
    refused(c.w, NULL, NULL, 0, ukErrorContradiction, "constraint");
    dWorldDestroy(c.w);
    dWorldDestroy(other.w);

    /* a parallelogram four-bar at its change point, all links in a line */
    dWorldID w = world();
    dBodyID b[3] = {body(w, .5, 0, 0, 1, .1), body(w, 2, 0, 0, 1, .1), body(w, 2.5, 0, 0, 1, .1)};
    const double x[4] = {0, 1, 3, 2};
    for (int i = 0; i < 4; i++) {
        dJointID j = dJointCreateHinge(w, 0);
        dJointAttach(j, i < 3 ? b[i] : b[2], i == 0 || i == 3 ? 0 : b[i - 1]);
        dJointSetHingeAnchor(j, x[i], 0, 0);
        dJointSetHingeAxis(j, 0, 1, 0);
    }
    refused(w, NULL, NULL, 0, ukErrorSingular, "singular");
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    checkCartPole(false);
    checkCartPole(true);
    for (int reverse = 0; reverse < 2; reverse++) checkResistance(reverse);
    checkMotor();
    int taken = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) taken += checkRandom(seed);
    CHECK(taken >= 60);
    printf("%d random worlds\n", taken);
    for (int reverse = 0; reverse < 2; reverse++) {
        checkStep(reverse, ukIntegratorEuler, 0);
        checkStep(reverse, ukIntegratorEuler, 1);
        checkStep(reverse, ukIntegratorRK4, 0);
        checkStep(reverse, ukIntegratorAdaptive, 0);
        checkStep(reverse, ukIntegratorRattle, 0);
    }
    for (int k = 0; k < 4; k++) checkMovingStep((ukIntegrator)k);
    for (int k = 0; k < 2; k++) {
        checkAsleep(ukIntegratorEuler, k * 0.01);
        checkAsleep(ukIntegratorRK4, k * 0.01);
        checkLeft(ukIntegratorEuler, k * 0.01);
        checkLeft(ukIntegratorRK4, k * 0.01);
        checkLeft(ukIntegratorAdaptive, k * 0.01);
        checkLeft(ukIntegratorRattle, k * 0.01);
    }
    checkRefusals();
    return ukTestEnd();
}

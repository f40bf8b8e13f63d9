/* SPDX-License-Identifier: BSD-3-Clause */
/* Reactions of both bodies, in random worlds of all joint types, attachments, motors, stops, soft rows, contacts,
 * friction and laws: the sum of all dJointFeedback on a body is its change of momentum less the other forces;
 * ukJointGetForces is the same, and its parts add up to Qi and Qni of the equations. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"
#include "tests/support/random_world.h"

enum { MaxReactions = 64 };
static const double h = 0.01;

/* a joint of the world, contacts included, with its feedback */
typedef struct Reaction {
    dJointID joint;
    dJointFeedback feedback;
} Reaction;

typedef struct Reactions {
    int count;
    Reaction of[MaxReactions];
} Reactions;

static void collect(Reactions *all, const RandomWorld *w)
{
    all->count = 0;
    for (int i = 0; i < w->bodies; i++)
        for (int k = 0; k < dBodyGetNumJoints(w->body[i]); k++) {
            const dJointID j = dBodyGetJoint(w->body[i], k);
            int n = 0;
            while (n < all->count && all->of[n].joint != j) n++;
            if (n < all->count || !CHECK(n < MaxReactions)) continue;
            all->count++;
            all->of[n].joint = j;
            memset(&all->of[n].feedback, 0, sizeof all->of[n].feedback);
            dJointSetFeedback(j, &all->of[n].feedback);
        }
}

/* what a law of a program may prescribe: a torque or force along each free axis, against its rate */
static void brake(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    (void)data;
    for (int i = 0; i < context->axes; i++)
        for (int c = 0; c < 3; c++) {
            const double f = -0.3 * context->rate[i] * context->axis[i][c];
            if (context->is_translation[i]) continue;
            force[0][3 + c] += f;
            force[1][3 + c] -= f;
        }
}

static void addLaws(const RandomWorld *w, Random *r)
{
    for (int i = 0; i < w->joints; i++) {
        const dJointID j = w->joint[i];
        if (randomBelow(r, 2)) ukJointSetCoulomb(j, randomUniform(r, 0, 0.5), 0.05); /* not all types may have it */
        if (randomBelow(r, 2)) ukJointSetViscous(j, randomUniform(r, 0, 0.5));
        if (randomBelow(r, 3) == 0) ukJointSetDrag(j, randomUniform(r, 0, 0.5));
        if (randomBelow(r, 3) == 0) ukJointSetNonIdeal(j, brake, NULL);
    }
}

/* force and torque of a joint on body k of dJointAttach as its feedback has them; NULL: that is the static world */
static void sideOf(const Reaction *r, int k, double f[6])
{
    const dBodyID one = dJointGetBody(r->joint, 0), body = dJointGetBody(r->joint, k);
    const bool first = k == 0 || !one; /* of a joint with one body f1 is that body's */
    for (int c = 0; c < 3; c++) {
        f[c] = !body ? 0 : first ? r->feedback.f1[c] : r->feedback.f2[c];
        f[3 + c] = !body ? 0 : first ? r->feedback.t1[c] : r->feedback.t2[c];
    }
}

static void sumOn(const Reactions *all, dBodyID body, double sum[6], double *scale)
{
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < 2; k++) {
            double f[6];
            if (dJointGetBody(all->of[i].joint, k) != body) continue;
            sideOf(&all->of[i], k, f);
            for (int c = 0; c < 6; c++) sum[c] += f[c], *scale = fmax(*scale, fabs(f[c]));
        }
}

/* the state of a body that a step's change of momentum is computed from */
typedef struct Momentum {
    double v[6], force[6], mass, inertia[9];
} Momentum;

static void momentumOf(Momentum *p, dBodyID b)
{
    dMass m;
    const dReal *R = dBodyGetRotation(b);
    dBodyGetMass(b, &m);
    p->mass = m.mass;
    memcpy(p->v, dBodyGetLinearVel(b), 3 * sizeof(double));
    memcpy(p->v + 3, dBodyGetAngularVel(b), 3 * sizeof(double));
    memcpy(p->force, dBodyGetForce(b), 3 * sizeof(double));
    memcpy(p->force + 3, dBodyGetTorque(b), 3 * sizeof(double));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            p->inertia[3 * i + k] = 0;
            for (int a = 0; a < 3; a++)
                for (int c = 0; c < 3; c++) p->inertia[3 * i + k] += R[4 * i + a] * m.I[4 * a + c] * R[4 * k + c];
        }
}

/* M (v+ - v)/h - m g - F */
static void needed(const Momentum *p, dBodyID b, double f[6])
{
    dVector3 g;
    const dReal *v = dBodyGetLinearVel(b), *w = dBodyGetAngularVel(b);
    dWorldGetGravity(dBodyGetWorld(b), g);
    for (int i = 0; i < 3; i++) {
        f[i] = p->mass * ((v[i] - p->v[i]) / h - (dBodyGetGravityMode(b) ? g[i] : 0)) - p->force[i];
        f[3 + i] = -p->force[3 + i];
        for (int k = 0; k < 3; k++) f[3 + i] += p->inertia[3 * i + k] * (w[k] - p->v[3 + k]) / h;
    }
}

/* ukJointGetForces, in the order of dJointAttach, is the feedback; its parts add up to those of the equations */
static void checkForces(const Reactions *all, const RandomWorld *w, const char *what, uint64_t seed, double scale)
{
    double parts[MaxWorldBodies][2][6] = {{{0}}};
    ukEquations e;
    for (int i = 0; i < all->count; i++) {
        double ideal[2][6], nonideal[2][6], f[6];
        if (!CHECK(ukJointGetForces(all->of[i].joint, ideal, nonideal) == ukOk)) return;
        for (int k = 0; k < 2; k++) {
            sideOf(&all->of[i], k, f);
            for (int c = 0; c < 6; c++)
                if (!CHECK_NEAR(ideal[k][c] + nonideal[k][c], f[c], 1e-12 * scale))
                    printf("%s %d: joint of type %d, side %d, component %d\n", what, (int)seed,
                           dJointGetType(all->of[i].joint), k, c);
            for (int b = 0; b < w->bodies; b++)
                for (int c = 0; c < 6 && dJointGetBody(all->of[i].joint, k) == w->body[b]; c++) {
                    parts[b][0][c] += ideal[k][c];
                    parts[b][1][c] += nonideal[k][c];
                }
        }
    }
    CHECK(ukWorldGetEquations(w->world, &e) == ukOk);
    for (int k = 0; k < e.n / 6; k++)
        for (int b = 0; b < w->bodies; b++) {
            if (e.bodies[k] != w->body[b]) continue;
            for (int c = 0; c < 6; c++)
                if (!CHECK_NEAR(parts[b][0][c], e.Qi[6 * k + c], 1e-9 * scale) ||
                    !CHECK_NEAR(parts[b][1][c], e.Qni[6 * k + c], 1e-9 * scale))
                    printf("%s %d: body %d, component %d\n", what, (int)seed, b, c);
        }
}

/* The other parts of the equations against masses, forces and the step: M = diag(m, R I R'), M a = all forces but the
 * constraints', qdd the change of velocity, A qdd + softness lambda = b of the rows within their bounds. */
static void checkEquations(const RandomWorld *w, const Momentum *before, double (*force)[6], double (*v)[6])
{
    ukEquations e;
    CHECK(ukWorldGetEquations(w->world, &e) == ukOk);
    for (int k = 0; k < e.n / 6; k++) {
        int b = 0;
        while (b < w->bodies && w->body[b] != e.bodies[k]) b++;
        if (!CHECK(b < w->bodies)) return;
        for (int r = 0; r < 6; r++) {
            double Ma = 0;
            for (int c = 0; c < e.n; c++) {
                const double m = e.M[(6 * k + r) * e.n + c];
                const int at = c - 6 * k;
                const bool own = at >= 0 && at < 6;
                const double expected = !own     ? 0
                                        : r < 3  ? (at == r ? before[b].mass : 0)
                                        : at < 3 ? 0
                                                 : before[b].inertia[3 * (r - 3) + at - 3];
                CHECK_NEAR(m, expected, 1e-12 * before[b].mass);
                Ma += m * e.a[c];
            }
            CHECK_NEAR(Ma, force[b][r], 1e-9 * fmax(10, fabs(force[b][r])));
            CHECK_NEAR(h * e.qdd[6 * k + r], v[b][r] - before[b].v[r], 1e-9 * fmax(1, fabs(v[b][r])));
        }
    }
    for (int i = 0; i < e.m; i++) {
        double sum = e.softness[i] * e.lambda[i] - e.b[i], size = fabs(e.b[i]) + 1;
        for (int c = 0; c < e.n; c++) {
            sum += e.A[i * e.n + c] * e.qdd[c];
            size += fabs(e.A[i * e.n + c] * e.qdd[c]);
        }
        CHECK(e.lambda[i] >= e.lo[i] - 1e-9 * size && e.lambda[i] <= e.hi[i] + 1e-9 * size);
        if (e.lambda[i] > e.lo[i] + 1e-6 * size && e.lambda[i] < e.hi[i] - 1e-6 * size) CHECK_NEAR(sum, 0, 1e-7 * size);
    }
}

static void balance(uint64_t seed, const RandomWorldKind *kind, bool laws, const char *what)
{
    Random random = {seed * 977 + 5};
    RandomWorld w;
    Momentum before[MaxWorldBodies];
    Reactions all;
    randomWorldBuild(&w, seed, kind);
    if (laws) addLaws(&w, &random);
    collect(&all, &w);
    for (int i = 0; i < w.bodies; i++) {
        dBodySetGyroscopicMode(w.body[i], 0);
        dBodySetDamping(w.body[i], 0, 0);
        dBodySetMaxAngularSpeed(w.body[i], dInfinity);
        dBodyAddForce(w.body[i], randomUniform(&random, -2, 2), 1, 0);
        dBodyAddTorque(w.body[i], 0, randomUniform(&random, -2, 2), 1);
        momentumOf(&before[i], w.body[i]);
    }
    if (ukWorldStep(w.world, h)) {
        double scale = 1;
        for (int i = 0; i < w.bodies; i++) {
            double f[6], sum[6] = {0};
            if (dBodyIsKinematic(w.body[i])) continue;
            needed(&before[i], w.body[i], f);
            sumOn(&all, w.body[i], sum, &scale);
            for (int c = 0; c < 6; c++)
                if (!CHECK_NEAR(sum[c], f[c], 1e-9 * fmax(scale, fabs(f[c]))))
                    printf("%s %d: body %d, component %d\n", what, (int)seed, i, c);
        }
        checkForces(&all, &w, what, seed, scale);
        double force[MaxWorldBodies][6], v[MaxWorldBodies][6];
        dVector3 g;
        dWorldGetGravity(w.world, g);
        for (int i = 0; i < w.bodies; i++) {
            memcpy(force[i], before[i].force, sizeof force[i]);
            for (int c = 0; c < 3; c++) force[i][c] += dBodyGetGravityMode(w.body[i]) ? before[i].mass * g[c] : 0;
            memcpy(v[i], dBodyGetLinearVel(w.body[i]), 3 * sizeof(double));
            memcpy(v[i] + 3, dBodyGetAngularVel(w.body[i]), 3 * sizeof(double));
        }
        checkEquations(&w, before, force, v);
    }
    randomWorldDestroy(&w);
}

/* A motor of finite force between two bodies that are free, under every integrator: equal and opposite, on the line of
 * the slider, in both orders. */
static void pushApart(ukIntegrator integrator, double cfm)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = box(w, 2, 0, 0, 0), b = box(w, 3, 1, 0, 0);
    const dJointID j = dJointCreateSlider(w, NULL);
    dJointFeedback f;
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    dJointAttach(j, a, b);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamVel, 100);
    dJointSetSliderParam(j, dParamFMax, 6);
    dJointSetSliderParam(j, dParamCFM, cfm);
    dJointSetFeedback(j, &f);
    for (int k = 0; k < 3; k++) {
        memset(&f, 0, sizeof f);
        CHECK(ukWorldStep(w, h) == 1);
        CHECK_NEAR(fabs(f.f1[0]), 6, 1e-9);
        CHECK_NEAR(f.f1[0] + f.f2[0], 0, 1e-9);
        for (int c = 1; c < 3; c++) CHECK(fabs(f.f1[c]) < 1e-9 && fabs(f.f2[c]) < 1e-9);
        CHECK_NEAR(2 * dBodyGetLinearVel(a)[0] / f.f1[0], (k + 1) * h, 1e-9);
        CHECK_NEAR(3 * dBodyGetLinearVel(b)[0] / f.f2[0], (k + 1) * h, 1e-9);
    }
    dWorldDestroy(w);
}

/* the same with a hinge's motor and with viscous friction in it: torques of both bodies */
static void turnApart(ukIntegrator integrator, double viscous)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = box(w, 2, 0, 0, 0), b = box(w, 3, 0, 0, 0);
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointFeedback f;
    double I[2], L[2] = {0, 0};
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    dJointSetHingeParam(j, dParamVel, 100);
    dJointSetHingeParam(j, dParamFMax, 0.5);
    CHECK(ukJointSetViscous(j, viscous) == ukOk);
    dJointSetFeedback(j, &f);
    for (int k = 0; k < 2; k++) {
        dMass m;
        dBodyGetMass(k ? b : a, &m);
        I[k] = m.I[10];
    }
    for (int k = 0; k < 4; k++) {
        CHECK(ukWorldStep(w, 0.001) == 1);
        const double now[2] = {I[0] * dBodyGetAngularVel(a)[2], I[1] * dBodyGetAngularVel(b)[2]};
        const double off = integrator == ukIntegratorEuler ? 1e-9 : 0.02; /* others may report the end of the step */
        CHECK_NEAR(f.t1[2] + f.t2[2], 0, 1e-9);
        CHECK_NEAR(f.t1[2], (now[0] - L[0]) / 0.001, off);
        CHECK_NEAR(f.t2[2], (now[1] - L[1]) / 0.001, off);
        memcpy(L, now, sizeof L);
    }
    dWorldDestroy(w);
}

/* The same by an LMotor, which has no row while it does all it can: what it bore does not add up from step to step. */
static void pushByItself(ukIntegrator integrator, double side)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = box(w, 2, 0, 0, 0), b = box(w, 3, 1, 0, 0);
    const dJointID j = dJointCreateLMotor(w, NULL);
    dJointFeedback f;
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    dJointAttach(j, a, b);
    dJointSetLMotorNumAxes(j, 1);
    dJointSetLMotorAxis(j, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(j, dParamVel, 50 * side);
    dJointSetLMotorParam(j, dParamFMax, 6);
    dJointSetFeedback(j, &f);
    for (int k = 1; k <= 4; k++) {
        memset(&f, 0, sizeof f);
        CHECK(ukWorldStep(w, h) == 1);
        CHECK_NEAR(f.f1[0], 2 * dBodyGetLinearVel(a)[0] / (k * h), 1e-9);
        CHECK_NEAR(f.f2[0], 3 * dBodyGetLinearVel(b)[0] / (k * h), 1e-9);
        CHECK_NEAR(fabs(f.f1[0]), 6, 1e-9);
    }
    dWorldDestroy(w);
}

/* A joint of soft rows, which the adaptive integrator takes as springs: its force on both bodies is their change of
 * momentum, in a step short beside its period. */
static void pullSoftly(ukIntegrator integrator, double off)
{
    const double step = 1e-4;
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 2, 0, 0, 0), b = ball(w, 3, 0, 0, 0);
    const dJointID j = dJointCreateBall(w, NULL);
    dJointFeedback f;
    double p[2] = {0, 0};
    CHECK(ukWorldSetIntegrator(w, integrator) == ukOk);
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, 0, 0, 0);
    dJointSetBallParam(j, dParamERP, 0.001);
    dJointSetBallParam(j, dParamCFM, 0.01);
    dBodySetPosition(b, 0.1, 0, 0);
    dJointSetFeedback(j, &f);
    for (int k = 0; k < 5; k++) {
        memset(&f, 0, sizeof f);
        CHECK(ukWorldStep(w, step) == 1);
        const double now[2] = {2 * dBodyGetLinearVel(a)[0], 3 * dBodyGetLinearVel(b)[0]};
        CHECK(f.f1[0] > 0.1);
        CHECK_NEAR(f.f1[0], (now[0] - p[0]) / step, off * f.f1[0]);
        CHECK_NEAR(f.f2[0], (now[1] - p[1]) / step, off * f.f1[0]);
        memcpy(p, now, sizeof p);
    }
    dWorldDestroy(w);
}

/* A joint that is attached to the world instead of its second body pushes that no more. */
static void attachedAgain(void)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID a = box(w, 2, 0, 0, 0), b = box(w, 3, 1, 0, 0);
    const dJointID j = dJointCreateBall(w, NULL);
    double ideal[2][6];
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, 0.5, 0, 0);
    dBodySetAngularVel(a, 1, 2, 3);
    CHECK(ukWorldStep(w, h) == 1 && ukJointGetForces(j, ideal, NULL) == ukOk && fabs(ideal[1][1]) > 1e-3);
    dJointAttach(j, a, NULL);
    dJointSetBallAnchor(j, 0.5, 0, 0);
    CHECK(ukWorldStep(w, h) == 1 && ukJointGetForces(j, ideal, NULL) == ukOk && fabs(ideal[0][2]) > 1e-3);
    for (int c = 0; c < 6; c++) CHECK(ideal[1][c] == 0);
    dWorldDestroy(w);
}

/* A motor with friction that is switched off bears nothing any more but its friction; the bounds of its row are its
 * largest force. */
static void switchedOff(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = box(w, 2, 0, 0, 0);
    const dJointID j = dJointCreateAMotor(w, NULL);
    double ideal[2][6], nonideal[2][6];
    ukEquations e;
    dJointAttach(j, a, NULL);
    dJointSetAMotorNumAxes(j, 1);
    dJointSetAMotorAxis(j, 0, 0, 0, 0, 1);
    dJointSetAMotorParam(j, dParamVel, 50);
    dJointSetAMotorParam(j, dParamFMax, 5);
    CHECK(ukJointSetViscous(j, 0.01) == ukOk);
    for (int k = 0; k < 3; k++) CHECK(ukWorldStep(w, h) == 1);
    CHECK(ukJointGetForces(j, ideal, nonideal) == ukOk);
    CHECK_NEAR(ideal[0][5], 5, 1e-9);
    CHECK(ukWorldGetEquations(w, &e) == ukOk && e.m == 1);
    CHECK_NEAR(e.lo[0], -5, 1e-12);
    CHECK_NEAR(e.hi[0], 5, 1e-12);
    CHECK_NEAR(e.lambda[0], 5, 1e-9);
    dJointSetAMotorParam(j, dParamFMax, 0);
    CHECK(ukWorldStep(w, h) == 1 && ukJointGetForces(j, ideal, nonideal) == ukOk);
    for (int c = 0; c < 6; c++) CHECK(ideal[0][c] == 0);
    CHECK_NEAR(nonideal[0][5], -0.01 * dBodyGetAngularVel(a)[2], 1e-9);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    const int types = randomEqualityTypes & ~(1 << dJointTypeTransmission);
    const RandomWorldKind soft = {.types = types, .cfm_lo = 1e-8, .cfm_hi = 1e-3};
    const RandomWorldKind driven = {.types = types, .cfm_lo = 1e-8, .cfm_hi = 1e-3, .bounded_motors = 1};
    const RandomWorldKind stopped = {.types = types, .cfm_lo = 1e-8, .cfm_hi = 1e-3, .stops = 1};
    const RandomWorldKind touching = {
        .types = types, .cfm_lo = 1e-6, .cfm_hi = 1e-3, .contacts = 3, .friction = 1, .finite_mu = 1};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        balance(seed, &soft, false, "soft");
        balance(seed, &soft, true, "soft, laws");
        balance(seed, &driven, false, "driven");
        balance(seed, &stopped, false, "stopped");
        balance(seed, &touching, false, "touching");
        balance(seed, &touching, true, "touching, laws");
    }
    for (ukIntegrator i = ukIntegratorEuler; i <= ukIntegratorAdaptive; i++) {
        pushApart(i, 0);
        pushByItself(i, 1);
        pushByItself(i, -1);
        pullSoftly(i, i == ukIntegratorEuler ? 1e-9 : 0.05);
        turnApart(i, 0);
        turnApart(i, 0.05);
    }
    attachedAgain();
    switchedOff();
    dCloseODE();
    return ukTestEnd();
}

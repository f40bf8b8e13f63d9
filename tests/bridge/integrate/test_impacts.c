/* SPDX-License-Identifier: BSD-3-Clause */
/* Impacts at stops and contacts under every integrator: the rate after one is -e times the rate before, whatever the
 * joint, the attachment, the stabilization and the step, so that e = 1 keeps the energy (JoltPhysics#1286 compares
 * ODE's bounce, which keeps its height). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"
#include "ukode/ukode.h"

enum { Integrators = 4 };
static const char *const integrator_name[Integrators] = {"euler", "rk4", "adaptive", "rattle"};
enum { Stabilizations = 2 };
static const ukStabilization stabilizations[Stabilizations] = {ukStabilizeProjection, ukStabilizeSplit};

/* ---- rigs: one body between two stops of a joint, thrown along the axis, without gravity ------------------------- */

enum { OnWorld, WorldFirst, OnBody, BodyFirst, Attachments };
static const char *const attachment_name[Attachments] = {"(b, 0)", "(0, b)", "(b, base)", "(base, b)"};

typedef struct Rig {
    dWorldID world;
    dBodyID body, base; /* base 0: the world */
    dJointID joint;
} Rig;

typedef struct Kind {
    const char *name;
    bool linear;
    JointMaker *make;
    void (*set)(dJointID joint, int parameter, dReal value);
    int group;
    bool both;    /* it joins two bodies only */
    bool forward; /* attached to the world first its stops do not act, as in ODE (docs/ode-differences.md) */
} Kind;

static const Kind kinds[] = {
    {"hinge", .make = makeHingeJoint, .set = dJointSetHingeParam},
    {"slider", .linear = true, .make = makeSliderJoint, .set = dJointSetSliderParam},
    {"universal", .make = makeUniversalJoint, .set = dJointSetUniversalParam, .forward = true},
    {"hinge2", .make = makeSteeringJoint, .set = dJointSetHinge2Param, .both = true},
    {"piston", .linear = true, .make = makePistonJoint, .set = dJointSetPistonParam},
    {"pr", .linear = true, .make = makePRJoint, .set = dJointSetPRParam},
    {"pu", .linear = true, .make = makePUJoint, .set = dJointSetPUParam, .group = dParamGroup * 2},
};

static Rig rigOf(const Kind *kind, int attachment, double e)
{
    Rig r = {.world = dWorldCreate()};
    r.body = makeSphere(r.world, 1, 0.5);
    if (attachment >= OnBody) r.base = makeSphere(r.world, 3, 2);
    const bool swapped = attachment == WorldFirst || attachment == BodyFirst;
    r.joint = kind->make(r.world, swapped ? r.base : r.body, swapped ? r.body : r.base);
    kind->set(r.joint, dParamLoStop + kind->group, -0.4);
    kind->set(r.joint, dParamHiStop + kind->group, 0.5);
    kind->set(r.joint, dParamBounce + kind->group, e);
    kind->set(r.joint, dParamStopERP + kind->group, 0);
    if (kind->linear) dBodySetLinearVel(r.body, 0, 0, 3);
    if (!kind->linear) dBodySetAngularVel(r.body, 0, 0, 3);
    return r;
}

static double rateOf(const Rig *r, const Kind *kind)
{
    const dReal *v = kind->linear ? dBodyGetLinearVel(r->body) : dBodyGetAngularVel(r->body);
    if (!r->base) return v[2];
    return v[2] - (kind->linear ? dBodyGetLinearVel(r->base) : dBodyGetAngularVel(r->base))[2];
}

/* what stays, of both bodies along the axis */
static double momentumOf(const Rig *r, const Kind *kind)
{
    const double m = kind->linear ? 1 : 0.5, M = kind->linear ? 3 : 2;
    const dReal *v = kind->linear ? dBodyGetLinearVel(r->body) : dBodyGetAngularVel(r->body);
    return r->base ? m * v[2] + M * (kind->linear ? dBodyGetLinearVel(r->base) : dBodyGetAngularVel(r->base))[2] : 0;
}

static void thrown(const Kind *kind, int attachment, int integrator, int stabilization, double e)
{
    const double h = 0.01;
    Rig r = rigOf(kind, attachment, e);
    ukWorldSetIntegrator(r.world, (ukIntegrator)integrator);
    ukWorldSetStabilization(r.world, stabilizations[stabilization], 0, 0);
    const double momentum = momentumOf(&r, kind);
    double rate = rateOf(&r, kind);
    int bounces = 0, wrong = 0;
    for (int i = 0; i < 300 && !wrong; i++) {
        wrong += ukWorldStep(r.world, h) != 1;
        const double now = rateOf(&r, kind), expected = now * rate < 0 ? -e * rate : rate;
        bounces += now * rate < 0;
        wrong += !(fabs(now - expected) <= 1e-7 * fabs(rate)); /* of the stop's CFM, as ODE has it */
        wrong += !(fabs(momentumOf(&r, kind) - momentum) < 1e-9);
        rate = now;
    }
    if (!CHECK(wrong == 0 && bounces >= (e < 0.6 ? 2 : 5)))
        printf("  %s %s, %s, stabilization %d, e %.1f: %d bounces, rate %.9g\n", kind->name,
               attachment_name[attachment], integrator_name[integrator], stabilization, e, bounces, rate);
    dWorldDestroy(r.world);
}

/* ---- under gravity ----------------------------------------------------------------------------------------------- */

static const double g = 9.81;

typedef struct Drop {
    dWorldID world;
    dJointGroupID group;
    dBodyID ball[2];
    int balls;
    double radius, e, least; /* least: bounce_vel */
} Drop;

static Drop dropOf(int integrator, int stabilization, int balls, double e, double least)
{
    Drop d = {
        .world = dWorldCreate(), .group = dJointGroupCreate(0), .balls = balls, .radius = 0.1, .e = e, .least = least};
    dWorldSetGravity(d.world, 0, 0, -g);
    ukWorldSetIntegrator(d.world, (ukIntegrator)integrator);
    ukWorldSetStabilization(d.world, stabilizations[stabilization], 0, 0);
    for (int i = 0; i < balls; i++) d.ball[i] = makeSphere(d.world, 1, 0.004);
    return d;
}

static void dropEnd(Drop *d)
{
    dJointGroupDestroy(d->group);
    dWorldDestroy(d->world);
}

static void touch(Drop *d, dBodyID upper, dBodyID lower, double depth, double z)
{
    if (depth < 0) return;
    dContact c;
    memset(&c, 0, sizeof c);
    c.surface.mode = dContactBounce | dContactSoftERP | dContactApprox1;
    c.surface.bounce = d->e;
    c.surface.bounce_vel = d->least;
    c.geom.depth = depth;
    c.geom.normal[2] = 1;
    c.geom.pos[2] = z;
    dJointAttach(dJointCreateContact(d->world, d->group, &c), upper, lower);
}

static int stepDrop(Drop *d, double h)
{
    const double z = dBodyGetPosition(d->ball[0])[2];
    touch(d, d->ball[0], 0, d->radius - z, 0);
    if (d->balls > 1) {
        const double gap = dBodyGetPosition(d->ball[1])[2] - z;
        touch(d, d->ball[1], d->ball[0], 2 * d->radius - gap, z + d->radius);
    }
    const int ok = ukWorldStep(d->world, h) == 1;
    dJointGroupEmpty(d->group);
    return ok;
}

/* of all balls, from where they rest on one another */
static double energyOf(const Drop *d)
{
    double sum = 0;
    for (int i = 0; i < d->balls; i++) {
        const double v = dBodyGetLinearVel(d->ball[i])[2];
        sum += 0.5 * v * v + g * (dBodyGetPosition(d->ball[i])[2] - (2 * i + 1) * d->radius);
    }
    return sum;
}

/* From 1 m, 60 s: with e = 1 the energy stays, else it is e^2 of that with each bounce. */
static void bouncing(int integrator, int stabilization, double e)
{
    Drop d = dropOf(integrator, stabilization, 1, e, 0.01);
    double energy = g, last = 0;
    int wrong = 0, bounces = 0;
    dBodySetPosition(d.ball[0], 0, 0, 1 + d.radius);
    for (int i = 0; i < 12000; i++) {
        wrong += !stepDrop(&d, 0.005);
        const double v = dBodyGetLinearVel(d.ball[0])[2];
        if (last < 0 && v > 0) bounces++, energy *= e * e;
        last = v;
        /* where contact is noticed up to a step late the plane lies lower by as much, for that bounce; e = 1 undoes
         * it */
        if (e == 1) wrong += !(fabs(energyOf(&d) - g) < 1e-4 * g);
        if (e < 1) wrong += !(energyOf(&d) < energy + 1e-9);
    }
    if (e == 1) CHECK(bounces >= 65 && bounces <= 67);
    if (e < 1) CHECK(fabs(dBodyGetLinearVel(d.ball[0])[2]) < 1e-9 && fabs(energyOf(&d)) < 0.01); /* it rests */
    if (!CHECK(wrong == 0))
        printf("  ball, %s, stabilization %d, e %.1f: energy %.6f\n", integrator_name[integrator], stabilization, e,
               energyOf(&d));
    dropEnd(&d);
}

/* A ball falls on one that rests on the plane: what it brings goes through the lower one, and comes back. */
static void ballOnBall(int integrator, int stabilization)
{
    Drop d = dropOf(integrator, stabilization, 2, 1, 0.01);
    dBodySetPosition(d.ball[0], 0, 0, d.radius);
    dBodySetPosition(d.ball[1], 0, 0, 3 * d.radius + 1);
    double most = 0, least = INFINITY;
    int wrong = 0;
    for (int i = 0; i < 4000; i++) {
        wrong += !stepDrop(&d, 0.005);
        most = fmax(most, energyOf(&d));
        least = fmin(least, energyOf(&d));
    }
    /* a step of the discrete form that holds the lower ball takes or gives h^2 g^2/2 of a ball in flight */
    if (!CHECK(wrong == 0 && most < 1.001 * g && least > 0.999 * g))
        printf("  ball on ball, %s, stabilization %d: energy %.5f .. %.5f\n", integrator_name[integrator],
               stabilization, least, most);
    dropEnd(&d);
}

/* What comes slower than bounce_vel stays. */
static void slow(int integrator)
{
    Drop d = dropOf(integrator, 0, 1, 1, 2);
    dBodySetPosition(d.ball[0], 0, 0, 0.1 + d.radius); /* 1.4 m/s */
    for (int i = 0; i < 200; i++) CHECK(stepDrop(&d, 0.005));
    CHECK(fabs(dBodyGetLinearVel(d.ball[0])[2]) < 1e-9);
    dropEnd(&d);
}

/* A surface that moves along its normal: approach and rebound are relative to it. */
static void movingSurface(int integrator, int stabilization, double motion, double e)
{
    const double v = -3;
    Drop d = dropOf(integrator, stabilization, 1, e, 0.01);
    dWorldSetGravity(d.world, 0, 0, 0);
    dBodySetLinearVel(d.ball[0], 0, 0, v);
    const dContact c = {.surface = {.mode = dContactBounce | dContactMotionN | dContactSoftERP,
                                    .bounce = e,
                                    .bounce_vel = d.least,
                                    .motionN = motion},
                        .geom = {.normal = {0, 0, 1}}};
    dJointAttach(dJointCreateContact(d.world, d.group, &c), d.ball[0], 0);
    CHECK(ukWorldStep(d.world, 0.005) == 1);
    if (!CHECK_NEAR(dBodyGetLinearVel(d.ball[0])[2], motion + e * (motion - v), 1e-7 * fabs(v)))
        printf("  moving surface, %s, stabilization %d, motion %.1f, e %.1f\n", integrator_name[integrator],
               stabilization, motion, e);
    dropEnd(&d);
}

/* A pendulum from rest at the height of its axis against a stop at 0.5 rad before the lowest point, e = 1. */
static void pendulum(int integrator, int stabilization)
{
    const dWorldID world = dWorldCreate();
    const dBodyID b = makeSphere(world, 1, 0.01);
    dWorldSetGravity(world, 0, 0, -g);
    ukWorldSetIntegrator(world, (ukIntegrator)integrator);
    ukWorldSetStabilization(world, stabilizations[stabilization], 0, 0);
    dBodySetPosition(b, 0, 0, -1);
    const dJointID j = dJointCreateHinge(world, 0);
    dJointAttach(j, b, 0);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    dJointSetHingeParam(j, dParamLoStop, -3);
    dJointSetHingeParam(j, dParamHiStop, 0.5);
    dJointSetHingeParam(j, dParamBounce, 1);
    dJointSetHingeParam(j, dParamStopERP, 0);
    dBodySetLinearVel(b, -3, 0, 0);
    dBodySetAngularVel(b, 0, 3, 0);
    int wrong = 0, bounces = 0;
    double last = 0, off = 0;
    for (int i = 0; i < 6000; i++) {
        wrong += ukWorldStep(world, 0.005) != 1;
        const dReal *v = dBodyGetLinearVel(b), *w = dBodyGetAngularVel(b);
        const double rate = dJointGetHingeAngleRate(j);
        bounces += last > 0 && rate < 0 && dJointGetHingeAngle(j) > 0.45;
        last = rate;
        const double energy = 0.5 * (v[0] * v[0] + v[2] * v[2]) + 0.005 * w[1] * w[1] + g * dBodyGetPosition(b)[2];
        off = fmax(off, fabs(energy - (4.545 - g)));
    }
    const double band = integrator == ukIntegratorRattle ? 1e-3 : 1e-5; /* RATTLE's swings by h^2; of the hinge's CFM */
    if (!CHECK(wrong == 0 && bounces > 20 && off < band))
        printf("  pendulum, %s, stabilization %d: %d bounces, energy off by %.2g J\n", integrator_name[integrator],
               stabilization, bounces, off);
    dWorldDestroy(world);
}

/* ---- stops within a step ----------------------------------------------------------------------------------------- */

/* A pendulum from -0.8 rad that bounces off a stop at 0.3 rad: its angle after 2 s. */
static double bouncedAngle(int integrator, bool swapped, double h, double e)
{
    const dWorldID w = dWorldCreate();
    const double a = -0.8;
    const dBodyID body = makeSphere(w, 1, 0.5);
    const dJointID hinge = dJointCreateHinge(w, 0);
    ukReport r;
    dWorldSetGravity(w, 0, 0, -9.81);
    dBodySetPosition(body, 0, 0, -1);
    dJointAttach(hinge, swapped ? 0 : body, swapped ? body : 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, -1, 0);
    dJointSetHingeParam(hinge, dParamHiStop, 0.3);
    dJointSetHingeParam(hinge, dParamBounce, e);
    dBodySetPosition(body, sin(a), 0, -cos(a));
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0, 1, 0, -a);
    dBodySetRotation(body, R);
    CHECK(ukWorldSetIntegrator(w, (ukIntegrator)integrator) == 0);
    for (int i = 0; i < (int)lround(2 / h); i++) {
        if (!CHECK(ukWorldStep(w, h) == 1)) break;
        CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.discrete_islands == 0);
    }
    const dReal *x = dBodyGetPosition(body);
    const double angle = atan2(x[0], -x[2]);
    dWorldDestroy(w);
    return angle;
}

/* The instants at which stops are reached and left are located, so bounces do not lower the order: the errors of two
 * steps, against the adaptive integrator's motion. */
static void keepsItsOrder(bool swapped, double e)
{
    const double right = bouncedAngle(ukIntegratorAdaptive, swapped, 0.02, e);
    for (int i = ukIntegratorRK4; i < Integrators; i++) {
        const double coarse = fabs(bouncedAngle(i, swapped, 0.04, e) - right),
                     fine = fabs(bouncedAngle(i, swapped, 0.02, e) - right);
        const double most[Integrators] = {0, 1e-6, 1e-8, 3e-3}, least[Integrators] = {0, 8, 0, 3.2};
        if (!CHECK(fine < most[i] && (fine < 1e-8 || coarse > least[i] * fine)))
            printf("%s, swapped %d, e %g: off by %.2g and %.2g\n", integrator_name[i], swapped, e, coarse, fine);
    }
}

/* A slider that falls onto its stop from 0.05 m, or is driven onto it at 0.3 m/s by a motor of unlimited force, ends at
 * rest there: also after infinitely many bounces. Feedback is its weight, and the mean of what acted; the ledger books
 * the impacts as work of the stop. Then the motor, or a velocity that the program sets, takes it off again. */
static void restsAtStop(int integrator, double e, bool driven)
{
    const double h = 0.01, g = 9.81, speed = 0.3;
    const dWorldID w = dWorldCreate();
    const dBodyID body = makeSphere(w, 1, 0.5);
    const dJointID slider = dJointCreateSlider(w, 0);
    dJointFeedback feedback;
    ukLedger ledger;
    ukReport r;
    double impulse = 0;
    int discrete = 0;
    dWorldSetGravity(w, 0, 0, -g);
    dJointAttach(slider, body, 0);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamLoStop, -0.05);
    dJointSetSliderParam(slider, dParamBounce, e);
    if (driven) dJointSetSliderParam(slider, dParamFMax, dInfinity), dJointSetSliderParam(slider, dParamVel, -speed);
    dJointSetFeedback(slider, &feedback);
    CHECK(ukWorldSetIntegrator(w, (ukIntegrator)integrator) == 0 && ukWorldSetLedger(w, 1) == 0);
    for (int i = 0; i < 100; i++) {
        if (!CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok)) break;
        impulse += h * feedback.f1[2];
        discrete += r.discrete_islands;
    }
    CHECK_NEAR(dBodyGetPosition(body)[2], -0.05, 1e-10);
    CHECK_NEAR(dBodyGetLinearVel(body)[2], 0, 1e-9);
    CHECK_NEAR(impulse, g, 1e-9);
    CHECK_NEAR(feedback.f1[2], g, 1e-9);
    CHECK(ukWorldGetLedger(w, &ledger) == 0);
    CHECK_NEAR(ledger.stops, driven ? -0.5 * speed * speed : -0.05 * g, 1e-8);
    CHECK_NEAR(ledger.residual, 0, 1e-12);
    dJointSetSliderParam(slider, dParamVel, speed);
    if (!driven) dBodySetLinearVel(body, 0, 0, speed);
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok);
    if (!CHECK(fabs(dBodyGetPosition(body)[2] + 0.05 - speed * h + (driven ? 0 : 0.5 * g * h * h)) < 1e-9 &&
               discrete + r.discrete_islands == 0))
        printf("%s, e %g, driven %d: at %.12g, %d discrete steps\n", integrator_name[integrator], e, driven,
               dBodyGetPosition(body)[2], discrete);
    dWorldDestroy(w);
}

/* ---- stops within a step that are open at both of its ends
 * ----------------------------------------------------------- */

static int upTo(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = -1;
    return 0;
}

static int upToGap(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    *phi = *(const double *)data - c->bodies->position[2];
    *psi = -c->bodies->velocity[2];
    return 0;
}

/* A slider is thrown up so that it falls again within the step: without a ceiling, a stop or a row of a user
 * constraint, it would be highest after 0.3 steps, and below the ceiling after half of it. */
static void ceiling(int integrator, bool row, bool swapped, double e)
{
    const double h = 0.1, v = 0.3 * g * h;
    double top = 0.0038, speed = sqrt(v * v - 2 * g * top);
    const double left = h - (v - speed) / g;
    const dWorldID w = dWorldCreate();
    const dBodyID body = makeSphere(w, 1, 0.5);
    const dJointID slider = dJointCreateSlider(w, 0);
    ukReport r;
    dWorldSetGravity(w, 0, 0, -g);
    dJointAttach(slider, swapped ? 0 : body, swapped ? body : 0);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamBounce, e);
    if (!row) dJointSetSliderParam(slider, swapped ? dParamLoStop : dParamHiStop, swapped ? -top : top);
    if (row) {
        const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, upTo, NULL);
        CHECK(ukConstraintSetError(c, upToGap, &top) == 0 && ukConstraintSetOneSided(c, 0) == 0);
        CHECK(ukConstraintSetRestitution(c, 0, e) == 0);
    }
    dBodySetLinearVel(body, 0, 0, v);
    CHECK(ukWorldSetIntegrator(w, (ukIntegrator)integrator) == 0);
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok && r.discrete_islands == 0);
    const double z = top - e * speed * left - 0.5 * g * left * left, rate = -e * speed - g * left;
    if (!CHECK(fabs(dBodyGetPosition(body)[2] - z) < 1e-9 && fabs(dBodyGetLinearVel(body)[2] - rate) < 1e-8))
        printf("%s, row %d, swapped %d, e %g: at %.12g, not %.12g\n", integrator_name[integrator], row, swapped, e,
               dBodyGetPosition(body)[2], z);
    dWorldDestroy(w);
}

/* ---- stops that are left again ---------------------------------------------------------------------------------- */

/* A link on a link on the world swings against its stop, is held by it from 0.11 s and leaves it at 0.183 s, where the
 * force vanishes: no step is taken in the discrete form, and the methods agree. */
static void leavesStop(int i, double rate[Integrators])
{
    const dWorldID world = dWorldCreate();
    dBodyID body[2];
    ukReport report;
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int k = 0; k < 2; k++) {
        dMass m;
        body[k] = dBodyCreate(world);
        dMassSetBox(&m, 300, 0.3, 0.2, 0.1);
        dBodySetMass(body[k], &m);
        dBodySetPosition(body[k], 0.41 - 0.4 * k, 0, 0.5);
    }
    const dJointID ball = dJointCreateBall(world, 0), hinge = dJointCreateHinge(world, 0);
    dJointAttach(ball, body[1], 0);
    dJointSetBallAnchor(ball, -0.19, 0, 0.5);
    dJointAttach(hinge, body[0], body[1]);
    dJointSetHingeAnchor(hinge, 0.21, 0, 0.5);
    dJointSetHingeAxis(hinge, 0, 1, 0.2);
    dJointSetHingeParam(hinge, dParamLoStop, -0.3);
    dJointSetHingeParam(hinge, dParamHiStop, 0.4);
    dBodySetAngularVel(body[0], 0.1, 0.2, 0.3);
    ukWorldSetIntegrator(world, (ukIntegrator)i);
    for (int k = 0; k < 60; k++) {
        CHECK(ukWorldStep(world, 0.005) == 1 && ukWorldGetReport(world, &report) == ukOk);
        CHECK(report.ok && report.discrete_islands == 0);
        if (k == 30) CHECK_NEAR(dJointGetHingeAngle(hinge), -0.3, 1e-9);
    }
    rate[i] = dJointGetHingeAngleRate(hinge);
    CHECK_NEAR(rate[i], rate[ukIntegratorRK4], i == ukIntegratorRattle ? 1e-3 : 1e-6);
    dWorldDestroy(world);
}

int main(void)
{
    double rate[Integrators];
    static const double e[] = {0.5, 0.9, 1};
    static const double motion[] = {-1, 0, 1.5};
    dInitODE2(0);
    for (int i = 0; i < Integrators; i++)
        for (int k = 0; k < 9; k++) movingSurface(i, k % 2, motion[k / 3], e[k % 3]);
    for (int i = ukIntegratorRK4; i < Integrators; i++) {
        for (int s = 0; s < Stabilizations; s++) {
            for (int c = 0; c < 3; c++) bouncing(i, s, e[c]);
            ballOnBall(i, s);
            pendulum(i, s);
        }
        slow(i);
    }
    for (int i = ukIntegratorRK4; i < Integrators; i++) leavesStop(i, rate);
    for (int i = ukIntegratorRK4; i < Integrators; i++)
        for (int c = 0; c < 8; c++) ceiling(i, c % 2 > 0, c / 2 % 2 > 0, c < 4 ? 0 : 0.7);
    for (int c = 0; c < 4; c++) keepsItsOrder(c % 2 > 0, c < 2 ? 1 : 0.5);
    for (int i = ukIntegratorRK4; i < Integrators; i++)
        for (int c = 0; c < 4; c++) restsAtStop(i, c < 2 ? 0 : 0.7, c % 2 > 0);
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int a = kinds[k].both ? OnBody : 0; a < Attachments; a++)
            for (int i = 0; i < Integrators; i++)
                for (int s = 0; s < Stabilizations && !(kinds[k].forward && a == WorldFirst); s++)
                    for (int c = 0; c < 3; c++) thrown(&kinds[k], a, i, s, e[c]);
    dCloseODE();
    return ukTestEnd();
}

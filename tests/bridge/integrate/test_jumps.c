/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocities that jump at the start of a step, under every integrator: a motor of unlimited force has its speed in the
 * step in which it is set, and moves its joint by h Vel, so that servos by velocity come to rest (OpenRAVE's and
 * SimRobot's controllers); velocities set against joints keep their momentum; feedback holds the impulse, and the
 * ledger knows whose it was. Rates and accelerations of user constraints act from the step before which they change. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"
#include "ukode/ukode.h"

enum { Integrators = 4 };
static const char *const integrator_name[Integrators] = {"euler", "rk4", "adaptive", "rattle"};

static const double h = 0.01, mass = 2, inertia = 0.5, base_mass = 6, base_inertia = 1.5;

/* ---- motors ------------------------------------------------------------------------------------------------------ */

typedef struct Motor {
    const char *name;
    bool linear;
    JointMaker *make; /* along or about z */
    void (*set)(dJointID joint, int parameter, dReal value);
    int group;
    bool both;    /* it joins two bodies only */
    bool forward; /* attached to the world first, axis 1 is the world's, and another (docs/ode-differences.md) */
} Motor;

static const Motor motors[] = {
    {"hinge", .make = makeHingeJoint, .set = dJointSetHingeParam},
    {"slider", .linear = true, .make = makeSliderJoint, .set = dJointSetSliderParam},
    {"universal", .make = makeUniversalJoint, .set = dJointSetUniversalParam, .forward = true},
    {"hinge2, axis 2", .make = makeWheelJoint, .set = dJointSetHinge2Param, .group = dParamGroup, .both = true},
    {"piston", .linear = true, .make = makePistonJoint, .set = dJointSetPistonParam},
    {"pr", .linear = true, .make = makePRJoint, .set = dJointSetPRParam},
    {"pu", .linear = true, .make = makePUJoint, .set = dJointSetPUParam, .group = 2 * dParamGroup},
    {"lmotor", .linear = true, .make = makeLMotorJoint, .set = dJointSetLMotorParam},
    {"amotor", .make = makeAMotorJoint, .set = dJointSetAMotorParam},
};

enum { OnWorld, WorldFirst, OnBody, BodyFirst, Attachments };
static const char *const attachment_name[Attachments] = {"(b, 0)", "(0, b)", "(b, base)", "(base, b)"};

typedef struct Rig {
    dWorldID world;
    dBodyID body, base; /* base 0: the world */
    dJointID joint;
    dJointFeedback feedback;
    const Motor *motor;
    double place; /* integrated rates */
} Rig;

static void rigBegin(Rig *r, const Motor *motor, int attachment, int integrator, double force)
{
    const bool swapped = attachment == WorldFirst || attachment == BodyFirst;
    *r = (Rig){.world = dWorldCreate(), .motor = motor};
    ukWorldSetIntegrator(r->world, (ukIntegrator)integrator);
    r->body = makeSphere(r->world, mass, inertia);
    if (attachment >= OnBody) r->base = makeSphere(r->world, base_mass, base_inertia);
    r->joint = motor->make(r->world, swapped ? r->base : r->body, swapped ? r->body : r->base);
    motor->set(r->joint, dParamFMax + motor->group, force);
    dJointSetFeedback(r->joint, &r->feedback);
}

static double along(const Rig *r, dBodyID b)
{
    return (r->motor->linear ? dBodyGetLinearVel(b) : dBodyGetAngularVel(b))[2];
}

static double rateOf(const Rig *r)
{
    return along(r, r->body) - (r->base ? along(r, r->base) : 0);
}

/* [m or rad] along or about z; small turns */
static double placeOf(const Rig *r)
{
    double x[2] = {0};
    const dBodyID body[2] = {r->body, r->base};
    for (int i = 0; i < 2 && body[i]; i++) {
        const dReal *q = dBodyGetQuaternion(body[i]);
        x[i] = r->motor->linear ? dBodyGetPosition(body[i])[2] : 2 * atan2(q[3], q[0]);
    }
    return x[0] - x[1];
}

/* on the body, along or about z [N s, N m s] */
static double impulseOf(const Rig *r)
{
    const bool first = dJointGetBody(r->joint, 0) == r->body || !dJointGetBody(r->joint, 0);
    if (r->motor->linear) return h * (first ? r->feedback.f1 : r->feedback.f2)[2];
    return h * (first ? r->feedback.t1 : r->feedback.t2)[2];
}

/* Vel 1, then -1: the rate is there, the joint moves by h times it, and the impulse is what changes the body's
 * motion. */
static void drives(const Motor *motor, int attachment, int integrator, double force)
{
    Rig r;
    rigBegin(&r, motor, attachment, integrator, force);
    const double inert = motor->linear ? mass : inertia;
    int wrong = 0;
    const bool discrete = integrator != ukIntegratorAdaptive && (integrator == ukIntegratorEuler || force < dInfinity);
    const bool coarse = discrete || integrator == ukIntegratorRattle; /* ODE's q += h/2 w q, RATTLE's turn: (h w)^3 */
    double sign = 0, place = 0, tolerance = coarse && !motor->linear ? 1e-5 : 1e-8; /* it takes 2 ns */
    for (int i = 0; i < 6; i++) {
        const double before = along(&r, r.body);
        motor->set(r.joint, dParamVel + motor->group, i < 3 ? 1 : -1);
        wrong += ukWorldStep(r.world, h) != 1;
        if (i == 0) sign = rateOf(&r) > 0 ? 1 : -1;
        wrong += !(fabs(rateOf(&r) - (i < 3 ? sign : -sign)) < 1e-6); /* of its CFM */
        wrong += !(fabs(placeOf(&r) - place - h * rateOf(&r)) < tolerance);
        wrong += !(fabs(impulseOf(&r) - inert * (along(&r, r.body) - before)) < 1e-11);
        place = placeOf(&r);
    }
    for (int i = 0; i < 60; i++) { /* a servo: the speed that leads to 0.2 within the step, 2 at most */
        motor->set(r.joint, dParamVel + motor->group, fmax(-2, fmin(2, (0.2 - sign * placeOf(&r)) / h)));
        wrong += ukWorldStep(r.world, h) != 1;
    }
    if (!CHECK(wrong == 0 && fabs(sign * placeOf(&r) - 0.2) < 1e-6 && fabs(rateOf(&r)) < 1e-5))
        printf("  %s %s, %s, FMax %g: place %.9g, rate %.9g, impulse %.9g\n", motor->name, attachment_name[attachment],
               integrator_name[integrator], force, placeOf(&r), rateOf(&r), impulseOf(&r));
    dWorldDestroy(r.world);
}

/* ---- velocities set by the program ------------------------------------------------------------------------------- */

static const dJointType thrown_types[] = {dJointTypeHinge, dJointTypeBall, dJointTypeFixed, dJointTypeSlider,
                                          dJointTypeUniversal};

/* Two boxes on a joint at (0.3, 0, 0), as of a ragdoll that is thrown by one limb. */
typedef struct Pair {
    dWorldID world;
    dBodyID body[2];
    dJointID joint;
    dJointFeedback feedback;
} Pair;

static void join(Pair *p, dJointType type)
{
    const dBodyID a = p->body[0], b = p->body[1];
    switch (type) {
    case dJointTypeHinge:
        dJointAttach(p->joint = dJointCreateHinge(p->world, 0), a, b);
        dJointSetHingeAnchor(p->joint, 0.3, 0, 0);
        dJointSetHingeAxis(p->joint, 0, 0.6, 0.8);
        break;
    case dJointTypeBall:
        dJointAttach(p->joint = dJointCreateBall(p->world, 0), a, b);
        dJointSetBallAnchor(p->joint, 0.3, 0, 0);
        break;
    case dJointTypeFixed:
        dJointAttach(p->joint = dJointCreateFixed(p->world, 0), a, b);
        dJointSetFixed(p->joint);
        break;
    case dJointTypeSlider:
        dJointAttach(p->joint = dJointCreateSlider(p->world, 0), a, b);
        dJointSetSliderAxis(p->joint, 0.6, 0.8, 0);
        break;
    default:
        dJointAttach(p->joint = dJointCreateUniversal(p->world, 0), a, b);
        dJointSetUniversalAnchor(p->joint, 0.3, 0, 0);
        dJointSetUniversalAxis1(p->joint, 0, 1, 0);
        dJointSetUniversalAxis2(p->joint, 0, 0, 1);
    }
    dJointSetFeedback(p->joint, &p->feedback);
}

static void pairBegin(Pair *p, dJointType type, int integrator)
{
    dMass m;
    *p = (Pair){.world = dWorldCreate()};
    ukWorldSetIntegrator(p->world, (ukIntegrator)integrator);
    for (int i = 0; i < 2; i++) {
        p->body[i] = dBodyCreate(p->world);
        dMassSetBoxTotal(&m, 2 - i, i ? 0.4 : 0.6, 0.2, i ? 0.1 : 0.3);
        dBodySetMass(p->body[i], &m);
        dBodySetPosition(p->body[i], 0.5 * i, 0, 0);
    }
    join(p, type);
}

static void momenta(const Pair *p, double P[3], double L[3], double *energy)
{
    memset(P, 0, 3 * sizeof *P);
    memset(L, 0, 3 * sizeof *L);
    *energy = 0;
    for (int i = 0; i < 2; i++) {
        const dReal *x = dBodyGetPosition(p->body[i]), *v = dBodyGetLinearVel(p->body[i]);
        const dReal *w = dBodyGetAngularVel(p->body[i]);
        dVector3 local, spin = {0}, turned;
        dMass m;
        dBodyGetMass(p->body[i], &m);
        dBodyVectorFromWorld(p->body[i], w[0], w[1], w[2], local);
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) spin[k] += m.I[4 * k + c] * local[c];
            *energy += 0.5 * (m.mass * v[k] * v[k] + spin[k] * local[k]);
        }
        dBodyVectorToWorld(p->body[i], spin[0], spin[1], spin[2], turned);
        for (int k = 0; k < 3; k++) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            P[k] += m.mass * v[k];
            L[k] += m.mass * (x[k1] * v[k2] - x[k2] * v[k1]) + turned[k];
        }
    }
}

/* One body gets a velocity: (0, 3, 1) of what was at rest. The energy that the joint takes is booked outside. */
static void thrown(dJointType type, int integrator)
{
    Pair p;
    pairBegin(&p, type, integrator);
    double P0[3], L0[3], P[3], L[3], e0, e, off = 0, turn = 0, impulse = 0;
    CHECK(ukWorldSetLedger(p.world, 1) == 0);
    for (int i = 0; i < 5; i++) CHECK(ukWorldStep(p.world, h) == 1);
    dBodySetLinearVel(p.body[1], 0, 3, 1);
    momenta(&p, P0, L0, &e0);
    CHECK(ukWorldStep(p.world, h) == 1);
    momenta(&p, P, L, &e);
    for (int k = 0; k < 3; k++) {
        off = fmax(off, fabs(P[k] - P0[k]));
        turn = fmax(turn, fabs(L[k] - L0[k]));
        impulse = fmax(impulse, fabs(h * p.feedback.f1[k] - 2 * dBodyGetLinearVel(p.body[0])[k]));
        impulse = fmax(impulse, fabs(h * p.feedback.f2[k] - (dBodyGetLinearVel(p.body[1])[k] - (k ? 5 - 2 * k : 0))));
    }
    static const double angular[Integrators] = {1e-3, 1e-8, 1e-9, 1e-14};
    ukLedger ledger;
    CHECK(ukWorldGetLedger(p.world, &ledger) == 0);
    const bool booked =
        integrator == ukIntegratorEuler || (fabs(ledger.outside - e) < 1e-4 && fabs(ledger.stabilization) < 1e-6);
    if (!CHECK(off < 1e-13 && turn < angular[integrator] && impulse < 1e-11 && e < e0 && booked))
        printf("  joint %d, %s: momentum off by %.1e, angular %.1e, impulse %.1e, energy %.5f to %.5f, outside %.5f, "
               "stabilization %.1e\n",
               type, integrator_name[integrator], off, turn, impulse, e0, e, ledger.outside, ledger.stabilization);
    dWorldDestroy(p.world);
}

/* ---- user constraints, and whose work it is ---------------------------------------------------------------------- */

static int holdX(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[0] = 1;
    return 0;
}

static int offX(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies[0].position[0];
    psi[0] = c->bodies[0].velocity[0];
    return 0;
}

/* x = 0 by a user constraint beside a motor along y: both have their impulses, and only those. */
static void besideConstraint(int integrator)
{
    const dWorldID w = dWorldCreate();
    const dBodyID b = makeSphere(w, mass, inertia);
    ukWorldSetIntegrator(w, (ukIntegrator)integrator);
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, holdX, NULL);
    CHECK(c != NULL && ukConstraintSetError(c, offX, NULL) == 0);
    const dJointID j = dJointCreateLMotor(w, 0);
    dJointFeedback f;
    memset(&f, 0, sizeof f);
    dJointAttach(j, b, 0);
    dJointSetLMotorNumAxes(j, 1);
    dJointSetLMotorAxis(j, 0, 0, 0, 1, 0);
    dJointSetLMotorParam(j, dParamFMax, dInfinity);
    dJointSetLMotorParam(j, dParamVel, 1);
    dJointSetFeedback(j, &f);
    dBodySetLinearVel(b, 3, 0, 0.5);
    CHECK(ukWorldSetLedger(w, 1) == 0);
    dReal impulse[6];
    for (int i = 0; i < 3; i++) {
        CHECK(ukWorldStep(w, h) == 1);
        CHECK(ukConstraintGetImpulse(c, impulse) == 0);
        CHECK_NEAR(impulse[0], i ? 0 : -3 * mass, 1e-9);
        CHECK_NEAR(h * f.f1[1], i ? 0 : mass, integrator == ukIntegratorEuler ? 1e-7 : 1e-9); /* of its CFM */
    }
    const double place[3] = {0, 3 * h, 1.5 * h}, rate[3] = {0, 1, 0.5};
    CHECK_NEAR_ALL(dBodyGetPosition(b), place, 3, 1e-7);
    CHECK_NEAR_ALL(dBodyGetLinearVel(b), rate, 3, 1e-7);
    ukLedger l;
    CHECK(ukWorldGetLedger(w, &l) == 0);
    CHECK_NEAR(l.motors, 0.5 * mass, 1e-8);
    if (integrator != ukIntegratorEuler) CHECK_NEAR(l.outside, -0.5 * mass * 9, 1e-8);
    CHECK_NEAR(l.residual, 0, 1e-12);
    CHECK(ukConstraintGetImpulse(c, NULL) == ukErrorArgument);
    CHECK(ukConstraintGetImpulse(NULL, impulse) == ukErrorHandle);
    dWorldDestroy(w);
}

/* What the program prescribes along z, and changes before every step. */
typedef enum CourseKind { ByRate, ByPlace, ByAcceleration, Courses } CourseKind;
typedef struct Course {
    CourseKind kind;
    double place, rate, acceleration, from;
} Course;

static int courseRow(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)c;
    A[2] = 1;
    b[0] = ((const Course *)data)->acceleration;
    return 0;
}

static int courseError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const Course *course = data;
    phi[0] = course->kind == ByPlace
                 ? c->bodies[0].position[2] - course->place - course->rate * (c->time - course->from)
                 : NAN;
    psi[0] = c->bodies[0].velocity[2] - course->rate;
    return 0;
}

/* A rate or acceleration that the program changes between steps acts from the start of the next one, and the position
 * is its integral; alone, and beside a body that swings on a hinge with dry friction, whose events divide the steps. */
static void course(int integrator, CourseKind kind, bool beside)
{
    enum { Steps = 20 };
    const dWorldID w = dWorldCreate();
    const dBodyID b = makeSphere(w, mass, inertia);
    Course now = {.kind = kind};
    double v = 0;
    dWorldSetGravity(w, 0, 0, -9.81);
    CHECK(ukWorldSetIntegrator(w, (ukIntegrator)integrator) == 0);
    if (beside) {
        const dBodyID other = makeSphere(w, mass, inertia);
        const dJointID j = dJointCreateHinge(w, 0);
        dBodySetPosition(other, 0.5, 0, 0);
        dJointAttach(j, b, other);
        dJointSetHingeAnchor(j, 0.2, 0, 0);
        dJointSetHingeAxis(j, 0, 1, 0);
        CHECK(ukJointSetCoulomb(j, 0.5, 0.1) == 0);
    }
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, courseRow, &now);
    CHECK(c != NULL && (kind == ByAcceleration || ukConstraintSetError(c, courseError, &now) == 0));
    for (int i = 0; i < Steps; i++) {
        const double next = 0.3 * (i * 37 % 11 - 5);
        now.from = ukWorldGetTime(w);
        if (kind == ByAcceleration) now.acceleration = next;
        if (kind != ByAcceleration) now.rate = v = next;
        if (!CHECK(ukWorldStep(w, h) == 1)) printf("  %s\n", ukGetLastErrorMessage());
        if (kind == ByAcceleration) now.place += integrator == ukIntegratorEuler ? h * h * next : 0.5 * h * h * next;
        now.place += h * v;
        if (kind == ByAcceleration) v += h * next;
        /* without a position error the swing beside it is integrated to the integrator's order */
        const double enough = kind != ByPlace && beside ? 1e-8 : 1e-11;
        if (!CHECK(fabs(dBodyGetPosition(b)[2] - now.place) < enough && fabs(dBodyGetLinearVel(b)[2] - v) < enough))
            printf("  integrator %d, kind %d, beside %d, step %d: %.3g, %.3g\n", integrator, kind, beside, i,
                   dBodyGetPosition(b)[2] - now.place, dBodyGetLinearVel(b)[2] - v);
    }
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int i = ukIntegratorEuler; i <= ukIntegratorRadau; i++)
        for (CourseKind kind = 0; kind < Courses; kind++) course(i, kind, false), course(i, kind, true);
    for (int i = 0; i < Integrators; i++) {
        for (unsigned k = 0; k < sizeof motors / sizeof *motors; k++)
            for (int a = motors[k].both ? OnBody : 0; a < Attachments; a++) {
                if (motors[k].forward && a == WorldFirst) continue;
                drives(&motors[k], a, i, dInfinity);
                drives(&motors[k], a, i, 1e9);
            }
        for (unsigned k = 0; k < sizeof thrown_types / sizeof *thrown_types; k++) thrown(thrown_types[k], i);
        besideConstraint(i);
    }
    dCloseODE();
    return ukTestEnd();
}

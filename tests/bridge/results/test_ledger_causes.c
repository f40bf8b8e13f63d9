/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger's causes against force times velocity, computed from ukJointGetForces: worlds in which one cause alone
 * works on a slider or a hinge, in all attachments, under every integrator and with split stabilization. What that
 * cause has is what the kinetic energy gained; no other cause has anything. Contacts, against their feedback. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/ledgers.h"
#include "tests/support/plain_world.h"

typedef enum Kind {
    Finite,    /* motor of finite force */
    Servo,     /* of infinite force */
    SoftMotor, /* with CFM */
    SoftJoint, /* infinite force, in a joint whose other rows are soft */
    Stop,      /* that is reached */
    SoftStop,  /* a spring of lo = hi, ERP and CFM */
    Viscous,   /* friction in the joint */
    Coulomb,   /* dry friction, loaded */
    Law,       /* a law of the program */
    Pushed,    /* dBodyAddForce */
    Force,     /* ukForce */
    Kinds
} Kind;

static const char *const names[Kinds] = {"finite motor", "servo",   "soft motor", "soft joint", "stop", "soft stop",
                                         "viscous",      "coulomb", "law",        "pushed",     "force"};

typedef struct Form {
    const char *name;
    ukIntegrator integrator;
    ukStabilization stabilization;
    double tolerance; /* of energies of some joules */
} Form;

static const Form forms[] = {{"euler", ukIntegratorEuler, ukStabilizeErp, 1e-10},
                             {"euler, split", ukIntegratorEuler, ukStabilizeSplit, 1e-10},
                             {"rk4", ukIntegratorRK4, ukStabilizeProjection, 5e-6},
                             {"rk4, split", ukIntegratorRK4, ukStabilizeSplit, 5e-6},
                             {"adaptive", ukIntegratorAdaptive, ukStabilizeProjection, 1e-7}};

static void resist(const struct ukNonIdealContext *context, dReal f[2][6], void *data)
{
    (void)data;
    for (int c = 0; c < 3; c++) {
        const double x = -0.7 * context->rate[0] * context->axis[0][c];
        f[0][context->is_translation[0] ? c : 3 + c] += x;
        f[1][context->is_translation[0] ? c : 3 + c] -= x;
    }
}

static int pull(const struct ukConstraintContext *context, dReal *force, void *data)
{
    (void)context;
    force[*(const int *)data] = 2;
    return 0;
}

/* one joint between b and the world, or between two bodies, at rest but for the sliding */
typedef struct Scene {
    dWorldID world;
    dBodyID body[2];
    dJointID joint;
    bool slider;
    int component; /* of a force that works: 0, along x, or 4, about y */
} Scene;

static void set(const Scene *s, int parameter, double x)
{
    (s->slider ? dJointSetSliderParam : dJointSetHingeParam)(s->joint, parameter, x);
}

static Scene make(bool slider, int attach, Kind kind, const Form *form)
{
    static int components[2] = {0, 4};
    Scene s = {.world = ledgerWorld(), .slider = slider, .component = slider ? 0 : 4};
    dWorldSetGravity(s.world, 0, 0, 0);
    CHECK(ukWorldSetIntegrator(s.world, form->integrator) == 0);
    CHECK(ukWorldSetStabilization(s.world, form->stabilization, 0, 0) == 0);
    if (kind == SoftJoint) dWorldSetCFM(s.world, 1e-4);
    const dBodyID b = s.body[0] = box(s.world, 2, 0, 0, 0);
    const dBodyID c = s.body[1] = attach == 2 ? box(s.world, 5, 0, 0, 0) : NULL;
    s.joint = slider ? dJointCreateSlider(s.world, NULL) : dJointCreateHinge(s.world, NULL);
    dJointAttach(s.joint, attach == 1 ? NULL : b, attach == 1 ? b : c);
    if (slider) {
        dJointSetSliderAxis(s.joint, 1, 0, 0);
    } else {
        dJointSetHingeAnchor(s.joint, 0, 0, 0);
        dJointSetHingeAxis(s.joint, 0, 1, 0);
    }
    const double speed = kind == Servo || kind == SoftJoint ? 2 : 1; /* these have theirs, against a load */
    if (slider) dBodySetLinearVel(b, speed, 0, 0);
    if (!slider) dBodySetAngularVel(b, 0, speed, 0);
    if (kind <= SoftJoint) {
        set(&s, dParamVel, (slider && attach == 1 ? -1 : 1) * (kind == Finite ? 50 : 2));
        set(&s, dParamFMax, kind == Finite ? 0.5 : dInfinity);
        set(&s, dParamCFM, kind == SoftMotor ? 0.5 : 0);
    }
    if (kind == Stop || kind == SoftStop) {
        set(&s, dParamLoStop, kind == Stop ? -0.025 : 0);
        set(&s, dParamHiStop, kind == Stop ? 0.025 : 0);
        set(&s, dParamStopCFM, kind == Stop ? 0 : 0.05);
        set(&s, dParamStopERP, kind == Stop ? 0.2 : 0.1);
    }
    if (kind == Viscous) CHECK(ukJointSetViscous(s.joint, 0.4) == 0);
    if (kind == Coulomb) CHECK(ukJointSetCoulomb(s.joint, 0.3, 0.1) == 0);
    if (kind == Law) CHECK(ukJointSetNonIdeal(s.joint, resist, NULL) == 0);
    if (kind == Force) CHECK(ukForceCreate(s.world, &b, 1, pull, &components[!slider]) != NULL);
    CHECK(ukWorldResetLedger(s.world) == 0);
    return s;
}

/* which cause is the one that works */
static double causeOf(const ukLedger *l, Kind kind)
{
    switch (kind) {
    case Finite:
    case Servo:
    case SoftMotor:
    case SoftJoint: return l->motors;
    case Stop: return l->stops;
    case SoftStop: return l->applied; /* in either form */
    case Viscous:
    case Coulomb:
    case Law: return l->nonideal;
    default: return l->applied;
    }
}

static double kineticOf(const Scene *s)
{
    double sum = 0;
    for (int k = 0; k < 2 && s->body[k]; k++) {
        dMass m;
        const dReal *v = dBodyGetLinearVel(s->body[k]), *w = dBodyGetAngularVel(s->body[k]);
        dBodyGetMass(s->body[k], &m);
        sum += 0.5 * m.mass * dCalcVectorDot3(v, v) + 0.5 * m.I[5] * w[1] * w[1];
    }
    return sum;
}

/* h F (v + v+)/2 of the joint's forces, over its bodies, of a discrete step: before is the velocity at its start */
static double workOf(const Scene *s, const double before[2], double h)
{
    double ideal[2][6], nonideal[2][6], sum = 0;
    CHECK(ukJointGetForces(s->joint, ideal, nonideal) == 0);
    for (int k = 0; k < 2; k++) {
        const dBodyID b = dJointGetBody(s->joint, k);
        if (!b) continue;
        const double now = s->slider ? dBodyGetLinearVel(b)[0] : dBodyGetAngularVel(b)[1];
        const double was = before[b == s->body[1]];
        sum += h * (ideal[k][s->component] + nonideal[k][s->component]) * 0.5 * (was + now);
    }
    return sum;
}

static void alone(bool slider, int attach, Kind kind, const Form *form)
{
    const double h = 0.01;
    const Scene s = make(slider, attach, kind, form);
    const double start = kineticOf(&s);
    double work = 0, pushed = 0;
    int steps = 0;
    for (; steps < 8; steps++) {
        double before[2] = {0};
        for (int k = 0; k < 2 && s.body[k]; k++)
            before[k] = slider ? dBodyGetLinearVel(s.body[k])[0] : dBodyGetAngularVel(s.body[k])[1];
        if (kind == Coulomb) dBodyAddForce(s.body[0], 0, 5, 0); /* its load, across */
        const bool push = kind == Pushed || kind == Servo || kind == SoftJoint;
        if (push && slider) dBodyAddForce(s.body[0], 2, 0, 0);
        if (push && !slider) dBodyAddTorque(s.body[0], 0, 2, 0);
        if (ukWorldStep(s.world, h) != 1) break;
        work += workOf(&s, before, h);
        const double now = slider ? dBodyGetLinearVel(s.body[0])[0] : dBodyGetAngularVel(s.body[0])[1];
        if (push || kind == Force) pushed += h * 2 * 0.5 * (before[0] + now);
    }
    const ukLedger l = ledgerOf(s.world);
    const double cause = causeOf(&l, kind), gained = kineticOf(&s) - start;
    const bool loaded = kind == Servo || kind == SoftJoint;
    const double tolerance = form->tolerance;
    bool good = CHECK(steps == 8);
    good &= CHECK_NEAR(l.kinetic - l.kinetic_start, gained, 1e-12);
    good &= CHECK(fabs(cause) > 1e-3);
    if (form->integrator == ukIntegratorEuler) {
        good &= CHECK_NEAR(cause, kind >= Pushed ? pushed : work, tolerance);
        if (kind >= Pushed || loaded) good &= CHECK_NEAR(pushed + work, gained, tolerance);
    }
    if (loaded) good &= CHECK_NEAR(l.applied, pushed, tolerance);
    if (loaded) good &= CHECK_NEAR(cause, gained - pushed, tolerance);
    if (kind < Pushed && !loaded) good &= CHECK_NEAR(cause, gained, tolerance);
    good &= CHECK_NEAR(ledgerCauses(&l), gained, 1e-9);
    good &= CHECK_NEAR(ledgerCauses(&l) - cause - (loaded ? l.applied : 0), kind >= Pushed ? gained - pushed : 0,
                       tolerance);
    good &= CHECK_NEAR(l.residual, 0, 1e-10);
    if (!good)
        printf("%s, %s, attach %d, %s: cause %g, work %g, gained %g, integration %g, stabilization %g, ideal %g, "
               "motors %g, "
               "applied %g, stops %g, nonideal %g\n",
               slider ? "slider" : "hinge", names[kind], attach, form->name, cause, work, gained, l.integration,
               l.stabilization, l.ideal, l.motors, l.applied, l.stops, l.nonideal);
    dWorldDestroy(s.world);
}

/* A ball on a moving floor: normal and friction of its contact, in three orders, from the feedback. */
static void contact(int order, ukStabilization stabilization)
{
    const double h = 0.01;
    const dWorldID w = ledgerWorld();
    CHECK(ukWorldSetStabilization(w, stabilization, 0, 0) == 0);
    const dBodyID b = ball(w, 2, 0, 0, 0.1), other = box(w, 5, 0, 0, -0.1);
    double normal = 0, friction = 0;
    dBodySetLinearVel(b, 1, 0.5, -0.2);
    dBodySetAngularVel(b, 3, -2, 1);
    CHECK(ukWorldResetLedger(w) == 0);
    for (int i = 0; i < 6; i++) {
        dVector3 before[2], after[2];
        dContact c = {.geom = {.pos = {0.01, 0.02, 0}, .normal = {0, 0, order == 1 ? -1 : 1}}};
        c.surface.mu = 0.25;
        c.surface.mode = dContactApprox1;
        const dJointID j = dJointCreateContact(w, NULL, &c);
        const dBodyID first = order == 1 ? NULL : b, second = order == 0 ? NULL : order == 1 ? b : other;
        dJointFeedback f;
        dJointAttach(j, first, second);
        dJointSetFeedback(j, &f);
        const dBodyID bodies[2] = {b, order == 2 ? other : NULL};
        for (int k = 0; k < 2 && bodies[k]; k++) dBodyGetPointVel(bodies[k], 0.01, 0.02, 0, before[k]);
        CHECK(ukWorldStep(w, h) == 1);
        for (int k = 0; k < 2 && bodies[k]; k++) { /* of the same point, at the lever before the step */
            const dReal *v = dBodyGetLinearVel(bodies[k]), *s = dBodyGetAngularVel(bodies[k]);
            dVector3 at = {0.01, 0.02, 0}, r, turned;
            const dReal *now = dBodyGetPosition(bodies[k]);
            for (int q = 0; q < 3; q++) r[q] = at[q] - (now[q] - h * v[q]);
            dCalcVectorCross3(turned, s, r);
            for (int q = 0; q < 3; q++) after[k][q] = v[q] + turned[q];
            const dReal *force = k == 0 ? f.f1 : f.f2;
            normal += stabilization == ukStabilizeSplit ? 0 : h * force[2] * 0.5 * (before[k][2] + after[k][2]);
            friction += h * 0.5 * (force[0] * (before[k][0] + after[k][0]) + force[1] * (before[k][1] + after[k][1]));
        }
        dJointDestroy(j);
    }
    const ukLedger l = ledgerOf(w);
    CHECK(fabs(friction) > 1e-3);
    CHECK_NEAR(l.residual, 0, 1e-12);
    if (stabilization != ukStabilizeSplit) {
        CHECK_NEAR(l.contact_normal, normal, 1e-10);
        CHECK_NEAR(l.contact_friction, friction, 1e-10);
    } else {
        CHECK(l.stabilization <= 1e-12 && l.contact_friction < -1e-3);
    }
    dWorldDestroy(w);
}

/* a top without forces: the energy that turning costs is numerical, and gyroscopic */
static void top(void)
{
    const dWorldID w = ledgerWorld();
    dWorldSetGravity(w, 0, 0, 0);
    const dBodyID b = box(w, 2, 0, 0, 0);
    dBodySetAngularVel(b, 5, 7, 1);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 20, 0.01);
    const ukLedger l = ledgerOf(w);
    CHECK(fabs(l.kinetic - l.kinetic_start) > 1e-6);
    CHECK_NEAR(l.gyroscopic, l.kinetic - l.kinetic_start, 1e-12);
    CHECK_NEAR(ledgerCauses(&l), l.gyroscopic, 1e-12);
    dWorldDestroy(w);
}

/* A joint of soft rows, which is off: springs of the program's own under the adaptive integrator and split
 * stabilization. All that moves is their work. */
static void springs(ukIntegrator integrator, ukStabilization stabilization)
{
    const dWorldID w = ledgerWorld();
    const dBodyID a = ball(w, 2, 0, 0, 0), b = ball(w, 3, 0, 0, 0);
    const dJointID j = dJointCreateBall(w, NULL);
    dWorldSetGravity(w, 0, 0, 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetStabilization(w, stabilization, 0, 0) == 0);
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, 0, 0, 0);
    dJointSetBallParam(j, dParamERP, 0.3);
    dJointSetBallParam(j, dParamCFM, 0.05);
    dBodySetPosition(b, 0.1, 0, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    ledgerSteps(w, 5, 0.01);
    const ukLedger l = ledgerOf(w);
    CHECK(l.applied > 1e-3);
    CHECK_NEAR(l.applied, l.kinetic, 1e-7);
    CHECK_NEAR(l.motors, 0, 1e-12);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dWorldDestroy(w);
}

/* A motor of any force in a plane whose rows are soft, against a load: some of the plane's rows ask for rates as well,
 * and are no motor. */
static void planeMotor(ukIntegrator integrator, double cfm)
{
    const double h = 0.01, load = 3;
    const dWorldID w = ledgerWorld();
    dWorldSetCFM(w, cfm);
    const dBodyID b = box(w, 2, 0, 0, 0);
    const dJointID j = dJointCreatePlane2D(w, NULL);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    dWorldSetGravity(w, 0, 0, 0);
    dJointAttach(j, b, NULL);
    dJointSetPlane2DXParam(j, dParamVel, 2);
    dJointSetPlane2DXParam(j, dParamFMax, dInfinity);
    dJointSetPlane2DXParam(j, dParamCFM, 0);
    dBodySetLinearVel(b, 2, 0, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    for (int i = 0; i < 10; i++) {
        dBodyAddForce(b, -load, 0, 0);
        ledgerSteps(w, 1, h);
    }
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.motors, load * 2 * 10 * h, 1e-9);
    CHECK_NEAR(l.applied, -load * 2 * 10 * h, 1e-9);
    CHECK_NEAR(l.ideal, 0, 1e-9);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (Kind kind = Finite; kind < Kinds; kind++)
            for (int attach = 0; attach < 3; attach++) {
                if (kind == Coulomb && attach == 2) continue; /* its load would turn both bodies */
                alone(true, attach, kind, &forms[f]);
                alone(false, attach, kind, &forms[f]);
            }
    for (int order = 0; order < 3; order++) {
        contact(order, ukStabilizeErp);
        contact(order, ukStabilizeSplit);
    }
    springs(ukIntegratorAdaptive, ukStabilizeProjection);
    springs(ukIntegratorRadau, ukStabilizeProjection);
    springs(ukIntegratorEuler, ukStabilizeSplit);
    for (ukIntegrator i = ukIntegratorEuler; i <= ukIntegratorAdaptive; i++) {
        planeMotor(i, 0);
        planeMotor(i, 1e-3);
    }
    top();
    dCloseODE();
    return ukTestEnd();
}

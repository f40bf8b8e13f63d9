/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: each cause against a closed form, and the sum against the energies: random worlds with everything in
 * them, the demo scenes, both integrators. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

static const double g = 9.81;

static ukLedger ledgerOf(dWorldID world)
{
    ukLedger l;
    memset(&l, 0x55, sizeof l);
    CHECK(ukWorldGetLedger(world, &l) == 0);
    return l;
}

/* all that moved, for scale [J] */
static double turnover(const ukLedger *l)
{
    return fabs(l->kinetic) + fabs(l->potential) + fabs(l->kinetic_start) + fabs(l->potential_start) +
           fabs(l->applied) + fabs(l->ideal) + fabs(l->nonideal) + fabs(l->motors) + fabs(l->stops) +
           fabs(l->contact_normal) + fabs(l->contact_friction) + fabs(l->gyroscopic) + fabs(l->stabilization) +
           fabs(l->damping) + fabs(l->sleeping) + fabs(l->outside) + fabs(l->integration);
}

static double causes(const ukLedger *l)
{
    return l->applied + l->ideal + l->nonideal + l->motors + l->stops + l->contact_normal + l->contact_friction +
           l->gyroscopic + l->stabilization + l->damping + l->sleeping + l->outside + l->integration;
}

static dBodyID box(dWorldID world, double mass, double x, double y, double z)
{
    dMass m;
    const dBodyID b = dBodyCreate(world);
    dMassSetBoxTotal(&m, mass, 0.4, 0.3, 0.2);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, y, z);
    return b;
}

static dWorldID newWorld(void)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    dWorldSetCFM(w, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    return w;
}

static void stepAll(dWorldID w, int steps, double h)
{
    for (int i = 0; i < steps; i++) CHECK(ukWorldStep(w, h) == 1);
}

/* a free fall with a push: semi-implicit Euler falls too far by h/2 of the speed gained */
static void falling(void)
{
    const double h = 0.01, m = 2;
    const dWorldID w = newWorld();
    const dBodyID b = box(w, m, 0, 0, 5);
    ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.outside, m * g * 5, 1e-12); /* the body was made since the reset */
    CHECK(ukWorldResetLedger(w) == 0);
    for (int i = 0; i < 100; i++) {
        dBodyAddForce(b, 3, 0, 0);
        stepAll(w, 1, h);
    }
    l = ledgerOf(w);
    CHECK_NEAR(l.time, 1, 1e-12);
    CHECK_NEAR(l.kinetic, 0.5 * m * (g * g + 2.25), 1e-10);
    CHECK_NEAR(l.potential - l.potential_start, -m * g * 0.5 * g * (1 + h), 1e-9);
    CHECK_NEAR(l.applied, 3 * 1.5 / 2, 1e-10);
    CHECK_NEAR(l.integration, -m * g * 0.5 * g * h, 1e-9);
    CHECK_NEAR(l.outside, 0, 1e-12);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(ukWorldGetPower(w, &l) == 0); /* of the last step, at its mean velocities */
    CHECK_NEAR(l.time, h, 1e-15);
    CHECK_NEAR(l.applied, 3 * 1.5 * 0.995, 1e-10);
    CHECK_NEAR(l.kinetic, 2 * (g * g + 2.25) * 0.995, 1e-9);
    CHECK_NEAR(l.potential, -m * g * g, 1e-9);
    CHECK_NEAR(l.integration, -m * g * g * h / 2, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-9);
    dBodySetLinearVel(b, 0, 0, 0); /* the user's doing */
    l = ledgerOf(w);
    CHECK_NEAR(l.outside, -0.5 * m * (g * g + 2.25), 1e-10);
    CHECK_NEAR(l.residual, 0, 1e-11);
    dWorldDestroy(w);
}

/* A wheel that dry friction stops: all its energy is non-ideal, whichever the integrator. */
static void friction(ukIntegrator integrator)
{
    const dWorldID w = newWorld();
    ukWorldSetIntegrator(w, integrator);
    const dBodyID b = box(w, 3, 0, 0, 0);
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    CHECK(ukJointSetCoulomb(j, 0.3, 0.02) == 0);
    dBodySetFiniteRotationMode(b, 1);
    dBodySetAngularVel(b, 0, 3, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    ukLedger l;
    double rate = 3;
    for (int i = 0; i < 50; i++) { /* torque mu arm m g; its power is all that the energy loses */
        stepAll(w, 1, 0.001);
        const double now = dBodyGetAngularVel(b)[1];
        CHECK(ukWorldGetPower(w, &l) == 0);
        CHECK_NEAR(l.nonideal, -0.3 * 0.02 * 3 * g * (rate + now) / 2, 1e-9);
        CHECK_NEAR(l.nonideal, l.kinetic + l.potential, 1e-9);
        rate = now;
    }
    stepAll(w, 100, 0.01);
    l = ledgerOf(w);
    CHECK_NEAR(l.kinetic, 0, 1e-15);
    CHECK_NEAR(l.nonideal, -l.kinetic_start, 1e-9);
    CHECK_NEAR(causes(&l) - l.nonideal, 0, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dWorldDestroy(w);
}

/* An own law's power, measured by the law itself under RK4's weights, is what is booked and what is lost. */
static void wind(const struct ukNonIdealContext *context, dReal f[2][6], void *data)
{
    (void)data;
    for (int k = 0; k < 3; k++) f[0][3 + k] = -0.2 * context->rate[0] * fabs(context->rate[0]) * context->axis[0][k];
}

static void ownLaw(ukIntegrator integrator, double tolerance)
{
    const dWorldID w = newWorld();
    ukWorldSetIntegrator(w, integrator);
    const dBodyID b = box(w, 3, 0.5, 0, 0);
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    CHECK(ukJointSetNonIdeal(j, wind, NULL) == 0);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 1000, 0.001);
    const ukLedger l = ledgerOf(w);
    const double lost = l.kinetic_start + l.potential_start - l.kinetic - l.potential;
    CHECK(lost > 0.1);
    CHECK_NEAR(-l.nonideal, lost, tolerance);
    CHECK_NEAR(l.ideal, 0, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-10);
    dWorldDestroy(w);
}

/* a block that slides on a plane by a contact joint, and stops */
static void contactFriction(void)
{
    const dWorldID w = newWorld();
    const dBodyID b = box(w, 2, 0, 0, 0.1);
    const dJointGroupID group = dJointGroupCreate(0);
    dBodySetLinearVel(b, 1.5, 0, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 4; k++) {
            const dReal *x = dBodyGetPosition(b);
            dContact c = {
                .geom = {.normal = {0, 0, 1}, .pos = {x[0] + (k & 1 ? 0.2 : -0.2), x[1] + (k & 2 ? 0.15 : -0.15), 0}}};
            c.surface.mu = 0.3;
            c.surface.mode = dContactApprox1;
            dJointAttach(dJointCreateContact(w, group, &c), b, NULL);
        }
        stepAll(w, 1, 0.01);
        dJointGroupEmpty(group);
    }
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.kinetic, 0, 1e-12);
    CHECK_NEAR(l.contact_friction, -0.5 * 2 * 1.5 * 1.5, 1e-8);
    CHECK_NEAR(l.contact_normal, 0, 1e-8);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dJointGroupDestroy(group);
    dWorldDestroy(w);
}

/* a motor of force F drives a slider: F x; a body carried by a kinematic one: the ideal force works; damping, caps */
static void pushed(void)
{
    const double h = 0.01;
    dWorldID w = newWorld();
    dBodyID b = box(w, 2, 0, 0, 0);
    dJointID j = dJointCreateSlider(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetSliderAxis(j, 1, 0, 0);
    dJointSetSliderParam(j, dParamVel, 100);
    dJointSetSliderParam(j, dParamFMax, 6);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 100, h);
    ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.motors, 6 * 0.5 * 3, 1e-9);
    CHECK_NEAR(l.kinetic, 9, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-11);
    dWorldDestroy(w);
}

static void carried(void)
{
    const double h = 0.01;
    dWorldID w = newWorld();
    dBodyID b = box(w, 2, 0, 0, 0);
    const dBodyID car = box(w, 1, 0, 0, 1);
    dBodySetKinematic(car);
    dBodySetLinearVel(car, 0, 0, 2);
    dJointID j = dJointCreateFixed(w, NULL);
    dJointAttach(j, b, car);
    dJointSetFixed(j);
    dBodySetLinearVel(b, 0, 0, 2);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 50, h);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.ideal, 2 * g * 2 * 0.5, 1e-9); /* lifted by 1 m */
    CHECK_NEAR(l.potential - l.potential_start, l.ideal, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-10);
    dWorldDestroy(w);
}

static void damped(void)
{
    const double h = 0.01;
    dWorldID w = newWorld();
    dWorldSetGravity(w, 0, 0, 0);
    dBodyID b = box(w, 2, 0, 0, 0);
    dBodySetLinearVel(b, 3, 0, 0);
    dBodySetAngularVel(b, 0, 0, 8);
    dBodySetDamping(b, 0.1, 0.05);
    dBodySetMaxAngularSpeed(b, 5);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 10, h);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.damping, l.kinetic - l.kinetic_start, 1e-10);
    CHECK(l.damping < -5);
    CHECK_NEAR(l.residual, 0, 1e-12);
    dWorldDestroy(w);
}

static void putToSleep(void)
{
    const double h = 0.01;
    dWorldID w = newWorld();
    dWorldSetGravity(w, 0, 0, 0);
    dBodyID b = box(w, 2, 0, 0, 0);
    dJointID j = dJointCreateSlider(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetSliderAxis(j, 1, 0, 0);
    dBodySetAutoDisableDefaults(b);
    dBodySetAutoDisableFlag(b, 1);
    dBodySetLinearVel(b, 1e-3, 0, 0);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 30, h);
    const ukLedger l = ledgerOf(w);
    CHECK(!dBodyIsEnabled(b));
    CHECK_NEAR(l.sleeping, -0.5 * 2 * 1e-6, 1e-18);
    CHECK_NEAR(l.residual, 0, 1e-18);
    dWorldDestroy(w);
}

static void shake(dBodyID b)
{
    dBodySetLinearVel(b, 1, 2, 3);
}

static void failures(void)
{
    ukLedger l;
    dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    CHECK(ukWorldGetLedger(NULL, &l) < 0 && ukWorldGetLedger(w, NULL) < 0 && ukWorldResetLedger(NULL) < 0);
    CHECK(ukWorldSetLedger(NULL, 1) < 0 && ukWorldSetLedger(w, 1) == 0 && ukWorldSetLedger(w, 0) == 0);
    const dBodyID b = box(w, 2, 0, 0, 0);
    CHECK(ukWorldSetLedger(w, 1) == 0);
    stepAll(w, 10, 0.01);
    const ukLedger before = ledgerOf(w);
    dBodyAddForce(b, NAN, 0, 0);
    CHECK(ukWorldStep(w, 0.01) == 0); /* a failed step books nothing */
    l = ledgerOf(w);
    CHECK(memcmp(&l, &before, sizeof l) == 0);
    CHECK(ukWorldGetPower(w, &l) == 0 && l.time == 0 && l.kinetic == 0);
    CHECK(ukWorldGetPower(NULL, &l) < 0 && ukWorldGetPower(w, NULL) < 0);
    dBodySetForce(b, 0, 0, 0);
    dBodySetMovedCallback(b, shake);
    stepAll(w, 5, 0.01);
    l = ledgerOf(w);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(fabs(l.outside) > 1);
    dWorldDestroy(w);
}

/* ---- closure ----------------------------------------------------------------------------------------------------- */

static void addLaws(const RandomWorld *w, uint64_t seed)
{
    Random r = {.state = seed * 31 + 7};
    for (int i = 0; i < w->joints; i++) {
        if (dJointGetType(w->joint[i]) == dJointTypeContact) continue;
        if (randomBelow(&r, 2)) ukJointSetCoulomb(w->joint[i], randomUniform(&r, 0, 0.5), 0.05);
        if (randomBelow(&r, 2)) ukJointSetViscous(w->joint[i], randomUniform(&r, 0, 1));
    }
}

/* largest residual of the world's steps, over its turnover */
static double randomClosure(const RandomWorldKind *kind, int worlds, ukIntegrator integrator)
{
    double worst = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)worlds; seed++) {
        RandomWorld w;
        randomWorldBuild(&w, seed, kind);
        addLaws(&w, seed);
        ukWorldSetIntegrator(w.world, integrator);
        ukWorldResetLedger(w.world);
        for (int i = 0; i < 20; i++) {
            if (!CHECK(ukWorldStep(w.world, 0.01) == 1)) break;
            dBodyAddForce(w.body[0], 1, 0, 2);
        }
        const ukLedger l = ledgerOf(w.world);
        worst = fmax(worst, fabs(l.residual) / turnover(&l));
        randomWorldDestroy(&w);
    }
    return worst;
}

static void randomWorlds(void)
{
    const int all = randomEqualityTypes;
    const RandomWorldKind kinds[] = {
        {.types = all, .cfm_lo = 1e-9, .cfm_hi = 1e-2},
        {.types = all, .cfm_lo = 1e-9, .cfm_hi = 1e-2, .stops = 1, .bounded_motors = 1},
        {.types = all, .cfm_lo = 1e-9, .cfm_hi = 1e-2, .bounded_motors = 1, .contacts = 8, .friction = 1},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const double euler = randomClosure(&kinds[k], 150, ukIntegratorEuler);
        const double rk4 = randomClosure(&kinds[k], 150, ukIntegratorRK4);
        printf("random worlds of kind %d: residual/turnover %.2g (Euler), %.2g (RK4)\n", (int)k, euler, rk4);
        CHECK(euler <= 1e-9 && rk4 <= 1e-9);
    }
}

static void scenes(void)
{
    static const struct {
        const char *name;
        int n;
    } list[] = {{"chain", 20},   {"loop", 10},        {"tree", 15},   {"net", 4},      {"stack", 5},
                {"pyramid", 4},  {"pile", 12},        {"door", 2},    {"ragdolls", 1}, {"trap_door", 2},
                {"four_bar", 0}, {"slider_crank", 0}, {"bricard", 0}, {"flat_net", 3}, {"glued", 0}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        for (int rk4 = 0; rk4 < 2; rk4++) {
            Scene *s = strcmp(list[k].name, "glued") == 0 ? sceneGlued() : sceneByName(list[k].name, list[k].n);
            CHECK(s != NULL);
            ukWorldSetIntegrator(s->world, rk4 ? ukIntegratorRK4 : ukIntegratorEuler);
            ukWorldSetFriction(s->world, rk4 ? ukFrictionCone : ukFrictionOde);
            ukWorldResetLedger(s->world);
            double worst = 0;
            for (int i = 0; i < 150; i++) {
                CHECK(sceneStep(s, s->h, ukWorldStep) == 1);
                if (i % 30) continue;
                const ukLedger l = ledgerOf(s->world);
                worst = fmax(worst, fabs(l.residual) / turnover(&l));
            }
            const ukLedger l = ledgerOf(s->world);
            worst = fmax(worst, fabs(l.residual) / turnover(&l));
            if (!CHECK(worst <= 1e-9)) printf("%s %s: %.3g\n", list[k].name, rk4 ? "RK4" : "Euler", worst);
            CHECK_NEAR(l.outside, 0, 1e-9 * turnover(&l));
            sceneDestroy(s);
        }
    }
}

/* ---- constraints and forces of the user's ------------------------------------------------------------------------ */

/* two bodies on a spring of 50 N/m, unstretched at 0 m */
static int spring(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    for (int i = 0; i < 3; i++) {
        force[i] = 50 * (c->bodies[1].position[i] - c->bodies[0].position[i]);
        force[6 + i] = -force[i];
    }
    return 0;
}

/* body 0 goes up and down with z = 0.2 sin 3t */
static int lift(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[2] = 1;
    b[0] = -0.2 * 9 * sin(3 * c->time);
    return 0;
}

static int liftError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies[0].position[2] - 0.2 * sin(3 * c->time);
    psi[0] = c->bodies[0].velocity[2] - 0.2 * 3 * cos(3 * c->time);
    return 0;
}

static double stretched(dBodyID a, dBodyID b)
{
    const dReal *x = dBodyGetPosition(a), *y = dBodyGetPosition(b);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += 25 * (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

/* A lifted body carries another on a spring: the spring's work is what it stored, the lift's all the rest. */
static void users(ukIntegrator integrator, bool error, double tolerance)
{
    const dWorldID w = newWorld();
    const dBodyID pair[2] = {box(w, 2, 0, 0, 0), box(w, 1, 0.1, 0.2, -0.3)};
    ukWorldSetIntegrator(w, integrator);
    CHECK(ukForceCreate(w, pair, 2, spring, NULL) != NULL);
    const ukConstraintID c = ukConstraintCreate(w, 1, pair, 1, lift, NULL);
    CHECK(c != NULL && (!error || ukConstraintSetError(c, liftError, NULL) == 0));
    dBodySetLinearVel(pair[0], 0, 0, 0.6);
    CHECK(ukWorldResetLedger(w) == 0);
    const double stored = stretched(pair[0], pair[1]);
    double lifting = 0, last = 0; /* by the trapezoidal rule of its own force, F z' */
    for (int i = 0; i < 1000; i++) {
        double F[6];
        stepAll(w, 1, 0.001);
        CHECK(ukConstraintGetForce(c, F) == 0);
        const double power = F[2] * dBodyGetLinearVel(pair[0])[2];
        lifting += 0.001 * (i > 0 ? 0.5 * (power + last) : power);
        last = power;
    }
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(fabs(l.ideal) > 1 && fabs(l.applied) > 0.01);
    CHECK_NEAR(l.applied, stored - stretched(pair[0], pair[1]), tolerance);
    CHECK_NEAR(l.ideal, lifting, fmax(tolerance, 1e-5)); /* the rule's own error */
    CHECK_NEAR(l.integration + l.stabilization, 0, tolerance);
    dWorldDestroy(w);
}

/* RK4: what is left as `integration` falls with the fourth power of the step (Simpson's weights, and the state's) */
static void order(void)
{
    double left[2] = {0}, off[2] = {0};
    for (int k = 0; k < 2; k++) {
        const double h = k ? 0.005 : 0.01;
        Scene *s = sceneByName("chain", 3);
        ukWorldSetIntegrator(s->world, ukIntegratorRK4);
        for (int i = 0; i < s->joint_count; i++) CHECK(ukJointSetViscous(s->joints[i], 0.02) == 0);
        ukWorldResetLedger(s->world);
        for (int i = 0; i < (int)lround(0.5 / h); i++) CHECK(sceneStep(s, h, ukWorldStep) == 1);
        const ukLedger l = ledgerOf(s->world);
        left[k] = fabs(l.integration);
        off[k] = fabs(l.stabilization);
        CHECK(fabs(l.nonideal) > 1e-3 && fabs(l.ideal) < 1e-6);
        sceneDestroy(s);
    }
    printf("RK4, chain: integration %.3g -> %.3g J (x%.1f), stabilization %.3g -> %.3g J\n", left[0], left[1],
           left[0] / left[1], off[0], off[1]);
    CHECK(left[0] / left[1] > 10 && left[1] < 1e-5);
}

/* RK4 with dry friction: what a step has booked up to where a hinge stuck counts no more once it meets a stop and is
 * taken anew, as an Euler step. */
static void stickAndStop(void)
{
    const dWorldID w = newWorld();
    const dBodyID arm[2] = {box(w, 2, 0.3, 0, 0), box(w, 1, 0.6, 0, 0.2)};
    for (int i = 0; i < 2; i++) {
        const dJointID hinge = dJointCreateHinge(w, NULL);
        dJointAttach(hinge, arm[i], i ? arm[0] : NULL);
        dJointSetHingeAnchor(hinge, 0.4 * i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        CHECK(ukJointSetCoulomb(hinge, i ? 0.02 : 0.4, 0.1) == 0);
        if (!i) continue;
        dJointSetHingeParam(hinge, dParamLoStop, -0.5);
        dJointSetHingeParam(hinge, dParamHiStop, 0.5);
        dJointSetHingeParam(hinge, dParamBounce, 0.8);
    }
    ukWorldSetIntegrator(w, ukIntegratorRK4);
    CHECK(ukWorldResetLedger(w) == 0);
    int discrete = 0;
    for (int i = 0; i < 3000; i++) {
        ukReport r;
        dBodyAddForce(arm[0], 0, 0, 90 * sin(0.9 * i));
        stepAll(w, 1, 0.05);
        CHECK(ukWorldGetReport(w, &r) == 0);
        discrete += r.discrete_islands;
        const ukLedger l = ledgerOf(w);
        CHECK_NEAR(l.residual, 0, 1e-12 * turnover(&l));
    }
    CHECK(discrete > 20 && discrete < 2980); /* both forms */
    dWorldDestroy(w);
}

/* A body that tilts is set upright by the plane's rows, which ask for rates and yet are no motor: what they take of its
 * turning is stabilization, or of the form that steps. */
static void tilting(ukIntegrator integrator)
{
    const dWorldID w = newWorld();
    const dBodyID b = box(w, 2, 0, 0, 0);
    const dJointID plane = dJointCreatePlane2D(w, NULL);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    dJointAttach(plane, b, NULL);
    dBodySetAngularVel(b, 0.3, -0.2, 1);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 3, 0.01);
    const dReal *omega = dBodyGetAngularVel(b);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(omega[0], 0, 1e-14);
    CHECK(l.motors == 0);
    CHECK(l.stabilization + l.integration < -1e-3);
    CHECK_NEAR(l.residual, 0, 1e-14 * turnover(&l));
    dWorldDestroy(w);
}

static int push(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    for (int i = 0; i < c->count; i++) force[6 * i] = 3;
    return 0;
}

/* A force on an awake body and on one that sleeps, until a joint to an island further on wakes it within the step: what
 * it does there belongs to that island, which is gathered later. */
static void wokenByALaterIsland(void)
{
    const double h = 0.01, m = 2;
    const dWorldID w = newWorld();
    const dBodyID c = box(w, 1, 2, 0, 0), b = box(w, m, 1, 0, 0), a = box(w, m, 0, 0, 3), pushed[2] = {a, b};
    const dJointID hinge = dJointCreateHinge(w, NULL); /* ODE walks the newest body first: a, then c, which wakes b */
    dJointAttach(hinge, c, b);
    dBodyDisable(b);
    CHECK(ukForceCreate(w, pushed, 2, push, NULL) != NULL);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 1, h);
    CHECK(dBodyIsEnabled(b));
    const ukLedger first = ledgerOf(w);
    CHECK_NEAR(first.applied, 0.5 * m * (3 * h / m) * (3 * h / m), 1e-15); /* on a alone */
    CHECK_NEAR(first.residual, 0, 1e-12 * turnover(&first));
    for (int i = 0; i < 5; i++) {
        dBodyDisable(b); /* now there are frames of steps before */
        stepAll(w, 1, h);
        const ukLedger l = ledgerOf(w);
        CHECK_NEAR(l.residual, 0, 1e-12 * turnover(&l));
    }
    dWorldDestroy(w);
}

/* A callback that destroys its own body, the only one that has a callback: what was its energy went to the outside. */
static void destroyedByItsCallback(void)
{
    const dWorldID w = newWorld();
    const dBodyID b = box(w, 2, 0, 0, 5);
    box(w, 1, 3, 0, 0);
    dBodySetMovedCallback(b, dBodyDestroy);
    CHECK(ukWorldResetLedger(w) == 0);
    stepAll(w, 1, 0.01);
    const ukLedger l = ledgerOf(w);
    CHECK_NEAR(l.outside, -2 * g * 5, 0.1);
    CHECK_NEAR(l.residual, 0, 1e-14 * turnover(&l));
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    falling();
    friction(ukIntegratorEuler);
    friction(ukIntegratorRK4);
    ownLaw(ukIntegratorEuler, 0.05);
    ownLaw(ukIntegratorRK4, 1e-10);
    contactFriction();
    pushed();
    carried();
    damped();
    putToSleep();
    failures();
    users(ukIntegratorEuler, true, 0.02);
    users(ukIntegratorEuler, false, 0.02);
    users(ukIntegratorRK4, true, 1e-10);
    users(ukIntegratorRK4, false, 1e-10);
    randomWorlds();
    scenes();
    order();
    stickAndStop();
    tilting(ukIntegratorEuler);
    tilting(ukIntegratorRK4);
    wokenByALaterIsland();
    destroyedByItsCallback();
    dCloseODE();
    return ukTestEnd();
}

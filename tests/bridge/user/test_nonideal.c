/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-ideal constraints against closed forms: dry friction that slides, stops and stays, breakaway, viscous drag,
 * users' laws; both forms of the equations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

static const double g = 9.81;

typedef struct Rig {
    dWorldID world;
    dBodyID body;
    dJointID joint;
    double mass, inertia; /* [kg], about every axis [kg m^2] */
} Rig;

static Rig rig(ukIntegrator integrator, dJointID (*create)(dWorldID, dJointGroupID), bool swapped)
{
    Rig r = {.world = dWorldCreate(), .mass = 3, .inertia = 0.5};
    dMass mass;
    dMassSetParameters(&mass, r.mass, 0, 0, 0, r.inertia, r.inertia, r.inertia, 0, 0, 0);
    dWorldSetGravity(r.world, 0, 0, -g);
    dWorldSetCFM(r.world, 0);
    CHECK(ukWorldSetIntegrator(r.world, integrator) == 0);
    r.body = dBodyCreate(r.world);
    dBodySetMass(r.body, &mass);
    dBodySetFiniteRotationMode(r.body, 1); /* ODE's other one has a first-order error in the angle */
    r.joint = create(r.world, NULL);
    dJointAttach(r.joint, swapped ? NULL : r.body, swapped ? r.body : NULL);
    return r;
}

static Rig wheel(ukIntegrator integrator, bool swapped) /* horizontal axis through the centre: N = m g */
{
    const Rig r = rig(integrator, dJointCreateHinge, swapped);
    dJointSetHingeAnchor(r.joint, 0, 0, 0);
    dJointSetHingeAxis(r.joint, 0, 1, 0);
    return r;
}

static void step(const Rig *r, double h)
{
    ukReport report;
    if (!CHECK(ukWorldStep(r->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    ukWorldGetReport(r->world, &report);
    CHECK(report.ok == 1);
}

static void end(const Rig *r)
{
    dWorldDestroy(r->world);
}

static const ukIntegrator both[2] = {ukIntegratorEuler, ukIntegratorRK4};

/* torque mu arm m g against the turning; after the stop nothing moves any more */
static void wheelRunsDown(ukIntegrator integrator, double sign, bool swapped)
{
    const double mu = 0.3, arm = 0.02, w0 = 2 * sign, h = 0.01;
    const Rig r = wheel(integrator, swapped);
    const double torque = mu * arm * r.mass * g, slow = torque / r.inertia, stop = fabs(w0) / slow;
    CHECK(ukJointSetCoulomb(r.joint, mu, arm) == 0);
    dBodySetAngularVel(r.body, 0, w0, 0);
    const dReal *w = dBodyGetAngularVel(r.body);
    double turned = 0;
    for (int i = 1; i <= 800; i++) {
        step(&r, h);
        turned += h * w[1];
        const double t = i * h, expected = t < stop ? w0 - sign * slow * t : 0;
        if (t < stop || t > stop + h) CHECK_NEAR(w[1], expected, 1e-11);
        dReal ideal[2][6], nonideal[2][6];
        CHECK(ukJointGetForces(r.joint, ideal, nonideal) == 0);
        CHECK_NEAR(ideal[swapped][2], r.mass * g, 1e-9);
        CHECK_NEAR(ideal[swapped][4], 0, 1e-12);
        CHECK_NEAR(ideal[!swapped][2], 0, 0);
        if (t < stop - h) CHECK_NEAR(nonideal[swapped][4], -sign * torque, 1e-11);
        if (t > stop + h) CHECK_NEAR(nonideal[swapped][4], 0, 1e-11);
        if (t > stop + 2 * h) CHECK(fabs(w[1]) <= 1e-15);
    }
    CHECK(stop < 7);
    if (integrator == ukIntegratorRK4) turned = sign * 0.5 * w0 * w0 / slow; /* the moment of the stop is located */
    CHECK_NEAR(dJointGetHingeAngle(r.joint), remainder((swapped ? -1 : 1) * turned, 2 * M_PI), 1e-9);
    end(&r);
}

/* rest below the breakaway torque, to the bit; above it, the excess accelerates */
static void breakaway(ukIntegrator integrator)
{
    const double mu = 0.2, arm = 0.1, h = 0.01;
    const Rig r = wheel(integrator, false);
    const double limit = mu * arm * r.mass * g;
    CHECK(ukJointSetCoulomb(r.joint, mu, arm) == 0);
    dReal forces[2][6];
    for (int i = 0; i < 100; i++) {
        const double torque = limit * (i % 2 ? 0.999 : -0.999);
        dBodyAddTorque(r.body, 0, torque, 0);
        step(&r, h);
        CHECK(fabs(dBodyGetAngularVel(r.body)[1]) <= 1e-16);
        CHECK_NEAR(dBodyGetQuaternion(r.body)[2], 0, 1e-15);
        CHECK(ukJointGetForces(r.joint, NULL, forces) == 0);
        CHECK_NEAR(forces[0][4], -torque, 1e-10);
    }
    for (int i = 1; i <= 50; i++) {
        dBodyAddTorque(r.body, 0, -1.25 * limit, 0);
        step(&r, h);
        CHECK_NEAR(dBodyGetAngularVel(r.body)[1], -0.25 * limit / r.inertia * i * h, 1e-11);
    }
    end(&r);
}

/* a block on an incline; the slider's load is m g cos(angle) */
static void incline(ukIntegrator integrator, double angle, double mu, bool swapped)
{
    const double h = 0.01;
    const Rig r = rig(integrator, dJointCreateSlider, swapped);
    dJointSetSliderAxis(r.joint, cos(angle), 0, -sin(angle));
    CHECK(ukJointSetCoulomb(r.joint, mu, 0) == 0);
    const double a = tan(angle) > mu ? g * (sin(angle) - mu * cos(angle)) : 0;
    for (int i = 1; i <= 100; i++) {
        step(&r, h);
        const dReal *v = dBodyGetLinearVel(r.body);
        CHECK_NEAR(v[0], a * i * h * cos(angle), 1e-11);
        CHECK_NEAR(v[2], -a * i * h * sin(angle), 1e-11);
    }
    /* pushed uphill: slower by gravity and friction, then rest or down again */
    const double v0 = -2, up = g * (sin(angle) + mu * cos(angle)), top = -v0 / up;
    dBodySetLinearVel(r.body, v0 * cos(angle), 0, -v0 * sin(angle));
    const int steps = 200;
    for (int i = 1; i <= steps; i++) step(&r, h);
    const double speed = a * (steps * h - top), found = dBodyGetLinearVel(r.body)[0] / cos(angle);
    CHECK_NEAR(found, speed, integrator == ukIntegratorRK4 ? 1e-9 : up * h); /* Euler stops within its step */
    if (a == 0) CHECK(fabs(found) <= 1e-14);
    end(&r);
}

/* viscous: Euler is implicit in it, w /= 1 + c h / I, however large; RK4 follows exp(-c t / I) */
static void viscous(double c, bool swapped)
{
    const double h = 0.01, w0 = 5;
    const Rig e = wheel(ukIntegratorEuler, swapped), k = wheel(ukIntegratorRK4, swapped);
    dBodySetAngularVel(e.body, 0, w0, 0);
    dBodySetAngularVel(k.body, 0, w0, 0);
    CHECK(ukJointSetViscous(e.joint, c) == 0 && ukJointSetViscous(k.joint, c) == 0);
    for (int i = 1; i <= 100; i++) {
        step(&e, h);
        CHECK_NEAR(dBodyGetAngularVel(e.body)[1], w0 * pow(1 + c * h / e.inertia, -i), 1e-11);
        if (c > 10) continue;
        step(&k, h);
        CHECK_NEAR(dBodyGetAngularVel(k.body)[1], w0 * exp(-c * i * h / k.inertia), 1e-9);
    }
    dReal forces[2][6];
    step(&e, h);
    CHECK(ukJointGetForces(e.joint, NULL, forces) == 0);
    CHECK_NEAR(forces[swapped][4], -c * dBodyGetAngularVel(e.body)[1], 1e-10);
    end(&e);
    end(&k);
}

/* Dry and viscous friction at once; the wheel still stops: I w' = -T - c w. */
static void dryAndViscous(void)
{
    const double mu = 0.2, arm = 0.05, c = 0.3, w0 = 3, h = 1e-3;
    const Rig r = wheel(ukIntegratorRK4, false);
    const double T = mu * arm * r.mass * g, stop = r.inertia / c * log(1 + c * w0 / T);
    CHECK(ukJointSetCoulomb(r.joint, mu, arm) == 0 && ukJointSetViscous(r.joint, c) == 0);
    dBodySetAngularVel(r.body, 0, w0, 0);
    for (int i = 1; i <= (int)(1.2 * stop / h); i++) {
        step(&r, h);
        const double w = i * h < stop ? (w0 + T / c) * exp(-c * i * h / r.inertia) - T / c : 0;
        CHECK_NEAR(dBodyGetAngularVel(r.body)[1], w, 1e-9);
    }
    end(&r);
}

/* A ball joint's three rotations slide as one: the torque is against the spin, whatever its direction. */
static void ballIsIsotropic(ukIntegrator integrator)
{
    const double mu = 0.4, arm = 0.03, h = 0.01, w0[3] = {1.1, -0.7, 0.4};
    const Rig r = rig(integrator, dJointCreateBall, false);
    dJointSetBallAnchor(r.joint, 0, 0, 0);
    CHECK(ukJointSetCoulomb(r.joint, mu, arm) == 0);
    dBodySetAngularVel(r.body, w0[0], w0[1], w0[2]);
    const double size = sqrt(w0[0] * w0[0] + w0[1] * w0[1] + w0[2] * w0[2]), slow = mu * arm * r.mass * g / r.inertia;
    for (int i = 1; i <= 300; i++) {
        step(&r, h);
        const double left = fmax(0, 1 - slow * i * h / size);
        const double expected[3] = {left * w0[0], left * w0[1], left * w0[2]};
        if (fabs(size - slow * i * h) > slow * h) CHECK_NEAR_ALL(dBodyGetAngularVel(r.body), expected, 3, 1e-10);
    }
    const dReal *w = dBodyGetAngularVel(r.body);
    CHECK(slow * 3 > 1.05 * size && fabs(w[0]) + fabs(w[1]) + fabs(w[2]) <= 1e-15);
    /* breakaway in any direction */
    const double limit = mu * arm * r.mass * g, u[3] = {0.6, 0, 0.8};
    for (int i = 0; i < 20; i++) {
        dBodyAddTorque(r.body, 0.99 * limit * u[0], 0, 0.99 * limit * u[2]);
        step(&r, h);
        CHECK(fabs(w[0]) + fabs(w[1]) + fabs(w[2]) <= 1e-15);
    }
    for (int i = 1; i <= 20; i++) {
        dBodyAddTorque(r.body, 1.1 * limit * u[0], 0, 1.1 * limit * u[2]);
        step(&r, h);
        const double rate = 0.1 * limit / r.inertia * i * h, expected[3] = {rate * u[0], 0, rate * u[2]};
        CHECK_NEAR_ALL(w, expected, 3, 1e-10);
    }
    end(&r);
}

/* Unequal inertia: the torque has its full size and is against the spin at the end of the step, to rounding. */
static void ballOfUnequalInertia(void)
{
    const double mu = 0.4, arm = 0.05, h = 0.01;
    const Rig r = rig(ukIntegratorEuler, dJointCreateBall, false);
    dMass mass;
    dMassSetParameters(&mass, r.mass, 0, 0, 0, 0.1, 0.5, 0.55, 0.02, 0, 0.01);
    dBodySetMass(r.body, &mass);
    dJointSetBallAnchor(r.joint, 0, 0, 0);
    CHECK(ukJointSetCoulomb(r.joint, mu, arm) == 0);
    dBodySetAngularVel(r.body, 2, -3, 1);
    const dReal *w = dBodyGetAngularVel(r.body);
    const double bound = mu * arm * r.mass * g;
    int slid = 0;
    for (int i = 0; i < 400; i++) {
        step(&r, h);
        dReal forces[2][6], cross[3];
        CHECK(ukJointGetForces(r.joint, NULL, forces) == 0);
        const dReal *f = forces[0] + 3;
        const double size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        const double friction = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        CHECK(friction <= bound * (1 + 1e-9));
        if (size < 1e-12) continue;
        slid++;
        CHECK_NEAR(friction, bound, 1e-8 * bound);
        for (int k = 0; k < 3; k++) cross[k] = w[(k + 1) % 3] * f[(k + 2) % 3] - w[(k + 2) % 3] * f[(k + 1) % 3];
        CHECK(w[0] * f[0] + w[1] * f[1] + w[2] * f[2] < 0);
        CHECK(fabs(cross[0]) + fabs(cross[1]) + fabs(cross[2]) <= 1e-7 * size * bound);
    }
    CHECK(slid > 20 && slid < 395);
    end(&r);
}

/* Nothing presses on the bearing but what is left of its misfit, less each step until it is no number: so is friction.
 */
static void loadThatVanishes(ukIntegrator integrator)
{
    const Rig r = rig(integrator, dJointCreateBall, false);
    dWorldSetGravity(r.world, 0, 0, 0);
    dJointSetBallAnchor(r.joint, 0, 0, 0);
    dBodySetPosition(r.body, 0, 0, 1e-3);
    dBodySetAngularVel(r.body, 0.1, 0.2, 0.3);
    CHECK(ukJointSetCoulomb(r.joint, 0.3, 0.05) == 0);
    for (int i = 0; i < 4000; i++) step(&r, 0.01);
    end(&r);
}

/* Plane2D: a block sliding on the plane stops after v^2/(2 mu g), in its own direction. */
static void planeIsIsotropic(ukIntegrator integrator)
{
    const double mu = 0.25, h = 0.01, v0[2] = {0.9, 1.2}, v = 1.5;
    const Rig r = rig(integrator, dJointCreatePlane2D, false);
    CHECK(ukJointSetCoulomb(r.joint, mu, 0.1) == 0);
    dBodySetLinearVel(r.body, v0[0], v0[1], 0);
    for (int i = 0; i < 100; i++) step(&r, h);
    const dReal *x = dBodyGetPosition(r.body), *u = dBodyGetLinearVel(r.body);
    const double way = v * v / (2 * mu * g), late = integrator == ukIntegratorEuler ? v * h : 1e-9;
    CHECK_NEAR(hypot(x[0], x[1]), way, late);
    CHECK_NEAR(x[0] * v0[1] - x[1] * v0[0], 0, 1e-12);
    CHECK(fabs(u[0]) + fabs(u[1]) <= 1e-15);
    end(&r);
}

/* Two hinges on one axis: rows are dependent, the load is split, the friction of the whole is not less for it. */
static void redundantHinges(ukIntegrator integrator)
{
    const double mu = 0.3, arm = 0.02, h = 0.01, w0 = 1;
    const Rig r = wheel(integrator, false);
    const dJointID second = dJointCreateHinge(r.world, NULL);
    dJointAttach(second, r.body, NULL);
    dJointSetHingeAnchor(r.joint, 0, -0.5, 0);
    dJointSetHingeAnchor(second, 0, 0.5, 0);
    dJointSetHingeAxis(second, 0, 1, 0);
    CHECK(ukJointSetCoulomb(r.joint, mu, arm) == 0 && ukJointSetCoulomb(second, mu, arm) == 0);
    dBodySetAngularVel(r.body, 0, w0, 0);
    const double slow = mu * arm * r.mass * g / r.inertia;
    for (int i = 1; i <= 400; i++) {
        step(&r, h);
        const double t = i * h, w = dBodyGetAngularVel(r.body)[1];
        if (fabs(t - w0 / slow) > h) CHECK_NEAR(w, fmax(0, w0 - slow * t), 1e-9);
        dReal one[2][6], two[2][6];
        CHECK(ukJointGetForces(r.joint, one, NULL) == 0 && ukJointGetForces(second, two, NULL) == 0);
        CHECK_NEAR(one[0][2] + two[0][2], r.mass * g, 1e-7);
    }
    CHECK(w0 / slow < 3.5 && fabs(dBodyGetAngularVel(r.body)[1]) <= 1e-14);
    end(&r);
}

/* A door (2 m x 1 m of 10 kg) with dry friction in its hinge stops and stays there; the RK4 step that stops it ends
 * where the energy of the turning is used up: 1/2 I w^2 = torque x angle, N = m g (and m r w^2 across: the sum's size).
 */
static void doorStops(ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    dWorldSetCFM(world, 0);
    ukWorldSetIntegrator(world, integrator);
    const dBodyID door = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 10, 1, 0.04, 2);
    dBodySetMass(door, &mass);
    dBodySetPosition(door, 0.5, 0, 1);
    const dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, door, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 1);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    CHECK(ukJointSetCoulomb(hinge, 0.5, 0.02) == 0);
    dBodySetAngularVel(door, 0, 0, 1.5);
    dBodySetLinearVel(door, 0, 0.75, 0);
    const double I = mass.I[10] + 10 * 0.25;
    /* oracle: I w dw/dtheta = -mu arm N(w), N^2 = (m g)^2 + (m r w^2)^2 + (m r w')^2, w' = 0 without friction */
    double theta = 0;
    for (int i = 0; i < 100000; i++) {
        const double w = 1.5 * (1 - (i + 0.5) / 100000), N = hypot(10 * g, 10 * 0.5 * w * w);
        theta += I * w / (0.5 * 0.02 * N) * 1.5 / 100000;
    }
    dReal at = 0;
    for (int i = 0; i < 1200; i++) {
        CHECK(ukWorldStep(world, 0.01) == 1);
        if (i == 900) at = dJointGetHingeAngle(hinge);
        if (i > 900)
            CHECK(fabs(dJointGetHingeAngle(hinge) - at) <= 1e-13 && fabs(dJointGetHingeAngleRate(hinge)) <= 1e-15);
    }
    CHECK_NEAR(remainder(at - theta, 2 * M_PI), 0, integrator == ukIntegratorRK4 ? 1e-7 : 0.02);
    dWorldDestroy(world);
}

/* ---- laws of the user's ------------------------------------------------------------------------------------------ */

typedef struct Law {
    double linear, quadratic, static_load, dry, stribeck; /* of the examples below */
    int calls;
    dReal rate, size;
} Law;

/* -c v - k |v| v - (dry + (static - dry) exp(-(v/vs)^2)) tanh(v / 1e-3) along the first free axis */
static void drag(const struct ukNonIdealContext *context, dReal f[2][6], void *data)
{
    Law *law = data;
    const double v = context->rate[0];
    double F = -law->linear * v - law->quadratic * fabs(v) * v;
    if (law->dry > 0)
        F -=
            (law->dry + (law->static_load - law->dry) * exp(-v * v / (law->stribeck * law->stribeck))) * tanh(v / 1e-3);
    law->calls++;
    law->rate = v;
    CHECK(context->axes == 1 && context->stepsize > 0);
    for (int k = 0; k < 3; k++)
        for (int body = 0; body < 2; body++)
            f[body][context->is_translation[0] ? k : 3 + k] = (body ? -1 : 1) * F * context->axis[0][k];
}

/* m v' = -k |v| v: v = v0/(1 + k v0 t/m); and a law that feeds: v' = c v/m */
static void quadraticDrag(bool swapped)
{
    Law law = {.quadratic = 0.8}, feed = {.linear = -0.5};
    const double h = 0.01, v0 = -3;
    const Rig r = rig(ukIntegratorRK4, dJointCreateSlider, swapped),
              s = rig(ukIntegratorRK4, dJointCreateSlider, false);
    dJointSetSliderAxis(r.joint, 1, 0, 0);
    dJointSetSliderAxis(s.joint, 1, 0, 0);
    CHECK(ukJointSetNonIdeal(r.joint, drag, &law) == 0 && ukJointSetNonIdeal(s.joint, drag, &feed) == 0);
    dBodySetLinearVel(r.body, v0, 0, 0);
    dBodySetLinearVel(s.body, v0, 0, 0);
    for (int i = 1; i <= 100; i++) {
        step(&r, h);
        step(&s, h);
        CHECK_NEAR(dBodyGetLinearVel(r.body)[0], v0 / (1 + 0.8 * fabs(v0) * i * h / r.mass), 1e-9);
        CHECK_NEAR(dBodyGetLinearVel(s.body)[0], v0 * exp(0.5 * i * h / s.mass), 1e-9);
    }
    CHECK(law.calls >= 400);
    end(&r);
    end(&s);
}

/* Stribeck: the force falls with the speed; a mass on a spring whose end is pulled sticks and slips. The law is a
 * user's, smoothed at zero; what is checked is that each speed has the force of the curve. */
static void stribeck(void)
{
    Law law = {.static_load = 5, .dry = 3, .stribeck = 0.1, .linear = 0.2};
    const Rig r = rig(ukIntegratorEuler, dJointCreateSlider, false);
    dJointSetSliderAxis(r.joint, 1, 0, 0);
    CHECK(ukJointSetNonIdeal(r.joint, drag, &law) == 0);
    dBodySetLinearVel(r.body, 0.4, 0, 0);
    for (int i = 0; i < 200; i++) {
        const double v = dBodyGetLinearVel(r.body)[0];
        const double F = -(3 + 2 * exp(-v * v / 0.01)) * tanh(v / 1e-3) - 0.2 * v;
        step(&r, 1e-4);
        dReal forces[2][6];
        CHECK(ukJointGetForces(r.joint, NULL, forces) == 0);
        CHECK_NEAR(forces[0][0], F, 1e-10);
        CHECK_NEAR(dBodyGetLinearVel(r.body)[0], v + 1e-4 * F / r.mass, 1e-13);
    }
    end(&r);
}

/* The worked example of Udwadia & Kalaba with C = -|v| v / 2: the same path, time t(tau) = ln(1 + a sqrt2 t)/(a sqrt2)
 */
static int knife(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = -c->bodies[0].position[2];
    A[1] = 1;
    b[0] = c->bodies[0].velocity[2] * c->bodies[0].velocity[0];
    return 0;
}

static void resist(const struct ukConstraintContext *c, const dReal *ideal, dReal *force, void *data)
{
    const dReal *v = c->bodies[0].velocity, size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    (void)data;
    CHECK(ideal[3] == 0 && force[0] == 0);
    for (int k = 0; k < 3; k++) force[k] = -0.5 * size * v[k];
}

static void nonholonomicWithLaw(void)
{
    const dWorldID world = dWorldCreate();
    ukWorldSetIntegrator(world, ukIntegratorRK4);
    const dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 0.1);
    dBodySetMass(body, &mass);
    dBodySetLinearVel(body, 1, 0, 1);
    const ukConstraintID c = ukConstraintCreate(world, 1, &body, 1, knife, NULL);
    CHECK(ukConstraintSetNonIdeal(c, resist, NULL) == 0);
    for (int i = 1; i <= 10000; i++) {
        CHECK(ukWorldStep(world, 1e-3) == 1);
        const double k = 0.5 * sqrt(2), t = log(1 + k * i * 1e-3) / k;
        const double x[3] = {asinh(t), sqrt(1 + t * t) - 1, t};
        if (i % 100 == 0) CHECK_NEAR_ALL(dBodyGetPosition(body), x, 3, 1e-9);
    }
    dWorldDestroy(world);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void poison(const struct ukNonIdealContext *context, dReal f[2][6], void *data)
{
    (void)context;
    f[0][1] = *(const double *)data;
}

static void poisonConstraint(const struct ukConstraintContext *context, const dReal *ideal, dReal *force, void *data)
{
    (void)context;
    (void)ideal;
    force[5] = *(const double *)data;
}

static void meddle(const struct ukNonIdealContext *context, dReal f[2][6], void *data)
{
    f[0][0] = 0;
    *(int *)data = ukJointSetCoulomb(context->joint, 0.1, 0.1);
}

static void badInput(ukIntegrator integrator)
{
    const Rig r = wheel(integrator, false);
    double bad = NAN;
    dReal before[7], forces[6];
    CHECK(ukJointSetCoulomb(NULL, 0.1, 0.1) < 0 && ukJointSetViscous(NULL, 0.1) < 0);
    CHECK(ukJointSetNonIdeal(NULL, drag, NULL) < 0 && ukJointGetForces(NULL, NULL, NULL) < 0);
    CHECK(ukJointSetCoulomb(r.joint, NAN, 0.1) < 0 && ukJointSetCoulomb(r.joint, 0.1, NAN) < 0);
    CHECK(ukJointSetCoulomb(r.joint, -0.1, 0.1) < 0 && ukJointSetCoulomb(r.joint, 0.1, -0.1) < 0);
    CHECK(ukJointSetCoulomb(r.joint, INFINITY, 0.1) < 0 && ukJointSetViscous(r.joint, NAN) < 0);
    CHECK(ukJointSetViscous(r.joint, -1) < 0 && ukJointSetViscous(r.joint, INFINITY) < 0);
    const dJointID fixed = dJointCreateFixed(r.world, NULL), motor = dJointCreateAMotor(r.world, NULL);
    CHECK(ukJointSetCoulomb(fixed, 0.1, 0.1) < 0 && ukJointSetViscous(fixed, 0.1) < 0);
    CHECK(ukJointSetCoulomb(motor, 0.1, 0.1) < 0 && strlen(ukGetLastErrorMessage()) > 0);
    CHECK(ukJointSetCoulomb(fixed, 0, 0) < 0);
    dJointDestroy(fixed);
    dJointDestroy(motor);

    dBodySetAngularVel(r.body, 0, 1, 0);
    step(&r, 0.01);
    memcpy(before, dBodyGetQuaternion(r.body), 4 * sizeof(dReal));
    memcpy(before + 4, dBodyGetAngularVel(r.body), 3 * sizeof(dReal));
    for (int k = 0; k < 4; k++) {
        ukConstraintID c = NULL;
        bad = k % 2 ? -INFINITY : NAN;
        if (k < 2) {
            CHECK(ukJointSetNonIdeal(r.joint, poison, &bad) == 0);
        } else {
            c = ukConstraintCreate(r.world, 1, &r.body, 1, knife, NULL);
            CHECK(ukConstraintSetNonIdeal(c, poisonConstraint, &bad) == 0);
        }
        CHECK(ukWorldStep(r.world, 0.01) == 0);
        CHECK(strcmp(ukGetErrorString(ukGetLastError()), ukGetErrorString(-13)) == 0);
        CHECK(memcmp(before, dBodyGetQuaternion(r.body), 4 * sizeof(dReal)) == 0);
        CHECK(memcmp(before + 4, dBodyGetAngularVel(r.body), 3 * sizeof(dReal)) == 0);
        CHECK(ukJointSetNonIdeal(r.joint, NULL, NULL) == 0);
        if (c) {
            CHECK(ukConstraintSetCoulomb(c, NAN) < 0 && ukConstraintSetCoulomb(c, -1) < 0);
            CHECK(ukConstraintGetNonIdealForce(c, NULL) < 0 && ukConstraintGetNonIdealForce(c, forces) == 0);
            ukConstraintDestroy(c);
            CHECK(ukConstraintSetCoulomb(c, 0.1) < 0 && ukConstraintSetNonIdeal(c, NULL, NULL) < 0);
        }
    }
    int status = 0;
    CHECK(ukJointSetNonIdeal(r.joint, meddle, &status) == 0);
    step(&r, 0.01);
    CHECK(status < 0); /* not from within a step */
    end(&r);
}

/* Laws come and go with their joints; without any, a step is what it was. */
static void lawsComeAndGo(void)
{
    const Rig r = wheel(ukIntegratorEuler, false), plain = wheel(ukIntegratorEuler, false);
    dBodySetAngularVel(r.body, 0, 1, 0);
    dBodySetAngularVel(plain.body, 0, 1, 0);
    CHECK(ukJointSetCoulomb(r.joint, 0.1, 0.1) == 0 && ukJointSetCoulomb(r.joint, 0, 0) == 0);
    CHECK(ukJointSetViscous(r.joint, 1) == 0 && ukJointSetViscous(r.joint, 0) == 0);
    for (int i = 0; i < 50; i++) {
        const dJointID extra = dJointCreateBall(r.world, NULL);
        dJointAttach(extra, r.body, NULL);
        dJointSetBallAnchor(extra, 0, 0.1, 0);
        CHECK(ukJointSetCoulomb(extra, 0.5, 0.1) == 0);
        dJointDestroy(extra);
        step(&r, 0.01);
        step(&plain, 0.01);
        CHECK(memcmp(dBodyGetQuaternion(r.body), dBodyGetQuaternion(plain.body), 4 * sizeof(dReal)) == 0);
    }
    end(&r);
    end(&plain);
}

/* ODE's feedback is the whole force: what the joint really does to its bodies. */
static void feedbackIsTheWhole(void)
{
    const Rig r = wheel(ukIntegratorEuler, false);
    dJointFeedback feedback;
    dReal ideal[2][6], nonideal[2][6];
    dJointSetFeedback(r.joint, &feedback);
    CHECK(ukJointSetCoulomb(r.joint, 0.2, 0.05) == 0 && ukJointSetViscous(r.joint, 0.1) == 0);
    dBodySetAngularVel(r.body, 0, 4, 0);
    step(&r, 0.01);
    CHECK(ukJointGetForces(r.joint, ideal, nonideal) == 0);
    CHECK_NEAR(feedback.t1[1], ideal[0][4] + nonideal[0][4], 1e-14);
    CHECK_NEAR(feedback.t1[1], r.inertia * (dBodyGetAngularVel(r.body)[1] - 4) / 0.01, 1e-9);
    CHECK_NEAR(feedback.f1[2], r.mass * g, 1e-9);
    end(&r);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < 2; k++) {
        for (int swapped = 0; swapped < 2; swapped++) {
            wheelRunsDown(both[k], 1, swapped);
            wheelRunsDown(both[k], -1, swapped);
            incline(both[k], 0.5, 0.3, swapped);
            incline(both[k], 0.5, 0.7, swapped);
        }
        breakaway(both[k]);
        ballIsIsotropic(both[k]);
        loadThatVanishes(both[k]);
        planeIsIsotropic(both[k]);
        redundantHinges(both[k]);
        doorStops(both[k]);
        badInput(both[k]);
    }
    for (int swapped = 0; swapped < 2; swapped++) {
        viscous(0.4, swapped);
        viscous(1e5, swapped);
        quadraticDrag(swapped);
    }
    dryAndViscous();
    ballOfUnequalInertia();
    stribeck();
    nonholonomicWithLaw();
    lawsComeAndGo();
    feedbackIsTheWhole();
    dCloseODE();
    return ukTestEnd();
}

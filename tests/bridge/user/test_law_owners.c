/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of contacts, stops and motors, and laws that feed in energy: closed forms, both orders of attachment, the ledger
 * and the check, under every integrator. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"

static const double g = 9.81, m = 2, R = 0.3, h = 0.01;

static const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};

typedef struct Rig {
    dWorldID world;
    dBodyID body;
    dJointID joint;
    double inertia; /* about every axis */
} Rig;

static Rig rig(ukIntegrator integrator)
{
    Rig r = {.world = dWorldCreate(), .inertia = 0.4 * m * R * R};
    dMass mass;
    dMassSetSphereTotal(&mass, m, R);
    dWorldSetGravity(r.world, 0, 0, -g);
    dWorldSetCFM(r.world, 0);
    CHECK(ukWorldSetIntegrator(r.world, integrator) == 0 && ukWorldSetGaussCheck(r.world, 1e-9, ukCheckStop) == 0);
    r.body = dBodyCreate(r.world);
    dBodySetMass(r.body, &mass);
    dBodySetPosition(r.body, 0, 0, R);
    return r;
}

static void step(const Rig *r)
{
    ukReport report;
    if (!CHECK(ukWorldStep(r->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    ukWorldGetReport(r->world, &report);
    CHECK(report.ok == 1);
}

/* a step on the ground, of a contact made for it; the law is that of the contact */
static void stepOnGround(const Rig *r, double mu, bool swapped, ukNonIdealFn *law, void *data)
{
    const dReal *x = dBodyGetPosition(r->body);
    const double side = swapped ? -1 : 1;
    dContact c = {.surface.mu = mu, .geom = {.pos = {x[0], x[1], 0}, .normal = {0, 0, side}}};
    const dJointID contact = dJointCreateContact(r->world, NULL, &c);
    dJointAttach(contact, swapped ? NULL : r->body, swapped ? r->body : NULL);
    CHECK(ukJointSetNonIdeal(contact, law, data) == 0);
    step(r);
    dReal ideal[2][6], nonideal[2][6];
    CHECK(ukJointGetForces(contact, ideal, nonideal) == 0);
    CHECK_NEAR(ideal[swapped][2], m * g, 1e-9);
    dJointDestroy(contact);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* the first body of a context that is not the static world */
static int bodyOf(const ukNonIdealContext *c)
{
    return c->body[0] ? 0 : 1;
}

static double length3(const dReal *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* a couple of arm x normal force against the rolling */
static void rollingResistance(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const double arm = *(const double *)data;
    const int k = bodyOf(c);
    const dReal *w = c->body[k]->spin;
    const double spin = hypot(w[0], w[1]), couple = arm * length3(c->stop[k]);
    CHECK_NEAR(c->stop[k][2], m * g, 1e-9); /* the normal force alone; friction is in `motor` */
    CHECK(c->axes == 0 && c->motor[k][2] == 0);
    CHECK_NEAR(c->stop[k][0] + c->motor[k][0], c->ideal[k][0], 1e-12);
    for (int i = 0; i < 2 && spin > 0; i++) force_and_torque[k][3 + i] = -couple * w[i] / spin;
}

/* v' = -(5/7) g arm/R: about the point of contact the couple is all that acts */
static void ballRollsOut(ukIntegrator integrator, bool swapped)
{
    double arm = 0.004;
    const double v0 = 1.5, slows = 5. / 7 * g * arm / R;
    const Rig r = rig(integrator);
    dBodySetLinearVel(r.body, v0, 0, 0);
    dBodySetAngularVel(r.body, 0, v0 / R, 0);
    CHECK(ukWorldResetLedger(r.world) == 0);
    for (int i = 1; i <= 100; i++) {
        stepOnGround(&r, dInfinity, swapped, rollingResistance, &arm);
        CHECK_NEAR(dBodyGetLinearVel(r.body)[0], v0 - slows * i * h, 1e-9);
    }
    ukLedger l;
    CHECK(ukWorldGetLedger(r.world, &l) == 0);
    CHECK_NEAR(l.nonideal + l.integration, l.kinetic - l.kinetic_start, 1e-9);
    CHECK(l.nonideal < -0.1 && fabs(l.integration) < 0.01 * fabs(l.nonideal));
    CHECK_NEAR(l.residual, 0, 1e-11);
    dWorldDestroy(r.world);
}

typedef struct Belt {
    double velocity, coefficient; /* [m/s], [s/m]: drag per load and relative velocity */
} Belt;

/* a belt drags what lies on it by a force in proportion to load and relative velocity; velocity 0: viscous ground */
static void belt(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const Belt *b = data;
    const int k = bodyOf(c);
    const double load = length3(c->stop[k]);
    force_and_torque[k][0] = -b->coefficient * load * (c->body[k]->velocity[0] - b->velocity);
    force_and_torque[k][1] = -b->coefficient * load * c->body[k]->velocity[1];
}

static void carried(ukIntegrator integrator, bool swapped, double velocity)
{
    Belt b = {.velocity = velocity, .coefficient = 0.3};
    const Rig r = rig(integrator);
    double v = 1;
    dBodySetLinearVel(r.body, v, 0.5, 0);
    CHECK(ukWorldResetLedger(r.world) == 0);
    for (int i = 1; i <= 100; i++) {
        stepOnGround(&r, 0, swapped, belt, &b);
        v -= h * b.coefficient * g * (v - velocity); /* the discrete form, whatever the integrator */
        CHECK_NEAR(dBodyGetLinearVel(r.body)[0], v, 1e-12);
        CHECK_NEAR(dBodyGetLinearVel(r.body)[1], 0.5 * pow(1 - h * b.coefficient * g, i), 1e-12);
    }
    ukLedger l;
    CHECK(ukWorldGetLedger(r.world, &l) == 0);
    CHECK(velocity > 0 ? l.nonideal > 0 : l.nonideal < 0); /* the belt feeds in energy */
    CHECK_NEAR(l.residual, 0, 1e-11);
    dWorldDestroy(r.world);
}

/* ---- stops and motors -------------------------------------------------------------------------------------------- */

static const double thrust = 0.005; /* coefficient x radius of the thrust bearing [m] */

/* friction about the axis of a piston by the force of the stop of its sliding, a thrust bearing */
static void thrustBearing(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    double *borne = data;
    for (int i = 0; i < c->axes; i++) {
        if (c->is_translation[i]) continue;
        *borne = length3(c->stop[0]) + length3(c->stop[1]) * !c->body[0];
        const double f = -thrust * *borne * (c->rate[i] > 0 ? 1 : c->rate[i] < 0 ? -1 : 0);
        for (int k = 0; k < 3; k++)
            force_and_torque[0][3 + k] = f * c->axis[i][k], force_and_torque[1][3 + k] = -f * c->axis[i][k];
    }
}

/* free, it keeps its spin; at the stop the spin falls by thrust m g t/I */
static void stops(ukIntegrator integrator, bool swapped)
{
    const double w0 = 40;
    double borne = -1;
    const Rig r = rig(integrator);
    const dJointID piston = dJointCreatePiston(r.world, NULL);
    dJointAttach(piston, swapped ? NULL : r.body, swapped ? r.body : NULL);
    dJointSetPistonAnchor(piston, 0, 0, 0);
    dJointSetPistonAxis(piston, 0, 0, 1);
    dJointSetPistonParam(piston, dParamLoStop, swapped ? -10 : -0.05); /* 5 cm below */
    dJointSetPistonParam(piston, dParamHiStop, swapped ? 0.05 : 10);
    CHECK(ukJointSetNonIdeal(piston, thrustBearing, &borne) == 0);
    dBodySetAngularVel(r.body, 0, 0, w0);
    for (int i = 1; i <= 5; i++) step(&r);
    CHECK_NEAR(borne, 0, 0);
    CHECK_NEAR(dBodyGetAngularVel(r.body)[2], w0, 1e-12);
    for (int i = 1; i <= 150; i++) step(&r); /* it settles, by ERP */
    CHECK_NEAR(borne, m * g, 1e-6);
    const double from = dBodyGetAngularVel(r.body)[2];
    for (int i = 1; i <= 100; i++) {
        step(&r);
        CHECK_NEAR(dBodyGetAngularVel(r.body)[2], from - thrust * m * g / r.inertia * i * h, 1e-5);
    }
    dWorldDestroy(r.world);
}

static const double loss = 0.25; /* of the motor's force */

/* a gear whose friction, a part of the force that its motor has to give, opposes the motion */
static void gearLoss(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const int k = bodyOf(c);
    (void)data;
    CHECK_NEAR(c->motor[k][2], m * g, 1e-8);
    CHECK_NEAR(length3(c->stop[k]), 0, 0);
    const double friction = -loss * fabs(c->motor[k][2]) * (c->rate[0] > 0 ? 1 : -1);
    force_and_torque[0][2] = friction * c->axis[0][2];
    force_and_torque[1][2] = -friction * c->axis[0][2];
}

/* a hoist lifts m at a speed, and its motor does the work of the gear, too; or lowers it, and the gear carries a part */
static void motors(ukIntegrator integrator, bool swapped, double force, double speed)
{
    const Rig r = rig(integrator);
    const dJointID slider = dJointCreateSlider(r.world, NULL);
    dJointAttach(slider, swapped ? NULL : r.body, swapped ? r.body : NULL);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamVel, swapped ? -speed : speed);
    dJointSetSliderParam(slider, dParamFMax, force);
    dBodySetLinearVel(r.body, 0, 0, speed);
    CHECK(ukJointSetNonIdeal(slider, gearLoss, NULL) == 0);
    CHECK(ukWorldResetLedger(r.world) == 0);
    for (int i = 1; i <= 50; i++) step(&r);
    CHECK_NEAR(dBodyGetLinearVel(r.body)[2], speed, 1e-9);
    dReal ideal[2][6], nonideal[2][6];
    ukLedger l;
    CHECK(ukJointGetForces(slider, ideal, nonideal) == 0 && ukWorldGetLedger(r.world, &l) == 0);
    CHECK_NEAR(ideal[swapped][2], m * g, 1e-8);
    CHECK_NEAR(nonideal[swapped][2], 0, 1e-8); /* the motor answers the gear's friction */
    const double lifted = m * g * speed * 50 * h;
    CHECK_NEAR(l.motors, lifted + loss * fabs(lifted), 1e-7);
    CHECK_NEAR(l.nonideal, -loss * fabs(lifted), 1e-7);
    CHECK_NEAR(l.residual, 0, 1e-10);
    dWorldDestroy(r.world);
}

/* ---- laws that feed in energy ------------------------------------------------------------------------------------ */

/* a drive of constant power about a hinge: torque P/rate */
static void constantPower(const ukNonIdealContext *c, dReal force_and_torque[2][6], void *data)
{
    const double torque = *(const double *)data / c->rate[0];
    for (int k = 0; k < 3; k++)
        force_and_torque[0][3 + k] = torque * c->axis[0][k], force_and_torque[1][3 + k] = -torque * c->axis[0][k];
}

/* I w^2/2 = I w0^2/2 + P t, and the ledger books P t */
static void fed(ukIntegrator integrator, bool swapped)
{
    double power = 3, w0 = 2;
    const Rig r = rig(integrator);
    const dJointID hinge = dJointCreateHinge(r.world, NULL);
    dJointAttach(hinge, swapped ? NULL : r.body, swapped ? r.body : NULL);
    dJointSetHingeAnchor(hinge, 0, 0, R);
    dJointSetHingeAxis(hinge, 0, 0.6, 0.8);
    dBodySetAngularVel(r.body, 0, 0.6 * w0, 0.8 * w0);
    CHECK(ukJointSetNonIdeal(hinge, constantPower, &power) == 0);
    CHECK(ukWorldResetLedger(r.world) == 0);
    double w = w0;
    for (int i = 1; i <= 100; i++) {
        step(&r);
        w += h * power / (w * r.inertia);
        const double now = length3(dBodyGetAngularVel(r.body)), exact = sqrt(w0 * w0 + 2 * power * i * h / r.inertia);
        const double order[] = {1e-9, 1e-6, 1e-9, 2e-3}; /* Euler's recursion; truncation of the others */
        CHECK_NEAR(now, integrator == ukIntegratorEuler ? w : exact, order[integrator]);
    }
    ukLedger l;
    CHECK(ukWorldGetLedger(r.world, &l) == 0);
    CHECK_NEAR(l.nonideal, power * 100 * h, integrator == ukIntegratorEuler ? 0.03 : 1e-12);
    CHECK_NEAR(l.nonideal + l.integration, l.kinetic - l.kinetic_start, 1e-9);
    CHECK_NEAR(l.residual, 0, 1e-10);
    dWorldDestroy(r.world);
}

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < 4; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            ballRollsOut(all[i], swapped);
            carried(all[i], swapped, 2.5);
            carried(all[i], swapped, 0);
            stops(all[i], swapped);
            motors(all[i], swapped, 100, 0.8);
            motors(all[i], swapped, 100, -0.8);
            motors(all[i], swapped, dInfinity, 0.8);
            motors(all[i], swapped, dInfinity, -0.8);
            fed(all[i], swapped);
        }
    dCloseODE();
    return ukTestEnd();
}

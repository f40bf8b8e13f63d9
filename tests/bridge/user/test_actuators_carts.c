/* SPDX-License-Identifier: BSD-3-Clause */
/* Servo constraints with actuators beside stops, motors of finite force, one-sided and bounded rows and joint laws: two
 * carts on a rail against closed forms, under the integrators, both orders of attachment; what is refused. */
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"

static const double h = 0.01, g = 9.81;

typedef enum Beside { Nothing, Stop, Saturated, Drives, Gap, Bounded, Law, Slides, Sticks, Kinds } Beside;

typedef struct Carts {
    dWorldID world;
    dBodyID cart[2];
    dJointID slider[2];
    ukConstraintID servo;
} Carts;

static const double mass[2] = {1, 2}, apart = 3, push = 5, drive = 3;

/* x of the first cart less x of the second one */
static int distance(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context, (void)data;
    A[0] = 1, A[6] = -1;
    b[0] = apart;
    return 0;
}

/* x <= 0 of the second cart: as a gap, and as the rate of a motor of finite force */
static int keepLeft(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[0] = -1;
    return 0;
}

static int leftGap(const ukConstraintContext *context, double *phi, double *psi, void *data)
{
    (void)data;
    phi[0] = -context->bodies->position[0];
    psi[0] = -context->bodies->velocity[0];
    return 0;
}

/* a force of `drive` to the left on the second cart, whichever is attached first */
static void drag(const ukNonIdealContext *context, double force_and_torque[2][6], void *data)
{
    (void)data;
    force_and_torque[context->body[0] ? 0 : 1][0] = -drive;
}

static void addBeside(Carts *c, Beside kind, bool reversed)
{
    if (kind == Law) CHECK(ukJointSetNonIdeal(c->slider[1], drag, NULL) == ukOk);
    if (kind == Slides || kind == Sticks) { /* the load is the weight of the second cart */
        dWorldSetGravity(c->world, 0, 0, -g);
        CHECK(ukJointSetCoulomb(c->slider[1], (kind == Slides ? drive : 2 * push) / (mass[1] * g), 0) == ukOk);
    }
    if (kind == Stop) dJointSetSliderParam(c->slider[1], reversed ? dParamLoStop : dParamHiStop, 0);
    if (kind == Saturated || kind == Drives) {
        dJointSetSliderParam(c->slider[1], dParamVel, kind == Drives ? 0 : reversed ? 10 : -10);
        dJointSetSliderParam(c->slider[1], dParamFMax, kind == Drives ? 1000 : drive);
    }
    if (kind != Gap && kind != Bounded) return;
    const ukConstraintID row = ukConstraintCreate(c->world, 1, &c->cart[1], 1, keepLeft, NULL);
    CHECK(ukConstraintSetError(row, leftGap, NULL) == ukOk);
    CHECK((kind == Gap ? ukConstraintSetOneSided(row, 0) : ukConstraintSetBounds(row, 0, -drive, drive)) == ukOk);
}

static void makeCarts(Carts *c, ukIntegrator integrator, Beside kind, bool reversed)
{
    *c = (Carts){.world = dWorldCreate()};
    dWorldSetCFM(c->world, 0);
    for (int i = 0; i < 2; i++) {
        dMass m;
        dMassSetBoxTotal(&m, mass[i], 1, 1, 1);
        dBodySetMass(c->cart[i] = dBodyCreate(c->world), &m);
        c->slider[i] = dJointCreateSlider(c->world, NULL);
        dJointAttach(c->slider[i], reversed ? NULL : c->cart[i], reversed ? c->cart[i] : NULL);
        dJointSetSliderAxis(c->slider[i], reversed ? -1 : 1, 0, 0);
    }
    if (reversed) dJointSetSliderAxis(c->slider[1], 1, 0, 0);
    addBeside(c, kind, reversed);
    c->servo = ukConstraintCreate(c->world, 1, c->cart, 2, distance, NULL);
    const ukActuator actuator[] = {{.body = c->cart[0], .axis = 0, .cost = 1},
                                   {.body = c->cart[1], .axis = 0, .cost = 4}};
    CHECK(ukConstraintSetActuators(c->servo, actuator, 2) == ukOk);
    CHECK(ukWorldSetIntegrator(c->world, integrator) == 0);
    CHECK(ukWorldSetGaussCheck(c->world, 1e-9, ukCheckStop) == 0);
}

/* The second cart is pushed to the right by `push`. Where it is held there, only the first actuator moves anything;
 * else F is the force on it, and u of least u1^2 + 4 u2^2 has u1/m1 - (u2 + F)/m2 = apart. */
static void besideRows(ukIntegrator integrator, Beside kind, bool reversed)
{
    Carts c;
    double u[2];
    makeCarts(&c, integrator, kind, reversed);
    const bool held = kind == Stop || kind == Drives || kind == Gap || kind == Sticks;
    const bool slows = kind == Saturated || kind == Bounded || kind == Law || kind == Slides;
    const double F = push - (slows ? drive : 0), want = apart + F / mass[1];
    const double square = 1 / (mass[0] * mass[0]) + 1 / (4 * mass[1] * mass[1]);
    const double first = held ? mass[0] * apart : want / mass[0] / square;
    const double second = held ? 0 : -want / mass[1] / 4 / square;
    dBodyAddForce(c.cart[1], push, 0, 0);
    if (!CHECK(ukWorldStep(c.world, h) == 1)) printf("%d %d: %s\n", integrator, kind, ukGetLastErrorMessage());
    CHECK(ukConstraintGetActuatorForces(c.servo, u) == ukOk);
    CHECK_NEAR(u[0], first, 1e-9);
    CHECK_NEAR(u[1], second, 1e-9);
    CHECK_NEAR(dBodyGetLinearVel(c.cart[0])[0], h * first / mass[0], 1e-12);
    CHECK_NEAR(dBodyGetLinearVel(c.cart[1])[0], held ? 0 : h * (second + F) / mass[1], 1e-12);
    dWorldDestroy(c.world);
}

/* Beside a spring made of CFM adaptive takes the step that RK4 takes, in the discrete form: 25 N/m at 0.4 m. */
static void besideSpring(void)
{
    const ukIntegrator kinds[] = {ukIntegratorRK4, ukIntegratorAdaptive};
    double v[2][2];
    ukReport r;
    for (int i = 0; i < 2; i++) {
        Carts c;
        makeCarts(&c, kinds[i], Nothing, false);
        dJointSetSliderParam(c.slider[1], dParamLoStop, 0);
        dJointSetSliderParam(c.slider[1], dParamHiStop, 0);
        dJointSetSliderParam(c.slider[1], dParamStopERP, 1);
        dJointSetSliderParam(c.slider[1], dParamStopCFM, 1 / (25 * h));
        dBodySetPosition(c.cart[1], 0.4, 0, 0);
        CHECK(ukWorldStep(c.world, h) == 1 && ukWorldGetReport(c.world, &r) == 0 && r.discrete_islands == 1);
        for (int k = 0; k < 2; k++) v[i][k] = dBodyGetLinearVel(c.cart[k])[0];
        CHECK_NEAR(v[i][0] - v[i][1], h * apart, 1e-12);
        dWorldDestroy(c.world);
    }
    CHECK(v[0][1] < -1e-3 && v[0][0] == v[1][0] && v[0][1] == v[1][1]);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void refuses(dWorldID world, const char *what)
{
    CHECK(ukWorldStep(world, h) == 0 && ukGetLastError() == ukErrorUnsupported);
    if (!CHECK(strstr(ukGetLastErrorMessage(), what) != NULL)) printf("%s: %s\n", what, ukGetLastErrorMessage());
}

static void refused(void)
{
    Carts c;
    for (int k = 0; k < 2; k++) {
        makeCarts(&c, ukIntegratorEuler, Stop, false);
        CHECK((k ? ukConstraintSetOneSided(c.servo, 0) : ukConstraintSetBounds(c.servo, 0, -1, 1)) == ukOk);
        refuses(c.world, "bounds of the constraint's own rows");
        dWorldDestroy(c.world);
    }
    makeCarts(&c, ukIntegratorRK4, Stop, false);
    dJointSetSliderParam(c.slider[1], dParamBounce, 0.5);
    dBodySetLinearVel(c.cart[1], 1, 0, 0);
    for (int k = 0; k < 3; k++) {
        const ukIntegrator kinds[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
        CHECK(ukWorldSetIntegrator(c.world, kinds[k]) == 0);
        refuses(c.world, "impacts are not supported: use Euler");
    }
    CHECK(ukWorldSetIntegrator(c.world, ukIntegratorEuler) == 0 && ukWorldStep(c.world, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(c.cart[1])[0], -0.5, 1e-12);
    dWorldDestroy(c.world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    dInitODE2(0);
    for (int i = 0; i < 4; i++)
        for (int reversed = 0; reversed < 2; reversed++)
            for (Beside kind = Nothing; kind < Kinds; kind++) besideRows(all[i], kind, reversed);
    besideSpring();
    refused();
    dCloseODE();
    return ukTestEnd();
}

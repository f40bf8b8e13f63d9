/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided rows of more than two bodies, against their closed form: some balls along x are pushed against a row
 * J v >= 0, which the force lambda = -(J a) / (J M^-1 J') keeps, and pulled away from it, where it exerts none. Rows of
 * long chains satisfy the conditions of complementarity. */
#include <math.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"
#include "tests/support/random_world.h"

enum { Most = 4 };

static const double mass[Most] = {1, 2, 5, 3}, push[Most] = {4, 3, -7, 1};

typedef struct Balls {
    int count;
    double row[Most];
} Balls;

static int writeRow(const ukConstraintContext *context, double *A, double *b, void *data)
{
    const Balls *const balls = data;
    (void)context;
    for (int i = 0; i < balls->count; i++) A[6 * i] = balls->row[i];
    b[0] = 0;
    return 0;
}

static int writeGap(const ukConstraintContext *context, double *phi, double *psi, void *data)
{
    const Balls *const balls = data;
    for (int i = 0; i < balls->count; i++) {
        phi[0] += balls->row[i] * context->bodies[i].position[0];
        psi[0] += balls->row[i] * context->bodies[i].velocity[0];
    }
    return 0;
}

/* Returns what the step cost, in evaluations. */
static double held(const Balls *balls, ukIntegrator integrator, double sign)
{
    static const double h = 0.01;
    const dWorldID world = newWorld(0);
    dBodyID body[Most];
    double force[6 * Most], open = 0, resists = 0;
    for (int i = 0; i < balls->count; i++) {
        body[i] = ball(world, mass[i], 0, i, 0);
        dBodyAddForce(body[i], sign * push[i], 0, 0);
        open += balls->row[i] * sign * push[i] / mass[i];
        resists += balls->row[i] * balls->row[i] / mass[i];
    }
    const ukConstraintID c = ukConstraintCreate(world, 1, body, balls->count, writeRow, (void *)(size_t)balls);
    CHECK(c && ukConstraintSetError(c, writeGap, (void *)(size_t)balls) == 0 && ukConstraintSetOneSided(c, 0) == 0);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukWorldStep(world, h) == 1);
    const double lambda = fmax(0, -open / resists);
    CHECK((lambda > 0.1) == (open < 0) && ukConstraintGetForce(c, force) == 0);
    for (int i = 0; i < balls->count; i++) {
        CHECK_NEAR(force[6 * i], lambda * balls->row[i], 1e-9);
        CHECK_NEAR(dBodyGetLinearVel(body[i])[0], h * (sign * push[i] + lambda * balls->row[i]) / mass[i], 1e-10);
    }
    ukReport r;
    CHECK(ukWorldGetReport(world, &r) == 0);
    dWorldDestroy(world);
    return r.evaluations;
}

/* Balls that slide on the ground at one speed: friction slows all of them alike, so that of balls whose row's
 * coefficients add up to nothing the force is that of free ones. Cones are solved by another method than bounds. */
static void slides(const Balls *balls, double sign, ukFriction friction)
{
    static const double h = 0.01, g = 9.81, mu = 0.3, speed = 5;
    const dWorldID world = newWorld(g);
    const dJointGroupID group = dJointGroupCreate(0);
    dBodyID body[Most];
    double force[6 * Most], open = 0, resists = 0;
    CHECK(ukWorldSetFriction(world, friction) == 0);
    for (int i = 0; i < balls->count; i++) {
        body[i] = ball(world, mass[i], 0, i, 0.1);
        dBodySetLinearVel(body[i], speed, 0, 0);
        dBodyAddForce(body[i], sign * push[i], 0, 0);
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = mu},
                            .geom = {.pos = {0, i, 0}, .normal = {0, 0, 1}}};
        dJointAttach(dJointCreateContact(world, group, &contact), body[i], NULL);
        open += balls->row[i] * sign * push[i] / mass[i];
        resists += balls->row[i] * balls->row[i] / mass[i];
    }
    const ukConstraintID c = ukConstraintCreate(world, 1, body, balls->count, writeRow, (void *)(size_t)balls);
    CHECK(c && ukConstraintSetOneSided(c, 0) == 0 && ukWorldStep(world, h) == 1);
    const double lambda = fmax(0, -open / resists);
    CHECK((lambda > 0.1) == (open < 0) && ukConstraintGetForce(c, force) == 0);
    for (int i = 0; i < balls->count; i++) {
        CHECK_NEAR(force[6 * i], lambda * balls->row[i], 1e-7);
        const double along = sign * push[i] + lambda * balls->row[i] - mu * mass[i] * g;
        CHECK_NEAR(dBodyGetLinearVel(body[i])[0], speed + h * along / mass[i], 1e-8);
    }
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}

/* A chain of many balls, each row on three neighbours: J v+ >= 0, lambda >= 0, one of them zero, and the rows' forces
 * are what changes the velocities. */
static void chain(int count)
{
    static const double h = 0.01;
    const dWorldID world = newWorld(0);
    Random random = {5};
    const Balls three = {3, {-0.5, -0.5, 1}};
    dBodyID *const body = calloc((size_t)count, sizeof *body);
    ukConstraintID *const row = calloc((size_t)count, sizeof *row);
    double *const pushed = calloc((size_t)count, sizeof *pushed); /* by the program, then by the rows as well */
    int held_open = 0, pressed = 0;
    for (int i = 0; i < count; i++) {
        body[i] = ball(world, randomUniform(&random, 1, 3), 0, i, 0);
        dBodyAddForce(body[i], pushed[i] = randomUniform(&random, -5, 5), 0, 0);
    }
    for (int i = 0; i + 2 < count; i++) {
        row[i] = ukConstraintCreate(world, 1, body + i, 3, writeRow, (void *)(size_t)&three);
        CHECK(row[i] && ukConstraintSetOneSided(row[i], 0) == 0);
    }
    CHECK(ukWorldStep(world, h) == 1);
    for (int i = 0; i + 2 < count; i++) {
        double force[18], open = 0;
        CHECK(ukConstraintGetForce(row[i], force) == 0);
        for (int k = 0; k < 3; k++) {
            open += three.row[k] * dBodyGetLinearVel(body[i + k])[0];
            pushed[i + k] += force[6 * k];
            CHECK_NEAR(force[6 * k], three.row[k] * force[12], 1e-7);
        }
        CHECK(force[12] > -1e-7 && open > -1e-8 && fmin(force[12], open / h) < 1e-6);
        pressed += force[12] > 0.1, held_open += open / h > 0.1;
    }
    for (int i = 0; i < count; i++) {
        dMass m;
        dBodyGetMass(body[i], &m);
        CHECK_NEAR(dBodyGetLinearVel(body[i])[0], h * pushed[i] / m.mass, 1e-8);
    }
    CHECK(pressed > 0 && held_open > 0);
    free(body), free(row), free(pushed);
    dWorldDestroy(world);
}

int main(void)
{
    const Balls level[] = {{2, {-1, 1}}, {3, {-0.5, -0.5, 1}}, {4, {-0.5, -1, 1, 0.5}}};
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive};
    const Balls balls[] = {{2, {-1, 1}}, {3, {-0.5, -0.5, 1}}, {4, {-0.5, -0.5, 1, 2}}};
    dInitODE2(0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double pushed = held(&balls[k], all[i], 1), pulled = held(&balls[k], all[i], -1);
            CHECK(pulled <= pushed); /* what leaves a row at once is no event within the step */
        }
    for (int k = 0; k < 3; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            slides(&level[k], sign, ukFrictionOde);
            slides(&level[k], sign, ukFrictionCone);
        }
    chain(20);
    chain(800);
    dCloseODE();
    return ukTestEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Dry friction on a user constraint acts along what its rows leave free of a body's centre, however they are written: a
 * wire by rows at any angle to one another, with one too many; a pin, which leaves nothing; rows that hold rotations
 * alone, and press on nothing. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81;

typedef struct Guide {
    int rows;
    double A[4][6];
} Guide;

static int guide(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const Guide *guide = data;
    (void)c;
    for (int i = 0; i < guide->rows; i++) {
        b[i] = 0;
        for (int k = 0; k < 6; k++) A[6 * i + k] = guide->A[i][k];
    }
    return 0;
}

typedef struct Bead {
    dWorldID world;
    dBodyID body;
} Bead;

static Bead make(Guide *on, double mu)
{
    Bead bead = {.world = newWorld(g)};
    bead.body = ball(bead.world, 2, 0, 0, 0);
    const ukConstraintID c = ukConstraintCreate(bead.world, on->rows, &bead.body, 1, guide, on);
    CHECK(c != NULL && ukConstraintSetCoulomb(c, mu) == 0);
    return bead;
}

/* along x: mu m g against the motion until it stops, and not beyond */
static void wire(ukIntegrator integrator)
{
    Guide along_x = {3, {{0, 1, 0, 0, 0, 0}, {0, 1, 1, 0, 0, 0}, {0, -2, 2, 0, 0, 0}}};
    const double mu = 0.3, h = 0.01, v0 = 1;
    const Bead bead = make(&along_x, mu);
    CHECK(ukWorldSetIntegrator(bead.world, integrator) == 0);
    dBodySetLinearVel(bead.body, v0, 0, 0);
    for (int i = 1; i <= 60; i++) {
        CHECK(ukWorldStep(bead.world, h) == 1);
        const dReal *v = dBodyGetLinearVel(bead.body);
        CHECK_NEAR(v[0], fmax(0, v0 - mu * g * h * i), 1e-12);
        CHECK(fabs(v[1]) + fabs(v[2]) < 1e-12);
    }
    if (integrator == ukIntegratorRK4) CHECK_NEAR(dBodyGetPosition(bead.body)[0], v0 * v0 / (2 * mu * g), 1e-12);
    dWorldDestroy(bead.world);
}

static void pin(void)
{
    Guide all = {4, {{1, 1, 0, 0, 0, 0}, {0, 1, 1, 0, 0, 0}, {1, 0, 1, 0, 0, 0}, {3, 2, 1, 0, 0, 0}}};
    const Bead bead = make(&all, 0.5);
    dBodySetAngularVel(bead.body, 1, 2, 3);
    for (int i = 0; i < 20; i++) CHECK(ukWorldStep(bead.world, 0.01) == 1);
    const double spin[3] = {1, 2, 3}, still[3] = {0};
    CHECK_NEAR_ALL(dBodyGetAngularVel(bead.body), spin, 3, 1e-12);
    CHECK_NEAR_ALL(dBodyGetLinearVel(bead.body), still, 3, 1e-12);
    dWorldDestroy(bead.world);
}

static void rotationsAlone(void)
{
    Guide upright = {2, {{0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}}};
    const Bead bead = make(&upright, 0.5);
    dBodySetLinearVel(bead.body, 1, 0, 0);
    for (int i = 0; i < 20; i++) CHECK(ukWorldStep(bead.world, 0.01) == 1);
    const double falling[3] = {1, 0, -g * 0.2};
    CHECK_NEAR_ALL(dBodyGetLinearVel(bead.body), falling, 3, 1e-12);
    dWorldDestroy(bead.world);
}

int main(void)
{
    dInitODE2(0);
    wire(ukIntegratorEuler);
    wire(ukIntegratorRK4);
    pin();
    rotationsAlone();
    dCloseODE();
    return ukTestEnd();
}

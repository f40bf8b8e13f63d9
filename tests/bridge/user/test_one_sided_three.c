/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided rows of more than two bodies, against their closed form: some balls along x are pushed against a row
 * J v >= 0, which the force lambda = -(J a) / (J M^-1 J') keeps, and pulled away from it, where it exerts none. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

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

static void held(const Balls *balls, ukIntegrator integrator, double sign)
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
    dWorldDestroy(world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive};
    const Balls balls[] = {{2, {-1, 1}}, {3, {-0.5, -0.5, 1}}, {4, {-0.5, -0.5, 1, 2}}};
    dInitODE2(0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            held(&balls[k], all[i], 1);
            held(&balls[k], all[i], -1);
        }
    dCloseODE();
    return ukTestEnd();
}

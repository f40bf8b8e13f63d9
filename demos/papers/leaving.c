/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided rows (1994, item 8 of the conclusions), where the closed form is known. A golf ball rolls off a sphere
 * without friction, from the top with v0: it leaves where cos(theta) = (2 + v0^2/(g R))/3. A load on a crane's rope of
 * length L is let go beside and above the point where the rope is taut: the rope catches it, takes the radial part of
 * its velocity away, and the load swings. Adaptive locates both moments. */
#include "demos/papers/paper.h"

static const double g = 9.81;

/* data: R of a sphere that the body stays outside of; or, negative, the length of a rope that holds it inside */
static int row(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity, side = *(const double *)data > 0 ? 1 : -1;
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double rate = (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) / r;
    for (int i = 0; i < 3; i++) A[i] = side * x[i] / r;
    b[0] = -side * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - rate * rate) / r;
    return 0;
}

static int gap(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    const double R = *(const double *)data, side = R > 0 ? 1 : -1, r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    phi[0] = side * r - R;
    psi[0] = side * (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) / r;
    return 0;
}

static dWorldID newWorld(void)
{
    const dWorldID w = paperWorld(0, 0, -g);
    if (ukWorldSetIntegrator(w, ukIntegratorAdaptive) != 0 || ukWorldSetTolerance(w, 1e-12, 1e-12) != 0) exit(1);
    return w;
}

static void golfBall(void)
{
    double R = 1.3, v0 = 0.7;
    const dWorldID w = newWorld();
    const dBodyID ball = paperBody(w, 0.046, 8e-6, 8e-6, 8e-6, 0, 0, R);
    const ukConstraintID c = paperConstraint(w, 1, ball, row, gap, &R);
    if (ukConstraintSetOneSided(c, 0) != 0) exit(1);
    dBodySetLinearVel(ball, v0, 0, 0);
    paperRun(w, 0.01, 1);
    /* in flight the horizontal velocity stays v cos(theta), where v^2 = g R cos(theta) */
    const double speed = dBodyGetLinearVel(ball)[0];
    printf("golf ball on a sphere of %g m, from the top with %g m/s\n", R, v0);
    paperCompare("cos(theta) where it leaves", cbrt(speed * speed / (g * R)), (2 + v0 * v0 / (g * R)) / 3, 1e-9);
    paperClose(w);
}

static void crane(void)
{
    double L = -2;
    const double length = 2, aside = 0.8, z0 = -1, m = 50, taut = -sqrt(length * length - aside * aside);
    const double v = sqrt(2 * g * (z0 - taut)), radial = v * -taut / length, along = v * aside / length;
    const dWorldID w = newWorld();
    const dBodyID load = paperBody(w, m, 1, 1, 1, aside, 0, z0);
    const ukConstraintID c = paperConstraint(w, 1, load, row, gap, &L);
    double force[6];
    if (ukConstraintSetOneSided(c, 0) != 0) exit(1);
    const double caught = sqrt(2 * (z0 - taut) / g);
    paperRun(w, 0.01, 0.01 * ceil(caught / 0.01) + 0.2);
    const dReal *x = dBodyGetPosition(load), *u = dBodyGetLinearVel(load);
    const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    printf("load of %g kg on a rope of %g m, let go %g m above the point where it is taut\n", m, length, z0 - taut);
    paperCompare("energy after the catch [J]", m * (0.5 * square + g * x[2]), m * (0.5 * along * along + g * taut),
                 1e-7);
    paperCompare("length of the rope [m]", sqrt(x[0] * x[0] + x[2] * x[2]), length, 1e-10);
    paperForce(c, force);
    paperCompare("tension [N]", sqrt(force[0] * force[0] + force[2] * force[2]), m * (square - g * x[2]) / length,
                 1e-7);
    ukLedger ledger;
    if (ukWorldGetLedger(w, &ledger) != 0) exit(1);
    paperCompare("energy lost at the catch [J]", -ledger.stops, 0.5 * m * radial * radial, 1e-7);
    paperClose(w);
}

int main(void)
{
    golfBall();
    crane();
    return paperEnd();
}

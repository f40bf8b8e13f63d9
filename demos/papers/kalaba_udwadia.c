/* SPDX-License-Identifier: BSD-3-Clause */
/* Kalaba & Udwadia 1994, the two worked examples: y' = z x' without force [38], and x' - t y' = alpha(t) under a force
 * (X, Y) [41] with its control force [42]. */
#include "demos/papers/paper.h"

static int row38(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    A[0] = -x[2];
    A[1] = 1;
    b[0] = v[2] * v[0];
    return 0;
}

static int error38(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    phi[0] = NAN;
    psi[0] = v[1] - x[2] * v[0];
    return 0;
}

/* alpha = sin t */
static int row41(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)data;
    A[0] = 1;
    A[1] = -c->time;
    b[0] = c->bodies->velocity[1] + cos(c->time);
    return 0;
}

static int error41(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *v = c->bodies->velocity;
    (void)data;
    phi[0] = NAN;
    psi[0] = v[0] - c->time * v[1] - sin(c->time);
    return 0;
}

static const double m = 2, X = 3, Y = -1;

/* [41] in minimal form: y = t, x, y, x', y' */
static void rates41(const double *y, double *rates, void *data)
{
    const double t = y[0], d = m * (1 + t * t), s = m * (y[4] + cos(t));
    (void)data;
    rates[0] = 1;
    rates[1] = y[3];
    rates[2] = y[4];
    rates[3] = (t * t * X + t * Y + s) / d;
    rates[4] = (t * X + Y - s * t) / d;
}

int main(void)
{
    dWorldID w = paperWorld(0, 0, 0);
    dBodyID p = paperBody(w, 1, 1, 1, 1, 0, 0, 0);
    ukConstraintID c = paperConstraint(w, 1, p, row38, error38, NULL);
    dBodySetLinearVel(p, 1, 0, 1);
    paperRun(w, 0.001, 5);
    double F[3];
    paperForce(c, F);
    const dReal *x = dBodyGetPosition(p), *v = dBodyGetLinearVel(p);
    const double k = v[2] * v[0] / (1 + x[2] * x[2]);
    printf("Kalaba & Udwadia 1994, y' = z x'; after 5 s          ukode             expected\n");
    paperCompare("x = asinh t", x[0], asinh(5), 1e-10);
    paperCompare("y = sqrt(1 + t^2) - 1", x[1], sqrt(26) - 1, 1e-10);
    paperCompare("x'' of [38]", F[0], -k * x[2], 1e-12);
    paperCompare("y'' of [38]", F[1], k, 1e-12);
    paperClose(w);

    w = paperWorld(X / m, Y / m, 0); /* the force, as gravity */
    p = paperBody(w, m, 1, 1, 1, 0, 0, 0);
    c = paperConstraint(w, 1, p, row41, error41, NULL);
    dBodySetLinearVel(p, 0, 1, 0);
    paperRun(w, 0.001, 5);
    paperForce(c, F);
    x = dBodyGetPosition(p);
    v = dBodyGetLinearVel(p);
    double y[5] = {0, 0, 0, 0, 1};
    paperIntegrate(y, 5, 1e-4, 5, rates41, NULL);
    const double f = (-X + 5 * Y + m * (v[1] + cos(5))) / 26;
    printf("x' - t y' = sin t under (3, -1) N; after 5 s\n");
    paperCompare("x by [41]", x[0], y[1], 1e-9);
    paperCompare("y by [41]", x[1], y[2], 1e-9);
    paperCompare("control force x [42]", F[0], f, 1e-11);
    paperCompare("control force y [42]", F[1], -5 * f, 1e-11);
    paperClose(w);
    return paperEnd();
}

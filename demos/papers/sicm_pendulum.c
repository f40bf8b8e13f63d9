/* SPDX-License-Identifier: BSD-3-Clause */
/* SICM 1.10: the pendulum as a particle with x^2 + z^2 = l^2; beside it the angle's own equation, and the tension. */
#include "demos/papers/paper.h"

static const double g = 9.81, l = 0.8, m = 1.5;

static int row(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    A[0] = 2 * x[0];
    A[2] = 2 * x[2];
    A[7] = 1; /* second row: stays in the plane */
    b[0] = -2 * (v[0] * v[0] + v[2] * v[2]);
    return 0;
}

static int error(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    phi[0] = x[0] * x[0] + x[2] * x[2] - l * l;
    psi[0] = 2 * (x[0] * v[0] + x[2] * v[2]);
    phi[1] = x[1];
    psi[1] = v[1];
    return 0;
}

static void rates(const double *y, double *out, void *data)
{
    (void)data;
    out[0] = y[1];
    out[1] = -g / l * sin(y[0]);
}

int main(void)
{
    const dWorldID w = paperWorld(0, 0, -g);
    const double start = 2.5;
    const dBodyID p = paperBody(w, m, 1, 1, 1, l * sin(start), 0, -l * cos(start));
    const ukConstraintID c = paperConstraint(w, 2, p, row, error, NULL);
    paperRun(w, 0.001, 10);
    double y[2] = {start, 0}, F[3];
    paperIntegrate(y, 2, 1e-4, 10, rates, NULL);
    paperForce(c, F);
    const dReal *x = dBodyGetPosition(p);
    printf("pendulum of 0.8 m from 2.5 rad; after 10 s           ukode             expected\n");
    paperCompare("x", x[0], l * sin(y[0]), 1e-8);
    paperCompare("z", x[2], -l * cos(y[0]), 1e-8);
    const double tension = -(F[0] * x[0] + F[2] * x[2]) / l;
    paperCompare("tension", tension, m * (l * y[1] * y[1] + g * cos(y[0])), 1e-6);
    paperCompare("length", sqrt(x[0] * x[0] + x[2] * x[2]), l, 1e-14);
    paperClose(w);
    return paperEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A knife edge on an incline, turning at a constant rate w: it drifts sideways, along a cycloid, and does not go down:
 * x = k sin^2(w t),  y = k (w t - sin(2 w t)/2),  k = g sin(slope) / (2 w^2). */
#include "demos/papers/paper.h"

static const double pull = 9.81 * 0.5, w0 = 1.3; /* 30 degrees */

static double heading(const ukBodyState *s)
{
    return 2 * atan2(s->orientation[3], s->orientation[0]);
}

/* no velocity across the edge: -sin(a) x' + cos(a) y' = 0 */
static int row(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *v = c->bodies->velocity;
    const double a = heading(c->bodies), w = c->bodies->spin[2];
    (void)data;
    A[0] = -sin(a);
    A[1] = cos(a);
    b[0] = w * (cos(a) * v[0] + sin(a) * v[1]);
    return 0;
}

static int error(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *v = c->bodies->velocity;
    const double a = heading(c->bodies);
    (void)data;
    phi[0] = NAN;
    psi[0] = -sin(a) * v[0] + cos(a) * v[1];
    return 0;
}

int main(void)
{
    const dWorldID w = paperWorld(pull, 0, 0);
    const dBodyID p = paperBody(w, 1, 0.1, 0.1, 0.1, 0, 0, 0);
    dBodySetAngularVel(p, 0, 0, w0);
    paperConstraint(w, 1, p, row, error, NULL);
    paperRun(w, 0.001, 10);
    const double k = pull / (2 * w0 * w0), a = w0 * 10;
    const dReal *x = dBodyGetPosition(p);
    printf("knife edge on an incline of 30 degrees; after 10 s   ukode             expected\n");
    paperCompare("x, downhill", x[0], k * sin(a) * sin(a), 1e-9);
    paperCompare("y, across", x[1], k * (a - sin(2 * a) / 2), 1e-9);
    paperClose(w);
    return paperEnd();
}

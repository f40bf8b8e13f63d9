/* SPDX-License-Identifier: BSD-3-Clause */
/* Udwadia 2000, the worked example: a unit mass on a vertical ring with Coulomb friction, C = -mu |Qi| v/|v| [36],
 * [37]; beside it the angle's own equation, R theta'' = -g sin(theta) - mu |N| sign(theta'), N = R theta'^2 + g
 * cos(theta), swing by swing, until the mass stays where |tan(theta)| <= mu. */
#include "demos/papers/paper.h"

static const double g = 9.81, R = 1, mu = 0.2;

/* x^2 + z^2 = R^2; nothing leaves the plane y = 0 */
static int row(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    A[0] = x[0];
    A[2] = x[2];
    b[0] = -(v[0] * v[0] + v[2] * v[2]);
    return 0;
}

static int error(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    phi[0] = 0.5 * (x[0] * x[0] + x[2] * x[2] - R * R);
    psi[0] = x[0] * v[0] + x[2] * v[2];
    return 0;
}

/* data: the sign of theta' */
static void rates(const double *y, double *out, void *data)
{
    const double N = R * y[1] * y[1] + g * cos(y[0]);
    out[0] = y[1];
    out[1] = -(g * sin(y[0]) + mu * fabs(N) * *(const double *)data) / R;
}

/* the angle at which a swing at y = theta, theta' comes to rest */
static double turning(double *y)
{
    const double h = 1e-4;
    double sign = y[1] != 0 ? copysign(1, y[1]) : -copysign(1, y[0]), out[2], before;
    do {
        before = y[0];
        paperIntegrate(y, 2, h, h, rates, &sign);
    } while (y[1] * sign > 0 || y[0] == before);
    rates(y, out, &sign);
    return y[0] - 0.5 * y[1] * y[1] / out[1]; /* back to rate zero */
}

int main(void)
{
    const dWorldID w = paperWorld(0, 0, -g);
    const dBodyID p = paperBody(w, 1, 1, 1, 1, 0, 0, -R);
    const ukConstraintID c = paperConstraint(w, 1, p, row, error, NULL);
    if (ukConstraintSetCoulomb(c, mu) != 0) return 1;
    double y[2] = {0, 4}, sign = 1;
    dBodySetLinearVel(p, R * y[1], 0, 0);
    paperRun(w, 0.001, 0.3);
    paperIntegrate(y, 2, 1e-4, 0.3, rates, &sign);
    const dReal *x = dBodyGetPosition(p), *v = dBodyGetLinearVel(p);
    printf("mass on a ring with friction 0.2; after 0.3 s        ukode             expected\n");
    paperCompare("angle", atan2(x[0], -x[2]), y[0], 1e-9);
    paperCompare("speed", sqrt(v[0] * v[0] + v[2] * v[2]), R * fabs(y[1]), 1e-9);
    double rest = turning(y);
    while (fabs(tan(rest)) > mu) {
        double from_rest[2] = {rest, 0};
        rest = turning(from_rest);
    }
    paperRun(w, 0.001, 6);
    printf("after 6 s\n");
    paperCompare("angle at rest", atan2(x[0], -x[2]), rest, 1e-9);
    paperCompare("speed at rest", sqrt(v[0] * v[0] + v[2] * v[2]), 0, 1e-9);
    paperClose(w);
    return paperEnd();
}

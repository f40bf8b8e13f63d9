/* SPDX-License-Identifier: BSD-3-Clause */
/* SICM exercises 1.35 and 1.36 a (b and c: golf.c): a bead on a triaxial ellipsoid, a tiny golf ball on z = h(x, y).
 * Beside them the equations in x and y alone: (x, y)'' = -grad h (g + v' H v) / (1 + |grad h|^2). */
#include "demos/papers/paper.h"

static const double g = 9.81;

/* value, gradient (x, y) and second derivatives (xx, xy, yy) */
typedef void Surface(double x, double y, double *h, double *d, double *dd);

static void green(double x, double y, double *h, double *d, double *dd)
{
    *h = 0.2 * sin(x) * cos(y) + 0.1 * x * x + 0.15 * y * y;
    d[0] = 0.2 * cos(x) * cos(y) + 0.2 * x;
    d[1] = -0.2 * sin(x) * sin(y) + 0.3 * y;
    dd[0] = -0.2 * sin(x) * cos(y) + 0.2;
    dd[1] = -0.2 * cos(x) * sin(y);
    dd[2] = -0.2 * sin(x) * cos(y) + 0.3;
}

static const double a2 = 4, b2 = 2.25, c2 = 1; /* squares of the half axes */

static void bowl(double x, double y, double *h, double *d, double *dd)
{
    const double s = sqrt(1 - x * x / a2 - y * y / b2), c = sqrt(c2), s3 = s * s * s;
    *h = -c * s;
    d[0] = c * x / a2 / s;
    d[1] = c * y / b2 / s;
    dd[0] = c / a2 / s + c * x * x / (a2 * a2) / s3;
    dd[1] = c * x * y / (a2 * b2) / s3;
    dd[2] = c / b2 / s + c * y * y / (b2 * b2) / s3;
}

/* phi = x^2/a^2 + y^2/b^2 + z^2/c^2 - 1 */
static int ellipsoidRow(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    const double k[3] = {2 / a2, 2 / b2, 2 / c2};
    (void)data;
    for (int i = 0; i < 3; i++) {
        A[i] = k[i] * x[i];
        b[0] -= k[i] * v[i] * v[i];
    }
    return 0;
}

static int ellipsoidError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    phi[0] = x[0] * x[0] / a2 + x[1] * x[1] / b2 + x[2] * x[2] / c2 - 1;
    psi[0] = 2 * (x[0] * v[0] / a2 + x[1] * v[1] / b2 + x[2] * v[2] / c2);
    return 0;
}

/* phi = z - h(x, y) */
static int greenRow(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    double h, d[2], dd[3];
    (void)data;
    green(x[0], x[1], &h, d, dd);
    A[0] = -d[0];
    A[1] = -d[1];
    A[2] = 1;
    b[0] = dd[0] * v[0] * v[0] + 2 * dd[1] * v[0] * v[1] + dd[2] * v[1] * v[1];
    return 0;
}

static int greenError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    double h, d[2], dd[3];
    (void)data;
    green(x[0], x[1], &h, d, dd);
    phi[0] = x[2] - h;
    psi[0] = v[2] - d[0] * v[0] - d[1] * v[1];
    return 0;
}

static void rates(const double *y, double *out, void *data)
{
    double h, d[2], dd[3];
    (*(Surface **)data)(y[0], y[1], &h, d, dd);
    const double bend = dd[0] * y[2] * y[2] + 2 * dd[1] * y[2] * y[3] + dd[2] * y[3] * y[3];
    const double k = (g + bend) / (1 + d[0] * d[0] + d[1] * d[1]);
    out[0] = y[2];
    out[1] = y[3];
    out[2] = -d[0] * k;
    out[3] = -d[1] * k;
}

static void slide(const char *name, Surface *surface, ukConstraintFn *row, ukErrorFn *error)
{
    double y[4] = {0.6, -0.4, 0.5, 0.8}, h, d[2], dd[3];
    surface(y[0], y[1], &h, d, dd);
    const dWorldID w = paperWorld(0, 0, -g);
    const dBodyID p = paperBody(w, 1, 1, 1, 1, y[0], y[1], h);
    dBodySetLinearVel(p, y[2], y[3], d[0] * y[2] + d[1] * y[3]);
    paperConstraint(w, 1, p, row, error, NULL);
    paperRun(w, 0.001, 5);
    paperIntegrate(y, 4, 1e-4, 5, rates, &surface);
    surface(y[0], y[1], &h, d, dd);
    const dReal *x = dBodyGetPosition(p);
    printf("%s; after 5 s\n", name);
    paperCompare("x", x[0], y[0], 1e-8);
    paperCompare("y", x[1], y[1], 1e-8);
    paperCompare("z", x[2], h, 1e-8);
    paperClose(w);
}

int main(void)
{
    slide("bead on x^2/4 + y^2/2.25 + z^2 = 1", bowl, ellipsoidRow, ellipsoidError);
    slide("golf ball on z = 0.2 sin x cos y + 0.1 x^2 + 0.15 y^2", green, greenRow, greenError);
    return paperEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SICM 1.10, systems from parts, in the book's own coordinates: terminals without mass. A part is modelled alone,
 *
 *      spring and mass    L = m (xi' + x')^2/2 - k x^2/2
 *      pendulum           L = m ((xi' + l cos theta theta')^2 + (l sin theta theta')^2)/2 + m g l cos theta
 *
 * with xi the terminal, x the extension; parts are joined by xi = X + x of the part before. M is singular: of the
 * second spring's part at every state (xi against x), of the pendulum's where it hangs down. [M; A] has full column
 * rank, and Udwadia & Phohomsiri's formula gives the accelerations. Beside it the equations without terminals. (parts.c
 * builds the same of bodies, whose terminals have a small mass.) */
#include "demos/papers/paper.h"

#include <string.h>
#include <ukode/formulas.h>

static const double g = 9.81, l = 0.7, k[2] = {50, 20}, m[3] = {2, 1, 0.5};

/* coordinates; their rates follow in the same order */
enum { x1, xi2, x2, xi3, theta, coordinates };

typedef struct Parts {
    double M[coordinates * coordinates], Q[coordinates], A[2 * coordinates], b[2];
    ukFormulaSystem s;
} Parts;

static void parts(const double *y, Parts *p)
{
    const double c = cos(y[theta]), s = sin(y[theta]), w = y[coordinates + theta];
    *p = (Parts){.Q = {-k[0] * y[x1], 0, -k[1] * y[x2], m[2] * l * s * w * w, -m[2] * g * l * s},
                 .A = {-1, 1, 0, 0, 0, 0, -1, -1, 1, 0}};
    p->M[coordinates * x1 + x1] = m[0];
    p->M[coordinates * xi2 + xi2] = p->M[coordinates * xi2 + x2] = m[1];
    p->M[coordinates * x2 + xi2] = p->M[coordinates * x2 + x2] = m[1];
    p->M[coordinates * xi3 + xi3] = m[2];
    p->M[coordinates * xi3 + theta] = p->M[coordinates * theta + xi3] = m[2] * l * c;
    p->M[coordinates * theta + theta] = m[2] * l * l;
    p->s = (ukFormulaSystem){.n = coordinates, .m = 2, .M = p->M, .A = p->A, .b = p->b, .Q = p->Q};
}

static void fromParts(const double *y, double *to, void *data)
{
    Parts p;
    double qdd[coordinates] = {NAN, NAN, NAN, NAN, NAN};
    (void)data;
    parts(y, &p);
    ukFormulaSingularAcceleration(&p.s, qdd, NULL);
    memcpy(to, y + coordinates, coordinates * sizeof *to);
    memcpy(to + coordinates, qdd, coordinates * sizeof *to);
}

/* y = x1, x2, theta and their rates; the second mass is displaced by u */
static void minimal(const double *y, double *to, void *data)
{
    const double s = sin(y[2]), c = cos(y[2]), F = -k[1] * y[1];
    const double u = (F + m[2] * s * (g * c + l * y[5] * y[5])) / (m[1] + m[2] * s * s);
    (void)data;
    memcpy(to, y + 3, 3 * sizeof *to);
    to[3] = (-k[0] * y[0] + k[1] * y[1]) / m[0];
    to[4] = u - to[3];
    to[5] = -(g * s + u * c) / l;
}

static void swing(double h, double time)
{
    double y[2 * coordinates] = {0.1, 0.1, -0.06, 0.04, 1.2}, z[6] = {0.1, -0.06, 1.2}, qdd[coordinates],
                 force[coordinates];
    Parts p;
    paperIntegrate(y, 2 * coordinates, h, time, fromParts, NULL);
    paperIntegrate(z, 6, h, time, minimal, NULL);
    printf("two springs with masses and a pendulum, terminals without mass; after %g s\n", time);
    paperCompare("x1 [m]", y[x1], z[0], 1e-10);
    paperCompare("x2 [m]", y[x2], z[1], 1e-10);
    paperCompare("theta [rad]", y[theta], z[2], 1e-10);
    paperCompare("second terminal - (x1 + x2) [m]", y[xi3] - y[x1] - y[x2], 0, 1e-12);
    parts(y, &p);
    if (ukFormulaSingularAcceleration(&p.s, qdd, force) != 0) exit(1);
    paperCompare("glue force on the first mass, k2 x2", force[x1], k[1] * y[x2], 1e-10);
}

/* parts that are not joined: the terminal moves against the spring behind it, and nothing determines how */
static void loose(void)
{
    const double y[2 * coordinates] = {0.1, 0.1, -0.06, 0.04, 1.2};
    double Y[coordinates * coordinates], qdd[coordinates];
    int count = -1;
    Parts p;
    parts(y, &p);
    memset(p.A, 0, coordinates * sizeof *p.A); /* without the first glue */
    if (ukFormulaUndetermined(&p.s, Y, &count) != 0) exit(1);
    printf("without the first joint\n");
    paperCompare("accelerations: status", ukFormulaSingularAcceleration(&p.s, qdd, NULL), ukErrorSingular, 0);
    paperCompare("undetermined motions", count, 1, 0);
    paperCompare("terminal / extension", Y[coordinates * xi2] / Y[coordinates * x2], -1, 1e-12);
}

int main(void)
{
    dInitODE2(0);
    swing(1e-3, 3);
    loose();
    return paperEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SICM exercise 1.36, the tiny golf ball on z = h(x, y), parts b and c.
 *
 * b. Where slopes are gentle, |grad h|^2 << 1, and the ball is slow, v' H v << g, it moves as under the potential m g
 * h: (x, y)'' = -g grad h. Heights times d, and speeds times sqrt(d), which take 1/sqrt(d) of the time, leave both out
 * by a part d^2 of the whole: the two motions part by that much. c. Every surface of revolution has circular orbits, of
 * rate W^2 = g h'/r. Beside one the radius swings with
 *
 *        w^2 / W^2 = (3 + r h''/h') / (1 + h'^2)
 *
 *    and the orbit closes where w/W is a fraction. It is 2 for every radius where r h'' = h' (1 + 4 h'^2): for the
 * lower half of x^2 + y^2 + 4 z^2 = a^2. There an orbit beside the circle returns after one turn, up to the square of
 * how far it is beside. In a sphere it does not. */
#include "demos/papers/paper.h"

static const double g = 9.81;

/* value, gradient (x, y) and second derivatives (xx, xy, yy), with a parameter */
typedef struct Surface {
    void (*at)(double parameter, double x, double y, double *h, double *d, double *dd);
    double parameter;
} Surface;

/* parameter: the heights are multiplied by it */
static void green(double scale, double x, double y, double *h, double *d, double *dd)
{
    *h = scale * (0.2 * sin(x) * cos(y) + 0.1 * x * x + 0.15 * y * y);
    d[0] = scale * (0.2 * cos(x) * cos(y) + 0.2 * x);
    d[1] = scale * (-0.2 * sin(x) * sin(y) + 0.3 * y);
    dd[0] = scale * (-0.2 * sin(x) * cos(y) + 0.2);
    dd[1] = scale * (-0.2 * cos(x) * sin(y));
    dd[2] = scale * (-0.2 * sin(x) * cos(y) + 0.3);
}

static const double a = 2;

/* x^2 + y^2 + (ratio z)^2 = a^2, z < 0 */
static void spheroid(double ratio, double x, double y, double *h, double *d, double *dd)
{
    const double s = sqrt(a * a - x * x - y * y), k = 1 / (ratio * s), k3 = k / (s * s);
    *h = -s / ratio;
    d[0] = k * x;
    d[1] = k * y;
    dd[0] = k + k3 * x * x;
    dd[1] = k3 * x * y;
    dd[2] = k + k3 * y * y;
}

static int row(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const Surface *s = data;
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    double h, d[2], dd[3];
    s->at(s->parameter, x[0], x[1], &h, d, dd);
    A[0] = -d[0];
    A[1] = -d[1];
    A[2] = 1;
    b[0] = dd[0] * v[0] * v[0] + 2 * dd[1] * v[0] * v[1] + dd[2] * v[1] * v[1];
    return 0;
}

static int error(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const Surface *s = data;
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    double h, d[2], dd[3];
    s->at(s->parameter, x[0], x[1], &h, d, dd);
    phi[0] = x[2] - h;
    psi[0] = v[2] - d[0] * v[0] - d[1] * v[1];
    return 0;
}

/* x, y, x', y' of the ball on the surface after `time` */
static void roll(const Surface *s, double *y, double h, double time)
{
    double height, d[2], dd[3];
    s->at(s->parameter, y[0], y[1], &height, d, dd);
    const dWorldID w = paperWorld(0, 0, -g);
    const dBodyID p = paperBody(w, 1, 1, 1, 1, y[0], y[1], height);
    dBodySetLinearVel(p, y[2], y[3], d[0] * y[2] + d[1] * y[3]);
    paperConstraint(w, 1, p, row, error, (void *)s);
    paperRun(w, h, time);
    for (int i = 0; i < 2; i++) {
        y[i] = dBodyGetPosition(p)[i];
        y[2 + i] = dBodyGetLinearVel(p)[i];
    }
    dWorldDestroy(w);
}

/* (x, y)'' = -g grad h */
static void potential(const double *y, double *out, void *data)
{
    const Surface *s = data;
    double h, d[2], dd[3];
    s->at(s->parameter, y[0], y[1], &h, d, dd);
    for (int i = 0; i < 2; i++) {
        out[i] = y[2 + i];
        out[2 + i] = -g * d[i];
    }
}

/* b: how far the ball is from where the potential takes it, after the time in which it crosses the green once */
static double apart(double scale)
{
    const Surface s = {green, scale};
    const double slow = sqrt(scale), time = 1.5 / slow;
    double ball[4] = {0.6, -0.4, 0.5 * slow, 0.8 * slow}, y[4];
    for (int i = 0; i < 4; i++) y[i] = ball[i];
    roll(&s, ball, time / 1500, time);
    paperIntegrate(y, 4, time / 6000, time, potential, (void *)&s);
    return hypot(ball[0] - y[0], ball[1] - y[1]);
}

/* c: how far from its start an orbit is after a turn, with a radial velocity of `beside` that of the circle's */
static double missed(double ratio, double beside)
{
    const Surface s = {spheroid, ratio};
    const double r = 0.9, pi = 3.14159265358979323846;
    double h, d[2], dd[3];
    s.at(s.parameter, r, 0, &h, d, dd);
    const double rate = sqrt(g * d[0] / r), turn = 2 * pi / rate;
    double y[4] = {r, 0, beside * rate * r, rate * r};
    roll(&s, y, turn / 4000, turn);
    return hypot(y[0] - r, y[1]);
}

int main(void)
{
    const double part[2] = {apart(0.1), apart(0.01)};
    printf("1.36 b: off the potential's motion by %.2g m, and %.2g m with a tenth of the heights\n", part[0], part[1]);
    paperCompare("ratio, the square of 10", part[0] / part[1], 100, 3);

    const double closed[2] = {missed(2, 1e-2), missed(2, 1e-3)}, open[2] = {missed(1, 1e-2), missed(1, 1e-3)};
    printf("1.36 c: orbits 1e-2 and 1e-3 beside a circle, after one turn\n");
    paperCompare("spheroid, circle itself", missed(2, 0), 0, 1e-9);
    paperCompare("spheroid, ratio of what they miss", closed[0] / closed[1], 100, 3);
    paperCompare("sphere, ratio of what they miss", open[0] / open[1], 10, 0.3);
    return paperEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A servo constraint (Kalaba & Udwadia 1994 [33]): two links on ODE's hinges whose tip is to draw a circle, x(t) = 1.2
 * + 0.3 cos t, z(t) = 0.3 sin t. The control force is explicit; angles are those of inverse kinematics, and the force
 * is the one that the arm's own Lagrange equations ask for. */
#include "demos/papers/paper.h"

static const double g = 9.81, l = 1, m = 1; /* both links: slender rods, I = m l^2/12 */

static void path(double t, double *x, double *v, double *a)
{
    x[0] = 1.2 + 0.3 * cos(t);
    x[1] = 0.3 * sin(t);
    v[0] = -0.3 * sin(t);
    v[1] = 0.3 * cos(t);
    a[0] = -0.3 * cos(t);
    a[1] = -0.3 * sin(t);
}

/* half the second link, world axes */
static void lever(const ukBodyState *s, double *d)
{
    const double a = 2 * atan2(-s->orientation[2], s->orientation[0]); /* from +x, up: about -y */
    d[0] = 0.5 * l * cos(a);
    d[1] = 0.5 * l * sin(a);
}

static int rows(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    double d[2], x[2], v[2], a[2];
    const double w = c->bodies->spin[1];
    (void)data;
    lever(c->bodies, d);
    path(c->time, x, v, a);
    A[0] = A[6 + 2] = 1; /* (w x d): x' = w_y d_z, z' = -w_y d_x */
    A[4] = d[1];
    A[6 + 4] = -d[0];
    for (int i = 0; i < 2; i++) b[i] = a[i] + w * w * d[i];
    return 0;
}

static int error(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    double d[2], x[2], v[2], a[2];
    const double *p = c->bodies->position, *u = c->bodies->velocity;
    const double w = c->bodies->spin[1];
    (void)data;
    lever(c->bodies, d);
    path(c->time, x, v, a);
    phi[0] = p[0] + d[0] - x[0];
    phi[1] = p[2] + d[1] - x[1];
    psi[0] = u[0] + w * d[1] - v[0];
    psi[1] = u[2] - w * d[0] - v[1];
    return 0;
}

/* absolute angles of the links, elbow up */
static void inverse(double t, double *angle)
{
    double x[2], v[2], a[2];
    path(t, x, v, a);
    const double reach = sqrt(x[0] * x[0] + x[1] * x[1]), to = atan2(x[1], x[0]), open = acos(reach / (2 * l));
    angle[0] = to + open;
    angle[1] = to - open;
}

/* sixth-order differences */
static void rates(double t, double *q, double *qd, double *qdd)
{
    static const double first[3] = {0.75, -0.15, 1.0 / 60}, second[3] = {1.5, -0.15, 1.0 / 90};
    const double e = 0.01;
    inverse(t, q);
    for (int i = 0; i < 2; i++) {
        qd[i] = 0;
        qdd[i] = -49.0 / 18 * q[i] / (e * e);
    }
    for (int k = 1; k <= 3; k++) {
        double up[2], down[2];
        inverse(t + k * e, up);
        inverse(t - k * e, down);
        for (int i = 0; i < 2; i++) {
            qd[i] += first[k - 1] * (up[i] - down[i]) / e;
            qdd[i] += second[k - 1] * (up[i] + down[i]) / (e * e);
        }
    }
}

/* tip force (fx, fz) that Lagrange's equations of the absolute angles ask for: J' f = M q'' + ... */
static void wanted(double t, double *f)
{
    double q[2], u[2], a[2];
    rates(t, q, u, a);
    const double c = cos(q[0] - q[1]), s = sin(q[0] - q[1]);
    const double p = m * l * l * (a[0] * 4 / 3 + 0.5 * c * a[1] + 0.5 * s * u[1] * u[1]) + 1.5 * m * g * l * cos(q[0]);
    const double r = m * l * l * (a[1] / 3 + 0.5 * c * a[0] - 0.5 * s * u[0] * u[0]) + 0.5 * m * g * l * cos(q[1]);
    /* l (-sin q1 fx + cos q1 fz) = p,  l (-sin q2 fx + cos q2 fz) = r */
    const double det = l * (-sin(q[0]) * cos(q[1]) + cos(q[0]) * sin(q[1]));
    f[0] = (p * cos(q[1]) - r * cos(q[0])) / det;
    f[1] = (-sin(q[0]) * r + sin(q[1]) * p) / det;
}

static dBodyID link(dWorldID w, dBodyID before, const double *from, double angle, double rate, const double *v)
{
    const double c = cos(angle), s = sin(angle);
    const double I = m * l * l / 12;
    const dBodyID body = paperBody(w, m, I, I, I, from[0] + 0.5 * l * c, 0, from[1] + 0.5 * l * s);
    dQuaternion q;
    dQFromAxisAndAngle(q, 0, -1, 0, angle);
    dBodySetQuaternion(body, q);
    dBodySetAngularVel(body, 0, -rate, 0);
    dBodySetLinearVel(body, v[0] - 0.5 * l * s * rate, 0, v[1] + 0.5 * l * c * rate);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, body, before);
    dJointSetHingeAnchor(hinge, from[0], 0, from[1]);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return body;
}

int main(void)
{
    const dWorldID w = paperWorld(0, 0, -g);
    double q[2], u[2], a[2], x[2], v[2];
    rates(0, q, u, a);
    const double origin[2] = {0, 0}, still[2] = {0, 0}, elbow[2] = {l * cos(q[0]), l * sin(q[0])};
    const double drift[2] = {-elbow[1] * u[0], elbow[0] * u[0]};
    const dBodyID upper = link(w, 0, origin, q[0], u[0], still), fore = link(w, upper, elbow, q[1], u[1], drift);
    const ukConstraintID c = paperConstraint(w, 2, fore, rows, error, NULL);
    paperRun(w, 0.001, 5);
    double F[3], f[2];
    paperForce(c, F);
    wanted(5, f);
    inverse(5, q);
    path(5, x, v, a);
    const dReal *p = dBodyGetPosition(fore), *e = dBodyGetPosition(upper);
    printf("two-link arm drawing a circle; after 5 s             ukode             expected\n");
    paperCompare("tip x", 2 * p[0] - 2 * e[0], x[0], 1e-9);
    paperCompare("tip z", 2 * p[2] - 2 * e[2], x[1], 1e-9);
    paperCompare("angle of the upper link", atan2(e[2], e[0]), q[0], 1e-9);
    paperCompare("control force x", F[0], f[0], 1e-7);
    paperCompare("control force z", F[2], f[1], 1e-7);
    paperClose(w);
    return paperEnd();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SICM 1.10: Goldstein's hoop rolling down an incline (x'' = g sin(phi)/2, friction M g sin(phi)/2), and a ball rolling
 * in a spherical bowl, beside the equations of its centre alone: with n from the bowl's centre to the ball's, the spin
 * about n is constant, and  n x v' = (I w_n v / rho + m r n x g) / (m r + I/r). Both obey d'Alembert and Lagrange (M
 * qdd = Q + A' lambda); vakonomic mechanics would answer otherwise. */
#include "demos/papers/paper.h"

static const double g = 9.81, r = 0.1, m = 2, slope = 0.4;

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* x down the incline, z its normal: x' = r w_y, z = r */
static int hoopRows(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)c;
    (void)b;
    (void)data;
    A[0] = 1;
    A[4] = -r;
    A[6 + 2] = 1;
    return 0;
}

static int hoopError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    (void)data;
    phi[0] = NAN;
    psi[0] = c->bodies->velocity[0] - r * c->bodies->spin[1];
    phi[1] = c->bodies->position[2] - r;
    psi[1] = c->bodies->velocity[2];
    return 0;
}

static void hoop(void)
{
    const dWorldID w = paperWorld(g * sin(slope), 0, -g * cos(slope));
    const dBodyID p = paperBody(w, m, m * r * r / 2, m * r * r, m * r * r / 2, 0, 0, r);
    const ukConstraintID c = paperConstraint(w, 2, p, hoopRows, hoopError, NULL);
    paperRun(w, 0.01, 2);
    double F[3];
    paperForce(c, F);
    printf("hoop on an incline of 0.4 rad; after 2 s             ukode             expected\n");
    paperCompare("x = g sin(phi) t^2 / 4", dBodyGetPosition(p)[0], g * sin(slope), 1e-11);
    paperCompare("friction = M g sin(phi) / 2", -F[0], m * g * sin(slope) / 2, 1e-11);
    paperCompare("normal force", F[2], m * g * cos(slope), 1e-11);
    paperClose(w);
}

static const double rho = 0.9; /* radius of the bowl, less that of the ball */

/* v + w x r n = 0, n = x/|x|: the three rows, one of which holds |x| = rho */
static int bowlRows(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity, *w = c->bodies->spin;
    const double R = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), along = (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]);
    double rate[3], turn[3];
    (void)data;
    for (int i = 0; i < 3; i++) rate[i] = v[i] / R - x[i] * along / (R * R * R);
    cross(w, rate, turn);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        A[6 * i + i] = 1; /* (w x n)_i = w_j n_k - w_k n_j */
        A[6 * i + 3 + j] = r * x[k] / R;
        A[6 * i + 3 + k] = -r * x[j] / R;
        b[i] = -r * turn[i];
    }
    return 0;
}

static int bowlError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity;
    const double R = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    double turn[3];
    (void)data;
    cross(c->bodies->spin, x, turn);
    for (int i = 0; i < 3; i++) {
        phi[i] = NAN;
        psi[i] = v[i] + r * turn[i] / R;
    }
    return 0;
}

/* y = centre, velocity, spin about n */
static void rates(const double *y, double *out, void *data)
{
    const double *v = y + 3, I = 0.4 * m * r * r, gravity[3] = {0, 0, -g};
    double n[3], fall[3], turned[3], around[3];
    (void)data;
    for (int i = 0; i < 3; i++) n[i] = y[i] / rho;
    cross(n, gravity, fall);
    for (int i = 0; i < 3; i++) turned[i] = (I * y[6] * v[i] / rho + m * r * fall[i]) / (m * r + I / r);
    cross(n, turned, around);
    const double inward = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / rho;
    for (int i = 0; i < 3; i++) {
        out[i] = v[i];
        out[3 + i] = -around[i] - inward * n[i];
    }
    out[6] = 0;
}

static void ballInBowl(void)
{
    double y[7] = {0.6 * rho, 0, -0.8 * rho, 0, 1.5, 0, 8}, n[3], w[3];
    const double I = 0.4 * m * r * r;
    const dWorldID world = paperWorld(0, 0, -g);
    const dBodyID p = paperBody(world, m, I, I, I, y[0], y[1], y[2]);
    for (int i = 0; i < 3; i++) n[i] = y[i] / rho;
    cross(n, y + 3, w);
    dBodySetLinearVel(p, y[3], y[4], y[5]);
    dBodySetAngularVel(p, y[6] * n[0] - w[0] / r, y[6] * n[1] - w[1] / r, y[6] * n[2] - w[2] / r);
    paperConstraint(world, 3, p, bowlRows, bowlError, NULL);
    paperRun(world, 0.001, 5);
    paperIntegrate(y, 7, 1e-4, 5, rates, NULL);
    const dReal *x = dBodyGetPosition(p), *spin = dBodyGetAngularVel(p);
    printf("ball rolling in a bowl; after 5 s\n");
    paperCompare("x", x[0], y[0], 1e-8);
    paperCompare("y", x[1], y[1], 1e-8);
    paperCompare("z", x[2], y[2], 1e-8);
    paperCompare("spin about the normal", (spin[0] * x[0] + spin[1] * x[1] + spin[2] * x[2]) / rho, 8, 1e-8);
    paperClose(world);
}

int main(void)
{
    hoop();
    ballInBowl();
    return paperEnd();
}

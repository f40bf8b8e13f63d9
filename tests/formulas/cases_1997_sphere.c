/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_1997_sphere.c: Udwadia, Kalaba & Hee-Chang 1997, [6] to [16], by differences: a particle on a
 * sphere that grows (constraints.c), M = diag(1, 2, 3). */
#include "tests/formulas/cases.h"

static double x[3], z[3], F[3];

typedef struct Particle {
    double q[3], v[3], M[9], Q[3], A[3], b[1];
    ukFormulaSystem s;
    double actual[3]; /* acceleration */
} Particle;

static void particle(Particle *p)
{
    const double q[] = {0.6, 0.6, 0.3};
    *p = (Particle){.v = {1.2, -0.4, 0.1}, .M = {1, 0, 0, 0, 2, 0, 0, 0, 3}, .Q = {1, -2, -9.8}};
    const double t = 0, radius = 1; /* at t = 0, growing by 1/2 a second: q.v = 1/2 */
    double size = norm(3, q), along = 0;
    for (int i = 0; i < 3; i++) p->q[i] = q[i] * radius / size;
    along = dot(3, p->q, p->v);
    for (int i = 0; i < 3; i++) p->v[i] += (0.5 - along) * p->q[i], p->A[i] = 2 * p->q[i];
    p->b[0] = -2 * dot(3, p->v, p->v) + 0.5;
    p->s = (ukFormulaSystem){.n = 3, .m = 1, .M = p->M, .A = p->A, .b = p->b, .Q = p->Q};
    CHECK_NEAR(positionError(p->q, t), 0, 1e-15);
    const double lambda = (p->b[0] - (p->A[0] * 1 - p->A[1] - p->A[2] * 9.8 / 3)) /
                          (p->A[0] * p->A[0] + p->A[1] * p->A[1] / 2 + p->A[2] * p->A[2] / 3);
    for (int i = 0; i < 3; i++) p->actual[i] = (p->Q[i] + lambda * p->A[i]) / p->M[4 * i];
}

/* q + dt v + dt^2/2 acceleration [6], [7] */
static void after(const Particle *p, double dt, const double *acceleration, double *q)
{
    for (int i = 0; i < 3; i++) q[i] = p->q[i] + dt * p->v[i] + dt * dt / 2 * acceleration[i];
}

/* What is left of the constraint after dt, over dt^3: bounded for the actual motion [6], [9] and for every possible one
 * [7], [10]; of another acceleration it grows like 1/dt. */
static void e6(void)
{
    Particle p;
    double u[3], possible[3];
    const double y[] = {3, -4, 5};
    particle(&p);
    OK(ukFormulaAcceleration(&p.s, u));
    CHECK_NEAR_ALL(u, p.actual, 3, 1e-12);
    OK(ukFormulaPossible(&p.s, y, possible));
    CHECK_NEAR(dot(3, p.A, possible), p.b[0], 1e-12); /* [9], [10], [11]: A u'' = b */
    for (double dt = 1e-2; dt > 1e-4; dt /= 4) {
        after(&p, dt, u, x);
        CHECK(fabs(positionError(x, dt)) < 20 * dt * dt * dt);
        after(&p, dt, possible, x);
        CHECK(fabs(positionError(x, dt)) < 20 * dt * dt * dt);
        for (int i = 0; i < 3; i++) z[i] = possible[i] + p.A[i];
        after(&p, dt, z, x);
        CHECK(fabs(positionError(x, dt)) > 0.5 * dt * dt);
    }
}

/* [7], [10], [11] alone: the possible acceleration itself, the part of y that A sees replaced */
static void e7(void)
{
    Particle p;
    double u[3], expected[3];
    const double y[] = {3, -4, 5};
    particle(&p);
    OK(ukFormulaPossible(&p.s, y, u));
    const double lambda = (p.b[0] - dot(3, p.A, y)) / (p.A[0] * p.A[0] + p.A[1] * p.A[1] / 2 + p.A[2] * p.A[2] / 3);
    for (int i = 0; i < 3; i++) expected[i] = y[i] + lambda * p.A[i] / p.M[4 * i];
    CHECK_NEAR_ALL(u, expected, 3, 1e-12);
    for (double dt = 1e-2; dt > 1e-4; dt /= 4) {
        after(&p, dt, u, x);
        CHECK(fabs(positionError(x, dt)) < 20 * dt * dt * dt);
    }
}

/* w = u(t + dt) - x(t + dt) = dt^2/2 (u'' - x'') [8]; A (u'' - x'') = 0 [12]; and for every v with A v = 0 there is
 * such a displacement [13a], [13b] */
static void e8(void)
{
    Particle p;
    double v[3], u[3], w[3];
    const double y[] = {3, -4, 5}, dt = 1e-3;
    particle(&p);
    OK(ukFormulaVirtual(&p.s, y, v));
    CHECK_NEAR(dot(3, p.A, v), 0, 1e-12); /* [12] */
    for (int i = 0; i < 3; i++) u[i] = p.actual[i] + v[i];
    after(&p, dt, u, x); /* [13a] */
    CHECK(fabs(positionError(x, dt)) < 20 * dt * dt * dt);
    after(&p, dt, p.actual, z);
    for (int i = 0; i < 3; i++) w[i] = (x[i] - z[i]) / (dt * dt / 2); /* [8], [13b] */
    CHECK_NEAR_ALL(w, v, 3, 1e-8);
    const double lambda = dot(3, p.A, y) / (p.A[0] * p.A[0] + p.A[1] * p.A[1] / 2 + p.A[2] * p.A[2] / 3);
    for (int i = 0; i < 3; i++) u[i] = y[i] - lambda * p.A[i] / p.M[4 * i];
    CHECK_NEAR_ALL(v, u, 3, 1e-12);
}

/* the work of F^c under w, over dt^2, vanishes with dt [14], [15]: v'F^c = 0 [16] */
static void e14(void)
{
    Particle p;
    double u[3], expected[3];
    const double y[] = {3, -4, 5};
    particle(&p);
    OK(ukFormulaExtendedForce(&p.s, F));
    for (int i = 0; i < 3; i++) expected[i] = p.M[4 * i] * p.actual[i] - p.Q[i];
    CHECK_NEAR_ALL(F, expected, 3, 1e-11);
    OK(ukFormulaPossible(&p.s, y, u));
    for (double dt = 1e-2; dt > 1e-4; dt /= 4) {
        double work = 0, qu[3], qx[3], A[3];
        after(&p, dt, u, qu), after(&p, dt, p.actual, qx);
        for (int i = 0; i < 3; i++) A[i] = 2 * qx[i];
        const double lambda = dot(3, F, p.A) / dot(3, p.A, p.A); /* F^c at t + dt is along A there */
        for (int i = 0; i < 3; i++) work += (qu[i] - qx[i]) * lambda * A[i];
        CHECK(fabs(work) < 100 * dt * dt * dt);
    }
    for (int i = 0; i < 3; i++) z[i] = u[i] - p.actual[i];
    CHECK_NEAR(dot(3, z, F), 0, 1e-10);
}

const Case cases_1997_sphere[] = {
    {.name = "1997/6", .once = e6},
    {.name = "1997/7", .once = e7},
    {.name = "1997/8", .once = e8},
    {.name = "1997/14", .once = e14},
    {.name = NULL},
};

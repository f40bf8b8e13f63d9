/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_sicm.c: Sussman & Wisdom, SICM 1.10, Constrained Motion. */
#include "tests/formulas/cases.h"

static double T[square], Z[square], K[square], x[most], lambda[most], rate[most];

/* M qdd - A'lambda = Q, A qdd = b: the Lagrange equations of L + lambda phi */
static void augmented(const System *y)
{
    OK(ukFormulaLagrange(&y->s, x, lambda));
    SAME(x, y->qdd, y->n);
    mul(y->n, y->n, 1, y->M, x, T);
    axpy(y->n, -1, y->Q, T), axpy(y->n, -1, y->C, T);
    tmul(y->n, y->m, 1, y->A, lambda, Z);
    SAME(T, Z, y->n);
}

/* lambda is a function of the state: (A M^-1 A') lambda = b - A a */
static void ofState(const System *y)
{
    double e[most];
    OK(ukFormulaLagrange(&y->s, x, lambda));
    mul(y->m, y->n, y->n, y->A, y->Mi, T);
    double At[square];
    transpose(y->m, y->n, y->A, At);
    mul(y->m, y->n, y->m, T, At, Z);
    CHECK(inverse(y->m, Z, K));
    for (int i = 0; i < y->n; i++) T[i] = y->a[i] + y->c[i];
    mul(y->m, y->n, 1, y->A, T, e);
    for (int i = 0; i < y->m; i++) e[i] = y->b[i] - e[i];
    mul(y->m, y->m, 1, K, e, T);
    SAME(lambda, T, y->m);
}

/* a particle with x^2 + y^2 - l^2 = 0: the angle's equation, and lambda: -2 l lambda is the tension */
static void pendulum(void)
{
    const double m = 1.3, l = 0.8, g = 9.81, angle = 0.6, w = 2.1, v = l * w;
    const double q[] = {l * sin(angle), -l * cos(angle)}, M[] = {m, 0, 0, m}, Q[] = {0, -m * g};
    const double A[] = {2 * q[0], 2 * q[1]}, b[] = {-2 * v * v};
    const ukFormulaSystem s = {.n = 2, .m = 1, .M = M, .A = A, .b = b, .Q = Q};
    OK(ukFormulaLagrange(&s, x, lambda));
    const double turn = -g / l * sin(angle);
    CHECK_NEAR(x[0], l * (turn * cos(angle) - w * w * sin(angle)), 1e-12);
    CHECK_NEAR(x[1], l * (turn * sin(angle) + w * w * cos(angle)), 1e-12);
    CHECK_NEAR(-2 * l * lambda[0], m * (v * v / l + g * cos(angle)), 1e-11);
}

/* Two springs and masses glued by xi = X1 + x1 (figure 1.9). The terminal xi has no mass of its own: M is singular, the
 * system of equations is not. Coordinates x1, xi, x2. */
static void parts(void)
{
    const double m1 = 1, m2 = 0.6, k1 = 30, k2 = 70, x1 = 0.1, x2 = -0.05;
    const double M[] = {m1, 0, 0, 0, m2, m2, 0, m2, m2}, Q[] = {-k1 * x1, 0, -k2 * x2}, A[] = {-1, 1, 0}, b[] = {0};
    const ukFormulaSystem s = {.n = 3, .m = 1, .M = M, .A = A, .b = b, .Q = Q};
    OK(ukFormulaLagrange(&s, x, lambda));
    /* m1 x1'' + m2 (x1'' + x2'') + k1 x1 = 0 and m2 (x1'' + x2'') + k2 x2 = 0 */
    const double first = (-k1 * x1 + k2 * x2) / m1, second = -k2 * x2 / m2 - first;
    CHECK_NEAR(x[0], first, 1e-12);
    CHECK_NEAR(x[1], first, 1e-12);
    CHECK_NEAR(x[2], second, 1e-12);
    CHECK_NEAR(lambda[0], -k2 * x2, 1e-12); /* what holds the parts together */
}

/* exercise 1.35: a bead on x^2/a^2 + y^2/b^2 + z^2/c^2 = 1, free: qdd is along the normal, -(v'Hv) grad/|grad|^2 */
static void bead(void)
{
    const double axis[] = {1, 1.5, 2}, u[] = {0.5, 0.6, sqrt(1 - 0.25 - 0.36)}, v0[] = {0.3, -0.2, 0.5};
    const double M[] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    double A[3], v[3], curve = 0;
    for (int i = 0; i < 3; i++) A[i] = 2 * u[i] / axis[i];
    const double off = dot(3, A, v0) / dot(3, A, A);
    for (int i = 0; i < 3; i++) v[i] = v0[i] - off * A[i], curve += 2 * v[i] * v[i] / (axis[i] * axis[i]);
    const double b[] = {-curve};
    const ukFormulaSystem s = {.n = 3, .m = 1, .M = M, .A = A, .b = b};
    OK(ukFormulaLagrange(&s, x, lambda));
    for (int i = 0; i < 3; i++) CHECK_NEAR(x[i], -curve * A[i] / dot(3, A, A), 1e-12);
    CHECK_NEAR(lambda[0], -2 * curve / dot(3, A, A), 1e-12);
}

/* exercise 1.36: a golf ball on z = h(x, y) = (x^2 + 3 x y)/4: x'' = -h_x (g + h_xx x'^2 + 2 h_xy x'y')/(1 + |grad
 * h|^2) */
static void golf(void)
{
    const double m = 0.045, g = 9.81, q[] = {0.7, -0.4}, v[] = {1.2, 0.9};
    const double hx = (2 * q[0] + 3 * q[1]) / 4, hy = 3 * q[0] / 4, curve = 0.5 * v[0] * v[0] + 1.5 * v[0] * v[1];
    const double M[] = {m, 0, 0, 0, m, 0, 0, 0, m}, Q[] = {0, 0, -m * g}, A[] = {-hx, -hy, 1}, b[] = {curve};
    const ukFormulaSystem s = {.n = 3, .m = 1, .M = M, .A = A, .b = b, .Q = Q};
    OK(ukFormulaLagrange(&s, x, lambda));
    const double k = (g + curve) / (1 + hx * hx + hy * hy);
    CHECK_NEAR(x[0], -hx * k, 1e-12);
    CHECK_NEAR(x[1], -hy * k, 1e-12);
    CHECK_NEAR(x[2], -g + k, 1e-12);
    CHECK_NEAR(lambda[0], m * k, 1e-13);
}

/* derivative constraints: L' = L + lambda' dphi/dt gives the same motion, with lambda = -Dlambda' (exercise 1.37) */
static void derivative(const System *y)
{
    const double none[square] = {0}; /* K = dA/dt - dpsi/dq of a total derivative */
    OK(ukFormulaVakonomic(&y->s, none, y->w, x, rate));
    SAME(x, y->qdd, y->n);
    double F[most];
    mul(y->n, y->n, 1, y->M, y->qdd, F);
    axpy(y->n, -1, y->Q, F), axpy(y->n, -1, y->C, F);
    for (int i = 0; i < y->m; i++) lambda[i] = -rate[i];
    tmul(y->n, y->m, 1, y->A, lambda, T);
    SAME(T, F, y->n);
}

/* Goldstein's hoop: x'' = g/2 sin(slope), friction M g/2 sin(slope), R angle'' = x'' */
static void hoop(void)
{
    const double m = 1.7, R = 0.4, g = 9.81, slope = 0.3;
    const double M[] = {m, 0, 0, m * R * R}, Q[] = {m * g * sin(slope), 0}, A[] = {1, -R}, b[] = {0}, none[] = {0, 0};
    const ukFormulaSystem s = {.n = 2, .m = 1, .M = M, .A = A, .b = b, .Q = Q};
    const double before[] = {4}; /* lambda', whatever it is */
    OK(ukFormulaVakonomic(&s, none, before, x, rate));
    CHECK_NEAR(x[0], g / 2 * sin(slope), 1e-12);
    CHECK_NEAR(x[1], g / 2 / R * sin(slope), 1e-12);
    CHECK_NEAR(rate[0], m * g / 2 * sin(slope), 1e-12); /* Dlambda' is the friction force */
}

typedef struct Skate {
    double M[9], Q[3], A[3], b[1], K[3], along, turn;
    ukFormulaSystem s;
} Skate;

/* a blade at (x, y) in the direction `angle`: psi = x' sin - y' cos = 0 */
static void skate(Skate *p, double m, double I)
{
    const double angle = 0.5;
    *p = (Skate){.M = {m, 0, 0, 0, m, 0, 0, 0, I}, .Q = {1.5, -0.7, 0.2}, .along = 1.1, .turn = 0.9};
    p->A[0] = sin(angle), p->A[1] = -cos(angle);
    p->b[0] = -p->turn * p->along;
    p->K[0] = p->turn * cos(angle), p->K[1] = p->turn * sin(angle), p->K[2] = -p->along;
    p->s = (ukFormulaSystem){.n = 3, .m = 1, .M = p->M, .A = p->A, .b = p->b, .Q = p->Q};
}

/* the nonholonomic equations (d'Alembert and Lagrange): the blade pushes across, and turns by the torque alone */
static void nonholonomic(void)
{
    Skate p;
    const double m = 2, I = 0.3;
    skate(&p, m, I);
    OK(ukFormulaLagrange(&p.s, x, lambda));
    const double across = p.b[0] * m - (p.A[0] * p.Q[0] + p.A[1] * p.Q[1]);
    CHECK_NEAR(lambda[0], across, 1e-12);
    CHECK_NEAR(x[0], (p.Q[0] + across * p.A[0]) / m, 1e-12);
    CHECK_NEAR(x[1], (p.Q[1] + across * p.A[1]) / m, 1e-12);
    CHECK_NEAR(x[2], p.Q[2] / I, 1e-12);
}

/* The vakonomic equations of the same blade are others: lambda is part of the state, and turns it. */
static void vakonomic(void)
{
    Skate p;
    const double m = 2, I = 0.3, now[] = {0.8};
    double free[3];
    skate(&p, m, I);
    OK(ukFormulaVakonomic(&p.s, p.K, now, x, rate));
    /* A K' = 0, A A' = 1: Dlambda = A Q - m b; m qdd = Q - K'lambda - A'Dlambda */
    const double D = p.A[0] * p.Q[0] + p.A[1] * p.Q[1] - m * p.b[0];
    CHECK_NEAR(rate[0], D, 1e-12);
    for (int i = 0; i < 3; i++) CHECK_NEAR(x[i], (p.Q[i] - now[0] * p.K[i] - D * p.A[i]) / (i < 2 ? m : I), 1e-12);
    OK(ukFormulaLagrange(&p.s, free, NULL));
    CHECK_NEAR(x[2] - free[2], now[0] * p.along / I, 1e-12);
    CHECK(fabs(x[2] - free[2]) > 1);
}

const Case cases_sicm[] = {
    {.name = "sicm/augmented", .on = augmented, .independent = true},
    {.name = "sicm/lambda", .on = ofState, .independent = true},
    {.name = "sicm/pendulum", .once = pendulum},
    {.name = "sicm/parts", .once = parts},
    {.name = "sicm/bead", .once = bead},
    {.name = "sicm/golf", .once = golf},
    {.name = "sicm/derivative", .on = derivative, .independent = true},
    {.name = "sicm/hoop", .once = hoop},
    {.name = "sicm/nonholonomic", .once = nonholonomic},
    {.name = "sicm/vakonomic", .once = vakonomic},
    {.name = NULL},
};

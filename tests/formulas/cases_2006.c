/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_2006.c: Udwadia & Phohomsiri 2006: M >= 0, singular, with [M; A] of full column rank; rows of
 * any rank. */
#include "tests/formulas/cases.h"

#include <math.h>
#include <ukode/status.h>

static double x[most], force[most], Y[square];

/* M without its part along one direction that A sees: M' = M - M p p'M / p'M p has the null vector p, and A p != 0 */
static void withoutMass(const System *y, double *M, double *p)
{
    const int n = y->n;
    double Mp[most] = {0}, size = 0;
    for (int i = 0; i < n; i++) { /* p = A_M^+ A w: seen by A in full */
        p[i] = y->w[i];
        for (int j = 0; j < n; j++) p[i] -= y->P[i * n + j] * y->w[j];
    }
    for (int i = 0; i < n; i++) Mp[i] = dot(n, y->M + i * n, p);
    size = dot(n, p, Mp);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) M[i * n + j] = y->M[i * n + j] - Mp[i] * Mp[j] / size;
    for (int i = 0; i < n; i++) /* exactly symmetric */
        for (int j = 0; j < i; j++) M[i * n + j] = M[j * n + i];
}

/* what defines the acceleration: A qdd = b, and v'(M qdd - Q - C) = 0 for v = P e_k, a basis of the virtual
 * displacements */
static void defined(const System *y, const double *M)
{
    const int n = y->n;
    double off[most];
    for (int i = 0; i < y->m; i++) CHECK_NEAR(dot(n, y->A + i * n, x), y->b[i], 1e-8);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(force[i], dot(n, M + i * n, x) - y->Q[i], 1e-9);
        off[i] = force[i] - y->C[i];
    }
    for (int k = 0; k < n; k++) {
        double work = 0;
        for (int i = 0; i < n; i++) work += y->P[i * n + k] * off[i];
        CHECK_NEAR(work, 0, 1e-8);
    }
}

static void acceleration(const System *y)
{
    double M[square] = {0}, p[most] = {0};
    ukFormulaSystem s = y->s;
    withoutMass(y, M, p);
    s.M = M;
    OK(ukFormulaSingularAcceleration(&s, x, force));
    defined(y, M);
}

/* where M > 0 it is the M-inverse's */
static void positive(const System *y)
{
    OK(ukFormulaSingularAcceleration(&y->s, x, force));
    CHECK_NEAR_ALL(x, y->qdd, y->n, 1e-9);
    defined(y, y->M);
}

/* SICM, figure 1.9: x1, the terminal xi without mass, x2, and the glue twice: its rows depend on each other */
static void terminal(void)
{
    const double m1 = 1, m2 = 0.6, k1 = 30, k2 = 70, x1 = 0.1, x2 = -0.05;
    const double M[] = {m1, 0, 0, 0, m2, m2, 0, m2, m2}, Q[] = {-k1 * x1, 0, -k2 * x2};
    const double A[] = {-1, 1, 0, -2, 2, 0}, b[] = {0, 0};
    const ukFormulaSystem s = {.n = 3, .m = 2, .M = M, .A = A, .b = b, .Q = Q};
    OK(ukFormulaSingularAcceleration(&s, x, force));
    const double first = (-k1 * x1 + k2 * x2) / m1, second = -k2 * x2 / m2 - first;
    CHECK_NEAR(x[0], first, 1e-12);
    CHECK_NEAR(x[1], first, 1e-12);
    CHECK_NEAR(x[2], second, 1e-12);
    CHECK_NEAR(force[0], k2 * x2, 1e-12);
    CHECK_NEAR(force[1], -k2 * x2, 1e-12);
    CHECK_NEAR(force[2], 0, 1e-12);
}

/* without the glue the terminal and the spring behind it may move against each other: m2 (xi + x2) is at rest */
static void undetermined(void)
{
    const double m1 = 1, m2 = 0.6, M[] = {m1, 0, 0, 0, m2, m2, 0, m2, m2}, A[] = {1, 0, 0}, b[] = {0};
    ukFormulaSystem s = {.n = 3, .m = 1, .M = M, .A = A, .b = b};
    int count = -1;
    CHECK(ukFormulaSingularAcceleration(&s, x, force) == ukErrorSingular);
    OK(ukFormulaUndetermined(&s, Y, &count));
    CHECK(count == 1);
    CHECK_NEAR(Y[0], 0, 1e-15);
    CHECK_NEAR(fabs(Y[3]), sqrt(0.5), 1e-14);
    CHECK_NEAR(Y[3] + Y[6], 0, 1e-14);
    for (int i = 0; i < 3; i++) CHECK(Y[3 * i + 1] == 0 && Y[3 * i + 2] == 0);
    const double glue[] = {-1, 1, 0};
    s.A = glue;
    OK(ukFormulaUndetermined(&s, Y, &count));
    CHECK(count == 0);
}

const Case cases_2006[] = {
    {.name = "2006/acceleration", .on = acceleration},
    {.name = "2006/positive", .on = positive},
    {.name = "2006/terminal", .once = terminal},
    {.name = "2006/undetermined", .once = undetermined},
    {.name = NULL},
};

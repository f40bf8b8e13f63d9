/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_problem.c: the block operations against the dense matrices written out by hand. */
#include "solvers/problem/problem.h"
#include "tests/check.h"

#include <string.h>

/* three bodies; one block on bodies 2 and 0, one on body 1 and the world, one of no rows, one on all three */
enum { bodies = 3, n = 18, rows = 6 };

static double mass[] = {2, 0.5, 3}, inertia[27], inverse[27], Q[n], C[n], A[2 * 12 + 12 + 3 * 18], b[rows],
              softness[rows];
static double lo[rows], hi[rows], M[n][n], full[rows][n];
static const ukBlock block[] = {{.row = 0, .rows = 2, .slot = 0, .slots = 2, .A = 0},
                                {.row = 2, .rows = 1, .slot = 2, .slots = 2, .A = 24},
                                {.row = 3, .rows = 0, .slot = 4, .slots = 0, .A = 36},
                                {.row = 3, .rows = 3, .slot = 4, .slots = 3, .A = 36}};
static const int body[] = {2, 0, 1, -1, 1, 0, 2};
static ukProblem p;

static void make(void)
{
    const double d[][3] = {{1, 2, 4}, {0.5, 0.25, 0.125}, {8, 8, 2}}, c = 0.6,
                 s = 0.8; /* turned about z: all exact enough */
    memset(M, 0, sizeof M);
    memset(full, 0, sizeof full);
    for (int i = 0; i < bodies; i++) {
        const double *e = d[i], I[] = {c * c * e[0] + s * s * e[1],
                                       c * s * (e[0] - e[1]),
                                       0,
                                       c * s * (e[0] - e[1]),
                                       s * s * e[0] + c * c * e[1],
                                       0,
                                       0,
                                       0,
                                       e[2]};
        const double J[] = {c * c / e[0] + s * s / e[1],
                            c * s * (1 / e[0] - 1 / e[1]),
                            0,
                            c * s * (1 / e[0] - 1 / e[1]),
                            s * s / e[0] + c * c / e[1],
                            0,
                            0,
                            0,
                            1 / e[2]};
        memcpy(inertia + 9 * i, I, sizeof I);
        memcpy(inverse + 9 * i, J, sizeof J);
        for (int r = 0; r < 3; r++) {
            M[6 * i + r][6 * i + r] = mass[i];
            for (int k = 0; k < 3; k++) M[6 * i + 3 + r][6 * i + 3 + k] = I[3 * r + k];
        }
    }
    for (size_t i = 0; i < sizeof A / sizeof *A; i++) A[i] = (double)(int)(i * 7 % 13) - 6;
    for (int i = 0; i < rows; i++) b[i] = i, softness[i] = 0.1 * i, lo[i] = -INFINITY, hi[i] = INFINITY;
    for (int i = 0; i < n; i++) Q[i] = i, C[i] = -i;
    const double *a = A;
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < block[k].rows; r++)
            for (int slot = 0; slot < block[k].slots; slot++, a += 6)
                for (int col = 0; col < 6; col++) {
                    const int i = body[block[k].slot + slot];
                    if (i >= 0) full[block[k].row + r][6 * i + col] = a[col];
                }
    p = (ukProblem){.bodies = bodies,
                    .blocks = 4,
                    .rows = rows,
                    .mass = mass,
                    .inertia = inertia,
                    .inverse_inertia = inverse,
                    .Q = Q,
                    .C = C,
                    .block = block,
                    .body = body,
                    .A = A,
                    .b = b,
                    .softness = softness,
                    .lo = lo,
                    .hi = hi};
}

static void operations(void)
{
    double x[n], y[rows], f[n], expected[n], lambda[rows];
    make();
    for (int i = 0; i < n; i++) x[i] = (i * 5 % 7) - 3 + 0.5 * i;
    for (int i = 0; i < rows; i++) lambda[i] = (i * 3 % 5) - 1.5;

    ukProblemApply(&p, x, y);
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += full[r][i] * x[i];
        CHECK_NEAR(y[r], sum, 1e-12);
    }
    for (int i = 0; i < n; i++) f[i] = expected[i] = 100 + i; /* it adds */
    ukProblemApplyTransposed(&p, lambda, f);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < rows; r++) expected[i] += full[r][i] * lambda[r];
    CHECK_NEAR_ALL(f, expected, n, 1e-12);

    ukProblemInertia(&p, x, f);
    for (int i = 0; i < n; i++) {
        expected[i] = 0;
        for (int k = 0; k < n; k++) expected[i] += M[i][k] * x[k];
    }
    CHECK_NEAR_ALL(f, expected, n, 1e-12);
    ukProblemAccelerate(&p, f, f); /* in place */
    CHECK_NEAR_ALL(f, x, n, 1e-13);
}

int main(void)
{
    operations();
    return ukTestEnd();
}

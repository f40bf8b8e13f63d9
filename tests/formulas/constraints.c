/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/formulas/cases.h"

double positionError(const double *q, double t)
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - (1 + t / 2) * (1 + t / 2);
}

static int phi(const ukFormulaState *s, double *value, void *data)
{
    (void)data;
    *value = positionError(s->q, s->t);
    return 0;
}

static int psi(const ukFormulaState *s, double *value, void *data)
{
    (void)data;
    *value = s->v[0] * s->v[1] - s->q[2] * s->v[2] + sin(s->t);
    return 0;
}

static int linear(const ukFormulaState *s, double *value, void *data)
{
    (void)data;
    *value = s->t * s->v[0] + s->q[1] * s->v[1] - s->q[0] * s->v[2] - s->t * s->t;
    return 0;
}

void constrain(Constrained *c)
{
    *c = (Constrained){.t = 0.7, .q = {0.9, -0.8, 0.6}, .v = {1.1, 0.4, -0.9}};
    const double *q = c->q, *v = c->v, t = c->t;
    const ukFormulaState s = {.n = 3, .t = t, .q = q, .v = v};
    OK(ukFormulaDifferentiate(&s, 1, 0, phi, NULL, c->A, c->b));
    OK(ukFormulaDifferentiate(&s, 1, 1, psi, NULL, c->A + 3, c->b + 1));
    OK(ukFormulaDifferentiate(&s, 1, 1, linear, NULL, c->linear_A, c->linear_b));
    const double A[] = {2 * q[0], 2 * q[1], 2 * q[2], v[1], v[0], -q[2]};
    for (int i = 0; i < 6; i++) c->A_closed[i] = A[i];
    c->b_closed[0] = -2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 0.5;
    c->b_closed[1] = v[2] * v[2] - cos(t);
    c->linear_A_closed[0] = t, c->linear_A_closed[1] = q[1], c->linear_A_closed[2] = -q[0];
    c->linear_b_closed[0] = -v[0] - v[1] * v[1] + v[0] * v[2] + 2 * t;
}

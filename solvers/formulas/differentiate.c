/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/differentiate.c: A and b of A qdd = b from constraint functions, by central differences of fourth
 * order. */
#include "solvers/base/status.h"
#include "solvers/formulas/formulas.h"
#include "solvers/formulas/matrix.h"

#include <math.h>

/* Steps relative to the size of the variable. They balance truncation and rounding, whose error is that of the function
 * over the step, or over its square. */
static const double step_once = 1e-3, step_twice = 4e-3;

typedef struct Sampler {
    const ukFormulaState *state;
    int m;
    ukFormulaConstraintFn *constraint;
    void *data;
    double *q, *v, *value; /* (n), (n), (m) */
} Sampler;

/* sum (m) += factor f(t + dt, q + dt v or its like), at what q and v are now */
static int addConstraintSample(Sampler *w, double t, double factor, double *sum)
{
    const ukFormulaState at = {.n = w->state->n, .t = t, .q = w->q, .v = w->v};
    if (w->constraint(&at, w->value, w->data) != 0) return ukErrorCallback;
    for (int i = 0; i < w->m; i++) sum[i] += factor * w->value[i];
    return ukOk;
}

static void restoreSample(Sampler *w)
{
    for (int i = 0; i < w->state->n; i++) w->q[i] = w->state->q[i], w->v[i] = w->state->v[i];
}

/* sum (m) = d/dx of the constraint, x the j-th coordinate or velocity */
static int alongOne(Sampler *w, double *x, double *sum)
{
    static const double weight[] = {1, -8, 8, -1}, at[] = {-2, -1, 1, 2};
    const double here = *x, h = step_once * fmax(1, fabs(here));
    int status = ukOk;
    for (int k = 0; k < 4 && status == ukOk; k++) {
        *x = here + at[k] * h;
        status = addConstraintSample(w, w->state->t, weight[k] / (12 * h), sum);
    }
    *x = here;
    return status;
}

/* sum (m) += factor times the first or second derivative along the motion at constant velocities */
static int alongMotion(Sampler *w, int order, double factor, double *sum)
{
    static const double first[] = {1, -8, 0, 8, -1}, second[] = {-1, 16, -30, 16, -1};
    double fastest = 1;
    for (int i = 0; i < w->state->n; i++) fastest = fmax(fastest, fabs(w->state->v[i]));
    const double h = (order == 1 ? step_once : step_twice) / fastest, unit = 12 * (order == 1 ? h : h * h);
    int status = ukOk;
    for (int k = 0; k < 5 && status == ukOk; k++) {
        const double dt = (k - 2) * h;
        for (int i = 0; i < w->state->n; i++) w->q[i] = w->state->q[i] + dt * w->state->v[i];
        status = addConstraintSample(w, w->state->t + dt, factor * (order == 1 ? first[k] : second[k]) / unit, sum);
    }
    restoreSample(w);
    return status;
}

int ukFormulaDifferentiate(const ukFormulaState *state, int m, int velocities, ukFormulaConstraintFn *constraint,
                           void *data, double *A, double *b)
{
    if (!state || state->n <= 0 || m < 0 || !state->q || !state->v || !constraint || !A || !b) return ukErrorArgument;
    ukHeap heap = {.blocks = 0};
    const int n = state->n;
    Sampler w = {.state = state, .m = m, .constraint = constraint, .data = data};
    w.q = ukHeapMatrix(&heap, n, 1), w.v = ukHeapMatrix(&heap, n, 1), w.value = ukHeapMatrix(&heap, m, 1);
    double *const X = ukHeapMatrix(&heap, m, n), *const x = ukHeapMatrix(&heap, m, 1),
                  *const column = ukHeapMatrix(&heap, m, 1);
    int status = heap.exhausted ? ukErrorMemory : ukOk;
    if (status == ukOk) restoreSample(&w);
    for (int j = 0; j < n && status == ukOk; j++) {
        for (int i = 0; i < m; i++) column[i] = 0;
        status = alongOne(&w, velocities ? w.v + j : w.q + j, column);
        for (size_t i = 0; i < (size_t)m; i++) X[i * (size_t)n + (size_t)j] = column[i];
    }
    if (status == ukOk) status = alongMotion(&w, velocities ? 1 : 2, -1, x);
    ukHeapAddResult(&heap, A, X, m, n);
    ukHeapAddResult(&heap, b, x, m, 1);
    return ukHeapEnd(&heap, status);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/equality/component.h"

#include "solvers/problem/block.h"

#include <string.h>

ukComponent ukComponentOf(const ukFactored *f, const double *unit, int first, int last)
{
    const ukFront *front = f->plan->front;
    const int at = front[first].at, end = front[last].at + front[last].p;
    return (ukComponent){f->factor, f->plan, f->p, f->softness, unit, first, last, at, (size_t)(end - at)};
}

static const ukEntry *firstComponentEntry(const ukComponent *component)
{
    return component->plan->entry + component->plan->front[component->first].entry;
}

static const ukEntry *endOfComponentEntries(const ukComponent *component)
{
    const ukFront *last = component->plan->front + component->last;
    return component->plan->entry + last->entry + last->entries;
}

void ukComponentReact(const ukComponent *component, const double *u, double *z, double *w)
{
    const ukSymbolic *plan = component->plan;
    const ukProblem *p = component->p;
    memcpy(z, u, component->size * sizeof *z);
    for (size_t k = 0; k < component->size; k++) {
        const int row = plan->row[component->at + (int)k];
        const double unit = component->unit[component->at + (int)k];
        w[k] = row < 0 || !component->softness ? 0 : unit * component->softness[row] * unit * u[k];
    }
    for (const ukEntry *e = firstComponentEntry(component), *end = endOfComponentEntries(component); e < end; e++) {
        double *f = w + plan->body_at[e->body] - component->at;
        const double *A = p->A + e->A;
        const int *at = plan->row_at + e->row;
        ukPair f0 = ukLoadPair(f), f1 = ukLoadPair(f + 2), f2 = ukLoadPair(f + 4);
        for (int r = 0; r < e->rows; r++, A += e->stride) {
            const ukPair lambda = ukBothOf(component->unit[at[r]] * u[at[r] - component->at]);
            f0 += ukLoadPair(A) * lambda, f1 += ukLoadPair(A + 2) * lambda, f2 += ukLoadPair(A + 4) * lambda;
        }
        ukStorePair(f, f0), ukStorePair(f + 2, f1), ukStorePair(f + 4, f2);
    }
    for (size_t k = 0; k < component->size;) {
        const int code = -1 - plan->row[component->at + (int)k];
        if (code < 0) {
            k++;
            continue;
        }
        const size_t i = (size_t)(code / 6);
        const double *g = w + k, *I = p->inverse_inertia + 9 * i;
        for (int c = 0; c < 3; c++) {
            z[k + (size_t)c] = g[c] / p->mass[i];
            z[k + 3 + (size_t)c] = I[3 * c] * g[3] + I[3 * c + 1] * g[4] + I[3 * c + 2] * g[5];
        }
        k += 6;
    }
}

void ukComponentApply(const ukComponent *component, const double *z, const double *w, double *y)
{
    const ukSymbolic *plan = component->plan;
    for (size_t k = 0; k < component->size; k++) y[k] = plan->row[component->at + (int)k] < 0 ? 0 : w[k];
    for (const ukEntry *e = firstComponentEntry(component), *end = endOfComponentEntries(component); e < end; e++) {
        const double *x = z + plan->body_at[e->body] - component->at, *A = component->p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride) {
            double sum = 0;
            for (int c = 0; c < 6; c++) sum += A[c] * x[c];
            const int at = plan->row_at[e->row + r];
            y[at - component->at] += component->unit[at] * sum;
        }
    }
}

void ukComponentSubstitute(const ukComponent *component, double *y)
{
    const double *unit = component->unit + component->at;
    for (size_t k = 0; k < component->size; k++) y[k] /= unit[k];
    ukFactorSolve(component->factor, component->plan, component->first, component->last, y);
    for (size_t k = 0; k < component->size; k++)
        y[k] = component->plan->row[component->at + (int)k] < 0 ? 0 : -y[k] / unit[k];
}

double ukDotOf(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

void ukAddTo(size_t n, double s, const double *x, double *y)
{
    size_t k = 0;
    for (; k + 1 < n; k += 2) ukStorePair(y + k, ukLoadPair(y + k) + ukBothOf(s) * ukLoadPair(x + k));
    if (k < n) y[k] += s * x[k];
}

void ukScale(size_t n, double s, double *x)
{
    for (size_t k = 0; k < n; k++) x[k] *= s;
}

void ukComponentGather(const ukComponent *component, const double *x, const double *rows, double *t)
{
    const int *at = component->plan->row + component->at;
    for (size_t k = 0; k < component->size; k++)
        t[k] = at[k] >= 0 ? rows[at[k]] / component->unit[component->at + (int)k] : x ? x[-1 - at[k]] : 0;
}

void ukComponentScatter(const ukComponent *component, const double *t, double *x, double *rows)
{
    const int *at = component->plan->row + component->at;
    for (size_t k = 0; k < component->size; k++) {
        if (at[k] >= 0)
            rows[at[k]] = component->unit[component->at + (int)k] * t[k];
        else
            x[-1 - at[k]] = t[k];
    }
}

void ukComponentResidual(const ukComponent *component, const double *b, const double *t, double *e)
{
    const int *at = component->plan->row + component->at;
    const double *unit = component->unit + component->at;
    for (size_t k = 0; k < component->size; k++)
        e[k] = at[k] < 0
                   ? 0
                   : unit[k] * (b[at[k]] - (component->softness ? component->softness[at[k]] * unit[k] * t[k] : 0));
    for (const ukEntry *c = firstComponentEntry(component), *end = endOfComponentEntries(component); c < end; c++) {
        const double *x = t + component->plan->body_at[c->body] - component->at, *A = component->p->A + c->A;
        for (int r = 0; r < c->rows; r++, A += c->stride) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += A[k] * x[k];
            const int to = component->plan->row_at[c->row + r];
            e[to - component->at] -= component->unit[to] * sum;
        }
    }
}

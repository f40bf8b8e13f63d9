#include "solvers/rank/part.h"

#include <string.h>

ukPart ukPartOf(const ukFactor *factor, const ukSymbolic *plan, const ukProblem *p, const double *softness,
                const double *unit, int first, int last)
{
    const int at = plan->front[first].at, end = plan->front[last].at + plan->front[last].p;
    return (ukPart){factor, plan, p, softness, unit, first, last, at, (size_t)(end - at)};
}

static const ukEntry *firstOf(const ukPart *part)
{
    return part->plan->entry + part->plan->front[part->first].entry;
}

static const ukEntry *endOf(const ukPart *part)
{
    const ukFront *last = part->plan->front + part->last;
    return part->plan->entry + last->entry + last->entries;
}

void ukPartReact(const ukPart *part, const double *u, double *z, double *w)
{
    const ukSymbolic *plan = part->plan;
    const ukProblem *p = part->p;
    memcpy(z, u, part->size * sizeof *z);
    for (size_t k = 0; k < part->size; k++) {
        const int row = plan->row[part->at + (int)k];
        const double unit = part->unit[part->at + (int)k];
        w[k] = row < 0 || !part->softness ? 0 : unit * part->softness[row] * unit * u[k];
    }
    for (const ukEntry *e = firstOf(part), *end = endOf(part); e < end; e++) {
        double *f = w + plan->body_at[e->body] - part->at;
        const double *A = p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride) {
            const int at = plan->row_at[e->row + r];
            const double lambda = part->unit[at] * u[at - part->at];
            for (int c = 0; c < 6; c++) f[c] += A[c] * lambda;
        }
    }
    for (size_t k = 0; k < part->size;) {
        const int code = -1 - plan->row[part->at + (int)k];
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

void ukPartApply(const ukPart *part, const double *z, const double *w, double *y)
{
    const ukSymbolic *plan = part->plan;
    for (size_t k = 0; k < part->size; k++) y[k] = plan->row[part->at + (int)k] < 0 ? 0 : w[k];
    for (const ukEntry *e = firstOf(part), *end = endOf(part); e < end; e++) {
        const double *x = z + plan->body_at[e->body] - part->at, *A = part->p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride) {
            double sum = 0;
            for (int c = 0; c < 6; c++) sum += A[c] * x[c];
            const int at = plan->row_at[e->row + r];
            y[at - part->at] += part->unit[at] * sum;
        }
    }
}

void ukPartSubstitute(const ukPart *part, double *y)
{
    const double *unit = part->unit + part->at;
    for (size_t k = 0; k < part->size; k++) y[k] /= unit[k];
    ukFactorSolve(part->factor, part->plan, part->first, part->last, y);
    for (size_t k = 0; k < part->size; k++) y[k] = part->plan->row[part->at + (int)k] < 0 ? 0 : -y[k] / unit[k];
}

double ukDotOf(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

void ukAddTo(size_t n, double s, const double *x, double *y)
{
    for (size_t k = 0; k < n; k++) y[k] += s * x[k];
}

void ukScale(size_t n, double s, double *x)
{
    for (size_t k = 0; k < n; k++) x[k] *= s;
}

void ukPartGather(const ukPart *part, const double *x, const double *rows, double *t)
{
    const int *at = part->plan->row + part->at;
    for (size_t k = 0; k < part->size; k++)
        t[k] = at[k] >= 0 ? rows[at[k]] / part->unit[part->at + (int)k] : x ? x[-1 - at[k]] : 0;
}

void ukPartScatter(const ukPart *part, const double *t, double *x, double *rows)
{
    const int *at = part->plan->row + part->at;
    for (size_t k = 0; k < part->size; k++) {
        if (at[k] >= 0)
            rows[at[k]] = part->unit[part->at + (int)k] * t[k];
        else
            x[-1 - at[k]] = t[k];
    }
}

void ukPartResidual(const ukPart *part, const double *b, const double *t, double *e)
{
    const int *at = part->plan->row + part->at;
    const double *unit = part->unit + part->at;
    for (size_t k = 0; k < part->size; k++)
        e[k] = at[k] < 0 ? 0 : unit[k] * (b[at[k]] - (part->softness ? part->softness[at[k]] * unit[k] * t[k] : 0));
    for (const ukEntry *c = firstOf(part), *end = endOf(part); c < end; c++) {
        const double *x = t + part->plan->body_at[c->body] - part->at, *A = part->p->A + c->A;
        for (int r = 0; r < c->rows; r++, A += c->stride) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += A[k] * x[k];
            const int to = part->plan->row_at[c->row + r];
            e[to - part->at] -= part->unit[to] * sum;
        }
    }
}

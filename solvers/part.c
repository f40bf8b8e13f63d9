#include "solvers/part.h"

#include <math.h>
#include <string.h>

enum { PowerSteps = 12 };

ukPart ukPartOf(const ukFactor *factor, const ukSymbolic *plan, const ukProblem *p, const double *softness, int first,
                int last)
{
    const int at = plan->front[first].at, end = plan->front[last].at + plan->front[last].p;
    return (ukPart){factor, plan, p, softness, first, last, at, (size_t)(end - at)};
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
        w[k] = row < 0 || !part->softness ? 0 : part->softness[row] * u[k];
    }
    for (const ukEntry *e = firstOf(part), *end = endOf(part); e < end; e++) {
        double *f = w + plan->body_at[e->body] - part->at;
        const double *A = p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride)
            for (int c = 0; c < 6; c++) f[c] += A[c] * u[plan->row_at[e->row + r] - part->at];
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
            y[plan->row_at[e->row + r] - part->at] += sum;
        }
    }
}

void ukPartSubstitute(const ukPart *part, double *y)
{
    ukFactorSolve(part->factor, part->plan, part->first, part->last, y);
    for (size_t k = 0; k < part->size; k++) y[k] = part->plan->row[part->at + (int)k] < 0 ? 0 : -y[k];
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

double ukPartLargest(const ukPart *part, double *u, double *z, double *w)
{
    const size_t n = part->size;
    double value = 0;
    for (size_t k = 0; k < n; k++) u[k] = part->plan->row[part->at + (int)k] < 0 ? 0 : 1 + 0.5 * sin(1.0 + (double)k);
    for (int step = 0; step < PowerSteps; step++) {
        const double norm = sqrt(ukDotOf(n, u, u));
        if (!(norm > 0)) return 0;
        ukScale(n, 1 / norm, u);
        ukPartReact(part, u, z, w);
        value = ukDotOf(n, z, w);
        ukPartApply(part, z, w, u);
    }
    return value;
}

void ukPartGather(const ukPart *part, const double *x, const double *rows, double *t)
{
    const int *at = part->plan->row + part->at;
    for (size_t k = 0; k < part->size; k++) t[k] = at[k] >= 0 ? rows[at[k]] : x ? x[-1 - at[k]] : 0;
}

void ukPartScatter(const ukPart *part, const double *t, double *x, double *rows)
{
    const int *at = part->plan->row + part->at;
    for (size_t k = 0; k < part->size; k++) {
        if (at[k] >= 0)
            rows[at[k]] = t[k];
        else
            x[-1 - at[k]] = t[k];
    }
}

void ukPartResidual(const ukPart *part, const double *b, const double *t, double *e)
{
    const int *at = part->plan->row + part->at;
    for (size_t k = 0; k < part->size; k++)
        e[k] = at[k] < 0 ? 0 : b[at[k]] - (part->softness ? part->softness[at[k]] * t[k] : 0);
    for (const ukEntry *c = firstOf(part), *end = endOf(part); c < end; c++) {
        const double *x = t + part->plan->body_at[c->body] - part->at, *A = part->p->A + c->A;
        for (int r = 0; r < c->rows; r++, A += c->stride) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += A[k] * x[k];
            e[part->plan->row_at[c->row + r] - part->at] -= sum;
        }
    }
}

#include "solvers/deficient.h"

#include "solvers/deflation.h"
#include "solvers/proximal.h"
#include "solvers/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Many = 24 }; /* dependent rows of one part are looked at one by one up to here */

void ukDeficientFree(ukDeficient *d)
{
    free(d->memory);
    *d = (ukDeficient){0};
}

static double *reserve(ukDeficient *d, size_t count)
{
    if (count <= d->capacity) return d->memory;
    free(d->memory);
    d->memory = malloc(count * sizeof *d->memory);
    d->capacity = d->memory ? count : 0;
    return d->memory;
}

/* K + eps I is factored on the parts with many dependent rows, which own[] = eps at their rows tells */
static int solveMany(ukDeficient *d, ukFactor *factor, const ukSymbolic *plan, const ukProblem *p,
                     const double *softness, double tolerance, double *x, double *lambda)
{
    const size_t m = (size_t)p->rows;
    double most = 0;
    for (size_t i = 0; i < m; i++) most = fmax(most, factor->own[plan->row_at[i]]);
    const double eps = most * fmax(1e-9, tolerance * tolerance);
    const ukPart all = ukPartOf(factor, plan, p, softness, 0, plan->fronts - 1);
    double *shifted = reserve(d, 2 * m + ukProximalScratch(&all)), *many = shifted + m;
    if (!shifted) return ukErrorMemory;

    int k = factor->shifts;
    for (int last = plan->fronts - 1; last >= 0; last = plan->front[last].first - 1) {
        const ukPart part = ukPartOf(factor, plan, p, softness, plan->front[last].first, last);
        int q = 0;
        for (; k > 0 && factor->shifted[k - 1] >= part.at; k--) q++;
        for (size_t i = 0; i < part.size; i++) {
            const int row = plan->row[part.at + (int)i];
            if (row < 0) continue;
            many[row] = q > Many;
            shifted[row] = (softness ? softness[row] : 0) + (q > Many ? eps : 0);
        }
    }
    const int status = ukFactorCompute(factor, plan, p, NULL, shifted, 0, 0);
    if (status != ukOk) return status;
    for (int last = plan->fronts - 1; last >= 0; last = plan->front[last].first - 1) {
        const ukPart part = ukPartOf(factor, plan, p, softness, plan->front[last].first, last);
        int row = -1;
        for (size_t i = 0; i < part.size && row < 0; i++) row = plan->row[part.at + (int)i];
        if (row >= 0 && many[row] > 0) ukProximalSolve(&part, eps, x, lambda, many + m);
    }
    return ukOk;
}

int ukDeficientSolve(ukDeficient *d, ukFactor *factor, const ukSymbolic *plan, const ukProblem *p,
                     const double *softness, const double *a, double tolerance, double *x, double *lambda, int *dropped)
{
    int k = factor->shifts, many = 0;
    *dropped = 0;
    for (int last = plan->fronts - 1; last >= 0; last = plan->front[last].first - 1) {
        const ukPart part = ukPartOf(factor, plan, p, softness, plan->front[last].first, last);
        int q = 0;
        for (; k > 0 && factor->shifted[k - 1] >= part.at; k--) q++;
        for (size_t i = 0; i < part.size && q > 0; i++) {
            const int row = plan->row[part.at + (int)i];
            if (row < 0)
                x[-1 - row] = a[-1 - row];
            else
                lambda[row] = 0;
        }
        if (q > Many) {
            many += q;
        } else if (q > 0) {
            double *scratch = reserve(d, ukDeflationScratch(&part, q));
            if (!scratch) return ukErrorMemory;
            *dropped += ukDeflationSolve(&part, factor->shifted + k, q, tolerance, x, lambda, scratch);
        }
    }
    *dropped += many;
    return many > 0 ? solveMany(d, factor, plan, p, softness, tolerance, x, lambda) : ukOk;
}

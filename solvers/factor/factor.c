/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/factor.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/factor/branch.h"
#include "solvers/factor/condensed.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

int ukFactorReserve(ukFactor *f, const ukSymbolic *plan)
{
    const size_t n = 6 * (size_t)plan->bodies + (size_t)plan->rows + 2, d = sizeof(double);
    f->kernel = ukKernelOfProcessor();
    const bool ok = ukGrow(&f->L, f->capacity, (plan->factor + 2) * d) &&
                    ukGrow(&f->stack, f->capacity + 1, (plan->stack + 2) * d) &&
                    ukGrow(&f->diagonal, f->capacity + 2, n * d) && ukGrow(&f->pivot, f->capacity + 3, n * d) &&
                    ukGrow(&f->floor, f->capacity + 4, n * d) && ukGrow(&f->work, f->capacity + 5, 4 * n * d) &&
                    ukGrow(&f->shifted, f->capacity + 6, n * sizeof(int));
    return ok ? ukOk : ukErrorMemory;
}

void ukFactorFree(ukFactor *f)
{
    void *all[] = {f->L, f->stack, f->diagonal, f->pivot, f->floor, f->work, f->shifted};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    *f = (ukFactor){0};
}

/* whether mass and inertia (row-major, symmetric) are positive definite; false for NaN */
static bool isMassPositive(double mass, const double *I)
{
    const double a = I[4] * I[8] - I[5] * I[7], b = I[3] * I[8] - I[5] * I[6], c = I[3] * I[7] - I[4] * I[6];
    return mass > 0 && mass <= DBL_MAX && I[0] > 0 && I[0] * I[4] - I[1] * I[3] > 0 &&
           I[0] * a - I[1] * b + I[2] * c > 0;
}

int ukFactorCompute(ukFactor *factor, const ukSymbolic *plan, const ukProblem *p, const unsigned char *active,
                    const double *softness, double least)
{
    const ukFactorInput in = {p, active, softness, least};
    factor->A = p->A;
    factor->shifts = factor->doubtful = factor->weak = 0;
    for (int i = 0; i < p->bodies; i++)
        if (!isMassPositive(p->mass[i], p->inertia + 9 * (size_t)i)) return ukErrorMass;
    memset(factor->diagonal, 0, (6 * (size_t)p->bodies + (size_t)p->rows) * sizeof *factor->diagonal);
    for (int f = 0; f < plan->fronts; f++) {
        int status = ukOk;
        if (plan->front[f].kind == ukFrontCondensed)
            ukCondensedFactor(factor, plan, f, &in);
        else if (!ukBranchFactor(factor, plan, f, &in, &status))
            status = ukFrontFactor(factor, plan, f, &in);
        if (status != ukOk) return status;
    }
    return ukOk;
}

void ukFactorSolve(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y)
{
    if (first > last) return;
    const int origin = plan->front[first].at;
    for (int f = first; f <= last; f++) {
        const ukFront *front = plan->front + f;
        if (front->kind == ukFrontCondensed)
            ukCondensedForward(factor, plan, front, y, origin);
        else if (!ukBranchForward(factor->L, plan, front, y, origin))
            ukFrontForward(factor, plan, front, y, origin);
    }
    ukFactorBackward(factor, plan, first, last, y);
}

void ukFactorBackward(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y)
{
    const int origin = plan->front[first].at;
    for (int f = last; f >= first; f--) {
        const ukFront *front = plan->front + f;
        if (front->kind == ukFrontCondensed)
            ukCondensedBackward(factor, plan, front, y, origin);
        else if (!ukBranchBackward(factor->L, plan, front, y, origin))
            ukFrontBackward(factor, plan, front, y, origin);
    }
}

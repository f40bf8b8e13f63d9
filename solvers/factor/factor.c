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
    int longest = 0; /* unknowns of a front */
    for (int k = 0; k < plan->fronts && plan->subtrees.parts > 0; k++)
        if (plan->front[k].part >= 0 && plan->front[k].p + plan->front[k].u > longest)
            longest = plan->front[k].p + plan->front[k].u;
    f->part_length = (size_t)plan->outers + 5 * ((size_t)longest + 2);
    const size_t parts = (size_t)plan->subtrees.parts;
    const bool ok = ukGrow(&f->L, f->capacity, (plan->factor + 2) * d) &&
                    ukGrow(&f->stack, f->capacity + 1, (plan->stack + 2) * d) &&
                    ukGrow(&f->diagonal, f->capacity + 2, n * d) && ukGrow(&f->pivot, f->capacity + 3, n * d) &&
                    ukGrow(&f->floor, f->capacity + 4, n * d) && ukGrow(&f->work, f->capacity + 5, 4 * n * d) &&
                    ukGrow(&f->shifted, f->capacity + 6, n * sizeof(int)) &&
                    (parts == 0 || ukGrow(&f->part_scratch, f->capacity + 7, parts * f->part_length * d));
    return ok ? ukOk : ukErrorMemory;
}

void ukFactorFree(ukFactor *f)
{
    void *all[] = {f->L, f->stack, f->diagonal, f->pivot, f->floor, f->work, f->shifted, f->part_scratch};
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

/* whether the masses of all bodies begin ... end - 1 are positive definite */
static bool areMassesPositive(const ukProblem *p, int begin, int end)
{
    for (int i = begin; i < end; i++)
        if (!isMassPositive(p->mass[i], p->inertia + 9 * (size_t)i)) return false;
    return true;
}

static int factorFronts(ukFactor *factor, const ukSymbolic *plan, int first, int last, const ukFactorInput *in)
{
    for (int f = first; f <= last; f++) {
        int status = ukOk;
        if (plan->front[f].kind == ukFrontCondensed)
            ukCondensedFactor(factor, plan, f, in);
        else if (!ukBranchFactor(factor, plan, f, in, &status))
            status = ukFrontFactor(factor, plan, f, in);
        if (status != ukOk) return status;
    }
    return ukOk;
}

UKODE_INLINE void forwardFronts(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y)
{
    const int origin = plan->front[first].at;
    for (int f = first; f <= last; f++) {
        const ukFront *front = plan->front + f;
        if (front->outside)
            ukFrontForwardOutside(factor, plan, front, y - origin, factor->outer);
        else if (front->kind == ukFrontCondensed)
            ukCondensedForward(factor, plan, front, y, origin);
        else if (!ukBranchForward(factor->L, plan, front, y, origin))
            ukFrontForward(factor, plan, front, y, origin);
    }
}

/* fronts first ... last of any forest; y from position `origin` on */
static void backwardFronts(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y, int origin)
{
    for (int f = last; f >= first; f--) {
        const ukFront *front = plan->front + f;
        if (front->kind == ukFrontCondensed)
            ukCondensedBackward(factor, plan, front, y, origin);
        else if (!ukBranchBackward(factor->L, plan, front, y, origin))
            ukFrontBackward(factor, plan, front, y, origin);
    }
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* The factorization or a solution of a problem with parts. */
typedef struct Parts {
    const ukFactor *factor;
    const ukSymbolic *plan;
    const ukFactorInput *in;
    double *y;
    ukFactor part[ukMostSubtrees];
    int status[ukMostSubtrees];
} Parts;

/* a copy of the factor with scratch, changes of the top, and list of shifted pivots of part k */
static ukFactor factorOfPart(const ukFactor *factor, const ukSymbolic *plan, int k)
{
    ukFactor part = *factor;
    const size_t longest = factor->part_length - (size_t)plan->outers;
    part.outer = factor->part_scratch + (size_t)k * factor->part_length;
    part.floor = part.outer + plan->outers;
    part.work = part.floor + longest / 5;
    part.shifted = factor->shifted + plan->front[plan->subtrees.first[k]].at;
    part.shifts = part.doubtful = part.weak = 0;
    memset(part.outer, 0, (size_t)plan->outers * sizeof *part.outer);
    return part;
}

static void factorPart(void *context, int k)
{
    Parts *parts = context;
    const ukSubtrees *s = &parts->plan->subtrees;
    parts->part[k] = factorOfPart(parts->factor, parts->plan, k);
    parts->status[k] = factorFronts(&parts->part[k], parts->plan, s->first[k], s->last[k], parts->in);
}

/* Adds what part k has found, after that of the parts and fronts before it. */
static void addPart(ukFactor *factor, const ukFactor *part)
{
    memmove(factor->shifted + factor->shifts, part->shifted, (size_t)part->shifts * sizeof *part->shifted);
    factor->shifts += part->shifts;
    factor->doubtful += part->doubtful;
    factor->weak += part->weak;
}

/* adds the parts' changes at the positions of the top to x (by position) */
static void addOuter(const Parts *parts, double *x)
{
    const ukSymbolic *plan = parts->plan;
    for (int f = 0, out = 0; f < plan->fronts;
         f = plan->front[f].part < 0 ? f + 1 : plan->subtrees.last[plan->front[f].part] + 1)
        for (int c = 0; plan->front[f].part < 0 && c < plan->front[f].p; c++, out++)
            for (int k = 0; k < plan->subtrees.parts; k++) x[plan->front[f].at + c] += parts->part[k].outer[out];
}

static int factorByParts(ukFactor *factor, const ukSymbolic *plan, const ukFactorInput *in)
{
    Parts parts = {.factor = factor, .plan = plan, .in = in};
    const ukSubtrees *s = &plan->subtrees;
    ukTeamRun(factor->team, s->parts, factorPart, &parts);
    addOuter(&parts, factor->diagonal);
    int status = ukOk;
    for (int f = 0; f < plan->fronts && status == ukOk; f++) {
        const int k = plan->front[f].part;
        if (k < 0) {
            status = factorFronts(factor, plan, f, f, in);
            continue;
        }
        addPart(factor, &parts.part[k]);
        status = parts.status[k];
        f = s->last[k];
    }
    return status;
}

static void forwardPart(void *context, int k)
{
    Parts *parts = context;
    const ukSymbolic *plan = parts->plan;
    const ukSubtrees *s = &plan->subtrees;
    parts->part[k] = factorOfPart(parts->factor, plan, k);
    forwardFronts(&parts->part[k], plan, s->first[k], s->last[k], parts->y + plan->front[s->first[k]].at);
}

static void backwardPart(void *context, int k)
{
    Parts *parts = context;
    const ukSubtrees *s = &parts->plan->subtrees;
    backwardFronts(&parts->part[k], parts->plan, s->first[k], s->last[k], parts->y, 0);
}

static void solveByParts(const ukFactor *factor, const ukSymbolic *plan, double *y)
{
    Parts parts = {.factor = factor, .plan = plan, .y = y};
    const ukSubtrees *s = &plan->subtrees;
    ukTeamRun(factor->team, s->parts, forwardPart, &parts);
    addOuter(&parts, y);
    for (int f = 0; f < plan->fronts; f++) {
        const int k = plan->front[f].part;
        if (k < 0)
            forwardFronts(factor, plan, f, f, y + plan->front[f].at);
        else
            f = s->last[k];
    }
    for (int f = plan->fronts - 1; f >= 0; f--) {
        const int k = plan->front[f].part;
        if (k < 0)
            backwardFronts(factor, plan, f, f, y, 0);
        else
            f = s->first[k];
    }
    ukTeamRun(factor->team, s->parts, backwardPart, &parts);
}

/* ---- all fronts -------------------------------------------------------------------------------------------------- */

int ukFactorCompute(ukFactor *factor, const ukSymbolic *plan, const ukProblem *p, const unsigned char *active,
                    const double *softness, double least)
{
    const ukFactorInput in = {p, active, softness, least};
    factor->A = p->A;
    factor->team = p->team;
    factor->shifts = factor->doubtful = factor->weak = 0;
    if (!areMassesPositive(p, 0, p->bodies)) return ukErrorMass;
    memset(factor->diagonal, 0, (6 * (size_t)p->bodies + (size_t)p->rows) * sizeof *factor->diagonal);
    return plan->subtrees.parts > 0 ? factorByParts(factor, plan, &in)
                                    : factorFronts(factor, plan, 0, plan->fronts - 1, &in);
}

void ukFactorSolve(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y)
{
    if (first > last) return;
    if (plan->subtrees.parts > 0 && first == 0 && last == plan->fronts - 1) {
        solveByParts(factor, plan, y);
        return;
    }
    forwardFronts(factor, plan, first, last, y);
    ukFactorBackward(factor, plan, first, last, y);
}

void ukFactorBackward(const ukFactor *factor, const ukSymbolic *plan, int first, int last, double *y)
{
    backwardFronts(factor, plan, first, last, y, plan->front[first].at);
}

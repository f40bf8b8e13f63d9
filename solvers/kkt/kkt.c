/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/kkt/kkt.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/factor/plan.h"
#include "solvers/kkt/store.h"
#include "solvers/problem/block.h"
#include "solvers/problem/partition.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A pivot at or below this fraction of its row's own K_ii counts as zero. Rounding leaves 1e-16 ... 1e-13 of dependent
 * rows. */
static const double vanished = 1e-11;

ukKkt *ukKktCreate(void)
{
    ukKkt *kkt = calloc(1, sizeof *kkt);
    if (!kkt) return NULL;
    kkt->plans[0].bodies = kkt->plans[1].bodies = -1;
    kkt->plan = kkt->plans;
    return kkt;
}

void ukKktDestroy(ukKkt *kkt)
{
    if (!kkt) return;
    ukSymbolicFree(kkt->plans);
    ukSymbolicFree(kkt->plans + 1);
    ukFactorFree(&kkt->factor);
    ukPairsFree(&kkt->pairs);
    ukUnsymmetricFree(&kkt->unsymmetric);
    free(kkt->active);
    free(kkt->y);
    free(kkt);
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* allocates memory for the plan just made, which ended with `status` */
static int reserveForPlan(ukKkt *kkt, const ukProblem *p, int status)
{
    if (status != ukOk) return status;
    const size_t n = 6 * (size_t)p->bodies + 2, m = (size_t)p->rows + 2;
    const bool grown =
        ukGrow(&kkt->active, kkt->capacity, m) && ukGrow(&kkt->y, kkt->capacity + 1, (3 * n + 2 * m) * sizeof *kkt->y);
    status = grown ? ukFactorReserve(&kkt->factor, kkt->plan) : ukErrorMemory;
    if (status != ukOk) {
        kkt->plan->bodies = -1;
        return status;
    }
    kkt->g = kkt->y + n + m, kkt->x = kkt->g + n, kkt->r = kkt->x + n;
    return ukOk;
}

int ukKktPlan(ukKkt *kkt, const ukProblem *p, const unsigned char *soft)
{
    const bool again = ukSymbolicFits(kkt->plan, p, soft);
    if (again && kkt->paired == kkt->plan) return ukOk; /* memory is allocated, and the pairs are laid out */
    if (!again) kkt->plan = kkt->plans + (kkt->plan == kkt->plans);
    const int status = reserveForPlan(kkt, p, ukSymbolicPlan(kkt->plan, p, soft));
    if (status != ukOk) return status;
    kkt->paired = kkt->plan;
    const int laid_out = ukPairsPlan(&kkt->pairs, kkt->plan);
    if (laid_out != ukOk) kkt->plan->bodies = -1;
    return laid_out;
}

static ukSymbolic *planNumber(ukKkt *kkt, int which)
{
    return which == 0 ? kkt->plan : kkt->plans + (kkt->plan == kkt->plans);
}

const ukSymbolic *ukKktPlanOf(const ukKkt *kkt, int which)
{
    return planNumber((ukKkt *)kkt, which);
}

int ukKktRestorePlan(ukKkt *kkt, int which, const ukProblem *structure, const unsigned char *wish)
{
    kkt->paired = NULL;
    return ukSymbolicRenew(planNumber(kkt, which), structure, wish);
}

/* ---- symmetric --------------------------------------------------------------------------------------------------- */

/* Rows whose pivot vanished before all of their bodies were eliminated may be independent: from now on the plan
 * eliminates them after these bodies (all: all rows). */
static int delayShiftedRows(ukKkt *kkt, const ukProblem *p, bool all)
{
    const ukSymbolic *plan = kkt->plan;
    int count = 0, *shifted = kkt->factor.shifted;
    for (int f = 0, k = 0; f < plan->fronts; f++)
        for (; k < kkt->factor.shifts && shifted[k] < plan->front[f].at + plan->front[f].p; k++)
            if (plan->front[f].doubtful) shifted[count++] = plan->row[shifted[k]];
    return reserveForPlan(kkt, p, ukSymbolicDelay(kkt->plan, p, shifted, all ? -1 : count));
}

/* initializes the factor that is about to be computed */
static ukKktFactor startFactor(ukKkt *kkt, ukKktStorage storage, const ukProblem *p, const unsigned char *active,
                               const double *softness)
{
    ukKktFactor factor = {kkt, storage, p, NULL, softness};
    kkt->serial++;
    if (active && p->rows > 0) factor.active = memcpy(kkt->active, active, (size_t)p->rows);
    return factor;
}

static int factorizeFronts(ukKktFactor *factor, double least)
{
    ukKkt *kkt = factor->kkt;
    const ukProblem *p = factor->p;
    int status = ukFactorCompute(&kkt->factor, kkt->plan, p, factor->active, factor->softness, least);
    for (int iteration = 0; status == ukOk && kkt->factor.doubtful > 0; iteration++) {
        status = delayShiftedRows(kkt, p, iteration == 2);
        if (status == ukOk)
            status = ukFactorCompute(&kkt->factor, kkt->plan, p, factor->active, factor->softness, least);
    }
    return status;
}

int ukKktFactorizeShifted(ukKkt *kkt, const ukProblem *p, const double *softness, double least, ukKktFactor *factor)
{
    *factor = startFactor(kkt, ukKktFronts, p, NULL, softness);
    return factorizeFronts(factor, least);
}

static bool isPaired(const ukKkt *kkt)
{
    return kkt->paired == kkt->plan && kkt->pairs.suits;
}

int ukKktFactorize(ukKkt *kkt, const ukProblem *p, const unsigned char *active, const double *softness,
                   ukKktFactor *factor)
{
    if (!softness) softness = p->softness;
    if (isPaired(kkt)) {
        *factor = startFactor(kkt, ukKktPairs, p, active, softness);
        kkt->factor.shifts = 0;
        return ukPairsFactor(&kkt->pairs, p, factor->active, softness, NULL);
    }
    *factor = startFactor(kkt, ukKktFronts, p, active, softness);
    const int status = factorizeFronts(factor, vanished);
    return status != ukOk ? status : kkt->factor.shifts > 0 ? ukErrorSingular : ukOk;
}

/* The arguments of a solve, for its stages: y = (f, r) by position, and (x, l) = y. */
typedef struct Arranged {
    const ukKktFactor *factor;
    const double *f, *r;
    double *x, *l;
} Arranged;

/* part k of `tasks` */
UKODE_INLINE void arrangeRightSides(const Arranged *of, int tasks, int k)
{
    const ukKkt *kkt = of->factor->kkt;
    const ukSymbolic *plan = kkt->plan;
    const unsigned char *const active = of->factor->active;
    const double *const f = of->f, *const r = of->r;
    const int bodies = ukPartitionBegin(plan->bodies, tasks, k + 1), rows = ukPartitionBegin(plan->rows, tasks, k + 1);
    double *y = kkt->y;
    for (int i = ukPartitionBegin(plan->bodies, tasks, k); i < bodies; i++)
        for (int c = 0; c < 6; c++) y[plan->body_at[i] + c] = f ? f[6 * (size_t)i + (size_t)c] : 0;
    for (int i = ukPartitionBegin(plan->rows, tasks, k); i < rows; i++)
        y[plan->row_at[i]] = !r || (active && !active[i]) ? 0 : r[i];
}

UKODE_INLINE void collectSolution(const Arranged *of, int tasks, int k)
{
    const ukKkt *kkt = of->factor->kkt;
    const ukSymbolic *plan = kkt->plan;
    const double *const y = kkt->y;
    double *const x = of->x, *const l = of->l;
    const int bodies = ukPartitionBegin(plan->bodies, tasks, k + 1), rows = ukPartitionBegin(plan->rows, tasks, k + 1);
    for (int i = ukPartitionBegin(plan->bodies, tasks, k); i < bodies; i++)
        memcpy(x + 6 * (size_t)i, y + plan->body_at[i], 6 * sizeof *y);
    for (int i = ukPartitionBegin(plan->rows, tasks, k); i < rows; i++) l[i] = 0 - y[plan->row_at[i]];
}

static void arrangePart(void *context, int k)
{
    arrangeRightSides(context, ukPartitionParts, k);
}

static void collectPart(void *context, int k)
{
    collectSolution(context, ukPartitionParts, k);
}

void ukKktSolve(const ukKktFactor *factor, const double *f, const double *r, double *x, double *l)
{
    ukKkt *kkt = factor->kkt;
    if (factor->storage == ukKktPairs) {
        ukPairsSolve(&kkt->pairs, factor->p, f, r, x, l);
        return;
    }
    const Arranged of = {factor, f, r, x, l};
    const bool divided = ukPartitionOf(factor->p) != NULL;
    if (divided)
        ukTeamRun(factor->p->team, ukPartitionParts, arrangePart, (void *)&of);
    else
        arrangeRightSides(&of, 1, 0);
    ukFactorSolve(&kkt->factor, kkt->plan, 0, kkt->plan->fronts - 1, kkt->y); /* H (x, -l) = (f, r), H = [M A'; A -S] */
    if (divided)
        ukTeamRun(factor->p->team, ukPartitionParts, collectPart, (void *)&of);
    else
        collectSolution(&of, 1, 0);
}

/* ---- unsymmetric ------------------------------------------------------------------------------------------------- */

int ukKktFactorizeCoupled(ukKkt *kkt, const ukProblem *p, const unsigned char *active, const double *softness,
                          const double *coupling, ukKktCoupledFactor *factor)
{
    *factor = (ukKktCoupledFactor){kkt, isPaired(kkt) ? ukKktPairs : ukKktFronts, p};
    if (factor->storage == ukKktPairs) return ukPairsFactor(&kkt->pairs, p, active, softness, coupling);
    const int status = ukUnsymmetricReserve(&kkt->unsymmetric, kkt->plan);
    return status != ukOk ? status : ukUnsymmetricCompute(&kkt->unsymmetric, kkt->plan, p, active, softness, coupling);
}

void ukKktSolveCoupled(const ukKktCoupledFactor *factor, const double *r, double *l)
{
    ukKkt *kkt = factor->kkt;
    if (factor->storage == ukKktPairs)
        ukPairsSolve(&kkt->pairs, factor->p, NULL, r, kkt->x, l);
    else
        ukUnsymmetricSolve(&kkt->unsymmetric, kkt->plan, r, l);
}

int ukKktFactorizeMixed(ukKkt *kkt, const ukProblem *rows, const ukProblem *columns, ukKktMixedFactor *factor)
{
    *factor = (ukKktMixedFactor){kkt};
    const int status = ukUnsymmetricReserve(&kkt->unsymmetric, kkt->plan);
    return status != ukOk ? status : ukUnsymmetricComputeBetween(&kkt->unsymmetric, kkt->plan, rows, columns);
}

void ukKktSolveMixed(const ukKktMixedFactor *factor, const double *r, double *l)
{
    ukUnsymmetricSolveBetween(&factor->kkt->unsymmetric, factor->kkt->plan, r, l);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/kkt/plans.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/factor/plan.h"
#include "solvers/kkt/store.h"

#include <stdlib.h>

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

int ukKktDelayRows(ukKkt *kkt, const ukProblem *p, bool all)
{
    const ukSymbolic *plan = kkt->plan;
    int count = 0, *shifted = kkt->factor.shifted;
    for (int f = 0, k = 0; f < plan->fronts; f++)
        for (; k < kkt->factor.shifts && shifted[k] < plan->front[f].at + plan->front[f].p; k++)
            if (plan->front[f].doubtful) shifted[count++] = plan->row[shifted[k]];
    return reserveForPlan(kkt, p, ukSymbolicDelay(kkt->plan, p, shifted, all ? -1 : count));
}

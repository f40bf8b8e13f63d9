/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/cause.h"

#include <stdio.h>

#include "bridge/base/log.h"
#include "bridge/integrate/continuous.h"
#include "bridge/island/island.h"
#include "bridge/results/rates.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

/* At the frames' starts, whose velocities are those after jumps: these leave no error of a rate unless rates contradict
 * each other. */
static int findContradiction(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    ukStepContext at = *context;
    at.rows.commit = false;
    ukContinuousReset(island);
    int status = ukContinuousAssemble(island, start, &at);
    if (status == ukOk) status = ukSolveContinuous(island);
    if (status == ukOk) status = ukSolveConsistent(island);
    if (status != ukOk) return status;
    const ukProblem *ideal = &island->ideal->problem;
    if (island->outcome->rank == island->problem->rows) return ukOk;
    const ukMissedRate by = ukRatesMissed(island, ideal, NULL);
    return by.missed > 0 ? ukRatesRefuse(island, ideal, &by) : ukOk;
}

int ukCauseOf(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, int status)
{
    char why[400];
    if (status != ukErrorNotConverged) return status;
    snprintf(why, sizeof why, "%s", ukErrorMessage());
    const int found = findContradiction(island, start, context);
    ukContinuousReset(island);
    if (found == ukErrorContradiction || found == ukErrorMemory) return found;
    if (found == ukErrorCallback || found == ukErrorChanged) return found; /* of a user function, called again */
    return ukErrorSet(status, "%s", why);
}

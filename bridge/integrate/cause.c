/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/cause.h"

#include <stdio.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/integrate/continuous.h"
#include "bridge/island/budget.h"
#include "bridge/island/island.h"
#include "bridge/results/rates.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "bridge/user/joint_law.h"
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

const char ukCauseSlides[] = "where dry friction along two axes starts to slide, --integrator rattle or euler";

const ukJoint *ukCauseSlider(const ukIsland *island)
{
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->joint && law->mu > 0 && k < law->slides; k++)
            if (law->slide[k].axes > 1 && law->slide[k].mode != ukSlideStuck) return law->joint;
    }
    return NULL;
}

/* the message of a spent budget, whose remedies do not help here */
static int adviseSlider(const ukIsland *island)
{
    char why[400];
    if (!ukCauseSlider(island)) return ukErrorBudget;
    snprintf(why, sizeof why, "%s", ukErrorMessage());
    char *const remedies = strstr(why, UKODE_BUDGET_SHORTER);
    if (remedies) *remedies = '\0';
    return ukErrorSet(ukErrorBudget, "%s: %s", why, ukCauseSlides);
}

int ukCauseOf(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, int status)
{
    char why[400];
    if (status == ukErrorBudget) return adviseSlider(island);
    if (status != ukErrorNotConverged) return status;
    snprintf(why, sizeof why, "%s", ukErrorMessage());
    const int found = findContradiction(island, start, context);
    ukContinuousReset(island);
    if (found == ukErrorContradiction || found == ukErrorMemory) return found;
    if (found == ukErrorCallback || found == ukErrorChanged) return found; /* of a user function, called again */
    return ukErrorSet(status, "%s", why);
}

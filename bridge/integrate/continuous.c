/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/continuous.h"

#include <math.h>

#include "bridge/integrate/one_sided.h"
#include "bridge/island/actuate.h"
#include "bridge/island/island.h"
#include "bridge/island/spring.h"
#include "bridge/joints/class.h"
#include "bridge/results/impulse.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

/* number of motors of bounded force and one-sided rows whose mode is undecided */
static int openDrives(const ukIsland *island)
{
    int count = 0;
    for (ukModalMotor *d = NULL; (d = ukNextModalMotor(island, d));) count += d->mode == ukMotorUndecided;
    return count + ukOneSidedUndecided(island);
}

/* Whether the island has actuators of a servo constraint and dry friction of joints. Stuck friction leaves them no
 * motion until it slips, so their forces are those of the discrete form (bridge/solve/actuated.h). */
static bool actuatesFriction(const ukIsland *island)
{
    if (island->ideal->laws == 0 || !ukActuated(island)) return false;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (law && law->mu > 0) return true;
    }
    return false;
}

bool ukContinuousEligible(const ukIsland *island)
{
    const ukProblem *p = &island->ideal->problem; /* excludes the rows of stuck slides */
    int bounded = 0;
    if (island->ideal->springs > ukMostSprings || actuatesFriction(island)) return false;
    for (int row = 0; row < p->rows; row++) {
        if ((island->rows.discrete_only[row] && island->rows.discrete_only[row] != ukStopModal) ||
            island->rows.cfm[row] > ukSpringCfm())
            return false;
        bounded += island->rows.lo[row] > -INFINITY || island->rows.hi[row] < INFINITY;
    }
    return bounded == 0 || bounded == openDrives(island);
}

int ukContinuousAssemble(ukIsland *island, const ukIslandStart *start, const ukStepContext *at)
{
    ukAssembleRewind(island, start);
    const int status = ukAssembleIsland(island, at);
    return status == ukOk && !ukContinuousEligible(island) ? ukNotContinuous : status;
}

bool ukContinuousRuns(const ukIsland *island)
{
    for (int j = 0; j < island->joints; j++)
        if (island->joint[j]->class->running) return true;
    return false;
}

bool ukContinuousBooks(const ukIsland *island)
{
    const ukWorld *const world = island->world;
    const bool calls = island->elements > 0 || island->ideal->laws > 0;
    return world->book || ukImpulseKept(island) || (calls && (world->journal || world->replayed));
}

int ukContinuousConsistent(ukIsland *island)
{
    if (ukSolveConsistent(island) == ukOk) return ukOk;
    const int status = ukSolveContinuous(island);
    return status == ukOk ? ukSolveConsistent(island) : status;
}

void ukContinuousReset(ukIsland *island)
{
    for (int i = 0; i < island->frames; i++) island->frame[i].state = island->frame[i].start;
}

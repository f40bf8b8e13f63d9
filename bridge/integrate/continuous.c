/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/continuous.h"

#include <math.h>

#include "bridge/island/spring.h"
#include "bridge/island/view.h"
#include "bridge/joints/class.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

/* motors of bounded force that have modes, which are not known yet */
static int openDrives(const ukStepper *s, int index)
{
    int count = 0;
    for (ukDrive *d = NULL; (d = ukNextDrive(s, index, d));) count += d->mode == ukDriveOpen;
    return count;
}

bool ukContinuousEligible(const ukStepper *s, int index)
{
    const ukProblem *p = &s->ideal[index].problem; /* what dry friction holds is another matter */
    const size_t row0 = ukViewOf(s, p).row0;
    int bounded = 0;
    if (s->ideal[index].springs > ukMostSprings) return false;
    for (size_t row = row0; row < row0 + (size_t)p->rows; row++) {
        if (s->rows.stop[row] || s->rows.cfm[row] > ukSpringCfm) return false;
        bounded += s->rows.lo[row] > -INFINITY || s->rows.hi[row] < INFINITY;
    }
    return bounded == 0 || bounded == openDrives(s, index);
}

int ukContinuousAssemble(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *at)
{
    ukAssembleRewind(s, start);
    const int status = ukAssembleIsland(s, index, at);
    return status == ukOk && !ukContinuousEligible(s, index) ? ukNotContinuous : status;
}

bool ukContinuousRuns(const ukStepper *s, const ukIsland *island)
{
    for (int j = island->joint; j < island->joint + island->joints; j++)
        if (s->joints[j]->class->running) return true;
    return false;
}

int ukContinuousConsistent(ukStepper *s, int index)
{
    if (ukSolveConsistent(s, index) == ukOk) return ukOk;
    const int status = ukSolveContinuous(s, index);
    return status == ukOk ? ukSolveConsistent(s, index) : status;
}

void ukContinuousReset(ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    for (int i = island->frame; i < island->frame + island->frames; i++)
        s->bodies.frames[i].state = s->bodies.frames[i].start;
}

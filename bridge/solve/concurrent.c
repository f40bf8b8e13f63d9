/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/concurrent.h"

#include "bridge/base/pool.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "bridge/solve/warm_start.h"

/* Islands with fewer rows are solved before another thread has woken up. */
enum { FewRows = 200 };

/* without callbacks, and without bodies whose repeated solves count in the calling thread's budget
 * (bridge/island/budget.h) */
static bool quiet(const ukIsland *island)
{
    if (island->elements > 0) return false;
    for (int i = 0; i < island->frames; i++)
        if (island->frame[i].body->moved || island->frame[i].body->massless) return false;
    for (int i = 0; i < island->joints; i++)
        if (island->joint[i]->law) return false;
    return true;
}

int ukConcurrentEnd(const ukIsland *islands, int first, int count)
{
    const ukWorld *world = islands[first].world;
    const ukSettings *settings = &world->settings;
    int end = first;
    if (settings->threads > 1 && settings->integrator == ukIntegratorEuler && ukSolvesSparse(world))
        while (end < count && quiet(&islands[end])) end++;
    return end > first ? end : first + 1;
}

static const int pending = 1; /* status of an island that is left to the threads */

typedef struct Lot {
    ukIsland *islands;
    int first, end;
} Lot;

static void solveSlot(void *context, int slot)
{
    const Lot *lot = context;
    for (int i = lot->first; i < lot->end; i++) {
        ukIsland *island = &lot->islands[i];
        if (i % ukSolverSlots == slot && island->outcome->status == pending)
            island->outcome->status = ukSolveGuessed(island);
    }
}

void ukConcurrentSolve(ukIsland *islands, int first, int end)
{
    int rows = 0;
    for (int i = first; i < end; i++) {
        ukIsland *island = &islands[i];
        if (island->problem->lo) ukWarmStartGuess(island);
        const bool here = ukSolveNeedsCaller(island);
        island->outcome->status = here ? ukSolveGuessed(island) : pending;
        if (!here) rows += island->problem->rows;
    }
    Lot lot = {islands, first, end};
    ukPoolRun(rows < FewRows ? 1 : islands[first].world->settings.threads, ukSolverSlots, solveSlot, &lot);
}

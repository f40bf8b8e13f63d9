/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/concurrent.h"

#include "bridge/base/pool.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "bridge/solve/warm_start.h"

/* Islands with fewer rows are solved before another thread has woken up. */
enum { FewRows = 200 };

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

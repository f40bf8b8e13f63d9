/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/concurrent.h"

#include "bridge/base/pool.h"
#include "bridge/island/warm_start.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

/* Fewer rows than this are solved before another thread has woken up. */
enum { FewRows = 200 };

static bool quiet(const ukStepper *s, const ukIsland *island)
{
    if (island->elements > 0) return false;
    for (int i = island->frame; i < island->frame + island->frames; i++)
        if (s->bodies.frames[i].body->moved) return false;
    for (int i = island->joint; i < island->joint + island->joints; i++)
        if (s->joints[i]->law) return false;
    return true;
}

int ukConcurrentEnd(const ukStepper *s, int first)
{
    const ukSettings *settings = &s->world->settings;
    int end = first;
    if (settings->threads > 1 && settings->integrator == ukIntegratorEuler && ukSolvesSparse(s->world))
        while (end < s->island_count && quiet(s, &s->islands[end])) end++;
    return end > first ? end : first + 1;
}

static const int pending = 1; /* status of an island that is left to the threads */

typedef struct Lot {
    ukStepper *s;
    int first, end;
} Lot;

static void solveSlot(void *context, int slot)
{
    const Lot *lot = context;
    for (int i = lot->first; i < lot->end; i++)
        if (i % ukSolverSlots == slot && lot->s->outcomes[i].status == pending)
            lot->s->outcomes[i].status = ukSolveGuessed(lot->s, i);
}

void ukConcurrentSolve(ukStepper *s, int first, int end)
{
    int rows = 0;
    for (int i = first; i < end; i++) {
        if (s->problems[i].lo) ukWarmStartGuess(s, i);
        const bool here = ukSolveNeedsCaller(s, i);
        s->outcomes[i].status = here ? ukSolveGuessed(s, i) : pending;
        if (!here) rows += s->problems[i].rows;
    }
    Lot lot = {s, first, end};
    ukPoolRun(rows < FewRows ? 1 : s->world->settings.threads, ukSolverSlots, solveSlot, &lot);
}

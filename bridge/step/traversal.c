/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/traversal.h"

#include "bridge/base/contact_memory.h"
#include "bridge/base/log.h"
#include "bridge/island/loops.h"
#include "bridge/island/stepper.h"
#include "bridge/island/topology.h"
#include "bridge/solve/one.h"
#include "bridge/watch/discover.h"
#include "bridge/world/frame.h"
#include "bridge/world/sleep.h"
#include "solvers/base/status.h"

/* A world with unrecorded bodies or joints is not stepped: its equations would be incomplete. */
int ukTraversalWhole(const ukWorld *world)
{
    if (world->lost == 0) return ukOk;
    return ukErrorSet(
        ukErrorMemory,
        "memory ran out when %d bodies or joints of the world were created, so ukode does not know them: destroy them",
        world->lost);
}

int ukTraversalNoMemory(const ukWorld *world)
{
    return ukErrorSet(ukErrorMemory, "no memory for a step (bodies: %d)", world->body_count);
}

/* Finds the islands. They are kept until bodies or joints change (in a step of 5000 links, the search took a tenth of
 * the time). Bodies that a search wakes are roots of the next one. */
static void searchIslands(ukWorld *world, ukStepper *s)
{
    bool woken = false;
    s->island_count = ukTopologyIslands(world, s->frames, s->joints, s->elements, s->islands, s->stack);
    memset(s->outcomes, 0, (size_t)s->island_count * sizeof *s->outcomes); /* islands without bodies are not solved */
    ukStepperBindIslands(s);
    s->frame_count = s->joint_count = s->element_count = 0;
    for (int i = 0; i < s->island_count; i++) {
        s->frame_count += s->islands[i].frames;
        s->joint_count += s->islands[i].joints;
        s->element_count += s->islands[i].elements;
    }
    s->impulses.joints = s->joint_count;
    for (int i = 0; i < s->frame_count; i++) woken |= s->frames[i].woken;
    s->bound = ukStepperRowBound(s);
    s->graph = woken ? 0 : ukStepperGraph(world);
    s->loops = false;
}

/* Only exact rows depend on whether a joint lies in a closed loop. */
static int markLoops(const ukWorld *world, ukStepper *s)
{
    const bool exact =
        world->settings.joint_rule == ukJointRuleExact || world->settings.integrator != ukIntegratorEuler;
    int status = ukOk;
    if (s->loops || !exact) return ukOk;
    for (int i = 0; i < s->island_count && status == ukOk; i++) status = ukLoopsMark(&s->islands[i]);
    s->loops = status == ukOk;
    return status;
}

/* Allocates memory, finds the islands and resets the counters for a new traversal of the world. */
int ukTraversalBegin(ukWorld *world, ukStepper *s, double h, bool wake)
{
    s->surge = (ukSurge){0};
    s->events = (ukStepEvents){.count = 0};
    s->energy_error = (ukEnergyError){.error = 0};
    s->report = (ukReport){.fallbacks = s->report.fallbacks, .ok = 1};
    s->moving_count = s->block_count = s->slot_count = s->row_count = 0;
    s->coefficient_count = 0;
    s->spring_count = 0;
    s->solved = false;
    s->slept = false;
    s->work = s->work_most = 0;
    int status = world->attached ? ukDiscoverJoints(world) : ukOk;
    if (status == ukOk) status = ukStepperReserveBodies(s, world);
    if (status == ukOk && wake) status = ukSleepUpdate(world, h, &s->slept);
    if (status != ukOk) {
        s->graph = 0;
        s->frame_count = s->joint_count = s->element_count = s->island_count = 0;
        return status;
    }
    /* in a world that was attached, not every change is seen */
    if (s->slept || world->attached || !ukStepperCurrent(s)) searchIslands(world, s);
    for (int i = 0; i < s->frame_count; i++) s->frames[i].written = false;
    ukContactMemoryBegin(s->solvers.contacts);
    status = markLoops(world, s);
    return status == ukOk ? ukStepperReserveRows(s, &s->bound) : status;
}

/* Whether the island has no callbacks, and no bodies whose repeated solves count in the calling thread's budget
 * (bridge/island/budget.h). */
static bool isQuiet(const ukIsland *island)
{
    if (island->elements > 0) return false;
    for (int i = 0; i < island->frames; i++)
        if (island->frame[i].body->moved || island->frame[i].body->massless) return false;
    for (int i = 0; i < island->joints; i++)
        if (island->joint[i]->law) return false;
    return true;
}

int ukTraversalTogether(const ukIsland *islands, int first, int count)
{
    const ukWorld *world = islands[first].world;
    const ukSettings *settings = &world->settings;
    int end = first;
    if (settings->threads > 1 && settings->integrator == ukIntegratorEuler && ukSolvesSparse(world))
        while (end < count && isQuiet(&islands[end])) end++;
    return end > first ? end : first + 1;
}

void ukTraversalUnwake(ukStepper *s)
{
    for (int i = 0; i < s->frame_count; i++) {
        const ukFrame *f = &s->frames[i];
        if (f->woken && f->body->handle) ukOde.dBodyDisable(f->body->handle);
    }
}

void ukTraversalFinish(ukStepper *s)
{
    s->solved = true;
    s->report.bodies = s->frame_count;
    s->report.evaluations = s->work;
    s->report.joints = s->report.rows = 0;
    for (int i = 0; i < s->island_count; i++) {
        s->report.joints += s->ideal[i].problem.blocks;
        s->report.rows += s->ideal[i].problem.rows;
    }
    s->stepped = true;
}

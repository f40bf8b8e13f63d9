/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/results/feedback.h"
#include "bridge/results/imbalance.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/results/surge.h"
#include "bridge/integrate/cap.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/impact.h"
#include "bridge/integrate/integrate_adaptive.h"
#include "bridge/integrate/integrate_euler.h"
#include "bridge/integrate/integrate_rattle.h"
#include "bridge/integrate/integrate_rk4.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/momentum.h"
#include "bridge/integrate/stick.h"
#include "bridge/base/clock.h"
#include "bridge/base/log.h"
#include "bridge/island/assemble.h"
#include "bridge/island/view.h"
#include "bridge/island/stepper.h"
#include "bridge/island/topology.h"
#include "bridge/island/warm_start.h"
#include "bridge/joints/running.h"
#include "bridge/solve/certify.h"
#include "bridge/solve/closure.h"
#include "bridge/solve/concurrent.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/one.h"
#include "bridge/solve/soften.h"
#include "bridge/solve/solve.h"
#include "bridge/solve/split.h"
#include "bridge/step/firm.h"
#include "bridge/step/pass.h"
#include "bridge/step/undo.h"
#include "bridge/world/frame.h"
#include "bridge/world/sleep.h"
#include "solvers/base/status.h"

/* The time since `since` into a stage's total, and a new beginning: one look at the clock a stage, which worlds of many
 * small islands notice. */
static void lap(double *since, double *total)
{
    const double now = ukSeconds();
    *total += now - *since;
    *since = now;
}

/* The discrete form meets rows that exclude each other half-way, or where the CFM lets them, and must, since its
 * right-hand sides hold position errors. What a user constraint asks of the accelerations themselves is another matter:
 * an island with one that misses rows is looked at in the continuous form. */
static int contested(ukStepper *s, int i, const ukIslandStart *start, const ukStepContext *discrete)
{
    ukStepContext context = *discrete;
    context.continuous = true;
    ukAssembleRewind(s, start);
    int status = ukAssembleIsland(s, i, &context);
    if (status == ukOk) status = ukSolveIdealConsistent(s, i);
    if (status != ukOk) return status;
    ukAssembleRewind(s, start);
    status = ukAssembleIsland(s, i, discrete);
    return status == ukOk ? ukSolveIsland(s, i) : status;
}

/* The island solved in the discrete form to its new states. jumped: its velocities have, at the start of the step. */
static int move(ukStepper *s, int i, const ukRowContext *rows, bool jumped)
{
    int status = ukSolveAgain(s, i);
    s->outcomes[i].split = rows->split;
    if (status == ukOk && rows->split) status = ukSplitSolve(s, i, rows->h);
    if (status == ukOk) ukIntegrateEuler(s, i, rows->h, rows->split, jumped);
    return status;
}

/* Exact rows keep the angular momentum of bodies that nothing holds; then their gyroscopic torques must, too. */
static int keepMomentum(ukStepper *s, int i, const ukRowContext *rows, bool jumped)
{
    ukSpin spin = {.off = INFINITY};
    int status = ukMomentumSpin(s, i, rows->h, &spin);
    while (status == ukOk && spin.again) {
        ukContinuousReset(s, i);
        status = ukSolveIsland(s, i);
        if (status == ukOk) status = move(s, i, rows, jumped);
        if (status == ukOk) status = ukMomentumSpin(s, i, rows->h, &spin);
    }
    return status;
}

static int follow(ukStepper *s, int i, const ukRowContext *rows, bool jumped)
{
    int status = move(s, i, rows, jumped);
    if (status == ukOk && rows->exact && s->problems[i].rows > 0) status = keepMomentum(s, i, rows, jumped);
    if (status != ukOk) return status;
    ukLedgerDiscrete(s, i, rows->h);
    if (s->world->watched) ukSurgeWatch(s, i, rows->h);
    return ukOk;
}

/* Sub-steps go as near to a singular position as they please. A singular value sigma stands squared in A M^-1 A', so
 * accelerations along it are known to eps/sigma^2, and what leaves it out is off by as much as sigma^2: the best of both
 * is eps^(1/4), a little less because the projection must find back. (A four-bar through its dead centre, tolerance
 * 1e-10: error 4e-7 m at 1e-6, 8e-12 at 1e-5, 4e-11 at 3e-5; two in a row 8e-7, 6e-9, 2e-11, and no way on at 1e-4.) */
static const double rank_of_sub_steps = 3e-5;

/* The eligible island to its new states in the continuous form. */
static int integrate(ukStepper *s, int i, const ukIslandStart *start, const ukStepContext *context)
{
    const bool events = s->ideal[i].laws > 0 || s->ideal[i].drives > 0;
    double done;
    s->rank_least = s->world->settings.integrator == ukIntegratorAdaptive ? rank_of_sub_steps : 0;
    switch (s->world->settings.integrator) {
    case ukIntegratorAdaptive:
        return events ? ukStickIntegrate(s, i, start, context, ukAdaptiveTidy, ukIntegrateAdaptivePart)
                      : ukIntegrateAdaptive(s, i, start, context, &done);
    case ukIntegratorRattle:
        return events ? ukStickIntegrate(s, i, start, context, ukRattleTidy, ukIntegrateRattlePart)
                      : ukIntegrateRattleStep(s, i, start, context);
    default:
        return events ? ukStickIntegrate(s, i, start, context, ukRK4Tidy, ukIntegrateRK4)
                      : ukIntegrateRK4Step(s, i, start, context);
    }
}

/* An island's step in a world whose integrator is not Euler. */
typedef struct Advance {
    ukStepper *s;
    int island;
    ukIslandStart start;
    ukStepContext continuous, discrete;
    bool impact; /* velocities have jumped at contacts or stops */
} Advance;

static int assembleAs(const Advance *a, const ukStepContext *form)
{
    ukAssembleRewind(a->s, &a->start);
    return ukAssembleIsland(a->s, a->island, form);
}

/* In the continuous form, from the island assembled in it: jumps of the joints' rates, then the integrator. The island
 * is back at its start where that answers ukNotContinuous. */
static int fly(Advance *a, double *since)
{
    ukStepper *s = a->s;
    ukReport *r = &s->report;
    bool jumped;
    int status = ukJump(s, a->island, &a->start, &a->continuous, &jumped);
    /* RK4 goes on where the projection of its start does not come to an end; the others refuse */
    a->continuous.rows.apart =
        s->world->settings.integrator == ukIntegratorRK4 && ukDrift(s, &s->problems[a->island]) > ukJumpMeets;
    if (status == ukOk && (jumped || a->continuous.rows.apart)) status = assembleAs(a, &a->continuous);
    lap(since, &r->seconds_assemble);
    if (status != ukOk) return status;
    ukLedgerIsland(s);
    status = integrate(s, a->island, &a->start, &a->continuous);
    s->rank_least = 0;
    lap(since, &r->seconds_solve);
    if (status == ukOk) status = ukCapIsland(s, a->island);
    if (status == ukOk) ukLedgerAccept(s, a->island);
    if (status == ukOk) ukImpulseAccept(s, a->island);
    s->ideal[a->island].mean = status == ukOk;
    if (status != ukNotContinuous) return status;
    ukLedgerReject(s);
    ukImpulseReject(s, a->island);
    return status;
}

/* Contacts and stops: impacts, if they bounce; then the island solved in the discrete form. *over: nothing touches any
 * more, and the island is assembled in the continuous form instead. */
static int touch(Advance *a, bool *over)
{
    ukStepper *s = a->s;
    const bool runs = ukContinuousRuns(s, &s->islands[a->island]); /* these values advance with the first assembly */
    *over = false;
    int status = assembleAs(a, &a->discrete);
    if (status == ukOk) status = ukImpact(s, a->island, a->discrete.rows.h, &a->impact);
    if (status != ukOk) return status;
    a->discrete.rows.commit &= !(a->impact && runs);
    if (a->impact) status = assembleAs(a, &a->discrete);
    if (status == ukOk) status = ukSolveIsland(s, a->island);
    if (status != ukOk || runs || !ukImpactOver(s, a->island)) return status;
    status = assembleAs(a, &a->continuous);
    *over = status == ukOk && ukContinuousEligible(s, a->island);
    if (status != ukOk || *over) return status;
    status = assembleAs(a, &a->discrete);
    return status == ukOk ? ukSolveIsland(s, a->island) : status;
}

/* The discrete form's end, from the island solved in it. */
static int land(Advance *a)
{
    ukStepper *s = a->s;
    int status = ukOk;
    s->report.discrete_islands++;
    if (s->islands[a->island].elements > 0 && ukSolveContested(s, a->island)) {
        a->discrete.rows.commit = false;
        status = contested(s, a->island, &a->start, &a->discrete);
    }
    if (status == ukOk) status = follow(s, a->island, &a->discrete.rows, a->impact);
    if (status == ukOk) ukImpulseStage(s, a->island, a->discrete.rows.h);
    s->ideal[a->island].mean = status == ukOk;
    return status;
}

static void noteVelocities(ukStepper *s, int index, bool back)
{
    const ukIsland *island = &s->islands[index];
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        double *v = s->bodies.frames[i].start.v, *noted = s->bodies.arrived + 6 * i;
        memcpy(back ? v : noted, back ? noted : v, 6 * sizeof *v);
    }
}

/* Forms in their turn. */
static int advanceInForms(Advance *a, double *since)
{
    ukStepper *s = a->s;
    ukStepContext look = a->continuous;
    look.rows.flight = look.rows.commit = false; /* running values advance once the form is known */
    int status = ukImpulseBegin(s, a->island);
    if (status == ukOk) status = ukAssembleIsland(s, a->island, &look);
    if (status != ukOk) return status;
    bool flies = ukContinuousEligible(s, a->island);
    if (!flies) {
        lap(since, &s->report.seconds_assemble);
        status = touch(a, &flies);
        lap(since, &s->report.seconds_solve);
    }
    if (status == ukOk && flies) {
        status = fly(a, since);
        if (status != ukNotContinuous) return status;
        a->discrete.rows.commit = false; /* they did */
        status = assembleAs(a, &a->discrete);
        if (status == ukOk) status = ukSolveIsland(s, a->island);
    }
    if (status == ukOk) status = land(a);
    lap(since, &s->report.seconds_solve);
    return status;
}

/* The gathered island to its new states (frames' `state`), where the world's integrator is not Euler. */
static int advanceContinuous(ukStepper *s, int i, const ukStepContext *context, double *since)
{
    Advance a = {.s = s, .island = i, .start = ukAssembleStart(s), .continuous = *context, .discrete = *context};
    a.discrete.continuous = a.discrete.drives = a.discrete.springs = false;
    a.continuous.rows.flight = true;
    Advance firmly = a;
    ukFirm firm;
    firmly.continuous.firm = ukFirmBegin(s, i, &firm);
    noteVelocities(s, i, false);
    int status = advanceInForms(&firmly, since);
    if (firmly.continuous.firm && ukFirmFailed(s, status)) {
        status = ukFirmUndo(s, i, &a.start, &firm);
        if (status == ukOk) status = advanceInForms(&a, since);
    }
    noteVelocities(s, i, true);
    return status;
}

/* The gathered island to its new states (frames' `state`), in the form that the world's integrator takes. */
static int advance(ukStepper *s, int i, const ukStepContext *context, double *since)
{
    ukReport *r = &s->report;
    if (context->continuous) return advanceContinuous(s, i, context, since);
    const ukIslandStart start = ukAssembleStart(s);
    int status = ukAssembleIsland(s, i, context);
    lap(since, &r->seconds_assemble);
    if (status == ukOk) status = ukSolveIsland(s, i);
    if (status == ukOk && s->islands[i].elements > 0 && ukSolveContested(s, i)) {
        ukStepContext again = *context;
        again.rows.commit = false;
        status = contested(s, i, &start, &again);
    }
    if (status == ukOk) status = follow(s, i, &context->rows, false);
    lap(since, &r->seconds_solve);
    return status;
}

/* New states to ODE, body by body in the island's order, callbacks included. What a callback destroys or attaches
 * elsewhere has no part in the rest of the step, and costs the others nothing. */
static int scatter(ukStepper *s, int index)
{
    enum { ahead = 4 };
    const ukIsland *island = &s->islands[index];
    const uint64_t destructions = s->world->destructions;
    bool called = false;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        if (i + ahead < island->frame + island->frames) ukFrameFetch(f[ahead].body);
        if (!f->body->handle) continue; /* destroyed by an earlier body's callback */
        s->calling = f->body->moved != NULL;
        called = called || s->calling;
        ukFrameScatter(f, called);
        s->calling = false;
        if (s->world->handle) continue;
        ukErrorSet(ukErrorChanged, "the world was destroyed in a moved callback");
        return ukErrorChanged;
    }
    for (int i = index + 1; i < s->island_count && s->world->destructions != destructions; i++)
        ukTopologyPrune(&s->islands[i], s->bodies.frames, s->joints, s->elements);
    return ukOk;
}

/* The check of an island at its new states, and what ODE and the user get of it. */
static int conclude(ukStepper *s, int i, double h, double *since)
{
    ukReport *r = &s->report;
    int status = ukSolveCheck(s, i);
    if (status == ukOk) status = ukPassHoldable(s, i);
    if (status != ukOk) return status;
    lap(since, &r->seconds_check);
    ukFeedbackIsland(s, i, h);
    ukLedgerDamping(s, i);
    if (s->world->settings.integrator != ukIntegratorEuler) ukJumpRemember(s, i, !s->outcomes[i].continuous);
    status = scatter(s, i);
    lap(since, &r->seconds_write);
    return status;
}

static int gather(ukStepper *s, int i)
{
    const int status = ukUndoNote(s, i);
    return status == ukOk ? ukAssembleGather(s, i) : status;
}

/* As one after the other: the first island that fails ends the step, with its error. */
static int stepTogether(ukStepper *s, int first, int end, const ukStepContext *context, double *since)
{
    ukReport *r = &s->report;
    char message[256];
    int i = first, failed = ukOk;
    for (; i < end && failed == ukOk; i++) {
        failed = gather(s, i);
        if (failed == ukOk) failed = ukAssembleIsland(s, i, context);
    }
    if (failed != ukOk) end = i - 1;
    snprintf(message, sizeof message, "%s", ukErrorMessage());
    lap(since, &r->seconds_assemble);
    ukConcurrentSolve(s, first, end);
    for (i = first; i < end; i++) {
        int status = s->outcomes[i].status;
        if (status != ukOk) status = ukSoften(s, i, ukSolveRefused(s, &s->problems[i], status), ukSolveGuessed);
        if (status == ukOk) status = follow(s, i, &context->rows, false);
        if (status != ukOk) return status;
        lap(since, &r->seconds_solve);
        status = conclude(s, i, context->rows.h, since);
        if (status != ukOk) return status;
    }
    if (failed != ukOk) ukErrorSet(failed, "%s", message);
    return failed;
}

/* Every island in ODE's order: one is finished, callbacks included, before the next one is begun; those without
 * callbacks may go together. */
static int stepIslands(ukStepper *s, double h)
{
    ukStepContext context;
    ukAssembleContext(s->world, h, &context);
    memcpy(s->potential_g, context.gravity, sizeof s->potential_g);
    double since = ukSeconds();
    int status = ukOk;
    for (int i = 0, end; i < s->island_count && status == ukOk; i = end) {
        end = ukConcurrentEnd(s, i);
        if (end - i > 1) {
            status = stepTogether(s, i, end, &context, &since);
            continue;
        }
        status = gather(s, i);
        if (status == ukOk) status = advance(s, i, &context, &since);
        if (status == ukOk) status = conclude(s, i, h, &since);
    }
    return status;
}

/* A failed step leaves the world as it was: poses, velocities, forces, running values of joints, and who sleeps. How
 * far the solvers got must not matter either: they begin anew. */
static void restore(ukStepper *s)
{
    for (int i = 0; i < s->frame_count; i++)
        if (s->bodies.frames[i].written) ukFrameRestore(&s->bodies.frames[i]);
    ukPassUnwake(s);
    for (int j = 0; j < s->joint_count; j++) ukJointRunsBack(s->joints[j]);
    ukUndoApply(s);
    ukSleepUndo(s->world);
    ukAdaptiveUndo(s, 0, s->frame_count);
    ukJumpUndo(s);
}

/* A step under way. It leaves no trace unless it is `taken`: not where it fails, nor where a function of the user's
 * throws through it. But what a moved callback threw at stays as it was written by then: as with ODE. */
typedef struct Attempt {
    ukStepper *s;
    ukReport before;
    double potential_g[3];
    bool taken;
} Attempt;

static void leave(Attempt *a)
{
    ukStepper *s = a->s;
    if (a->taken) {
        ukUndoForget(s);
        return;
    }
    if (s->calling) {
        ukStepperForget(s);
    } else {
        restore(s);
        s->world->steps--;
        memcpy(s->potential_g, a->potential_g, sizeof s->potential_g);
    }
    ukUndoForget(s);
    s->calling = false;
    s->graph = 0;
    ukLedgerUndo(s->world);
    s->report = a->before;
}

int ukStepOnce(ukWorld *world, double h)
{
    ukStepper *s = ukStepperOf(world);
    if (!s) return ukErrorMemory;
    __attribute__((cleanup(leave))) Attempt attempt = {.s = s, .before = s->report};
    memcpy(attempt.potential_g, s->potential_g, sizeof s->potential_g);
    const double t0 = ukSeconds();
    world->steps++;
    ukLedgerBegin(world);
    int status = ukPassBegin(world, s, h, true);
    if (s->slept || world->attached) ukLedgerSlept(world);
    s->report.seconds_assemble = ukSeconds() - t0;
    if (status == ukOk) status = ukUndoBegin(s);
    if (status == ukOk) status = stepIslands(s, h);
    if (status != ukOk) return status;
    ukPassTurns(s, h);
    if (world->watched && world->settings.integrator == ukIntegratorEuler &&
        world->settings.joint_rule == ukJointRuleODE)
        ukImbalanceWatch(s, h);
    ukPassFinish(s);
    ukLedgerEnd(world, h);
    s->h = h;
    ukWarmStartRemember(s);
    ukClosureRemember(s);
    world->settings.time += h;
    attempt.taken = true;
    return ukOk;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/step/step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/clock.h"
#include "bridge/base/log.h"
#include "bridge/integrate/cap.h"
#include "bridge/integrate/cause.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/impact.h"
#include "bridge/integrate/integrate_adaptive.h"
#include "bridge/integrate/integrate_euler.h"
#include "bridge/integrate/integrate_rattle.h"
#include "bridge/integrate/integrate_rk4.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/momentum.h"
#include "bridge/integrate/one_sided.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/stick.h"
#include "bridge/island/actuate.h"
#include "bridge/island/assemble.h"
#include "bridge/island/gather.h"
#include "bridge/island/stepper.h"
#include "bridge/island/topology.h"
#include "bridge/joints/running.h"
#include "bridge/results/certify.h"
#include "bridge/results/feedback.h"
#include "bridge/results/imbalance.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/results/remember.h"
#include "bridge/results/surge.h"
#include "bridge/results/write_back.h"
#include "bridge/solve/concurrent.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/one.h"
#include "bridge/solve/soften.h"
#include "bridge/solve/solve.h"
#include "bridge/solve/split.h"
#include "bridge/step/rigid_trial.h"
#include "bridge/step/traversal.h"
#include "bridge/step/undo.h"
#include "bridge/world/frame.h"
#include "bridge/world/sleep.h"
#include "solvers/base/status.h"

/* Adds the time since `since` to a stage's total and restarts the interval. The clock is read once per stage; in worlds
 * of many small islands more readings would be noticeable. */
static void addStageTime(double *since, double *total)
{
    const double now = ukSeconds();
    *total += now - *since;
    *since = now;
}

/* The discrete form satisfies conflicting rows in the least-squares sense, or as their CFM determines, because its
 * right-hand sides contain position errors. The accelerations that a user constraint prescribes have no such errors: an
 * island with a user constraint whose rows are not satisfied is checked in the continuous form. If no poses satisfy the
 * rows, the step fails, too, as under the other integrators. */
static int checkConflict(ukIsland *island, const ukIslandStart *start, const ukStepContext *discrete)
{
    const ukPossibleConflict conflict =
        island->elements > 0 ? ukFindConflict(island, discrete->rows.split) : ukNoConflict;
    if (conflict == ukNoConflict) return ukOk;
    ukStepContext again = *discrete, context;
    again.rows.commit = false; /* running values have advanced already */
    context = again;
    context.continuous = true;
    ukAssembleRewind(island, start);
    int status = ukAssembleIsland(island, &context);
    if (status == ukOk) status = ukSolveIdealConsistent(island);
    if (status == ukOk && conflict == ukConflictOfPoses) {
        ukAssembleRewind(island, start);
        status = ukAssembleIsland(island, &context);
        if (status == ukOk) status = ukProjectExact(island, start, &context);
        ukContinuousReset(island);
    }
    if (status != ukOk) return status;
    ukAssembleRewind(island, start);
    status = ukAssembleIsland(island, &again);
    return status == ukOk ? ukSolveIsland(island) : status;
}

/* Advances an island that was solved in the discrete form. jumped: impacts changed its velocities at the start of the
 * step. */
static int takeDiscrete(ukIsland *island, const ukRowContext *rows, bool jumped)
{
    int status = ukSolveAgain(island);
    island->outcome->split = rows->split;
    island->outcome->impacts = jumped;
    if (status == ukOk && rows->split) status = ukSplitSolve(island, rows->h);
    if (status == ukOk) ukIntegrateEuler(island, rows, jumped);
    return status;
}

/* Exact rows conserve the angular momentum of unsupported bodies; so must the gyroscopic torques. Solves again with
 * corrected torques until they do. */
static int keepMomentum(ukIsland *island, const ukRowContext *rows, bool jumped)
{
    ukSpin spin = {.off = INFINITY};
    int status = ukMomentumSpin(island, rows->h, &spin);
    while (status == ukOk && spin.again) {
        ukContinuousReset(island);
        status = ukSolveIsland(island);
        if (status == ukOk) status = takeDiscrete(island, rows, jumped);
        if (status == ukOk) status = ukMomentumSpin(island, rows->h, &spin);
    }
    return status;
}

static int advanceDiscrete(ukIsland *island, const ukRowContext *rows, bool jumped)
{
    int status = takeDiscrete(island, rows, jumped);
    if (status == ukOk && rows->exact) status = keepMomentum(island, rows, jumped);
    if (status != ukOk) return status;
    if (island->world->settings.integrator != ukIntegratorEuler) ukLedgerDiscrete(island, rows->h, false);
    ukStepper *s = island->stepper;
    if (s->world->watched) ukSurgeWatch(island, rows->h, &s->growth, &s->surge);
    return ukOk;
}

/* Rank tolerance of sub-steps, which may come arbitrarily close to a singular position. A singular value sigma enters
 * A M^-1 A' squared, so accelerations along its direction are known to eps/sigma^2; omitting the direction costs an
 * error of order sigma^2. The optimum is eps^(1/4) = 1.2e-4; a quarter of it, because the projection must return to the
 * constraints. (Four-bar through its dead centre, tolerance 1e-10: error 4e-7 m at 1e-6, 8e-12 at 1e-5, 4e-11 at 3e-5;
 * two four-bars in series: 8e-7, 6e-9, 2e-11, and no admissible sub-step at 1e-4.) */
static const double rank_of_sub_steps = 3e-5;

/* Advances an island whose rows all have a continuous form to its new states. */
static int integrateIsland(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    const double h = context->rows.h;
    const bool switches = ukSwitchesPart(&context->window, context->time, h) < h;
    const bool events = island->ideal->laws + island->ideal->modal_rows + island->switches > 0 || switches;
    double done;
    island->rank_least = ukIsAdaptive(&island->world->settings) ? rank_of_sub_steps : 0;
    switch (island->world->settings.integrator) {
    case ukIntegratorAdaptive:
    case ukIntegratorRadau:
        return events ? ukStickIntegrate(island, start, context, ukAdaptiveProjectStart, ukIntegrateAdaptivePart,
                                         ukImpactWithin)
                      : ukIntegrateAdaptive(island, start, context, &done);
    case ukIntegratorRattle:
        return events ? ukStickIntegrate(island, start, context, ukRattleTidy, ukIntegrateRattlePart, ukImpactWithin)
                      : ukIntegrateRattleStep(island, start, context);
    default:
        return events ? ukStickIntegrate(island, start, context, ukRK4Tidy, ukIntegrateRK4, ukImpactWithin)
                      : ukIntegrateRK4Step(island, start, context);
    }
}

/* The step of an island in a world whose integrator is not Euler. */
typedef struct Advance {
    ukIsland *island;
    ukIslandStart start;
    ukStepContext continuous, discrete;
    bool impact; /* impacts at contacts or stops changed the velocities */
} Advance;

static int assembleAs(const Advance *a, const ukStepContext *form)
{
    ukAssembleRewind(a->island, &a->start);
    return ukAssembleIsland(a->island, form);
}

/* Advances the island, assembled in the continuous form: jumps of the joints' rates, then the integrator. If the
 * integrator returns ukNotContinuous, the island is back at its start. */
static int integrateContinuous(Advance *a, double *since)
{
    ukIsland *island = a->island;
    ukReport *r = island->report;
    bool jumped;
    int status = ukJump(a->island, &a->start, &a->continuous, &jumped);
    /* RK4 continues if the projection of its start does not converge; under the other integrators the step fails */
    a->continuous.rows.apart =
        island->world->settings.integrator == ukIntegratorRK4 && ukDrift(island, island->problem) > ukJumpMeets;
    if (status == ukOk && (jumped || a->continuous.rows.apart)) status = assembleAs(a, &a->continuous);
    addStageTime(since, &r->seconds_assemble);
    if (status != ukOk) return status;
    ukLedgerIsland(island->world);
    status = ukCauseOf(island, &a->start, &a->continuous, integrateIsland(island, &a->start, &a->continuous));
    island->rank_least = 0;
    addStageTime(since, &r->seconds_solve);
    if (status == ukOk) status = ukCapIsland(a->island);
    if (status == ukOk) ukLedgerAccept(a->island);
    if (status == ukOk) ukImpulseAccept(a->island);
    island->ideal->mean = status == ukOk;
    if (status != ukNotContinuous) return status;
    ukLedgerReject(island->world);
    ukImpulseReject(a->island);
    return status;
}

/* Contacts and stops: impacts with restitution, if any; then the island is solved in the discrete form. *over: all
 * contacts and stops separate, and the island has been assembled in the continuous form instead. */
static int solveImpacts(Advance *a, bool *over)
{
    ukIsland *island = a->island;
    const bool runs = ukContinuousRuns(island); /* running values advance with the first assembly */
    *over = false;
    int status = assembleAs(a, &a->discrete);
    if (status == ukOk) status = ukImpact(a->island, a->discrete.rows.h, &a->impact);
    if (status != ukOk) return status;
    a->discrete.rows.commit &= !(a->impact && runs);
    if (a->impact) status = assembleAs(a, &a->discrete);
    if (status == ukOk) status = ukSolveIsland(a->island);
    if (status != ukOk || runs || !ukImpactOver(a->island)) return status;
    if (!ukActuated(island)) a->continuous.stops = ukStopsModal; /* the impacts have changed the motion */
    status = assembleAs(a, &a->continuous);
    *over = status == ukOk && ukContinuousEligible(a->island);
    if (status != ukOk || *over) return status;
    status = assembleAs(a, &a->discrete);
    return status == ukOk ? ukSolveIsland(a->island) : status;
}

/* Completes a step in the discrete form of the island that was solved in it. */
static int finishDiscrete(Advance *a)
{
    ukIsland *island = a->island;
    island->report->discrete_islands++;
    int status = checkConflict(island, &a->start, &a->discrete);
    if (status == ukOk) status = advanceDiscrete(a->island, &a->discrete.rows, a->impact);
    if (status == ukOk) ukImpulseStage(a->island, a->discrete.rows.h);
    island->ideal->mean = status == ukOk;
    return status;
}

static void noteVelocities(ukIsland *island)
{
    for (int i = 0; i < island->frames; i++)
        memcpy(island->states.arrived + 6 * i, island->frame[i].start.v, sizeof island->frame[i].start.v);
}

/* The velocities of the start, which impacts may have changed, return to the frames; `arrived` has those after
 * impacts. */
static void exchangeVelocities(ukIsland *island)
{
    for (int i = 0; i < 6 * island->frames; i++) {
        double *const v = &island->frame[i / 6].start.v[i % 6], after = *v;
        *v = island->states.arrived[i];
        island->states.arrived[i] = after;
    }
}

/* Whether the poses and velocities at the start satisfy the joints. Otherwise the motion of the step is not
 * known yet. */
static bool startsOnJoints(const ukIsland *island, double h)
{
    return !ukJumpAsked(island, h) && !(ukDrift(island, island->problem) > ukJumpMeets);
}

/* Chooses whether stops have modes in this step; if none is near, they are ignored. The island is assembled with
 * undecided modes. */
static void chooseStops(Advance *a, double h)
{
    ukIdeal *ideal = a->island->ideal;
    const bool near = ukOneSidedNear(a->island, h) || (ideal->stops > 0 && !startsOnJoints(a->island, h));
    a->continuous.stops = near ? ukStopsModal : ukStopsIgnored;
    if (near || ideal->stops == 0) return;
    for (int k = 0; k < ideal->stops; k++) ideal->modal_rows -= a->island->stop[k].joint != NULL;
    ideal->stops = 0;
}

/* Takes the step in the continuous form where the island is eligible, otherwise in the discrete form. */
static int advanceInForms(Advance *a, double *since)
{
    ukIsland *island = a->island;
    ukStepContext trial = a->continuous;
    trial.rows.flight = trial.rows.commit = false; /* running values advance once the form is known */
    int status = ukImpulseBegin(a->island);
    if (status == ukOk) status = ukAssembleIsland(a->island, &trial);
    if (status != ukOk) return status;
    chooseStops(a, trial.rows.h);
    bool continuous = ukContinuousEligible(a->island);
    if (!continuous) {
        addStageTime(since, &island->report->seconds_assemble);
        status = solveImpacts(a, &continuous);
        addStageTime(since, &island->report->seconds_solve);
    }
    if (status == ukOk && continuous) {
        status = integrateContinuous(a, since);
        if (status != ukNotContinuous) return status;
        a->discrete.rows.commit = false; /* running values have advanced already */
        status = assembleAs(a, &a->discrete);
        if (status == ukOk) status = ukSolveIsland(a->island);
    }
    if (status == ukOk) status = finishDiscrete(a);
    addStageTime(since, &island->report->seconds_solve);
    return status;
}

/* Advances the gathered island to its new states (frames' `state`) if the world's integrator is not Euler. */
static int advanceContinuous(ukIsland *island, const ukStepContext *context, double *since)
{
    Advance a = {.island = island, .start = ukAssembleStart(island), .continuous = *context, .discrete = *context};
    a.discrete.continuous = a.discrete.modal_rows = a.discrete.springs = false;
    a.continuous.rows.flight = true;
    a.discrete.rows.touching = true; /* impacts at resting contacts and stops, too, whose gaps have rounding errors */
    if (!ukActuated(island)) a.continuous.stops = ukStopsUndecided; /* servos take no part in impacts */
    Advance rigid = a;
    ukRigidTrial trial;
    rigid.continuous.rigid = ukRigidTrialBegin(island, &trial);
    noteVelocities(island);
    int status = advanceInForms(&rigid, since);
    if (rigid.continuous.rigid && ukRigidTrialFailed(island, status)) {
        status = ukRigidTrialUndo(island, &a.start, &trial);
        if (status == ukOk) status = advanceInForms(&a, since);
    }
    exchangeVelocities(island);
    return status;
}

/* Advances the gathered island to its new states (frames' `state`) with the world's integrator. */
static int advanceStep(ukIsland *island, const ukStepContext *context, double *since)
{
    ukReport *r = island->report;
    if (context->continuous) return advanceContinuous(island, context, since);
    const ukIslandStart start = ukAssembleStart(island);
    int status = ukAssembleIsland(island, context);
    addStageTime(since, &r->seconds_assemble);
    if (status == ukOk) status = ukSolveIsland(island);
    if (status == ukOk) status = checkConflict(island, &start, context);
    if (status == ukOk) status = advanceDiscrete(island, &context->rows, false);
    addStageTime(since, &r->seconds_solve);
    return status;
}

/* Writes the new states to ODE, body by body in the island's order, with their moved callbacks. Objects that a callback
 * destroys or attaches elsewhere are left out of the rest of the step; the others are not affected. */
static int writeStates(ukStepper *s, ukIsland *island)
{
    enum { ahead = 4 };
    const uint64_t destructions = s->world->destructions;
    bool called = false;
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        if (i + ahead < island->frames) ukFrameFetch(f[ahead].body);
        if (!f->body->handle) continue; /* an earlier body's callback destroyed this body */
        s->calling = f->body->moved != NULL;
        called = called || s->calling;
        ukFrameScatter(f, called);
        s->calling = false;
        if (s->world->handle) continue;
        return ukErrorSet(ukErrorChanged, "the world was destroyed in a callback of dBodySetMovedCallback");
    }
    for (int i = island->number + 1; i < s->island_count && s->world->destructions != destructions; i++)
        ukTopologyPrune(&s->islands[i]);
    return ukOk;
}

/* Applies the Gauss check to an island at its new states, then writes forces, ledger and states to ODE and the user. */
static int concludeStep(ukStepper *s, ukIsland *island, double h, double *since)
{
    ukReport *r = &s->report;
    int status = ukSolveCheck(island, true);
    if (status == ukOk) status = ukFramesHoldable(island);
    if (status != ukOk) return status;
    addStageTime(since, &r->seconds_check);
    const bool euler = s->world->settings.integrator == ukIntegratorEuler;
    ukFeedbackIsland(island, h);
    if (euler) ukLedgerDiscrete(island, h, true);
    ukLedgerDamping(island);
    ukJumpRemember(island, !island->outcome->continuous);
    status = writeStates(s, island);
    addStageTime(since, &r->seconds_write);
    return status;
}

static int gatherWithUndo(ukStepper *s, ukIsland *island)
{
    const int status = ukUndoNote(s, island);
    return status == ukOk ? ukGatherIsland(island) : status;
}

/* Steps islands of which several are solved at the same time. As if they were stepped one after the other, the first
 * island that fails ends the step, with its error. */
static int stepTogether(ukStepper *s, int first, int end, const ukStepContext *context, double *since)
{
    ukReport *r = &s->report;
    char message[256];
    int i = first, failed = ukOk;
    for (; i < end && failed == ukOk; i++) {
        failed = gatherWithUndo(s, &s->islands[i]);
        if (failed == ukOk) failed = ukAssembleIsland(&s->islands[i], context);
    }
    if (failed != ukOk) end = i - 1;
    snprintf(message, sizeof message, "%s", ukErrorMessage());
    addStageTime(since, &r->seconds_assemble);
    ukConcurrentSolve(s->islands, first, end);
    for (i = first; i < end; i++) {
        ukIsland *island = &s->islands[i];
        int status = island->outcome->status;
        if (status != ukOk) status = ukSoften(island, ukRefuseSolve(island, island->problem, status), ukSolveGuessed);
        if (status == ukOk) status = advanceDiscrete(island, &context->rows, false);
        if (status != ukOk) return status;
        addStageTime(since, &r->seconds_solve);
        status = concludeStep(s, island, context->rows.h, since);
        if (status != ukOk) return status;
    }
    if (failed != ukOk) ukErrorSet(failed, "%s", message);
    return failed;
}

/* All islands in ODE's order: each is completed, callbacks included, before the next one is gathered; consecutive
 * islands without callbacks may be solved concurrently. */
static int stepIslands(ukStepper *s, double h, double since)
{
    ukStepContext context;
    ukAssembleContext(s->world, h, &context);
    memcpy(s->potential_g, context.gravity, sizeof s->potential_g);
    int status = ukOk;
    for (int i = 0, end; i < s->island_count && status == ukOk; i = end) {
        ukIsland *island = &s->islands[i];
        end = ukTraversalTogether(s->islands, i, s->island_count);
        if (end - i > 1) {
            status = stepTogether(s, i, end, &context, &since);
            continue;
        }
        status = gatherWithUndo(s, island);
        if (status == ukOk) status = advanceStep(island, &context, &since);
        if (status == ukOk) status = concludeStep(s, island, h, &since);
    }
    return status;
}

/* Undoes a failed step: poses, velocities, forces, running values of joints, and which bodies are disabled. Solvers
 * restart, so that later results do not depend on how far the step got. */
static void restoreStep(ukStepper *s)
{
    for (int i = 0; i < s->frame_count; i++)
        if (s->frames[i].written) ukFrameRestore(&s->frames[i]);
    ukTraversalUnwake(s);
    for (int j = 0; j < s->joint_count; j++) ukJointRunsBack(s->joints[j]);
    ukUndoApply(s);
    ukSleepUndo(s->world);
    for (int i = 0; i < s->island_count; i++) {
        ukAdaptiveUndo(&s->islands[i]);
        ukJumpUndo(&s->islands[i]);
    }
}

/* A step under way. Unless it is `taken` it changes nothing, whether it fails or a user function throws through it. If
 * a moved callback throws, bodies keep what was written by then, as with ODE. */
typedef struct Attempt {
    ukStepper *s;
    ukReport before;
    double potential_g[3];
    bool taken;
} Attempt;

static void endAttempt(Attempt *a)
{
    ukStepper *s = a->s;
    if (a->taken) {
        ukUndoForget(s);
        return;
    }
    if (s->calling) {
        ukStepperForget(s);
    } else {
        restoreStep(s);
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
    __attribute__((cleanup(endAttempt))) Attempt attempt = {.s = s, .before = s->report};
    memcpy(attempt.potential_g, s->potential_g, sizeof s->potential_g);
    double since = ukSeconds();
    world->steps++;
    ukLedgerBegin(world);
    int status = ukTraversalBegin(world, s, h, true);
    if (s->slept || world->attached) ukLedgerSlept(world);
    s->report.seconds_assemble = 0;
    addStageTime(&since, &s->report.seconds_assemble);
    if (status == ukOk) status = ukUndoBegin(s);
    if (status == ukOk) status = stepIslands(s, h, since);
    if (status != ukOk) return status;
    ukRememberTurns(s->islands, s->island_count, h);
    if (world->watched && world->settings.integrator == ukIntegratorEuler &&
        world->settings.joint_rule == ukJointRuleODE)
        ukImbalanceWatch(s->islands, s->island_count, h, &s->imbalance);
    ukTraversalFinish(s);
    ukLedgerEnd(world, h);
    s->h = h;
    ukFeedbackContacts(s->solvers.contacts, s->islands, s->island_count);
    ukRememberClosures(s->islands, s->island_count);
    world->settings.time += h;
    ukSwitchesPrune(&world->switches, world->settings.time);
    attempt.taken = true;
    return ukOk;
}

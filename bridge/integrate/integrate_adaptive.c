/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_adaptive.h"

#include <math.h>
#include <stdio.h>

#include "bridge/base/log.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/implicit.h"
#include "bridge/integrate/integrate_rattle.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/nystrom.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/settle.h"
#include "bridge/integrate/stiff.h"
#include "bridge/integrate/tidy.h"
#include "bridge/island/budget.h"
#include "bridge/island/island.h"
#include "bridge/island/refuse.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

static const ukMethod pair = {
    .stages = 6,
    .stage = {{0},
              {.uses = 1, .node = 1. / 5, .pose = {1. / 50}, .rate = {1. / 5}},
              {.uses = 2, .node = 3. / 10, .pose = {9. / 200}, .rate = {3. / 40, 9. / 40}},
              {.uses = 3, .node = 4. / 5, .pose = {-12. / 25, 4. / 5}, .rate = {44. / 45, -56. / 15, 32. / 9}},
              {.uses = 4,
               .node = 8. / 9,
               .pose = {-12248. / 6561, 7208. / 2187, -6784. / 6561},
               .rate = {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729}},
              {.uses = 5,
               .node = 1,
               .pose = {-533. / 264, 91. / 22, -56. / 33, 7. / 88},
               .rate = {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}}},
    .end = {.uses = 6,
            .node = 1,
            .pose = {35. / 384, 0, 50. / 159, 25. / 192, -243. / 6784},
            .rate = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
};

/* difference of the two solutions: order 5 less order 4 */
static const ukStage difference = {
    .uses = 7,
    .pose = {611. / 230400, 0, -514. / 83475, 391. / 38400, -4617. / 1356800, -11. / 3360},
    .rate = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
};

static const struct {
    double safety, least, most; /* fraction of the estimated length; limits of the change of length */
    double cut;                 /* change of length after a sub-step that left the domain */
    double moved;               /* the fractions of V and of L by which the projection may change velocity and pose */
    double smallest;            /* smallest sub-step relative to the step: below it, time does not advance */
    double singular;            /* the same where a joint's own coordinates are singular (ukRefuseNeeds) */
} control = {.safety = 0.9, .least = 0.2, .most = 5, .cut = 0.25, .moved = 1e-3, .smallest = 1e-12, .singular = 1e-5};

/* After every `many` sub-steps shorter than the user's step, the forces are differentiated. Where h times their fastest
 * rate exceeds one, the explicit pair loses its order, and above 3.3 its stability. Its error estimate reacts to a fast
 * damper much earlier: an overdamped spring would keep sub-steps at a third of its fast time constant. Beyond `limit`
 * the implicit method takes over. The explicit pair returns when the stiffness has been below `weak` in `many` more
 * sub-steps than it has not. */
static const struct {
    double limit, weak;
    double most; /* control.most of stiff sub-steps: the iteration of a longer sub-step may not converge */
    double slow; /* if an iteration leaves more of the error, derivatives are outdated: shorter sub-steps */
    int many;
} stiffness = {.limit = 0.3, .weak = 0.15, .slow = 0.2, .most = 2, .many = 15};

/* The progress of an island through a step, or a part of one. */
typedef struct Way {
    ukIsland *island;
    const ukIslandStart *start;
    ukStepContext at;
    double begin, done, whole; /* time of the start, time since the start, and length of the whole [s] */
    bool standing;             /* the island is assembled at the frames' starts, */
    bool known;                /* its accelerations there are rates 0, */
    bool commit;               /* and running values have not yet advanced */
    double saved;              /* [s] weight of the saved impulses of these accelerations' forces; 0: none are saved */
    ukMeasure measure;         /* the measure at the frames' starts */
    bool stiff, derived;       /* the implicit method is in use; the forces' derivatives are known */
    ukImplicit implicit;
    double count;       /* count of stiff sub-steps */
    double error;       /* error of the last sub-step over the allowed error */
    const ukBody *body; /* the body with the largest share of the error */
    double tried;       /* [s], length of the last attempt */
    char why[120];      /* why the last attempt was rejected; "": none was */
} Way;

static const double *accelerations(const Way *way)
{
    return way->island->bodies.qdd;
}

/* ---- one sub-step ------------------------------------------------------------------------------------------------ */

/* Computes the accelerations at the frames' starts unless they are known; ledger and impulses need the forces as
 * well, and the implicit method differentiates them there. */
static int adaptiveFirst(Way *way, double h)
{
    ukIsland *island = way->island;
    const bool advances = way->commit && ukContinuousRuns(island);
    int status = ukOk;
    if (!way->standing || advances) {
        if (way->known && !way->stiff && !ukContinuousBooks(island)) return ukOk;
        way->at.time = way->begin + way->done;
        way->at.rows.commit = way->commit;
        status = ukContinuousAssemble(island, way->start, &way->at);
    }
    if (status == ukOk && (!way->known || !way->standing)) status = ukSolveMotion(island);
    if (status == ukOk && way->commit) status = ukContinuousConsistent(island);
    if (status != ukOk) return status;
    if (!way->known) ukNystromRecord(island, accelerations(way), 0, &pair.stage[0], h), way->saved = 0;
    way->commit = false;
    way->known = way->standing = true;
    return ukOk;
}

static int pairStage(Way *way, int k, double h)
{
    ukIsland *island = way->island;
    way->at.time = way->begin + way->done + pair.stage[k].node * h;
    ukNystromPlace(island, &pair.stage[k], h);
    int status = ukContinuousAssemble(island, way->start, &way->at);
    if (status == ukOk) status = ukSolveMotion(island);
    if (status != ukOk) return status;
    ukNystromRecord(island, accelerations(way), k, &pair.stage[k], h);
    ukLedgerStage(island, h * pair.end.rate[k]);
    ukImpulseStage(island, h * pair.end.rate[k]);
    return ukOk;
}

/* Differentiates the forces at the frames' states, at the time `after` the start of the part. */
static int differentiateAtStart(Way *way, double after)
{
    way->at.time = way->begin + after;
    const double unit = way->measure.length * sqrt(way->measure.mass) / way->measure.speed;
    way->derived = true;
    return ukStiffDifferentiate(way->island, &way->at, way->measure.length, unit);
}

/* Books the forces at the start for `weight` [s]. Those of a rejected sub-step are booked again: solved again, they may
 * differ from those whose accelerations are in use (near singular poses by 1e-8). */
static void bookFirst(Way *way, double weight)
{
    ukIsland *island = way->island;
    ukLedgerStage(island, weight);
    if (way->saved > 0) {
        ukImpulseRestoreScaled(island, weight / way->saved);
        return;
    }
    ukImpulseStage(island, weight);
    ukImpulseSaveOpen(island);
    way->saved = weight;
}

/* Computes the stages of the method in use and the states at the end. */
static int computeStages(Way *way, double h)
{
    ukIsland *island = way->island;
    int status = ukOk;
    way->at.rows.commit = false;
    if (way->stiff) {
        if (!way->derived) status = differentiateAtStart(way, way->done);
        if (status != ukOk) return status;
        status =
            ukImplicitSolve(island, way->start, &way->at, &way->implicit, &way->measure, way->begin + way->done, h);
    } else {
        bookFirst(way, h * pair.end.rate[0]);
        for (int k = 1; k < pair.stages && status == ukOk; k++) status = pairStage(way, k, h);
    }
    if (status == ukOk) ukNystromPlace(island, way->stiff ? &way->implicit.stage[ukImplicitStages] : &pair.end, h);
    return status;
}

static int estimateSubstepError(Way *way, double h)
{
    ukIsland *island = way->island;
    int status = ukOk;
    if (way->stiff) {
        status = ukImplicitError(island, &way->implicit, &way->measure, h, &way->error, &way->body);
    } else {
        ukNystromRecord(island, accelerations(way), pair.stages, &pair.end, h);
        way->error = ukMeasureError(island, &way->measure, &difference, NULL, h, &way->body);
    }
    return status != ukOk || way->error * 0 == 0 ? status : ukErrorNotFinite;
}

/* Advances from the frames' starts by h, to states with known accelerations, and estimates the error. */
static int attemptSubstep(Way *way, double h, bool last)
{
    ukIsland *island = way->island;
    way->at.rows.h = h;
    ukContinuousReset(island);
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    double drift;
    int status = adaptiveFirst(way, h);
    if (status != ukOk) return status;
    way->standing = false;
    way->at.time = way->begin + way->done;
    status = computeStages(way, h);
    way->at.time = way->begin + way->done + h;
    if (status == ukOk) status = ukSettle(island, way->start, &way->at, &way->measure, control.moved, &drift);
    if (status == ukOk)
        status = last || island->ideal->modal_rows > 0 ? ukSolveContinuous(island) : ukSolveMotion(island);
    return status == ukOk ? estimateSubstepError(way, h) : status;
}

/* ---- near singular poses ----------------------------------------------------------------------------------------- */

/* The time in which the island crosses its length with its speed or its acceleration; 0: it does not move. */
static double crossingTime(const Way *way)
{
    const ukMeasure *m = &way->measure;
    return m->speed > 0 ? sqrt(m->mass) * m->length / m->speed : 0;
}

/* The relative tolerance, bounded below by what rounding permits. */
static double relativeTolerance(const Way *way)
{
    return fmax(way->island->world->settings.tolerance, 1e-12);
}

/* The sub-step for which RATTLE's error, of third order, equals the tolerance. */
static double byPosesOf(const Way *way)
{
    return crossingTime(way) * cbrt(relativeTolerance(way));
}

/* Whether RATTLE can take over because sub-steps would be much shorter than its own: rows are then dependent in terms
 * of accelerations, which miss what the rows constrain at second order. Islands with joint laws, motors, springs or
 * running values are excluded, because these have their own events. */
static bool canRattleContinue(const Way *way, int status, double next)
{
    const ukIdeal *ideal = way->island->ideal;
    return status == ukErrorNotConverged && !way->stiff && next < 0.5 * byPosesOf(way) &&
           ideal->laws + ideal->modal_rows + ideal->springs + way->island->massless == 0 &&
           !ukContinuousRuns(way->island);
}

/* Takes a sub-step with RATTLE from the frames' starts. */
static int byPoses(Way *way, double h)
{
    ukIsland *island = way->island;
    const double least = island->rank_least;
    double done;
    ukContinuousReset(island);
    way->at.time = way->begin + way->done;
    way->at.rows.h = h;
    way->known = way->standing = false; /* the accelerations are now those of a kick */
    island->rank_least = 0;             /* RATTLE does not need the accelerations at the start */
    int status = ukContinuousAssemble(island, way->start, &way->at);
    if (status == ukOk) status = ukIntegrateRattle(island, way->start, &way->at, &done);
    island->rank_least = least;
    return status;
}

/* ---- length of sub-steps ----------------------------------------------------------------------------------------- */

/* The last sub-step length of the island, the smallest of its bodies'; 0: there is none. */
static double storedSubstep(const Way *way)
{
    double least = 0;
    for (int i = 0; i < way->island->frames; i++) {
        const double h = way->island->frame[i].body->substep.h;
        if (way->island->frame[i].moving >= 0 && h > 0 && (least == 0 || h < least)) least = h;
    }
    return least;
}

static void storeSubstep(const Way *way, double h)
{
    const uint64_t step = way->island->world->steps;
    for (int i = 0; i < way->island->frames; i++) {
        ukBody *body = way->island->frame[i].body;
        if (body->substep.step != step) {
            body->substep.before[0] = body->substep.h;
            body->substep.before[1] = body->substep.stiff;
            body->substep.step = step;
        }
        body->substep.h = h;
        body->substep.stiff = way->count;
    }
}

void ukAdaptiveUndo(const ukIsland *island)
{
    for (int i = 0; i < island->frames; i++) {
        ukBody *body = island->frame[i].body;
        if (body->substep.step != island->world->steps) continue;
        body->substep.h = body->substep.before[0];
        body->substep.stiff = body->substep.before[1];
        body->substep.step = 0; /* a failed step's number is used again */
    }
}

/* Chooses the method from the count that the island's bodies store. */
static void chooseMethod(Way *way, double count)
{
    way->count = count;
    way->stiff = count > stiffness.many && ukStiffPossible(way->island);
    if (way->stiff) way->implicit = ukImplicitMethod();
}

static bool isAlwaysImplicit(const Way *way)
{
    return way->island->world->settings.integrator == ukIntegratorRadau;
}

static void recallMethod(Way *way)
{
    double count = isAlwaysImplicit(way) ? 2 * stiffness.many : 0;
    for (int i = 0; i < way->island->frames; i++) count = fmax(count, way->island->frame[i].body->substep.stiff);
    chooseMethod(way, count);
}

/* After an accepted sub-step of h, at the frames' states: chooses the method for the next one. */
static int updateMethod(Way *way, double h)
{
    const double many = stiffness.many;
    double count = way->count;
    if (isAlwaysImplicit(way)) return ukOk;
    if (way->stiff) {
        count += way->implicit.strength < stiffness.weak * ukImplicitFilter ? -1 : 1;
        if (count > many) return way->count = fmin(count, 2 * many), ukOk;
        chooseMethod(way, 0);
        return ukOk;
    }
    if (h < way->whole && ukStiffPossible(way->island)) way->count++;
    if (way->count < many) return ukOk;
    const int status = differentiateAtStart(way, way->done + h);
    chooseMethod(way, status == ukOk && ukStiffRows(way->island, h) > stiffness.limit ? 2 * many : 0);
    return status;
}

/* The first sub-step of all: a fraction of the time in which the island crosses its length. */
static double firstSubstep(const Way *way)
{
    const double time = crossingTime(way);
    return time > 0 ? 0.2 * pow(relativeTolerance(way), 0.2) * time : way->whole;
}

static double stepFactor(const Way *way)
{
    const double power = way->stiff ? 0.2 : 0.25;
    double factor = way->error > 0 ? control.safety * pow(way->error, -power) : control.most;
    if (way->stiff && way->implicit.iterations > 1) /* after one iteration the convergence rate is unknown */
        factor = fmin(factor, fmax(stiffness.slow / way->implicit.shrinks, 0.5));
    return fmin(fmax(factor, control.least), way->stiff ? stiffness.most : control.most);
}

/* Records why the last attempt was rejected. */
static void noteWhy(Way *way, int status)
{
    if (status < 0)
        snprintf(way->why, sizeof way->why, "%s", ukErrorMessage());
    else
        snprintf(way->why, sizeof way->why, "its error is %.2g times the tolerance", way->error);
}

/* reports the joint of the body with the largest share of the error, or else the body */
static int refuseAt(const Way *way, int status, const char *what)
{
    const ukBody *body = way->body ? way->body : way->island->frame[0].body;
    const ukJoint *joint = body->first_joint ? body->first_joint->joint : NULL;
    if (!joint) return ukRefuseBody(body, status, "%s", what);
    return ukRefuseJoint(joint, status, "%s (body %llu)", what, (unsigned long long)body->serial);
}

/* The first motor whose own coordinates are singular at the start of the step, and hence its rows for every length of
 * the sub-step; NULL: none. */
static const ukJoint *singularJoint(const ukIsland *island)
{
    for (int j = 0; j < island->joints; j++)
        if (island->joint[j]->class->motor && ukRefuseNeeds(island->joint[j])) return island->joint[j];
    return NULL;
}

static bool tooShort(const Way *way, double h)
{
    if (h > control.singular * way->whole) return false;
    return !(h > control.smallest * way->whole) || singularJoint(way->island);
}

/* Reports why there is no shorter sub-step: the failure of the last attempt, or the error that remains. */
static int refuseStep(const Way *way, int status, double h)
{
    char what[300];
    const double time = way->begin + way->done;
    const ukJoint *const joint = singularJoint(way->island);
    if (joint)
        return ukRefuseJoint(joint, ukErrorNotConverged, "the step needs sub-steps of %.2g s at %.9g s; %s", h, time,
                             ukRefuseNeeds(joint));
    if (status < 0) {
        ukErrorSet(ukErrorNotConverged, "the step needs sub-steps of %.2g s at %.9g s: %s", h, time, way->why);
        return ukProjectAdvise(way->island, ukErrorNotConverged, NULL);
    }
    snprintf(what, sizeof what,
             "the step needs sub-steps of %.2g s at %.9g s: %s: use a looser tolerance, or euler if forces are "
             "discontinuous "
             "or rows singular there",
             h, time, way->why);
    return refuseAt(way, ukErrorNotConverged, what);
}

static int refuseSpent(const Way *way)
{
    char what[384];
    snprintf(what, sizeof what,
             "the work budget of %.0f evaluations is spent after %.2g s of the step, in sub-steps of %.2g s%s%s: %s",
             ukBudgetOf(way->island), way->begin + way->done - way->island->world->settings.time, way->tried,
             way->why[0] ? ": " : "", way->why, ukBudgetRemedy(way->island));
    return refuseAt(way, ukErrorBudget, what);
}

/* Whether a shorter sub-step cannot avoid the failure. Masses and parameters that a stage rejects are not such
 * failures: they were valid at the start of the sub-step, so the stage's state is too far away. */
static bool isBeyondRetry(int status)
{
    return status == ukNotContinuous || status == ukErrorMemory || status == ukErrorCallback ||
           status == ukErrorChanged || status == ukErrorBudget;
}

/* Radau IIA takes every island that has forces; it does not support those that also have joint laws or bodies without
 * mass. */
static int requireImplicit(const Way *way)
{
    if (!isAlwaysImplicit(way) || way->stiff || !ukStiffAny(way->island)) return ukOk;
    return ukRefuseBody(way->island->frame[0].body, ukErrorUnsupported,
                        "its island has user forces or springs together with joint laws or bodies without mass, a "
                        "combination that radau does not support: use adaptive");
}

static int trySubSteps(Way *way, double *taken)
{
    const double left = way->whole - way->done;
    int status = requireImplicit(way);
    if (status == ukOk) status = adaptiveFirst(way, left);
    if (status != ukOk) return status;
    way->measure = ukMeasureOf(way->island, way->at.rows.step);
    double next = storedSubstep(way);
    if (!(next > 0)) next = firstSubstep(way);
    for (bool again = false;; again = true) {
        const double h = next >= left ? left : next >= 0.5 * left ? 0.5 * left : next;
        if (again && tooShort(way, h)) return refuseStep(way, status, h);
        status = attemptSubstep(way, way->tried = h, h == left);
        if (isBeyondRetry(status)) return status;
        if (status == ukOk && way->error <= 1) {
            const double factor = stepFactor(way);
            if (way->stiff) ukImplicitKeep(way->island, &way->implicit, h);
            const bool before = way->stiff;
            way->island->report->implicit_substeps += before;
            status = updateMethod(way, h);
            next = fmax(h * (again ? fmin(factor, 1) : factor), h < next ? next : 0);
            storeSubstep(way,
                         way->stiff && !before ? 0.5 * next : next); /* the implicit method's first guess is poor */
            way->island->report->substeps++;
            *taken = h;
            return status;
        }
        way->island->report->rejected++;
        noteWhy(way, status);
        way->implicit.longer = status == ukOk ? h : 0;
        next = h * (status == ukOk ? fmin(stepFactor(way), 0.9) : way->stiff ? 0.5 : control.cut);
        if (canRattleContinue(way, status, next)) {
            const int posed = byPoses(way, *taken = fmin(left, byPosesOf(way)));
            if (isBeyondRetry(posed)) return posed;
            if (posed == ukOk) {
                way->implicit.before = 0; /* RATTLE's sub-step has overwritten the stored rates */
                storeSubstep(way, *taken);
                way->island->report->substeps++;
                return ukOk;
            }
        }
        way->derived &= status == ukOk || !again;
    }
}

/* Takes one sub-step until it is accepted; the frames' states are its end, *taken [s] its length. */
static int advanceAdaptive(Way *way, double *taken)
{
    const int status = trySubSteps(way, taken);
    return status == ukErrorBudget ? refuseSpent(way) : status;
}

static Way wayOf(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    Way way = {.island = island,
               .start = start,
               .at = *context,
               .begin = context->time,
               .whole = context->rows.h,
               .standing = true,
               .commit = context->rows.commit};
    recallMethod(&way);
    return way;
}

/* An initial drift is not an error of a sub-step: the start is projected first. */
static int projectStart(Way *way)
{
    const ukStabilization kind = way->island->world->settings.stabilization;
    if (kind != ukStabilizeProjection && kind != ukStabilizeSplit) return ukOk;
    return ukTidyStart(way->island, way->start, &way->at, true);
}

int ukAdaptiveProjectStart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    Way way = wayOf(island, start, context);
    return projectStart(&way);
}

int ukIntegrateAdaptivePart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    Way way = wayOf(island, start, context);
    int status = projectStart(&way);
    if (status == ukOk) status = advanceAdaptive(&way, done);
    if (status != ukOk) ukContinuousReset(island);
    return status;
}

/* Makes the frames' states the starts of the next sub-step; the accelerations there are known. */
static void goOn(Way *way)
{
    ukIsland *island = way->island;
    for (int i = 0; i < way->island->frames; i++) island->frame[i].start = island->frame[i].state;
    way->saved = 0;
    if (!way->known) return;
    ukNystromRecord(island, accelerations(way), 0, &pair.stage[0], 0);
    way->standing = true;
}

int ukIntegrateAdaptive(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    Way way = wayOf(island, start, context);
    int status = ukOk;
    for (int i = 0; i < island->frames; i++) island->states.base[i] = island->frame[i].start;
    status = projectStart(&way);
    while (way.done < way.whole && status == ukOk) {
        double taken;
        status = advanceAdaptive(&way, &taken);
        if (status != ukOk) break;
        way.done = taken >= way.whole - way.done ? way.whole : way.done + taken;
        if (way.done < way.whole) ukLedgerAccept(island);
        if (way.done < way.whole) ukImpulseAccept(island); /* the caller accepts the last one */
        if (way.done < way.whole) goOn(&way);
    }
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->states.base[i];
    if (status != ukOk) ukContinuousReset(island);
    *done = way.whole;
    return status;
}

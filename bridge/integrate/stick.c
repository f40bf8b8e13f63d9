/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/stick.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/event_source.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/root.h"
#include "bridge/integrate/share.h"
#include "bridge/integrate/switching.h"
#include "bridge/island/island.h"
#include "bridge/island/stepper.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/soften.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

enum { MaxEvents = 64, MaxTrials = 100 }; /* events per step; integrations to locate one event */

/* direction := x / size, for x along the axes */
static void setDirection(ukSlide *slide, const double *x, double size)
{
    memset(slide->direction, 0, sizeof slide->direction);
    for (int i = 0; size != 0 && i < slide->axes; i++)
        for (int c = 0; c < 3; c++) slide->direction[c] += x[i] / size * slide->axis[i][c];
}

static bool chooseSlide(const ukEventWalk *w, double h, double scale)
{
    ukSlide *slide = w->at.slide;
    const double rate = ukSize(slide->rate, slide->axes);
    slide->scale = ukSlideScale(w->island, w->island->problem, w->law, slide);
    const double least = ukEventLeastSlide(slide, h, scale);
    slide->mode = rate <= least ? ukSlideResting : ukSlideMoving;
    slide->slack = slide->mode == ukSlideResting ? least : 0;
    slide->shared = false;
    if (slide->mode == ukSlideMoving) setDirection(slide, slide->rate, rate);
    return slide->mode == ukSlideResting;
}

static bool chooseDrive(const ukEventWalk *w, double h, double scale)
{
    ukModalMotor *modal_motor = w->at.modal_motor;
    const double least = ukEventLeastMotor(w->island, modal_motor, h, scale);
    const bool there = fabs(modal_motor->shortfall) <= least;
    modal_motor->mode = there ? ukMotorUndecided : ukMotorFull;
    modal_motor->side = modal_motor->shortfall > 0 ? 1 : -1;
    modal_motor->slack = there ? least : 0;
    modal_motor->share = 1;
    return there;
}

/* Chooses the modes, at rest or moving, at the assembled states; returns how many are undecided. scale: of rates
 * (ukMeasureScale); *closing: a one-sided row closes its gap. */
static int chooseModes(ukIsland *island, double h, double scale, bool *closing)
{
    int undecided = 0;
    *closing = false;
    for (ukEventWalk w = {.island = island}; ukEventNext(&w);) {
        bool closes = false;
        if (ukOneSidedIs(&w.at.row))
            undecided += ukOneSidedChoose(island, &w.at.row, scale, &closes);
        else if (!w.at.switching)
            undecided += w.at.slide ? chooseSlide(&w, h, scale) : chooseDrive(&w, h, scale);
        *closing |= closes;
    }
    return undecided;
}

/* Takes the modes of resting slides and of motors at their speed from the solve: a slide whose rows keep it at
 * rest sticks, another one starts against its friction; a motor keeps its speed or exerts its full force. */
static void takeModes(ukIsland *island)
{
    const double *lambda = island->rows.lambda;
    for (ukEventWalk w = {.island = island}; ukEventNext(&w);) {
        ukModalMotor *modal_motor = w.at.modal_motor;
        ukSlide *slide = w.at.slide;
        if (ukOneSidedIs(&w.at.row)) ukOneSidedTake(island, &w.at.row);
        if (slide && slide->mode == ukSlideResting) {
            slide->mode = slide->sticks ? ukSlideStuck : ukSlideMoving;
            const double friction = ukSize(slide->force, slide->axes), slip = ukSize(slide->slip, slide->axes);
            if (slide->sticks) /* so that the force is -radius x direction, if other rows are to keep it at rest */
                setDirection(slide, slide->force, -slide->radius);
            else
                setDirection(slide, friction > 0 ? slide->force : slide->slip, friction > 0 ? -friction : slip);
        } else if (modal_motor && modal_motor->mode == ukMotorUndecided) {
            const double off = ukEventMotorAcceleration(island, modal_motor) - island->rows.b[modal_motor->row];
            const double scale = ukEventMotorScale(island, modal_motor),
                         natural = lambda[modal_motor->row] - (scale > 0 ? off / scale : 0);
            modal_motor->mode = fabs(natural) < modal_motor->bound ? ukMotorHolds : ukMotorFull;
            modal_motor->side = natural > 0 ? 1 : -1;
            if (modal_motor->mode == ukMotorHolds) modal_motor->share = lambda[modal_motor->row] / modal_motor->bound;
        }
    }
}

/* Sets slides that started from rest to undecided again. */
static void restSlides(const ukIsland *island)
{
    for (ukEventWalk w = {.island = island}; ukEventNext(&w);)
        if (w.at.slide && w.at.slide->slack > 0) w.at.slide->mode = ukSlideResting;
}

static int assembleParts(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    ukAssembleRewind(island, start);
    return ukAssembleIsland(island, context);
}

/* Impacts of one-sided rows and stops that close their gaps, at the frames' states, in the discrete form. Afterwards
 * the island is assembled again, with all one-sided rows undecided. Rows that contradict each other, so that no impulse
 * keeps the gaps closed, are left to the discrete form of the step: ukNotContinuous. */
static int closeGaps(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, ukImpactFn *impact,
                     bool chatter)
{
    ukStepContext discrete = *context;
    bool any;
    discrete.continuous = discrete.modal_rows = discrete.springs = discrete.rows.flight = discrete.rows.commit = false;
    discrete.stops = ukStopsIgnored;
    discrete.rows.split = false;
    discrete.rows.touching = true; /* what rests takes part: the sign of its gap is a rounding error's */
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->frame[i].state; /* impacts act here */
    int status = assembleParts(island, start, &discrete);
    if (status == ukOk) status = impact(island, context->rows.h, chatter, &any);
    if (status == ukErrorContradiction || status == ukErrorSingular) return ukNotContinuous;
    if (status != ukOk) return status;
    status = assembleParts(island, start, context); /* this form includes one-sided rows as such */
    if (status != ukOk) return status;
    ukOneSidedForget(island);
    ukOneSidedSet(island, ukRowUndecided);
    return assembleParts(island, start, context);
}

/* Where a row at rest is released because friction bears the load, and that friction then slips because its own load
 * has changed, the row closes: it becomes active, and the modes of the slides are taken from a further solve. */
static int keepClosingRows(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double scale,
                           int status)
{
    for (bool any = island->ideal->laws > 0; any && status == ukOk;) {
        any = false;
        for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) any |= ukOneSidedReactivate(island, &at, scale);
        if (!any) break;
        restSlides(island);
        status = assembleParts(island, start, context);
        if (status == ukOk) status = ukSoften(island, ukNonIdealSolve(island), ukNonIdealSolve);
        if (status == ukOk) takeModes(island);
    }
    return status;
}

/* Takes the undecided modes from a solve. The load that bounds dry friction depends on the stops that act: those of
 * slides are taken from a second solve, with the modes of one-sided rows. */
static int solveModes(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double scale)
{
    int status = assembleParts(island, start, context);
    const bool again = status == ukOk && island->ideal->laws > 0 && ukOneSidedUndecided(island) > 0;
    for (int solves = 0; status == ukOk && solves <= again; solves++) {
        if (solves > 0) restSlides(island);
        if (solves > 0) status = assembleParts(island, start, context);
        if (status == ukOk) status = ukSoften(island, ukNonIdealSolve(island), ukNonIdealSolve);
        if (status == ukOk) takeModes(island);
    }
    return keepClosingRows(island, start, context, scale, status);
}

int ukStickDecide(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, ukImpactFn *impact,
                  bool chatter)
{
    const double h = context->rows.h, scale = ukMeasureScale(island, h); /* before impacts, which may stop everything */
    bool closing;
    int undecided = chooseModes(island, h, scale, &closing), status = ukOk;
    if (closing && impact) {
        status = closeGaps(island, start, context, impact, chatter);
        if (status == ukOk) undecided = chooseModes(island, h, scale, &closing);
        if (status == ukOk && closing) status = ukNotContinuous;
    }
    if (status != ukOk || undecided == 0) return status;
    status = solveModes(island, start, context, scale);
    if (status == ukOk) status = ukShareForces(island, start, context);
    if (status != ukOk) return status;
    bool moves = false;
    for (ukEventWalk w = {.island = island}; ukEventNext(&w);)
        moves |= w.at.slide && w.at.slide->mode == ukSlideStuck && ukSize(w.at.slide->rate, w.at.slide->axes) > 0;
    if (!moves) return ukOk;
    status = assembleParts(island, start, context);
    if (status != ukOk) return status;
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    status = ukProjectStuck(island);
    ukLedgerMark(island, ukMarkStabilization);
    ukLedgerAccept(island);
    ukImpulseAccept(island);
    return status;
}

typedef struct Step { /* a part of a step: it begins at the frames' starts, after `done` of the whole */
    ukIsland *island;
    const ukIslandStart *start;
    ukStepContext context;
    ukIntegrateFn *integrate;
    ukImpactFn *impact;
    double begin, done, left;
    int events;
} Step;

static void moveTo(ukIsland *island, bool base)
{
    for (int i = 0; i < island->frames; i++) {
        if (base) island->frame[i].start = island->states.base[i];
        island->frame[i].state = island->frame[i].start;
    }
}

/* advances by h [s] or less: *done */
static int advanceStick(Step *step, double h, double *done)
{
    step->context.rows.h = h;
    step->context.time = step->begin + step->done;
    moveTo(step->island, false);
    int status = assembleParts(step->island, step->start, &step->context);
    if (status == ukOk) status = step->integrate(step->island, step->start, &step->context, done);
    step->context.rows.commit = false; /* running values advance once per step */
    return status;
}

/* The same in a search for an event of `of`. Near a singular pose of its joint a stop ceases to be followed; it then
 * acts in the discrete form: ukNotContinuous. */
static int advanceTowards(Step *step, ukEventSource of, double h, double *done)
{
    const int status = advanceStick(step, h, done);
    return status == ukOk && !ukEventIsFollowed(of) ? ukNotContinuous : status;
}

/* The bracket of an event of *of, which the part of h [s] that has just ended is past. */
static ukRoot bracketEvent(const Step *step, ukEventSource of, double h)
{
    const double past = ukEventMargin(step->island, of), before = *ukEventBefore(of);
    const double from = before > 0 ? before : -past; /* the part started from rest: the root at 0 is not the event */
    const double root = h * from / (from - past);
    const double accepted = ukEventAccepted(step->island, of, from - past, step->left - root);
    return ukRootOf(0, from, h, past, accepted, 1e-13 * (step->done + step->left));
}

/* Locates the event of *part within (0, *h) and takes the step to it; *h is its length. If another part's event proves
 * to be earlier, *part becomes that one. The step ends past the event by less than is accepted (ukEventAccepted), so
 * that the event does not occur again. */
static int locateOne(Step *step, ukEventSource *part, double *h)
{
    ukEventSource of = *part;
    ukRoot root = bracketEvent(step, of, *h);
    double at = *h;
    int status = ukOk;
    for (int trial = 0; trial < MaxTrials && !ukRootFound(&root); trial++) {
        status = advanceTowards(step, of, ukRootNext(&root), &at);
        if (status != ukOk) return status;
        ukEventSource other = {0};
        if (ukEventWorst(step->island, &other) && !ukEventSame(other, of) && ukEventMargin(step->island, of) >= 0) {
            of = other;
            root = bracketEvent(step, of, at);
        } else {
            ukRootAdd(&root, at, ukEventMargin(step->island, of));
        }
    }
    *h = root.hi;
    *part = of;
    return at != root.hi ? advanceTowards(step, of, root.hi, h) : ukOk;
}

/* The same; if the step then ends past the event of yet another part, which the trials have passed over, that one is
 * located in turn. */
static int locateEvent(Step *step, ukEventSource *part, double *h)
{
    static const double together = 1e-9; /* relative to the change of the event function */
    ukIsland *island = step->island;
    int status = locateOne(step, part, h);
    for (int trial = 0; status == ukOk && trial < MaxTrials; trial++) {
        ukEventSource other = {0};
        if (!ukEventWorst(island, &other) || ukEventSame(other, *part)) break;
        const double past = fabs(ukEventMargin(island, other)), change = past + fabs(*ukEventBefore(other));
        if (past <= fmax(together * change, ukEventAccepted(island, other, change, step->left - *h))) break;
        *part = other;
        status = locateOne(step, part, h);
    }
    return status;
}

/* Chooses the length *h [s] of the first trial of a part, at most its present value. A motor of bounded force that
 * lacks speed is accelerated until it reaches it: if the accelerations at the start say that this takes a small
 * fraction of *h, the trial ends soon after. The equations change there, and a longer trial would resolve a motion that
 * does not take place. */
static int shortenTrial(Step *step, double *h)
{
    static const double small = 0.25, beyond = 1e-3;
    ukIsland *island = step->island;
    double first = INFINITY;
    bool any = false;
    for (ukModalMotor *m = NULL; (m = ukNextModalMotor(island, m));)
        any |= m->mode == ukMotorFull && m->slack < INFINITY;
    if (!any) return ukOk;
    ukStepContext at = step->context;
    at.rows.h = *h;
    at.rows.commit = false;
    moveTo(island, false);
    int status = assembleParts(island, step->start, &at);
    if (status == ukOk) status = ukSolveMotion(island);
    if (status != ukOk) return status;
    for (ukModalMotor *m = NULL; (m = ukNextModalMotor(island, m));) {
        const double closes = m->side * (ukEventMotorAcceleration(island, m) + m->bias);
        if (m->mode == ukMotorFull && closes > 0) first = fmin(first, m->before / closes);
    }
    if (first < small * *h) *h = (1 + beyond) * first;
    return ukOk;
}

/* Gaps that close and open again within a part of *h [s], at whose end no event has occurred: the part ends where the
 * first of them is closed (*past). */
static int seekDips(Step *step, double *h, bool *past)
{
    const double whole = *h;
    double first = whole;
    for (ukEventWalk w = {.island = step->island}; ukEventNext(&w);) {
        const double at = ukOneSidedIs(&w.at.row) ? ukOneSidedDip(step->island, &w.at.row, whole) : 0;
        if (at > 0 && at < first) first = at;
    }
    if (!(first < whole)) return ukOk;
    int status = advanceStick(step, first, h);
    ukEventSource of = {0};
    *past = status == ukOk && ukEventWorst(step->island, &of);
    return status == ukOk && !*past ? advanceStick(step, whole, h) : status;
}

/* Decides the modes at the start of a part. Impacts of one-sided rows may change the signs of switching functions of
 * velocities; the modes are then decided again, unless a sign has just been changed there (`turned`). */
static int decideModes(Step *step, bool turned)
{
    ukIsland *island = step->island;
    const bool chatter = 2 * step->events > MaxEvents;
    int status = ukStickDecide(island, step->start, &step->context, step->impact, chatter);
    if (status != ukOk || turned || !ukSwitchingTurn(island)) return status;
    status = assembleParts(island, step->start, &step->context);
    return status == ukOk ? ukStickDecide(island, step->start, &step->context, step->impact, chatter) : status;
}

/* The part has ended `past` the start of switching function f, which changes its side there: back to the start. */
static int reverseSwitch(Step *step, struct ukForce *f)
{
    f->side = -f->side;
    moveTo(step->island, false);
    return assembleParts(step->island, step->start, &step->context);
}

/* Completes a part of h [s]; *over: it is the last one. Switching functions past their event change their side. */
static int endPart(Step *step, double h, bool *over)
{
    ukIsland *island = step->island;
    ukLedgerAccept(island);
    ukImpulseAccept(island);
    step->done += h;
    step->left -= h;
    *over = !(step->left > 0);
    if (*over || !ukSwitchingTurn(island)) return ukOk;
    step->context.time = step->begin + step->done;
    return assembleParts(island, step->start, &step->context);
}

/* Whether a step has too many events: in all, or changes of sign without progress. */
static bool tooMany(const ukIsland *island, int event, int turns)
{
    if (event <= MaxEvents && turns <= 2 * island->switches) return false;
    if (turns > 2 * island->switches)
        ukLog("the motion is driven back to the zero of a switching function from both sides: the step is taken in the "
              "discrete form");
    else
        ukLog("more than %d changes of dry friction, motors, stops, one-sided rows and switching functions in one "
              "step, which "
              "is taken in the discrete form",
              MaxEvents);
    return true;
}

static void countEvent(const ukIsland *island, ukEventSource of)
{
    ukStepEvents *events = &island->stepper->events;
    if (events->count++ == 0) ukEventName(island, of, events->source, sizeof events->source);
}

static int stepOverEvents(Step *step)
{
    ukIsland *island = step->island;
    bool over = false;
    bool predicts = true; /* not after a shortened trial in which nothing happened: the motion does not follow it */
    for (int turns = 0; !over;) {
        step->context.rows.h = step->left;
        step->context.time = step->begin + step->done;
        step->context.window = ukSwitchesWindow(&island->world->switches, step->context.time, step->left);
        int status = decideModes(step, turns > 0);
        if (status != ukOk) return status;
        for (int i = 0; i < island->frames; i++) island->frame[i].start = island->frame[i].state;
        ukEventRemember(island);
        double h = ukSwitchesPart(&step->context.window, step->context.time, step->left);
        const double whole = h;
        if (predicts) status = shortenTrial(step, &h);
        const bool shortened = h < whole;
        if (status == ukOk) status = advanceStick(step, h, &h);
        if (status != ukOk) return status;
        ukEventSource of = {0};
        bool past = ukEventWorst(island, &of);
        if (!past) status = seekDips(step, &h, &past);
        if (status != ukOk) return status;
        if (past) ukEventWorst(island, &of);
        predicts = past || !shortened;
        if (!past && h >= step->left) return ukOk;
        const bool at_start = past && of.switching && ukSwitchingAtStart(of.switching, ukEventMargin(island, of));
        step->events += past;
        if (past) countEvent(island, of);
        turns = at_start ? turns + 1 : 0;
        if (tooMany(island, step->events, turns)) return ukNotContinuous;
        if (at_start) {
            status = reverseSwitch(step, of.switching);
        } else {
            if (past) status = locateEvent(step, &of, &h);
            if (status == ukOk && past) ukEventCross(island, of);
            if (status == ukOk) status = endPart(step, h, &over);
        }
        if (status != ukOk) return status;
    }
    return ukOk;
}

int ukStickRelease(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    for (ukEventWalk w = {.island = island}; ukEventNext(&w);) {
        if (w.at.slide) w.at.slide->mode = ukSlideMoving, w.at.slide->shared = false;
        if (w.at.modal_motor)
            w.at.modal_motor->mode = ukMotorFull, w.at.modal_motor->side = 1, w.at.modal_motor->share = 1;
    }
    ukOneSidedRelease(island);
    return assembleParts(island, start, context);
}

/* Rows may contradict each other only because one-sided rows act, which a motor of unlimited force drives a body into:
 * the discrete form decides, where CFM may reconcile them, or names the contradiction. RATTLE's projection then does
 * not converge. */
static int leaveContradiction(const ukIsland *island, int status)
{
    const bool rattle = island->world->settings.integrator == ukIntegratorRattle;
    if (status != ukErrorContradiction && !(rattle && status == ukErrorNotConverged)) return status;
    for (ukOneSided of = {0}; ukOneSidedNext(island, &of);)
        if (of.constraint) return ukNotContinuous;
    return status;
}

int ukStickIntegrate(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, ukTidyFn *tidy,
                     ukIntegrateFn *integrate, ukImpactFn *impact)
{
    for (int i = 0; i < island->frames; i++) island->states.base[i] = island->frame[i].start;
    Step step = {.island = island,
                 .start = start,
                 .context = *context,
                 .integrate = integrate,
                 .impact = impact,
                 .begin = context->time,
                 .left = context->rows.h};
    int status = tidy ? ukStickRelease(island, start, context) : ukOk;
    if (status == ukOk && tidy) status = tidy(island, start, context);
    ukOneSidedForget(island);
    ukOneSidedBegin(island);
    step.context.sided = true; /* from the sides of the start on */
    if (status == ukOk) status = leaveContradiction(island, stepOverEvents(&step));
    if (status != ukOk) moveTo(island, true);
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->states.base[i];
    return status;
}

int ukStickEvaluate(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool project)
{
    int status = ukOk;
    if (project) { /* projects onto the constraints */
        status = ukStickRelease(island, start, context);
        if (status == ukOk) status = ukProjectIsland(island, ukDrift(island, island->problem), start, context);
        if (status != ukOk) return status;
    }
    bool closing;
    const double h = context->rows.h;
    const int resting = chooseModes(island, h, ukMeasureScale(island, h), &closing);
    status = assembleParts(island, start, context);
    if (status != ukOk) return status;
    ukIslandSolve *const solve = resting > 0 ? ukNonIdealSolve : ukNonIdealSolveContinuous;
    return ukSoften(island, solve(island), solve);
}

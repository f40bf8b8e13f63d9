/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/stick.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/one_sided.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/share.h"
#include "bridge/integrate/switching.h"
#include "bridge/island/island.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/soften.h"
#include "solvers/base/status.h"

enum { MaxEvents = 64, MaxTrials = 60 }; /* events per step; integrations to locate one event */

/* An axis counts as at rest below this fraction of the rate that its friction can remove in one step. Several axes
 * together reach zero only in the limit, so their fraction is larger. */
static const struct {
    double one_axis, several;
} rest = {1e-9, 1e-6};

/* a slide of dry friction, a motor of bounded force, a one-sided row, or a switching function; the others are NULL */
typedef struct EventSource {
    ukSlide *slide;
    ukModalMotor *modal_motor;
    ukOneSided row;
    struct ukForce *switching;
} EventSource;

/* iterates over all slides, from (i, k) on, then all motors, one-sided rows and switching functions */
typedef struct Walk {
    const ukIsland *island;
    int i, k;
    ukLaw *law; /* the law of the slide */
    EventSource at;
} Walk;

static bool nextSlide(Walk *w)
{
    for (; w->i < ukIslandLawCount(w->island); w->i++, w->k = 0) {
        w->law = ukIslandLaw(w->island, w->i);
        for (; w->law && w->law->mu > 0 && w->k < w->law->slides;) {
            w->at.slide = &w->law->slide[w->k++];
            if (w->at.slide->axes > 0) return true;
        }
    }
    return false;
}

/* false: there are no more */
static bool next(Walk *w)
{
    ukOneSided row = w->at.row;
    const struct ukForce *switching = w->at.switching;
    if (!switching) {
        if (!w->at.modal_motor && !ukOneSidedIs(&row) && nextSlide(w)) return true;
        w->at =
            (EventSource){.modal_motor = ukOneSidedIs(&row) ? NULL : ukNextModalMotor(w->island, w->at.modal_motor)};
        if (w->at.modal_motor) return true;
        const bool found = ukOneSidedNext(w->island, &row);
        w->at.row = row;
        if (found) return true;
    }
    w->at = (EventSource){.switching = ukSwitchingNext(w->island, switching)};
    return w->at.switching;
}

/* direction := x / size, for x along the axes */
static void point(ukSlide *slide, const double *x, double size)
{
    memset(slide->direction, 0, sizeof slide->direction);
    for (int i = 0; size != 0 && i < slide->axes; i++)
        for (int c = 0; c < 3; c++) slide->direction[c] += x[i] / size * slide->axis[i][c];
}

/* A M^-1 A' of a motor's row */
static double scaleOf(const Walk *w)
{
    const ukProblem *p = w->island->problem;
    const ukJoint *joint = ukModalMotorJoint(w->island, w->at.modal_motor);
    double sum = 0;
    for (int k = 0; k < 2 && joint->body[k]; k++) {
        const int body = ukFrameOf(w->island, joint->body[k])->moving;
        const double *J = w->at.modal_motor->J + 6 * k;
        if (body < 0) continue;
        double turned[3];
        ukRotate(p->inverse_inertia + 9 * (size_t)body, J + 3, turned);
        sum += ukDot(J, J) / p->mass[body] + ukDot(J + 3, turned);
    }
    return sum;
}

static bool chooseSlide(const Walk *w, double h)
{
    ukSlide *slide = w->at.slide;
    const double rate = ukSize(slide->rate, slide->axes), part = slide->axes == 1 ? rest.one_axis : rest.several;
    slide->scale = ukSlideScale(w->island, w->island->problem, w->law, slide);
    const double least = part * slide->radius * slide->scale * h;
    slide->mode = rate <= least ? ukSlideResting : ukSlideMoving;
    slide->slack = slide->mode == ukSlideResting ? least : 0;
    slide->shared = false;
    if (slide->mode == ukSlideMoving) point(slide, slide->rate, rate);
    return slide->mode == ukSlideResting;
}

static bool chooseDrive(const Walk *w, double h)
{
    ukModalMotor *modal_motor = w->at.modal_motor;
    const double least = rest.one_axis * modal_motor->bound * scaleOf(w) * h;
    const bool there = fabs(modal_motor->ahead) <= least;
    modal_motor->mode = there ? ukMotorUndecided : ukMotorFull;
    modal_motor->side = modal_motor->ahead > 0 ? 1 : -1;
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
    for (Walk w = {.island = island}; next(&w);) {
        bool closes = false;
        if (ukOneSidedIs(&w.at.row))
            undecided += ukOneSidedChoose(island, &w.at.row, scale, &closes);
        else if (!w.at.switching)
            undecided += w.at.slide ? chooseSlide(&w, h) : chooseDrive(&w, h);
        *closing |= closes;
    }
    return undecided;
}

/* Takes the modes of resting slides and of motors at their speed from the solve: a slide that is held sticks, another
 * one starts against its friction; a motor holds its speed or exerts its full force. */
static void takeModes(ukIsland *island)
{
    const double *lambda = island->rows.lambda, *qdd = island->bodies.qdd;
    for (Walk w = {.island = island}; next(&w);) {
        ukModalMotor *modal_motor = w.at.modal_motor;
        ukSlide *slide = w.at.slide;
        if (ukOneSidedIs(&w.at.row)) ukOneSidedTake(island, &w.at.row);
        if (slide && slide->mode == ukSlideResting) {
            slide->mode = slide->sticks ? ukSlideStuck : ukSlideMoving;
            const double friction = ukSize(slide->force, slide->axes), slip = ukSize(slide->slip, slide->axes);
            if (slide->sticks) /* so that the force is -radius x direction, if others are to hold it */
                point(slide, slide->force, -slide->radius);
            else
                point(slide, friction > 0 ? slide->force : slide->slip, friction > 0 ? -friction : slip);
        } else if (modal_motor && modal_motor->mode == ukMotorUndecided) {
            double off = -island->rows.b[modal_motor->row];
            for (int c = 0; c < 12; c++) {
                const ukBody *body = ukModalMotorJoint(island, modal_motor)->body[c / 6];
                const int moving = body ? ukFrameOf(island, body)->moving : -1;
                if (moving >= 0) off += modal_motor->J[c] * qdd[6 * moving + c % 6];
            }
            const double scale = scaleOf(&w), natural = lambda[modal_motor->row] - (scale > 0 ? off / scale : 0);
            modal_motor->mode = fabs(natural) < modal_motor->bound ? ukMotorHolds : ukMotorFull;
            modal_motor->side = natural > 0 ? 1 : -1;
            if (modal_motor->mode == ukMotorHolds) modal_motor->share = lambda[modal_motor->row] / modal_motor->bound;
        }
    }
}

/* Slides that started from rest are undecided again. */
static void restSlides(const ukIsland *island)
{
    for (Walk w = {.island = island}; next(&w);)
        if (w.at.slide && w.at.slide->slack > 0) w.at.slide->mode = ukSlideResting;
}

static int assemble(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
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
    discrete.stops = ukStopsApart;
    discrete.rows.split = false;
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->frame[i].state; /* impacts act here */
    int status = assemble(island, start, &discrete);
    if (status == ukOk) status = impact(island, context->rows.h, chatter, &any);
    if (status == ukErrorContradiction || status == ukErrorSingular) return ukNotContinuous;
    if (status != ukOk) return status;
    status = assemble(island, start, context); /* this form includes one-sided rows as such */
    if (status != ukOk) return status;
    ukOneSidedForget(island);
    ukOneSidedSet(island, ukRowUndecided);
    return assemble(island, start, context);
}

/* Where a row at rest is released because friction bears the load, and that friction then slips because its own load
 * has changed, the row closes: it holds, and the slides are taken from a further solve. */
static int holdClosing(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double scale,
                       int status)
{
    for (bool held = island->ideal->laws > 0; held && status == ukOk;) {
        held = false;
        for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) held |= ukOneSidedHold(island, &at, scale);
        if (!held) break;
        restSlides(island);
        status = assemble(island, start, context);
        if (status == ukOk) status = ukSoften(island, ukNonIdealSolve(island), ukNonIdealSolve);
        if (status == ukOk) takeModes(island);
    }
    return status;
}

/* Takes the undecided modes from a solve. The load that bounds dry friction depends on the stops that act: those of
 * slides are taken from a second solve, with the modes of one-sided rows. */
static int solveModes(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double scale)
{
    int status = assemble(island, start, context);
    const bool again = status == ukOk && island->ideal->laws > 0 && ukOneSidedUndecided(island) > 0;
    for (int solves = 0; status == ukOk && solves <= again; solves++) {
        if (solves > 0) restSlides(island);
        if (solves > 0) status = assemble(island, start, context);
        if (status == ukOk) status = ukSoften(island, ukNonIdealSolve(island), ukNonIdealSolve);
        if (status == ukOk) takeModes(island);
    }
    return holdClosing(island, start, context, scale, status);
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
    for (Walk w = {.island = island}; next(&w);)
        moves |= w.at.slide && w.at.slide->mode == ukSlideStuck && ukSize(w.at.slide->rate, w.at.slide->axes) > 0;
    if (!moves) return ukOk;
    status = assemble(island, start, context);
    if (status != ukOk) return status;
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    status = ukProjectStuck(island);
    ukLedgerMark(island, ukMarkStabilization);
    ukLedgerAccept(island);
    ukImpulseAccept(island);
    return status;
}

/* The event function of a part, positive before the event and zero at it: the rate of a moving slide along its
 * direction; the margin of a stuck slide's force to its bound; the speed that a motor at its bound lacks; the margin of
 * the force of a motor that holds its speed; a switching function on its side. */
static double margin(const ukIsland *island, EventSource of)
{
    const ukSlide *slide = of.slide;
    const ukModalMotor *modal_motor = of.modal_motor;
    if (ukOneSidedIs(&of.row)) return ukOneSidedMargin(island, &of.row);
    if (of.switching) return ukSwitchingMargin(of.switching);
    if (modal_motor)
        return modal_motor->mode == ukMotorFull ? modal_motor->side * modal_motor->ahead + modal_motor->slack
                                                : modal_motor->bound - fabs(island->rows.lambda[modal_motor->row]);
    if (slide->mode == ukSlideStuck) return slide->radius - ukSize(slide->force, slide->axes);
    double ahead = slide->slack;
    for (int i = 0; i < slide->axes; i++) ahead += slide->rate[i] * ukDot(slide->axis[i], slide->direction);
    return ukDot(slide->direction, slide->direction) > 0 ? ahead : 0;
}

static double *before(EventSource of)
{
    if (ukOneSidedIs(&of.row)) return &ukOneSidedLimit(&of.row)->before;
    if (of.switching) return &of.switching->before;
    return of.slide ? &of.slide->before : &of.modal_motor->before;
}

/* finds the part that is farthest past its event; false: none is */
static bool worst(ukIsland *island, EventSource *found)
{
    double least = 0;
    for (Walk w = {.island = island}; next(&w);) {
        const double m = margin(island, w.at);
        if (!(m < 0)) continue;
        const double past = m / (fabs(m) + fabs(*before(w.at)));
        if (past < least) least = past, *found = w.at;
    }
    return least < 0;
}

static bool same(EventSource x, EventSource y)
{
    const bool row = x.row.constraint == y.row.constraint && x.row.row == y.row.row && x.row.stop == y.row.stop;
    return x.slide == y.slide && x.modal_motor == y.modal_motor && row && x.switching == y.switching;
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
    int status = assemble(step->island, step->start, &step->context);
    if (status == ukOk) status = step->integrate(step->island, step->start, &step->context, done);
    step->context.rows.commit = false; /* running values advance once per step */
    return status;
}

/* Halves a bracket; one that spans orders of magnitude in its logarithm, because a gap that is hardly open closes after
 * a tiny part of the step. */
static double middle(double lo, double hi, double least)
{
    const double from = fmax(lo, least);
    return hi > 16 * from ? sqrt(from * hi) : 0.5 * (lo + hi);
}

/* Locates the event of *part within (0, *h) and takes the step to it; *h is its length. Regula falsi (Illinois); if
 * another part's event proves to be earlier, *part becomes that one. The step ends past the event by rounding, so that
 * the event does not occur again. */
static int locateOne(Step *step, EventSource *part, double *h)
{
    EventSource of = *part;
    ukIsland *island = step->island;
    double lo = 0, hi = *h, past = margin(island, of), left = *before(of), at = hi, width = hi;
    int side = 0, status = ukOk;
    const double whole = fabs(past) + fabs(left);
    if (!(left > 0)) left = -past; /* the part started from rest: the root at 0 is not the event */
    for (int trial = 0; trial < MaxTrials && status == ukOk; trial++) {
        const double least = 1e-13 * step->left;
        if (hi - lo <= least || fabs(past) <= 1e-13 * whole) break;
        const bool slow = trial % 3 == 2 && hi - lo > 0.25 * width;
        if (trial % 3 == 2 || trial == 0) width = hi - lo;
        at = slow ? middle(lo, hi, least) : hi - past * (hi - lo) / (past - left);
        if (!(at > lo && at < hi)) at = 0.5 * (lo + hi);
        status = advanceStick(step, at, &at);
        if (status != ukOk) return status;
        EventSource other = {0};
        if (worst(island, &other) && !same(other, of) && margin(island, of) >= 0) {
            of = other;
            left = *before(of) > 0 ? *before(of) : -margin(island, of);
            lo = 0;
        }
        const double now = margin(island, of);
        if (now >= 0) {
            lo = at, left = now;
            if (side == -1) past *= 0.5;
            side = -1;
        } else {
            hi = at, past = now;
            if (side == 1) left *= 0.5;
            side = 1;
        }
        if (now == 0) {
            hi = at;
            break;
        }
    }
    *h = hi;
    *part = of;
    return status == ukOk && at != hi ? advanceStick(step, hi, h) : status;
}

/* The same; if the step then ends past the event of yet another part, which the trials have passed over, that one is
 * located in turn. */
static int locate(Step *step, EventSource *part, double *h)
{
    static const double together = 1e-9; /* relative to the change of the event function */
    ukIsland *island = step->island;
    int status = locateOne(step, part, h);
    for (int trial = 0; status == ukOk && trial < MaxTrials; trial++) {
        EventSource other = {0};
        if (!worst(island, &other) || same(other, *part)) break;
        const double past = fabs(margin(island, other));
        if (past <= together * (past + fabs(*before(other)))) break;
        *part = other;
        status = locateOne(step, part, h);
    }
    return status;
}

static void remember(ukIsland *island)
{
    ukOneSidedForget(island);
    for (Walk w = {.island = island}; next(&w);) {
        if (ukOneSidedIs(&w.at.row))
            ukOneSidedRemember(island, &w.at.row);
        else
            *before(w.at) = margin(island, w.at);
    }
}

/* Gaps that close and open again within a part of *h [s], at whose end no event has occurred: the part ends where the
 * first of them is closed (*past). */
static int seekDips(Step *step, double *h, bool *past)
{
    const double whole = *h;
    double first = whole;
    for (Walk w = {.island = step->island}; next(&w);) {
        const double at = ukOneSidedIs(&w.at.row) ? ukOneSidedDip(step->island, &w.at.row, whole) : 0;
        if (at > 0 && at < first) first = at;
    }
    if (!(first < whole)) return ukOk;
    int status = advanceStick(step, first, h);
    EventSource of = {0};
    *past = status == ukOk && worst(step->island, &of);
    return status == ukOk && !*past ? advanceStick(step, whole, h) : status;
}

/* Decides the modes at the start of a part. Impacts of one-sided rows may change the signs of switching functions of
 * velocities; the modes are then decided again, unless a sign has just been changed there (`turned`). */
static int decide(Step *step, bool turned)
{
    ukIsland *island = step->island;
    const bool chatter = 2 * step->events > MaxEvents;
    int status = ukStickDecide(island, step->start, &step->context, step->impact, chatter);
    if (status != ukOk || turned || !ukSwitchingTurn(island)) return status;
    status = assemble(island, step->start, &step->context);
    return status == ukOk ? ukStickDecide(island, step->start, &step->context, step->impact, chatter) : status;
}

/* The part has ended `past` the start of switching function f, which changes its side there: back to the start. */
static int turn(Step *step, struct ukForce *f)
{
    f->side = -f->side;
    moveTo(step->island, false);
    return assemble(step->island, step->start, &step->context);
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
    return assemble(island, step->start, &step->context);
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

static int events(Step *step)
{
    ukIsland *island = step->island;
    bool over = false;
    for (int turns = 0; !over;) {
        step->context.rows.h = step->left;
        step->context.time = step->begin + step->done;
        step->context.window = ukSwitchesWindow(&island->world->switches, step->context.time, step->left);
        int status = decide(step, turns > 0);
        if (status != ukOk) return status;
        for (int i = 0; i < island->frames; i++) island->frame[i].start = island->frame[i].state;
        remember(island);
        double h = ukSwitchesPart(&step->context.window, step->context.time, step->left);
        status = advanceStick(step, h, &h);
        if (status != ukOk) return status;
        EventSource of = {0};
        bool past = worst(island, &of);
        if (!past) status = seekDips(step, &h, &past);
        if (status != ukOk) return status;
        if (past) worst(island, &of);
        if (!past && h >= step->left) return ukOk;
        const bool at_start = past && of.switching && ukSwitchingAtStart(of.switching, margin(island, of));
        step->events += past;
        turns = at_start ? turns + 1 : 0;
        if (tooMany(island, step->events, turns)) return ukNotContinuous;
        if (at_start) {
            status = turn(step, of.switching);
        } else {
            if (past) status = locate(step, &of, &h);
            if (status == ukOk && past && ukOneSidedIs(&of.row)) ukOneSidedCross(island, &of.row);
            if (status == ukOk) status = endPart(step, h, &over);
        }
        if (status != ukOk) return status;
    }
    return ukOk;
}

int ukStickRelease(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    for (Walk w = {.island = island}; next(&w);) {
        if (w.at.slide) w.at.slide->mode = ukSlideMoving, w.at.slide->shared = false;
        if (w.at.modal_motor)
            w.at.modal_motor->mode = ukMotorFull, w.at.modal_motor->side = 1, w.at.modal_motor->share = 1;
    }
    ukOneSidedRelease(island);
    return assemble(island, start, context);
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
    step.context.sided = true; /* from the sides of the start on */
    if (status == ukOk) status = leaveContradiction(island, events(&step));
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
    status = assemble(island, start, context);
    if (status != ukOk) return status;
    ukIslandSolve *const solve = resting > 0 ? ukNonIdealSolve : ukNonIdealSolveContinuous;
    return ukSoften(island, solve(island), solve);
}

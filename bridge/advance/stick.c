/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/stick.h"

#include <math.h>
#include <string.h>

#include "bridge/account/ledger.h"
#include "bridge/advance/continuous.h"
#include "bridge/advance/projection.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "bridge/solve/nonideal.h"
#include "bridge/solve/soften.h"
#include "solvers/base/status.h"

enum { MaxEvents = 64, MaxTrials = 60 }; /* events of a step; steps to find one of them */

/* An axis is at rest at this part of the rate that its friction can take away in a step; several axes at once meet zero
 * only in the limit, so they are taken for resting earlier. */
static const struct {
    double one_axis, several;
} rest = {1e-9, 1e-6};

/* the next slide of dry friction, from (i, k) on; false: none left */
typedef struct Walk {
    const ukStepper *s;
    int island, i, k;
    ukLaw *law;
    ukSlide *slide;
} Walk;

static bool next(Walk *w)
{
    for (; w->i < ukIslandLawCount(w->s, w->island); w->i++, w->k = 0) {
        w->law = ukIslandLaw(w->s, w->island, w->i);
        for (; w->law && w->law->mu > 0 && w->k < w->law->slides;) {
            w->slide = &w->law->slide[w->k++];
            if (w->slide->axes > 0) return true;
        }
    }
    return false;
}

/* direction := x / size, for x along the axes */
static void point(ukSlide *slide, const double *x, double size)
{
    memset(slide->direction, 0, sizeof slide->direction);
    for (int i = 0; size != 0 && i < slide->axes; i++)
        for (int c = 0; c < 3; c++) slide->direction[c] += x[i] / size * slide->axis[i][c];
}

/* who rests and who moves at the assembled states; returns how many rest */
static int chooseModes(ukStepper *s, int index, double h)
{
    int resting = 0;
    for (Walk w = {.s = s, .island = index}; next(&w);) {
        ukSlide *slide = w.slide;
        const double rate = ukSize(slide->rate, slide->axes), part = slide->axes == 1 ? rest.one_axis : rest.several;
        slide->scale = ukSlideScale(s, &s->problems[index], w.law, slide);
        slide->mode = rate <= part * slide->radius * slide->scale * h ? ukSlideResting : ukSlideMoving;
        resting += slide->mode == ukSlideResting;
        if (slide->mode == ukSlideMoving) point(slide, slide->rate, rate);
    }
    return resting;
}

/* what the solve decided of the slides at rest: who holds is stuck, who does not sets off against its friction */
static void takeModes(ukStepper *s, int index)
{
    for (Walk w = {.s = s, .island = index}; next(&w);) {
        ukSlide *slide = w.slide;
        if (slide->mode != ukSlideResting) continue;
        slide->mode = slide->held ? ukSlideStuck : ukSlideMoving;
        const double friction = ukSize(slide->force, slide->axes), slip = ukSize(slide->slip, slide->axes);
        point(slide, friction > 0 ? slide->force : slide->slip, friction > 0 ? -friction : slip);
    }
}

static int assemble(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    ukAssembleRewind(s, start);
    return ukAssembleIsland(s, index, context);
}

/* Modes at the frames' states, which the island is assembled for. What has just stuck loses the last of its rate. */
static int decide(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    if (chooseModes(s, index, context->rows.h) == 0) return ukOk;
    int status = assemble(s, index, start, context);
    if (status == ukOk) status = ukSoften(s, index, ukNonIdealSolve(s, index), ukNonIdealSolve);
    if (status != ukOk) return status;
    takeModes(s, index);
    bool moves = false;
    for (Walk w = {.s = s, .island = index}; next(&w);)
        moves |= w.slide->mode == ukSlideStuck && ukSize(w.slide->rate, w.slide->axes) > 0;
    if (!moves) return ukOk;
    status = assemble(s, index, start, context);
    if (status != ukOk) return status;
    ukLedgerOpen(s, index);
    status = ukProjectStuck(s, index);
    ukLedgerMark(s, index, ukMarkStabilization);
    ukLedgerAccept(s, index);
    return status;
}

/* What an event makes zero, positive before: the rate ahead of a moving slide, what is left of a stuck one's bound. */
static double margin(const ukSlide *slide)
{
    if (slide->mode == ukSlideStuck) return slide->radius - ukSize(slide->force, slide->axes);
    double ahead = 0;
    for (int i = 0; i < slide->axes; i++) ahead += slide->rate[i] * ukDot(slide->axis[i], slide->direction);
    return ukDot(slide->direction, slide->direction) > 0 ? ahead : 0;
}

/* the slide that is farthest past its event; NULL: none */
static ukSlide *worst(ukStepper *s, int index)
{
    ukSlide *found = NULL;
    double least = 0;
    for (Walk w = {.s = s, .island = index}; next(&w);) {
        const double m = margin(w.slide);
        if (!(m < 0)) continue;
        const double past = m / (fabs(m) + fabs(w.slide->before));
        if (past < least) least = past, found = w.slide;
    }
    return found;
}

typedef struct Step { /* a part of a step: from the frames' start, `done` into the whole */
    ukStepper *s;
    int island;
    const ukIslandStart *start;
    ukStepContext context;
    ukIntegrateFn *integrate;
    double begin, done, left;
} Step;

static void moveTo(ukStepper *s, int index, bool base)
{
    const ukIsland *island = &s->islands[index];
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        if (base) s->bodies.frames[i].start = s->bodies.base[i];
        s->bodies.frames[i].state = s->bodies.frames[i].start;
    }
}

/* h [s] on, or less: *done */
static int advance(Step *step, double h, double *done)
{
    step->context.rows.h = h;
    step->context.time = step->begin + step->done;
    moveTo(step->s, step->island, false);
    const int status = assemble(step->s, step->island, step->start, &step->context);
    return status == ukOk ? step->integrate(step->s, step->island, step->start, &step->context, done) : status;
}

/* The event of `slide`, passed within (0, *h): the step to it, taken, *h its size. Regula falsi (Illinois), and whoever
 * turns out to be earlier takes over. Ends past the event by rounding, so that it is not met again. */
static int locate(Step *step, ukSlide *slide, double *h)
{
    double lo = 0, hi = *h, past = margin(slide), before = slide->before, at = hi;
    int side = 0, status = ukOk;
    const double whole = fabs(past) + fabs(before);
    if (!(before > 0)) before = -past; /* set off from rest: the root at 0 is not meant */
    for (int trial = 0; trial < MaxTrials && status == ukOk; trial++) {
        if (hi - lo <= 1e-13 * step->left || fabs(past) <= 1e-13 * whole) break;
        at = trial % 8 == 7 ? 0.5 * (lo + hi) : hi - past * (hi - lo) / (past - before);
        if (!(at > lo && at < hi)) at = 0.5 * (lo + hi);
        status = advance(step, at, &at);
        if (status != ukOk) return status;
        ukSlide *other = worst(step->s, step->island);
        if (other && other != slide && margin(slide) >= 0) {
            slide = other;
            before = slide->before > 0 ? slide->before : -margin(slide);
            lo = 0;
        }
        const double now = margin(slide);
        if (now >= 0) {
            lo = at, before = now;
            if (side == -1) past *= 0.5;
            side = -1;
        } else {
            hi = at, past = now;
            if (side == 1) before *= 0.5;
            side = 1;
        }
        if (now == 0) {
            hi = at;
            break;
        }
    }
    *h = hi;
    return status == ukOk && at != hi ? advance(step, hi, h) : status;
}

static void remember(ukStepper *s, int index)
{
    for (Walk w = {.s = s, .island = index}; next(&w);) w.slide->before = margin(w.slide);
}

static int events(Step *step)
{
    ukStepper *s = step->s;
    const ukIsland *island = &s->islands[step->island];
    for (int event = 0;;) {
        step->context.rows.h = step->left;
        step->context.time = step->begin + step->done;
        int status = decide(s, step->island, step->start, &step->context);
        if (status != ukOk) return status;
        for (int i = island->frame; i < island->frame + island->frames; i++)
            s->bodies.frames[i].start = s->bodies.frames[i].state;
        remember(s, step->island);
        double h = step->left;
        status = advance(step, step->left, &h);
        if (status != ukOk) return status;
        ukSlide *slide = worst(s, step->island);
        if (!slide && h >= step->left) return ukOk;
        if (slide && event++ == MaxEvents) {
            ukLog("more than %d changes between sticking and sliding in one step: it is taken in the discrete form",
                  MaxEvents);
            return ukNotContinuous;
        }
        if (slide) status = locate(step, slide, &h);
        if (status != ukOk) return status;
        ukLedgerAccept(s, step->island);
        step->done += h;
        step->left -= h;
        if (!(step->left > 0)) return ukOk;
    }
}

int ukStickIntegrate(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context,
                     ukIntegrateFn *integrate)
{
    const ukIsland *island = &s->islands[index];
    for (int i = island->frame; i < island->frame + island->frames; i++) s->bodies.base[i] = s->bodies.frames[i].start;
    Step step = {.s = s,
                 .island = index,
                 .start = start,
                 .context = *context,
                 .integrate = integrate,
                 .begin = context->time,
                 .left = context->rows.h};
    const int status = events(&step);
    if (status != ukOk) moveTo(s, index, true);
    for (int i = island->frame; i < island->frame + island->frames; i++) s->bodies.frames[i].start = s->bodies.base[i];
    return status;
}

int ukStickEvaluate(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, bool project)
{
    int status = ukOk;
    if (project) { /* onto the constraints: whatever stuck when it was last looked at is none */
        for (Walk w = {.s = s, .island = index}; next(&w);) w.slide->mode = ukSlideMoving;
        status = assemble(s, index, start, context);
        if (status == ukOk) status = ukProjectIsland(s, index, start, context);
        if (status != ukOk) return status;
    }
    const int resting = chooseModes(s, index, context->rows.h);
    status = assemble(s, index, start, context);
    if (status != ukOk) return status;
    ukIslandSolve *const solve = resting > 0 ? ukNonIdealSolve : ukNonIdealSolveContinuous;
    return ukSoften(s, index, solve(s, index), solve);
}

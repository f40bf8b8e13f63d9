/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/event_source.h"

#include <math.h>
#include <stdio.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/bounded_row.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/switching.h"
#include "bridge/island/island.h"
#include "bridge/joints/label.h"

/* An axis counts as at rest below this fraction of the rate that its friction can remove in one step. Several axes
 * together reach zero only in the limit, so their fraction is larger. */
static const struct {
    double one_axis, several;
} rest = {1e-9, 1e-6};

static bool nextSlide(ukEventWalk *w)
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

bool ukEventNext(ukEventWalk *w)
{
    ukOneSided row = w->at.row;
    const struct ukForce *switching = w->at.switching;
    if (!switching) {
        if (!w->at.modal_motor && !ukOneSidedIs(&row) && nextSlide(w)) return true;
        w->at =
            (ukEventSource){.modal_motor = ukOneSidedIs(&row) ? NULL : ukNextModalMotor(w->island, w->at.modal_motor)};
        if (w->at.modal_motor) return true;
        const bool found = ukOneSidedNext(w->island, &row);
        w->at.row = row;
        if (found) return true;
    }
    w->at = (ukEventSource){.switching = ukSwitchingNext(w->island, switching)};
    return w->at.switching;
}

double ukEventMotorScale(const ukIsland *island, const ukModalMotor *modal_motor)
{
    const ukProblem *p = island->problem;
    const ukJoint *joint = ukModalMotorJoint(island, modal_motor);
    double sum = 0;
    for (int k = 0; k < 2 && joint->body[k]; k++) {
        const int body = ukFrameOf(island, joint->body[k])->moving;
        const double *J = modal_motor->J + 6 * k;
        if (body >= 0) sum += ukProblemMobility(p, body, J, J);
    }
    return sum;
}

double ukEventMotorAcceleration(const ukIsland *island, const ukModalMotor *modal_motor)
{
    const ukJoint *joint = ukModalMotorJoint(island, modal_motor);
    double sum = 0;
    for (int k = 0; k < 2 && joint->body[k]; k++) {
        const int body = ukFrameOf(island, joint->body[k])->moving;
        for (int c = 0; c < 6 && body >= 0; c++) sum += modal_motor->J[6 * k + c] * island->bodies.qdd[6 * body + c];
    }
    return sum;
}

double ukEventLeastMotor(const ukIsland *island, const ukModalMotor *modal_motor, double h, double scale)
{
    const double compliance = ukEventMotorScale(island, modal_motor);
    return fmax(rest.one_axis * modal_motor->bound * compliance * h, ukRowNegligibleRate(compliance, scale));
}

double ukEventLeastSlide(const ukSlide *slide, double h, double scale)
{
    const double part = slide->axes == 1 ? rest.one_axis : rest.several;
    return fmax(part * slide->radius * slide->scale * h, ukRowNegligibleRate(slide->scale, scale));
}

bool ukEventIsFollowed(ukEventSource of)
{
    return !of.row.stop || of.row.stop->joint;
}

double ukEventMargin(const ukIsland *island, ukEventSource of)
{
    const ukSlide *slide = of.slide;
    const ukModalMotor *modal_motor = of.modal_motor;
    if (ukOneSidedIs(&of.row)) return ukOneSidedMargin(island, &of.row);
    if (of.switching) return ukSwitchingMargin(of.switching);
    if (modal_motor)
        return modal_motor->mode == ukMotorFull ? modal_motor->side * modal_motor->shortfall + modal_motor->slack
                                                : modal_motor->bound - fabs(island->rows.lambda[modal_motor->row]);
    if (slide->mode == ukSlideStuck) return slide->radius - ukSize(slide->force, slide->axes);
    double ahead = slide->slack;
    for (int i = 0; i < slide->axes; i++) ahead += slide->rate[i] * ukDot(slide->axis[i], slide->direction);
    return ukDot(slide->direction, slide->direction) > 0 ? ahead : 0;
}

double *ukEventBefore(ukEventSource of)
{
    if (ukOneSidedIs(&of.row)) return &ukOneSidedLimit(&of.row)->before;
    if (of.switching) return &of.switching->before;
    return of.slide ? &of.slide->before : &of.modal_motor->before;
}

bool ukEventWorst(ukIsland *island, ukEventSource *found)
{
    double least = 0;
    for (ukEventWalk w = {.island = island}; ukEventNext(&w);) {
        const double m = ukEventMargin(island, w.at);
        if (!(m < 0)) continue;
        const double past = m / (fabs(m) + fabs(*ukEventBefore(w.at)));
        if (past < least) least = past, *found = w.at;
    }
    return least < 0;
}

bool ukEventSame(ukEventSource x, ukEventSource y)
{
    const bool row = x.row.constraint == y.row.constraint && x.row.row == y.row.row && x.row.stop == y.row.stop;
    return x.slide == y.slide && x.modal_motor == y.modal_motor && row && x.switching == y.switching;
}

/* The largest value of a source's event function that counts as zero. */
static double negligibleMargin(const ukIsland *island, ukEventSource of, double h)
{
    static const double rounding = 1e-13; /* relative to a bound */
    if (ukOneSidedIs(&of.row)) return ukOneSidedNegligible(island, &of.row);
    if (of.modal_motor && of.modal_motor->mode == ukMotorHolds) return rounding * of.modal_motor->bound;
    if (of.slide && of.slide->mode == ukSlideStuck) return rounding * of.slide->radius;
    if (of.switching) return 0;
    const double scale = ukMeasureScale(island, h);
    return of.slide ? ukEventLeastSlide(of.slide, h, scale) : ukEventLeastMotor(island, of.modal_motor, h, scale);
}

double ukEventAccepted(const ukIsland *island, ukEventSource of, double change, double h)
{
    static const double located = 1e-13, share = 0.1, rates = 1e-9; /* rates: what counts as zero of them, relative */
    const ukSettings *settings = &island->world->settings;
    const double wanted = ukIsAdaptive(settings) ? fmin(settings->tolerance / rates, 1) : 1;
    return fmax(located * change, wanted * share * negligibleMargin(island, of, fmax(h, 0)));
}

/* the law that a slide is part of */
static const ukLaw *lawOfSlide(const ukIsland *island, const ukSlide *slide)
{
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (law && slide >= law->slide && slide < law->slide + law->slides) return law;
    }
    return NULL;
}

void ukEventName(const ukIsland *island, ukEventSource of, char *text, size_t size)
{
    const ukLaw *law = of.slide ? lawOfSlide(island, of.slide) : NULL;
    const ukJoint *joint = law              ? law->joint
                           : of.modal_motor ? ukModalMotorJoint(island, of.modal_motor)
                           : of.row.stop    ? of.row.stop->joint
                                            : NULL;
    const struct ukConstraint *c = law ? law->constraint : of.row.constraint;
    if (joint)
        ukJointLabel(joint, text, size);
    else if (c)
        snprintf(text, size, "user constraint %llu", (unsigned long long)c->element.serial);
    else
        snprintf(text, size, "a switching function");
}

void ukEventCross(const ukIsland *island, ukEventSource of)
{
    if (ukOneSidedIs(&of.row)) ukOneSidedCross(island, &of.row);
    if (of.slide) of.slide->at_bound = of.slide->mode == ukSlideStuck;
    if (of.modal_motor) of.modal_motor->at_bound = of.modal_motor->mode == ukMotorHolds;
}

void ukEventRemember(ukIsland *island)
{
    ukOneSidedForget(island);
    for (ukEventWalk w = {.island = island}; ukEventNext(&w);) {
        if (w.at.slide) w.at.slide->at_bound = false;
        if (w.at.modal_motor) w.at.modal_motor->at_bound = false;
        if (ukOneSidedIs(&w.at.row))
            ukOneSidedRemember(island, &w.at.row);
        else
            *ukEventBefore(w.at) = ukEventMargin(island, w.at);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/settle.h"

#include <math.h>
#include <string.h>

#include "bridge/results/ledger.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/projection.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/refuse.h"
#include "bridge/island/view.h"
#include "bridge/user/constraint.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* of the moving bodies (6 each) */
static double *noted(const ukStepper *s, const ukProblem *p)
{
    return s->bodies.shift + ukViewOf(s, p).column0;
}

static void note(ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    double *v = noted(s, &s->problems[index]);
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        const ukFrame *f = &s->bodies.frames[i];
        if (f->moving >= 0) memcpy(v + 6 * f->moving, f->state.v, 6 * sizeof *v);
    }
}

/* What the projection has changed of the velocity, to d (6 a moving body); |d|_M. */
static double change(const ukStepper *s, int index, double *d)
{
    const ukIsland *island = &s->islands[index];
    const ukProblem *p = &s->problems[index];
    const double *v = noted(s, p);
    double sum = 0;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        const ukFrame *f = &s->bodies.frames[i];
        if (f->moving < 0) continue;
        double *own = d + 6 * f->moving;
        for (int k = 0; k < 6; k++) own[k] = f->state.v[k] - v[6 * f->moving + k];
        sum += ukMeasureSquare(p, f->moving, own);
    }
    return sqrt(sum);
}

double ukSettleMoved(ukStepper *s, int index)
{
    return change(s, index, s->bodies.qdd + ukViewOf(s, &s->problems[index]).column0);
}

int ukSettleRefuse(ukStepper *s, int index, const char *why)
{
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0, *worst = owner;
    double *d = s->bodies.qdd + ukViewOf(s, p).column0, *rate = s->rows.b + ukViewOf(s, p).row0, most = -1, by = 0;
    change(s, index, d);
    ukProblemApply(p, d, rate);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double part = fabs(rate[i]) * ukRowUnit(p, &p->block[k], i, 0);
            if (!owner[k].law && part > most) most = part, worst = owner + k, by = fabs(rate[i]);
        }
    if (worst->joint)
        return ukRefuseJoint(worst->joint, ukErrorNotConverged, "%s (the projection changes its rate by %.2g)", why,
                             by);
    ukErrorSet(ukErrorNotConverged, "user constraint %llu: %s (the projection changes its rate by %.2g)",
               (unsigned long long)(worst->constraint ? worst->constraint->element.serial : 0), why, by);
    return ukErrorNotConverged;
}

int ukSettle(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *at, const ukMeasure *measure,
             double far, double *drift)
{
    const ukStabilization kind = s->world->settings.stabilization;
    ukLedgerMark(s, index, ukMarkIntegration);
    int status = ukContinuousAssemble(s, index, start, at);
    *drift = 0;
    if (status == ukOk && (kind == ukStabilizeProjection || kind == ukStabilizeSplit) && s->problems[index].rows > 0) {
        note(s, index);
        *drift = ukDrift(s, &s->problems[index]);
        if (far < INFINITY && !(*drift <= far)) return ukProjectRefuse(s, index);
        status = ukProjectIsland(s, index, *drift, start, at);
        if (status == ukOk && far < INFINITY && !ukProjected(s, index)) status = ukProjectRefuse(s, index);
        if (status == ukOk && far < INFINITY && !(ukSettleMoved(s, index) <= ukMeasureSpeed(measure, far)))
            status = ukSettleRefuse(s, index, "the error of the sub-step exceeds its bound");
    }
    if (status == ukOk) ukLedgerMark(s, index, ukMarkStabilization);
    return status;
}

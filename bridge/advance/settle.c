/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/settle.h"

#include <math.h>
#include <string.h>

#include "bridge/account/ledger.h"
#include "bridge/advance/continuous.h"
#include "bridge/advance/projection.h"
#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "solvers/base/status.h"

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

/* |v - noted|_M */
static double moved(const ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    const ukProblem *p = &s->problems[index];
    const double *v = noted(s, p);
    double sum = 0;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        const ukFrame *f = &s->bodies.frames[i];
        if (f->moving < 0) continue;
        double d[6], turned[3];
        for (int k = 0; k < 6; k++) d[k] = f->state.v[k] - v[6 * f->moving + k];
        ukRotate(p->inertia + 9 * (size_t)f->moving, d + 3, turned);
        sum += p->mass[f->moving] * ukDot(d, d) + ukDot(d + 3, turned);
    }
    return sqrt(sum);
}

int ukSettle(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *at, const ukMeasure *measure,
             double far, bool whole)
{
    const ukIsland *island = &s->islands[index];
    const ukStabilization kind = s->world->settings.stabilization;
    ukLedgerMark(s, index, ukMarkIntegration);
    for (int i = island->frame; i < island->frame + island->frames; i++)
        ukFrameCap(s->bodies.frames[i].body, s->bodies.frames[i].state.v);
    ukLedgerMark(s, index, ukMarkDamping);
    int status = ukContinuousAssemble(s, index, start, at);
    if (status == ukOk && (kind == ukStabilizeProjection || kind == ukStabilizeSplit) && s->problems[index].rows > 0) {
        note(s, index);
        if (far < INFINITY && !(ukDrift(s, &s->problems[index]) <= far)) return ukProjectRefuse(s, index);
        status = ukProjectIsland(s, index, start, at);
        if (status == ukOk && far < INFINITY &&
            !((!whole || ukProjected(s, index)) && moved(s, index) <= far * measure->speed))
            status = ukProjectRefuse(s, index);
    }
    if (status == ukOk) ukLedgerMark(s, index, ukMarkStabilization);
    return status;
}

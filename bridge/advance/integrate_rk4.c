/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/integrate_rk4.h"

#include <math.h>

#include "bridge/account/ledger.h"
#include "bridge/advance/continuous.h"
#include "bridge/advance/measure.h"
#include "bridge/advance/nystrom.h"
#include "bridge/advance/projection.h"
#include "bridge/advance/settle.h"
#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"

static const ukMethod rk4 = {
    .stages = 4,
    .stage = {{0},
              {.uses = 1, .node = 0.5, .pose = {0.125}, .rate = {0.5}},
              {.uses = 2, .node = 0.5, .pose = {0.125}, .rate = {0, 0.5}},
              {.uses = 3, .node = 1, .pose = {0, 0, 0.5}, .rate = {0, 0, 1}}},
    .end = {.uses = 4, .node = 1, .pose = {1.0 / 6, 1.0 / 6, 1.0 / 6}, .rate = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
};

/* to the frames' states at the end of the step; the island stands assembled at its start */
static int stages(ukStepper *s, const ukMethod *method, int index, const ukIslandStart *start,
                  const ukStepContext *context)
{
    const ukStage *stage = method->stage;
    const ukIsland *island = &s->islands[index];
    const double h = context->rows.h;
    ukStepContext at = *context;
    for (int k = 0; k < method->stages; k++) {
        at.time = context->time + stage[k].node * h;
        at.rows.commit = k == 0;
        int status = ukOk;
        if (k > 0) ukNystromPlace(s, island, &stage[k], h);
        if (k > 0 || ukContinuousRuns(s, island)) status = ukContinuousAssemble(s, index, start, &at);
        if (status == ukOk) status = ukSolveMotion(s, index);
        if (status == ukOk && k == 0) status = ukContinuousConsistent(s, index);
        if (status != ukOk) return status;
        ukLedgerStage(s, index, h * method->end.rate[k]);
        ukNystromRecord(s, island, s->bodies.qdd + ukViewOf(s, &s->problems[index]).column0, k, &stage[k], h);
    }
    ukNystromPlace(s, island, &method->end, h);
    return ukOk;
}

static bool projects(const ukStepper *s)
{
    const ukStabilization kind = s->world->settings.stabilization;
    return kind == ukStabilizeProjection || kind == ukStabilizeSplit;
}

/* |v|_M^2 of the frames' states */
static double movingSquare(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    double sum = 0;
    for (int i = 0; i < s->islands[index].frames; i++) {
        const ukFrame *f = &s->bodies.frames[s->islands[index].frame + i];
        if (f->moving < 0) continue;
        double turned[3];
        ukRotate(p->inertia + 9 * (size_t)f->moving, f->state.v + 3, turned);
        sum += p->mass[f->moving] * ukDot(f->state.v, f->state.v) + ukDot(f->state.v + 3, turned);
    }
    return sum;
}

/* A step too long for its motion ends where the projection does not bring it back, faster than anything that acted on it
 * could have made it: it is no step. Slow states that are off may come back, and rows that cannot all be met stay off.
 */
static int accept(const ukStepper *s, int index, double before)
{
    static const double lost = 1e-6, more = 10; /* an angle; times what it began with */
    static const double faster = 2;             /* times the speed of measure.h */
    const double off = ukDrift(s, &s->problems[index]);
    if (off <= fmax(lost, more * before)) return ukOk;
    const double speed = faster * ukMeasureOf(s, index, s->ideal[index].h).speed;
    return movingSquare(s, index) <= speed * speed ? ukOk : ukProjectRefuse(s, index);
}

int ukIntegrateRK4(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    ukStepContext at = *context;
    const double before = projects(s) ? ukDrift(s, &s->problems[index]) : 0;
    *done = context->rows.h;
    ukLedgerOpen(s, index);
    int status = stages(s, &rk4, index, start, context);
    at.time = context->time + context->rows.h;
    at.rows.commit = false;
    if (status == ukOk) status = ukSettle(s, index, start, &at, NULL, INFINITY, false);
    if (status == ukOk && projects(s)) status = accept(s, index, before);
    if (status == ukOk) status = ukSolveContinuous(s, index);
    if (status == ukNotContinuous) ukContinuousReset(s, index);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/integrate_rk4.h"

#include <math.h>

#include "bridge/account/ledger.h"
#include "bridge/advance/continuous.h"
#include "bridge/advance/nystrom.h"
#include "bridge/advance/settle.h"
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

int ukIntegrateRK4(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    ukStepContext at = *context;
    *done = context->rows.h;
    ukLedgerOpen(s, index);
    int status = stages(s, &rk4, index, start, context);
    at.time = context->time + context->rows.h;
    at.rows.commit = false;
    if (status == ukOk) status = ukSettle(s, index, start, &at, NULL, INFINITY, false);
    if (status == ukOk) status = ukSolveContinuous(s, index);
    if (status == ukNotContinuous) ukContinuousReset(s, index);
    return status;
}

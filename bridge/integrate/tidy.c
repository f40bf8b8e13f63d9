/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/tidy.h"

#include "bridge/integrate/continuous.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/momentum.h"
#include "bridge/integrate/projection.h"
#include "bridge/island/island.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* whether the velocities satisfy the constraints, relative to the island's speed */
static bool ratesMet(const ukIsland *island)
{
    static const double enough = 1e-9;
    const ukProblem *p = island->problem;
    double off = 0, moving = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double psi = island->rows.rate[i] - island->rows.target[i];
            const double unit = ukRowUnit(p, &p->block[k], i, 0);
            off += unit * unit * psi * psi;
        }
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = island->bodies.frame[(size_t)i];
        moving += ukMeasureSquare(p, i, f->start.v);
    }
    return off <= enough * enough * moving;
}

/* Whether the program may have moved the bodies: only then is their momentum restored. After a step in the discrete
 * form, and within a step, where a stop that was violated begins to act, the impulses of the rows alone change the
 * velocities. */
static bool mayBeDisplaced(const ukIsland *island, const ukStepContext *context)
{
    return context->time == island->world->settings.time && ukJumpCause(island) == ukMarkOutside;
}

int ukTidyStart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool rates)
{
    ukStepContext at = *context;
    if (island->problem->rows == 0 || island->problem->bodies == 0) return ukOk;
    const double drift = ukDrift(island, island->problem);
    if (ukProjectedFor(island, drift, &context->rows) && (!rates || ratesMet(island))) return ukOk;
    at.rows.commit = false;
    at.rows.apart = drift > ukJumpMeets;
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    int status = at.rows.apart ? ukContinuousAssemble(island, start, &at) : ukOk;
    if (status == ukOk) status = ukProjectIsland(island, drift, start, &at);
    at.rows.apart = false;
    if (status == ukOk && mayBeDisplaced(island, context)) status = ukMomentumRestore(island);
    if (status == ukOk) status = ukProjectAssembleMoving(island, start, &at);
    if (status != ukOk) return status;
    ukLedgerMark(island, ukMarkStabilization);
    ukLedgerAccept(island);
    ukImpulseAccept(island);
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->frame[i].state;
    return ukOk;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/tidy.h"

#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/momentum.h"
#include "bridge/integrate/projection.h"
#include "bridge/island/view.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* whether the velocities are on the constraints, to a part of what moves */
static bool ratesMet(const ukStepper *s, int index)
{
    static const double enough = 1e-9;
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    double off = 0, moving = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double psi = s->rows.rate[row0 + (size_t)i] - s->rows.target[row0 + (size_t)i];
            const double unit = ukRowUnit(p, &p->block[k], i, 0);
            off += unit * unit * psi * psi;
        }
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = &s->bodies.frames[s->bodies.moving_frame[ukViewOf(s, p).moving0 + (size_t)i]];
        moving += ukMeasureSquare(p, i, f->start.v);
    }
    return off <= enough * enough * moving;
}

int ukTidyStart(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, bool rates)
{
    const ukIsland *island = &s->islands[index];
    ukStepContext at = *context;
    if (s->problems[index].rows == 0 || s->problems[index].bodies == 0) return ukOk;
    const double drift = ukDrift(s, &s->problems[index]);
    if (ukProjectedAt(s, index, drift) && (!rates || ratesMet(s, index))) return ukOk;
    at.rows.commit = false;
    at.rows.apart = drift > ukJumpMeets;
    ukLedgerOpen(s, index);
    ukImpulseOpen(s, index);
    int status = at.rows.apart ? ukContinuousAssemble(s, index, start, &at) : ukOk;
    if (status == ukOk) status = ukProjectIsland(s, index, drift, start, &at);
    at.rows.apart = false;
    /* where the last step left it there, in the discrete form, velocities change by the impulses of the rows alone */
    if (status == ukOk && ukJumpCause(s, index) == ukMarkOutside) status = ukMomentumRestore(s, index);
    if (status == ukOk) status = ukProjectAssembleMoving(s, index, start, &at);
    if (status != ukOk) return status;
    ukLedgerMark(s, index, ukMarkStabilization);
    ukLedgerAccept(s, index);
    ukImpulseAccept(s, index);
    for (int i = island->frame; i < island->frame + island->frames; i++)
        s->bodies.frames[i].start = s->bodies.frames[i].state;
    return ukOk;
}

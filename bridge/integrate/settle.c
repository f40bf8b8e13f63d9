/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/settle.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/projection.h"
#include "bridge/island/island.h"
#include "bridge/island/refuse.h"
#include "bridge/results/ledger.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* saved velocities of the moving bodies (6 each) */
static double *savedVelocities(const ukIsland *island)
{
    return island->bodies.shift;
}

static void saveVelocities(ukIsland *island)
{
    double *v = savedVelocities(island);
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving >= 0) memcpy(v + 6 * f->moving, f->state.v, 6 * sizeof *v);
    }
}

/* d (6 per moving body): the change of velocity by the projection; returns |d|_M. */
static double velocityChange(const ukIsland *island, double *d)
{
    const ukProblem *p = island->problem;
    const double *v = savedVelocities(island);
    double sum = 0;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        double *own = d + 6 * f->moving;
        for (int k = 0; k < 6; k++) own[k] = f->state.v[k] - v[6 * f->moving + k];
        sum += ukMeasureSquare(p, f->moving, own);
    }
    return sqrt(sum);
}

double ukSettleMoved(ukIsland *island)
{
    return velocityChange(island, island->bodies.qdd);
}

int ukSettleRefuse(ukIsland *island, const char *why)
{
    const ukProblem *p = island->problem;
    const ukBlockOwner *owner = island->rows.owners, *worst = owner;
    double *d = island->bodies.qdd, *rate = island->rows.b, most = -1, by = 0;
    velocityChange(island, d);
    ukProblemApply(p, d, rate);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double part = fabs(rate[i]) * ukRowUnit(p, &p->block[k], i, 0);
            if (!owner[k].law && part > most) most = part, worst = owner + k, by = fabs(rate[i]);
        }
    if (worst->joint)
        return ukRefuseJoint(worst->joint, ukErrorNotConverged, "%s (the projection changes its rate by %.2g)", why,
                             by);
    return ukErrorSet(ukErrorNotConverged, "user constraint %llu: %s (the projection changes its rate by %.2g)",
                      (unsigned long long)(worst->constraint ? worst->constraint->element.serial : 0), why, by);
}

int ukSettle(ukIsland *island, const ukIslandStart *start, const ukStepContext *at, const ukMeasure *measure,
             double far, double *drift)
{
    const ukStabilization kind = island->world->settings.stabilization;
    ukLedgerMark(island, ukMarkIntegration);
    int status = ukContinuousAssemble(island, start, at);
    *drift = 0;
    if (status == ukOk && (kind == ukStabilizeProjection || kind == ukStabilizeSplit) && island->problem->rows > 0) {
        saveVelocities(island);
        *drift = ukDrift(island, island->problem);
        if (far < INFINITY && !(*drift <= far)) return ukProjectRefuse(island);
        status = ukProjectIsland(island, *drift, start, at);
        if (status == ukOk && far < INFINITY && !ukProjected(island)) status = ukProjectRefuse(island);
        if (status == ukOk && far < INFINITY && !(ukSettleMoved(island) <= ukMeasureSpeed(measure, far)))
            status = ukSettleRefuse(island, "the error of the sub-step exceeds its bound");
    }
    if (status == ukOk) ukLedgerMark(island, ukMarkStabilization);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/one_sided.h"

#include <math.h>

#include "bridge/integrate/bounded_row.h"
#include "bridge/island/island.h"
#include "bridge/island/user_row.h"
#include "bridge/user/gap.h"

bool ukOneSidedNext(const ukIsland *island, ukOneSided *at)
{
    if (island->ideal->drives == 0) return false;
    int i = at->constraint ? at->row + 1 : 0;
    for (int k = at->constraint ? at->element : 0; k < island->elements; k++, i = 0) {
        struct ukConstraint *c = island->element[k]->is_force ? NULL : (struct ukConstraint *)island->element[k];
        for (; c && c->limit && i < c->rows; i++) {
            if (!c->limit[i].one_sided && ukGapBounded(c, i) == ukBoundedNone) continue;
            *at = (ukOneSided){.constraint = c, .row = i, .element = k};
            return true;
        }
    }
    *at = (ukOneSided){.constraint = NULL};
    return false;
}

static double complianceOf(const ukIsland *island, const ukOneSided *of)
{
    return ukUserRowCompliance(island, of->constraint, of->row);
}

static double leastRateOf(const ukIsland *island, const ukOneSided *of, double h)
{
    return ukUserRowLeastRate(island, of->constraint, of->row, h);
}

bool ukOneSidedChoose(const ukIsland *island, const ukOneSided *of, double h, bool *closing)
{
    const struct ukConstraint *c = of->constraint;
    ukRowLimit *limit = ukOneSidedLimit(of);
    if (!limit->one_sided) return ukBoundedRowChoose(island, of->constraint, of->row, h);
    const bool holonomic = ukGapIsHolonomic(c, of->row);
    const double gap = holonomic ? c->phi[of->row] : 0, rate = c->error ? c->psi[of->row] : 0;
    const double slow = c->error ? leastRateOf(island, of, h) : 0;
    limit->depth = ukGapTouch(c, of->row) + fmax(0, -gap);
    *closing = gap <= 0 && rate < -slow;
    limit->mode = (holonomic && gap > ukGapTouch(c, of->row)) || fabs(rate) > slow ? ukRowFree : ukRowOpen;
    return limit->mode == ukRowOpen;
}

void ukOneSidedTake(const ukIsland *island, const ukOneSided *of)
{
    ukRowLimit *limit = ukOneSidedLimit(of);
    if (!limit->one_sided) ukBoundedRowTake(island, of->constraint, of->row);
    if (!limit->one_sided || limit->mode != ukRowOpen) return;
    const double compliance = complianceOf(island, of);
    const double off = limit->row >= 0 ? ukUserRowResidual(island, of->constraint, of->row) : 0;
    const double lambda = limit->row >= 0 ? island->rows.lambda[limit->row] : 0;
    const double natural = lambda - (compliance > 0 ? off / compliance : 0);
    const bool holds = limit->row >= 0 && compliance > 0 && natural > -0.5 * ukUserRowLeastForce(island, compliance);
    limit->mode = holds ? ukRowHeld : ukRowFree;
}

double ukOneSidedMargin(const ukIsland *island, const ukOneSided *of)
{
    const struct ukConstraint *c = of->constraint;
    const ukRowLimit *limit = ukOneSidedLimit(of);
    if (!limit->one_sided) return ukBoundedRowMargin(island, c, of->row);
    const double compliance = complianceOf(island, of);
    if (limit->mode == ukRowHeld)
        return limit->row < 0 ? 0 : island->rows.lambda[limit->row] + ukUserRowLeastForce(island, compliance);
    if (ukGapIsHolonomic(c, of->row)) return c->phi[of->row] + limit->depth;
    if (c->error) return c->psi[of->row] + 2 * leastRateOf(island, of, island->ideal->h);
    return ukUserRowResidual(island, of->constraint, of->row) + compliance * ukUserRowLeastForce(island, compliance);
}

void ukOneSidedSet(const ukIsland *island, ukRowMode mode)
{
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) ukOneSidedLimit(&at)->mode = mode;
}

int ukOneSidedOpen(const ukIsland *island)
{
    int count = 0;
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) {
        const ukRowLimit *limit = ukOneSidedLimit(&at);
        count += limit->mode == ukRowOpen && limit->row >= 0;
    }
    return count;
}

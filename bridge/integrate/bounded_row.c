/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/bounded_row.h"

#include <math.h>

#include "bridge/integrate/measure.h"
#include "bridge/island/island.h"
#include "bridge/island/user_row.h"
#include "bridge/user/gap.h"

/* Forces that count as zero, relative to those of the island; rates, as a multiple of what impacts leave of them. */
static const double zero_force = 1e-12, zero_rates = 10;

/* ---- what counts as zero ----------------------------------------------------------------------------------------- */

double ukRowNegligibleForce(const ukIsland *island, double compliance)
{
    return compliance > 0 ? zero_force * ukMeasureForces(island) / sqrt(compliance) : 0;
}

double ukRowNegligibleRate(double compliance, double scale)
{
    return zero_rates * ukMeasureLeast * scale * sqrt(compliance);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

/* A qdd - b, b with Baumgarte's corrections */
static double offOf(const ukIsland *island, const struct ukConstraint *c, int i)
{
    const double off = ukUserRowResidual(island, c, i);
    ukStepContext context;
    if (!c->error) return off;
    ukAssembleContext(island->world, island->ideal->h, &context);
    const double phi = ukGapIsHolonomic(c, i) ? c->phi[i] : 0;
    return off + 2 * context.alpha * c->psi[i] + context.beta * context.beta * phi;
}

bool ukBoundedRowChoose(const ukIsland *island, struct ukConstraint *c, int i, double scale)
{
    ukRowBounds *limit = &c->limit[i];
    const bool motor = ukGapBounded(c, i) == ukBoundedMotor;
    if (limit->decided) return false;
    const bool full = motor && fabs(c->psi[i]) > 4 * ukRowNegligibleRate(ukUserRowCompliance(island, c, i), scale);
    limit->mode = full ? ukRowFull : ukRowUndecided;
    limit->side = c->psi[i] < 0 ? 1 : -1;
    return !full;
}

void ukBoundedRowCross(const ukIsland *island, struct ukConstraint *c, int i)
{
    ukRowBounds *limit = &c->limit[i];
    if (limit->mode == ukRowActive && limit->row >= 0) {
        const double lambda = island->rows.lambda[limit->row];
        limit->mode = ukRowFull;
        limit->side = limit->hi - lambda < lambda - limit->lo ? 1 : -1;
        limit->decided = true;
    } else if (limit->mode == ukRowFull && ukGapBounded(c, i) == ukBoundedAcceleration) {
        limit->mode = ukRowActive;
        limit->decided = true;
    }
}

void ukBoundedRowTake(const ukIsland *island, struct ukConstraint *c, int i)
{
    ukRowBounds *limit = &c->limit[i];
    if (limit->mode != ukRowUndecided || limit->row < 0) return;
    const double compliance = ukUserRowCompliance(island, c, i);
    if (!(compliance > 0)) { /* it acts on nothing */
        limit->mode = ukRowFree;
        return;
    }
    const double natural = island->rows.lambda[limit->row] - offOf(island, c, i) / compliance;
    limit->mode = natural > limit->lo && natural < limit->hi ? ukRowActive : ukRowFull;
    limit->side = natural < limit->hi ? -1 : 1;
}

double ukBoundedRowMargin(const ukIsland *island, const struct ukConstraint *c, int i)
{
    const ukRowBounds *limit = &c->limit[i];
    if (limit->mode == ukRowActive && limit->row >= 0) {
        const double lambda = island->rows.lambda[limit->row];
        return fmin(lambda - limit->lo, limit->hi - lambda);
    }
    if (limit->mode != ukRowFull) return 0;
    const double compliance = ukUserRowCompliance(island, c, i);
    if (ukGapBounded(c, i) == ukBoundedMotor) {
        const double scale = ukMeasureScale(island, island->ideal->h);
        return -limit->side * c->psi[i] + 2 * ukRowNegligibleRate(compliance, scale);
    }
    return -limit->side * offOf(island, c, i) + compliance * ukRowNegligibleForce(island, compliance);
}

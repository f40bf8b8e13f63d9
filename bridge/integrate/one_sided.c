/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/one_sided.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/measure.h"
#include "bridge/island/island.h"
#include "bridge/island/user_row.h"
#include "bridge/user/gap.h"

/* Rates and forces that count as zero, relative to the speed and the forces of the island. */
static const double zero_rate = 1e-9, zero_force = 1e-12;

bool ukOneSidedNext(const ukIsland *island, ukOneSided *at)
{
    if (island->ideal->drives == 0) return false;
    int i = at->constraint ? at->row + 1 : 0;
    for (int k = at->constraint ? at->element : 0; k < island->elements; k++, i = 0) {
        struct ukConstraint *c = island->element[k]->is_force ? NULL : (struct ukConstraint *)island->element[k];
        for (; c && c->limit && i < c->rows; i++) {
            if (!c->limit[i].one_sided) continue;
            *at = (ukOneSided){.constraint = c, .row = i, .element = k};
            return true;
        }
    }
    *at = (ukOneSided){.constraint = NULL};
    return false;
}

static const double *rowOf(const ukOneSided *of)
{
    return of->constraint->A + 6 * (size_t)of->constraint->element.count * (size_t)of->row;
}

static int movingOf(const ukIsland *island, const ukOneSided *of, int slot)
{
    return ukFrameOf(island, of->constraint->element.body[slot])->moving;
}

static double complianceOf(const ukIsland *island, const ukOneSided *of)
{
    return ukUserRowCompliance(island, of->constraint, of->row);
}

/* A qdd - b */
static double residualOf(const ukIsland *island, const ukOneSided *of)
{
    const double *J = rowOf(of);
    double sum = -of->constraint->b[of->row];
    for (int slot = 0; slot < of->constraint->element.count; slot++, J += 6) {
        const int body = movingOf(island, of, slot);
        for (int k = 0; body >= 0 && k < 6; k++) sum += J[k] * island->bodies.qdd[6 * body + k];
    }
    return sum;
}

/* |M^-1 Q|_M of the island's forces */
static double forcesOf(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *Q = island->bodies.Q + 6 * (size_t)i;
        double turned[3];
        ukRotate(p->inverse_inertia + 9 * (size_t)i, Q + 3, turned);
        sum += ukDot(Q, Q) / p->mass[i] + ukDot(Q + 3, turned);
    }
    return sqrt(sum);
}

/* the largest multiplier that counts as zero */
static double leastForce(const ukIsland *island, double compliance)
{
    return compliance > 0 ? zero_force * forcesOf(island) / sqrt(compliance) : 0;
}

/* The largest rate of a row that counts as zero: relative to the speed, and to the change of speed by forces in h
 * [s]. */
static double leastRate(const ukIsland *island, const ukOneSided *of, double h)
{
    const ukProblem *p = island->problem;
    double speed = 0;
    for (int i = 0; i < p->bodies; i++) speed += ukMeasureSquare(p, i, island->bodies.frame[i]->state.v);
    return zero_rate * (sqrt(speed) + h * forcesOf(island)) * sqrt(complianceOf(island, of));
}

bool ukOneSidedChoose(const ukIsland *island, const ukOneSided *of, double h, bool *closing)
{
    const struct ukConstraint *c = of->constraint;
    ukRowLimit *limit = ukOneSidedLimit(of);
    const bool holonomic = ukGapIsHolonomic(c, of->row);
    const double gap = holonomic ? c->phi[of->row] : 0, rate = c->error ? c->psi[of->row] : 0;
    const double slow = c->error ? leastRate(island, of, h) : 0;
    limit->depth = ukGapTouch(c, of->row) + fmax(0, -gap);
    *closing = gap <= 0 && rate < -slow;
    limit->mode = (holonomic && gap > ukGapTouch(c, of->row)) || fabs(rate) > slow ? ukRowFree : ukRowOpen;
    return limit->mode == ukRowOpen;
}

void ukOneSidedTake(const ukIsland *island, const ukOneSided *of)
{
    ukRowLimit *limit = ukOneSidedLimit(of);
    if (limit->mode != ukRowOpen) return;
    const double compliance = complianceOf(island, of);
    const double off = limit->row >= 0 ? residualOf(island, of) : 0;
    const double lambda = limit->row >= 0 ? island->rows.lambda[limit->row] : 0;
    const double natural = lambda - (compliance > 0 ? off / compliance : 0);
    const bool holds = limit->row >= 0 && compliance > 0 && natural > -0.5 * leastForce(island, compliance);
    limit->mode = holds ? ukRowHeld : ukRowFree;
}

double ukOneSidedMargin(const ukIsland *island, const ukOneSided *of)
{
    const struct ukConstraint *c = of->constraint;
    const ukRowLimit *limit = ukOneSidedLimit(of);
    const double compliance = complianceOf(island, of);
    if (limit->mode == ukRowHeld)
        return limit->row < 0 ? 0 : island->rows.lambda[limit->row] + leastForce(island, compliance);
    if (ukGapIsHolonomic(c, of->row)) return c->phi[of->row] + limit->depth;
    if (c->error) return c->psi[of->row] + 2 * leastRate(island, of, island->ideal->h);
    return residualOf(island, of) + compliance * leastForce(island, compliance);
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/one_sided.h"

#include <math.h>

#include "bridge/integrate/bounded_row.h"
#include "bridge/integrate/measure.h"
#include "bridge/island/island.h"
#include "bridge/island/user_row.h"
#include "bridge/user/gap.h"

/* the stop after `last`, or the first one; NULL: there are no more */
static ukStop *nextStop(const ukIsland *island, ukStop *last)
{
    ukStop *const end = island->stop + island->ideal->stops;
    for (ukStop *stop = last ? last + 1 : island->stop; stop < end; stop++)
        if (stop->joint) return stop;
    return NULL;
}

/* whether the integrator follows rows of constraints, too */
static bool followsConstraints(const ukIsland *island)
{
    int others = island->ideal->motors;
    for (ukStop *stop = NULL; (stop = nextStop(island, stop));) others++;
    return island->ideal->modal_rows > others;
}

bool ukOneSidedNext(const ukIsland *island, ukOneSided *at)
{
    if (island->ideal->modal_rows == 0) return false;
    const bool rows = at->constraint || (!at->stop && followsConstraints(island));
    int i = at->constraint ? at->row + 1 : 0;
    for (int k = at->constraint ? at->element : 0; rows && k < island->elements; k++, i = 0) {
        struct ukConstraint *c = island->element[k]->is_force ? NULL : (struct ukConstraint *)island->element[k];
        for (; c && c->limit && i < c->rows; i++) {
            if (!c->limit[i].one_sided && ukGapBounded(c, i) == ukBoundedNone) continue;
            *at = (ukOneSided){.constraint = c, .row = i, .element = k};
            return true;
        }
    }
    *at = (ukOneSided){.stop = nextStop(island, at->stop)};
    return at->stop;
}

static bool isHolonomic(const ukOneSided *of)
{
    return of->stop || ukGapIsHolonomic(of->constraint, of->row);
}

/* the gap of a holonomic row, and the one that counts as touching */
static double gapOf(const ukOneSided *of)
{
    return of->stop ? of->stop->gap : of->constraint->phi[of->row];
}

static double touchOf(const ukOneSided *of)
{
    return of->stop ? of->stop->touch : ukGapTouch(of->constraint, of->row);
}

static int bodiesOf(const ukStop *stop)
{
    return stop->joint->body[1] ? 2 : 1;
}

/* A M^-1 A' */
static double complianceOf(const ukIsland *island, const ukOneSided *of)
{
    const ukStop *stop = of->stop;
    return stop ? ukRowCompliance(island, stop->J, stop->joint->body, bodiesOf(stop))
                : ukUserRowCompliance(island, of->constraint, of->row);
}

/* A qdd - b, in the direction in which the gap opens */
static double residualOf(const ukIsland *island, const ukOneSided *of)
{
    const ukStop *stop = of->stop;
    if (!stop) return ukUserRowResidual(island, of->constraint, of->row);
    const double b = -stop->side * island->rows.b[stop->limit.row];
    return ukRowResidual(island, stop->J, stop->joint->body, bodiesOf(stop), b);
}

/* the multiplier of a row of the solved island, positive if its force opens the gap */
static double multiplierOf(const ukIsland *island, const ukOneSided *of)
{
    const double lambda = island->rows.lambda[ukOneSidedLimit(of)->row];
    return of->stop ? -of->stop->side * lambda : lambda;
}

/* the largest rate of a row that counts as zero, relative to the scale of ukMeasureScale */
static double leastRate(const ukIsland *island, const ukOneSided *of, double scale)
{
    return ukRowNegligibleRate(complianceOf(island, of), scale);
}

/* Whether a row has begun and ceased to act so often in this step that it is kept while it rests. Where the load that
 * bounds friction jumps when the row ceases to act, each of its two modes may lead to the other. The mean of such a
 * motion, the solution in the sense of Filippov, is rest. */
static bool isKept(const ukRowBounds *limit)
{
    enum { MostEvents = 8 };
    return limit->events > MostEvents;
}

/* whether an active row acts whatever the sign of its multiplier, or has none */
static bool mayPull(const ukOneSided *of)
{
    const ukRowBounds *limit = ukOneSidedLimit(of);
    return limit->row < 0 || (of->stop && of->stop->presses) || isKept(limit);
}

static bool isBounded(const ukOneSided *of)
{
    return of->constraint && !of->constraint->limit[of->row].one_sided;
}

/* Whether the forces close a gap that opens at this rate before it counts as open. It must then count as closed: two
 * stops, each of which opens the other when it is hit, would otherwise do so for ever, by the speed that is gained
 * until they count as closed. */
static bool willClose(const ukIsland *island, const ukOneSided *of, double rate)
{
    if (!isHolonomic(of)) return false;
    return rate * rate <= 2 * ukMeasureForces(island) * sqrt(complianceOf(island, of)) * touchOf(of);
}

bool ukOneSidedChoose(const ukIsland *island, const ukOneSided *of, double scale, bool *closing)
{
    const struct ukConstraint *c = of->constraint;
    ukRowBounds *limit = ukOneSidedLimit(of);
    if (isBounded(of)) return ukBoundedRowChoose(island, of->constraint, of->row, scale);
    const bool holonomic = isHolonomic(of), rated = of->stop || c->error;
    const double gap = holonomic ? gapOf(of) : 0, rate = of->stop ? of->stop->rate : c->error ? c->psi[of->row] : 0;
    const double slow = rated ? leastRate(island, of, scale) : 0;
    limit->depth = touchOf(of) + fmax(0, -gap);
    limit->releases = false;
    *closing = gap <= 0 && rate < -slow;
    if (limit->decided) return false;
    const bool apart = holonomic && gap > touchOf(of);
    limit->mode = apart || rate < -slow || (rate > slow && !willClose(island, of, rate)) ? ukRowFree : ukRowUndecided;
    if (of->stop && of->stop->presses && !apart) limit->mode = ukRowActive;
    if (isKept(limit) && !apart && fabs(rate) <= slow) limit->mode = ukRowActive;
    return limit->mode == ukRowUndecided;
}

void ukOneSidedCross(const ukIsland *island, const ukOneSided *of)
{
    ukRowBounds *limit = ukOneSidedLimit(of);
    limit->events++;
    if (isBounded(of)) {
        ukBoundedRowCross(island, of->constraint, of->row);
    } else if (limit->mode == ukRowActive) {
        limit->mode = ukRowFree;
        limit->decided = !isKept(limit);
    }
}

void ukOneSidedBegin(const ukIsland *island)
{
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) ukOneSidedLimit(&at)->events = 0;
}

void ukOneSidedForget(const ukIsland *island)
{
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) ukOneSidedLimit(&at)->decided = false;
}

void ukOneSidedTake(const ukIsland *island, const ukOneSided *of)
{
    ukRowBounds *limit = ukOneSidedLimit(of);
    if (isBounded(of)) ukBoundedRowTake(island, of->constraint, of->row);
    if (isBounded(of) || !(limit->mode == ukRowUndecided || limit->releases)) return;
    const double compliance = complianceOf(island, of);
    const double off = limit->row >= 0 ? residualOf(island, of) : 0;
    const double lambda = limit->row >= 0 ? multiplierOf(island, of) : 0;
    const double natural = lambda - (compliance > 0 ? off / compliance : 0);
    const double least = 0.5 * ukRowNegligibleForce(island, compliance);
    const bool active = limit->row >= 0 && compliance > 0 && natural > (island->ideal->laws > 0 ? least : -least);
    limit->releases = active && limit->mode == ukRowUndecided;
    limit->mode = active ? ukRowActive : ukRowFree;
}

bool ukOneSidedReactivate(const ukIsland *island, const ukOneSided *of, double scale)
{
    ukRowBounds *limit = ukOneSidedLimit(of);
    const struct ukConstraint *c = of->constraint;
    const ukStop *stop = of->stop;
    if (isBounded(of) || limit->mode != ukRowFree || limit->decided) return false;
    if (isHolonomic(of) && gapOf(of) > touchOf(of)) return false;
    const double rate = stop ? stop->rate : c->error ? c->psi[of->row] : 0, compliance = complianceOf(island, of);
    if ((stop || c->error) && fabs(rate) > leastRate(island, of, scale)) return false;
    const double opens = stop ? ukRowResidual(island, stop->J, stop->joint->body, bodiesOf(stop), -stop->bias)
                              : ukUserRowResidual(island, c, of->row);
    if (!(opens < -compliance * ukRowNegligibleForce(island, compliance))) return false;
    limit->mode = ukRowActive;
    return true;
}

double ukOneSidedMargin(const ukIsland *island, const ukOneSided *of)
{
    const struct ukConstraint *c = of->constraint;
    const ukRowBounds *limit = ukOneSidedLimit(of);
    if (isBounded(of)) return ukBoundedRowMargin(island, c, of->row);
    const double compliance = complianceOf(island, of);
    if (limit->mode == ukRowActive) {
        if (mayPull(of)) return 0;
        return multiplierOf(island, of) + ukRowNegligibleForce(island, compliance);
    }
    if (isHolonomic(of)) return gapOf(of) + limit->depth;
    if (c->error) return c->psi[of->row] + 2 * leastRate(island, of, ukMeasureScale(island, island->ideal->h));
    return residualOf(island, of) + compliance * ukRowNegligibleForce(island, compliance);
}

double ukOneSidedNegligible(const ukIsland *island, const ukOneSided *of)
{
    const ukRowBounds *limit = ukOneSidedLimit(of);
    if (isBounded(of)) return 0;
    const double compliance = complianceOf(island, of), force = ukRowNegligibleForce(island, compliance);
    if (limit->mode == ukRowActive) return force;
    if (isHolonomic(of)) return touchOf(of);
    return of->constraint->error ? leastRate(island, of, ukMeasureScale(island, island->ideal->h)) : compliance * force;
}

double ukOneSidedPull(const ukIsland *island, const ukOneSided *of)
{
    const ukRowBounds *limit = ukOneSidedLimit(of);
    if (isBounded(of) || limit->mode != ukRowActive || mayPull(of)) return 0;
    const double compliance = complianceOf(island, of);
    const double least = ukRowNegligibleForce(island, compliance), lambda = multiplierOf(island, of);
    return lambda < -least ? lambda * sqrt(compliance) : 0;
}

/* the rate of the gap of a holonomic row */
static double gapRate(const ukOneSided *of)
{
    return of->stop ? of->stop->rate : of->constraint->psi[of->row];
}

void ukOneSidedRemember(const ukIsland *island, const ukOneSided *of)
{
    ukRowBounds *limit = ukOneSidedLimit(of);
    limit->before = ukOneSidedMargin(island, of);
    limit->approach = !isBounded(of) && isHolonomic(of) ? gapRate(of) : 0;
}

double ukOneSidedDip(const ukIsland *island, const ukOneSided *of, double h)
{
    const ukRowBounds *limit = ukOneSidedLimit(of);
    if (isBounded(of) || !isHolonomic(of) || limit->mode == ukRowActive) return 0;
    const double end = ukOneSidedMargin(island, of), u = h * limit->approach, v = h * gapRate(of);
    if (!(u < 0 && v > 0)) return 0;
    /* before + u s + b s^2 + a s^3 */
    const double a = 2 * (limit->before - end) + u + v, b = -3 * (limit->before - end) - 2 * u - v;
    const double square = b * b - 3 * a * u, s = square > 0 ? -u / (b + sqrt(square)) : 0;
    return s > 0 && s < 1 && limit->before + s * (u + s * (b + s * a)) < 0 ? s * h : 0;
}

void ukOneSidedSet(const ukIsland *island, ukRowMode mode)
{
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) ukOneSidedLimit(&at)->mode = mode;
}

int ukOneSidedUndecided(const ukIsland *island)
{
    int count = 0;
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) {
        const ukRowBounds *limit = ukOneSidedLimit(&at);
        count += limit->mode == ukRowUndecided && limit->row >= 0;
    }
    return count;
}

void ukOneSidedRelease(const ukIsland *island)
{
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) {
        const bool pressed = at.stop && at.stop->presses && at.stop->gap <= at.stop->touch;
        ukOneSidedLimit(&at)->mode = pressed ? ukRowActive : ukRowFree;
    }
}

double ukOneSidedViolation(const ukIsland *island)
{
    double most = 0;
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);)
        if (!isBounded(&at) && isHolonomic(&at) && touchOf(&at) > 0) most = fmax(most, -gapOf(&at) / touchOf(&at));
    return most;
}

bool ukOneSidedNear(const ukIsland *island, double h)
{
    const double forces = island->ideal->modal_rows > 0 ? ukMeasureForces(island) : 0;
    for (ukOneSided at = {0}; ukOneSidedNext(island, &at);) {
        const ukStop *stop = at.stop;
        if (!stop) return true;
        const double rate = fabs(stop->rate), faster = fabs(stop->bias) + forces * sqrt(complianceOf(island, &at));
        if (stop->gap <= stop->touch + 2 * h * (rate + h * faster)) return true;
    }
    return false;
}

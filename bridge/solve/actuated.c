/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/actuated.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/actuate.h"
#include "bridge/island/budget.h"
#include "bridge/solve/one.h"
#include "solvers/base/status.h"

enum { MaxIterations = 50 };

/* change of the multipliers at bounds, relative to the largest multiplier, at which the iteration ends */
static const double settled = 1e-13;
/* largest distance of the natural map of a fixed row from its bound, relative to the bound, that is rounding */
static const double rounding = 1e-9;

/* The active set in the arrays of the split correction, which servo constraints exclude, and in one of the continuous
 * form: active[i] of the rows with bounds, and their multipliers. */
typedef struct ActiveSet {
    unsigned char *active, *next;
    double *lambda, *natural;
    double *radius;       /* scratch: the bound of rows that are fixed; 0: not fixed */
    unsigned char *stuck; /* whether a row has been in the set, where its force exceeded its bounds */
} ActiveSet;

typedef struct ActuatedSolves {
    ukIslandSolve *solve, *before; /* of the problem; before its last solve, or NULL */
} ActuatedSolves;

static ActiveSet activeSetOf(const ukIsland *island)
{
    const ukRowArrays *r = &island->rows;
    return (ActiveSet){.active = r->pose,
                       .next = (unsigned char *)r->pose_push,
                       .lambda = r->pose_lambda,
                       .natural = r->pose_side,
                       .radius = r->bias,
                       .stuck = (unsigned char *)r->pose_push + island->problem->rows};
}

/* Whether row i is dry friction of a joint on one axis, at the bound of its force in the present set. */
static bool isFull(const ukIsland *island, const ukProblem *p, const ActiveSet *set, int i)
{
    if (p != island->problem || i < island->ideal->problem.rows || (p->cone && p->cone[i])) return false;
    return !set->active[i] && island->rows.hi[i] > 0 && fabs(set->lambda[i]) >= (1 - rounding) * island->rows.hi[i];
}

/* Whether such a row is fixed at its bound. Where the servo keeps the joint at rest, the row depends on the servo's:
 * any force between its bounds would satisfy both. The least actuator forces are those with the row in the set or, if
 * its force exceeds a bound there, at this bound. */
static bool isPinned(const ukIsland *island, const ukProblem *p, const ActiveSet *set, int i)
{
    return set->stuck[i] && isFull(island, p, set, i);
}

/* The next state of a row at its bound: in the set, if it does not slip and has not been there. The servo may move the
 * joint against a fixed row, however little. Then friction opposes that motion, at the other bound. */
static void releaseFriction(const ActiveSet *set, int i, double *lambda)
{
    const double force = fabs(set->lambda[i]), natural = copysign(1, set->lambda[i]) * set->natural[i];
    const bool fixed = set->stuck[i];
    set->next[i] = !fixed && natural < (1 + rounding) * force;
    if (fixed && natural < (1 - rounding) * force) *lambda = -set->lambda[i];
}

/* Takes the active set of the solution; returns whether it is the previous one. */
static bool takeActiveSet(const ukIsland *island, const ukProblem *p, const ActiveSet *set)
{
    ukSolution out = ukSolutionOf(island);
    if (p != island->problem) out.lambda = island->rows.lambda_ideal;
    double largest = 0, change = 0;
    bool same = true;
    ukFindActiveRows(p, &out, island->rows.bound_lo, island->rows.bound_hi, set->natural, set->next);
    for (int i = 0; i < p->rows; i++) {
        double lambda = out.lambda[i];
        if (isFull(island, p, set, i)) releaseFriction(set, i, &lambda);
        largest = fmax(largest, fabs(lambda));
        same &= set->next[i] == set->active[i];
        if (!set->next[i]) change = fmax(change, fabs(lambda - set->lambda[i]));
        set->stuck[i] |= set->active[i] && !set->next[i];
        set->active[i] = set->next[i];
        set->lambda[i] = lambda;
    }
    return same && change <= settled * largest;
}

static int refuseActuated(const ukIsland *island)
{
    return ukErrorSet(
        ukErrorNotConverged,
        "user constraint %llu: no forces of its actuators were found that are consistent with the contacts, stops "
        "and bounded rows of the island",
        (unsigned long long)ukActuated(island)->element.serial);
}

/* Solves p with these rows fixed, and restores their bounds. */
static int solvePinned(ukIsland *island, const ukProblem *p, const ActiveSet *set, ukIslandSolve *solve)
{
    const ukRowArrays *r = &island->rows;
    const int first = p == island->problem ? island->ideal->problem.rows : p->rows;
    for (int i = first; i < p->rows; i++) {
        if (!isPinned(island, p, set, i)) continue;
        set->radius[i] = r->hi[i];
        r->lo[i] = r->hi[i] = set->lambda[i] = copysign(r->hi[i], set->lambda[i]);
    }
    const int status = solve(island);
    for (int i = first; i < p->rows; i++) {
        if (set->radius[i] == 0) continue;
        r->lo[i] = r->bound_lo[i] = -set->radius[i];
        r->hi[i] = r->bound_hi[i] = set->radius[i];
        set->radius[i] = 0;
    }
    return status;
}

/* Iterates from an active set: all rows with bounds, or none. */
static int iterateActiveSet(ukIsland *island, const ukProblem *p, const ActuatedSolves *solves, bool all)
{
    const size_t rows = (size_t)p->rows;
    const ActiveSet set = activeSetOf(island);
    memset(set.active, all, rows);
    memset(set.lambda, 0, rows * sizeof *set.lambda);
    memset(set.radius, 0, rows * sizeof *set.radius);
    memset(set.stuck, 0, rows);
    for (int iteration = 0; iteration < MaxIterations; iteration++) {
        int status = ukBudgetSpend(island, 1);
        if (status == ukOk) status = ukActuateUnder(island, p, set.active, set.lambda, true);
        if (status == ukOk) status = solvePinned(island, p, &set, solves->solve);
        if (status != ukOk) return status;
        if (p == island->problem) memcpy(island->rows.lambda0, island->rows.lambda, rows * sizeof(double));
        if (!takeActiveSet(island, p, &set)) continue;
        status =
            ukActuateUnder(island, p, set.active, set.lambda, false); /* whether the rows can be satisfied at all */
        if (status != ukOk || !solves->before) return status;
        status = solves->before(island);
        return status == ukOk ? solvePinned(island, p, &set, solves->solve) : status;
    }
    return refuseActuated(island);
}

int ukActuatedSolve(ukIsland *island, const ukProblem *p, ukIslandSolve *solve, ukIslandSolve *before)
{
    const ActuatedSolves solves = {solve, before};
    if (!p->lo) {
        int status = ukActuateUnder(island, p, NULL, NULL, false);
        if (status == ukOk && before) status = before(island);
        return status == ukOk ? solve(island) : status;
    }
    const int status = iterateActiveSet(island, p, &solves, false);
    if (status != ukErrorNotConverged && status != ukErrorContradiction) return status;
    return iterateActiveSet(island, p, &solves, true);
}

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

/* The active set in the arrays of the split correction, which servo constraints exclude: active[i] of the rows with
 * bounds, and their multipliers. */
typedef struct ActiveSet {
    unsigned char *active, *next;
    double *lambda, *natural;
} ActiveSet;

static ActiveSet activeSetOf(const ukIsland *island)
{
    const ukRowArrays *r = &island->rows;
    return (ActiveSet){
        .active = r->pose, .next = (unsigned char *)r->pose_push, .lambda = r->pose_lambda, .natural = r->pose_side};
}

/* Takes the active set of the solution; returns whether it is the previous one. */
static bool takeActiveSet(const ukIsland *island, const ukProblem *p, const ActiveSet *set)
{
    ukSolution out = ukSolutionOf(island);
    if (p != island->problem) out.lambda = island->rows.lambda_ideal;
    double largest = 0, change = 0;
    bool same = true;
    ukSolveHeld(p, &out, island->rows.bound_lo, island->rows.bound_hi, set->natural, set->next);
    for (int i = 0; i < p->rows; i++) {
        largest = fmax(largest, fabs(out.lambda[i]));
        same &= set->next[i] == set->active[i];
        if (!set->next[i]) change = fmax(change, fabs(out.lambda[i] - set->lambda[i]));
        set->active[i] = set->next[i];
        set->lambda[i] = out.lambda[i];
    }
    return same && change <= settled * largest;
}

static int refuseActuated(const ukIsland *island)
{
    ukErrorSet(
        ukErrorNotConverged,
        "user constraint %llu: no forces of its actuators were found that are consistent with the contacts, stops "
        "and bounded rows of the island",
        (unsigned long long)ukActuated(island)->element.serial);
    return ukErrorNotConverged;
}

/* Iterates from an active set: all rows with bounds, or none. */
static int iterate(ukIsland *island, const ukProblem *p, ukIslandSolve *solve, bool all)
{
    const size_t rows = (size_t)p->rows;
    const ActiveSet set = activeSetOf(island);
    memset(set.active, all, rows);
    memset(set.lambda, 0, rows * sizeof *set.lambda);
    for (int iteration = 0; iteration < MaxIterations; iteration++) {
        int status = ukBudgetSpend(island, 1);
        if (status == ukOk) status = ukActuateUnder(island, p, set.active, set.lambda, true);
        if (status == ukOk) status = solve(island);
        if (status != ukOk) return status;
        if (p == island->problem) memcpy(island->rows.lambda0, island->rows.lambda, rows * sizeof(double));
        if (!takeActiveSet(island, p, &set)) continue;
        return ukActuateUnder(island, p, set.active, set.lambda, false); /* whether the rows can be satisfied at all */
    }
    return refuseActuated(island);
}

int ukActuatedSolve(ukIsland *island, const ukProblem *p, ukIslandSolve *solve)
{
    if (!p->lo) {
        const int status = ukActuateUnder(island, p, NULL, NULL, false);
        return status == ukOk ? solve(island) : status;
    }
    const int status = iterate(island, p, solve, false);
    if (status != ukErrorNotConverged && status != ukErrorContradiction) return status;
    return iterate(island, p, solve, true);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/soften.h"

#include <float.h>
#include <math.h>

#include "bridge/base/log.h"
#include "bridge/island/budget.h"
#include "bridge/island/compromise.h"
#include "bridge/island/island.h"
#include "solvers/base/status.h"

/* Softness relative to a row's own compliance: `first` is near rounding; a row as soft as `last` yields visibly. */
static const struct {
    double first, last;
} softening = {1e-14, 2e-4}; /* the tenfold steps from `first` end at 1e-4, whatever their rounding */

/* softness_i += relative (A M^-1 A')_ii; any number does where the compliance is 0 */
static void raiseSoftness(ukIsland *island, const ukProblem *p, double relative)
{
    double *softness = island->rows.softness;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double compliance = ukProblemCompliance(p, &p->block[k], i);
            softness[i] += relative * (compliance > 0 ? compliance : 1);
        }
}

/* The compromise of the rows as stated: the displacement of each row's softness under the row's force. NaN: no
 * memory. */
static double compromiseOf(ukIsland *island, const ukProblem *p, double relative)
{
    const double *lambda = island->rows.lambda;
    if (ukScratchReserve(island->solvers, (size_t)p->rows * sizeof(double)) != ukOk) return NAN;
    double *missed = island->solvers->scratch;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            missed[i] = -relative * ukProblemCompliance(p, &p->block[k], i) * lambda[i];
    return ukCompromise(p, missed);
}

int ukSoften(ukIsland *island, int status, ukIslandSolve *solve)
{
    ukOutcome *outcome = island->outcome;
    const double met = outcome->compromise; /* set by bridge/solve/closure.h, which has decided the rank */
    for (double relative = softening.first, before = 0; status == ukErrorSingular && relative <= softening.last;
         relative *= 10) {
        raiseSoftness(island, island->problem, relative - before);
        before = relative;
        status = ukBudgetSpend(island, 1);
        if (status == ukOk) status = solve(island);
        if (status != ukOk) continue;
        const double by = compromiseOf(island, island->problem, relative);
        outcome->compromise = by <= met ? met : by;
        outcome->rank = -1;
        ukLog("%s; solved with its rows softer by %.0e of their own compliance", ukErrorMessage(), relative);
        /* The forces of contradicting rows must not be so large that the rounding error of their sum would move the
         * bodies: relative to the largest acceleration they are of size compromise / softness. */
        if (DBL_EPSILON * by > island->world->settings.check_tolerance * relative && relative * 10 <= softening.last)
            status = ukErrorSingular;
    }
    return status;
}

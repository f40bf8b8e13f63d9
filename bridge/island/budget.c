/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/budget.h"

#include <math.h>

#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "bridge/island/sliding.h"
#include "bridge/island/stepper.h"
#include "solvers/base/status.h"

/* An evaluation takes some microseconds, about one per body, so body_evaluations limits a step to tenths of a second,
 * for few bodies and for many. In still larger islands, `least` evaluations must suffice for a step of some tens of
 * sub-steps. */
static const struct {
    double body_evaluations, least, most;
    double products; /* products that take the time of an evaluation, per body */
} automatic = {.body_evaluations = 300000, .least = 500, .most = 30000, .products = 6000};

double ukBudgetOf(const ukIsland *island)
{
    const int chosen = island->world->settings.budget, frames = island->stepper->frame_count;
    if (chosen > 0) return chosen;
    const double bodies = frames > 0 ? frames : 1;
    return fmin(fmax(automatic.body_evaluations / bodies, automatic.least), automatic.most);
}

static const char spent[] = "the work budget of %.0f evaluations is spent: %s";

const char *ukBudgetRemedy(const ukIsland *island)
{
    const ukIntegrator integrator = island->world->settings.integrator;
    const bool sub_steps = integrator != ukIntegratorEuler && integrator != ukIntegratorRattle;
    return sub_steps && ukSlidingJoint(island)
               ? ukSlidingRemedy
               : "use a shorter step, a looser tolerance or a larger budget (ukWorldSetBudget, --budget)";
}

int ukBudgetSpend(ukIsland *island, double evaluations)
{
    ukStepper *s = island->stepper;
    static const double rounding = 1e-9;
    const double budget = s->work_most > 0 ? s->work_most : ukBudgetOf(island);
    s->work += evaluations * island->frames / s->frame_count;
    if (s->work <= budget * (1 + rounding)) return ukOk;
    if (island->joints > 0) /* an integrator may name the responsible joint; otherwise the first one is named */
        return ukRefuseJoint(island->joint[0], ukErrorBudget, spent, budget, ukBudgetRemedy(island));
    return ukErrorSet(ukErrorBudget, spent, budget, ukBudgetRemedy(island));
}

int ukBudgetSpendDense(ukIsland *island, double products)
{
    static const double most = 0.01, first = 1 + 1e-9;
    if (island->stepper->work <= first) return ukOk;
    const double share = (double)island->frames / island->stepper->frame_count;
    return ukBudgetSpend(island, fmin(ukBudgetOfProducts(island, products), most * ukBudgetOf(island) / share));
}

double ukBudgetOfProducts(const ukIsland *island, double products)
{
    return products / (automatic.products * island->frames);
}

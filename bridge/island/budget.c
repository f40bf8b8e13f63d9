/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/budget.h"

#include <math.h>

#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "solvers/base/status.h"

/* An evaluation takes some microseconds and about one a body: these are tenths of a second, for a few bodies and for
 * many. Beyond, least evaluations must do for a step with some tens of sub-steps. */
static const struct {
    double body_evaluations, least, most;
    double products; /* in the time of an evaluation, per body */
} automatic = {.body_evaluations = 300000, .least = 500, .most = 30000, .products = 6000};

double ukBudgetOf(const ukStepper *s)
{
    const int chosen = s->world->settings.budget;
    if (chosen > 0) return chosen;
    const double bodies = s->frame_count > 0 ? s->frame_count : 1;
    return fmin(fmax(automatic.body_evaluations / bodies, automatic.least), automatic.most);
}

static const char spent[] =
    "the work budget of %.0f evaluations is spent: a shorter step, a looser tolerance or a larger budget "
    "(ukWorldSetBudget, --budget)";

int ukBudgetSpend(ukStepper *s, int index, double evaluations)
{
    static const double rounding = 1e-9;
    const double budget = s->work_most > 0 ? s->work_most : ukBudgetOf(s);
    s->work += evaluations * s->islands[index].frames / s->frame_count;
    if (s->work <= budget * (1 + rounding)) return ukOk;
    if (s->islands[index].joints > 0) /* any of the island's, unless an integrator knows which joint takes so many */
        return ukRefuseJoint(s->joints[s->islands[index].joint], ukErrorBudget, spent, budget);
    ukErrorSet(ukErrorBudget, spent, budget);
    return ukErrorBudget;
}

double ukBudgetOfProducts(const ukStepper *s, int index, double products)
{
    return products / (automatic.products * s->islands[index].frames);
}

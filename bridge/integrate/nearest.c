/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/nearest.h"

#include <math.h>
#include <string.h>

#include "bridge/results/impulse.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/projection.h"
#include "bridge/island/view.h"
#include "solvers/base/status.h"
#include "solvers/equality/equality.h"

/* of a row's own compliance: what A M^-1 A' is told from by its rounding, squared singular values that it is */
static const struct {
    double pose, rate;
} soft = {.pose = 1e-10, .rate = 1e-9};

static void soften(ukStepper *s, const ukProblem *p, double part)
{
    const size_t row0 = ukViewOf(s, p).row0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double own = ukProblemCompliance(p, &p->block[k], i);
            s->rows.softness[row0 + (size_t)i] = own > 0 ? part * own : 1;
        }
}

void ukNearestSoften(ukStepper *s, int index)
{
    soften(s, &s->problems[index], soft.rate);
}

/* one step x (6 a moving body) of the poses */
static int shift(ukStepper *s, int index, double *x)
{
    const ukProblem *p = &s->problems[index];
    soften(s, p, soft.pose);
    ukProjectTargetPose(s, p);
    ukKkt *kkt = ukEqualityKkt(s->solvers.equality);
    ukKktFactor factor;
    int status = ukKktPlan(kkt, p, NULL);
    if (status == ukOk) status = ukKktFactorize(kkt, p, NULL, NULL, &factor);
    if (status != ukOk) return status;
    ukKktSolve(&factor, NULL, p->b, x, s->rows.lambda + ukViewOf(s, p).row0);
    ukProjectMovePose(s, index, x);
    return ukOk;
}

int ukNearestPose(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, double *moved)
{
    enum { MaxPasses = 60, Patience = 8 }; /* passes; those in which the drift should be halved */
    const ukProblem *p = &s->problems[index];
    double *x = s->bodies.qdd + ukViewOf(s, p).column0;
    double drift, before = INFINITY;
    int status = ukOk;
    memset(moved, 0, 6 * (size_t)p->bodies * sizeof *moved);
    for (int pass = 0; pass < MaxPasses && status == ukOk; pass++) {
        drift = ukDrift(s, p);
        if (drift <= ukProjectRounding(s, index) || (pass % Patience == 0 && !(drift < 0.5 * before))) break;
        if (pass % Patience == 0) before = drift;
        status = shift(s, index, x);
        if (status != ukOk) return status;
        for (int i = 0; i < 6 * p->bodies; i++) moved[i] += x[i];
        ukImpulseRows(s, index, p->A, s->rows.lambda + ukViewOf(s, p).row0, 1 / context->rows.h);
        status = ukContinuousAssemble(s, index, start, context);
    }
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/nearest.h"

#include <math.h>
#include <string.h>

#include "bridge/integrate/continuous.h"
#include "bridge/integrate/projection.h"
#include "bridge/island/island.h"
#include "bridge/results/impulse.h"
#include "solvers/base/status.h"
#include "solvers/equality/equality.h"

/* Softness relative to a row's own compliance. It must exceed the rounding of A M^-1 A', whose eigenvalues are the
 * squares of the singular values. */
static const struct {
    double pose, rate;
} soft = {.pose = 1e-10, .rate = 1e-9};

static void softenForPose(ukIsland *island, const ukProblem *p, double part)
{
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double own = ukProblemCompliance(p, &p->block[k], i);
            island->rows.softness[i] = own > 0 ? part * own : 1;
        }
}

void ukNearestSoften(ukIsland *island)
{
    softenForPose(island, island->problem, soft.rate);
}

/* one Newton step x (6 per moving body) of the poses */
static int newtonStep(ukIsland *island, double *x)
{
    const ukProblem *p = island->problem;
    softenForPose(island, p, soft.pose);
    ukProjectTargetPose(island, p);
    ukKkt *kkt = ukEqualityKkt(island->solvers->equality);
    ukKktFactor factor;
    int status = ukKktPlan(kkt, p, NULL);
    if (status == ukOk) status = ukKktFactorize(kkt, p, NULL, NULL, &factor);
    if (status != ukOk) return status;
    ukKktSolve(&factor, NULL, p->b, x, island->rows.lambda);
    ukProjectMovePose(island, x);
    return ukOk;
}

int ukNearestPose(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *moved)
{
    enum { MaxIterations = 60, Patience = 8 }; /* iterations; the drift must halve within `Patience` of them */
    const ukProblem *p = island->problem;
    double *x = island->bodies.qdd;
    double drift, before = INFINITY;
    int status = ukOk;
    memset(moved, 0, 6 * (size_t)p->bodies * sizeof *moved);
    for (int iteration = 0; iteration < MaxIterations && status == ukOk; iteration++) {
        drift = ukDrift(island, p);
        if (drift <= ukProjectRounding(island) || (iteration % Patience == 0 && !(drift < 0.5 * before))) break;
        if (iteration % Patience == 0) before = drift;
        status = newtonStep(island, x);
        if (status != ukOk) return status;
        for (int i = 0; i < 6 * p->bodies; i++) moved[i] += x[i];
        ukImpulseRows(island, p->A, island->rows.lambda, NULL, 1 / context->rows.h);
        status = ukContinuousAssemble(island, start, context);
    }
    return status;
}

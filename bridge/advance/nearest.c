/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/nearest.h"

#include <math.h>
#include <string.h>

#include "bridge/advance/continuous.h"
#include "bridge/advance/projection.h"
#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "solvers/base/status.h"
#include "solvers/sparse/sparse.h"

/* of a row's own compliance: what A M^-1 A' is told from by its rounding, squared singular values that it is; and of one
 * that must not bind */
static const struct {
    double pose, rate, free;
} soft = {.pose = 1e-10, .rate = 1e-9, .free = 1e12};

static void soften(ukStepper *s, const ukProblem *p, double part, bool pose)
{
    const size_t row0 = ukViewOf(s, p).row0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const size_t row = row0 + (size_t)i;
            const double own = ukProblemCompliance(p, &p->block[k], i);
            s->rows.softness[row] = own > 0 ? (pose && s->rows.velocity[row] ? soft.free : part) * own : 1;
        }
}

void ukNearestSoften(ukStepper *s, int index)
{
    soften(s, &s->problems[index], soft.rate, false);
}

/* one step x (6 a moving body) of the poses */
static int shift(ukStepper *s, int index, double *x)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    for (size_t row = row0; row < row0 + (size_t)p->rows; row++)
        s->rows.b[row] = s->rows.velocity[row] ? 0 : -s->rows.phi[row];
    soften(s, p, soft.pose, true);
    int status = ukSparsePlan(s->solvers.sparse, p);
    if (status == ukOk) status = ukSparseFactor(s->solvers.sparse, p, NULL, NULL);
    if (status != ukOk) return status;
    ukSparseSolveOnce(s->solvers.sparse, NULL, p->b, x, s->rows.lambda + row0);
    for (int i = s->islands[index].frame; i < s->islands[index].frame + s->islands[index].frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        if (f->moving < 0) continue;
        for (int k = 0; k < 3; k++) f->state.x[k] += x[6 * f->moving + k];
        ukRotateBy(f->state.q, x + 6 * f->moving + 3);
        ukStateOrient(&f->state);
    }
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
        for (int i = 0; i < 6 * p->bodies && status == ukOk; i++) moved[i] += x[i];
        if (status == ukOk) status = ukContinuousAssemble(s, index, start, context);
    }
    return status;
}

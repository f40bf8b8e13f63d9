/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/passive.h"

#include <float.h>
#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/projection.h"
#include "bridge/island/island.h"
#include "bridge/island/stepper.h"
#include "bridge/world/frame.h"
#include "solvers/problem/tolerance.h"

bool ukPassive(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    const double *target = island->rows.target;
    const ukBlockOwner *owner = island->rows.owners;
    if (island->ideal->laws > 0) return false;
    for (int k = 0; k < p->blocks; k++)
        if (!owner[k].joint || owner[k].law) return false;
    for (int i = 0; i < p->rows; i++)
        if (target[i] != 0) return false;
    return true;
}

bool ukPassiveWholly(const ukIsland *island)
{
    if (island->elements > 0 || island->massless > 0) return false;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving >= 0 && !ukFrameTurns(f)) return false;
        for (int k = 0; f->moving < 0 && k < 6; k++)
            if (f->state.v[k] != 0) return false;
    }
    return ukPassive(island);
}

double ukPassivePower(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        for (int k = 0; f->moving >= 0 && k < 6; k++) sum += p->Q[6 * f->moving + k] * f->state.v[k];
    }
    return sum;
}

/* the kinetic energy at which every body moves by a few units of the rounding error of its position in h [s] */
static double roundingEnergy(const ukIsland *island, double h)
{
    static const double units = 16;
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        const double *I = p->inertia + 9 * (size_t)f->moving, *x = f->state.x;
        sum += p->mass[f->moving] * ukDot(x, x) + I[0] + I[4] + I[8];
    }
    return 0.5 * sum * (units * DBL_EPSILON / h) * (units * DBL_EPSILON / h);
}

/* Whether the velocities of the assembled island satisfy its rows. Those that an impact leaves may not, to rounding of
 * the velocities before it; where an impact stops the bodies, this rounding error is most of their velocity. */
static bool meetsRates(const ukIsland *island, double speed)
{
    static const double kept = 1e-6; /* relative to the speed */
    const ukProblem *p = island->problem;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double off = fabs(island->rows.rate[i] - island->rows.target[i]);
            if (off > 0 && off * ukRowUnit(p, &p->block[k], i, 0) > kept * speed) return false;
        }
    return true;
}

ukPassiveStep ukPassiveBegin(const ukIsland *island, double h)
{
    const double speed = ukMeasureVelocity(island);
    if (!ukPassiveWholly(island) || (island->problem->rows > 0 && !ukProjected(island))) return (ukPassiveStep){0};
    if (!meetsRates(island, ukMeasureScale(island, h))) return (ukPassiveStep){0};
    const double most = ukMeasureScale(island, h), rest = roundingEnergy(island, h);
    return (ukPassiveStep){.judged = true,
                           .T = 0.5 * speed * speed,
                           .P = ukPassivePower(island),
                           .rest = rest,
                           .scale = 0.5 * most * most + rest};
}

double ukPassiveError(const ukIsland *island, const ukPassiveStep *begin, double h, double *error)
{
    if (!begin->judged) return *error = 0;
    const double speed = ukMeasureVelocity(island), P = ukPassivePower(island);
    const double scale = begin->scale + 0.5 * h * (fabs(begin->P) + fabs(P));
    *error = 0.5 * speed * speed - begin->T - 0.5 * h * (begin->P + P);
    return scale > 0 ? fabs(*error) / scale : 0;
}

void ukPassiveAddError(const ukIsland *island, const ukPassiveStep *begin, double error, double share)
{
    ukEnergyError *const sum = &island->stepper->energy_error;
    if (!begin->judged) return;
    sum->error += error;
    sum->kinetic += share * fmax(begin->T, begin->rest);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/jump.h"

#include <math.h>
#include <string.h>

#include "bridge/integrate/measure.h"
#include "bridge/integrate/one_sided.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/stick.h"
#include "bridge/island/island.h"
#include "bridge/results/impulse.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

const double ukJumpMeets = 1e-9;

static bool isProjected(const ukIsland *island)
{
    const ukStabilization kind = island->world->settings.stabilization;
    return kind == ukStabilizeProjection || kind == ukStabilizeSplit;
}

double ukJumpShare(const ukIsland *island, const ukProblem *p, int block, int row)
{
    const ukBlockOwner *owner = island->rows.owners + block;
    if (owner->law || (owner->constraint && !owner->constraint->error)) return 0; /* the block constrains no velocity */
    const int i = row - p->block[block].row + owner->springs;
    if (island->rows.lo[row] > -INFINITY || island->rows.hi[row] < INFINITY) return 0;
    const bool motor = owner->joint && island->rows.velocity[row] && i >= owner->joint->class->velocity_rows;
    return motor || isProjected(island) ? 1 : 0;
}

void ukJumpMove(ukIsland *island, double factor)
{
    const double *x = island->bodies.qdd;
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        for (int k = 0; k < 6 && f->moving >= 0; k++) f->state.v[k] += factor * x[6 * f->moving + k];
        memcpy(f->start.v, f->state.v, sizeof f->start.v);
    }
}

ukMark ukJumpCause(const ukIsland *island)
{
    ukMark cause = ukMarkOutside;
    for (int i = 0; i < island->frames; i++) {
        const ukBody *body = island->frame[i].body;
        if (body->substep.left_step + 1 != island->world->steps) continue;
        if (body->substep.left == ukLeftDamped) return ukMarkDamping;
        if (body->substep.left == ukLeftDiscrete) cause = ukMarkStabilization;
    }
    return cause;
}

void ukJumpRemember(ukIsland *island, bool discrete)
{
    static const double violated = 100; /* of what counts as touching */
    const bool apart = discrete || ukDrift(island, island->problem) > ukJumpMeets ||
                       ukOneSidedViolation(island) > violated; /* the program did not cause it */
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        const bool damped = f->damping[0] != 1 || f->damping[1] != 1;
        f->body->substep.left_before = f->body->substep.left;
        f->body->substep.left_step_before = f->body->substep.left_step;
        f->body->substep.left = damped ? ukLeftDamped : apart ? ukLeftDiscrete : ukLeftContinuous;
        f->body->substep.left_step = island->world->steps;
    }
}

void ukJumpUndo(const ukIsland *island)
{
    for (int i = 0; i < island->frames; i++) {
        ukBody *body = island->frame[i].body;
        if (body->substep.left_step != island->world->steps) continue;
        body->substep.left = body->substep.left_before;
        body->substep.left_step = body->substep.left_step_before;
    }
}

/* The change of row i's rate by an impulse: its share of target - A v. */
static double offOf(const ukIsland *island, const ukProblem *p, int block, int i)
{
    return ukJumpShare(island, p, block, i) * (island->rows.target[i] - island->rows.rate[i]);
}

bool ukJumpAsked(const ukIsland *island, double h)
{
    const ukProblem *p = island->problem;
    double most = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double off = offOf(island, p, k, i);
            if (off != 0) most = fmax(most, fabs(off) * ukRowUnit(p, &p->block[k], i, 0));
        }
    return most > ukMeasureLeast * ukMeasureScale(island, h);
}

/* Sets b := target - A v for the rows on which an impulse acts. */
static void setJumpTargets(ukIsland *island)
{
    const ukProblem *p = island->problem;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            island->rows.b[i] = offOf(island, p, k, i);
}

/* Changes the velocities by the impulse on the rows, which have this rank. */
static void moveByRates(ukIsland *island, int rank)
{
    const double before = ukMeasureVelocity(island);
    ukJumpMove(island, 1);
    ukMeasureRound(island, before, rank);
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        memcpy(f->start.v, f->state.v, sizeof f->start.v);
    }
}

int ukJump(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool *jumped)
{
    const ukProblem *p = island->problem;
    const double h = context->rows.h;
    ukStepContext at = *context;
    at.rows.apart = ukDrift(island, p) > ukJumpMeets;
    *jumped = p->rows > 0 && ukJumpAsked(island, h);
    if (!*jumped) return ukOk;
    setJumpTargets(island);
    if (island->ideal->laws > 0 || island->ideal->modal_rows > 0 || at.rows.apart) {
        const int status = ukStickRelease(island, start, &at); /* friction and bounded motors exert no impulse */
        if (status != ukOk) return status;
        setJumpTargets(island);
    }
    int rank;
    const int status = ukProjectRates(island, ukDrift(island, p), &rank);
    if (status != ukOk) return status;
    const double *lambda = island->rows.lambda;
    ukLedgerJump(island, 1, ukJumpCause(island));
    ukImpulseJump(island, lambda, 1);
    moveByRates(island, rank);
    return ukOk;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/jump.h"

#include <math.h>
#include <string.h>

#include "bridge/results/impulse.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/stick.h"
#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "bridge/user/constraint.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

const double ukJumpLeast = 1e-10;
const double ukJumpMeets = 1e-9;

double ukJumpScale(const ukStepper *s, int index, double h)
{
    const ukProblem *p = &s->problems[index];
    const ukIslandView view = ukViewOf(s, p);
    double speed = 0, forces = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *Q = s->bodies.Q + view.column0 + 6 * (size_t)i, *turn = p->inverse_inertia + 9 * (size_t)i;
        double a[6];
        for (int k = 0; k < 3; k++) a[k] = Q[k] / p->mass[i];
        ukRotate(turn, Q + 3, a + 3);
        forces += ukMeasureSquare(p, i, a);
        speed += ukMeasureSquare(p, i, s->bodies.frames[s->bodies.moving_frame[view.moving0 + (size_t)i]].state.v);
    }
    return sqrt(speed) + h * sqrt(forces);
}

static bool projects(const ukStepper *s)
{
    const ukStabilization kind = s->world->settings.stabilization;
    return kind == ukStabilizeProjection || kind == ukStabilizeSplit;
}

double ukJumpShare(const ukStepper *s, const ukProblem *p, int block, int row)
{
    const ukIslandView view = ukViewOf(s, p);
    const ukBlockOwner *owner = s->rows.owners + view.block0 + block;
    if (owner->law || (owner->constraint && !owner->constraint->error)) return 0; /* it states no velocity */
    const int i = row - p->block[block].row + owner->springs;
    if (s->rows.lo[view.row0 + (size_t)row] > -INFINITY || s->rows.hi[view.row0 + (size_t)row] < INFINITY) return 0;
    const bool motor = owner->joint && s->rows.velocity[view.row0 + (size_t)row] && i >= owner->joint->class->held_rows;
    return motor || projects(s) ? 1 : 0;
}

void ukJumpMove(ukStepper *s, int index, double factor)
{
    const ukIsland *island = &s->islands[index];
    const double *x = s->bodies.qdd + ukViewOf(s, &s->problems[index]).column0;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        for (int k = 0; k < 6 && f->moving >= 0; k++) f->state.v[k] += factor * x[6 * f->moving + k];
        memcpy(f->start.v, f->state.v, sizeof f->start.v);
    }
}

ukMark ukJumpCause(const ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    ukMark cause = ukMarkOutside;
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        const ukBody *body = s->bodies.frames[i].body;
        if (body->substep.left_step + 1 != s->world->steps) continue;
        if (body->substep.left == ukLeftDamped) return ukMarkDamping;
        if (body->substep.left == ukLeftDiscrete) cause = ukMarkStabilization;
    }
    return cause;
}

void ukJumpRemember(ukStepper *s, int index, bool discrete)
{
    const ukIsland *island = &s->islands[index];
    const bool apart = discrete || ukDrift(s, &s->problems[index]) > ukJumpMeets; /* not by the program's doing */
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        const ukFrame *f = &s->bodies.frames[i];
        const bool damped = f->damping[0] != 1 || f->damping[1] != 1;
        f->body->substep.left_before = f->body->substep.left;
        f->body->substep.left_step_before = f->body->substep.left_step;
        f->body->substep.left = damped ? ukLeftDamped : apart ? ukLeftDiscrete : ukLeftContinuous;
        f->body->substep.left_step = s->world->steps;
    }
}

void ukJumpUndo(ukStepper *s)
{
    for (int i = 0; i < s->frame_count; i++) {
        ukBody *body = s->bodies.frames[i].body;
        if (body->substep.left_step != s->world->steps) continue;
        body->substep.left = body->substep.left_before;
        body->substep.left_step = body->substep.left_step_before;
    }
}

/* b := target - A v of rows that an impulse acts on; whether any of them is more than rounding */
static bool ask(ukStepper *s, int index, double h)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    double most = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const size_t row = row0 + (size_t)i;
            const double off = ukJumpShare(s, p, k, i) * (s->rows.target[row] - s->rows.rate[row]);
            s->rows.lambda0[row] = off;
            if (off != 0) most = fmax(most, fabs(off) * ukRowUnit(p, &p->block[k], i, 0));
        }
    if (!(most > ukJumpLeast * ukJumpScale(s, index, h))) return false;
    memcpy(s->rows.b + row0, s->rows.lambda0 + row0, (size_t)p->rows * sizeof *s->rows.b);
    return true;
}

int ukJump(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, bool *jumped)
{
    const ukProblem *p = &s->problems[index];
    const double h = context->rows.h;
    ukStepContext at = *context;
    at.rows.apart = ukDrift(s, p) > ukJumpMeets;
    *jumped = p->rows > 0 && ask(s, index, h);
    if (!*jumped) return ukOk;
    if (s->ideal[index].laws > 0 || s->ideal[index].drives > 0 || at.rows.apart) {
        const int status = ukStickRelease(s, index, start, &at); /* friction and bounded motors give no impulse */
        if (status != ukOk) return status;
        ask(s, index, h);
    }
    const int status = ukProjectRates(s, index, ukDrift(s, p));
    if (status != ukOk) return status;
    const double *lambda = s->rows.lambda + ukViewOf(s, p).row0;
    ukLedgerJump(s, index, 1, ukJumpCause(s, index));
    ukImpulseJump(s, index, lambda, 1);
    ukJumpMove(s, index, 1);
    return ukOk;
}

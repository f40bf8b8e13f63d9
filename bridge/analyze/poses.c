/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/poses.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "bridge/step/pass.h"
#include "bridge/watch/watch.h"
#include "bridge/world/frame.h"
#include "solvers/base/status.h"

static int gatherAtRest(ukPoses *poses, ukIsland *island)
{
    const int status = ukAssembleGather(island);
    for (int i = 0; i < island->frames; i++) memset(island->frame[i].state.v, 0, sizeof island->frame[i].state.v);
    return status == ukOk ? ukAssembleIsland(island, &poses->context) : status;
}

int ukPosesBegin(ukPoses *poses, ukWorld *world, bool springs)
{
    *poses = (ukPoses){.world = world};
    if (ukWorldWithinStep(world)) {
        ukErrorSet(ukErrorChanged, "the world is being stepped (called from a callback)");
        return ukErrorChanged;
    }
    if (ukPassWhole(world) != ukOk) return ukErrorMemory;
    ukStepper *const s = poses->s = ukStepperOf(world);
    if (!s) return ukPassNoMemory(world);
    const double h = s->h > 0 ? s->h : 0.01;
    ukWatchStepBegin(world);
    poses->open = true;
    poses->before = s->report;
    int status = ukPassBegin(world, s, h, false);
    ukAssembleContext(world, h, &poses->context);
    poses->context.continuous = true;
    poses->context.drives = false;
    poses->context.springs = springs;
    poses->context.alpha = poses->context.beta = 0;
    poses->context.rows.commit = false;
    poses->context.rows.apart = true;
    poses->context.rows.exact = true;
    for (int i = 0; i < s->island_count && status == ukOk; i++) status = gatherAtRest(poses, &s->islands[i]);
    poses->bodies = s->moving_count;
    poses->n = 6 * poses->bodies;
    return status;
}

void ukPosesEnd(ukPoses *poses)
{
    if (!poses->open) return;
    poses->open = false;
    poses->s->report = poses->before;
    poses->s->solved = false;
    ukStepperForget(poses->s);
    ukPassUnwake(poses->s);
    ukWatchStepEnd(poses->world);
}

int ukPosesAssemble(ukPoses *poses)
{
    ukStepper *const s = poses->s;
    const ukIslandStart first = {0};
    int status = ukOk;
    s->work = 0;
    if (s->island_count > 0) ukAssembleRewind(&s->islands[0], &first);
    for (int i = 0; i < s->island_count && status == ukOk; i++)
        status = ukAssembleIsland(&s->islands[i], &poses->context);
    return status;
}

int ukPosesBody(const ukPoses *poses, dBodyID body)
{
    for (int k = 0; k < poses->bodies; k++)
        if (ukPosesFrame(poses, k)->body->handle == body) return k;
    return -1;
}

void ukPosesKeep(const ukPoses *poses, ukState *state)
{
    for (int k = 0; k < poses->bodies; k++) state[k] = ukPosesFrame(poses, k)->state;
}

void ukPosesReturn(const ukPoses *poses, const ukState *state)
{
    for (int k = 0; k < poses->bodies; k++) ukPosesFrame(poses, k)->state = state[k];
}

void ukPosesMove(const ukPoses *poses, const double *dq, double factor)
{
    for (int k = 0; k < poses->bodies; k++) {
        ukState *const state = &ukPosesFrame(poses, k)->state;
        double turn[3];
        for (int i = 0; i < 3; i++) {
            state->x[i] += factor * dq[6 * k + i];
            turn[i] = factor * dq[6 * k + 3 + i];
        }
        ukRotateBy(state->q, turn);
        ukStateOrient(state);
    }
}

void ukPosesScale(const ukPoses *poses, bool transposed, double *x)
{
    for (int k = 0; k < poses->bodies; k++, x += 6) {
        const double *const I = poses->s->bodies.inertia + 9 * (size_t)k;
        const double root = sqrt(poses->s->bodies.mass[k]);
        const double l00 = sqrt(I[0]), l10 = I[3] / l00, l20 = I[6] / l00, l11 = sqrt(I[4] - l10 * l10);
        const double l21 = (I[7] - l20 * l10) / l11, l22 = sqrt(I[8] - l20 * l20 - l21 * l21);
        for (int i = 0; i < 3; i++) x[i] /= root;
        if (transposed) {
            x[5] /= l22;
            x[4] = (x[4] - l21 * x[5]) / l11;
            x[3] = (x[3] - l10 * x[4] - l20 * x[5]) / l00;
        } else {
            x[3] /= l00;
            x[4] = (x[4] - l10 * x[3]) / l11;
            x[5] = (x[5] - l20 * x[3] - l21 * x[4]) / l22;
        }
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/write_back.h"

#include <stdatomic.h>

#include "bridge/base/vector.h"
#include "bridge/island/each.h"
#include "bridge/island/refuse.h"
#include "bridge/ode/single_body.h"
#include "bridge/world/journal.h"
#include "bridge/world/storage.h"
#include "solvers/base/status.h"

/* The factor by which damping with the user's parameters multiplies a velocity (3); 1 below its threshold. */
static double linearDamping(dBodyID body, const double *v)
{
    const double scale = dBodyGetLinearDamping(body), threshold = scale == 0 ? 0 : dBodyGetLinearDampingThreshold(body);
    return scale != 0 && ukDot(v, v) > threshold * threshold ? 1 - scale : 1;
}

static double angularDamping(dBodyID body, const double *w)
{
    const double scale = dBodyGetAngularDamping(body);
    const double threshold = scale == 0 ? 0 : dBodyGetAngularDampingThreshold(body);
    return scale != 0 && ukDot(w, w) > threshold * threshold ? 1 - scale : 1;
}

const char *ukFrameSetDamping(ukFrame *f)
{
    const dBodyID b = f->body->handle;
    const double linear = linearDamping(b, f->state.v), angular = angularDamping(b, f->state.v + 3);
    f->damping[0] = linear, f->damping[1] = angular;
    if (linear == 1 && angular == 1) return ukStateFault(&f->state);
    ukState end = f->state;
    for (int i = 0; i < 3; i++) {
        end.v[i] *= linear;
        end.v[3 + i] *= angular;
    }
    return ukStateFault(&end);
}

/* Ensures that no NaN or Inf is written to ODE, which would abort, now or in a later step. */
typedef struct Holdable {
    const ukIsland *island;
    atomic_int faults; /* number of bodies whose new state is not finite */
} Holdable;

UKODE_INLINE void lookForFaults(void *context, int begin, int end)
{
    Holdable *const of = context;
    int faults = 0;
    for (int i = begin; i < end; i++) faults += ukFrameSetDamping(&of->island->frame[i]) != NULL;
    of->faults += faults;
}

int ukFramesHoldable(const ukIsland *island)
{
    Holdable of = {.island = island};
    ukEach(island, island->frames, lookForFaults, &of);
    for (int i = 0; i < island->frames && of.faults > 0; i++) { /* the first one is named */
        const char *fault = ukFrameSetDamping(&island->frame[i]);
        if (fault) return ukRefuseBody(island->frame[i].body, ukErrorNotFinite, "its new %s is not finite", fault);
    }
    return ukOk;
}

/* scales ODE's present velocity down */
static void dampVelocity(dBodyID body)
{
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    const double linear = linearDamping(body, v), angular = angularDamping(body, w);
    if (linear != 1) dBodySetLinearVel(body, linear * v[0], linear * v[1], linear * v[2]);
    if (angular != 1) dBodySetAngularVel(body, angular * w[0], angular * w[1], angular * w[2]);
}

void ukFrameScatter(ukFrame *f, bool called)
{
    ukBody *body = f->body;
    const dBodyID b = body->handle;
    const double *v = f->state.v, *x = f->state.x, *q = f->state.q;
    const double linear = called ? 1 : f->damping[0], angular = called ? 1 : f->damping[1];
    const dQuaternion quaternion = {q[0], q[1], q[2], q[3]};
    f->written = true;
    dBodySetLinearVel(b, linear * v[0], linear * v[1], linear * v[2]);
    dBodySetAngularVel(b, angular * v[3], angular * v[4], angular * v[5]);
    dBodySetPosition(b, x[0], x[1], x[2]);
    dBodySetQuaternion(b, quaternion);
    if (body->moved) {
        /* the callback may read the forces: after a step ODE's accumulators contain gravity and the gyroscopic
         * torque */
        dBodySetForce(b, f->force[0], f->force[1], f->force[2]);
        dBodySetTorque(b, f->force[3], f->force[4], f->force[5]);
        ukWorld *const world = body->world;
        ukJournalCalled(world, body, false);
        body->moved(b);
        ukBodyRead(body);
        ukJournalCalled(world, body, true);
        if (!body->handle) return;
    }
    if (called) dampVelocity(b);
    dBodySetForce(b, 0, 0, 0);
    dBodySetTorque(b, 0, 0, 0);
}

void ukFrameRestore(const ukFrame *f)
{
    const ukBody *body = f->body;
    const dBodyID b = body->handle;
    if (!b) return;
    const ukState *s = &f->start;
    dBodySetLinearVel(b, s->v[0], s->v[1], s->v[2]);
    dBodySetAngularVel(b, s->v[3], s->v[4], s->v[5]);
    /* ODE's setters of orientations would normalise once more, and change last digits. The setter of the position
     * notifies the body's geoms as well. */
    dReal *const q = (dReal *)body->quaternion, *const R = (dReal *)body->rotation;
    for (int i = 0; i < 4; i++) q[i] = s->q[i];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) R[4 * i + k] = s->R[3 * i + k];
    if (ukOdeSingle) ukSingleTurn(b);
    dBodySetPosition(b, s->x[0], s->x[1], s->x[2]);
    dBodySetForce(b, f->accumulator[0], f->accumulator[1], f->accumulator[2]);
    dBodySetTorque(b, f->accumulator[3], f->accumulator[4], f->accumulator[5]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/gather.h"

#include <float.h>
#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/island/each.h"
#include "bridge/island/massless.h"
#include "bridge/island/refuse.h"
#include "solvers/base/status.h"

static void fetchBody(const ukBody *body)
{
    const char *constant = (const char *)&body->constant;
    for (size_t i = 0; i < sizeof body->constant; i += ukPrefetchLine) __builtin_prefetch(constant + i);
    ukFrameFetch(body);
}

/* Reads body `f->body` into f: start, state, accumulator. Returns NULL, or the name of the quantity that is not
 * finite. */
static const char *readFrame(ukFrame *f)
{
    const ukBody *body = f->body;
    ukState *s = &f->start;
    for (int i = 0; i < 3; i++) {
        s->x[i] = body->position[i];
        s->v[i] = body->linear[i];
        s->v[3 + i] = body->angular[i];
        f->accumulator[i] = body->force[i];
        f->accumulator[3 + i] = body->torque[i];
        for (int k = 0; k < 3; k++) s->R[3 * i + k] = body->rotation[4 * i + k];
    }
    for (int i = 0; i < 4; i++) s->q[i] = body->quaternion[i];
    f->written = false;
    f->state = *s;
    const char *fault = ukStateFault(s);
    if (fault) return fault;
    if (fabs(ukSum(f->accumulator) + ukSum(f->accumulator + 3)) <= DBL_MAX) return NULL;
    if (!ukFiniteAll(f->accumulator, 3)) return "force";
    return ukFiniteAll(f->accumulator + 3, 3) ? NULL : "torque";
}

int ukGatherFrame(ukFrame *f, bool *kinematic)
{
    if (ukFrameConstants(f->body, kinematic) != ukOk)
        return ukRefuseBody(f->body, ukErrorMass, "its %s", ukFrameMassFault(f->body));
    const char *fault = readFrame(f);
    return fault ? ukRefuseBody(f->body, ukErrorNotFinite, "its %s is not finite", fault) : ukOk;
}

void ukGatherResetMotors(const ukIsland *island)
{
    for (int j = 0; j < island->joints; j++)
        for (int k = 0; k < ukMostModalMotors; k++) { /* includes joints that write no rows */
            ukModalMotorsOf(island, j)[k].mode = ukMotorUndecided;
            ukModalMotorsOf(island, j)[k].share = 1;
            ukModalMotorsOf(island, j)[k].used = false;
        }
}

/* Marks frames that must be gathered by the calling thread, because of an error or of a call of ODE. */
enum { NotGathered = -2 };

UKODE_INLINE void gatherFrames(void *context, int begin, int end)
{
    const ukIsland *const island = context;
    for (int i = begin; i < end; i++) {
        ukFrame *f = &island->frame[i];
        bool kinematic = false;
        if (i + ukPrefetchAhead < end) fetchBody(f[ukPrefetchAhead].body);
        const bool good = ukFrameConstants(f->body, &kinematic) == ukOk && !readFrame(f);
        f->moving = !good ? NotGathered : kinematic ? -1 : 0;
    }
}

int ukGatherIsland(ukIsland *island)
{
    int moving = 0;
    island->massless = 0;
    ukEach(island, island->frames, gatherFrames, island);
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        bool kinematic = f->moving < 0;
        const int status = f->moving == NotGathered ? ukGatherFrame(f, &kinematic) : ukOk; /* with a message */
        if (status != ukOk) return status;
        f->moving = kinematic ? -1 : moving++;
        if (ukFrameIsMassless(f)) island->massless++;
    }
    if (island->massless > 0) {
        const int status = ukMasslessAdmit(island);
        if (status != ukOk) return status;
    }
    island->switches = 0;
    for (int k = 0; k < island->elements; k++) {
        island->switches += ukElementIsSwitch(island->element[k]);
        struct ukConstraint *c = island->element[k]->is_force ? NULL : (struct ukConstraint *)island->element[k];
        for (int i = 0; c && c->limit && i < c->rows; i++) {
            c->limit[i].mode = ukRowUndecided;
            c->limit[i].decided = false;
            c->limit[i].start.taken = false;
        }
    }
    if (ukIsAdaptive(&island->world->settings)) ukGatherResetMotors(island);
    return ukOk;
}

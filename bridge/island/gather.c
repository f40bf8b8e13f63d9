/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/gather.h"

#include "bridge/island/massless.h"
#include "bridge/island/refuse.h"
#include "solvers/base/status.h"

static void fetchBody(const ukBody *body)
{
    const char *constant = (const char *)&body->constant;
    for (size_t i = 0; i < sizeof body->constant; i += ukPrefetchLine) __builtin_prefetch(constant + i);
    ukFrameFetch(body);
}

int ukGatherFrame(ukFrame *f, bool *kinematic)
{
    if (ukFrameConstants(f->body, kinematic) != ukOk)
        return ukRefuseBody(f->body, ukErrorMass, "its %s", ukFrameMassFault(f->body));
    const char *fault = ukFrameGather(f);
    return fault ? ukRefuseBody(f->body, ukErrorNotFinite, "its %s is not finite", fault) : ukOk;
}

void ukGatherDrives(const ukIsland *island)
{
    for (int j = 0; j < island->joints; j++)
        for (int k = 0; k < ukMostModalMotors; k++) { /* includes joints that write no rows */
            ukModalMotorsOf(island, j)[k].mode = ukMotorOpen;
            ukModalMotorsOf(island, j)[k].share = 1;
            ukModalMotorsOf(island, j)[k].used = false;
        }
}

int ukGatherIsland(ukIsland *island)
{
    int moving = 0;
    island->massless = 0;
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        bool kinematic = false;
        if (i + ukPrefetchAhead < island->frames) fetchBody(f[ukPrefetchAhead].body);
        const int status = ukGatherFrame(f, &kinematic);
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
            c->limit[i].mode = ukRowOpen;
            c->limit[i].decided = false;
            c->limit[i].start.taken = false;
        }
    }
    if (ukIsAdaptive(&island->world->settings)) ukGatherDrives(island);
    return ukOk;
}

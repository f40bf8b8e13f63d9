/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/body.c: events of bodies and of the world: created, destroyed, enabled, sampled by
 * auto-disable. */
#include <string.h>

#include "plugin/tools/replay/events.h"

void ukBuildBody(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukBuildSerial(b, r, &b->last_body, "body");
    const int64_t steps = (int64_t)ukReadNumber(r); /* below 0 where time is left, but no steps are */
    double time;
    ukReadDoubles(r, &time, 1);
    if (steps < INT32_MIN || steps > INT32_MAX) r->bad = true;
    if (r->bad || number == 0) return;
    b->world->bodies = number - 1;
    const dBodyID body = dBodyCreate(b->world->handle);
    dBodySetAutoDisableSteps(body, (int)steps);
    dBodySetAutoDisableTime(body, time);
    dBodyEnable(body); /* the countdowns begin there */
    dBodySetAutoDisableSteps(body, (int)ukBodyNew[ukBodyAutoDisable + 3]);
    dBodySetAutoDisableTime(body, ukBodyNew[ukBodyAutoDisable + 4]);
    b->samples += (uint64_t)dBodyGetAutoDisableAverageSamplesCount(body);
    ukBuildPut(b, &b->bodies, number, ukRegistryBody(body));
}

void ukBuildBodyGone(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukReadNumber(r);
    ukBody *body = ukBuildFound(b, &b->bodies, number);
    if (!body) return;
    ukBuildPlacesBack(b);
    ukMapRemove(&b->bodies, ukBuildKey(number));
    b->samples -= (uint64_t)dBodyGetAutoDisableAverageSamplesCount(body->handle);
    dBodyDestroy(body->handle);
}

void ukBuildBodyEnabled(ukBuild *b, ukByteReader *r)
{
    const ukBody *body = ukBuildReadBody(b, r);
    if (body) dBodyEnable(body->handle);
}

void ukBuildBodySamples(ukBuild *b, ukByteReader *r)
{
    const ukBody *body = ukBuildReadBody(b, r);
    if (!body) return;
    const unsigned count = (unsigned)dBodyGetAutoDisableAverageSamplesCount(body->handle);
    dBodySetAutoDisableAverageSamplesCount(body->handle, count);
}

uint64_t ukBuildReadFields(ukByteReader *r, double *field, int fields)
{
    const uint64_t mask = ukReadNumber(r);
    if (mask >> fields != 0) r->bad = true;
    for (int i = 0; i < fields && !r->bad; i++) {
        if (!(mask >> i & 1)) continue;
        const uint64_t word = ukReadWord(r);
        memcpy(&field[i], &word, sizeof word);
    }
    return mask;
}

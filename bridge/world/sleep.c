/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/sleep.h"

#include <stdlib.h>
#include <string.h>

#include "solvers/base/status.h"

void ukSleepCreated(ukBody *body)
{
    ukSleepReset(body);
    ukSleepForget(body);
    body->sleep.before.sampled = false;
}

void ukSleepReset(ukBody *body)
{
    body->sleep.steps_left = dBodyGetAutoDisableSteps(body->handle);
    body->sleep.time_left = dBodyGetAutoDisableTime(body->handle);
}

void ukSleepForget(ukBody *body)
{
    body->sleep.counter = 0;
    body->sleep.ready = false;
}

void ukSleepWake(ukBody *body)
{
    ukOde.dBodyEnable(body->handle);
}

bool ukSleepReserve(ukBody *body, unsigned int samples)
{
    if (samples <= body->sleep.capacity) return true;
    void *grown = realloc(body->sleep.buffer, samples * sizeof *body->sleep.buffer);
    if (!grown) return false;
    body->sleep.buffer = grown;
    memset(body->sleep.buffer + body->sleep.capacity, 0, (samples - body->sleep.capacity) * sizeof *body->sleep.buffer);
    body->sleep.capacity = samples;
    return true;
}

/* Puts the present velocity into the ring, and remembers what that changes. */
static void sampleVelocity(ukBody *body, unsigned int samples)
{
    if (body->sleep.counter >= samples) ukSleepForget(body); /* the count shrank under the ring: begin again */
    dReal *slot = body->sleep.buffer[body->sleep.counter];
    body->sleep.before.sampled = true;
    body->sleep.before.disabled = false;
    body->sleep.before.ready = body->sleep.ready;
    body->sleep.before.steps_left = body->sleep.steps_left;
    body->sleep.before.time_left = body->sleep.time_left;
    body->sleep.before.counter = body->sleep.counter;
    memcpy(body->sleep.before.sample, slot, sizeof body->sleep.before.sample);
    memcpy(slot, body->linear, 3 * sizeof *slot);
    memcpy(slot + 3, body->angular, 3 * sizeof *slot);
    if (++body->sleep.counter < samples) return;
    body->sleep.counter = 0;
    body->sleep.ready = true;
}

/* whether |x|^2 <= limit^2; ODE sums in this order and stores the thresholds squared */
static bool isSlow(const dReal *x, dReal limit)
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= limit * limit;
}

static bool isIdle(const ukBody *body, unsigned int samples)
{
    if (!body->sleep.ready) return false;
    dReal average[6];
    memcpy(average, body->sleep.buffer[0], sizeof average);
    if (samples > 1) {
        for (unsigned int i = 1; i < samples; i++)
            for (int k = 0; k < 6; k++) average[k] += body->sleep.buffer[i][k];
        const dReal r = 1.0 / samples;
        for (int k = 0; k < 6; k++) average[k] *= r;
    }
    return isSlow(average, dBodyGetAutoDisableLinearThreshold(body->handle)) &&
           isSlow(average + 3, dBodyGetAutoDisableAngularThreshold(body->handle));
}

static int passBody(ukBody *body, double h, bool *slept)
{
    const unsigned int samples = (unsigned int)dBodyGetAutoDisableAverageSamplesCount(body->handle);
    if (samples == 0 || !dBodyIsEnabled(body->handle)) return ukOk;
    if (!ukSleepReserve(body, samples)) return ukErrorMemory;
    sampleVelocity(body, samples);
    if (isIdle(body, samples)) {
        body->sleep.steps_left--;
        body->sleep.time_left -= h;
    } else {
        ukSleepReset(body);
    }
    if (body->sleep.steps_left > 0 || body->sleep.time_left > 0) return ukOk;
    *slept = true;
    body->sleep.before.disabled = true;
    ukOde.dBodyDisable(body->handle);
    dBodySetLinearVel(body->handle, 0, 0, 0);
    dBodySetAngularVel(body->handle, 0, 0, 0);
    return ukOk;
}

int ukSleepUpdate(ukWorld *world, double h, bool *slept)
{
    int status = ukOk;
    *slept = false;
    for (ukBody *body = world->newest_body; body; body = body->older) {
        body->sleep.before.sampled = false; /* of every body, for ukSleepUndo */
        if (status == ukOk && body->first_joint && dBodyGetAutoDisableFlag(body->handle))
            status = passBody(body, h, slept);
    }
    return status;
}

void ukSleepUndo(ukWorld *world)
{
    for (ukBody *body = world->newest_body; body; body = body->older) {
        if (!body->sleep.before.sampled) continue;
        body->sleep.before.sampled = false;
        dReal *slot = body->sleep.buffer[body->sleep.before.counter];
        if (body->sleep.before.disabled) { /* the sample is the velocity it lost */
            ukOde.dBodyEnable(body->handle);
            dBodySetLinearVel(body->handle, slot[0], slot[1], slot[2]);
            dBodySetAngularVel(body->handle, slot[3], slot[4], slot[5]);
        }
        memcpy(slot, body->sleep.before.sample, sizeof body->sleep.before.sample);
        body->sleep.ready = body->sleep.before.ready;
        body->sleep.steps_left = body->sleep.before.steps_left;
        body->sleep.time_left = body->sleep.before.time_left;
        body->sleep.counter = body->sleep.before.counter;
    }
}

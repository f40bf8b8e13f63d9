/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/watch/start.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/watch/watch.h"
#include "bridge/world/registry.h"

static ukStartDefault *defaults;
static int default_count;

static void freeStarts(ukStartDefault *starts, int count)
{
    for (int i = 0; starts && i < count; i++) free(starts[i].name);
    free(starts);
}

bool ukStartSetDefaults(const ukStartDefault *starts, int count)
{
    ukStartDefault *const copy = count > 0 ? calloc((size_t)count, sizeof *copy) : NULL;
    bool good = count == 0 || copy;
    for (int i = 0; good && i < count; i++) {
        copy[i] = starts[i];
        copy[i].name = starts[i].name ? strdup(starts[i].name) : NULL;
        good = !starts[i].name || copy[i].name;
    }
    if (!good) {
        freeStarts(copy, count);
        return false;
    }
    ukRegistryLock();
    freeStarts(defaults, default_count);
    defaults = copy;
    default_count = count;
    ukRegistryUnlock();
    return true;
}

/* ODE makes a kinematic body a dynamic one with that */
static void setTotalMass(dBodyID body, double total)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    const double factor = total / mass.mass;
    mass.mass = total;
    for (int i = 0; i < 12; i++)
        if (i % 4 < 3) mass.I[i] *= factor;
    ukOde.dBodySetMass(body, &mass);
    ukWatchBodyChanged(body);
}

static void applyStartState(dBodyID body, const ukStartDefault *start)
{
    const double *const x = start->position, *const v = start->velocity, *const spin = start->spin;
    const dQuaternion q = {start->orientation[0], start->orientation[1], start->orientation[2], start->orientation[3]};
    if (start->given & ukStartMass) setTotalMass(body, start->mass);
    if (start->given & ukStartPosition) dBodySetPosition(body, x[0], x[1], x[2]);
    if (start->given & ukStartOrientation) dBodySetQuaternion(body, q);
    if (start->given & ukStartVelocity) dBodySetLinearVel(body, v[0], v[1], v[2]);
    if (start->given & ukStartSpin) dBodySetAngularVel(body, spin[0], spin[1], spin[2]);
}

static bool isMeant(const ukBody *body, const ukStartDefault *start)
{
    if (start->serial > 0) return body->serial == start->serial;
    return body->name && strcmp(body->name, start->name) == 0;
}

void ukStartApply(ukWorld *world)
{
    if (world->started) return;
    world->started = true;
    for (int i = 0; i < default_count; i++) {
        ukStartDefault *const start = &defaults[i];
        bool found = false;
        for (const ukBody *b = world->oldest_body; b; b = b->newer) {
            if (!b->handle || !isMeant(b, start)) continue;
            applyStartState(b->handle, start);
            found = true;
        }
        start->met |= found;
        if (found) continue;
        if (start->serial > 0)
            ukLogWarning("UKODE_CONFIG: a world has no body %llu at its first step", (unsigned long long)start->serial);
        else
            ukLogWarning("UKODE_CONFIG: a world has no body %.100s at its first step", start->name);
    }
}

const ukStartDefault *ukStartUnmetDefault(const ukStartDefault *after)
{
    for (const ukStartDefault *start = after ? after + 1 : defaults; start < defaults + default_count; start++)
        if (!start->met) return start;
    return NULL;
}

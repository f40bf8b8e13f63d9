/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/storage.h: copies changes that the program made to ODE's storage of bodies into the records, for
 * copies of ODE whose storage is not read in place (bridge/ode/single.h). */
#ifndef UKODE_BRIDGE_WORLD_STORAGE_H
#define UKODE_BRIDGE_WORLD_STORAGE_H

#include "bridge/ode/single_body.h"
#include "bridge/world/record.h"

static inline void ukBodyRead(const ukBody *body)
{
    if (ukOdeSingle && body->handle) ukSingleRead(body->position);
}

static inline void ukWorldRead(const ukWorld *world)
{
    if (!ukOdeSingle) return;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) ukBodyRead(b);
}

#endif

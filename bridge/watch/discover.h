/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/watch/discover.h: worlds that were created before ukode could record them: bodies are passed by the user, and
 * joints are found through them. */
#ifndef UKODE_BRIDGE_WATCH_DISCOVER_H
#define UKODE_BRIDGE_WATCH_DISCOVER_H

#include "bridge/world/record.h"

/* Hands over a world with some of its bodies, whose joints are searched through them from now on. ukOk, or
 * ukErrorMemory with the records as they were. */
int ukDiscoverWorld(dWorldID world, const dBodyID *bodies, int count);
/* Brings the joints of an attached world up to date: finds, through the known bodies, those that were not seen being
 * made (and bodies at their other ends), forgets such that are gone. ukOk or ukErrorMemory. */
int ukDiscoverJoints(ukWorld *world);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/registry.h: the records of the process by their handles, and the lock that guards them. ODE has no
 * public call that lists a world's bodies or joints: the interposed creating and destroying calls keep them
 * (bridge/watch/watch.h).
 *
 * One recursive lock guards look-up and linking; the fields of one world's objects are used by the thread that uses
 * that world, as ODE itself demands. */
#ifndef UKODE_BRIDGE_WORLD_REGISTRY_H
#define UKODE_BRIDGE_WORLD_REGISTRY_H

#include "bridge/base/map.h"
#include "bridge/world/record.h"

/* By handle; under the lock. */
typedef struct ukRegistryMaps {
    ukMap worlds, bodies, joints, groups;
    ukWorld *oldest_world, *newest_world; /* in the order of creation */
} ukRegistryMaps;
extern ukRegistryMaps ukRegistry;

/* Look-up; NULL for handles never seen or gone. */
ukWorld *ukRegistryWorld(dWorldID world);
ukBody *ukRegistryBody(dBodyID body);
ukJoint *ukRegistryJoint(dJointID joint);
struct ukGroup *ukRegistryGroup(dJointGroupID group);

void ukRegistryLock(void);
void ukRegistryUnlock(void);

/* Whether worlds are enabled when they are created: set once at load, true for a preloaded library. */
extern bool ukRegistryEnableByDefault;

#endif

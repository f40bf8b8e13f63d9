/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/name.h: names of bodies and joints, owned by their records; and those assigned at creation
 * (UKODE_CONFIG), by number in their world. */
#ifndef UKODE_BRIDGE_WORLD_NAME_H
#define UKODE_BRIDGE_WORLD_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* A copy of `name` in the place of what was there; NULL or "": none. false: no memory, and it is as it was. */
bool ukNameSet(char **place, const char *name);

typedef struct ukNameDefault {
    bool joint;      /* of a joint (contacts are not counted); else of a body */
    uint64_t serial; /* its number in the order of creation in its world, from 1 */
    char *name;
    bool met; /* an object of that number has been created */
} ukNameDefault;

/* Of bodies and joints made from now on; copied. false: no memory, and they are as they were. */
bool ukNameSetDefaults(const ukNameDefault *names, int count);
/* The name that a new record gets: later ones win. A default there is no memory for is none. */
void ukNameApplyDefaults(char **place, bool joint, uint64_t serial);
/* The first joint, or body, that is named and has not been created in any world; 0: there is none. */
uint64_t ukNameUnmetDefault(bool joint);

#endif

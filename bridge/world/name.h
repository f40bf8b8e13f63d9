/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/name.h: names of bodies and joints, owned by their records; and those assigned at creation
 * (UKODE_CONFIG), by number in their world. */
#ifndef UKODE_BRIDGE_WORLD_NAME_H
#define UKODE_BRIDGE_WORLD_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* Replaces the string at *place by a copy of `name`; NULL or "": by NULL. false: no memory, and *place is unchanged. */
bool ukNameSet(char **place, const char *name);

typedef struct ukNameDefault {
    bool joint;      /* of a joint (contacts are not counted); else of a body */
    uint64_t serial; /* its number in the order of creation in its world, from 1 */
    char *name;
    bool met; /* an object of that number has been created */
} ukNameDefault;

/* Sets the names of bodies and joints that are created from now on; copied. false: no memory, and the former ones
 * stay. */
bool ukNameSetDefaults(const ukNameDefault *names, int count);
/* Sets the name of a new record. If two defaults match, the later one is used. Without memory, no name is set. */
void ukNameApplyDefaults(char **place, bool joint, uint64_t serial);
/* The first joint, or body, that is named and has not been created in any world; 0: there is none. */
uint64_t ukNameUnmetDefault(bool joint);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/lost.h: objects of ODE without a complete record because an allocation failed. A step without them would
 * compute another motion than that of the program's objects: a world with any of them is not stepped
 * (bridge/step/step.c) until they are destroyed, or handed over by ukWorldAttach.
 *
 * A list of fixed size, since there is no memory; of objects that do not fit only the number is kept, and their world
 * is not stepped. Called under the registry's lock. */
#ifndef UKODE_BRIDGE_WORLD_LOST_H
#define UKODE_BRIDGE_WORLD_LOST_H

#include "bridge/world/record.h"

/* Logs the loss and sets ukErrorMemory. `what`: "a body"; group NULL: none. Nothing if the handle is noted already. */
void ukLostNote(ukWorld *world, const char *what, const void *handle, const void *group);
void ukLostForget(const void *handle);    /* it has its record now, or is gone */
void ukLostDestroyed(const void *handle); /* the same; nothing if it is in a group, as ODE ignores the call */
void ukLostEmptied(const void *group);
void ukLostWorldDestroyed(const ukWorld *world);
/* Forgets those of the world for which `recorded` returns true. */
void ukLostFound(ukWorld *world, bool (*recorded)(const void *handle));

#endif

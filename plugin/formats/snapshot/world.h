/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/world.h: saves and restores what belongs to the world itself: ODE's parameters, the
 * settings, time, ledger, and the seed of ODE's random numbers, which belongs to the process. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_WORLD_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_WORLD_H

#include "bridge/base/tape.h"
#include "bridge/world/record.h"

/* Checking a state with a ledger creates the ledger of a world that has none, and sets *ledger_created. */
void ukKeepWorld(ukTape *tape, ukWorld *world, bool *ledger_created);

#endif

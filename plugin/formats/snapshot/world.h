/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/world.h: what a world has of its own on tape: ODE's parameters and the settings, time, ledger, and the
 * seed of ODE's random numbers, which is the process's. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_WORLD_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_WORLD_H

#include "bridge/base/tape.h"
#include "bridge/world/record.h"

/* A check that meets a ledger makes one where there is none; *made tells. */
void ukKeepWorld(ukTape *tape, ukWorld *world, bool *made);

#endif

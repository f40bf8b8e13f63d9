/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/placed.h: detects a reset of a world in Webots' fork, that is, that its program sets the initial
 * poses again. What earlier steps have left for the next one, initial guesses and active sets above all, would then
 * change the rounding of the steps after the reset, which are to be those of the first run, bit for bit: it is
 * dropped.
 *
 * A reset is taken to be any change that moves at least half of the world's bodies between two steps. */
#ifndef UKODE_BRIDGE_ISLAND_PLACED_H
#define UKODE_BRIDGE_ISLAND_PLACED_H

#include "bridge/world/record.h"

/* Before a step: drops what earlier steps have left, if the world was reset. */
void ukPlacedLook(ukWorld *world);
/* After a step, and after the state of the world was restored: the poses that it leaves. Without memory no reset is
 * recognized. Nothing for worlds of other copies of ODE. */
void ukPlacedLeft(ukWorld *world);
void ukPlacedFree(ukWorld *world);

#endif

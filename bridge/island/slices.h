/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/slices.h: an island's slices of the arrays of its step (bridge/step/step.h). */
#ifndef UKODE_BRIDGE_ISLAND_SLICES_H
#define UKODE_BRIDGE_ISLAND_SLICES_H

#include "bridge/island/island.h"

/* Sets the slices of the next island to assemble: they begin after those of all islands before it. */
void ukSlicesPlace(ukIsland *island);

#endif

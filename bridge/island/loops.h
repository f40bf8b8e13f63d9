/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/loops.h: which joints lie in closed loops of three or more bodies. */
#ifndef UKODE_BRIDGE_ISLAND_LOOPS_H
#define UKODE_BRIDGE_ISLAND_LOOPS_H

#include "bridge/island/island.h"

/* Sets joint->looped of the island's joints: whether a joint lies in a closed loop of joints that restrict rotations
 * (not balls, gears, motors or contacts), with at least three bodies, of which the static world and all kinematic bodies
 * count as one. Several joints between the same two bodies are no such loop. Returns ukOk or ukErrorMemory. */
int ukLoopsMark(ukIsland *island);

#endif

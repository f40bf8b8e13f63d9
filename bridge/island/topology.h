/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/topology.h: the islands of a step: ODE's islands, in ODE's order. */
#ifndef UKODE_BRIDGE_ISLAND_TOPOLOGY_H
#define UKODE_BRIDGE_ISLAND_TOPOLOGY_H

#include "bridge/island/island.h"

/* Traverses the world's bodies, newest first, and from each enabled one the usable joints, newest attached first, other
 * bodies on a last-in first-out stack: ODE's order of bodies and joints, and so of callbacks. User constraints connect
 * bodies as joints do; user forces connect bodies that are enabled. Disabled bodies that are reached wake up
 * (frame->woken). `frames`, `islands`, `stack` have body_count entries, `joints` joint_count, `elements` element_count.
 * Returns the number of islands. */
int ukTopologyIslands(ukWorld *world, ukFrame *frames, ukJoint **joints, ukElement **elements, ukIsland *islands,
                      ukBody **stack);

/* Removes from an island that has not been stepped yet the objects that were destroyed, or attached elsewhere. */
void ukTopologyPrune(ukIsland *island);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/sliding.h: finds joints whose dry friction acts along several axes together (Plane2D) and slides. Where
 * sliding starts under a turning force, the direction of friction changes faster than RK4 and adaptive can follow in
 * any sub-step; Euler and RATTLE take the friction of the end of their step. */
#ifndef UKODE_BRIDGE_ISLAND_SLIDING_H
#define UKODE_BRIDGE_ISLAND_SLIDING_H

#include "bridge/island/island.h"

/* The first such joint of an island; NULL: none. */
const ukJoint *ukSlidingJoint(const ukIsland *island);
extern const char ukSlidingRemedy[]; /* under RK4 and adaptive */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/switching.h: switching functions g of the user's within a step of the continuous form. A change of
 * sign is an event of a known side (stick.h): within each part of a step the sides are constant, so user functions that
 * read them are smooth there. */
#ifndef UKODE_BRIDGE_INTEGRATE_SWITCHING_H
#define UKODE_BRIDGE_INTEGRATE_SWITCHING_H

#include "bridge/island/island.h"

/* The switching function after `f` in the island (NULL: the first one); NULL: there are no more. */
struct ukForce *ukSwitchingNext(const ukIsland *island, const struct ukForce *f);

/* The event function, g on its side: not negative before the event. */
double ukSwitchingMargin(const struct ukForce *f);

/* Whether the part of the step started at g = 0, to rounding, and ends at `margin` < 0: the function changes its side
 * at the start, and there is nothing to locate. */
bool ukSwitchingAtStart(const struct ukForce *f, double margin);

/* Sets each side by the value at the assembled states; returns whether any has changed. */
bool ukSwitchingTurn(const ukIsland *island);

#endif

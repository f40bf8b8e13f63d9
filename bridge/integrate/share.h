/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/share.h: dry friction at rest, and motors of bounded force at their speed, whose forces are not
 * unique: stops, other motors or other friction of a closed loop constrain the same motion. As equalities, all of
 * them have multipliers of least norm, which may exceed a bound although forces within the bounds exist. Then some
 * exert the constant fraction of their bound that a solve with the bounds gave them, and the others remain equalities;
 * a stop whose multiplier would be negative is released, and the others carry its force. */
#ifndef UKODE_BRIDGE_INTEGRATE_SHARE_H
#define UKODE_BRIDGE_INTEGRATE_SHARE_H

#include "bridge/island/assemble.h"

/* After modes were taken from a solve with bounds, which has set the shares of the slides that stick and the motors
 * that keep their speed: assembles and solves the island, and replaces the row whose multiplier exceeds its bound most
 * by its share, until none does. ukOk or a status of the assembly or solver; the island must be assembled again. */
int ukShareForces(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

#endif

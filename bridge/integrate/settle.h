/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/settle.h: projects the end of an explicit method's stages onto the constraints and decides whether
 * it is acceptable: a projection that moves a state far shows that the step is too long for its motion. */
#ifndef UKODE_BRIDGE_INTEGRATE_SETTLE_H
#define UKODE_BRIDGE_INTEGRATE_SETTLE_H

#include "bridge/integrate/measure.h"
#include "bridge/island/assemble.h"

/* Assembly and, where the world's stabilisation is one, projection of the frames' states, at the time and in
 * the form of `at`; *drift: how far off these were (an angle). ukErrorNotConverged, with the joint: that was more than
 * `far`, the projection left it off, or took more than `far` of the measure's speed from its velocity; INFINITY: not
 * asked. */
int ukSettle(ukIsland *island, const ukIslandStart *start, const ukStepContext *at, const ukMeasure *measure,
             double far, double *drift);

/* Of an island with rows that ukSettle has just projected: by what this has changed its velocity, in the metric of M. */
double ukSettleMoved(ukIsland *island);
/* Sets the error, ukErrorNotConverged, which names the joint or constraint whose rate this has changed most, and says
 * why that cannot be; returns it. */
int ukSettleRefuse(ukIsland *island, const char *why);

#endif

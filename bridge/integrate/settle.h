/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/settle.h: projects the end of an explicit method's stages onto the constraints and decides whether
 * it is acceptable: a projection that moves a state far shows that the step is too long for its motion. */
#ifndef UKODE_BRIDGE_INTEGRATE_SETTLE_H
#define UKODE_BRIDGE_INTEGRATE_SETTLE_H

#include "bridge/integrate/measure.h"
#include "bridge/island/assemble.h"

/* Assembles the frames' states at the time and in the form of `at` and, if the world's stabilisation is a projection,
 * projects them; *drift: their drift before (an angle). ukErrorNotConverged, with the joint: the drift exceeded `far`,
 * the projection did not return to the constraints, or it removed more than `far` of the measure's speed; INFINITY: not
 * tested. */
int ukSettle(ukIsland *island, const ukIslandStart *start, const ukStepContext *at, const ukMeasure *measure,
             double far, double *drift);

/* For an island with rows that ukSettle has just projected: the change of velocity by the projection, in the metric of
 * M. */
double ukSettleMoved(ukIsland *island);
/* Sets the error, ukErrorNotConverged, which names the joint or constraint whose rate the projection changed most, with
 * the reason; returns it. */
int ukSettleRefuse(ukIsland *island, const char *why);

#endif

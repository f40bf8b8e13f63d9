/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/advance/settle.h: the end of an explicit method's stages onto the constraints, and whether it can be accepted
 * there: a projection that moves a state far is none, but the mark of a step too long for its motion. */
#ifndef UKODE_BRIDGE_ADVANCE_SETTLE_H
#define UKODE_BRIDGE_ADVANCE_SETTLE_H

#include "bridge/advance/measure.h"
#include "bridge/island/assemble.h"

/* Speed cap, assembly and, where the world's stabilisation is one, projection of the frames' states, at the time and in
 * the form of `at`. ukErrorNotConverged, with the joint: the state was off by more than `far` (an angle), the
 * projection left it off (`whole`), or took more than `far` of the measure's speed from its velocity; INFINITY: not asked. */
int ukSettle(ukStepper *stepper, int island, const ukIslandStart *start, const ukStepContext *at,
             const ukMeasure *measure, double far, bool whole);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/cause.h: why an integrator finds no new pose. Where rows contradict each other at the start of the
 * step, no step length and no integrator helps, and the message must not recommend one. */
#ifndef UKODE_BRIDGE_INTEGRATE_CAUSE_H
#define UKODE_BRIDGE_INTEGRATE_CAUSE_H

#include "bridge/island/assemble.h"

/* After an integrator has returned `status`, which is not ukOk or ukNotContinuous: the status to be reported, with its
 * message. ukErrorNotConverged becomes ukErrorContradiction if accelerations or rates contradict each other at the
 * frames' starts. */
int ukCauseOf(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, int status);

#endif

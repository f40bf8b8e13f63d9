/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/step.h: one step of a world, read top to bottom in step.c. */
#ifndef UKODE_BRIDGE_STEP_STEP_H
#define UKODE_BRIDGE_STEP_STEP_H

#include "bridge/world/record.h"

/* One step of h [s] > 0, between ukWatchStepBegin and ukWatchStepEnd. ukOk, or a negative status with every body as it
 * was. */
int ukStepOnce(ukWorld *world, double h);

#endif
